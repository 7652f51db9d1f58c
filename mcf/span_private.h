/*
 * span_private.h - what a span keeps.  Private to span*.c; the ideas are at
 * the head of span.c.
 */
#ifndef MCF_SPAN_PRIVATE_H
#define MCF_SPAN_PRIVATE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mcf/graph.h"
#include "mcf/span.h"

/* Counts as they are, or were when the cost was least. */
struct graph_state {
	int64_t entries;
	double misfit;
};

struct graph {
	int64_t unknown;
	uint32_t call;	 /* its first in span->calls */
	uint32_t caller; /* its first in span->callers */
	struct graph_state now, best;
	int64_t called;
	double price, slope, up, down; /* price is within -down .. up */
	double seen;		       /* price when it was last solved */
	double fixed, share;	       /* for the bound: price, cost */
	bool changed, changes;	       /* fixed, since the last shares */
	bool uniform;		       /* all calls of it have one price */
};

struct call {
	uint32_t caller, block, callee;
	uint32_t copies; /* of the caller's counts, those that move R */
	double share;	 /* of the block's executions */
	int64_t price;
	int64_t executed, best; /* count of the block */
	int64_t count;		/* of calls, the share of it */
	double seen; /* callee's price when the caller was last solved */
};

struct flow_span {
	uint32_t n;
	struct graph *graphs; /* n + 1, the last one empty */
	struct call *calls;   /* once sorted, by caller, block, callee */
	uint32_t *callers;    /* calls by callee, then price */
	size_t ncalls, call_room;
	struct flow_graph *graph;
	const struct flow_span_source *source;
	enum mcf_solver solver;
	double width; /* of the first step of a curve, of the count */
	double idle;  /* changes of prices that are too small to matter */
	bool once;    /* what it costs is not asked until the end */
};

/* How a graph's calls and entries are priced. */
enum span_mode {
	SPAN_FREE,   /* not at all */
	SPAN_MOVING, /* along the curve */
	SPAN_FIXED,  /* at graph->fixed */
	SPAN_SETTLE, /* at the true cost */
};

/* R: how many entries more than calls a graph has. */
static inline int64_t span_difference(const struct graph *h)
{
	return h->now.entries - h->called;
}

/* Calls where the block is executed so often. */
static inline int64_t span_calls(const struct call *call, int64_t executed)
{
	return call->share < 1 ? llround(call->share * executed) : executed;
}

/* m, where the difference is larger by "more". */
double span_price_at(const struct flow_span *span, const struct graph *h,
		     double more);

/* What the block of a call pays if its callee's entry is paid so much. */
double span_pays_at_most(const struct call *call, double price);

/* What the entries that a graph lacks or has over cost. */
double span_tie(const struct flow_span *span, const struct graph *h);

/*
 * Build a graph, with its costs bent as the mode has it; returns its edge for
 * calls.
 */
unsigned span_build(struct flow_span *span, uint32_t k, enum span_mode mode);

/* That, and solve it: the counts that are cheapest. */
bool span_solve(struct flow_span *span, uint32_t k, enum span_mode mode,
		unsigned *edge_ret, struct fdo_error *err);

/* Raise the bound to what all cost at least by the prices that there are. */
bool span_bound(struct flow_span *span, struct flow_span_result *ret,
		struct fdo_error *err);

#endif
