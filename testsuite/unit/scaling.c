/*
 * Cost scaling, and the network simplex from what it finds: the flow is one,
 * nearly the cheapest, with a forest of its arcs; and the end is as cheap as
 * any, by proof, by the simplex alone, and by GLPK.
 */
#include "mcf/scaling.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "mcf/mcf.h"
#include "mcf/simplex.h"
#include "testsuite/lib/network_check.h"
#include "testsuite/lib/random_cfg.h"
#include "testsuite/lib/simplex_check.h"
#include "testsuite/lib/tangle.h"
#include "testsuite/lib/tap.h"

/* Of what scaling found last. */
static struct room memory;

static __int128 solve(struct mcf_network *net, bool scales, int *wrong)
{
	net->scales = scales;
	return solve_checked(net, wrong);
}

static void set_flow(struct mcf_network *net, const struct scaling *flow)
{
	for (unsigned a = 0; a < net->narcs; a++) {
		struct mcf_arc *arc = &net->arcs[a];
		const struct scaling_spot *spot = &flow->spots[a];

		arc->flow = arc->lower + (spot->within ? spot->below : 0);
		for (unsigned i = arc->first; i < spot->at; i++)
			arc->flow += net->segments[i].width;
	}
}

/* Nodes in the wrong order, or by arcs that are not within a segment. */
static int wrong_nodes(const struct mcf_network *net,
		       const struct scaling *flow)
{
	bool *seen = calloc(net->nodes, sizeof(*seen));
	int wrong = 0;

	for (unsigned i = 0; i < net->nodes; i++) {
		unsigned u = flow->order[i], end = flow->above[u];
		const struct mcf_arc *arc = &net->arcs[end / 2];

		wrong += seen[u];
		seen[u] = true;
		if (end == NO_ARC)
			continue;
		wrong += u != (end % 2 ? arc->head : arc->tail);
		wrong += !seen[end % 2 ? arc->tail : arc->head];
		wrong += !flow->spots[end / 2].within;
	}
	free(seen);
	return wrong;
}

/*
 * Arcs that could join two parts of the forest; *extra that are within a
 * segment without being in it.
 */
static int missed_arcs(const struct mcf_network *net,
		       const struct scaling *flow, int *extra)
{
	unsigned *part = calloc(net->nodes, sizeof(*part));
	int missed = 0;

	*extra = 0;
	for (unsigned i = 0; i < net->nodes; i++) {
		unsigned u = flow->order[i], end = flow->above[u];
		const struct mcf_arc *arc = &net->arcs[end / 2];

		part[u] = u;
		if (end == NO_ARC)
			continue;
		part[u] = part[end % 2 ? arc->tail : arc->head];
		--*extra;
	}
	for (unsigned a = 0; a < net->narcs; a++) {
		*extra += flow->spots[a].within;
		missed += flow->spots[a].within &&
			  part[net->arcs[a].tail] != part[net->arcs[a].head];
	}
	free(part);
	return missed;
}

/* Rooms within a segment that are not its width. */
static int wrong_rooms(const struct mcf_network *net,
		       const struct scaling *flow)
{
	int wrong = 0;

	for (unsigned a = 0; a < net->narcs; a++) {
		const struct scaling_spot *spot = &flow->spots[a];

		if (!spot->within)
			continue;
		wrong += spot->above <= 0 || spot->below <= 0;
		wrong += spot->above + spot->below !=
			 net->segments[spot->at].width;
	}
	return wrong;
}

/* Moves along an arc that save more than epsilon by the potentials. */
static int wrong_arcs(const struct mcf_network *net, const struct scaling *flow)
{
	int wrong = 0;

	for (unsigned a = 0; a < net->narcs; a++) {
		const struct mcf_arc *arc = &net->arcs[a];
		int64_t step = (int64_t)flow->nodes[arc->head].potential -
			       flow->nodes[arc->tail].potential;
		int64_t price;

		if (network_step(net, arc, 1, &price))
			wrong += (price >> flow->shift) < step - flow->epsilon;
		if (network_step(net, arc, -1, &price))
			wrong += -(-price >> flow->shift) <
				 -step - flow->epsilon;
	}
	return wrong;
}

