/*
 * shadow.c - the walk's answers for all skids, mixed.
 *
 * Constants were found on bzip2, lua and mawk (testsuite/bench/figures/
 * ablation).
 */
#include "converter/count/shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/count/anchors.h"
#include "converter/count/outcomes.h"
#include "converter/count/program.h"
#include "converter/processor/redirect.h"
#include "converter/processor/walk.h"

/* A walk that met a block so often is as good as its instructions. */
static const double few = 10;

/* They have their say in any case: the part of it. */
static const double least = .3;

/* Some samples may lie anywhere that runs. */
static const double anywhere = .1;

/* Errors of the model are alike in many samples: no more than these tell. */
static const double telling = 40;

/* As if a block had so many more samples, as the walk expects. */
static const double expected = 20;

/* The last way to see it: samples are precise. */
enum { PRECISE = SKID_CHOICES, SEEN = SKID_CHOICES + 1 };

struct shadow {
	const struct walk_graph *g;
	struct walk_heads *heads;
	double *samples; /* of each step */
	double shares[SEEN];
	struct redirect_place *places; /* of one block: room for any */
};

bool shadow_matters(const struct program *p)
{
	return program_has(p, "inst") && !program_has(p, "cycles") &&
	       !anchors_matter(p) && !outcomes_matter(p) &&
	       !(p->without & (PROGRAM_SHADOW | PROGRAM_WALK));
}

struct shadow *shadow_new(const struct walk_graph *g)
{
	struct shadow *s = fdo_alloc(1, sizeof(*s));

	s->g = g;
	s->heads = fdo_alloc(g->nsteps, sizeof(*s->heads));
	s->samples = fdo_alloc(g->nsteps, sizeof(*s->samples));
	s->places = fdo_alloc(g->nsteps, sizeof(*s->places));
	return s;
}

void shadow_free(struct shadow *s)
{
	if (!s)
		return;
	free(s->heads);
	free(s->samples);
	free(s->places);
	free(s);
}

struct walk_heads *shadow_heads(struct shadow *s)
{
	memset(s->heads, 0, s->g->nsteps * sizeof(*s->heads));
	return s->heads;
}

/* What a step is named for in an execution, seen in one way. */
static double named(const struct shadow *s, uint32_t step, unsigned way,
		    bool calm)
{
	const struct walk_heads *heads = &s->heads[step];

	if (way == PRECISE)
		return 1;
	if (!heads->known[way])
		return 0;
	return (double)(calm ? heads->calm : heads->real)[way] /
	       heads->known[way];
}

/* The same in all ways, each as far as it is likely. */
static double mixed(const struct shadow *s, uint32_t step, bool calm)
{
	double sum = 0;

	for (unsigned way = 0; way < SEEN; way++)
		if (s->shares[way] > 0)
			sum += s->shares[way] * named(s, step, way, calm);
	return sum;
}

static double find_samples(struct shadow *s, const struct program *p)
{
	double *at = s->samples, sum = 0;

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			const struct cfg_block *block = &f->cfg.blocks[b];

			for (uint32_t j = 0; j < block->ninsns; j++) {
				const struct insn *insn =
					&f->cfg.insns[block->first_insn + j];

				*at = f->blocks[b].samples
					      ? program_role_at(p, f,
								insn->address,
								"inst")
							.samples
					      : 0;
				sum += *at++;
			}
		}
	}
	return sum;
}

/* Log likelihood of all samples, seen in one way. */
static double likelihood(const struct shadow *s, unsigned way)
{
	const struct walk_graph *g = s->g;
	double all = 0, executed = 0, sum = 0;

	for (uint32_t b = 0; b < g->nblocks; b++) {
		const struct walk_block *block = &g->blocks[b];

		executed += block->count * block->nsteps;
		for (uint32_t i = 0; i < block->nsteps; i++)
			all += block->count *
			       named(s, block->first_step + i, way, false);
	}
	for (uint32_t b = 0; all > 0 && b < g->nblocks; b++) {
		const struct walk_block *block = &g->blocks[b];

		for (uint32_t i = 0; i < block->nsteps; i++) {
			uint32_t step = block->first_step + i;
			double here = named(s, step, way, false) / all;

			if (s->samples[step] == 0)
				continue;
			here = (1 - anywhere) * here + anywhere / executed;
			sum += s->samples[step] *
			       log(block->count * here + 1e-9);
		}
	}
	return all > 0 ? sum : -INFINITY;
}

static void find_shares(struct shadow *s, double samples)
{
	double fits[SEEN], best = -INFINITY, sum = 0;

	for (unsigned way = 0; way < SEEN; way++) {
		fits[way] = likelihood(s, way);
		best = fmax(best, fits[way]);
	}
	for (unsigned way = 0; way < SEEN; way++) {
		double less = (fits[way] - best) / samples;

		s->shares[way] = exp(less * fmin(telling, samples));
		sum += s->shares[way];
	}
	for (unsigned way = 0; way < SEEN; way++)
		s->shares[way] /= sum;
}

/*
 * The walk's word for a block and its instructions, each as far as it goes.
 * *walked_ret: if jumps are mispredicted as often as in the walk.
 */
static double named_of_block(struct shadow *s, const struct walk_block *block,
			     double instructions, bool redirects,
			     double *walked_ret)
{
	double still = instructions / block->nsteps, base = 0, redirected = 0;

	for (uint32_t i = 0; i < block->nsteps; i++) {
		uint32_t step = block->first_step + i;
		double times = s->heads[step].known[0];
		double real = mixed(s, step, false);
		double more = fmax(0, real - mixed(s, step, true));
		double walked = (1 - least) / (times + few);
		struct redirect_place *place = &s->places[i];

		place->base = ((real - more) * times + still * few) * walked +
			      least * still;
		place->redirected = more * times * walked;
		place->samples = s->samples[step];
		base += place->base;
		redirected += place->redirected;
	}
	*walked_ret = base + redirected;
	if (redirects)
		redirected *=
			redirect_share(s->places, block->nsteps, expected);
	return base + redirected;
}

/*
 * Wrong guesses move samples about, but make no more of them: those of the
 * function stay as many as in the walk.
 */
static void see_function(struct shadow *s, const struct program *p,
			 struct program_function *f,
			 const struct walk_block *blocks)
{
	bool redirects = !(p->without & PROGRAM_REDIRECT);
	double walked = 0, sum = 0;

	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		struct program_block *block = &f->blocks[b];
		unsigned n = f->cfg.blocks[b].ninstructions;
		double here;

		if (n == 0)
			continue;
		block->named = named_of_block(
			s, &blocks[b], n, redirects && block->samples, &here);
		walked += blocks[b].count * here;
		sum += blocks[b].count * block->named;
	}
	for (size_t b = 0; sum > 0 && b < f->cfg.nblocks; b++)
		if (f->cfg.blocks[b].ninstructions > 0)
			f->blocks[b].named *= walked / sum;
}

void shadow_see(struct shadow *s, struct program *p)
{
	const struct walk_block *blocks = s->g->blocks;
	double samples = find_samples(s, p);

	if (samples == 0)
		return;
	find_shares(s, samples);
	for (size_t i = 0; i < p->nfunctions; i++) {
		see_function(s, p, &p->functions[i], blocks);
		blocks += p->functions[i].cfg.nblocks;
	}
}
