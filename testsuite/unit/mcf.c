/* What mcf.h promises, by both solvers. */
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "mcf/mcf.h"
#include "testsuite/lib/tap.h"

static const char *const names[] = { "simplex", "glpk" };

static void solves(struct mcf_network *net, enum mcf_solver solver,
		   const char *what)
{
	struct fdo_error err;

	if (!check(mcf_solve(net, solver, &err), what))
		printf("# %s: %s\n", names[solver], err.text);
}

static void test_lower_bound_comes_back(enum mcf_solver solver)
{
	struct mcf_network *net = mcf_new(2);
	unsigned there = mcf_add_arc(net, 0, 1, 10, MCF_MAX, 1);
	unsigned back = mcf_add_arc(net, 1, 0, 0, MCF_MAX, 0);

	solves(net, solver, "a lower bound can be met");
	check_int(mcf_flow(net, there), 10, "at just that");
	check_int(mcf_flow(net, back), 10, "and it comes back");
	mcf_free(net);
}

static void test_negative_cycle_is_filled(enum mcf_solver solver)
{
	struct mcf_network *net = mcf_new(3);
	unsigned a = mcf_add_arc(net, 0, 1, 0, 7, -3);
	unsigned b = mcf_add_arc(net, 1, 2, 0, 9, 1);
	unsigned c = mcf_add_arc(net, 2, 0, 0, 5, 1);
	unsigned dear = mcf_add_arc(net, 2, 0, 0, 5, 2);
	unsigned loop = mcf_add_arc(net, 1, 1, 2, 6, -1);
	unsigned idle = mcf_add_arc(net, 1, 1, 2, 6, 1);
	unsigned fixed = mcf_add_arc(net, 0, 0, 3, 3, -5);

	solves(net, solver, "a cycle that pays is used");
	check_int(mcf_flow(net, a), 5, "as far as it pays");
	check_int(mcf_flow(net, b), 5, "all along");
	check_int(mcf_flow(net, c), 5, "the cheap one of two parallel arcs");
	check_int(mcf_flow(net, dear), 0, "the other is no gain");
	check_int(mcf_flow(net, loop), 6, "a loop that pays is full");
	check_int(mcf_flow(net, idle), 2, "one that does not is at its bound");
	check_int(mcf_flow(net, fixed), 3, "one that cannot move stays");
	mcf_free(net);
}

static void test_convex_arc_stops_where_it_should(enum mcf_solver solver)
{
	struct mcf_network *net = mcf_new(2);
	int64_t width[] = { 10, 0, 20, 30, MCF_MAX };
	int64_t price[] = { -9, -8, -5, -1, 4 };
	unsigned arc = mcf_add_convex(net, 0, 1, 5, width, price);
	unsigned back = mcf_add_arc(net, 1, 0, 0, MCF_MAX, 3);

	solves(net, solver, "an arc with breakpoints");
	check_int(mcf_flow(net, arc), 30, "stops where its price says so");
	check_int(mcf_flow(net, back), 30, "and so does its partner");
	mcf_free(net);
}

static void test_cost_may_change(enum mcf_solver solver)
{
	struct mcf_network *net = mcf_new(2);
	int64_t width[] = { 30, MCF_MAX }, price[] = { -9, 4 };
	unsigned arc = mcf_add_arc(net, 0, 1, 5, 100, 2);
	unsigned back = mcf_add_arc(net, 1, 0, 0, 50, 3);

	solves(net, solver, "an arc at its lower bound");
	check_int(mcf_flow(net, arc), 5, "has as little as it must");
	mcf_set_convex(net, arc, 2, width, price);
	solves(net, solver, "the same with another cost");
	check_int(mcf_flow(net, arc), 35, "has what now pays");
	price[0] = -1;
	mcf_set_convex(net, arc, 2, width, price);
	solves(net, solver, "and once more");
	check_int(mcf_flow(net, back), 5, "is back to where it was");
	mcf_set_convex(net, back, 1, (int64_t[]){ 4 }, price);
	struct fdo_error err;
	check(!mcf_solve(net, solver, &err), "too narrow a way back fails");
	mcf_free(net);
}

static void test_failure_says_why(enum mcf_solver solver)
{
	struct mcf_network *net = mcf_new(2);
	struct fdo_error err = { "" };

	mcf_add_arc(net, 0, 1, 5, 9, 1);
	check(!mcf_solve(net, solver, &err), "an impossible network fails");
	check(strstr(err.text, "lower bounds"), "and says what is impossible");
	mcf_add_arc(net, 1, 0, 0, 9, 1);
	solves(net, solver, "with an arc more it can be solved");
	mcf_reset(net, 3);
	solves(net, solver, "a network without arcs is solved");
	mcf_reset(net, 0);
	solves(net, solver, "and one without nodes");
	mcf_free(net);
}

