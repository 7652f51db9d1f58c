#include "converter/count/minor.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "converter/count/program.h"

/* Of all samples, that minor functions have. */
static const double part = .02;

static int by_samples(const void *a, const void *b)
{
	const struct program_function *x = *(struct program_function *const *)a;
	const struct program_function *y = *(struct program_function *const *)b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? -1 : 1;
	return (x > y) - (x < y);
}

void minor_mark(struct program *p)
{
	struct program_function **order =
		fdo_alloc(p->nfunctions, sizeof(*order));
	double all = 0, sum = 0;

	for (size_t i = 0; i < p->nfunctions; i++) {
		order[i] = &p->functions[i];
		all += order[i]->samples;
	}
	if (p->nfunctions)
		qsort(order, p->nfunctions, sizeof(*order), by_samples);
	for (size_t i = 0; i < p->nfunctions; i++) {
		sum += order[i]->samples;
		order[i]->minor = sum < part * all;
	}
	free(order);
}
