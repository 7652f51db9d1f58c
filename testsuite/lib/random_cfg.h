/*
 * random_cfg.h - control-flow graphs for tests and measurements.
 *
 *	struct random_cfg cfg = { 0 };
 *	random_cfg_make(&cfg, 100, seed);	// about 100 blocks
 *	random_cfg_run(&cfg, 200);		// 200 steps a block
 *	... cfg.edges[i].from, .to, .count; cfg.count[block] ...
 *	random_cfg_free(&cfg);
 *
 * The graph is that of a structured program: sequences, two-armed and
 * one-armed branches, loops, switches, breaks, continues and early returns.
 * Block 0 is entered from CFG_OUTSIDE; some leave to it.  random_cfg_spoil()
 * adds edges anywhere, which makes it irreducible.  The same seed gives the
 * same graph everywhere.
 */
#ifndef TESTSUITE_RANDOM_CFG_H
#define TESTSUITE_RANDOM_CFG_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define CFG_OUTSIDE (~0u)

struct random_cfg {
	struct random_edge {
		unsigned from, to;
		double share; /* of what leaves "from" */
		int64_t count;
	} * edges;
	int64_t *count; /* of each block */
	unsigned nblocks, nedges;
	size_t room;
	uint64_t random;
};

/* splitmix64 */
static inline uint64_t random_bits(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* 0 .. n - 1 */
static inline unsigned random_below(uint64_t *state, unsigned n)
{
	return random_bits(state) % n;
}

/* [0, 1) */
static inline double random_unit(uint64_t *state)
{
	return (random_bits(state) >> 11) * 0x1p-53;
}

/* Mean 0, deviation 1. */
static inline double random_normal(uint64_t *state)
{
	double a = 1 - random_unit(state), b = random_unit(state);

	return sqrt(-2 * log(a)) * cos(2 * M_PI * b);
}

static inline void random_cfg_edge(struct random_cfg *cfg, unsigned from,
				   unsigned to)
{
	if (cfg->nedges == cfg->room) {
		cfg->room = cfg->room ? 2 * cfg->room : 64;
		cfg->edges =
			realloc(cfg->edges, cfg->room * sizeof(*cfg->edges));
	}
	cfg->edges[cfg->nedges++] = (struct random_edge){ from, to, 0, 0 };
}

/* Where a break and a continue go to. */
struct random_loop {
	unsigned after, header;
};

static unsigned random_cfg_body(struct random_cfg *cfg, unsigned from,
				int budget, const struct random_loop *loop);

/* A new block after one; CFG_OUTSIDE as "from" means that none leads here. */
static inline unsigned random_cfg_block(struct random_cfg *cfg, unsigned from)
{
	if (from != CFG_OUTSIDE)
		random_cfg_edge(cfg, from, cfg->nblocks);
	return cfg->nblocks++;
}

static inline unsigned random_cfg_switch(struct random_cfg *cfg, unsigned from,
					 int budget, unsigned arms,
					 const struct random_loop *loop)
{
	unsigned join = cfg->nblocks++;

	for (unsigned i = 0; i < arms; i++) {
		unsigned end = random_cfg_block(cfg, from);

		end = random_cfg_body(cfg, end, budget / (int)arms - 1, loop);
		if (end != CFG_OUTSIDE)
			random_cfg_edge(cfg, end, join);
	}
	random_cfg_edge(cfg, from, join);
	return join;
}

static inline unsigned random_cfg_loop(struct random_cfg *cfg, unsigned from,
				       int budget)
{
	struct random_loop loop = { .header = random_cfg_block(cfg, from) };
	unsigned end;

	loop.after = cfg->nblocks++;
	end = random_cfg_body(cfg, loop.header, budget - 2, &loop);
	if (end != CFG_OUTSIDE)
		random_cfg_edge(cfg, end, loop.header);
	if (end == CFG_OUTSIDE || random_below(&cfg->random, 2))
		random_cfg_edge(cfg, loop.header, loop.after);
	else
		random_cfg_edge(cfg, end, loop.after);
	return loop.after;
}

/* Add about so many blocks after one; the last, or CFG_OUTSIDE if it left. */
static unsigned random_cfg_body(struct random_cfg *cfg, unsigned from,
				int budget, const struct random_loop *loop)
{
	while (budget > 0) {
		int part = 1 + random_below(&cfg->random, budget);
		unsigned kind = random_below(&cfg->random, 16);

		budget -= part;
		if (kind < 2 || part < 3) {
			from = random_cfg_block(cfg, from);
			budget += part - 1;
		} else if (kind < 10) {
			from = random_cfg_switch(cfg, from, part,
						 1 + (kind < 6), loop);
		} else if (kind < 14) {
			from = random_cfg_loop(cfg, from, part);
		} else {
			from = random_cfg_switch(cfg, from, part, 3 + part % 6,
						 loop);
		}
	}
	switch (random_below(&cfg->random, 12)) {
	case 0:
		random_cfg_edge(cfg, from, CFG_OUTSIDE);
		return CFG_OUTSIDE;
	case 1:
	case 2:
		if (!loop)
			return from;
		random_cfg_edge(cfg, from,
				random_below(&cfg->random, 2) ? loop->after
							      : loop->header);
		return CFG_OUTSIDE;
	default:
		return from;
	}
}

/* Each edge's share: random, and loops mostly go on. */
static inline void random_cfg_share(struct random_cfg *cfg)
{
	double *sum = calloc(cfg->nblocks, sizeof(*sum));

	for (unsigned e = 0; e < cfg->nedges; e++) {
		struct random_edge *edge = &cfg->edges[e];

		edge->share = .02 + random_unit(&cfg->random);
		if (edge->to <= edge->from)
			edge->share *= 8;
		if (edge->from != CFG_OUTSIDE)
			sum[edge->from] += edge->share;
	}
	for (unsigned e = 0; e < cfg->nedges; e++)
		if (cfg->edges[e].from != CFG_OUTSIDE)
			cfg->edges[e].share /= sum[cfg->edges[e].from];
	free(sum);
}

/* Begin with zeros, or with what an earlier graph left to be used again. */
static inline void random_cfg_make(struct random_cfg *cfg, int blocks,
				   uint64_t seed)
{
	unsigned end;

	cfg->random = seed;
	cfg->nblocks = cfg->nedges = 0;
	random_cfg_edge(cfg, CFG_OUTSIDE, 0);
	end = random_cfg_body(cfg, random_cfg_block(cfg, CFG_OUTSIDE),
			      blocks - 1, NULL);
	if (end != CFG_OUTSIDE)
		random_cfg_edge(cfg, end, CFG_OUTSIDE);
	random_cfg_share(cfg);
	cfg->count = realloc(cfg->count, cfg->nblocks * sizeof(*cfg->count));
	for (unsigned b = 0; b < cfg->nblocks; b++)
		cfg->count[b] = 0;
}

/* Add edges between any two blocks, and from and to the outside. */
static inline void random_cfg_spoil(struct random_cfg *cfg, unsigned edges)
{
	while (edges-- > 0) {
		unsigned from = random_below(&cfg->random, cfg->nblocks);
		unsigned to = random_below(&cfg->random, cfg->nblocks);
		unsigned how = random_below(&cfg->random, 10);

		random_cfg_edge(cfg, how == 0 ? CFG_OUTSIDE : from,
				how == 1 ? CFG_OUTSIDE : to);
	}
	random_cfg_share(cfg);
}

/* Edges by their source: those of b are list[start[b]] .. */
static inline void random_cfg_index(const struct random_cfg *cfg,
				    unsigned *start, unsigned *list)
{
	for (unsigned b = 0; b <= cfg->nblocks; b++)
		start[b] = 0;
	for (unsigned e = 0; e < cfg->nedges; e++)
		if (cfg->edges[e].from != CFG_OUTSIDE)
			start[cfg->edges[e].from]++;
	for (unsigned b = 1; b <= cfg->nblocks; b++)
		start[b] += start[b - 1];
	for (unsigned e = cfg->nedges; e-- > 0;)
		if (cfg->edges[e].from != CFG_OUTSIDE)
			list[--start[cfg->edges[e].from]] = e;
}

/*
 * Walk through the graph, which gives true counts, and again when it is left.
 * A walk that finds no way out is cut off after twice the steps.
 */
static inline void random_cfg_run(struct random_cfg *cfg, unsigned steps)
{
	unsigned *start = calloc(cfg->nblocks + 1, sizeof(*start));
	unsigned *list = calloc(cfg->nedges, sizeof(*list)), at = 0;
	uint64_t enough = (uint64_t)steps * cfg->nblocks;

	random_cfg_index(cfg, start, list);
	cfg->edges[0].count = 1;
	for (uint64_t step = 0; step < 2 * enough; step++) {
		double dice = random_unit(&cfg->random);
		unsigned i = start[at], end = start[at + 1];

		cfg->count[at]++;
		if (i == end)
			break;
		while (i + 1 < end && dice >= cfg->edges[list[i]].share)
			dice -= cfg->edges[list[i++]].share;
		cfg->edges[list[i]].count++;
		at = cfg->edges[list[i]].to;
		if (at != CFG_OUTSIDE)
			continue;
		if (step >= enough)
			break;
		cfg->edges[0].count++;
		at = 0;
	}
	free(list);
	free(start);
}

static inline void random_cfg_free(struct random_cfg *cfg)
{
	free(cfg->edges);
	free(cfg->count);
}

#endif