static void test_flow(int segments)
{
	struct mcf_network *net = mcf_new(0);
	int none = 0, unbalanced = 0, wrong = 0, missed = 0, dear = 0;
	struct scaling *large;
	int off = 0, left = 0, soon = 0, narrow = 0, extra;
	double more = 0, all = 0;

	for (int seed = 0; seed < 100; seed++) {
		struct scaling *flow;
		__int128 nearly, cost;

		tangle_build(net, 10 + seed * 7, segments, seed);
		flow = scaling_flow(net, &memory, 0);
		none += !flow;
		if (!flow)
			continue;
		set_flow(net, flow);
		unbalanced += !network_balanced(net);
		wrong += wrong_nodes(net, flow);
		narrow += wrong_rooms(net, flow);
		missed += missed_arcs(net, flow, &extra);
		off += wrong_arcs(net, flow);
		left += extra;
		soon += flow->epsilon > 1;
		nearly = network_cost(net);
		tangle_build(net, 10 + seed * 7, segments, seed);
		cost = solve(net, false, &wrong);
		dear += nearly < cost;
		more += nearly - cost;
		all += fabs((double)cost);
	}
	printf("# %d segments, %.5f above the least cost\n", segments,
	       more / all);
	tangle_build(net, 8000, segments, 3);
	large = scaling_flow(net, &memory, 0);
	check(large, "what a large tangle has over is led to where it lacks");
	mcf_free(net);
	check_int(none, 0, "all tangles get a flow");
	check_int(unbalanced, 0, "that adds up at each node");
	check_int(off, 0, "no arc of it is wrong by more than epsilon");
	check_int(dear, 0, "nor is it cheaper than the cheapest");
	check(more < .0022 * all, "or dearer by much");
	check_int(narrow, 0, "each arc's room is that of its segments");
	check_int(left, 0, "all its arcs within a segment are in a forest");
	check(soon > 50, "and epsilon seldom falls to the end");
	check_int(wrong, 0, "with a forest, from the top down");
	check_int(missed, 0, "of all arcs that there are for it");
}

/* Eight ways from each block, narrow and of all prices: one step is too few. */
static void mesh_build(struct mcf_network *net, unsigned blocks, uint64_t seed)
{
	uint64_t random = seed;

	mcf_reset(net, 2 * blocks);
	for (unsigned b = 0; b < blocks; b++) {
		int64_t count = 1 + random_below(&random, 1000);
		int64_t price = random_below(&random, 1000000);

		mcf_add_arc(net, 2 * b, 2 * b + 1, 0, count, -1000000 - price);
		mcf_add_arc(net, 2 * b, 2 * b + 1, 0, MCF_MAX, 1 + price);
		for (int i = 0; i < 8; i++) {
			unsigned other = 2 * random_below(&random, blocks);
			int64_t width = 1 + random_below(&random, 1000);

			price = 1 + random_below(&random, 200000);
			mcf_add_arc(net, 2 * b + 1, other, 0, width, price);
		}
	}
}

static void test_steps(void)
{
	struct mcf_network *net = mcf_new(0);
	int unbalanced = 0, off = 0, dear = 0, wrong = 0;

	for (int seed = 0; seed < 20; seed++) {
		struct scaling *flow;
		__int128 cost;

		mesh_build(net, 200 + 20 * seed, seed);
		flow = scaling_flow(net, &memory, 0);
		off += !flow;
		if (!flow)
			continue;
		set_flow(net, flow);
		unbalanced += !network_balanced(net);
		off += wrong_arcs(net, flow);
		mesh_build(net, 200 + 20 * seed, seed);
		cost = solve(net, false, &wrong);
		mesh_build(net, 200 + 20 * seed, seed);
		dear += solve(net, true, &wrong) != cost;
	}
	mcf_free(net);
	check_int(unbalanced, 0, "after some steps, too, the flow adds up");
	check_int(off, 0, "and no arc is wrong by more than the last epsilon");
	check_int(dear, 0, "and the simplex makes it the cheapest");
	check_int(wrong, 0, "without a fault");
}

