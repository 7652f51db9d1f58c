/*
 * Counts across graphs that call each other: small programs whose answer is
 * known, and random ones beside the linear program that GLPK solves.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/graph.h"
#include "mcf/span.h"
#include "testsuite/lib/random_cfg.h"
#include "testsuite/lib/random_program.h"
#include "testsuite/lib/span_lp.h"
#include "testsuite/lib/tap.h"

static void take(void *data, unsigned k, struct flow_graph *g)
{
	struct test_program *p = data;

	p->graphs[k].entry = flow_edge_count(g, 0);
	for (unsigned b = 0; b < p->graphs[k].nblocks; b++)
		p->graphs[k].block[b] = flow_block_count(g, b);
}

/* With this gap, in one round. */
static const double anything = 1;

static bool solve(struct test_program *p, double gap)
{
	struct flow_span_source source = { p, span_lp_build, take };
	struct flow_span *span = flow_span_new(p->n);
	struct fdo_error err;
	bool solved;

	for (unsigned c = 0; c < p->ncalls; c++)
		flow_span_add_call(span, p->calls[c].caller, p->calls[c].block,
				   p->calls[c].callee, p->calls[c].share,
				   p->calls[c].price);
	for (unsigned k = 0; k < p->n; k++)
		flow_span_set_unknown(span, k, p->unknown[k]);
	solved = gap < anything
			 ? flow_span_solve(span, &source, MCF_SIMPLEX, gap,
					   &p->result, &err)
			 : flow_span_solve_once(span, &source, MCF_SIMPLEX, .05,
						&p->result, &err);
	if (!solved)
		printf("# %s\n", err.text);
	flow_span_free(span);
	return solved;
}

/* Executions are counted by the thousand. */
enum { K = 1000 };

static void measure(struct test_graph *graph, unsigned b, int64_t count,
		    int64_t price)
{
	flow_cost_linear(&graph->cost[b], K * count, price, price);
}

static void check_count(int64_t got, int64_t want, const char *what)
{
	if (llabs(got - K * want) > want)
		check_int(got, K * want, what);
	else
		check(true, what);
}

/* A function of one block, measured so often. */
static unsigned one_block(struct test_program *p, int64_t count, int64_t price)
{
	struct test_graph *graph = &p->graphs[p->n];

	graph->nblocks = 1;
	graph->nedges = 2;
	graph->from[0] = graph->to[1] = FLOW_OUTSIDE;
	measure(graph, 0, count, price);
	return p->n++;
}

static unsigned add_block(struct test_graph *graph, int64_t count,
			  int64_t price)
{
	measure(graph, graph->nblocks, count, price);
	return graph->nblocks++;
}

static void add_edge(struct test_graph *graph, unsigned from, unsigned to)
{
	graph->from[graph->nedges] = from;
	graph->to[graph->nedges++] = to;
}

static void call(struct test_program *p, unsigned caller, unsigned block,
		 unsigned callee, int64_t price)
{
	p->calls[p->ncalls++] =
		(struct test_call){ caller, block, callee, 1, price };
}

static void check_cost(struct test_program *p, int64_t cost, const char *what)
{
	check(solve(p, 0), what);
	check_count(llround(p->result.cost), cost, "at its price");
	check_count(llround(p->result.bound), cost, "than which none is less");
}

static void test_two(void)
{
	struct test_program p = { 0 };
	unsigned f = one_block(&p, 100, 10), g = one_block(&p, 60, 4);

	call(&p, f, 0, g, 100);
	p.unknown[g] = 100;
	check_cost(&p, 160, "a dear call is kept");
	check_count(p.graphs[f].block[0], 100, "by who was surely measured");
	check_count(p.graphs[g].block[0], 100, "and the other follows");
	check_count(llround(p.result.alone), 0, "alone each has what it has");
	check_count(llround(p.result.apart), 4000, "and calls do not agree");

	p.calls[0].price = 3;
	check_cost(&p, 120, "a cheap one is not");
	check_count(p.graphs[g].block[0], 60, "counts stay as measured");

	p.calls[0].price = 100;
	measure(&p.graphs[g], 0, 150, 4);
	check_cost(&p, 200, "entries without a call");
	check_count(p.graphs[g].block[0], 100, "are taken away");
	p.unknown[g] = 1;
	check_cost(&p, 50, "unless somebody unknown calls cheaply");
	check_count(p.graphs[g].block[0], 150, "and then they stay");
	p.unknown[g] = 0;
	check_cost(&p, 0, "or for nothing");
}

