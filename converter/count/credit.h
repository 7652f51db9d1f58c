/*
 * credit.h - samples of retired instructions go back to the blocks that
 * retired them.
 *
 *	credit(p, timing);	// after prepass(); fills raw
 *	... prepass() again
 *
 * The flow, and how long instructions are the oldest that has not retired,
 * predict where the samples of instructions lie (head.h).  Samples of cycles
 * say how long that is; without them, the walk does, and in part the samples
 * themselves.  What lies there more or less than predicted is put down to the
 * blocks that it may have come from: a step of expectation maximization for
 * Poisson counts.  It is one step, from counts that are good already: what the
 * prediction has wrong is all that further ones would fit.  After a flow in which
 * outcomes had their say (outcomes.h) one more gains, a third one loses.
 *
 * The skid is the one with the most likely samples.  Nothing is changed
 * where that is none, as of precise events, or where there are too few
 * samples for blocks to be told apart.
 *
 * Errors     None.
 */
#ifndef CONVERTER_CREDIT_H
#define CONVERTER_CREDIT_H

#include <stdbool.h>

struct program;
struct timing;

struct credit_result {
	bool done;
	unsigned skid; /* cycles */
};

/* Are there such samples, and a time for each instruction? */
bool credit_matters(const struct program *p);

struct credit_result credit(struct program *p, struct timing *t);

#endif
