/*
 * Smoothing of thousands of random control-flow graphs, with costs of every
 * shape, priors, several entries and exits, and parts that cannot be reached
 * or left: counts add up, no others are cheaper, and the same graph gets the
 * same ones.
 */
#include "base/error.h"
#include "mcf/graph.h"
#include "testsuite/lib/network_check.h"
#include "testsuite/lib/random_cfg.h"
#include "testsuite/lib/tap.h"

enum kind {
	STRUCTURED,
	IRREDUCIBLE,
	BROKEN,	    /* entries and exits taken out at random */
	DEGENERATE, /* hardly a control-flow graph at all */
	KINDS
};

static const char *const kinds[] = { "structured", "irreducible", "broken",
				     "degenerate" };

static void make(struct random_cfg *cfg, enum kind kind, int size,
		 uint64_t seed)
{
	if (kind == DEGENERATE) {
		random_cfg_make(cfg, 1, seed);
		cfg->nedges = 0;
		cfg->nblocks = 1 + size;
		cfg->count =
			realloc(cfg->count, cfg->nblocks * sizeof(*cfg->count));
		for (unsigned b = 0; b < cfg->nblocks; b++)
			cfg->count[b] = random_below(&cfg->random, 100);
		random_cfg_spoil(cfg, random_below(&cfg->random, 3 * size + 1));
		return;
	}
	random_cfg_make(cfg, size, seed);
	if (kind == IRREDUCIBLE || kind == BROKEN)
		random_cfg_spoil(cfg, 1 + cfg->nblocks / 8);
	random_cfg_run(cfg, 20);
	if (kind == BROKEN)
		for (unsigned e = 0; e < cfg->nedges; e++)
			if (random_below(&cfg->random, 8) == 0)
				cfg->edges[e--] = cfg->edges[--cfg->nedges];
}

/* The count as it might have been measured, on any scale up to the largest. */
static int64_t measure(struct random_cfg *cfg, int64_t count, int64_t scale)
{
	double seen = count * exp(.5 * random_normal(&cfg->random)) * scale;

	if (random_below(&cfg->random, 8) == 0)
		return 0;
	if (random_below(&cfg->random, 100) == 0)
		return FLOW_MAX;
	return seen < FLOW_MAX ? seen : FLOW_MAX;
}

static bool cost_of(struct random_cfg *cfg, int64_t count, int64_t scale,
		    struct flow_cost *cost)
{
	int64_t seen = measure(cfg, count, scale);

	switch (random_below(&cfg->random, 5)) {
	case 0:
		return false;
	case 1:
		flow_cost_bound(cost, seen, 200);
		return true;
	case 2:
	case 3:
		flow_cost_kl(cost, seen, scale,
			     100 + random_below(&cfg->random, 5000));
		return true;
	default:
		flow_cost_linear(cost, seen,
				 1 + random_below(&cfg->random, 3000),
				 1 + random_below(&cfg->random, 3000));
		return true;
	}
}

static void fill(struct flow_graph *g, struct random_cfg *cfg)
{
	int64_t scale = (int64_t)1 << random_below(&cfg->random, 34);
	bool prior = random_below(&cfg->random, 2);
	struct flow_cost cost;

	flow_reset(g);
	for (unsigned b = 0; b < cfg->nblocks; b++) {
		flow_add_block(g);
		if (cost_of(cfg, cfg->count[b], scale, &cost))
			flow_set_block_cost(g, b, &cost);
	}
	for (unsigned e = 0; e < cfg->nedges; e++) {
		const struct random_edge *edge = &cfg->edges[e];

		if (edge->from == FLOW_OUTSIDE && edge->to == FLOW_OUTSIDE)
			continue;
		unsigned id = flow_add_edge(g, edge->from, edge->to);
		if (random_below(&cfg->random, 20) == 0 &&
		    cost_of(cfg, edge->count, scale, &cost))
			flow_set_edge_cost(g, id, &cost);
		if (prior && edge->from != FLOW_OUTSIDE &&
		    random_below(&cfg->random, 10))
			flow_set_edge_prior(g, id, edge->share);
	}
}

