/*
 * thread.h - a thread of the guest: its trace and its core.
 *
 * Units      Words of trace.h.
 */
#ifndef PMUSIM_THREAD_H
#define PMUSIM_THREAD_H

#include <stdint.h>

#include "testsuite/pmusim/trace.h"

struct block;
struct core;
struct state;

struct thread {
	uint64_t *at, *full, *end; /* within words[] */
	struct block *previous;	   /* of the last batch; NULL: none */
	struct state *states;	   /* ring of TRACE_STATES; NULL: none */
	uint64_t nstates;	   /* since the core began */
	struct core *core;	   /* NULL: not yet, or no samples */
	uint64_t cycle;		   /* where the core is */
	unsigned number;
	uint64_t words[TRACE_WORDS + TRACE_BLOCK_WORDS + 1]; /* a 0 behind */
};

#endif
