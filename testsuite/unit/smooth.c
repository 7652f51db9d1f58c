/* What smooth.h promises, one small graph to each promise. */
#include <inttypes.h>

#include "base/error.h"
#include "mcf/smooth.h"
#include "testsuite/lib/flow_check.h"
#include "testsuite/lib/tap.h"

/*
 *	    0		a diamond: 0 enters, 1 and 2 are the two arms,
 *	   / \		3 leaves
 *	  1   2
 *	   \ /
 *	    3
 */
static void diamond(struct flow_graph *g, const int64_t counts[4])
{
	for (int b = 0; b < 4; b++)
		block(g, counts[b]);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 0, 2);
	flow_add_edge(g, 1, 3);
	flow_add_edge(g, 2, 3);
	flow_add_edge(g, 3, FLOW_OUTSIDE);
}

static void test_consistent_counts_stay(void)
{
	struct flow_graph *g = flow_new();

	diamond(g, (int64_t[]){ 100, 70, 30, 100 });
	solves(g, "a diamond");
	check_int(flow_block_count(g, 1), 70, "an arm keeps its count");
	check_int(flow_block_count(g, 3), 100, "so does the join");
	check_int(flow_edge_count(g, 0), 100, "the entry is the first block's");
	check_int(flow_edge_count(g, 2), 30, "an edge takes that of its arm");
	check_int(flow_repairs(g), 0, "nothing needed a repair");
	flow_free(g);
}

static void test_outlier_yields_and_unknown_follows(void)
{
	struct flow_graph *g = flow_new();

	diamond(g, (int64_t[]){ 100, -1, 30, 900 });
	flow_add_edge(g, 1, 1);
	solves(g, "a diamond with an unknown arm");
	check_int(flow_block_count(g, 1), 70, "which takes the rest");
	check_int(flow_edge_count(g, 6), 0, "and does not run in circles");
	flow_free(g);
}

static void test_prior_splits_what_samples_leave_open(void)
{
	struct flow_graph *g = flow_new();

	diamond(g, (int64_t[]){ 100, -1, -1, 100 });
	flow_set_edge_prior(g, 1, .8);
	solves(g, "a diamond with two unknown arms");
	check_int(flow_block_count(g, 1), 80, "one gets its share");
	check_int(flow_block_count(g, 2), 20, "the other what is left");
	flow_free(g);
}

/* Each but the last goes on to the next or to where all meet. */
static void test_prior_splits_what_an_unknown_block_carries(void)
{
	struct flow_graph *g = flow_new();

	block(g, 100);
	block(g, -1);
	block(g, -1);
	block(g, 100);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	for (unsigned b = 0; b < 3; b++)
		flow_add_edge(g, b, b + 1);
	flow_add_edge(g, 0, 3);
	flow_add_edge(g, 1, 3);
	flow_add_edge(g, 3, FLOW_OUTSIDE);
	flow_set_edge_prior(g, 1, .8);
	flow_set_edge_prior(g, 2, .5);
	solves(g, "unknown blocks behind each other");
	check_int(flow_block_count(g, 1), 80, "the first gets its share");
	check_int(flow_block_count(g, 2), 40, "the next one its share of that");
	flow_free(g);
}

static void test_endless_loop_is_entered(void)
{
	struct flow_graph *g = flow_new();

	block(g, 1);
	block(g, 1000);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 1, 1);
	solves(g, "an endless loop");
	check_int(flow_block_count(g, 0), 1, "is entered");
	check_int(flow_block_count(g, 1), 1000, "and runs");
	check_int(flow_repairs(g), 1, "and left by a repair");
	flow_free(g);
}

static void test_island_is_connected(void)
{
	struct flow_graph *g = flow_new();

	block(g, 0);
	block(g, 1000);
	block(g, 0);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 1, 1);
	flow_add_edge(g, 1, 2);
	flow_add_edge(g, 2, FLOW_OUTSIDE);
	solves(g, "a hot loop in a cold function");
	check_int(flow_block_count(g, 0), 0, "is an island");
	check_int(flow_connect(g, 50), 1, "one path joins it");
	check_int(flow_block_count(g, 0), 50, "with as much as was allowed");
	check_int(flow_block_count(g, 1), 1050, "on all of its blocks");
	check_int(flow_edge_count(g, 4), 50, "and edges");
	check_int(flow_connect(g, 50), 0, "and then there is none left");
	flow_free(g);
}

