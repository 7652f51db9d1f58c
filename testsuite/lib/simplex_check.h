/* simplex_check.h - is the tree that the network simplex left a good one? */
#ifndef TESTSUITE_SIMPLEX_CHECK_H
#define TESTSUITE_SIMPLEX_CHECK_H

#include <stdio.h>

#include "base/error.h"
#include "mcf/simplex.h"
#include "testsuite/lib/network_check.h"

/*
 * Whether each node can send something to the root: then no sequence of empty
 * pushes returns to its beginning.
 */
static inline bool is_strongly_feasible(const struct simplex *s)
{
	for (uint32_t u = 0; s && u < s->root; u++)
		if (room(&s->tree[u], true) <= 0)
			return false;
	return true;
}

/* By the simplex, cheapest by proof, or *wrong has one more; its cost. */
static inline __int128 solve_checked(struct mcf_network *net, int *wrong)
{
	struct fdo_error err;

	if (!mcf_solve(net, MCF_SIMPLEX, &err)) {
		printf("# %s\n", err.text);
		++*wrong;
		return 0;
	}
	*wrong += !network_balanced(net) || !network_optimal(net);
	*wrong += !is_strongly_feasible(net->simplex);
	return network_cost(net);
}

#endif
