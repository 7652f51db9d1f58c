/*
 * expect.h - how branches go, before anything was sampled.
 *
 *	expect(p);	// fills expected of all functions
 *	... prepass(p, ...) ...
 *
 * Counts from samples of time alone are wrong by how long blocks wait, which
 * nobody knows; then it helps to draw them a little to where branches go by
 * the look of the code (heuristics.h).  The flow does so for each branch whose
 * executions it knows from the time before.
 *
 * Errors     None.
 */
#ifndef CONVERTER_EXPECT_H
#define CONVERTER_EXPECT_H

#include <stdbool.h>
#include <stddef.h>

struct cfg;
struct program;

void expect(struct program *p);

/* Has the block two ways to go on, exceptions apart? */
bool expect_is_branch(const struct cfg *cfg, size_t block);

#endif
