/*
 * core.h - an out-of-order core that goes through a thread's trace.
 *
 *	struct core *core = core_new(&options, output, thread, cycle, NULL);
 *	core_run(core, words, nwords);		// again and again
 *	core_free(core);
 *
 * One pass in program order: for each instruction, the cycles at which it is
 * fetched, dispatched into the reorder buffer, executed and retired follow
 * from those before it.
 *
 *   fetch     so many a cycle; a taken branch ends the cycle, a wrong guess
 *             waits until the branch has executed
 *   dispatch  "depth" cycles later, when the reorder buffer has room
 *   execute   when the registers it reads are there and a port is free;
 *             loads through TLB and caches, or from a store before them
 *   retire    in order, so many a cycle
 *
 * What is on the wrong path is not simulated, and stores never wait for room.
 *
 * Units      Cycles.
 * Ownership  The core borrows the options, the output and the states.
 */
#ifndef PMUSIM_CORE_H
#define PMUSIM_CORE_H

#include <stddef.h>
#include <stdint.h>

struct core;
struct options;
struct output;
struct state;

/*
 * "cycle" is where its time begins; "thread" is the number in samples.  States
 * are the ring of trace.h, from its first place on, or NULL.
 */
struct core *core_new(const struct options *options, struct output *output,
		      uint32_t thread, uint64_t cycle,
		      const struct state *states);
void core_free(struct core *core);

/* Behind the words of whole blocks is one more, of 0. */
void core_run(struct core *core, const uint64_t *words, size_t nwords);

/* The cycle of the last retirement. */
uint64_t core_cycle(const struct core *core);

/* Samples that are not there because too many were due at once. */
uint64_t core_lost(const struct core *core);

#endif
