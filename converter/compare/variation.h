/*
 * variation.h - how much counts differ between runs of one program.
 *
 *	struct variation *v = variation_new(programs, 3);
 *	for (size_t i = 0; i < v->nfunctions; i++)
 *		...	// v->functions[i]
 *	variation_free(v);
 *
 * Runs may be of different lengths: what is compared are shares of each run's
 * executed instructions.  A standard deviation of few runs is too small at
 * the mean; it is corrected as for a normal distribution.  No chance is taken
 * for more than a run's count.
 *
 * Units      Parts of the share itself; 0 is no variation.
 * Ownership  The programs, of the same binaries, must outlive the variation.
 * Errors     None.
 */
#ifndef CONVERTER_VARIATION_H
#define CONVERTER_VARIATION_H

#include <stddef.h>

struct program;

struct variation_function {
	const char *name;
	double share;	/* of the executed instructions, mean of the runs */
	double between; /* blocks' standard deviations, at the mean */
	double noise;	/* the part of the stated errors that is chance */
};

struct variation {
	struct variation_function *functions; /* the largest first */
	size_t nfunctions;
	double between, noise; /* over all functions */
};

/* n: 2 or more. */
struct variation *variation_new(const struct program *const *runs, size_t n);
void variation_free(struct variation *v);

#endif
