/*
 * tracer.c - one loop over what happens to the threads, which a timer
 * interrupts.
 *
 * Nothing waits for a single thread: one that is stepped may call the kernel
 * and sleep there, for another one that only goes on when its own stop is
 * looked at.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "converter/step/process.h"
#include "converter/step/threads.h"
#include "converter/step/tracer_private.h"

/* Set by signals. */
static volatile sig_atomic_t ticked, stopped;

static void on_signal(int number)
{
	if (number == SIGALRM)
		ticked = 1;
	else
		stopped = number;
}

/* The next tick is after .5 to 1.5 of the mean time, in seconds. */
static void set_timer(struct tracer *t, double mean)
{
	double part = .5 + (double)rand_r(&t->seed) / RAND_MAX;
	long us = 1e6 * mean * part;
	struct itimerval timer = {
		.it_value = { us / 1000000, us % 1000000 },
		/* If a tick falls between a look and a wait, there is one
		   more. */
		.it_interval = { 0, 100000 },
	};

	setitimer(ITIMER_REAL, &timer, NULL);
}

/* What somebody ignores for us, as nohup(1) does, stays so. */
static void catch_if_not_ignored(int signal, const struct sigaction *action)
{
	struct sigaction before;

	if (sigaction(signal, NULL, &before) == 0 &&
	    before.sa_handler != SIG_IGN)
		sigaction(signal, action, NULL);
}

/*
 * Whatever would end us, since a thread that is left while it makes a step dies
 * of that.
 */
static void catch_signals(const struct tracer *t)
{
	static const int others[] = { SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2,
				      SIGXFSZ };
	struct sigaction action = { .sa_handler = on_signal };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	ticked = stopped = 0;
	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		catch_if_not_ignored(others[i], &action);
	/* From a terminal, the program has got it, too. */
	sigaction(SIGINT, t->program ? &ignore : &action, NULL);
	sigaction(SIGQUIT, t->program ? &ignore : &action, NULL);
}

/* In a burst: to its next instruction, or to its breakpoint. */
static void resume(struct thread *thread, int signal)
{
	bool steps = thread->state == THREAD_STEPPING &&
		     !process_breakpoint(thread->process);

	ptrace(steps ? PTRACE_SINGLESTEP : PTRACE_CONT, thread->tid, NULL,
	       (void *)(intptr_t)signal);
}

/* A signal on its way to the thread, or the end of a step. */
static void on_signal_stop(struct tracer *t, struct thread *thread, int signal)
{
	if (signal == SIGTRAP && tracer_go_on(t, thread))
		signal = 0;
	else if (thread->state == THREAD_STEPPING)
		tracer_end_burst(t, thread);
	resume(thread, signal);
}

/* Another program: the process has this thread alone, with its own number. */
static void on_exec(struct tracer *t, struct thread *thread)
{
	struct process *process = thread->process;
	pid_t pid = thread->tid;

	for (size_t i = t->threads.n; i-- > 0;) {
		struct thread *other = &t->threads.all[i];

		if (other->process == process && other->tid != pid)
			threads_remove(&t->threads, other);
	}
	thread = threads_find(&t->threads, pid);
	tracer_end_burst(t, thread);
	process_begin(process, t->writer, tracer_now());
	resume(thread, 0);
}

static struct thread *find_or_add(struct tracer *t, pid_t tid)
{
	struct thread *thread = threads_find(&t->threads, tid);

	return thread ? thread : threads_add(&t->threads, tid);
}

static bool stops_group(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN ||
	       signal == SIGTTOU;
}

static void on_stop(struct tracer *t, struct thread *thread, int status)
{
	int signal = WSTOPSIG(status), event = status >> 16;
	pid_t tid = thread->tid;
	unsigned long message;

	switch (event) {
	case 0:
		on_signal_stop(t, thread, signal);
		return;
	case PTRACE_EVENT_CLONE:
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
		if (ptrace(PTRACE_GETEVENTMSG, tid, NULL, &message) == 0)
			find_or_add(t, message);
		resume(threads_find(&t->threads, tid), 0);
		return;
	case PTRACE_EVENT_EXEC:
		on_exec(t, thread);
		return;
	case PTRACE_EVENT_STOP:
		if (stops_group(signal)) {
			ptrace(PTRACE_LISTEN, tid, NULL, NULL);
			return;
		}
		if (thread->state == THREAD_ASKED)
			tracer_begin_burst(t, thread);
		resume(thread, 0);
		return;
	default:
		resume(thread, 0);
	}
}

static void on_end(struct tracer *t, struct thread *thread, int status)
{
	if (thread->tid == t->program) {
		t->status = status;
		t->ended = true;
	}
	tracer_end_burst(t, thread);
	threads_remove(&t->threads, thread);
}

static void on_change(struct tracer *t, pid_t tid, int status)
{
	if (WIFSTOPPED(status))
		on_stop(t, find_or_add(t, tid), status);
	else if (threads_find(&t->threads, tid))
		on_end(t, threads_find(&t->threads, tid), status);
}

/* Where we are when the timer interrupts it, and not on its way here. */
static bool is_here(const struct tracer *t, const struct thread *thread)
{
	return thread->look.processor == t->processor;
}

/*
 * One of those that run, by chance; after a move one of those that run here.
 * *n is how many there are.
 */
static struct thread *choose(struct tracer *t, size_t *n)
{
	struct thread *chosen = NULL;
	size_t eligible = 0;

