#include "converter/compare/variation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/compare/side_by_side.h"
#include "converter/count/program.h"

struct runs {
	struct side_by_side *functions;
	double *executed; /* by all of a run's functions */
};

static double executed(const struct program *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++)
			sum += (double)f->blocks[b].count *
			       f->cfg.blocks[b].ninstructions;
	}
	return sum > 0 ? sum : 1;
}

/* By how much a standard deviation of n normal values is too small. */
static double correction(size_t n)
{
	return sqrt(2.0 / (n - 1)) *
	       exp(lgamma(n / 2.0) - lgamma((n - 1) / 2.0));
}

static void add_block(const struct runs *runs, size_t b, double size,
		      struct variation_function *ret)
{
	const struct program_function **same = runs->functions->same;
	double sum = 0, squares = 0, noise = 0, mean;
	size_t n = runs->functions->n;

	for (size_t i = 0; i < n; i++) {
		const struct program_block *block =
			same[i] ? &same[i]->blocks[b] : NULL;
		double scale = size / runs->executed[i];

		if (!block)
			continue;
		sum += scale * block->count;
		noise += pow(scale * program_part_in_doubt(block, block->noise),
			     2);
	}
	mean = sum / n;
	for (size_t i = 0; i < n; i++)
		squares += pow((same[i] ? size / runs->executed[i] *
						  same[i]->blocks[b].count
					: 0) -
				       mean,
			       2);
	ret->share += mean;
	ret->between += sqrt(squares / (n - 1)) / correction(n);
	ret->noise += sqrt(noise / n);
}

static int compare_shares(const void *a, const void *b)
{
	const struct variation_function *x = a, *y = b;

	if (x->share != y->share)
		return x->share > y->share ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void finish(struct variation *v)
{
	double share = 0;

	for (size_t i = 0; i < v->nfunctions; i++) {
		struct variation_function *f = &v->functions[i];

		share += f->share;
		v->between += f->between;
		v->noise += f->noise;
		if (f->share > 0) {
			f->between /= f->share;
			f->noise /= f->share;
		}
	}
	if (share > 0) {
		v->between /= share;
		v->noise /= share;
	}
	if (v->nfunctions)
		qsort(v->functions, v->nfunctions, sizeof(*v->functions),
		      compare_shares);
}

struct variation *variation_new(const struct program *const *runs, size_t n)
{
	struct variation *v = fdo_alloc(1, sizeof(*v));
	struct runs all = { side_by_side_new(runs, n),
			    fdo_alloc(n, sizeof(*all.executed)) };
	const struct program_function *f;
	size_t room = 0;

	for (size_t i = 0; i < n; i++)
		all.executed[i] = executed(runs[i]);
	while ((f = side_by_side_next(all.functions))) {
		struct variation_function sum = { .name = f->cfg.name };

		for (size_t b = 0; b < f->cfg.nblocks; b++)
			add_block(&all, b, f->cfg.blocks[b].ninstructions,
				  &sum);
		v->functions = fdo_grow(v->functions, v->nfunctions, &room,
					sizeof(*v->functions));
		v->functions[v->nfunctions++] = sum;
	}
	finish(v);
	side_by_side_free(all.functions);
	free(all.executed);
	return v;
}

void variation_free(struct variation *v)
{
	free(v->functions);
	free(v);
}
