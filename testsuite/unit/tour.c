/*
 * The network simplex with its tree as a tour, from the start and where it
 * takes one by itself: cheapest by proof, as cheap as with a list.
 */
#include "base/error.h"
#include "mcf/mcf.h"
#include "mcf/simplex.h"
#include "testsuite/lib/network_check.h"
#include "testsuite/lib/random_cfg.h"
#include "testsuite/lib/tap.h"

enum { SEGMENTS = 12 };

/* So many segments around a count, at prices that have no limit in common. */
static void add_measured(struct mcf_network *net, unsigned tail, unsigned head,
			 int segments, uint64_t *random)
{
	int64_t count = random_below(random, 1000), left = count;
	int64_t width[SEGMENTS], price[SEGMENTS];
	int64_t step = 100 + random_below(random, 1000);

	for (int i = 0; i < segments; i++) {
		int rank = i - segments / 2;

		price[i] = rank * step + (rank >= 0 ? step : 0);
		width[i] = rank < -1 ? left / 2 : left;
		left -= width[i];
		if (rank >= 0)
			width[i] = i + 1 < segments ? count / 4 + 1 : MCF_MAX;
	}
	mcf_add_convex(net, tail, head, segments, width, price);
}

/* Blocks that lead to the next one and to any other: nothing fits. */
static void build_tangle(struct mcf_network *net, unsigned blocks, int segments,
			 uint64_t seed)
{
	uint64_t random = seed;

	mcf_reset(net, 2 * blocks + 1);
	for (unsigned b = 0; b < blocks; b++) {
		unsigned enters = 1 + 2 * b, leaves = 2 + 2 * b;
		unsigned other = 1 + 2 * random_below(&random, blocks);

		add_measured(net, enters, leaves, segments, &random);
		mcf_add_arc(net, leaves, b + 1 < blocks ? enters + 2 : 0, 0,
			    MCF_MAX, 1);
		mcf_add_arc(net, leaves, other, 0, MCF_MAX, 1);
	}
	mcf_add_arc(net, 0, 1, 0, MCF_MAX, 1);
}

static __int128 solve(struct mcf_network *net, bool tours, int *wrong)
{
	struct fdo_error err;

	net->tours = tours;
	if (!mcf_solve(net, MCF_SIMPLEX, &err)) {
		printf("# %s\n", err.text);
		++*wrong;
		return 0;
	}
	*wrong += !network_balanced(net) || !network_optimal(net);
	return network_cost(net);
}

static bool was_tour(const struct mcf_network *net)
{
	return net->simplex && net->simplex->lift;
}

/* From one chunk of the tour to some tens of them, in the same memory. */
static void test_all_sizes(int segments)
{
	struct mcf_network *net = mcf_new(0);
	int wrong = 0, dear = 0, tours = 0;

	for (int seed = 0; seed < 300; seed++) {
		unsigned blocks = 10 + (seed * 7919) % 300;
		__int128 cost;

		build_tangle(net, blocks, segments, seed);
		cost = solve(net, false, &wrong);
		dear += was_tour(net);
		build_tangle(net, blocks, segments, seed);
		dear += solve(net, true, &wrong) != cost;
		tours += was_tour(net);
	}
	mcf_free(net);
	printf("# %d segments\n", segments);
	check_int(wrong, 0, "tangles of all sizes are solved");
	check_int(dear, 0, "at the same cost, and small ones with a list");
	check(tours > 250, "or with a tour where that is asked for");
}

/* Large enough for the tree to become a tour, and for nodes to be sorted. */
static void test_by_itself(int segments)
{
	struct mcf_network *net = mcf_new(0);
	int wrong = 0;
	__int128 cost;

	build_tangle(net, 3000, segments, 1);
	cost = solve(net, false, &wrong);
	check(was_tour(net), "a large tangle makes the tree a tour");
	check(solve(net, true, &wrong) == cost, "from the start or later");
	check_int(wrong, 0, "which finds the cheapest flow");
	build_tangle(net, 3000, segments, 2);
	solve(net, false, &wrong);
	build_tangle(net, 100, segments, 3);
	solve(net, false, &wrong);
	check(!was_tour(net), "but not the one after it");
	check_int(wrong, 0, "and this is solved as well");
	mcf_free(net);
}

/* Lower bounds, all ranges of numbers, any shape. */
static void test_bounds(void)
{
	struct mcf_network *net = mcf_new(0);
	struct fdo_error err;
	int solved = 0, wrong = 0, differ = 0;

	for (int seed = 0; seed < 500; seed++) {
		bool found[2];

		for (int tours = 0; tours < 2; tours++) {
			uint64_t random = seed;
			unsigned nodes = 2 + random_below(&random, 60);

			mcf_reset(net, nodes);
			for (unsigned i = 0; i < 3 * nodes; i++) {
				int64_t lower = random_bits(&random) >> 24;
				int64_t more = random_bits(&random) >> 21;
				int64_t cost = random_bits(&random) >> 24;

				if (random_below(&random, 8))
					lower = 0;
				mcf_add_arc(net, random_below(&random, nodes),
					    random_below(&random, nodes), lower,
					    lower + more,
					    cost - MCF_COST_MAX / 2);
			}
			net->tours = tours;
			found[tours] = mcf_solve(net, MCF_SIMPLEX, &err);
			if (!found[tours])
				continue;
			solved++;
			wrong +=
				!network_balanced(net) || !network_optimal(net);
		}
		differ += found[0] != found[1];
	}
	mcf_free(net);
	printf("# %d of 1000 have a flow\n", solved);
	check(solved > 200 && solved < 900, "some bounds can be met");
	check_int(wrong, 0, "as cheaply as can be");
	check_int(differ, 0, "with a list and with a tour");
}

int main(void)
{
	test_all_sizes(3);
	test_all_sizes(SEGMENTS);
	test_by_itself(3);
	test_by_itself(SEGMENTS);
	test_bounds();
	return done();
}
