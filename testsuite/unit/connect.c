/* What smooth.h promises of counts that are added after flow_solve(). */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/smooth.h"
#include "testsuite/lib/flow_check.h"
#include "testsuite/lib/tap.h"

static unsigned edge(struct flow_graph *g, unsigned from, unsigned to,
		     double share)
{
	unsigned e = flow_add_edge(g, from, to);

	flow_set_edge_prior(g, e, share);
	return e;
}

/*
 * Edges 0 .. 8; the numbers are shares.
 *
 *	     0          (entered)
 *	.9 /   \ .1
 *	  1     2
 *	.7|\.3  |
 *	  | 3   |
 *	  |/   /
 *	  4 <-'         (left)
 */
static void make_branches(struct flow_graph *g, const int64_t counts[5])
{
	for (int b = 0; b < 5; b++)
		block(g, counts[b]);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	edge(g, 0, 1, .9);
	edge(g, 0, 2, .1);
	edge(g, 1, 3, .3);
	edge(g, 1, 4, .7);
	flow_add_edge(g, 3, 4);
	flow_add_edge(g, 2, 4);
	flow_add_edge(g, 4, FLOW_OUTSIDE);
}

static void check_counts(const struct flow_graph *g, const int64_t *counts,
			 int n, const char *what)
{
	for (int b = 0; b < n; b++)
		check_int(flow_block_count(g, b), counts[b], what);
}

static void test_pass(void)
{
	struct flow_graph *g = flow_new();

	make_branches(g, (int64_t[]){ 0, 0, 0, 0, 0 });
	solves(g, "a function that was not seen");
	flow_pass(g, 1, 40);
	check_counts(g, (int64_t[]){ 40, 40, 0, 0, 40 }, 5,
		     "the likeliest path through a block");
	check_int(flow_edge_count(g, 0), 40, "which enters");
	check_int(flow_edge_count(g, 7), 40, "and leaves");
	flow_pass(g, 3, 2);
	check_counts(g, (int64_t[]){ 42, 42, 0, 2, 42 }, 5,
		     "one through another, on top");
	check_int(flow_edge_count(g, 3), 2, "over its edge");
	check_int(flow_edge_count(g, 4), 40, "not over the other");
	flow_pass(g, 0, 8);
	check_counts(g, (int64_t[]){ 50, 50, 0, 2, 50 }, 5,
		     "and one from the first block, the way there is");
	flow_free(g);
}

/* What has a count is the way, however unlikely. */
static void test_pass_takes_what_ran(void)
{
	struct flow_graph *g = flow_new();

	make_branches(g, (int64_t[]){ 100, 0, 100, 0, 100 });
	solves(g, "a function that goes the unlikely way");
	flow_pass(g, 0, 10);
	check_counts(g, (int64_t[]){ 110, 0, 110, 0, 110 }, 5,
		     "goes on doing so");
	flow_free(g);
}

static void test_round(void)
{
	struct flow_graph *g = flow_new();
	unsigned back;

	for (int b = 0; b < 5; b++)
		block(g, b == 2 || b == 3 ? 0 : 10);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	edge(g, 1, 2, .2);
	edge(g, 1, 3, .3);
	edge(g, 1, 4, .5);
	flow_add_edge(g, 2, 0);
	back = flow_add_edge(g, 3, 0);
	flow_add_edge(g, 4, FLOW_OUTSIDE);
	solves(g, "a loop with two ways back that did not go round");
	flow_round(g, back, 7);
	check_counts(g, (int64_t[]){ 17, 17, 0, 7, 10 }, 5,
		     "goes round over the one that was asked for");
	check_int(flow_edge_count(g, back), 7, "its edge");
	check_int(flow_edge_count(g, 0), 10, "and is entered as before");
	check_int(flow_edge_count(g, 7), 10, "and left");
	flow_round(g, 4, 5);
	check_counts(g, (int64_t[]){ 22, 22, 0, 7, 15 }, 5,
		     "what leads out comes round from outside");
	check_int(flow_edge_count(g, 0), 15, "over the entry");
	flow_free(g);
}