/* What enters each block leaves it, and nothing is negative. */
static bool adds_up(const struct flow_graph *g)
{
	int64_t *balance = calloc(2 * g->nblocks + 2, sizeof(*balance));
	bool good = true;

	for (unsigned e = 0; e < g->nall; e++) {
		good &= g->edges[e].count >= 0;
		balance[2 * flow_source(g, e) + 1] += g->edges[e].count;
		balance[2 * flow_target(g, e)] += g->edges[e].count;
	}
	for (unsigned b = 0; b < g->nblocks; b++)
		good &= balance[2 * b] == flow_block_count(g, b) &&
			balance[2 * b + 1] == flow_block_count(g, b);
	free(balance);
	return good;
}

/* All that have a count are connected to the outside, both ways. */
static bool connected(const struct flow_graph *g)
{
	bool *from = calloc(g->nblocks + 1, 1), *to = calloc(g->nblocks + 1, 1);
	bool changed = true, good = true;

	from[g->nblocks] = to[g->nblocks] = true;
	while (changed) {
		changed = false;
		for (unsigned e = 0; e < g->nall; e++) {
			unsigned s = flow_source(g, e), t = flow_target(g, e);

			if (g->edges[e].count == 0)
				continue;
			changed |= from[t] < from[s] || to[s] < to[t];
			from[t] |= from[s];
			to[s] |= to[t];
		}
	}
	for (unsigned b = 0; b < g->nblocks; b++)
		good &= g->blocks[b].count == 0 || (from[b] && to[b]);
	free(from);
	free(to);
	return good;
}

static uint64_t hash_counts(const struct flow_graph *g)
{
	uint64_t hash = 14695981039346656037u;

	for (unsigned b = 0; b < g->nblocks; b++)
		hash = (hash ^ g->blocks[b].count) * 0x100000001b3;
	for (unsigned e = 0; e < g->nall; e++)
		hash = (hash ^ g->edges[e].count) * 0x100000001b3;
	return hash;
}

struct tally {
	int failed, uneven, dear, cut, islands, joined, repaired;
	unsigned largest;
	uint64_t hash;
};

static void judge(struct flow_graph *g, struct tally *t)
{
	t->uneven += !adds_up(g);
	t->dear += !network_balanced(g->net) || !network_optimal(g->net);
	t->repaired += flow_repairs(g) > 0;
	t->islands += !connected(g);
	t->joined += flow_connect(g, 1000) > 0;
	t->cut += !connected(g);
	t->uneven += !adds_up(g);
}

/* All sizes if there are many graphs, else in steps up to the largest. */
static int size_of(int graphs, int seed, int size)
{
	return graphs < size ? (seed + 1) * (size / graphs)
			     : 1 + (seed * 7919) % size;
}

static struct tally run(enum kind kind, int graphs, int size)
{
	struct flow_graph *g = flow_new();
	struct random_cfg cfg = { 0 };
	struct tally t = { 0 };
	struct fdo_error err;

	for (int seed = 0; seed < graphs; seed++) {
		make(&cfg, kind, size_of(graphs, seed, size), seed);
		if (cfg.nblocks > t.largest)
			t.largest = cfg.nblocks;
		fill(g, &cfg);
		if (flow_solve(g, MCF_SIMPLEX, &err))
			judge(g, &t);
		else if (t.failed++ == 0)
			printf("# %s\n", err.text);
		t.hash = (t.hash ^ hash_counts(g)) * 0x100000001b3;
	}
	random_cfg_free(&cfg);
	flow_free(g);
	return t;
}

static void test_kind(enum kind kind, int graphs, int size)
{
	struct tally t = run(kind, graphs, size);

	printf("# %d %s graphs of up to %u blocks: %d had islands, %d needed "
	       "repairs\n",
	       graphs, kinds[kind], t.largest, t.islands, t.repaired);
	check(t.largest > .9 * size, "there are large ones");
	check_int(t.failed, 0, "all are solved");
	check_int(t.uneven, 0, "counts add up, before and after connecting");
	check_int(t.dear, 0, "no counts are cheaper");
	check_int(t.joined, t.islands, "islands are joined, and nothing else");
	check_int(t.cut, 0, "then all that runs is connected");
	check(size > 1000 || run(kind, graphs, size).hash == t.hash,
	      "a second run gets the same");
}

int main(void)
{
	for (enum kind kind = 0; kind < KINDS; kind++) {
		test_kind(kind, 1000, 40);
		test_kind(kind, 5, 10000);
	}
	return done();
}
