/*
 * glpk.c - where numbers are too large for the solver that GLPK has for flows,
 * how many steps its linear program takes, as the linker sends that by here.
 */
#include <glpk.h>

#include "base/error.h"
#include "mcf/mcf.h"
#include "mcf/network.h"
#include "testsuite/lib/network_check.h"
#include "testsuite/lib/tangle.h"
#include "testsuite/lib/tap.h"

static uint64_t programs, steps;

int __real_glp_simplex(glp_prob *lp, const glp_smcp *how);

int __wrap_glp_simplex(glp_prob *lp, const glp_smcp *how)
{
	int result = __real_glp_simplex(lp, how);

	programs++;
	steps += glp_get_it_cnt(lp);
	return result;
}

/* The same network, with so many times as much of everything. */
static void enlarge(struct mcf_network *net, int64_t times)
{
	for (size_t i = 0; i < net->nsegments; i++)
		if (net->segments[i].width < MCF_MAX / times)
			net->segments[i].width *= times;
}

int main(void)
{
	enum { NETWORKS = 20, BLOCKS = 200 };
	enum { NODES = NETWORKS * (2 * BLOCKS + 1) };
	struct mcf_network *net = mcf_new(0);
	struct fdo_error err;
	int wrong = 0;

	for (int seed = 0; seed < NETWORKS; seed++) {
		tangle_build(net, BLOCKS, TANGLE_SEGMENTS, seed);
		enlarge(net, 1 << 20);
		wrong += !mcf_solve(net, MCF_GLPK, &err) ||
			 !network_balanced(net) || !network_optimal(net);
	}
	mcf_free(net);
	printf("# %d steps for %d nodes\n", (int)steps, NODES);
	check_int(programs, NETWORKS, "all are linear programs");
	check_int(wrong, 0, "and solved");
	check(steps < 2 * NODES, "in less than two steps for each node");
	return done();
}
