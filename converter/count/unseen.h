/*
 * unseen.h - what blocks call in which nothing was sampled.
 *
 * Had such a block run often, so had the function that it calls, and would have
 * samples: a call of what reports an error says more of an arm than its own few
 * instructions do.  In large programs many arms have too few to be seen.
 *
 *	double *unseen = unseen_callees(p, f);
 *	... unseen[block] ...
 *	free(unseen);
 *
 * Units      Instructions.
 * Errors     None.
 */
#ifndef CONVERTER_UNSEEN_H
#define CONVERTER_UNSEEN_H

struct program;
struct program_function;

/*
 * By block, how many instructions one execution has in functions of the same
 * binary without a sample, besides its own; 0 in blocks that have samples.  The
 * caller's, to be freed.
 */
double *unseen_callees(const struct program *p,
		       const struct program_function *f);

#endif
