#include "converter/compare/variation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/count/program.h"

/* The runs side by side; each has a place in its functions. */
struct merge {
	const struct program *const *runs;
	size_t n;
	size_t *next;
	double *executed;		      /* by all of a run's functions */
	const struct program_function **same; /* NULL: not in this run */
};

static int compare_places(const struct program_function *a,
			  const struct program_function *b)
{
	if (a->binary != b->binary)
		return a->binary < b->binary ? -1 : 1;
	if (a->cfg.parts[0].address != b->cfg.parts[0].address)
		return a->cfg.parts[0].address < b->cfg.parts[0].address ? -1
									 : 1;
	return 0;
}

static const struct program_function *head(const struct merge *m, size_t run)
{
	const struct program *p = m->runs[run];

	return m->next[run] < p->nfunctions ? &p->functions[m->next[run]]
					    : NULL;
}

/* The next function of any run, in all runs; NULL: that was the last. */
static const struct program_function *next_function(struct merge *m)
{
	const struct program_function *first = NULL;

	for (size_t i = 0; i < m->n; i++) {
		const struct program_function *f = head(m, i);

		if (f && (!first || compare_places(f, first) < 0))
			first = f;
	}
	for (size_t i = 0; first && i < m->n; i++) {
		const struct program_function *f = head(m, i);
		bool same = f && compare_places(f, first) == 0;

		m->same[i] = same ? f : NULL;
		m->next[i] += same;
	}
	return first;
}

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

static void add_block(const struct merge *m, size_t b, double size,
		      struct variation_function *ret)
{
	double sum = 0, squares = 0, noise = 0, mean;

	for (size_t i = 0; i < m->n; i++) {
		const struct program_block *block =
			m->same[i] ? &m->same[i]->blocks[b] : NULL;
		double scale = size / m->executed[i];

		if (!block)
			continue;
		sum += scale * block->count;
		noise += pow(scale * block->noise, 2);
	}
	mean = sum / m->n;
	for (size_t i = 0; i < m->n; i++)
		squares += pow((m->same[i] ? size / m->executed[i] *
						     m->same[i]->blocks[b].count
					   : 0) -
				       mean,
			       2);
	ret->share += mean;
	ret->between += sqrt(squares / (m->n - 1)) / correction(m->n);
	ret->noise += sqrt(noise / m->n);
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
	struct merge m = { runs, n, fdo_alloc(n, sizeof(*m.next)),
			   fdo_alloc(n, sizeof(*m.executed)),
			   fdo_alloc(n, sizeof(*m.same)) };
	const struct program_function *f;
	size_t room = 0;

	for (size_t i = 0; i < n; i++)
		m.executed[i] = executed(runs[i]);
	while ((f = next_function(&m))) {
		struct variation_function sum = { .name = f->cfg.name };

		for (size_t b = 0; b < f->cfg.nblocks; b++)
			add_block(&m, b, f->cfg.blocks[b].ninstructions, &sum);
		v->functions = fdo_grow(v->functions, v->nfunctions, &room,
					sizeof(*v->functions));
		v->functions[v->nfunctions++] = sum;
	}
	finish(v);
	free(m.next);
	free(m.executed);
	free(m.same);
	return v;
}

void variation_free(struct variation *v)
{
	free(v->functions);
	free(v);
}