static void test_round_of_one_block(void)
{
	struct flow_graph *g = flow_new();
	int64_t before;

	block(g, 10);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 0);
	flow_add_edge(g, 0, FLOW_OUTSIDE);
	solves(g, "a block in a loop of its own");
	before = flow_edge_count(g, 1);
	flow_round(g, 1, 6);
	check_int(flow_edge_count(g, 1) - before, 6, "goes round");
	check_int(flow_block_count(g, 0), 16, "as often");
	flow_free(g);
}

/* A loop of three blocks, the last of whose edges go round. */
static void test_rounds_in_one_place(void)
{
	struct flow_graph *g = flow_new();

	for (int i = 0; i < 2; i++) {
		flow_reset(g);
		block(g, 10);
		block(g, 0);
		block(g, 0);
		for (int k = 0; k <= i; k++)
			flow_add_edge(g, 0, FLOW_OUTSIDE);
		flow_add_edge(g, FLOW_OUTSIDE, 0);
		flow_add_edge(g, 0, 1);
		flow_add_edge(g, 1, 2);
		flow_add_edge(g, 2, 0);
		solves(g, "a graph in the place of another one");
		flow_round(g, i + 4, 6);
		check_counts(g, (int64_t[]){ 16, 6, 6 }, 3, "goes round");
	}
	flow_free(g);
}

/* One loop behind the other: how many there are is nothing to each of them. */
static void test_many_rounds(void)
{
	enum { LOOPS = 30000 };
	struct flow_graph *g = flow_new();
	unsigned *back = fdo_alloc(LOOPS, sizeof(*back));
	clock_t began;

	for (unsigned i = 0; i < 2 * LOOPS; i++)
		block(g, i % 2 ? 0 : 10);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	for (unsigned i = 0; i < LOOPS; i++) {
		flow_add_edge(g, 2 * i, 2 * i + 1);
		back[i] = flow_add_edge(g, 2 * i + 1, 2 * i);
		flow_add_edge(g, 2 * i,
			      i + 1 < LOOPS ? 2 * i + 2 : FLOW_OUTSIDE);
	}
	solves(g, "many loops that did not go round");
	began = clock();
	for (unsigned i = 0; i < LOOPS; i++)
		flow_round(g, back[i], 7);
	check((clock() - began) / CLOCKS_PER_SEC < 3, "go round in short time");
	check(flow_block_count(g, 1) == 7 &&
		      flow_block_count(g, 2 * LOOPS - 1) == 7 &&
		      flow_block_count(g, 2 * LOOPS - 2) == 17,
	      "the first and the last");
	free(back);
	flow_free(g);
}

/* One sample is 20 executions: fewer than thirty expected are no wonder. */
static void test_doubt(void)
{
	struct flow_graph *g = flow_new();

	make_branches(g, (int64_t[]){ 2000, 2000, 0, 0, 2000 });
	solves(g, "a branch that was seen to go one way");
	flow_doubt(g, 20);
	check_int(flow_edge_count(g, 2), 2000 / 10 / 64,
		  "gives a part of the ten samples of the other");
	check_int(flow_block_count(g, 2), 2000 / 10 / 64, "with its block");
	check_int(flow_edge_count(g, 3), 0,
		  "but not one of which thirty samples were expected");
	check_int(flow_block_count(g, 0), 2003, "on top of what was seen");
	check_int(flow_edge_count(g, 7), 2003, "to the exit");
	flow_doubt(g, 20);
	check_int(flow_block_count(g, 0), 2003, "once");
	flow_free(g);

	g = flow_new();
	make_branches(g, (int64_t[]){ 20, 20, 0, 0, 20 });
	solves(g, "a branch that ran twenty times");
	flow_doubt(g, 100);
	check_counts(g, (int64_t[]){ 22, 21, 1, 1, 22 }, 5,
		     "gives each edge at least 1");
	flow_free(g);
}

/* Block 3 should have thirty samples, a fifth of its size six. */
static void test_doubt_by_size(void)
{
	static const double sizes[] = { 1, .2 };

	for (int i = 0; i < 2; i++) {
		struct flow_graph *g = flow_new();

		make_branches(g, (int64_t[]){ 2000, 2000, 0, 0, 2000 });
		flow_set_block_size(g, 3, sizes[i]);
		solves(g, "a branch that was seen to go one way");
		flow_doubt(g, 20);
		check_int(flow_block_count(g, 3), i ? 2000 * 3 / 10 / 64 : 0,
			  "a smaller block is missed more easily");
		flow_free(g);
	}
}

