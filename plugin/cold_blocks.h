/*
 * cold_blocks.h - blocks that run so rarely that they are better kept apart.
 *
 *	struct counts *c = counts_new(&body, evidence, &how, err);
 *	cold_blocks(c, &body, heat, least);
 *
 * Samples never say that a block did not run, only that it hardly did, and the
 * flow gives what nothing is known of a little.  The compiler lays out apart
 * what has a count of zero.
 *
 * Units      Executions times 2^shift.
 * Ownership  Nothing is kept.
 * Errors     None.
 */
#ifndef PLUGIN_COLD_BLOCKS_H
#define PLUGIN_COLD_BLOCKS_H

#include "plugin/counts.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Set to 0 what is for no block of at least that heat: heat[b] is the most that
 * anything is executed for block b, which is its count, or more where it calls
 * something that loops.  What is as hot as that keeps a way in and one out with
 * counts, if it has them, rather to a return than to an end, and all ways that as much as a sixteenth of what is kept
 * goes: of what the compiler copies for a way that is never gone, it takes all for
 * cold, and what is hot may be behind it.
 */
void cold_blocks(struct counts *c, const struct body *body, const double *heat,
		 double least);

#ifdef __cplusplus
}
#endif
#endif