static void test_exact(int segments)
{
	struct mcf_network *net = mcf_new(0);
	int wrong = 0, dear = 0;

	for (int seed = 0; seed < 300; seed++) {
		unsigned blocks = 2 + (seed * 7919) % 300;
		__int128 cost;

		tangle_build(net, blocks, segments, seed);
		cost = solve(net, false, &wrong);
		tangle_build(net, blocks, segments, seed);
		dear += solve(net, true, &wrong) != cost;
		net->tours = true;
		tangle_build(net, blocks, segments, seed);
		dear += solve(net, true, &wrong) != cost;
		net->tours = false;
	}
	mcf_free(net);
	check_int(wrong, 0, "the simplex makes it the cheapest");
	check_int(dear, 0, "with a list and with a tour");
}

/* Is a flow taken that is that much beyond an arc's upper or lower bound? */
static bool takes(const struct mcf_network *net, struct mcf_arc *arc,
		  int64_t over)
{
	int64_t flow = arc->flow;
	struct scaling *found;

	arc->flow = arc->lower + over;
	if (over >= 0)
		for (unsigned i = 0; i < arc->n; i++)
			arc->flow += net->segments[arc->first + i].width;
	found = scaling_again(net, &memory, 0);
	arc->flow = flow;
	return found;
}

static void test_taken_up(void)
{
	struct mcf_network *net = mcf_new(0);
	int none = 0, wrong = 0, rooms = 0, missed = 0, dear = 0;
	int within = 0, out = 0;

	for (int seed = 0; seed < 20; seed++) {
		struct scaling *flow;
		__int128 cost;
		int extra;

		tangle_build(net, 20 + seed * 9, 5, seed);
		cost = solve(net, false, &wrong);
		flow = scaling_again(net, &memory, 0);
		none += !flow;
		if (!flow)
			continue;
		wrong += wrong_nodes(net, flow);
		rooms += wrong_rooms(net, flow);
		missed += missed_arcs(net, flow, &extra);
		set_flow(net, flow);
		dear += !network_balanced(net) || network_cost(net) != cost;
		for (unsigned a = 0; a < net->narcs; a += 7) {
			within += takes(net, &net->arcs[a], 0);
			out += takes(net, &net->arcs[a], 1);
			out += takes(net, &net->arcs[a], -1);
		}
	}
	mcf_free(net);
	check_int(none, 0, "a flow that is there is taken up again");
	check_int(dear, 0, "as cheap as it is");
	check_int(wrong, 0, "with a forest");
	check_int(rooms, 0, "and what room there is");
	check_int(missed, 0, "of all arcs within a segment");
	check(within > 500, "up to the bounds");
	check_int(out, 0, "but not beyond");
}

static void test_glpk(void)
{
	struct mcf_network *net = mcf_new(0);
	struct fdo_error err;
	int wrong = 0, differ = 0;

	for (int seed = 0; seed < 50; seed++) {
		__int128 cost;

		tangle_build(net, 3 + seed, 5, seed);
		cost = solve(net, true, &wrong);
		tangle_build(net, 3 + seed, 5, seed);
		wrong += !mcf_solve(net, MCF_GLPK, &err);
		differ += network_cost(net) != cost;
	}
	mcf_free(net);
	check_int(wrong, 0, "GLPK can do these, too");
	check_int(differ, 0, "and finds none that is cheaper");
}

/* A structured program, its blocks measured with noise, one rank of prices. */
static void nested_build(struct mcf_network *net, int blocks, uint64_t seed)
{
	struct random_cfg cfg = { 0 };
	uint64_t random = seed;

	random_cfg_make(&cfg, blocks, seed);
	random_cfg_run(&cfg, 200);
	mcf_reset(net, 2 * cfg.nblocks + 1);
	for (unsigned b = 0; b < cfg.nblocks; b++) {
		double noise = exp(.5 * random_normal(&random));
		int64_t seen = llround(cfg.count[b] * noise);

		mcf_add_arc(net, 1 + 2 * b, 2 + 2 * b, 0, seen, -320);
		mcf_add_arc(net, 1 + 2 * b, 2 + 2 * b, 0, MCF_MAX, 160);
	}
	for (unsigned e = 0; e < cfg.nedges; e++) {
		unsigned from = cfg.edges[e].from, to = cfg.edges[e].to;

		mcf_add_arc(net, from == CFG_OUTSIDE ? 0 : 2 + 2 * from,
			    to == CFG_OUTSIDE ? 0 : 1 + 2 * to, 0, MCF_MAX, 1);
	}
	random_cfg_free(&cfg);
}

