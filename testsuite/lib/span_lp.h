/*
 * span_lp.h - a small program for tests of mcf/span.h, and its least cost as
 * GLPK finds it: the linear program that is at the head of span.h, row by
 * row.
 */
#ifndef TESTSUITE_SPAN_LP_H
#define TESTSUITE_SPAN_LP_H

#include "mcf/span.h"

enum { GRAPHS = 8, BLOCKS = 64, EDGES = 256, CALLS = 64 };

struct test_graph {
	unsigned nblocks, nedges, from[EDGES], to[EDGES];
	struct flow_cost cost[BLOCKS];
	int64_t block[BLOCKS], entry; /* counts that were found */
};

struct test_call {
	unsigned caller, block, callee;
	double share;
	int64_t price;
};

struct test_program {
	unsigned n, ncalls;
	struct test_graph graphs[GRAPHS];
	struct test_call calls[CALLS];
	int64_t unknown[GRAPHS];
	struct flow_span_result result;
};

/* As flow_span_source.build(); the data is a struct test_program. */
unsigned span_lp_build(void *data, unsigned k, struct flow_graph *g);

/* NAN: GLPK did not find it. */
double span_lp_cost(const struct test_program *p);

#endif
