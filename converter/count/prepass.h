/*
 * prepass.h - counts that agree with the flow graph of each function, as
 * near as can be to what was measured (CGO 2010, section 4.2: the minimum
 * cost flow before the profile is written).
 *
 * The nearest is what makes the samples most likely if they were drawn from
 * a Poisson distribution, each block weighed by its size.
 *
 * A loop of which the code says how often it goes round (graph/trips.h) is straight
 * code in the flow, whose blocks count so many times; so it does, whatever the samples.
 *
 * Units      Executions.  Errors are 0 if no event measured: then it is known.
 * Errors     Those of the solver, with the function's name.
 */
#ifndef CONVERTER_PREPASS_H
#define CONVERTER_PREPASS_H

#include <stdbool.h>

#include "mcf/mcf.h"

struct fdo_error;
struct program;
struct progress;

/* What the flow did, over all functions. */
struct prepass_result {
	double measured;    /* instructions executed, by the raw counts */
	double moved;	    /* sum of |count - raw| x instructions, of blocks */
	double repaired;    /* executions that came from or went to nowhere */
	unsigned connected; /* paths added so that hot code can be reached */
};

/*
 * Fill count and error of all blocks, edges and entry of all functions.  These
 * are drawn to be entered as often as they are called.
 */
bool prepass(struct program *p, enum mcf_solver solver,
	     struct progress *progress, struct prepass_result *ret,
	     struct fdo_error *err);

/*
 * The same, each function by itself, in a fraction of the time: good enough to
 * say in what company blocks run, where more is to come.  Unless all, minor
 * functions stay as they are.
 */
bool prepass_alone(struct program *p, bool all, enum mcf_solver solver,
		   struct progress *progress, struct prepass_result *ret,
		   struct fdo_error *err);

/* Of an instruction executed, at the mean; as a part of its count. */
struct prepass_error {
	double relative; /* the standard errors of blocks, each 1 at most */
	double bias;	 /* what would be left with any number of samples */
	double times;	 /* so many times the samples halve it; or INFINITY */
};

/* Only noise is less with more samples, by their square root. */
struct prepass_error prepass_error(const struct program *p);

#endif
