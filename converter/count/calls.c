#include "converter/count/calls.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/binary/object.h"
#include "converter/count/outcomes.h"
#include "converter/count/program.h"
#include "converter/perf/samples.h"
#include "mcf/span.h"

/* Of one sample to the doubt that is left, beside one that no sample removes. */
#define PER_SAMPLE .1

/* So many samples that tell who was called leave half of the price. */
#define FEW_TOLD 4

/* A jump out of the function that is not always taken says little. */
static bool counts(const struct cfg *cfg, const struct cfg_call *call)
{
	return !(call->tail && cfg->blocks[call->block].nedges > 0);
}

static int64_t price_of(const struct program_function *callee, double price)
{
	double doubt = 1 / sqrt(1 + PER_SAMPLE * callee->samples);

	return llround(fmax(1, fmin(price * doubt, FLOW_PRICE_MAX)));
}

/* Calls, and what each execution costs that they do not explain. */
struct calls {
	const struct program *program;
	struct flow_span *span;
	double price;
	double seen; /* how much of all calls by pointers is told, 0 .. 1 */
	bool alone; /* there are only libraries, and nobody knows their users */
};

/* Part of a block's executions enters a function, if there is such. */
static void add(const struct calls *calls, size_t caller,
		const struct cfg_call *call, size_t to, double share,
		double price)
{
	const struct program *p = calls->program;
	double one;

	if (to == p->nfunctions)
		return;
	one = price_of(&p->functions[to], price);
	flow_span_add_call(calls->span, caller, call->block, to, share, one);
	/* Without pointers, others than its known callers are not likely. */
	if (call->indirect || p->functions[to].pointed)
		one *= calls->seen;
	if (to != caller && !(p->functions[to].given && calls->alone))
		flow_span_set_unknown(calls->span, to, llround(one));
}

static void add_told(const struct calls *calls, size_t caller,
		     const struct cfg_call *call)
{
	const struct program *p = calls->program;
	struct outcomes_called called =
		outcomes_called(p, &p->functions[caller], call->insn);
	double sure = called.samples / (called.samples + FEW_TOLD);
	uint64_t target;

	for (size_t i = 0; i < called.n; i++)
		if (outcomes_callee(&called.values[i], &target))
			add(calls, caller, call,
			    program_callee(p, p->functions[caller].binary,
					   target),
			    called.values[i].samples / called.samples,
			    calls->price * sure);
}

/* How much of what calls by a pointer is known to call whom. */
static double seen(const struct program *p)
{
	double all = 0, told = 0;

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t c = 0; c < f->cfg.ncalls; c++) {
			const struct cfg_call *call = &f->cfg.calls[c];
			double raw = f->blocks[call->block].raw, samples;

			if (!call->indirect || !counts(&f->cfg, call))
				continue;
			samples = outcomes_called(p, f, call->insn).samples;
			all += raw;
			told += raw * samples / (samples + FEW_TOLD);
		}
	}
	return all > 0 ? told / all : 0;
}

static bool is_alone(const struct program *p)
{
	bool given = false, program = false;

	for (size_t i = 0; i < p->nfunctions; i++)
		given |= p->functions[i].given;
	for (size_t i = 0; given && i < p->nbinaries; i++)
		program |= p->binaries[i].object->type != OBJECT_SHARED;
	return given && !program;
}

void calls_add(const struct program *p, double price, struct flow_span *span)
{
	const struct calls calls = { p, span, price, seen(p), is_alone(p) };

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct cfg *cfg = &p->functions[i].cfg;

		for (size_t c = 0; c < cfg->ncalls; c++) {
			const struct cfg_call *call = &cfg->calls[c];

			if (!counts(cfg, call))
				continue;
			if (call->indirect)
				add_told(&calls, i, call);
			else
				add(&calls, i, call,
				    program_called(p, p->functions[i].binary,
						   call),
				    1, price);
		}
	}
}
