/* What chain.h promises, on graphs that are known and on random ones. */
#include "converter/count/chain.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "converter/graph/cfg.h"
#include "testsuite/lib/tap.h"

enum { MOST = 60 };

struct graph {
	struct cfg cfg;
	struct cfg_edge edges[MOST * 4];
	double likely[MOST * 4], entered[MOST], counts[MOST];
};

static void begin(struct graph *g, unsigned blocks)
{
	*g = (struct graph){ .cfg = { .nblocks = blocks } };
	g->cfg.edges = g->edges;
	g->entered[0] = 1;
}

static void edge(struct graph *g, uint32_t from, uint32_t to, double likely)
{
	g->likely[g->cfg.nedges] = likely;
	g->edges[g->cfg.nedges++] = (struct cfg_edge){ from, to, CFG_FALL };
}

static void solve(struct graph *g)
{
	chain_solve(&g->cfg, g->likely, g->entered, g->counts);
}

static bool is_about(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static void test_known(void)
{
	struct graph g;

	begin(&g, 4);
	edge(&g, 0, 1, .9);
	edge(&g, 0, 2, .1);
	edge(&g, 1, 3, 1);
	edge(&g, 2, 3, 1);
	solve(&g);
	check(is_about(g.counts[1], .9) && is_about(g.counts[2], .1) &&
		      is_about(g.counts[3], 1),
	      "two ways that meet");

	begin(&g, 3);
	g.entered[0] = 5;
	edge(&g, 0, 1, 1);
	edge(&g, 1, 1, .99);
	edge(&g, 1, 2, .01);
	solve(&g);
	check(is_about(g.counts[1], 500) && is_about(g.counts[2], 5),
	      "a loop of a hundred rounds");

	begin(&g, 4);
	edge(&g, 0, 1, 1);
	edge(&g, 1, 2, 1);
	edge(&g, 2, 2, 1 - 1e-7);
	edge(&g, 2, 1, 1e-7 * (1 - 1e-3));
	edge(&g, 2, 3, 1e-7 * 1e-3);
	solve(&g);
	check(fabs(g.counts[2] / 1e10 - 1) < 1e-5,
	      "ten thousand millions of rounds in two loops");

	begin(&g, 2);
	edge(&g, 0, 1, 1);
	edge(&g, 1, 1, 1);
	solve(&g);
	check(isfinite(g.counts[1]) && g.counts[1] > 1e6,
	      "what is never left runs often");

	begin(&g, 3);
	edge(&g, 0, 1, .5);
	solve(&g);
	check(is_about(g.counts[1], .5) && g.counts[2] == 0,
	      "what is not reached does not run");
}

/* What comes to each block is what its count says. */
static bool is_consistent(const struct graph *g)
{
	double comes[MOST];

	for (uint32_t b = 0; b < g->cfg.nblocks; b++)
		comes[b] = g->entered[b];
	for (size_t e = 0; e < g->cfg.nedges; e++)
		comes[g->edges[e].to] +=
			g->counts[g->edges[e].from] * g->likely[e];
	for (uint32_t b = 0; b < g->cfg.nblocks; b++)
		if (fabs(comes[b] - g->counts[b]) > 1e-6 * (1 + comes[b]))
			return false;
	return true;
}

static void test_random(void)
{
	bool all = true;
	struct graph g;

	srand(1);
	for (int round = 0; round < 500; round++) {
		begin(&g, 1 + rand() % MOST);
		for (uint32_t b = 0; b < g.cfg.nblocks; b++) {
			int n = rand() % 4;
			double left = rand() % 8 ? 1 : .9;

			g.entered[b] = rand() % 5 ? 0 : rand() % 100;
			for (int i = 0; i < n; i++) {
				double part =
					i + 1 < n ? left * (rand() % 100) / 100
						  : left;

				edge(&g, b, rand() % g.cfg.nblocks,
				     part * .999);
				left -= part;
			}
		}
		solve(&g);
		all &= is_consistent(&g);
	}
	check(all, "random graphs, with whatever loops");
}

/*
 * Blocks that lead to the next one and to any other: what is eliminated leaves
 * more ways than there is time for, which SIGALRM would tell.
 */
static void test_tangle(void)
{
	enum { BLOCKS = 20000 };
	struct cfg_edge *edges = calloc(2 * BLOCKS, sizeof(*edges));
	double *likely = calloc(2 * BLOCKS, sizeof(*likely));
	double *entered = calloc(BLOCKS, sizeof(*entered));
	double *counts = calloc(BLOCKS, sizeof(*counts));
	double *comes = calloc(BLOCKS, sizeof(*comes));
	struct cfg cfg = { .nblocks = BLOCKS, .edges = edges };
	bool all = true;

	srand(2);
	entered[0] = comes[0] = 1;
	for (uint32_t b = 0; b < BLOCKS; b++)
		for (int way = 0; way < 2; way++) {
			uint32_t any = rand() % BLOCKS;

			/* Hardly anything ever leaves. */
			likely[cfg.nedges] = b ? .5 : .4999999;
			edges[cfg.nedges++] = (struct cfg_edge){
				.from = b,
				.to = way ? any : (b + 1) % BLOCKS,
			};
		}
	alarm(120);
	chain_solve(&cfg, likely, entered, counts);
	alarm(0);
	for (size_t e = 0; e < cfg.nedges; e++)
		comes[edges[e].to] += counts[edges[e].from] * likely[e];
	for (uint32_t b = 0; b < BLOCKS; b++)
		all &= fabs(comes[b] - counts[b]) <= 1e-5 * (1 + comes[b]);
	check(all, "a tangle of twenty thousand blocks");
	check(fabs(counts[0] * 2e-7 - 1) < 1e-3, "as much leaves as came in");
	free(edges);
	free(likely);
	free(entered);
	free(counts);
	free(comes);
}

int main(void)
{
	test_known();
	test_random();
	test_tangle();
	return done();
}
