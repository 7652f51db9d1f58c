#include "converter/count/calls.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/count/program.h"
#include "mcf/span.h"

/* Of one sample to the doubt that is left, beside one that no sample removes. */
#define PER_SAMPLE .1

/* The function that begins at an address, or the number of functions. */
static size_t function_at(const struct program *p, size_t binary,
			  uint64_t address)
{
	size_t low = 0, high = p->nfunctions;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct program_function *f = &p->functions[middle];

		if (f->binary < binary ||
		    (f->binary == binary && f->cfg.parts[0].address < address))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < p->nfunctions && p->functions[low].binary == binary &&
	    p->functions[low].cfg.parts[0].address == address)
		return low;
	return p->nfunctions;
}

/* A jump out of the function that is not always taken says little. */
static bool counts(const struct cfg *cfg, const struct cfg_call *call)
{
	return call->target && !call->indirect &&
	       !(call->tail && cfg->blocks[call->block].nedges > 0);
}

static int64_t price_of(const struct program_function *callee, double price)
{
	double doubt = 1 / sqrt(1 + PER_SAMPLE * callee->samples);

	return llround(fmax(1, fmin(price * doubt, FLOW_PRICE_MAX)));
}

void calls_add(const struct program *p, double price, struct flow_span *span)
{
	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t c = 0; c < f->cfg.ncalls; c++) {
			const struct cfg_call *call = &f->cfg.calls[c];
			size_t to = function_at(p, f->binary, call->target);
			int64_t one;

			if (to == p->nfunctions || !counts(&f->cfg, call))
				continue;
			one = price_of(&p->functions[to], price);
			flow_span_add_call(span, i, call->block, to, one);
			/* With a known caller, others are not likely. */
			if (to != i)
				flow_span_set_unknown(span, to, one);
		}
	}
}