/* Where the first pivots leave much and many arcs are worth something. */
static void test_by_itself(int segments)
{
	struct mcf_network *net = mcf_new(0);
	const struct simplex *s;
	uint64_t climbed, given_up;
	int wrong = 0;
	__int128 cost;

	tangle_build(net, 2000, segments, 1);
	cost = solve(net, false, &wrong);
	s = net->simplex;
	climbed = s->climbed;
	given_up = s->given_up;
	printf("# %d nodes, %d arcs in cycles\n", (int)s->root, (int)given_up);
	check(given_up > 0 && given_up < s->root / 8,
	      "a large tangle is told before pivots go around many nodes");
	tangle_build(net, 2000, segments, 1);
	check(solve(net, true, &wrong) == cost && s->climbed == climbed,
	      "and solved as if that were asked for");
	mcf_free(net);
}

/* Draw some edges of a tangle to another flow, as a prior does. */
static void draw(struct mcf_network *net, int64_t bound, int64_t price,
		 uint64_t seed)
{
	uint64_t random = seed;

	for (unsigned a = 0; a < net->narcs; a++) {
		int64_t target = random_below(&random, 500);
		int64_t by = random_below(&random, 2) ? price : 0;

		if (a % 3)
			mcf_set_convex(net, a, 2,
				       (int64_t[]){ target, bound - target },
				       (int64_t[]){ 1 - by, 1 + by });
	}
}

/* Prices change a little, then much, then bounds as well. */
static void test_again(bool scales)
{
	static const int64_t prices[] = { 1, 3, 2000, 2 };
	static const int64_t bounds[] = { MCF_MAX, MCF_MAX, MCF_MAX, 600 };
	struct mcf_network *net = mcf_new(0), *fresh = mcf_new(0);
	int wrong = 0, dear = 0, kept = 0, long_ways = 0;

	for (int seed = 0; seed < 4; seed++) {
		tangle_build(net, 1500, 4, seed);
		solve(net, scales, &wrong);
		for (int i = 0; i < 4; i++) {
			__int128 cost;

			kept += net->simplex->last != NULL;
			tangle_build(fresh, 1500, 4, seed);
			draw(fresh, bounds[i], prices[i], seed + i);
			cost = solve(fresh, scales, &wrong);
			draw(net, bounds[i], prices[i], seed + i);
			dear += solve(net, scales, &wrong) != cost;
			if (i < 2)
				long_ways += net->simplex->given_up > 0 ||
					     net->simplex->climbed >
						     fresh->simplex->climbed;
		}
		/* One that is too small to be kept, where there was another. */
		tangle_build(net, 100, 4, seed);
		solve(net, scales, &wrong);
		draw(net, MCF_MAX, 1, seed);
		solve(net, scales, &wrong);
		kept -= net->simplex->last != NULL;
	}
	mcf_free(net);
	mcf_free(fresh);
	check_int(kept, 4 * 4, "a large one is kept, and only such");
	check_int(wrong, 0, "what changes is solved again");
	check_int(dear, 0, "as well as if it were new");
	check_int(long_ways, 0, "and soon, if the change is little");
}

/* A few arcs that cost far more than all others change nothing. */
static void test_dear(int segments)
{
	struct mcf_network *net = mcf_new(0);
	uint64_t climbed[2];
	int wrong = 0;

	for (int dear = 0; dear < 2; dear++) {
		tangle_build(net, 2000, segments, 1);
		for (int i = 0; dear && i < 3; i++)
			mcf_add_arc(net, i, 100 * i + 7, 0, MCF_MAX,
				    MCF_COST_MAX >> 10 * i);
		solve(net, true, &wrong);
		climbed[dear] = net->simplex->climbed;
	}
	mcf_free(net);
	printf("# %d arcs in cycles, and %d\n", (int)climbed[0],
	       (int)climbed[1]);
	check_int(wrong, 0, "dear arcs do no harm");
	check(climbed[1] < 2 * climbed[0], "and make pivots no longer");
}

