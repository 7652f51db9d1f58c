/*
 * burst.h - some thousand instructions of a thread, and the branches that it
 * took in them.
 *
 *	burst_begin(&burst, address, steps);
 *	... let the thread make one step ...
 *	if (!burst_step(&burst, process, address))
 *		... let it run ...
 *	burst_write(&burst, writer, who, executions);
 *
 * A step takes a processor some thousand cycles, and ten times as many in a
 * virtual machine.  From one branch to the next there is no need to look:
 *
 *	burst_decide(&burst, process, flags, stack);
 *	stop = burst_stop(&burst, process);
 *	... let the thread run there, if it is elsewhere now ...
 *	if (!burst_catch_up(&burst, process, stop) ||
 *	    !burst_step(&burst, process, stop))
 *		... let it run ...
 *
 * A burst goes on until the first taken branch behind its last step.  So,
 * wherever it begins, what follows a branch is seen whole if the branch is
 * seen, and long ways without a branch are not seen less often than short ones.
 *
 * Steps that no instruction explains, as into the handler of a signal, end it.
 *
 * Units      Addresses are those of the process.
 * Ownership  Plain values.
 * Errors     None.
 */
#ifndef CONVERTER_STEP_BURST_H
#define CONVERTER_STEP_BURST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/perf/perfdata.h"

struct perfwrite;
struct perfwrite_who;
struct process;

/* A branch for every step at most. */
enum { BURST_MAX = 10000 };

struct burst {
	uint64_t address; /* where the next one begins */
	unsigned made, steps;
	bool decided;  /* that the next one is ... */
	uint64_t next; /* ... there */
	size_t nbranches;
	struct perfdata_branch branches[BURST_MAX + 1]; /* oldest first */
};

/*
 * In the middle of a string instruction, which takes any time, none may begin:
 * it is one step, and what comes behind it would be seen far too often.
 */
bool burst_may_begin(struct process *p, uint64_t address);

/* steps: 1 to BURST_MAX. */
void burst_begin(struct burst *b, uint64_t address, unsigned steps);

/*
 * Is it plain that a thread that is there now has made its step, and no signal
 * of its own?
 */
bool burst_moves(const struct burst *b, struct process *p, uint64_t address);

/* Is the next step a system call? */
bool burst_enters_kernel(const struct burst *b, struct process *p);

/* The thread has made a step and is there now.  Shall it make another one? */
bool burst_step(struct burst *b, struct process *p, uint64_t address);

/*
 * Of a thread that is about to make its step: where that leads, if EFLAGS or
 * the top of its stack say so.
 */
void burst_decide(struct burst *b, struct process *p, uint64_t flags,
		  uint64_t stack);

/*
 * The first place that it gets to, whatever is in its registers, where it has
 * to be looked at: it may go on in more than one way, or its registers are
 * of interest.  Where it is, if that is here.
 */
uint64_t burst_stop(const struct burst *b, struct process *p);

/*
 * It got there: all of its steps but the last one.  False if the burst is over
 * before that.
 */
bool burst_catch_up(struct burst *b, struct process *p, uint64_t stop);

/*
 * The thread has made a step and is there now.  Do its registers tell by what
 * was divided, or how much will be copied?
 */
bool burst_tells(const struct burst *b, struct process *p, uint64_t address);

/*
 * As samples of records, newest first.  Each branch but the oldest stands for
 * so many executions.
 */
void burst_write(const struct burst *b, struct perfwrite *writer,
		 struct perfwrite_who who, uint64_t executions);

#endif