static void test_nothing_to_agree(void)
{
	struct test_program p = { 0 };
	unsigned f = one_block(&p, 100, 10), g = one_block(&p, 60, 4);

	check_cost(&p, 0, "graphs that do not call are as they are");
	check_count(p.graphs[f].block[0], 100, "the first");
	check_count(p.graphs[g].block[0], 60, "and the second");
	p.unknown[g] = 3;
	check_cost(&p, 180, "entries that nobody can call are paid");
	p.unknown[g] = 9;
	check_cost(&p, 240, "or dropped");
	check_count(p.graphs[g].block[0], 0, "all of them");
}

/* A block, and behind it another, both call the same function. */
static void test_twice_in_a_row(void)
{
	struct test_program p = { 0 };
	unsigned f = one_block(&p, 50, 3), g;
	struct test_graph *graph = &p.graphs[f];

	graph->to[1] = add_block(graph, 50, 3);
	add_edge(graph, 1, FLOW_OUTSIDE);
	g = one_block(&p, 80, 5);
	call(&p, f, 0, g, 50);
	call(&p, f, 1, g, 50);
	p.unknown[g] = 50;
	/* One of f less, in both blocks, saves two of g. */
	check_cost(&p, 60, "two calls in a row count twice");
	check_count(p.graphs[f].block[0], 40, "40 times the caller");
	check_count(p.graphs[g].block[0], 80, "80 times the callee");
	measure(&p.graphs[g], 0, 80, 1);
	check_cost(&p, 20, "when the callee is less sure");
	check_count(p.graphs[f].block[0], 50, "50 times the caller");
	check_count(p.graphs[g].block[0], 100, "100 times the callee");
}

/* So many that the difference is far more than the caller's count. */
static void test_many_in_a_block(void)
{
	enum { MANY = 1000, PRICE = 20000 };
	struct test_program p = { 0 };
	unsigned f = one_block(&p, 1, 1), g = one_block(&p, 1, 1);
	struct flow_span_source source = { &p, span_lp_build, take };
	struct flow_span *span = flow_span_new(p.n);
	struct fdo_error err;
	int64_t callers, entries;

	flow_cost_kl(&p.graphs[f].cost[0], 80 * K, K, 64000);
	flow_cost_kl(&p.graphs[g].cost[0], 30000 * K, 400 * K, 256);
	for (unsigned i = 0; i < MANY; i++)
		flow_span_add_call(span, f, 0, g, 1, PRICE);
	flow_span_set_unknown(span, g, PRICE);
	check(flow_span_solve_once(span, &source, MCF_SIMPLEX, .01, &p.result,
				   &err),
	      "a thousand calls in a block");
	flow_span_free(span);
	callers = p.graphs[f].block[0];
	entries = p.graphs[g].block[0];
	check(callers >= 30 * K && callers <= 80 * K,
	      "the caller's count is between what both say");
	check_int(entries, MANY * callers, "and it has as many calls");
}

/* entry, then a call of itself or not, then the end. */
static unsigned recursive(struct test_program *p, int64_t entries,
			  int64_t calls, int64_t leaves)
{
	unsigned f = one_block(p, entries, 5);
	struct test_graph *graph = &p->graphs[f];

	add_block(graph, calls, 5);
	add_block(graph, leaves, 5);
	graph->to[1] = 1;
	add_edge(graph, 0, 2);
	add_edge(graph, 1, FLOW_OUTSIDE);
	add_edge(graph, 2, FLOW_OUTSIDE);
	return f;
}

