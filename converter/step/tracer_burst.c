/*
 * tracer_burst.c - a thread is stopped, makes its steps and is let go.
 */
#include <elf.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <time.h>

#include "base/alloc.h"
#include "converter/perf/perfwrite.h"
#include "converter/step/burst.h"
#include "converter/step/process.h"
#include "converter/step/threads.h"
#include "converter/step/tracer_private.h"

uint64_t tracer_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool registers_of(pid_t tid, struct user_regs_struct *ret)
{
	struct iovec all = { ret, sizeof(*ret) };

	return ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all) == 0;
}

void tracer_end_burst(struct tracer *t, struct thread *thread)
{
	struct burst *b = thread->burst;

	if (thread->state == THREAD_STEPPING) {
		struct perfwrite_who who = { process_pid(thread->process),
					     thread->tid, tracer_now() };

		t->totals->nanoseconds += who.time - thread->begun;
		burst_write(b, t->writer, who, thread->executions);
		t->totals->bursts++;
		t->totals->instructions += b->made;
		t->totals->branches += b->nbranches;
		process_clear_breakpoint(thread->process);
		pin_release(&thread->pin);
	}
	free(b);
	thread->burst = NULL;
	thread->state = THREAD_RUNNING;
}

/*
 * Where a program blocks or ignores SIGTRAP, that of a step would be forced on
 * it, and the kernel would forget its handler.
 */
static bool takes_traps(const struct thread *thread)
{
	const uint64_t bit = UINT64_C(1) << (SIGTRAP - 1);
	uint64_t blocked;

	return ptrace(PTRACE_GETSIGMASK, thread->tid, (void *)sizeof(blocked),
		      &blocked) == 0 &&
	       !(blocked & bit) && !(process_ignores(thread->process) & bit);
}

/*
 * A step over such a system call could end where SIGTRAP is blocked, with
 * another one that has the same memory or with other code, or it tells on which
 * processors the thread may run.
 */
static bool ends_burst(const struct thread *thread,
		       const struct user_regs_struct *registers)
{
	if (!burst_enters_kernel(thread->burst, thread->process))
		return false;
	switch (registers->rax) {
	case SYS_rt_sigaction:
	case SYS_rt_sigprocmask:
	case SYS_rt_sigreturn:
	case SYS_rt_sigsuspend:
	case SYS_pselect6:
	case SYS_ppoll:
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
	case SYS_execve:
	case SYS_execveat:
	case SYS_clone:
	case SYS_clone3:
	case SYS_fork:
	case SYS_vfork:
	case SYS_munmap:
	case SYS_mremap:
	case SYS_mprotect:
	case SYS_pkey_mprotect:
	case SYS_sched_getaffinity:
	case SYS_sched_setaffinity:
		return true;
	default:
		return false;
	}
}

/* Code of 64 bits, as Linux has it; there is other code under Wine. */
enum { CS_OF_64_BITS = 0x33 };

/*
 * Where a thread in a burst stops next: behind its next instruction, or at a
 * breakpoint, if nobody else can run into that.
 */
static void aim(struct tracer *t, struct thread *thread,
		const struct user_regs_struct *registers)
{
	struct burst *b = thread->burst;
	uint64_t stop;

	if (ends_burst(thread, registers)) {
		tracer_end_burst(t, thread);
		return;
	}
	if (!thread->alone || registers->cs != CS_OF_64_BITS)
		return;
	burst_decide(b, thread->process, registers->eflags, registers->rsp);
	stop = burst_stop(b, thread->process);
	if (stop != registers->rip)
		process_set_breakpoint(thread->process, stop);
}

/*
 * On the way out of a system call or a page fault: then it was not running.
 * The flag for an instruction that is to be resumed is set by faults, and where
 * the kernel interrupts a string instruction, at which no burst begins.
 */
static bool waited(const struct user_regs_struct *registers)
{
	static const uint64_t resumes = 1 << 16;

	return (long)registers->orig_rax >= 0 || registers->eflags & resumes;
}

