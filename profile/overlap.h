/*
 * overlap.h - how alike two profiles are.
 *
 * Units      Shares, 0 .. 1: for each place in the source (function, inline
 *            stack, line, column) the smaller of its shares of the sum of
 *            all counts of the two profiles, added up (CGO 2010, section
 *            5.1, over source keys in place of edges); for functions, of
 *            their totals.
 * Errors     None.
 */
#ifndef PROFILE_OVERLAP_H
#define PROFILE_OVERLAP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct profile;

struct profile_overlap {
	double keys;
	double functions;
	uint64_t common;	 /* keys that both have */
	uint64_t only_a, only_b; /* keys with a count that one has alone */
};

/* Sorts both. */
struct profile_overlap profile_overlap(struct profile *a, struct profile *b);

#ifdef __cplusplus
}
#endif
#endif
