#include "converter/count/arms.h"

#include <math.h>

#include "converter/count/program.h"

/*
 * By testsuite/bench/accuracy on an Intel Xeon; factors from 3 to 7, and from 5
 * to 20 samples, are about as good.
 */
static const double usual_surplus = 1.4, most_worth = 8;

/* As if so many branches had told the usual surplus. */
static const double before = 10;

/*
 * An arm says nothing of a branch if less of what comes there comes by it.  By
 * accuracy on an Intel Xeon, a half is as good, but for loops of which several
 * branches go round.
 */
static const double least_part = .3;

/* With fewer nothing is told; and, with fewer of both kinds, no surplus. */
static const double least_samples = 10, few = 20;

/* The part of what comes to the end of an edge that comes by it. */
static double part_of(const struct program_function *f, uint32_t edge)
{
	const struct cfg *cfg = &f->cfg;
	uint32_t to = cfg->edges[edge].to;
	const struct cfg_block *arm = &cfg->blocks[to];
	double sum = 0;

	if (to == cfg->entry)
		return 0;
	for (uint32_t i = 0; i < arm->nin; i++)
		sum += f->edges[cfg->in[arm->first_in + i]];
	return sum > 0 ? f->edges[edge] / sum : 1. / arm->nin;
}

static bool ends_in_branch(const struct cfg *cfg, const struct cfg_block *block)
{
	uint32_t last = block->first_insn + block->ninsns - 1;

	return block->ninsns && block->nedges == 2 &&
	       cfg->insns[last].class == INSN_BRANCH;
}

/* Samples that an edge's first instruction has because of it. */
static double samples_of(const struct program *p,
			 const struct program_function *f, uint32_t edge)
{
	const struct cfg_block *arm = &f->cfg.blocks[f->cfg.edges[edge].to];

	return part_of(f, edge) *
	       program_role_at(p, f, f->cfg.insns[arm->first_insn].address,
			       "cycles")
		       .samples;
}

static double odds(double one, double other)
{
	return log((one + .5) / (other + .5));
}

/* The logarithm of the odds of a block's first edge, by its arms. */
static bool arms_odds(const struct program *p, const struct program_function *f,
		      uint32_t b, double *odds_ret, double *samples_ret)
{
	const struct cfg_block *block = &f->cfg.blocks[b];
	uint32_t edge = block->first_edge;
	double first, second;

	if (!ends_in_branch(&f->cfg, block) || part_of(f, edge) < least_part ||
	    part_of(f, edge + 1) < least_part)
		return false;
	first = samples_of(p, f, edge);
	second = samples_of(p, f, edge + 1);
	*odds_ret = odds(first, second);
	*samples_ret = first + second;
	return *samples_ret >= least_samples;
}

/* By how much registers have the usual arm's odds better; false: who knows. */
static bool find_surplus(const struct program *p,
			 const struct program_function *f, uint32_t b,
			 double *ret)
{
	double all = f->outcomes.blocks[b], by_arms, samples, by_registers;
	double first = f->outcomes.edges[f->cfg.blocks[b].first_edge];

	if (all < few || first < 1 || all - first < 1 ||
	    !arms_odds(p, f, b, &by_arms, &samples) || samples < few)
		return false;
	by_registers = odds(first, all - first);
	*ret = by_registers < 0 ? by_arms - by_registers
				: by_registers - by_arms;
	return true;
}

double arms_surplus(const struct program *p)
{
	double sum = before * usual_surplus, n = before, surplus;

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; f->outcomes.blocks && b < f->cfg.nblocks;
		     b++)
			if (find_surplus(p, f, b, &surplus)) {
				sum += surplus;
				n++;
			}
	}
	return sum / n;
}

bool arms_look(const struct program *p, const struct program_function *f,
	       uint32_t block, double likely, double surplus, struct arms *ret)
{
	double by_arms;

	if (!arms_odds(p, f, block, &by_arms, &ret->samples))
		return false;
	by_arms += likely > .5 ? surplus : -surplus;
	ret->likely = 1 / (1 + exp(-by_arms));
	ret->samples = fmin(ret->samples, most_worth);
	return true;
}
