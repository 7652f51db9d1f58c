/* flow_check.h - small flow graphs, solved. */
#ifndef TESTSUITE_FLOW_CHECK_H
#define TESTSUITE_FLOW_CHECK_H

#include <stdint.h>

#include "base/error.h"
#include "mcf/smooth.h"
#include "testsuite/lib/tap.h"

/* A block measured so often, at prices of its own; < 0: unknown. */
static inline unsigned priced_block(struct flow_graph *g, int64_t count,
				    int64_t lower, int64_t raise)
{
	unsigned b = flow_add_block(g);
	struct flow_cost cost;

	if (count >= 0) {
		flow_cost_linear(&cost, count, lower, raise);
		flow_set_block_cost(g, b, &cost);
	}
	return b;
}

/* All equally dear. */
static inline unsigned block(struct flow_graph *g, int64_t count)
{
	return priced_block(g, count, 1000, 1000);
}

static inline void solves(struct flow_graph *g, const char *what)
{
	struct fdo_error err;

	if (!check(flow_solve(g, MCF_SIMPLEX, &err), what))
		printf("# %s\n", err.text);
}

#endif