static void test_recursion(void)
{
	struct test_program p = { 0 };
	unsigned m = one_block(&p, 10, 1000), f = recursive(&p, 35, 30, 10);

	call(&p, m, 0, f, 100);
	call(&p, f, 1, f, 100);
	p.unknown[f] = 100;
	measure(&p.graphs[f], 0, 35, 4);
	check_cost(&p, 20, "a function that calls itself");
	check_count(p.graphs[f].entry, 40, "is entered by itself and others");
	check_count(p.graphs[f].block[1], 30, "so often by itself");
}

static void test_circle(void)
{
	struct test_program p = { 0 };
	unsigned m = one_block(&p, 10, 1000);
	unsigned f = recursive(&p, 40, 30, 10), g = recursive(&p, 22, 30, 0);

	call(&p, m, 0, f, 200);
	call(&p, f, 1, g, 200);
	call(&p, g, 1, f, 200);
	p.unknown[f] = p.unknown[g] = 200;
	check_cost(&p, 40, "two functions that call each other");
	check_count(p.graphs[g].entry, 30, "agree");
	check_count(p.graphs[f].entry, 40, "both ways");
}

static void test_cheapest_call_gives_way(void)
{
	struct test_program p = { 0 };
	unsigned a = one_block(&p, 100, 500), b = one_block(&p, 40, 500);
	unsigned g = one_block(&p, 120, 500);

	call(&p, a, 0, g, 20);
	call(&p, b, 0, g, 7);
	p.unknown[g] = 30;
	check_cost(&p, 140, "of two calls that are too many");
	measure(&p.graphs[g], 0, 70, 500);
	check_cost(&p, 40 * 7 + 30 * 20, "the cheaper gives way first");
}

static void random_graph(struct test_graph *graph, struct random_cfg *cfg,
			 uint64_t *random)
{
	do
		random_cfg_make(cfg, 1 + random_below(random, 8),
				random_bits(random));
	while (cfg->nblocks > BLOCKS || cfg->nedges > EDGES / 2);
	if (random_below(random, 4) == 0)
		random_cfg_spoil(cfg, 2);
	random_cfg_run(cfg, 20);
	graph->nblocks = cfg->nblocks;
	graph->nedges = 0;
	for (unsigned e = 0; e < cfg->nedges; e++)
		if (cfg->edges[e].from != cfg->edges[e].to)
			add_edge(graph, cfg->edges[e].from, cfg->edges[e].to);
	for (unsigned b = 0; b < graph->nblocks; b++) {
		int64_t seen =
			1000 * cfg->count[b] * exp(.5 * random_normal(random));
		int64_t weight = 50 + random_below(random, 500);

		graph->cost[b].n = 0;
		if (random_below(random, 3) == 0)
			flow_cost_linear(&graph->cost[b], seen, weight, weight);
		else if (random_below(random, 8))
			flow_cost_kl(&graph->cost[b], seen, 100, weight);
	}
}

/* Any, or one of a few, so that calls of one function have the same. */
static int64_t price_of_call(uint64_t seed, uint64_t *random)
{
	return seed % 4 ? 1 + random_below(random, 300)
			: 100 * (1 + random_below(random, 3));
}

/*
 * Whoever calls whom: chains, recursion, calls in a row, of one, of all, always
 * or now and then.
 */
static void random_program(struct test_program *p, uint64_t seed)
{
	struct random_cfg cfg = { 0 };
	uint64_t random = seed;

	*p = (struct test_program){ .n = 1 + random_below(&random, 6) };
	for (unsigned k = 0; k < p->n; k++) {
		random_graph(&p->graphs[k], &cfg, &random);
		p->unknown[k] = random_below(&random, 3)
					? random_below(&random, 300)
					: 0;
	}
	p->ncalls = random_below(&random, 3 * p->n + 1);
	for (unsigned c = 0; c < p->ncalls; c++) {
		unsigned caller = random_below(&random, p->n);

		p->calls[c] = (struct test_call){
			caller,
			random_below(&random, p->graphs[caller].nblocks),
			random_below(&random, p->n),
			seed % 3 ? 1 : (1 + random_below(&random, 100)) / 100.,
			seed % 2 ? 100 : price_of_call(seed, &random)
		};
	}
	random_cfg_free(&cfg);
}