static void test_doubt_leaves_alone(void)
{
	struct flow_graph *g = flow_new();

	make_branches(g, (int64_t[]){ 0, 0, 0, 0, 0 });
	solves(g, "a function that did not run");
	flow_doubt(g, 100);
	check_counts(g, (int64_t[]){ 0, 0, 0, 0, 0 }, 5,
		     "has nothing to be doubted");
	flow_reset(g);
	block(g, 1000);
	block(g, 0);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	edge(g, 0, 1, 1e-7);
	edge(g, 0, FLOW_OUTSIDE, 1 - 1e-7);
	flow_add_edge(g, 1, FLOW_OUTSIDE);
	solves(g, "an edge that ends the program");
	flow_doubt(g, 1000);
	check_int(flow_block_count(g, 1), 0, "is not taken");
	flow_free(g);
}

/* A hot block 0 that is entered and left, and so many others. */
static struct flow_graph *hot_and(int n, const int64_t *counts)
{
	struct flow_graph *g = flow_new();

	block(g, 1000);
	for (int b = 0; b < n; b++)
		block(g, counts[b]);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	return g;
}

/* An edge that was measured not to be taken. */
static unsigned way(struct flow_graph *g, unsigned from, unsigned to,
		    double share)
{
	unsigned e = edge(g, from, to, share);
	struct flow_cost cost;

	flow_cost_linear(&cost, 0, 1000, 1000);
	flow_set_edge_cost(g, e, &cost);
	return e;
}

/* A loop of one block, which may also lead out. */
static void add_loop(struct flow_graph *g, unsigned b, double share)
{
	flow_add_edge(g, b, b);
	if (share > 0)
		way(g, b, FLOW_OUTSIDE, share);
}

static void test_amount(void)
{
	struct flow_graph *g = hot_and(2, (int64_t[]){ 500, 5 });

	edge(g, 0, FLOW_OUTSIDE, .8);
	way(g, 0, 1, .1);
	way(g, 0, 2, .1);
	add_loop(g, 1, .5);
	add_loop(g, 2, .5);
	solves(g, "two loops that nobody entered");
	check_int(flow_edge_count(g, 2), 0, "the one");
	check_int(flow_edge_count(g, 3), 0, "or the other");
	check_int(flow_connect(g, 1000), 2, "get a path each");
	check_int(flow_edge_count(g, 2), 50, "of a tenth of the count");
	check_int(flow_edge_count(g, 3), 1, "or 1, if that is less");
	flow_free(g);

	g = hot_and(1, (int64_t[]){ 500 });
	edge(g, 0, FLOW_OUTSIDE, 1);
	way(g, 0, 1, 0);
	add_loop(g, 1, .5);
	solves(g, "a loop that is never entered, they say");
	check_int(flow_connect(g, 7), 1, "is entered if it runs");
	check_int(flow_edge_count(g, 2), 7, "over that edge");
	flow_free(g);
}

/* Edges 1 .. 3 are the ways from block 0. */
static void test_likeliest_way(void)
{
	struct flow_graph *g = hot_and(3, (int64_t[]){ 0, 0, 500 });

	way(g, 0, 1, .1);
	way(g, 0, 2, .2);
	edge(g, 0, FLOW_OUTSIDE, .7);
	flow_add_edge(g, 1, 3);
	flow_add_edge(g, 2, 3);
	add_loop(g, 3, .5);
	solves(g, "two ways to a loop");
	flow_connect(g, 9);
	check_int(flow_edge_count(g, 2), 9, "the likelier one is taken");
	check_int(flow_edge_count(g, 1), 0, "and not the other");
	flow_free(g);

	g = hot_and(2, (int64_t[]){ 0, 500 });
	way(g, 0, 1, .18);
	way(g, 0, 2, .12);
	edge(g, 0, FLOW_OUTSIDE, .7);
	flow_add_edge(g, 1, 2);
	add_loop(g, 2, .5);
	solves(g, "a shorter way");
	flow_connect(g, 9);
	check_int(flow_edge_count(g, 2), 9, "may be a little less likely");
	flow_free(g);

	g = hot_and(3, (int64_t[]){ 1000, 1000, 500 });
	edge(g, 0, 1, .92);
	way(g, 0, 3, .08);
	flow_add_edge(g, 1, 2);
	way(g, 2, 3, .1);
	edge(g, 2, FLOW_OUTSIDE, .9);
	add_loop(g, 3, .5);
	solves(g, "a way that runs as far as it goes");
	flow_connect(g, 9);
	check_int(flow_edge_count(g, 4), 9, "is short");
	flow_free(g);
}