static void test_several_ways_in_and_out(void)
{
	struct flow_graph *g = flow_new();

	block(g, 30);
	block(g, 70);
	block(g, 100);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, FLOW_OUTSIDE, 1);
	flow_add_edge(g, 0, 2);
	flow_add_edge(g, 1, 2);
	flow_add_edge(g, 2, FLOW_OUTSIDE);
	flow_add_edge(g, 2, FLOW_OUTSIDE);
	solves(g, "two entries, two exits");
	check_int(flow_edge_count(g, 0), 30, "one entry");
	check_int(flow_edge_count(g, 1), 70, "the other");
	check_int(flow_edge_count(g, 4) + flow_edge_count(g, 5), 100,
		  "all leaves");
	flow_free(g);
}

static void test_single_block(void)
{
	struct flow_graph *g = flow_new();

	block(g, 42);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, FLOW_OUTSIDE);
	solves(g, "a function of one block");
	check_int(flow_edge_count(g, 0), 42, "is entered");
	check_int(flow_edge_count(g, 1), 42, "and left");

	flow_reset(g);
	block(g, 42);
	solves(g, "a block without edges");
	check_int(flow_block_count(g, 0), 42, "keeps its count");
	check_int(flow_repairs(g), 84, "over repairs both ways");

	flow_reset(g);
	solves(g, "a graph without blocks");
	check_int(flow_repairs(g), 0, "has nothing");
	check_int(flow_connect(g, 1), 0, "at all");
	flow_free(g);
}

static void test_parallel_edges_and_loops(void)
{
	struct flow_graph *g = flow_new();
	struct flow_cost cost;

	block(g, 10);
	block(g, 1000);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 1, 1);
	flow_add_edge(g, 1, FLOW_OUTSIDE);
	flow_cost_linear(&cost, 4, 500, 500);
	flow_set_edge_cost(g, 2, &cost);
	solves(g, "parallel edges, one of them measured");
	check_int(flow_edge_count(g, 2), 4, "which keeps its count");
	check_int(flow_edge_count(g, 1), 6, "the other has the rest");
	check_int(flow_edge_count(g, 3), 990, "a block runs in its own loop");
	flow_free(g);
}

static void test_no_measurement_no_flow(void)
{
	struct flow_graph *g = flow_new();

	diamond(g, (int64_t[]){ -1, -1, -1, -1 });
	flow_add_edge(g, 3, 0);
	flow_set_edge_prior(g, 5, .1);
	solves(g, "a graph of which nothing is known");
	for (int b = 0; b < 4; b++)
		check_int(flow_block_count(g, b), 0, "has no counts");
	check_int(flow_connect(g, 10), 0, "and nothing to connect");
	flow_free(g);
}

static void test_measured_zero_stays(void)
{
	struct flow_graph *g = flow_new();

	diamond(g, (int64_t[]){ 100, 0, -1, 100 });
	flow_set_edge_prior(g, 1, .9);
	solves(g, "a cold arm that was expected to be hot");
	check_int(flow_block_count(g, 1), 0, "what was measured comes first");
	check_int(flow_block_count(g, 2), 100, "the unknown arm has it all");
	flow_free(g);
}

/* 0 calls something that does not return, in 1; 2 is reached from nowhere. */
static void test_unreachable_and_no_return(void)
{
	struct flow_graph *g = flow_new();

	block(g, 100);
	block(g, 3);
	block(g, 50);
	block(g, 147);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 0, 3);
	flow_add_edge(g, 2, 3);
	flow_add_edge(g, 3, FLOW_OUTSIDE);
	solves(g, "a landing pad and a call that does not return");
	check_int(flow_block_count(g, 1), 3, "the call keeps its count");
	check_int(flow_block_count(g, 2), 50, "so does the landing pad");
	check_int(flow_block_count(g, 3), 147, "and what both lead to");
	check_int(flow_edge_count(g, 2), 97, "the edges agree");
	check_int(flow_repairs(g), 53, "the repairs are told");
	flow_free(g);
}

