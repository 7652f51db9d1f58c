/*
 * A graph that solves one function after another: what the largest took is
 * enough for all, and a function takes no memory for each of its arcs.  The
 * linker sends this program's calls for memory through here.
 */
#include <stdlib.h>

#include "base/error.h"
#include "mcf/smooth.h"
#include "testsuite/lib/random_cfg.h"
#include "testsuite/lib/tap.h"

extern void *__real_malloc(size_t size);
extern void *__real_calloc(size_t n, size_t size);
extern void *__real_realloc(void *memory, size_t size);

static int calls;

void *__wrap_malloc(size_t size)
{
	calls++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	calls++;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	calls++;
	return __real_realloc(memory, size);
}

enum { FUNCTIONS = 60, LARGEST = 1500 };

/* Calls for memory, from the first block to the solution. */
static int solve(struct flow_graph *g, struct random_cfg *cfg, int *failed)
{
	struct fdo_error err;
	int before = calls;

	flow_reset(g);
	for (unsigned b = 0; b < cfg->nblocks; b++) {
		int64_t seen =
			cfg->count[b] / (1 + random_below(&cfg->random, 3));
		struct flow_cost cost;

		if (b % 2)
			flow_cost_linear(&cost, seen, 2, 1);
		else
			flow_cost_kl(&cost, seen, 4, 1000);
		flow_add_block(g);
		flow_set_block_cost(g, b, &cost);
	}
	for (unsigned e = 0; e < cfg->nedges; e++) {
		flow_add_edge(g, cfg->edges[e].from, cfg->edges[e].to);
		if (cfg->edges[e].from != CFG_OUTSIDE)
			flow_set_edge_prior(g, e, cfg->edges[e].share);
	}
	*failed += !flow_solve(g, MCF_SIMPLEX, &err);
	return calls - before;
}

int main(void)
{
	struct random_cfg cfg[FUNCTIONS] = { 0 };
	struct flow_graph *g = flow_new(), *fresh;
	int failed = 0, first = 0, again = 0, small = 0, most = 0, once;

	for (int i = 0; i < FUNCTIONS; i++) {
		random_cfg_make(&cfg[i], 1 + i * 7919 % LARGEST, i);
		random_cfg_run(&cfg[i], 100);
	}
	for (int i = 0; i < FUNCTIONS; i++)
		first += solve(g, &cfg[i], &failed);
	for (int i = 0; i < FUNCTIONS; i++) {
		cfg[i].random = i;
		solve(g, &cfg[i], &failed);
	}
	for (int i = 0; i < FUNCTIONS; i++) {
		cfg[i].random = i;
		again += solve(g, &cfg[i], &failed);
	}
	for (int i = 0; i < FUNCTIONS; i++) {
		fresh = flow_new();
		once = solve(fresh, &cfg[i], &failed);
		small = i == 0 ? once : small;
		most = once > most ? once : most;
		flow_free(fresh);
	}
	printf("# %d calls for memory at first, %d later\n", first, again);
	check_int(failed, 0, "all functions are solved");
	check(first > 0, "which takes memory");
	check_int(again, 0, "and none when it is there");
	printf("# %d calls for one block by itself, %d for the worst "
	       "function\n",
	       small, most);
	check(most < 10 * small, "nor more by itself than by growing");
	flow_free(g);
	for (int i = 0; i < FUNCTIONS; i++)
		random_cfg_free(&cfg[i]);
	return done();
}
