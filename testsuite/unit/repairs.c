/*
 * What the ways in and out of a graph cost: those that it has by their own
 * prices, those that it lacks less than a measured execution is worth, and
 * more than what the graph has.
 */
#include "base/error.h"
#include "mcf/smooth.h"
#include "testsuite/lib/flow_check.h"
#include "testsuite/lib/tap.h"

/* 0 goes on to 1, which leaves, or to 2, a call that does not return. */
static void test_no_way_around(void)
{
	struct flow_graph *g = flow_new();

	block(g, 100);
	priced_block(g, 50, 1000, 300);
	priced_block(g, 0, 1000, 200);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 0, 2);
	flow_add_edge(g, 1, FLOW_OUTSIDE);
	solves(g, "a call that might not return");
	check_int(flow_block_count(g, 1), 100, "did");
	check_int(flow_block_count(g, 2), 0, "though that costs more");
	check_int(flow_repairs(g), 0, "but for the repair");
	flow_free(g);
}

/* The same with 2 measured; 1 takes more at a price that it is not worth. */
static void test_worth_it(void)
{
	struct flow_graph *g = flow_new();

	block(g, 100);
	block(g, 50);
	block(g, 50);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 0, 2);
	flow_add_edge(g, 1, FLOW_OUTSIDE);
	solves(g, "a call that was measured");
	check_int(flow_block_count(g, 2), 50, "does not return");
	check_int(flow_repairs(g), 50, "which is told");
	flow_free(g);
}

/* One block, entered and left two ways, one of them priced on each side. */
static void test_priced_apart(void)
{
	struct flow_graph *g = flow_new();
	struct flow_cost dear;
	unsigned in[2], out[2];

	flow_cost_bound(&dear, 30, 5);
	block(g, 100);
	priced_block(g, 0, 1000, 1);
	for (int i = 0; i < 2; i++)
		in[i] = flow_add_edge(g, FLOW_OUTSIDE, i);
	flow_add_edge(g, 1, 0);
	for (int i = 0; i < 2; i++)
		out[i] = flow_add_edge(g, 0, FLOW_OUTSIDE);
	solves(g, "two ways in");
	check_int(flow_edge_count(g, in[0]), 100, "the nearer is taken");
	flow_set_edge_cost(g, in[0], &dear);
	solves(g, "one of them priced above 30");
	check_int(flow_edge_count(g, in[0]), 30, "has so many");
	check_int(flow_edge_count(g, in[1]), 70, "and the other the rest");
	flow_set_edge_cost(g, out[1], &dear);
	flow_cost_bound(&dear, 10, 5);
	flow_set_edge_cost(g, out[0], &dear);
	solves(g, "and ways out");
	check_int(flow_edge_count(g, in[0]), 30, "do not change that");
	check_int(flow_edge_count(g, out[0]) + flow_edge_count(g, out[1]), 100,
		  "what enters leaves");
	check(flow_edge_count(g, out[0]) >= 10 &&
		      flow_edge_count(g, out[1]) >= 30,
	      "first as far as it is free");
	flow_free(g);
}

int main(void)
{
	test_no_way_around();
	test_worth_it();
	test_priced_apart();
	return done();
}
