/*
 * mcf_graphs.h - graphs for a race of flow solvers, and what was measured on
 * them.
 *
 *	struct graphs graphs = graphs_make(NESTED, 1000);
 *	graphs_measure(&graphs, KL);
 *	... graphs.all[i].net, for i < graphs.n ...
 *	graphs_free(&graphs);
 *
 * Ownership  Who makes or loads graphs frees them.
 * Errors     A file that cannot be read ends the program.
 */
#ifndef TESTSUITE_MCF_GRAPHS_H
#define TESTSUITE_MCF_GRAPHS_H

#include "mcf/smooth.h"
#include "testsuite/bench/mcf_bench.h"
#include "testsuite/lib/random_cfg.h"

/* Where the graphs come from. */
enum shape {
	NESTED,	 /* random structured programs */
	CHAIN,	 /* blocks in a row */
	LADDER,	 /* two rows with a way across at each step */
	TANGLE,	 /* each block leads to the next one and to any other */
	ISLANDS, /* a cold row, both ways, with a hot loop at each block */
	SHAPES
};

enum model { LINEAR, KL, MODELS };

/* A graph with what was measured on it. */
struct measured {
	struct random_cfg cfg;
	struct flow_cost *costs; /* by block */
	struct bench_network net;
	struct bench_graph graph;
};

struct graphs {
	struct measured *all;
	int n;
	unsigned blocks, arcs, segments, most_arcs; /* once measured */
};

/* As many of about that size as make some thousand blocks; one at least. */
struct graphs graphs_make(enum shape shape, int size);

/* Those that testsuite/bench/cfgs has written. */
struct graphs graphs_load(const char *path);

/* Samples on all graphs, and the networks that follow from them. */
void graphs_measure(struct graphs *graphs, enum model model);

void graphs_free(struct graphs *graphs);

#endif