/* 1 and 2 circle, entered from nowhere; one repair is enough for both. */
static void test_unreachable_loop(void)
{
	struct flow_graph *g = flow_new();

	block(g, 5);
	block(g, 200);
	block(g, 210);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, FLOW_OUTSIDE);
	flow_add_edge(g, 1, 2);
	flow_add_edge(g, 2, 1);
	flow_add_edge(g, 2, FLOW_OUTSIDE);
	solves(g, "a loop that nothing leads to");
	check_int(flow_block_count(g, 0), 5, "the rest is as measured");
	check(flow_block_count(g, 1) >= 200, "and the loop runs");
	check(flow_connect(g, 10) <= 1, "one path at most is missing");
	check(flow_repairs(g) > 0, "it is entered by a repair");
	flow_free(g);
}

static void test_edges_may_follow_a_solution(void)
{
	struct flow_graph *g = flow_new();

	block(g, 7);
	block(g, 7);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	solves(g, "a graph that lacks edges");
	check(flow_repairs(g) > 0, "is repaired");
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 1, FLOW_OUTSIDE);
	solves(g, "the same with all edges");
	check_int(flow_repairs(g), 0, "is not");
	check_int(flow_edge_count(g, 1), 7, "and has its counts");
	flow_free(g);
}

static void test_glpk_finds_the_same(void)
{
	struct flow_graph *g = flow_new();
	struct fdo_error err;

	diamond(g, (int64_t[]){ 100, 90, 30, 80 });
	check(flow_solve(g, MCF_GLPK, &err), "GLPK solves a diamond");
	check_int(flow_block_count(g, 0), flow_block_count(g, 3), "in = out");
	check(flow_block_count(g, 0) >= 100 && flow_block_count(g, 0) <= 120,
	      "between what was measured");
	flow_reset(g);
	diamond(g, (int64_t[]){ FLOW_MAX, -1, FLOW_MAX / 4, FLOW_MAX });
	check(flow_solve(g, MCF_GLPK, &err), "and with the largest counts");
	check_int(flow_block_count(g, 1), FLOW_MAX / 4 * 3, "exactly");
	flow_free(g);
}

/* Two arms, both unknown; which shares do priors give? */
static int64_t share_of(double first, double second)
{
	struct flow_graph *g = flow_new();
	int64_t count;

	diamond(g, (int64_t[]){ 1000, -1, -1, 1000 });
	if (first >= 0)
		flow_set_edge_prior(g, 1, first);
	if (second >= 0)
		flow_set_edge_prior(g, 2, second);
	solves(g, "a diamond with priors");
	count = flow_edge_count(g, 1);
	check_int(count + flow_edge_count(g, 2), 1000, "adds up");
	flow_free(g);
	return count;
}

static void test_priors(void)
{
	check_int(share_of(.25, .75), 250, "both shares given");
	check_int(share_of(-1, .75), 250, "one given, the other has the rest");
	check_int(share_of(.2, .6), 250, "what does not add up is in ratio");
	check_int(share_of(1, -1), 1000, "all");
	check_int(share_of(0, 0), 500, "none: alike");
}

/* An expected loop count may not override a measurement further down. */
static void test_prior_is_cheapest(void)
{
	struct flow_graph *g = flow_new();
	struct flow_cost cost;

	for (int b = 0; b < 40; b++)
		flow_add_block(g);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	for (int b = 0; b + 1 < 40; b++) {
		flow_add_edge(g, b, b + 1);
		flow_set_edge_prior(g, flow_add_edge(g, b, FLOW_OUTSIDE), .5);
	}
	flow_add_edge(g, 39, FLOW_OUTSIDE);
	flow_cost_linear(&cost, 1000000, 1, 1);
	flow_set_block_cost(g, 39, &cost);
	solves(g, "a long way with many exits");
	check_int(flow_block_count(g, 39), 1000000,
		  "to what was measured, at the smallest price");
	flow_free(g);
}