/* A share of a count is rounded, but not in a linear program. */
static double rounding(const struct test_program *p)
{
	double sum = 1;

	for (unsigned c = 0; c < p->ncalls; c++)
		if (p->calls[c].share < 1)
			sum += .5 * (p->calls[c].price +
				     p->unknown[p->calls[c].callee]);
	return sum;
}

/* Entries and calls add up, whatever they cost. */
static bool adds_up(const struct test_program *p)
{
	for (unsigned k = 0; k < p->n; k++)
		for (unsigned b = 0; b < p->graphs[k].nblocks; b++)
			if (p->graphs[k].block[b] < 0)
				return false;
	return true;
}

static uint64_t hash(uint64_t so_far, const struct test_program *p)
{
	for (unsigned k = 0; k < p->n; k++)
		for (unsigned b = 0; b < p->graphs[k].nblocks; b++)
			so_far = (so_far ^ p->graphs[k].block[b]) *
				 0x100000001b3;
	return so_far;
}

static void test_beside_glpk(void)
{
	enum { PROGRAMS = 400 };
	int low = 0, high = 0, unsolved = 0, uneven = 0, exact = 0;
	static struct test_program p;
	double lost = 0, wide = 0;
	uint64_t first = 0, second = 0;

	for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
		double least;

		random_program(&p, seed);
		unsolved += !solve(&p, .001);
		first = hash(first, &p);
		uneven += !adds_up(&p);
		least = span_lp_cost(&p);
		unsolved += isnan(least);
		low += p.result.cost < least * (1 - 1e-7) - rounding(&p);
		high += p.result.bound > least * (1 + 1e-7) + 1;
		exact += p.result.cost <= least * 1.0001 + 1000;
		lost += (p.result.cost - least) / (least + 1000) / PROGRAMS;
		wide += (p.result.cost - p.result.bound) / (least + 1000) /
			PROGRAMS;
		solve(&p, .001);
		second = hash(second, &p);
	}
	printf("# above the least cost: %.4f %% in the mean, %d of %d by less "
	       "than 0.01 %%; bound and cost apart: %.4f %%\n",
	       100 * lost, exact, PROGRAMS, 100 * wide);
	check_int(unsolved, 0, "all are solved, by GLPK too");
	check_int(uneven, 0, "no count is less than nothing");
	check_int(low, 0, "none costs less than is possible");
	check_int(high, 0, "and no bound says that it has to cost more");
	check(lost < .001, "costs are within a thousandth of the least");
	check(wide < .002, "and known to be within two");
	check(first == second, "the same program gets the same counts");
}

static void test_one_round(void)
{
	enum { PROGRAMS = 400 };
	int low = 0, unsolved = 0, dearer = 0, bounded = 0;
	static struct test_program p;
	double lost = 0, apart = 0;

	for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
		double least;

		random_program(&p, seed);
		unsolved += !solve(&p, anything);
		least = span_lp_cost(&p);
		low += p.result.cost < least * (1 - 1e-7) - rounding(&p);
		dearer += p.result.cost > p.result.apart;
		bounded += p.result.bound != p.result.alone;
		lost += (p.result.cost - least) / (least + 1000) / PROGRAMS;
		apart += (p.result.apart - least) / (least + 1000) / PROGRAMS;
	}
	printf("# in one round, above the least cost: %.4f %% in the mean; "
	       "without calls %.1f %%\n",
	       100 * lost, 100 * apart);
	check_int(unsolved, 0, "all are solved in one round");
	check_int(low, 0, "none costs less than is possible");
	check_int(dearer, 0, "and none more than without calls");
	check_int(bounded, 0, "how far it is from the least is not asked");
	check(lost < .01 && lost < apart / 10,
	      "costs are within a hundredth of the least");
}

/* A large program, and what each function had when it was taken. */
struct large {
	struct random_program program;
	unsigned *entry;  /* edge of each function */
	int64_t *entries; /* of each function */
	int64_t **counts; /* of its blocks */
};

