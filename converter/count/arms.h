/*
 * arms.h - how likely the ways out of a branch are, by samples where it leads.
 *
 * A branch that waits for memory does so whichever way it goes.  Where samples
 * name what comes next (GATHER_LED of gather.h), they are at the first
 * instruction of the one arm or of the other, and so tell the outcomes of a
 * branch that no register does, since what it compares is in memory.
 *
 *	double surplus = arms_surplus(p);
 *	struct arms arms;
 *	if (arms_look(p, f, block, likely, surplus, &arms))
 *		... as if arms.samples outcomes were arms.likely ...
 *
 * But what a wrong guess costs is named there as well, and who comes seldom is
 * mostly not guessed: the odds of an arm that is usual are better by a factor
 * than samples have it.  Branches of which registers tell the outcomes, too
 * (outcomes.h), tell that factor.
 *
 * Units      Samples.
 * Errors     None.
 */
#ifndef CONVERTER_ARMS_H
#define CONVERTER_ARMS_H

#include <stdbool.h>
#include <stdint.h>

struct program;
struct program_function;

struct arms {
	double likely;	/* the block's first edge */
	double samples; /* outcomes that this is worth */
};

/* The logarithm of that factor. */
double arms_surplus(const struct program *p);

/*
 * Of a block that ends in a branch, whose first edge is that likely so far.
 * False: its arms have too few samples, or too much comes there otherwise.
 */
bool arms_look(const struct program *p, const struct program_function *f,
	       uint32_t block, double likely, double surplus, struct arms *ret);

#endif
