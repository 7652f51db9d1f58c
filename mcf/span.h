/*
 * span.h - counts for many flow graphs that call each other.
 *
 * A function is entered as often as the blocks that call it are executed.
 * Graphs that are solved one by one know nothing of that.  A span draws them
 * together: where the entries of a graph and the calls of it differ, each
 * execution of the difference has a price.
 *
 *	struct flow_span *span = flow_span_new(2);
 *	flow_span_add_call(span, 0, 3, 1, 1, 50);	// block 3 of graph 0 calls 1
 *	flow_span_set_unknown(span, 0, 0);	// nobody knows who calls 0
 *	if (flow_span_solve(span, &source, MCF_SIMPLEX, .01, &result, err))
 *		...	// source.take() was given each graph
 *	flow_span_free(span);
 *
 * The cost of a solution is what the counts of the graphs deviate, each from
 * its own measurements (the misfit, which is 0 or more), and for each graph the
 * least that explains its entries: of the calls that are said to lead there,
 * one more or one less than the block was executed costs the price of the
 * call, and an entry that no call explains costs the price of unknown callers.
 *
 * No network says this: a block that stands before another and calls the same
 * function enters it twice, and what returns from a function to one place must
 * be as much as came from there.  So the graphs stay apart, each is solved
 * exactly at prices for entries and calls, and the prices are found by sweeps
 * over all graphs.  The result says what was found and a bound that no
 * solution can be below, so that the distance from the best is known.
 *
 * Units      As in smooth.h; misfit, cost and bound are in its prices.
 * Range      Prices 0 .. FLOW_PRICE_MAX; below 2^31 graphs and calls.
 * Ownership  flow_span_new() gives, flow_span_free() takes and accepts NULL.
 *            A graph that is built or taken belongs to the span.
 * Errors     Only the two that solve can fail, as flow_solve() does.
 * Threads    A span stays in the thread that made it; no global state.
 * Time       Linear in the graphs, times the sweeps; only one graph is there
 *            at a time, and built for each solution of it.
 */
#ifndef MCF_SPAN_H
#define MCF_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "mcf/smooth.h"

#ifdef __cplusplus
extern "C" {
#endif

struct flow_span;

/* Where the graphs are. */
struct flow_span_source {
	void *data;

	/*
	 * Add all to a graph that is empty, the same each time, and return
	 * the edge by which calls enter: any from FLOW_OUTSIDE.
	 */
	unsigned (*build)(void *data, unsigned graph, struct flow_graph *g);

	/* The graph is solved; called once for each, in order, at the end. */
	void (*take)(void *data, unsigned graph, struct flow_graph *g);

	/*
	 * For flow_span_solve_once(), what to begin with instead of each graph
	 * by itself, which takes a solution of all: the count of a block, or of
	 * the edge that build() gives (FLOW_OUTSIDE), up to FLOW_MAX.  NULL:
	 * nothing.
	 */
	int64_t (*count)(void *data, unsigned graph, unsigned block);
};

struct flow_span_result {
	double alone; /* misfit of all graphs if each is solved by itself */
	double apart; /* that, and the price of calls that they leave; both 0
			 if the source has counts to begin with */
	double cost;  /* misfit and price of calls of what was found */
	double bound; /* no counts have less, up to rounding */
	unsigned sweeps;
	uint64_t solved; /* graphs, each time */
};

struct flow_span *flow_span_new(unsigned graphs);
void flow_span_free(struct flow_span *span);

/*
 * Each execution of the block enters the callee once, or that share of them
 * does, up to 1; price > 0.
 */
void flow_span_add_call(struct flow_span *span, unsigned caller, unsigned block,
			unsigned callee, double share, int64_t price);

/*
 * What an entry costs that no known call explains.  0, unless set: then entries
 * are never too many, and only calls may be.
 */
void flow_span_set_unknown(struct flow_span *span, unsigned graph,
			   int64_t price);

/*
 * Find counts for all graphs.  The search ends when no other counts can be
 * cheaper by more than a part "gap" of the cost, or when more sweeps do not
 * help.  The same span and source give the same counts.
 */
bool flow_span_solve(struct flow_span *span,
		     const struct flow_span_source *source,
		     enum mcf_solver solver, double gap,
		     struct flow_span_result *ret, struct fdo_error *err);

/*
 * Likewise, in one round: by how much it is too dear is not known (bound is
 * alone), which saves a good part of the time.  Changes of prices by less than
 * a part "idle" of what they can be are not followed.
 */
bool flow_span_solve_once(struct flow_span *span,
			  const struct flow_span_source *source,
			  enum mcf_solver solver, double idle,
			  struct flow_span_result *ret, struct fdo_error *err);

#ifdef __cplusplus
}
#endif
#endif