/*
 * Prices fit 32 bits, but their sums along the ring do not: GLPK's
 * out-of-kilter method calls it solved with flow that costs more than none.
 */
static void test_sums_that_do_not_fit(enum mcf_solver solver)
{
	static const int64_t arcs[][4] = {
		{ 0, 1, 5, -702027940 }, { 1, 2, 11, 633697714 },
		{ 2, 3, 6, 993910520 },	 { 3, 4, 4, 831830763 },
		{ 4, 5, 18, 939040365 }, { 5, 6, 13, 970693400 },
		{ 6, 0, 6, -555321437 }, { 0, 4, 15, 873864555 },
		{ 1, 4, 7, -215820089 },
	};
	enum { ARCS = sizeof(arcs) / sizeof(*arcs) };
	struct mcf_network *net = mcf_new(7);
	int64_t carried = 0;

	for (int a = 0; a < ARCS; a++)
		mcf_add_arc(net, arcs[a][0], arcs[a][1], 0, arcs[a][2],
			    arcs[a][3]);
	solves(net, solver, "prices whose sums need 33 bits");
	for (int a = 0; a < ARCS; a++)
		carried += mcf_flow(net, a);
	check_int(carried, 0, "no flow is the cheapest");
	mcf_free(net);
}

/* The same, where its search does not end: then the alarm ends it. */
static void test_search_that_does_not_end(enum mcf_solver solver)
{
	static const int64_t arcs[][4] = {
		{ 0, 1, 18, -544011611 }, { 1, 2, 8, -1068580751 },
		{ 2, 3, 7, -524114040 },  { 3, 0, 17, -859173980 },
		{ 3, 1, 16, 997237544 },  { 3, 1, 3, -1035073286 },
		{ 3, 1, 14, -916802676 }, { 3, 2, 5, 535839313 },
	};
	enum { ARCS = sizeof(arcs) / sizeof(*arcs), SECONDS = 60 };
	struct mcf_network *net = mcf_new(4);

	for (int a = 0; a < ARCS; a++)
		mcf_add_arc(net, arcs[a][0], arcs[a][1], 0, arcs[a][2],
			    arcs[a][3]);
	alarm(SECONDS);
	solves(net, solver, "prices near the largest of 32 bits");
	alarm(0);
	check_int(mcf_flow(net, 2), 7, "the cycle that pays most is full");
	mcf_free(net);
}

/* By doubles, the loop is lost beside what the other arc costs. */
static void test_judge_is_right_or_silent(enum mcf_solver solver)
{
	struct mcf_network *net = mcf_new(3);
	unsigned loop = mcf_add_arc(net, 2, 2, 0, 1 << 26, -1);
	struct fdo_error err;

	mcf_add_arc(net, 2, 0, 0, 23, MCF_COST_MAX);
	check(mcf_solve(net, solver, &err) ? mcf_flow(net, loop) == 1 << 26
					   : solver == MCF_GLPK,
	      "what is not cheapest is no answer");
	mcf_free(net);
}

/* Each with a price of its own, so that all together have as many. */
static void test_many_parallel_arcs(void)
{
	enum { ARCS = 30000, MOST_KB = 400000 };
	struct mcf_network *net = mcf_new(2);
	struct rusage used;

	for (int i = 0; i < ARCS; i++)
		mcf_add_arc(net, 0, 1, 0, 1, i - ARCS / 2);
	mcf_add_arc(net, 1, 0, 0, MCF_MAX, 0);
	solves(net, MCF_SIMPLEX, "many arcs are parallel");
	check_int(mcf_flow(net, ARCS), ARCS / 2, "those that pay are used");
	getrusage(RUSAGE_SELF, &used);
	check(used.ru_maxrss < MOST_KB, "and they take no more memory");
	mcf_free(net);
}

int main(void)
{
	for (enum mcf_solver s = MCF_SIMPLEX; s <= MCF_GLPK; s++) {
		test_lower_bound_comes_back(s);
		test_negative_cycle_is_filled(s);
		test_convex_arc_stops_where_it_should(s);
		test_cost_may_change(s);
		test_failure_says_why(s);
		test_sums_that_do_not_fit(s);
		test_search_that_does_not_end(s);
		test_judge_is_right_or_silent(s);
	}
	test_many_parallel_arcs();
	return done();
}