static void test_connect_takes_the_likeliest_way(void)
{
	struct flow_graph *g = flow_new();

	diamond(g, (int64_t[]){ 0, 0, 0, 0 });
	unsigned hot = block(g, 500);
	flow_add_edge(g, hot, hot);
	flow_add_edge(g, 1, hot);
	flow_add_edge(g, 2, hot);
	flow_add_edge(g, hot, 3);
	flow_set_edge_prior(g, 1, .1);
	flow_set_edge_prior(g, 2, .9);
	solves(g, "a hot loop between two cold arms");
	check_int(flow_connect(g, 1000000), 1, "is connected by one path");
	check_int(flow_block_count(g, 2), 50, "over the likelier arm");
	check_int(flow_block_count(g, 1), 0, "not the other");
	check_int(flow_block_count(g, hot), 550, "by a tenth of its count");
	flow_free(g);

	g = flow_new();
	block(g, 0);
	block(g, 5);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 1, 1);
	flow_add_edge(g, 1, FLOW_OUTSIDE);
	solves(g, "a loop that ran five times");
	flow_connect(g, 1000000);
	check_int(flow_block_count(g, 0), 1, "is connected by at least 1");
	flow_free(g);
}

/* The cheapest is first, and a path to it is a way to those behind it. */
static void test_connect_islands_in_a_row(void)
{
	struct flow_graph *g = flow_new();

	for (int b = 0; b < 5; b++)
		block(g, b % 2 ? 100 : 0);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	for (int b = 0; b < 4; b++) {
		flow_add_edge(g, b, b + 1);
		if (b % 2)
			flow_add_edge(g, b, b);
	}
	flow_add_edge(g, 4, FLOW_OUTSIDE);
	solves(g, "two hot loops in a row");
	check_int(flow_connect(g, 10), 1, "one path goes through both");
	check_int(flow_block_count(g, 1), 110, "the first");
	check_int(flow_block_count(g, 3), 110, "the second");
	flow_free(g);
}

/* Between 0 and 3 there is a way over 1 and 2, and one over "arm" alone. */
static void share_two_ways(bool long_first)
{
	struct flow_graph *g = flow_new();
	unsigned through = long_first ? 1 : 3, arm = long_first ? 3 : 1;

	for (int b = 0; b < 5; b++)
		block(g, b == 0 || b == 4 ? 100 : -1);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 0, 3);
	flow_add_edge(g, through, 2);
	flow_add_edge(g, long_first ? 2 : arm, 4);
	flow_add_edge(g, long_first ? arm : 2, 4);
	flow_add_edge(g, 4, FLOW_OUTSIDE);
	solves(g, "two unknown ways");
	check_int(flow_block_count(g, arm), 50, "get half each");
	flow_set_edge_prior(g, long_first ? 2 : 1, 1);
	solves(g, "one is likelier");
	check_int(flow_block_count(g, arm), 100, "and gets all");
	flow_free(g);
}

static void test_unknown_ways_share(void)
{
	share_two_ways(true);
	share_two_ways(false);
}

/*
 * Two hot loops, 1 and 2.  The way out of 1 is over 4 and the row after it;
 * 2 would rather go its own, over 3, but not once that of 1 is there.
 */
static void test_connect_uses_what_it_made(void)
{
	struct flow_graph *g = flow_new();

	for (int b = 0; b < 12; b++)
		block(g, b == 1 || b == 2 ? 1000 : 0);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 0, 2);
	flow_add_edge(g, 1, 1);
	flow_add_edge(g, 2, 2);
	flow_set_edge_prior(g, flow_add_edge(g, 1, 4), .5);
	flow_set_edge_prior(g, flow_add_edge(g, 2, 3), .3);
	flow_set_edge_prior(g, flow_add_edge(g, 2, 4), .2);
	for (int b = 4; b < 8; b++)
		flow_add_edge(g, b, b + 1);
	flow_add_edge(g, 8, FLOW_OUTSIDE);
	flow_add_edge(g, 3, 9);
	flow_add_edge(g, 9, 10);
	flow_add_edge(g, 10, 11);
	flow_add_edge(g, 11, FLOW_OUTSIDE);
	solves(g, "two hot loops side by side");
	check_int(flow_connect(g, 10), 2, "need a path each");
	check_int(flow_block_count(g, 8), 20, "which go out together");
	check_int(flow_block_count(g, 3), 0, "and not alone");
	flow_free(g);
}

