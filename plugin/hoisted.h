/*
 * hoisted.h - votes of code that was moved out of a loop.
 *
 *	hoisted_doubt(&body, evidence, loops, n, &how);
 *
 * What does not change in a loop is computed before it.  If that is all that
 * was left of a place, its count is how often the loop was entered.  The test
 * that a loop begins with is made in each round, so who says far less of a
 * block that each round leads over is not believed: if that is about how often the
 * loop was entered, by all that is said, or by the rest of it where more was moved than
 * was left.  Nor is who says that a block ran far less than statements began in it.
 *
 * Units      As in evidence.h and counts.h.
 * Ownership  Nothing is kept.
 * Errors     None: without counts, nothing is changed.
 */
#ifndef PLUGIN_HOISTED_H
#define PLUGIN_HOISTED_H

#include "plugin/counts.h"
#include "plugin/evidence.h"
#include "plugin/rounds.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Forget such votes, in all loops that begin with their test. */
void hoisted_doubt(const struct body *body, struct evidence *e,
		   const struct rounds *loops, size_t n,
		   const struct counts_how *how);

#ifdef __cplusplus
}
#endif
#endif
