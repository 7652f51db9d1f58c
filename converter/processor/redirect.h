/*
 * redirect.h - how often the jumps to a block are mispredicted, by where in it
 * the samples are.
 *
 * Nobody knows how often, but what they cost comes at the block's first
 * instruction (or, late, at the one after it), and the rest of what is counted
 * elsewhere, too.  So the samples of the block tell, by maximum likelihood; as
 * if there were some more that are as the walk expects.
 *
 *	cost = base + redirect_share(places, n, 5) * redirected;
 *
 * Units      Those of the event, for one execution.
 * Errors     None.
 */
#ifndef CONVERTER_PROCESSOR_REDIRECT_H
#define CONVERTER_PROCESSOR_REDIRECT_H

#include <stdint.h>

/* An instruction of a block. */
struct redirect_place {
	double samples;
	double base;	   /* if all jumps are guessed right; above 0 */
	double redirected; /* more than that, by the walk */
};

/* By how much to multiply what is redirected. */
double redirect_share(const struct redirect_place *places, uint32_t n,
		      double expected);

#endif
