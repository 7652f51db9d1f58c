/* A process that is traced: breakpoints, what the kernel says, pins. */
#include <linux/kcmp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "converter/perf/perfwrite.h"
#include "converter/step/pin.h"
#include "converter/step/process.h"
#include "converter/step/threads.h"
#include "testsuite/lib/tap.h"

enum { ROOM = 1 << 16 };

__attribute__((noinline, noclone)) static int twice(volatile int x)
{
	return 2 * x;
}

/* As it is in the child, too. */
static unsigned char *heap;

static int child(void)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	return twice(21) + ((int (*)(void))(uintptr_t)heap)();
}

static bool stops_by(pid_t pid, int signal)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFSTOPPED(status) &&
	       WSTOPSIG(status) == signal;
}

static void go_on(pid_t pid)
{
	ptrace(PTRACE_CONT, pid, NULL, NULL);
}

static struct process *look_at(pid_t pid, struct perfwrite *writer)
{
	struct process *p = process_new(pid);

	process_look(p, writer, pid, 1);
	return p;
}

static void test_breakpoint(struct perfwrite *writer)
{
	struct user_regs_struct registers;
	uint64_t where = (uintptr_t)twice;
	pid_t pid = fork();
	struct process *p;
	unsigned char byte;
	int status;

	if (pid == 0)
		_exit(child());
	check(stops_by(pid, SIGSTOP), "a process stops");
	p = look_at(pid, writer);
	check_int(process_breakpoint(p), 0, "there is no breakpoint");
	check(process_set_breakpoint(p, where), "one in its code");
	check(process_breakpoint(p) == where, "is there");
	check(process_read(p, where, &byte, 1) && byte == 0xcc, "for all");
	check(!process_set_breakpoint(p, (uintptr_t)heap),
	      "where it may write there is none");
	check_int(process_breakpoint(p), 0, "and none is left");
	check(process_read(p, where, &byte, 1) &&
		      byte == *(unsigned char *)(uintptr_t)twice,
	      "as it was before");
	check(process_set_breakpoint(p, where), "again");
	go_on(pid);
	check(stops_by(pid, SIGTRAP), "it runs there");
	ptrace(PTRACE_GETREGS, pid, NULL, &registers);
	check(registers.rip == where + 1, "and a byte farther");
	process_clear_breakpoint(p);
	registers.rip = where;
	ptrace(PTRACE_SETREGS, pid, NULL, &registers);
	go_on(pid);
	check(waitpid(pid, &status, 0) == pid && WIFEXITED(status),
	      "it goes on and ends");
	check_int(WEXITSTATUS(status), 42 + 5, "as without it");
	process_clear_breakpoint(p);
	check(!process_set_breakpoint(p, where), "it is gone");
	process_free(p);
}

static int stop(void *unused)
{
	(void)unused;
	raise(SIGSTOP);
	return 0;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, __WALL);
}

static bool alone_with(struct threads *threads, pid_t other)
{
	struct thread *added = threads_add(threads, other);
	bool ret = threads_alone(threads, &threads->all[0]);

	threads_remove(threads, added);
	end(other);
	return ret;
}

static void test_alone(void)
{
	static char stack[ROOM];
	struct threads threads = { 0 };
	pid_t copy;

	threads_add(&threads, getpid());
	check(threads_alone(&threads, &threads.all[0]), "one is alone");
	if (syscall(SYS_kcmp, getpid(), getpid(), KCMP_VM, 0, 0) != 0) {
		threads_free(&threads);
		return; /* a container may forbid it */
	}
	copy = fork();
	if (copy == 0)
		_exit(stop(NULL));
	check(alone_with(&threads, copy), "and beside a copy of itself");
	check(!alone_with(&threads,
			  clone(stop, stack + ROOM, CLONE_VM | SIGCHLD, NULL)),
	      "not beside one that has its memory");
	threads_free(&threads);
}

static void test_look(void)
{
	struct threads threads = { 0 };
	struct thread *self = threads_add(&threads, getpid());
	struct thread_look look = thread_look(self);
	struct thread nobody = { .tid = 999999999, .process = self->process };

	check(look.state == 'R', "this one runs");
	check(look.processor >= 0, "somewhere");
	look = thread_look(&nobody);
	check(look.state == '?' && look.processor < 0, "there is none");
	threads_free(&threads);
}

static bool may_run(pid_t pid, int processors, int where)
{
	cpu_set_t set;

	return sched_getaffinity(pid, sizeof(set), &set) == 0 &&
	       CPU_COUNT(&set) == processors && CPU_ISSET(where, &set);
}

static void test_pin(void)
{
	cpu_set_t own = pin_own();
	int all = CPU_COUNT(&own), one = 0;
	struct pin pin;
	pid_t pid = fork();

	if (pid == 0)
		_exit(stop(NULL));
	waitpid(pid, NULL, WUNTRACED);
	while (!CPU_ISSET(one, &own))
		one++;
	pin_down(&pin, pid, one);
	check(may_run(pid, 1, one) && may_run(0, all, one), "it is there");
	check(pin_beside(&own, one) && may_run(0, 1, one), "as this one is");
	pin_release(&pin);
	check(may_run(pid, all, one), "it may go elsewhere again");
	pin_release(&pin);
	pin_down(&pin, pid, -1);
	check(pin.tid == 0 && may_run(pid, all, one), "nowhere");
	check(!pin_beside(&own, CPU_SETSIZE) && may_run(0, 1, one),
	      "nor this one");
	end(pid);
	pin_down(&pin, pid, one);
	check(pin.tid == 0, "nobody");
}

int main(void)
{
	static const unsigned char five[] = { 0xb8, 5, 0, 0, 0, 0xc3 };
	FILE *stream = tmpfile();
	struct perfwrite *writer = perfwrite_new(stream, "branch-steps");

	heap = mmap(NULL, ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(heap, five, sizeof(five));
	test_breakpoint(writer);
	test_alone();
	test_look();
	test_pin();
	perfwrite_free(writer);
	fclose(stream);
	return done();
}