void tracer_begin_burst(struct tracer *t, struct thread *thread)
{
	struct user_regs_struct registers;

	thread->state = THREAD_RUNNING;
	if (!registers_of(thread->tid, &registers) || waited(&registers) ||
	    !takes_traps(thread))
		return;
	thread->begun = tracer_now();
	process_look(thread->process, t->writer, thread->tid, thread->begun);
	if (!burst_may_begin(thread->process, registers.rip))
		return;
	thread->burst = fdo_alloc(1, sizeof(*thread->burst));
	burst_begin(thread->burst, registers.rip, t->options->steps);
	thread->state = THREAD_STEPPING;
	thread->alone = threads_alone(&t->threads, thread);
	pin_down(&thread->pin, thread->tid, t->processor);
	aim(t, thread, &registers);
}

/*
 * A SIGTRAP that a thread gets while it is stepping is the end of its step,
 * unless it stayed where it was, or is behind a breakpoint of its own or a
 * system call, which may have sent it one: then the kernel is asked, which
 * takes as long as a step.
 */
static bool is_step(const struct thread *thread,
		    const struct user_regs_struct *registers)
{
	siginfo_t info;

	if (thread->state != THREAD_STEPPING ||
	    process_breakpoint(thread->process))
		return false;
	if (burst_moves(thread->burst, thread->process, registers->rip))
		return true;
	return ptrace(PTRACE_GETSIGINFO, thread->tid, NULL, &info) == 0 &&
	       (info.si_code == TRAP_TRACE || info.si_code == TRAP_BRKPT);
}

/*
 * Has it run into its breakpoint?  Then it is put back to where that was, which
 * is taken away.
 */
static bool leaves_breakpoint(const struct thread *thread,
			      struct user_regs_struct *registers)
{
	uint64_t stop = process_breakpoint(thread->process);
	siginfo_t info;

	if (thread->state != THREAD_STEPPING || !stop ||
	    registers->rip != stop + 1 ||
	    ptrace(PTRACE_GETSIGINFO, thread->tid, NULL, &info) != 0 ||
	    info.si_code != SI_KERNEL)
		return false;
	process_clear_breakpoint(thread->process);
	registers->rip = stop;
	return ptrace(PTRACE_POKEUSER, thread->tid,
		      (void *)offsetof(struct user_regs_struct, rip),
		      (void *)stop) == 0;
}

/* They are the thread's before its next step, and stand for no execution. */
static void write_registers(struct tracer *t, const struct thread *thread,
			    const struct user_regs_struct *r)
{
	struct perfwrite_who who = { process_pid(thread->process), thread->tid,
				     tracer_now() };
	struct perfdata_sample sample = {
		.ip = r->rip,
		.known = (1u << PERFDATA_REGISTERS) - 1,
		.registers = { r->rax, r->rcx, r->rdx, r->rbx, r->rsp, r->rbp,
			       r->rsi, r->rdi, r->r8, r->r9, r->r10, r->r11,
			       r->r12, r->r13, r->r14, r->r15 },
	};

	perfwrite_sample(t->writer, who, &sample);
}

/* The thread has made a step, to where its registers say. */
static void go_on(struct tracer *t, struct thread *thread,
		  const struct user_regs_struct *registers)
{
	struct burst *b = thread->burst;
	struct process *p = thread->process;

	if (burst_tells(b, p, registers->rip))
		write_registers(t, thread, registers);
	if (burst_step(b, p, registers->rip))
		aim(t, thread, registers);
	else
		tracer_end_burst(t, thread);
}

/* It has made all those that led to its breakpoint. */
static void arrive(struct tracer *t, struct thread *thread,
		   const struct user_regs_struct *registers)
{
	if (burst_catch_up(thread->burst, thread->process, registers->rip))
		go_on(t, thread, registers);
	else
		tracer_end_burst(t, thread);
}

bool tracer_go_on(struct tracer *t, struct thread *thread)
{
	struct user_regs_struct registers;

	if (!registers_of(thread->tid, &registers))
		return false;
	if (leaves_breakpoint(thread, &registers))
		arrive(t, thread, &registers);
	else if (is_step(thread, &registers))
		go_on(t, thread, &registers);
	else
		return false;
	return true;
}

bool tracer_is_step(const struct thread *thread)
{
	struct user_regs_struct registers;

	return registers_of(thread->tid, &registers) &&
	       (leaves_breakpoint(thread, &registers) ||
		is_step(thread, &registers));
}
