/*
 * random_program.h - random functions that call each other, with counts that
 * agree throughout and what might have been measured of them.
 *
 * Most calls go to a function of a higher number, near or far, and some of
 * these are called from everywhere; a few go back, from blocks that most
 * entries do not reach, so that recursion ends.
 */
#ifndef TESTSUITE_RANDOM_PROGRAM_H
#define TESTSUITE_RANDOM_PROGRAM_H

#include <stdlib.h>
#include <string.h>

#include "mcf/smooth.h"
#include "testsuite/lib/random_cfg.h"

struct random_call {
	unsigned caller, block, callee;
};

struct random_function {
	uint64_t seed; /* of what is measured */
	unsigned nblocks;
	struct random_edge *edges;
	unsigned nedges;
	size_t first; /* of its blocks among those of the program */
	size_t first_call;
};

struct random_program {
	unsigned n;
	struct random_function *functions; /* n + 1, the last one empty */
	size_t nblocks, block_room, ncalls, call_room;
	double *often;	/* of each block, for one entry */
	int64_t *count; /* of each block, true */
	int64_t *entry; /* of each function, true */
	struct random_call *calls;
	struct random_cfg cfg; /* of the function that is being made */
	uint64_t random;
};

/* Ten blocks in the mean: many small functions, some large. */
static inline unsigned random_program_size(uint64_t *random)
{
	double spread = -log(1 - random_unit(random));
	unsigned kind = random_below(random, 1000);

	return 1 + spread * (kind < 1 ? 300 : kind < 100 ? 30 : 6);
}

/* Of a higher number, so that chains of calls are short. */
static inline unsigned random_program_callee(struct random_program *p,
					     unsigned f)
{
	unsigned rest = p->n - f - 1, reach = 3 * f + 50;

	if (random_below(&p->random, 4) == 0) /* a few are called by all */
		return p->n - 1 -
		       rest * random_unit(&p->random) *
			       random_unit(&p->random) / 50;
	return f + 1 + random_below(&p->random, reach < rest ? reach : rest);
}

static inline void random_program_call(struct random_program *p, unsigned f,
				       unsigned block, unsigned callee)
{
	if (p->ncalls == p->call_room) {
		p->call_room = p->call_room ? 2 * p->call_room : 1024;
		p->calls = realloc(p->calls, p->call_room * sizeof(*p->calls));
	}
	p->calls[p->ncalls++] = (struct random_call){ f, block, callee };
}

static inline void random_program_calls(struct random_program *p, unsigned f)
{
	const struct random_function *function = &p->functions[f];
	double back = 0;

	for (unsigned b = 0; b < function->nblocks; b++) {
		double often = p->often[function->first + b];

		/* Inner loops call less, and the last tenth not at all. */
		while (f < .9 * p->n - 1 &&
		       random_unit(&p->random) < fmin(.4, 1 / (1 + often)))
			random_program_call(p, f, b,
					    random_program_callee(p, f));
		if (back + often < .4 && random_below(&p->random, 20) == 0) {
			back += often;
			random_program_call(p, f, b,
					    f && often < .01 ? f - 1 : f);
		}
	}
}

static inline void random_program_function(struct random_program *p, unsigned f)
{
	struct random_function *function = &p->functions[f];

	function->seed = random_bits(&p->random);
	random_cfg_make(&p->cfg, f ? random_program_size(&p->random) : 300,
			function->seed);
	random_cfg_run(&p->cfg, 30);
	function->first = p->nblocks;
	function->first_call = p->ncalls;
	function->nblocks = p->cfg.nblocks;
	function->nedges = p->cfg.nedges;
	function->edges = malloc(p->cfg.nedges * sizeof(*function->edges));
	memcpy(function->edges, p->cfg.edges,
	       p->cfg.nedges * sizeof(*function->edges));
	p->nblocks += p->cfg.nblocks;
	if (p->nblocks > p->block_room) {
		p->block_room = 2 * p->nblocks;
		p->often = realloc(p->often, p->block_room * sizeof(*p->often));
	}
	for (unsigned b = 0; b < function->nblocks; b++)
		p->often[function->first + b] =
			(double)p->cfg.count[b] / p->cfg.edges[0].count;
	random_program_calls(p, f);
}

/* How often each function is entered, if the first is entered once. */
static inline void random_program_enter(struct random_program *p)
{
	double *entry = calloc(p->n, sizeof(*entry)), most = 0;
	double *next = calloc(p->n, sizeof(*next));

	for (int round = 0; round < 30; round++) {
		next[0] = 1;
		for (unsigned f = 0; f < p->n; f++) {
			const struct random_function *function =
				&p->functions[f];

			/* Forward calls count at once, the rest next time. */
			entry[f] = next[f];
			next[f] = 0;
			for (size_t c = function->first_call;
			     c < function[1].first_call; c++) {
				const struct random_call *call = &p->calls[c];

				next[call->callee] +=
					entry[f] *
					p->often[function->first + call->block];
			}
		}
	}
	for (unsigned f = 0; f < p->n; f++)
		for (unsigned b = 0; b < p->functions[f].nblocks; b++)
			most = fmax(
				most,
				entry[f] * p->often[p->functions[f].first + b]);
	p->count = calloc(p->nblocks, sizeof(*p->count));
	p->entry = calloc(p->n, sizeof(*p->entry));
	for (unsigned f = 0; f < p->n; f++) {
		double scale = entry[f] * 0x1p34 / most;

		p->entry[f] = llround(scale);
		for (unsigned b = 0; b < p->functions[f].nblocks; b++)
			p->count[p->functions[f].first + b] = llround(
				scale * p->often[p->functions[f].first + b]);
	}
	free(next);
	free(entry);
}

static inline void random_program_make(struct random_program *p, unsigned n,
				       uint64_t seed)
{
	*p = (struct random_program){ .n = n, .random = seed };
	p->functions = calloc(n + 1, sizeof(*p->functions));
	for (unsigned f = 0; f < n; f++)
		random_program_function(p, f);
	p->functions[n].first = p->nblocks;
	p->functions[n].first_call = p->ncalls;
	random_program_enter(p);
}

/* Add a function to a flow graph as it was measured; 0: where it begins. */
static inline unsigned random_program_build(struct random_program *p,
					    unsigned f, struct flow_graph *g)
{
	const struct random_function *function = &p->functions[f];
	uint64_t random = function->seed ^ 1;

	for (unsigned b = 0; b < function->nblocks; b++) {
		double noise = exp(.5 * random_normal(&random));
		int64_t weight = 20 * (1 + random_below(&random, 20));
		double seen = p->count[function->first + b] * noise;
		struct flow_cost cost;

		flow_add_block(g);
		flow_cost_kl(&cost, fmin(seen, FLOW_MAX), 1 << 12, weight);
		flow_set_block_cost(g, b, &cost);
	}
	for (unsigned e = 0; e < function->nedges; e++)
		flow_add_edge(g, function->edges[e].from,
			      function->edges[e].to);
	return 0;
}

static inline void random_program_free(struct random_program *p)
{
	for (unsigned f = 0; f < p->n; f++)
		free(p->functions[f].edges);
	random_cfg_free(&p->cfg);
	free(p->functions);
	free(p->often);
	free(p->count);
	free(p->entry);
	free(p->calls);
}

#endif
