/* The shapes of flow_cost_*(), and where they let two blocks meet. */
#include "base/error.h"
#include "mcf/smooth.h"
#include "testsuite/lib/flow_check.h"
#include "testsuite/lib/tap.h"

/* 0 was measured a, 1 after it b: where do they meet? */
static int64_t meet(const struct flow_cost *a, const struct flow_cost *b)
{
	struct flow_graph *g = flow_new();
	int64_t count;

	flow_add_block(g);
	flow_add_block(g);
	flow_add_edge(g, FLOW_OUTSIDE, 0);
	flow_add_edge(g, 0, 1);
	flow_add_edge(g, 1, FLOW_OUTSIDE);
	flow_set_block_cost(g, 0, a);
	flow_set_block_cost(g, 1, b);
	solves(g, "two blocks in a row");
	count = flow_edge_count(g, 1);
	flow_free(g);
	return count;
}

static void test_cheaper_direction_wins(void)
{
	struct flow_cost a, b;

	flow_cost_linear(&a, 10, 2, 5);
	flow_cost_linear(&b, 50, 2, 5);
	check_int(meet(&a, &b), 10, "down, where lowering is cheaper");
	flow_cost_linear(&a, 10, 5, 2);
	flow_cost_linear(&b, 50, 5, 2);
	check_int(meet(&a, &b), 50, "up, where raising is cheaper");
	flow_cost_linear(&a, 0, 9, 1);
	check_int(meet(&a, &b), 50, "zero rises like any other");
	flow_cost_bound(&a, 20, 1);
	check_int(meet(&a, &b), 50, "a bound gives way to what is dearer");
	flow_cost_bound(&a, 20, 6);
	check_int(meet(&a, &b), 20, "and holds against what is cheaper");
	flow_cost_bound(&a, 80, 6);
	check_int(meet(&a, &b), 50, "below it everything is free");
	flow_cost_linear(&a, FLOW_MAX, FLOW_PRICE_MAX, 1);
	check_int(meet(&a, &b), FLOW_MAX, "the largest count at any price");
}

/* Two measured it, 10 and 30: between them one is as wrong as the other. */
static void test_segments_of_ones_own(void)
{
	struct flow_cost a = { 0 }, b;

	flow_cost_add(&a, 10, -4);
	flow_cost_add(&a, 0, -2);
	flow_cost_add(&a, 20, 0);
	flow_cost_add(&a, FLOW_MAX, 4);
	check_int(a.n, 3, "what has no width is no segment");
	flow_cost_linear(&b, 20, 1, 1);
	check_int(meet(&a, &b), 20, "between them it is free");
	flow_cost_linear(&b, 50, 3, 3);
	check_int(meet(&a, &b), 30, "and dear beyond");
	flow_cost_linear(&b, 0, 3, 3);
	check_int(meet(&a, &b), 10, "either way");
}

static void test_kl_meets_between(void)
{
	struct flow_cost a, b;
	int64_t middle;

	flow_cost_kl(&a, 100, 10, 1000);
	flow_cost_kl(&b, 400, 10, 1000);
	middle = meet(&a, &b);
	check(middle >= 160 && middle <= 260, "equal weights meet between");
	flow_cost_kl(&a, 100, 10, 9000);
	check(meet(&a, &b) <= 120, "close to the heavier one");
	flow_cost_kl(&b, 0, 100, 1000);
	flow_cost_kl(&a, 1000, 100, 1000);
	middle = meet(&a, &b);
	check(middle > 100 && middle < 1000, "a measured block is not dropped");
}

/* The price of the execution that follows "count" others. */
static int64_t price_at(const struct flow_cost *cost, int64_t count)
{
	for (unsigned i = 0; i < cost->n; i++) {
		if (count < cost->width[i])
			return cost->price[i];
		count -= cost->width[i];
	}
	return INT64_MAX;
}

static void test_kl_is_convex_and_near_the_curve(void)
{
	static const int64_t counts[] = { 0, 1, 2, 7, 50, 1000, FLOW_MAX };
	struct flow_cost cost;

	for (size_t c = 0; c < sizeof(counts) / sizeof(*counts); c++) {
		int64_t count = counts[c], below = 0;
		bool good;

		flow_cost_kl(&cost, count, 20, 1000);
		good = cost.width[cost.n - 1] == FLOW_MAX;
		for (unsigned i = 0; i < cost.n; i++) {
			good &= cost.width[i] > 0;
			good &= i == 0 || cost.price[i - 1] <= cost.price[i];
			if (cost.price[i] < 0)
				below += cost.width[i];
		}
		check(good, "widths are positive and prices rise");
		check_int(below, count, "they turn positive at the count");
	}
	flow_cost_kl(&cost, 1000, 20, 1000);
	check_int(price_at(&cost, 1400), 318, "ln 1.375 where it ends at 1.5");
	check_int(price_at(&cost, 400), -856, "ln .425 where it ends at .5");
	check_int(price_at(&cost, 0), -3500, "the last is the dearest to lose");
	flow_cost_kl(&cost, 0, 20, 1000);
	check_int(price_at(&cost, 0), 49, "zero rises at almost no price");
	check_int(price_at(&cost, 30), 916, "then by the floor's measure");
	flow_cost_kl(&cost, 10, 20, FLOW_PRICE_MAX);
	check_int(price_at(&cost, 0), -FLOW_PRICE_MAX, "prices are cut off");
}

static void test_least_is_beside_the_rest(void)
{
	struct flow_cost cost = { 0 };

	flow_cost_least(&cost, 50, 7);
	check_int(price_at(&cost, 49), -7, "it costs to stay below");
	check_int(price_at(&cost, 50), 0, "and nothing to be above");
	check_int(price_at(&cost, FLOW_MAX - 1), 0, "however far");
	flow_cost_linear(&cost, 100, 3, 2);
	flow_cost_least(&cost, 150, 7);
	check_int(price_at(&cost, 99), -10, "both prices below both");
	check_int(price_at(&cost, 100), -5, "one each between");
	check_int(price_at(&cost, 149), -5, "up to the end");
	check_int(price_at(&cost, 150), 2, "then the old one");
	flow_cost_linear(&cost, 100, 3, 2);
	flow_cost_least(&cost, 0, 7);
	check_int(price_at(&cost, 0), -3, "none is no price");
	check_int(cost.n, 2, "and no segment");
	flow_cost_bound(&cost, 100, 4);
	flow_cost_least(&cost, FLOW_MAX, 7);
	check_int(price_at(&cost, 99), -7, "all that there can be");
	check_int(price_at(&cost, FLOW_MAX - 1), -3, "with a bound in it");
}

int main(void)
{
	test_cheaper_direction_wins();
	test_segments_of_ones_own();
	test_kl_meets_between();
	test_kl_is_convex_and_near_the_curve();
	test_least_is_beside_the_rest();
	return done();
}
