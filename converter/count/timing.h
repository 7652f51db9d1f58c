/*
 * timing.h - the cycles that one execution of each block takes.
 *
 *	timing_static(p);
 *	... estimate(), prepass() ...
 *	struct timing *t = timing_new(p);
 *	for (rounds)
 *		timing_walk(t, p), ... estimate(), prepass() ...
 *	timing_free(t);
 *
 * The static time looks at a block alone.  The walk looks at it in the
 * company that the current flow gives it (see walk.h), and takes the static
 * time, to the same scale, for what it met too seldom.  Samples say the rest,
 * by where within blocks they are: whether they name the instruction after
 * the one that took the time (gather.h), and how much of a block's time was
 * due to mispredicted jumps.
 *
 * Units      CPU cycles; only ratios matter.
 * Ownership  struct timing keeps nothing of the program but its code, which
 *            must not change.
 * Errors     None.
 */
#ifndef CONVERTER_TIMING_H
#define CONVERTER_TIMING_H

#include <stdbool.h>

#include "converter/count/gather.h"

struct program;
struct timing;
struct walk_graph;

/* Of all blocks, for the first estimate. */
void timing_static(struct program *p);

/* Are there samples of cycles at all? */
bool timing_matters(const struct program *p);

/*
 * And what do these name?  GATHER_ITSELF also if there are samples of instructions
 * or branch records.
 */
enum gather_named timing_named_by_timer(const struct program *p);

/* Where blocks have their static cycles. */
struct timing *timing_new(const struct program *p);
void timing_free(struct timing *t);

/*
 * Of all blocks, with the counts of the last prepass; the walks of earlier ones
 * count as well, so that it does not go from one extreme to the other.
 */
void timing_walk(struct timing *t, struct program *p);

/* Cycles of an execution of a step of that graph, by the walks; 0: none. */
double timing_step(const struct timing *t, size_t step);

/* The program's code as a graph, with the counts of the last prepass. */
const struct walk_graph *timing_graph(struct timing *t,
				      const struct program *p);

#endif
