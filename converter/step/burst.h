/*
 * burst.h - some hundred instructions of a thread, and the branches that it
 * took in them.
 *
 *	burst_begin(&burst, address, steps);
 *	... let the thread make one step ...
 *	if (!burst_step(&burst, process, address))
 *		... let it run ...
 *	burst_write(&burst, writer, who, executions);
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
enum { BURST_MAX = 1000 };

struct burst {
	uint64_t begin;	  /* where the first step began */
	uint64_t address; /* where the next one begins */
	unsigned made, steps;
	size_t nbranches;
	struct perfdata_branch branches[BURST_MAX + 1]; /* oldest first */
};

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
