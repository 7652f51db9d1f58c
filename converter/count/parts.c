/*
 * parts.c - the parts that counted code calls, in the order in which they are found.
 */
#include "converter/count/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/object.h"
#include "converter/count/chain.h"
#include "converter/count/program.h"
#include "converter/graph/decode.h"
#include "converter/graph/heuristics.h"

/* How often a part is called, and the standard error of that. */
struct called {
	double count, error;
};

/* The part that begins at an address; NULL: none does. */
static const struct object_function *
part_at(const struct program *p, size_t binary, const struct cfg_call *call)
{
	const struct object_function *f;

	if (call->external || call->indirect)
		return NULL;
	f = object_whole_function_at(p->binaries[binary].object, call->target);
	return f && f->address == call->target && strstr(f->name, ".part.")
		       ? f
		       : NULL;
}

/* What is added may call others. */
static bool find(struct program *p, struct fdo_error *err)
{
	for (size_t i = 0; i < p->nfunctions; i++)
		for (uint32_t c = 0; c < p->functions[i].cfg.ncalls; c++) {
			const struct program_function *f = &p->functions[i];
			const struct cfg_call *call = &f->cfg.calls[c];
			struct program_function *part;

			if (part_at(p, f->binary, call) &&
			    !program_function_at(p, f->binary, call->target,
						 &part, err))
				return false;
		}
	return true;
}

/* To parts that come behind a function: calls[0] is of the first of all. */
static void add_calls(const struct program *p, size_t number, size_t first,
		      struct called *calls)
{
	const struct program_function *f = &p->functions[number];

	for (uint32_t c = 0; c < f->cfg.ncalls; c++) {
		const struct cfg_call *call = &f->cfg.calls[c];
		const struct program_block *block = &f->blocks[call->block];
		const struct object_function *part =
			part_at(p, f->binary, call);
		size_t callee;

		if (!part)
			continue;
		callee = *fdo_map_get(p->binaries[f->binary].known,
				      (uintptr_t)part) -
			 1;
		if (callee < first || callee <= number)
			continue;
		calls[callee - first].count += (double)block->count;
		calls[callee - first].error =
			hypot(calls[callee - first].error, block->error);
	}
}

static void count(struct program_function *f, const struct called *called,
		  const struct decoder *d)
{
	const struct cfg *cfg = &f->cfg;
	unsigned *facts = fdo_alloc(cfg->nblocks, sizeof(*facts));
	double *likely = fdo_alloc(cfg->nedges + 1, sizeof(*likely));
	double *entered = fdo_alloc(cfg->nblocks, sizeof(*entered));
	double *counts = fdo_alloc(cfg->nblocks, sizeof(*counts));

	heuristics_facts(cfg, d, facts);
	heuristics_edges(cfg, facts, likely);
	entered[cfg->entry] = called->count;
	chain_solve(cfg, likely, entered, counts);
	f->entry = (uint64_t)called->count;
	for (size_t b = 0; b < cfg->nblocks; b++) {
		f->blocks[b].count = (uint64_t)counts[b];
		f->blocks[b].error = fmax(called->error, counts[b]);
	}
	for (size_t e = 0; e < cfg->nedges; e++)
		f->edges[e] =
			(uint64_t)(likely[e] * counts[cfg->edges[e].from]);
	free(counts);
	free(entered);
	free(likely);
	free(facts);
}

bool parts_add(struct program *p, struct fdo_error *err)
{
	size_t first = p->nfunctions;
	struct called *calls;
	struct decoder *d;

	if (!find(p, err))
		return false;
	if (p->nfunctions == first)
		return true;
	calls = fdo_alloc(p->nfunctions - first, sizeof(*calls));
	d = decoder_new();
	for (size_t i = 0; i < p->nfunctions; i++) {
		if (i >= first)
			count(&p->functions[i], &calls[i - first], d);
		add_calls(p, i, first, calls);
	}
	decoder_free(d);
	free(calls);
	program_sort(p);
	return true;
}
