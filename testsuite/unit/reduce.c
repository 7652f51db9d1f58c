/* What mcf/reduce.c leaves of networks, and that its way back is cheapest. */
#include "base/error.h"
#include "mcf/mcf.h"
#include "mcf/reduce.h"
#include "testsuite/lib/network_check.h"
#include "testsuite/lib/tap.h"

static const int64_t width[] = { 100, 50, MCF_MAX };
static const int64_t price[] = { -9, 2, 7 };

static unsigned add(struct mcf_network *net, unsigned tail, unsigned head,
		    int64_t seen)
{
	int64_t widths[] = { seen, width[1], width[2] };

	return mcf_add_convex(net, tail, head, 3, widths, price);
}

/* Arcs that are left for the simplex. */
static size_t left(struct mcf_network *net)
{
	struct reduction *r = NULL;
	size_t narcs;

	net->path_price = 1000000;
	narcs = reduce(&r, net)->narcs;
	net->reduced = false;
	reduction_free(r);
	return narcs;
}

static void check_solved(struct mcf_network *net, size_t most, const char *what)
{
	struct fdo_error err;

	check(left(net) <= most, what);
	check(mcf_solve(net, MCF_SIMPLEX, &err) && network_balanced(net) &&
		      network_optimal(net),
	      "solved");
}

static void test_shapes(void)
{
	struct mcf_network *net = mcf_new(1000);

	for (unsigned u = 0; u < 1000; u++)
		add(net, u, (u + 1) % 1000, u * 7919 % 1000);
	check_solved(net, 64, "a long ring leaves little");
	mcf_reset(net, 20);
	for (unsigned u = 0; u < 20; u++)
		add(net, u, (u + 1) % 20, u * 7919 % 1000);
	check_solved(net, 0, "a short one nothing");

	mcf_reset(net, 2);
	for (unsigned i = 0; i < 500; i++)
		add(net, i % 2, 1 - i % 2, i * 7919 % 1000);
	check_solved(net, 0, "arcs side by side, both ways, leave nothing");

	mcf_reset(net, 41);
	for (unsigned u = 0; u < 40; u++) {
		add(net, u, u + 1, u * 31 % 50);
		add(net, u + 1, 0, 7);
	}
	check_solved(net, 0, "a fan leaves nothing");

	mcf_reset(net, 4);
	for (unsigned u = 0; u < 4; u++)
		for (unsigned v = 0; v < 4; v++)
			add(net, u, v, 10 * u + v);
	check_solved(net, 6,
		     "of all arcs between four nodes at most six are left");

	mcf_reset(net, 3);
	add(net, 0, 1, 5);
	add(net, 1, 2, 5);
	check_solved(net, 0, "what leads nowhere leaves nothing");
	check_int(mcf_flow(net, 0), 0, "and has no flow");
	mcf_free(net);
}

static void test_lower_bounds(void)
{
	struct mcf_network *net = mcf_new(3);
	struct fdo_error err;

	mcf_add_arc(net, 0, 1, 5, 10, 3);
	mcf_add_arc(net, 1, 2, 7, 20, 3);
	mcf_add_arc(net, 2, 0, 0, 9, 3);
	check_solved(net, 0, "bounds in a ring");
	check_int(mcf_flow(net, 0), 7, "the least that all can carry");
	mcf_reset(net, 3);
	mcf_add_arc(net, 0, 1, 5, 6, 3);
	mcf_add_arc(net, 1, 2, 7, 20, 3);
	mcf_add_arc(net, 2, 0, 0, 9, 3);
	check(!mcf_solve(net, MCF_SIMPLEX, &err), "bounds that exclude it");
	mcf_reset(net, 2);
	mcf_add_arc(net, 0, 1, 1, 6, 3);
	check(!mcf_solve(net, MCF_SIMPLEX, &err), "a bound that leads nowhere");
	mcf_free(net);
}

static void test_equal_costs_share(void)
{
	struct mcf_network *net = mcf_new(2);
	struct fdo_error err;

	for (int i = 0; i < 3; i++)
		mcf_add_arc(net, 0, 1, 0, MCF_MAX, 4);
	mcf_add_arc(net, 1, 0, 300, 300, 0);
	check(mcf_solve(net, MCF_SIMPLEX, &err), "three ways at one price");
	for (int i = 0; i < 3; i++)
		check_int(mcf_flow(net, i), 100, "each gets a third");
	mcf_free(net);
}

/* The steps fit other costs, or are found again. */
static void test_other_costs(void)
{
	struct mcf_network *net = mcf_new(2);
	struct fdo_error err;
	unsigned back;

	mcf_add_arc(net, 0, 1, 3, 10, 4);
	back = add(net, 1, 0, 8);
	check(mcf_solve(net, MCF_SIMPLEX, &err), "solved");
	check_int(mcf_flow(net, back), 8, "at its count");
	mcf_set_convex(net, back, 1, (int64_t[]){ 20 }, (int64_t[]){ -5 });
	check(mcf_solve(net, MCF_SIMPLEX, &err), "solved again");
	check_int(mcf_flow(net, back), 10, "as far as it goes");
	mcf_set_convex(net, back, 1, (int64_t[]){ 2 }, (int64_t[]){ -5 });
	check(!mcf_solve(net, MCF_SIMPLEX, &err), "now too narrow");
	mcf_set_convex(net, back, 1, (int64_t[]){ 4 }, (int64_t[]){ 5 });
	check(mcf_solve(net, MCF_SIMPLEX, &err), "and wide enough");
	check_int(mcf_flow(net, back), 3, "at its least");
	mcf_free(net);
}

/* Sums that were put into others make room for the next ones. */
static void test_memory(void)
{
	enum { BLOCKS = 2000, SEGMENTS = 12 };
	struct mcf_network *net = mcf_new(BLOCKS);
	int64_t widths[SEGMENTS], prices[SEGMENTS];

	for (unsigned u = 0; u < BLOCKS; u++) {
		for (int i = 0; i < SEGMENTS; i++) {
			widths[i] = 1 + (u * 7919 + i * 104729) % 1000;
			prices[i] = 20 * (i - 6) + (int)(u % 20);
		}
		mcf_add_convex(net, u, (u + 1) % BLOCKS, SEGMENTS, widths,
			       prices);
	}
	check_solved(net, 64, "a long ring of costs with many segments");
	check(net->segment_room < 7 * net->nsegments,
	      "takes a few times their room");
	for (unsigned a = 0; a < BLOCKS; a++) {
		for (int i = 0; i < SEGMENTS; i++)
			prices[i] = 20 * (i - 3) + (int)(a % 17);
		mcf_set_convex(net, a, SEGMENTS, widths, prices);
	}
	check_solved(net, 64, "and so with other costs");
	mcf_free(net);
}

int main(void)
{
	test_shapes();
	test_lower_bounds();
	test_equal_costs_share();
	test_other_costs();
	test_memory();
	return done();
}
