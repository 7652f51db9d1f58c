/*
 * settle.h - from what was measured to counts that agree with the flow.
 *
 *	estimate(p, false, err);	// or estimate_by_weights(), ...
 *	struct settle s = { .program = p, .models = true, ... };
 *	if (!settle(&s, err)) ...
 *
 * By default the first flow says in what company blocks run, from which follows
 * how long they take (timing.h), and so how often they ran: some rounds of that.
 * In each of them, what registers of samples tell of branches has its say
 * (outcomes.h).  Then come the last word of branches, the weights of events
 * (blend.h) and samples that go back to the blocks that they are of (credit.h),
 * each followed by a flow, and in the end the flow of the program as a whole
 * (prepass.h).
 *
 * Units      As in program.h.
 * Ownership  All is the caller's.
 * Errors     Those of the solver.
 */
#ifndef CONVERTER_SETTLE_H
#define CONVERTER_SETTLE_H

#include <stdbool.h>

#include "mcf/mcf.h"

struct fdo_error;
struct prepass_result;
struct program;
struct progress;

struct settle {
	struct program *program;
	/*
	 * Counts follow from models of the core, of branches and of calls; or else
	 * the flow is all.
	 */
	bool models;
	enum mcf_solver solver;
	struct progress *progress;
	struct prepass_result *result; /* of the last flow */
};

/* Blocks have raw, unit and weight: fill counts of blocks and edges. */
bool settle(const struct settle *s, struct fdo_error *err);

/* Without a flow: each block's own samples, and edges as code looks likely. */
void settle_raw(struct program *p);

#endif
