/*
 * attribute_cutoffs.c - the hottest blocks that most of the time is in.
 */
#include "converter/keys/attribute_private.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "converter/count/program.h"

struct weighted {
	uint64_t count;
	double weight; /* instructions executed */
};

static int compare_weighted(const void *a, const void *b)
{
	const struct weighted *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->weight < y->weight) - (x->weight > y->weight);
}

/* All blocks that ran, the hottest first. */
static struct weighted *weigh(const struct program *p, size_t *n_ret,
			      double *total_ret)
{
	struct weighted *blocks = NULL;
	size_t n = 0, room = 0;

	*total_ret = 0;
	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			uint64_t count = f->blocks[b].count;
			double weight =
				(double)count * f->cfg.blocks[b].ninstructions;

			if (count == 0)
				continue;
			blocks = fdo_grow(blocks, n, &room, sizeof(*blocks));
			blocks[n++] = (struct weighted){ count, weight };
			*total_ret += weight;
		}
	}
	if (n)
		qsort(blocks, n, sizeof(*blocks), compare_weighted);
	*n_ret = n;
	return blocks;
}

void attribute_cutoffs(struct attribution *a)
{
	struct profile *profile = a->profile;
	double total, sum = 0;
	size_t n, i = 0;
	struct weighted *blocks = weigh(a->program, &n, &total);

	profile->max_count = n ? blocks[0].count : 0;
	profile->ncutoffs = n ? PROFILE_CUTOFFS : 0;
	profile->cutoffs =
		fdo_alloc(PROFILE_CUTOFFS, sizeof(*profile->cutoffs));
	for (size_t s = 0; s < profile->ncutoffs; s++) {
		uint32_t share = profile_cutoff_shares[s];

		while (i < n && (i == 0 || sum < total * share / 1e6))
			sum += blocks[i++].weight;
		profile->cutoffs[s] = (struct profile_cutoff){
			.share = share,
			.min_count = blocks[i - 1].count,
			.blocks = i,
		};
	}
	free(blocks);
}