static unsigned build_large(void *data, unsigned f, struct flow_graph *g)
{
	struct large *large = data;

	return large->entry[f] = random_program_build(&large->program, f, g);
}

static void take_large(void *data, unsigned f, struct flow_graph *g)
{
	struct large *large = data;

	large->entries[f] = flow_edge_count(g, large->entry[f]);
	free(large->counts[f]);
	large->counts[f] = fdo_alloc(g->nblocks, sizeof(**large->counts));
	for (unsigned b = 0; b < g->nblocks; b++)
		large->counts[f][b] = flow_block_count(g, b);
}

static int64_t count_large(void *data, unsigned f, unsigned b)
{
	const struct large *large = data;

	return b == FLOW_OUTSIDE ? large->entries[f] : large->counts[f][b];
}

enum how { ALONE, ONCE, ONCE_FROM_COUNTS, WELL };

static bool solve_large(struct large *large, enum how how,
			struct flow_span_result *ret)
{
	struct random_program *p = &large->program;
	struct flow_span_source source = { large, build_large, take_large,
					   how == ONCE_FROM_COUNTS ? count_large
								   : NULL };
	struct flow_span *span = flow_span_new(p->n);
	struct fdo_error err;
	bool solved;

	for (size_t i = 0; how != ALONE && i < p->ncalls; i++)
		flow_span_add_call(span, p->calls[i].caller, p->calls[i].block,
				   p->calls[i].callee, 1, 200);
	for (unsigned f = 1; f < p->n; f++)
		flow_span_set_unknown(span, f, 200);
	solved = how == WELL ? flow_span_solve(span, &source, MCF_SIMPLEX, .01,
					       ret, &err)
			     : flow_span_solve_once(span, &source, MCF_SIMPLEX,
						    .01, ret, &err);
	flow_span_free(span);
	return solved;
}

static void large_make(struct large *large, unsigned functions)
{
	random_program_make(&large->program, functions, 1);
	large->entry = fdo_alloc(functions, sizeof(*large->entry));
	large->entries = fdo_alloc(functions, sizeof(*large->entries));
	large->counts = fdo_alloc(functions, sizeof(*large->counts));
}

static void large_free(struct large *large)
{
	for (unsigned f = 0; f < large->program.n; f++)
		free(large->counts[f]);
	free(large->counts);
	free(large->entries);
	free(large->entry);
	random_program_free(&large->program);
}

/* By itself, by three sweeps, and as it is handed out. */
static void test_large_in_one_round(void)
{
	enum { FUNCTIONS = 1500, TIMES = 5 };
	struct flow_span_result alone, once, best, more;
	struct large large;

	large_make(&large, FUNCTIONS);
	check(solve_large(&large, ONCE, &once),
	      "a large program, in one round");
	check(solve_large(&large, WELL, &best),
	      "and until it is near the best");
	printf("# each is solved %.1f and %.1f times; it costs %.2f %% more\n",
	       (double)once.solved / FUNCTIONS, (double)best.solved / FUNCTIONS,
	       100 * (once.cost / best.cost - 1));
	check(once.solved <= TIMES * FUNCTIONS, "none is solved more often");
	check(once.cost < 1.03 * best.cost, "it costs little more");
	check(once.cost - best.cost < (once.apart - best.cost) / 10,
	      "most of what calls cost is saved");

	check(solve_large(&large, ALONE, &alone) &&
		      solve_large(&large, ONCE_FROM_COUNTS, &more),
	      "and from the counts of each by itself");
	printf("# from counts %.1f times; it costs %.2f %% more\n",
	       (double)more.solved / FUNCTIONS,
	       100 * (more.cost / best.cost - 1));
	check(more.solved <= (TIMES - 1) * FUNCTIONS,
	      "one solution of each is spared");
	check(more.cost < 1.03 * best.cost, "it costs as little more");
	large_free(&large);
}

int main(void)
{
	test_two();
	test_nothing_to_agree();
	test_twice_in_a_row();
	test_many_in_a_block();
	test_recursion();
	test_circle();
	test_cheapest_call_gives_way();
	test_beside_glpk();
	test_one_round();
	test_large_in_one_round();
	return done();
}