	*n = 0;
	for (size_t i = 0; i < t->threads.n; i++) {
		struct thread *thread = &t->threads.all[i];

		thread->look = thread_look(thread);
		/* While one makes its steps, no other does. */
		if (thread->state != THREAD_RUNNING &&
		    thread->look.state != 'S')
			return NULL;
		if (thread->state != THREAD_RUNNING ||
		    thread->look.state != 'R')
			continue;
		++*n;
		if (t->moved && !is_here(t, thread))
			continue;
		if (rand_r(&t->seed) % ++eligible == 0)
			chosen = thread;
	}
	return chosen;
}

/* A branch stands for as many as an average processor runs meanwhile. */
static uint64_t executions_of(const struct tracer *t, size_t running)
{
	double steps = 1e9 / t->options->per_second / t->options->steps;

	return (uint64_t)(steps * running) + 1;
}

static void ask(struct tracer *t, struct thread *thread, size_t running)
{
	if (ptrace(PTRACE_INTERRUPT, thread->tid, NULL, NULL) != 0)
		return;
	thread->state = THREAD_ASKED;
	thread->executions = executions_of(t, running);
}

/* Of one that runs elsewhere, the burst begins after a while beside it. */
static const double soon = .0005;

static void on_tick(struct tracer *t)
{
	size_t running;
	struct thread *thread = choose(t, &running);
	bool here = !thread || is_here(t, thread);

	ticked = 0;
	t->moved = !here && pin_beside(&t->own, thread->look.processor);
	if (t->moved) {
		t->processor = thread->look.processor;
		set_timer(t, soon);
		return;
	}
	set_timer(t, 1 / t->options->per_second);
	if (thread)
		ask(t, thread, running);
}

/* Of our own output: for nobody else. */
static bool ends_output(int signal)
{
	return signal == SIGPIPE || signal == SIGXFSZ;
}

/* SIGTERM and the like are passed on; a program that was joined is left. */
static void on_stop_request(struct tracer *t)
{
	int signal = stopped;

	stopped = 0;
	if (t->program && !ends_output(signal))
		kill(t->program, signal);
	else
		t->ended = true;
}

static void loop(struct tracer *t)
{
	set_timer(t, 1 / t->options->per_second);
	while (!t->ended && t->threads.n) {
		int status;
		pid_t tid = waitpid(-1, &status, __WALL);

		if (tid > 0)
			on_change(t, tid, status);
		else if (errno == ECHILD)
			t->ended = true;
		if (stopped)
			on_stop_request(t);
		if (ticked)
			on_tick(t);
		if (t->deadline && tracer_now() >= t->deadline)
			t->ended = true;
	}
	setitimer(ITIMER_REAL, &(struct itimerval){ .it_value = { 0 } }, NULL);
}

/* The signal that a stopped thread shall have when it goes on. */
static int signal_of(const struct thread *thread, int status)
{
	if (status >> 16 ||
	    (WSTOPSIG(status) == SIGTRAP && tracer_is_step(thread)))
		return 0;
	return WSTOPSIG(status);
}

/*
 * A thread that was stepping stops as it was asked to before it is told of the
 * end of its step: that signal waits, and would kill it.
 */
static bool step_waits(pid_t tid)
{
	enum { MOST = 8 };
	struct __ptrace_peeksiginfo_args which = { .nr = MOST };
	siginfo_t waiting[MOST];
	long n = ptrace(PTRACE_PEEKSIGINFO, tid, &which, waiting);

	for (long i = 0; i < n; i++)
		if (waiting[i].si_signo == SIGTRAP &&
		    (waiting[i].si_code == TRAP_TRACE ||
		     waiting[i].si_code == TRAP_BRKPT ||
		     waiting[i].si_code == SI_KERNEL))
			return true;
	return false;
}

/* Whatever signals we get meanwhile. */
static bool wait_for_stop(pid_t tid, int *status)
{
	pid_t changed;

	do
		changed = waitpid(tid, status, __WALL);
	while (changed < 0 && errno == EINTR);
	return changed == tid && WIFSTOPPED(*status);
}

static void detach(const struct thread *thread)
{
	pid_t tid = thread->tid;
	int status, signal;

	while (wait_for_stop(tid, &status)) {
		if (status >> 16 && step_waits(tid)) {
			ptrace(PTRACE_CONT, tid, NULL, NULL);
			continue;
		}
		signal = signal_of(thread, status);
		process_clear_breakpoint(thread->process);
		ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)signal);
		return;
	}
}

/* Let all that still runs go on without us. */
void tracer_let_go(struct tracer *t)
{
	for (size_t i = 0; i < t->threads.n; i++)
		ptrace(PTRACE_INTERRUPT, t->threads.all[i].tid, NULL, NULL);
	while (t->threads.n) {
		struct thread *thread = &t->threads.all[t->threads.n - 1];

		detach(thread);
		tracer_end_burst(t, thread);
		threads_remove(&t->threads, thread);
	}
}

void tracer_begin(struct tracer *t)
{
	struct timespec time;

	t->own = pin_own();
	pin_hurry();
	t->processor = -1;
	clock_gettime(CLOCK_REALTIME, &time);
	t->seed = time.tv_nsec ^ getpid();
	if (t->options->seconds > 0)
		t->deadline =
			tracer_now() + (uint64_t)(t->options->seconds * 1e9);
	catch_signals(t);
}

void tracer_trace(struct tracer *t)
{
	loop(t);
	tracer_let_go(t);
	threads_free(&t->threads);
}
