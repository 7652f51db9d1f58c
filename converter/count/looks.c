#include "converter/count/looks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "converter/count/program.h"
#include "converter/graph/heuristics.h"

/*
 * The worth of a look is halved by so many samples of the function, and by so
 * many that are expected around the branch; it is nothing if it gets small.
 * Twice as much of each, or half, is nearly as good.
 */
static const double few_in_function = 5, few_around = 3, least = .1;

static double by_samples(const struct program_function *f)
{
	return 1 / (1 + f->samples / few_in_function);
}

bool looks_matter(const struct program_function *f)
{
	return by_samples(f) >= least;
}

double *looks_new(const struct cfg *cfg, const struct decoder *d)
{
	unsigned *facts = fdo_alloc(cfg->nblocks, sizeof(*facts));
	double *likely = fdo_alloc(cfg->nedges + 1, sizeof(*likely));

	heuristics_facts(cfg, d, facts);
	heuristics_edges(cfg, facts, likely);
	free(facts);
	return likely;
}

/* Of a block, if it ran so often. */
static double samples_of(const struct program_function *f, uint32_t block,
			 double executions)
{
	double unit = f->blocks[block].unit;

	return unit > 0 ? executions / unit : 0;
}

double looks_tell(const struct program_function *f, uint32_t block)
{
	const struct cfg_block *b = &f->cfg.blocks[block];
	double count = f->blocks[block].count, around, worth;

	if (b->nedges != 2 || !f->outcomes.looks)
		return 0;
	around = samples_of(f, block, count);
	for (uint32_t i = 0; i < b->nedges; i++)
		around += samples_of(f, f->cfg.edges[b->first_edge + i].to,
				     count);
	worth = by_samples(f) / (1 + around / few_around);
	return worth < least ? 0 : worth;
}