/* Three handlers that each jump to any of the three, by one dispatch each. */
static void test_even(void)
{
	struct flow_graph *g = flow_new();
	static const int64_t counts[] = { 600, 300, 100 };
	unsigned edges[3][3], into[3], out[3], fixed;
	struct flow_cost cost;

	for (int i = 0; i < 3; i++)
		block(g, counts[i]);
	for (int i = 0; i < 3; i++) {
		into[i] = flow_add_edge(g, FLOW_OUTSIDE, i);
		out[i] = flow_add_edge(g, i, FLOW_OUTSIDE);
		for (int j = 0; j < 3; j++)
			edges[i][j] = flow_add_edge(g, i, j);
	}
	solves(g, "an interpreter");
	flow_even(g);
	for (int i = 0; i < 3; i++) {
		int64_t enters = flow_edge_count(g, into[i]);
		int64_t leaves = flow_edge_count(g, out[i]);

		check_int(flow_block_count(g, i), counts[i],
			  "blocks keep their counts");
		for (int j = 0; j < 3; j++) {
			enters += flow_edge_count(g, edges[j][i]);
			leaves += flow_edge_count(g, edges[i][j]);
		}
		check(enters == counts[i] && leaves == counts[i],
		      "edges add up to it");
	}
	check_int(flow_edge_count(g, edges[0][1]) /
			  (flow_edge_count(g, edges[2][1]) + 1),
		  flow_edge_count(g, edges[0][0]) /
			  (flow_edge_count(g, edges[2][0]) + 1),
		  "where control comes from says nothing");
	check(flow_edge_count(g, edges[0][1]) > 100 &&
		      flow_edge_count(g, edges[1][0]) > 100,
	      "all edges get their part");
	flow_reset(g);
	for (int i = 0; i < 2; i++)
		block(g, 100);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	edges[0][0] = flow_add_edge(g, 0, 1);
	fixed = flow_add_edge(g, 0, 1);
	flow_cost_bound(&cost, 0, 1);
	flow_set_edge_cost(g, fixed, &cost);
	flow_add_edge(g, 1, FLOW_OUTSIDE);
	solves(g, "two ways, one of which has a price");
	flow_even(g);
	check_int(flow_edge_count(g, fixed), 0, "which stays");
	check_int(flow_edge_count(g, edges[0][0]), 100, "and the other, too");
	flow_free(g);
}

/* Two after each other, each with a circle: from a or b on to p or q. */
static void test_even_in_parts(void)
{
	static const int64_t counts[] = { 100, 60, 40, 70, 30,
					  100, 50, 50, 20, 80 };
	struct flow_graph *g = flow_new();
	unsigned edges[2][2][2];

	for (int i = 0; i < 10; i++)
		block(g, counts[i]);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	for (int part = 0; part < 2; part++)
		for (int i = 0; i < 2; i++) {
			int first = 5 * part;
			unsigned next = part ? FLOW_OUTSIDE : 5;

			flow_add_edge(g, first, first + 1 + i);
			flow_add_edge(g, first + 3 + i, next);
		}
	for (int i = 0; i < 8; i++)
		edges[i & 1][i >> 1 & 1][i >> 2] =
			flow_add_edge(g, 5 * (i & 1) + 1 + (i >> 1 & 1),
				      5 * (i & 1) + 3 + (i >> 2));
	solves(g, "two parts");
	flow_even(g);
	check_int(flow_edge_count(g, edges[0][0][0]), 42,
		  "60 of 100, 70 of 100");
	check_int(flow_edge_count(g, edges[0][1][1]), 12,
		  "40 of 100, 30 of 100");
	check_int(flow_edge_count(g, edges[1][0][0]), 10,
		  "50 of 100, 20 of 100");
	check_int(flow_edge_count(g, edges[1][1][1]), 40,
		  "50 of 100, 80 of 100");
	flow_free(g);
}

int main(void)
{
	test_even();
	test_even_in_parts();
	test_unknown_ways_share();
	test_connect_uses_what_it_made();
	test_several_ways_in_and_out();
	test_single_block();
	test_parallel_edges_and_loops();
	test_no_measurement_no_flow();
	test_measured_zero_stays();
	test_unreachable_and_no_return();
	test_unreachable_loop();
	test_edges_may_follow_a_solution();
	test_glpk_finds_the_same();
	test_priors();
	test_prior_is_cheapest();
	test_connect_takes_the_likeliest_way();
	test_connect_islands_in_a_row();
	test_consistent_counts_stay();
	test_outlier_yields_and_unknown_follows();
	test_prior_splits_what_samples_leave_open();
	test_prior_splits_what_an_unknown_block_carries();
	test_endless_loop_is_entered();
	test_island_is_connected();
	return done();
}
