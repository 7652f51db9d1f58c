/*
 * The network simplex with its tree as a tour, from the start and where it
 * takes one by itself: cheapest by proof, as cheap as with a list.
 */
#include "base/error.h"
#include "mcf/mcf.h"
#include "mcf/simplex.h"
#include "testsuite/lib/network_check.h"
#include "testsuite/lib/random_cfg.h"
#include "testsuite/lib/simplex_check.h"
#include "testsuite/lib/tangle.h"
#include "testsuite/lib/tap.h"

static __int128 solve(struct mcf_network *net, bool tours, int *wrong)
{
	net->tours = tours;
	return solve_checked(net, wrong);
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

		tangle_build(net, blocks, segments, seed);
		cost = solve(net, false, &wrong);
		dear += was_tour(net);
		tangle_build(net, blocks, segments, seed);
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

	tangle_build(net, 3000, segments, 1);
	cost = solve(net, false, &wrong);
	check(was_tour(net), "a large tangle makes the tree a tour");
	check(solve(net, true, &wrong) == cost, "from the start or later");
	check_int(wrong, 0, "which finds the cheapest flow");
	tangle_build(net, 3000, segments, 2);
	solve(net, false, &wrong);
	tangle_build(net, 100, segments, 3);
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
	test_all_sizes(TANGLE_SEGMENTS);
	test_by_itself(3);
	test_by_itself(TANGLE_SEGMENTS);
	test_bounds();
	return done();
}