/* From block 3, once it is joined, it is nearer to block 2, and back. */
static void test_nearest_first(void)
{
	struct flow_graph *g = hot_and(4, (int64_t[]){ 0, 500, 500, 0 });
	unsigned in, out;

	way(g, 0, 1, .05);
	way(g, 0, 3, .1);
	edge(g, 0, FLOW_OUTSIDE, .85);
	flow_add_edge(g, 1, 2);
	way(g, 2, 4, .06);
	add_loop(g, 2, 0);
	flow_add_edge(g, 4, FLOW_OUTSIDE);
	add_loop(g, 3, .35);
	in = way(g, 3, 2, .15);
	out = way(g, 2, 3, .15);
	solves(g, "two loops, the second near to the first");
	check_int(flow_connect(g, 9), 2, "are joined");
	check_int(flow_edge_count(g, 2), 9 + 9, "the first one first");
	check_int(flow_edge_count(g, in), 9, "the other from there");
	check_int(flow_edge_count(g, out), 9, "and back to there");
	check_int(flow_edge_count(g, 1), 0, "not by what was nearer before");
	check_int(flow_edge_count(g, 5), 0, "nor back by that");
	flow_free(g);
}

/* Block 1 makes block 2 the next one, and that is near to block 3. */
static void test_nearer_in_turn(void)
{
	struct flow_graph *g = hot_and(3, (int64_t[]){ 500, 500, 500 });
	unsigned last;

	way(g, 0, 1, .1);
	way(g, 0, 3, .05);
	edge(g, 0, FLOW_OUTSIDE, .85);
	for (unsigned b = 1; b <= 3; b++)
		add_loop(g, b, .5);
	way(g, 1, 2, .12);
	last = way(g, 2, 3, .3);
	solves(g, "three loops");
	check_int(flow_connect(g, 9), 3, "are joined");
	check_int(flow_edge_count(g, last), 9, "each once it is the nearest");
	check_int(flow_edge_count(g, 2), 0, "and not before");
	flow_free(g);
}

/* Blocks that ran, and an edge between two of them that was not seen. */
static void test_doubt_of_an_edge(void)
{
	struct flow_graph *g = flow_new();
	unsigned likely, rare;

	for (int b = 0; b < 3; b++)
		block(g, 2000);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	edge(g, 0, 1, .89);
	likely = edge(g, 0, 2, .1);
	rare = edge(g, 0, FLOW_OUTSIDE, .01);
	flow_add_edge(g, 1, 2);
	flow_add_edge(g, 2, FLOW_OUTSIDE);
	solves(g, "a way round a block that nothing went");
	flow_doubt(g, 5);
	check_int(flow_edge_count(g, rare), 0, "with four samples expected");
	check_int(flow_edge_count(g, likely), 1,
		  "and one with forty, to a block that ran");
	flow_doubt(g, 20);
	check_int(flow_edge_count(g, rare), 1, "is another than with one");
	check_int(flow_edge_count(g, likely), 1, "once");
	check_int(flow_block_count(g, 2), 2000 + 1, "and so does its target");
	flow_free(g);

	g = flow_new();
	for (int b = 0; b < 3; b++)
		block(g, 2000000);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	edge(g, 0, 1, .9);
	likely = edge(g, 0, 2, .1);
	flow_add_edge(g, 1, 2);
	flow_add_edge(g, 2, FLOW_OUTSIDE);
	solves(g, "the same a thousand times as often");
	flow_doubt(g, 20);
	check_int(flow_edge_count(g, likely), 2000000 / 10 / 64 / 64,
		  "a part of a part of what is expected");
	flow_free(g);
}

