/*
 * overlap.h - two sets of counts of one binary, side by side.
 *
 *	struct overlap *o = overlap_new(judged, judge, true);
 *	... overlap_functions(o) ...
 *	overlap_free(o);
 *
 * Every function that either program has takes part, with all its blocks and
 * edges; the other one then has 0 there.
 *
 * Units      Shares, as in metrics.h.  A function's weight is the number of
 *            instructions executed in it.
 * Ownership  The programs must outlive the overlap.
 * Errors     None.
 */
#ifndef CONVERTER_OVERLAP_H
#define CONVERTER_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>

struct program;

/* Counts in one order: a's and b's of the same thing have one number. */
struct overlap_counts {
	double *a, *b;
	size_t n, room;
};

struct overlap_function {
	const char *name;
	double a, b; /* weights */
	double lost; /* of the edge overlap, in shares of the program */
	size_t nblocks, nedges;
};

struct overlap {
	struct overlap_counts blocks;
	struct overlap_counts edges; /* by function, then source block */
	size_t *branches; /* first edges of source blocks; nbranches + 1 */
	size_t nbranches, room_branches;
	/* Rounds of loops for each time that they are entered. */
	struct overlap_counts loops;
	double *loop_rounds; /* of each, all that b goes */
	size_t room_rounds;
	struct overlap_function *functions;
	size_t nfunctions, room_functions;
};

/* edges: what functions lose is told by edges, or else by blocks. */
struct overlap *overlap_new(const struct program *a, const struct program *b,
			    bool edges);
void overlap_free(struct overlap *o);

/* Overlap of the functions' weights. */
double overlap_functions(const struct overlap *o);

#endif
