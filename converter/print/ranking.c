#include "converter/print/ranking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/count/program.h"

static struct ranked rank(const struct program_function *f)
{
	struct ranked r = { .function = f };
	double error = 0, moved = 0;

	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		const struct program_block *block = &f->blocks[b];
		double size = f->cfg.blocks[b].ninstructions;

		r.executed += size * block->count;
		error += size * program_part_in_doubt(block, block->error);
		moved += size * fabs(block->count - block->raw);
	}
	if (r.executed > 0) {
		r.error = error / r.executed;
		r.moved = moved / r.executed;
	}
	return r;
}

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	int order;

	if (x->executed != y->executed)
		return x->executed > y->executed ? -1 : 1;
	order = strcmp(x->function->cfg.name, y->function->cfg.name);
	if (order)
		return order;
	/* Those of a program are by binary and address. */
	return x->function < y->function ? -1 : 1;
}

struct ranking *ranking_new(const struct program *p)
{
	struct ranking *r = fdo_alloc(1, sizeof(*r));

	r->functions = fdo_alloc(p->nfunctions + 1, sizeof(*r->functions));
	r->nfunctions = p->nfunctions;
	for (size_t i = 0; i < p->nfunctions; i++) {
		r->functions[i] = rank(&p->functions[i]);
		r->executed += r->functions[i].executed;
	}
	for (size_t i = 0; i < r->nfunctions && r->executed > 0; i++)
		r->functions[i].share = r->functions[i].executed / r->executed;
	qsort(r->functions, r->nfunctions, sizeof(*r->functions),
	      compare_ranked);
	return r;
}

void ranking_free(struct ranking *r)
{
	free(r->functions);
	free(r);
}
