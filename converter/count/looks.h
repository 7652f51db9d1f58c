/*
 * looks.h - what the look of the code says of a branch that nothing else does.
 *
 * Large programs have thousands of functions with a few samples each.  There
 * most branches have none, on either way, and no register told how any of them
 * came out; as if they had been seen once, as heuristics have it (heuristics.h),
 * is better than nothing.  Where samples could have been, and were not, that
 * says more than any look; and so do the samples of a function that has more.
 *
 *	if (looks_matter(f))
 *		f->outcomes.looks = looks_new(&f->cfg, decoder);
 *	...
 *	double n = looks_tell(f, block);	// outcomes
 *
 * Units      Outcomes (outcomes.h).
 * Ownership  looks_new() gives an array to free().
 * Errors     None.
 */
#ifndef CONVERTER_LOOKS_H
#define CONVERTER_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

struct cfg;
struct decoder;
struct program_function;

/* Whether a function has so few samples that looks tell anything. */
bool looks_matter(const struct program_function *f);

/* Of each edge, how likely it is. */
double *looks_new(const struct cfg *cfg, const struct decoder *d);

/*
 * How many outcomes the look of the branch at a block's end is worth, by how
 * many samples the block and what it leads to should have, by the counts so far.
 */
double looks_tell(const struct program_function *f, uint32_t block);

#endif
