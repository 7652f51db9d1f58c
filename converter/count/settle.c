/*
 * settle.c - the stages of this folder, in their order.
 *
 * Until branches have had their last word each function is by itself, and minor
 * ones are left as they are: what follows from these flows needs no more.
 */
#include "converter/count/settle.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "converter/count/anchors.h"
#include "converter/count/blend.h"
#include "converter/count/credit.h"
#include "converter/count/estimate.h"
#include "converter/count/outcomes.h"
#include "converter/count/prepass.h"
#include "converter/count/program.h"
#include "converter/count/shadow.h"
#include "converter/count/timing.h"
#include "converter/graph/decode.h"
#include "converter/graph/heuristics.h"

/* Only a model of the core has use for the flow before it is final. */
static bool refines(const struct settle *s)
{
	return s->models &&
	       (timing_matters(s->program) || shadow_matters(s->program) ||
		credit_matters(s->program));
}

/*
 * A flow that is not the last: of each function by itself, of minor ones only
 * at first.  What outcomes let expect depends on how often blocks run: that
 * takes rounds; what looks let expect is as good in the next flow.
 */
static bool try_flow(const struct settle *s, bool first, struct fdo_error *err)
{
	unsigned rounds = outcomes_matter(s->program) ? 2 : 1;

	do {
		if (!prepass_alone(s->program, first, s->solver, s->progress,
				   s->result, err))
			return false;
		first = false;
	} while (outcomes_expect(s->program) && --rounds > 0);
	return true;
}

/* The last word of branches, when all else is known. */
static bool ask_arms(const struct settle *s, struct fdo_error *err)
{
	enum { ROUNDS = 2 };
	unsigned rounds = 0;

	while (outcomes_expect_by_arms(s->program) && rounds++ < ROUNDS)
		if (!prepass_alone(s->program, false, s->solver, s->progress,
				   s->result, err))
			return false;
	return true;
}

/* Whether registers of samples told anything that the model asks for. */
static bool has_outcomes(const struct settle *s)
{
	return s->models && outcomes_matter(s->program);
}

/*
 * What outcomes let expect also follows from how often functions are called,
 * which only the whole knows: so it is asked for twice.
 */
static bool try_all(const struct settle *s, struct fdo_error *err)
{
	struct program *p = s->program;

	if (!prepass(p, s->solver, s->progress, s->result, err))
		return false;
	if (!has_outcomes(s))
		return true;
	if (!outcomes_expect_by_arms(p))
		outcomes_expect(p);
	return prepass(p, s->solver, s->progress, s->result, err);
}

/* Again where outcomes keep what it has wrong from coming back. */
static bool credit_all(const struct settle *s, struct timing *timing,
		       struct fdo_error *err)
{
	if (!credit(s->program, timing).done || !has_outcomes(s))
		return true;
	if (!try_all(s, err))
		return false;
	credit(s->program, timing);
	return true;
}

/* What samples of time alone can say they have said in two. */
static unsigned rounds_of(const struct settle *s)
{
	const struct program *p = s->program;

	if (p->without & PROGRAM_WALK)
		return 0;
	return program_has(p, "inst") || anchors_matter(p) || has_outcomes(s)
		       ? 3
		       : 2;
}

/* Flow says in what company blocks run, and that says how long they take. */
static bool refine(const struct settle *s, struct fdo_error *err)
{
	struct program *p = s->program;
	struct timing *timing = timing_new(p);
	unsigned rounds = rounds_of(s);
	bool done = try_flow(s, true, err);

	for (unsigned round = 0; done && round < rounds; round++) {
		timing_walk(timing, p);
		done = estimate(p, false, err) && try_flow(s, false, err);
	}
	done = done && ask_arms(s, err);
	/* What has branch records needs no more, and would lose them. */
	if (done && !anchors_matter(p)) {
		done = blend(p, s->solver, s->progress, s->result, err);
		if (done && credit_matters(p))
			done = credit_all(s, timing, err);
	}
	timing_free(timing);
	return done;
}

bool settle(const struct settle *s, struct fdo_error *err)
{
	bool done = true;

	if (refines(s))
		done = refine(s, err);
	else if (s->models)
		done = try_flow(s, true, err);

	return done && try_all(s, err);
}

/* Each block's count goes to its edges as the look of the code has it. */
static void guess_edges(struct program_function *f, const struct decoder *d)
{
	const struct cfg *cfg = &f->cfg;
	unsigned *facts = fdo_alloc(cfg->nblocks, sizeof(*facts));
	double *likely = fdo_alloc(cfg->nedges + 1, sizeof(*likely));

	heuristics_facts(cfg, d, facts);
	heuristics_edges(cfg, facts, likely);
	for (size_t e = 0; e < cfg->nedges; e++)
		f->edges[e] =
			f->blocks[cfg->edges[e].from].raw * likely[e] + 0.5;
	free(likely);
	free(facts);
}

void settle_raw(struct program *p)
{
	struct decoder *d = decoder_new();

	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			f->blocks[b].count = f->blocks[b].raw + 0.5;
			f->blocks[b].error = f->blocks[b].unit;
		}
		f->entry = f->blocks[f->cfg.entry].count;
		guess_edges(f, d);
	}
	decoder_free(d);
}