/*
 * The numbers of blocks and edges run against the way: edge 0 can be doubted
 * only after edge 1.
 */
static void test_doubt_goes_back(void)
{
	struct flow_graph *g = flow_new();

	for (int b = 0; b < 4; b++)
		block(g, b ? 0 : 2000);
	edge(g, 2, 1, .4);
	edge(g, 3, 2, .4);
	edge(g, 0, 3, .1);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	edge(g, 0, FLOW_OUTSIDE, .9);
	flow_add_edge(g, 1, FLOW_OUTSIDE);
	edge(g, 2, FLOW_OUTSIDE, .6);
	edge(g, 3, FLOW_OUTSIDE, .6);
	solves(g, "a way that was not seen, against the numbers");
	flow_doubt(g, 100);
	check(flow_edge_count(g, 1) > 0, "goes on");
	check(flow_edge_count(g, 0) > 0, "and on");
	flow_free(g);
}

static void test_doubt_goes_on(void)
{
	struct flow_graph *g = flow_new();

	for (int b = 0; b < 6; b++)
		block(g, 20);
	flow_add_edge(g, FLOW_OUTSIDE, 5);
	flow_add_edge(g, 5, FLOW_OUTSIDE);
	solves(g, "a larger function, in the same memory");
	flow_reset(g);
	for (int b = 0; b < 5; b++)
		block(g, b ? 0 : 2000);
	edge(g, 1, 2, .5);
	edge(g, 1, 3, .5);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, FLOW_OUTSIDE, 4);
	edge(g, 0, 1, .1);
	edge(g, 0, FLOW_OUTSIDE, .9);
	for (unsigned b = 2; b < 5; b++)
		flow_add_edge(g, b, FLOW_OUTSIDE);
	solves(g, "a branch behind one that was not seen");
	flow_doubt(g, 100);
	check(flow_edge_count(g, 0) > 0, "is taken one way");
	check(flow_edge_count(g, 1) > 0, "and the other");
	check_int(flow_edge_count(g, 3), 0, "another entry is not");
	flow_free(g);
}

/* A row of cold blocks, each with a hot loop at its side. */
static void test_many_islands(void)
{
	enum { ROW = 20000 };
	struct flow_graph *g = flow_new();
	int wrong = 0;

	for (int b = 0; b < ROW; b++)
		block(g, 0);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	for (unsigned b = 0; b < ROW; b++) {
		unsigned loop = block(g, 1000);

		edge(g, b, b + 1 < ROW ? b + 1 : FLOW_OUTSIDE, .8);
		edge(g, b, loop, .1);
		edge(g, b, b ? b - 1 : FLOW_OUTSIDE, .1);
		flow_add_edge(g, loop, loop);
		flow_add_edge(g, loop, b);
	}
	solves(g, "many loops beside a long way");
	check_int(flow_connect(g, 9), ROW, "need a path each");
	check_int(flow_connect(g, 9), 0, "and none after that");
	for (unsigned b = 0; b < ROW; b++) {
		int64_t in = flow_edge_count(g, 5 * b + 2);

		wrong += in != 9 || flow_edge_count(g, 5 * b + 5) != 9 ||
			 flow_block_count(g, ROW + b) != 1009;
		in += b ? flow_edge_count(g, 5 * (b - 1) + 1)
			: flow_edge_count(g, 0);
		in += b + 1 < ROW ? flow_edge_count(g, 5 * (b + 1) + 3) : 0;
		wrong += flow_block_count(g, b) != in;
	}
	check_int(wrong, 0, "each loop is entered and left, and all adds up");
	check_int(flow_edge_count(g, 0), 9 * ROW, "from the entry");
	flow_free(g);
}

int main(void)
{
	test_pass();
	test_pass_takes_what_ran();
	test_round();
	test_round_of_one_block();
	test_rounds_in_one_place();
	test_many_rounds();
	test_doubt();
	test_doubt_by_size();
	test_doubt_leaves_alone();
	test_doubt_of_an_edge();
	test_doubt_goes_back();
	test_doubt_goes_on();
	test_amount();
	test_likeliest_way();
	test_nearest_first();
	test_nearer_in_turn();
	test_many_islands();
	return done();
}