/* And only there. */
static void test_others(void)
{
	struct mcf_network *net = mcf_new(0);
	int wrong = 0, tangles = 0, large = 0;

	for (int seed = 0; seed < 20; seed++) {
		nested_build(net, 6000 + 1000 * seed, seed);
		solve(net, false, &wrong);
		tangles += net->simplex->given_up > 0;
		large += net->simplex->root >= 1000 &&
			 net->simplex->climbed > net->simplex->root;
	}
	mcf_reset(net, 4000);
	for (unsigned u = 0; u < 4000; u++) {
		mcf_add_arc(net, u, (u + 1) % 4000, 0, 1000 + u, -1 - u % 7);
		mcf_add_arc(net, u, (u + 1) % 4000, 0, MCF_MAX, 1 + u % 5);
	}
	solve(net, false, &wrong);
	check_int(wrong, 0, "others are solved as ever");
	check_int(tangles, 0, "and no structured program is taken for one");
	printf("# %d are large\n", large);
	check(large >= 10, "however large");
	mcf_free(net);
}

/* Numbers of all sizes, any shape, and bounds that may not be met. */
static void test_bounds(bool bounds)
{
	struct mcf_network *net = mcf_new(0);
	struct fdo_error err;
	int solved = 0, wrong = 0, differ = 0;

	for (int seed = 0; seed < 500; seed++) {
		bool found[2];

		for (int scales = 0; scales < 2; scales++) {
			uint64_t random = seed;
			unsigned nodes = 2 + random_below(&random, 60);
			int size = random_below(&random, 20);

			mcf_reset(net, nodes);
			for (unsigned i = 0; i < 3 * nodes; i++) {
				int64_t lower = random_bits(&random) >> 24;
				int64_t more = random_bits(&random) >> 21;
				int64_t cost = random_bits(&random) >> 24;
				bool has_lower = !random_below(&random, 8);

				mcf_add_arc(net, random_below(&random, nodes),
					    random_below(&random, nodes),
					    bounds && has_lower ? lower : 0,
					    bounds && has_lower ? lower + more
								: more,
					    (cost - MCF_COST_MAX / 2) >> size);
			}
			net->scales = scales;
			found[scales] = mcf_solve(net, MCF_SIMPLEX, &err);
			if (!found[scales])
				continue;
			solved++;
			wrong +=
				!network_balanced(net) || !network_optimal(net);
		}
		differ += found[0] != found[1];
	}
	mcf_free(net);
	printf("# %d of 1000 have a flow\n", solved);
	check(bounds ? solved > 200 && solved < 900 : solved == 1000,
	      bounds ? "some bounds can be met" : "all networks are solved");
	check_int(wrong, 0, "as cheaply as can be");
	check_int(differ, 0, "from a flow and from none");
}

/* Excesses of more than 2^61 are left to the simplex. */
static void test_too_much(void)
{
	enum { ARCS = 200000 };
	struct mcf_network *net = mcf_new(2);
	struct scaling *flow;
	int wrong = 0;

	for (int i = 0; i < ARCS; i++)
		mcf_add_arc(net, 0, 1, 0, MCF_MAX, -1);
	mcf_add_arc(net, 1, 0, 0, MCF_MAX, 0);
	flow = scaling_flow(net, &memory, 0);
	check(!flow, "too many arcs that pay get no flow");
	solve(net, true, &wrong);
	check_int(wrong, 0, "but the cheapest one");
	mcf_free(net);
}

int main(void)
{
	test_flow(3);
	test_flow(TANGLE_SEGMENTS);
	test_steps();
	test_exact(3);
	test_exact(TANGLE_SEGMENTS);
	test_taken_up();
	test_glpk();
	test_by_itself(3);
	test_by_itself(TANGLE_SEGMENTS);
	test_dear(3);
	test_dear(TANGLE_SEGMENTS);
	test_others();
	test_bounds(false);
	test_bounds(true);
	test_again(false);
	test_again(true);
	test_too_much();
	room_free(&memory);
	return done();
}
