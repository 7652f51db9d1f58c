/*
 * smooth.h - the nearest consistent counts for a control-flow graph.
 *
 * Sampled block counts contradict each other: a block is not as hot as the
 * blocks that lead to it.  A flow graph takes, for each block and edge, what
 * each possible count would cost, and finds the counts that agree (what
 * enters a block leaves it) at the least total cost.
 *
 *	struct flow_graph *g = flow_new();
 *	unsigned a = flow_add_block(g), b = flow_add_block(g);
 *	flow_add_edge(g, FLOW_OUTSIDE, a);
 *	unsigned ab = flow_add_edge(g, a, b);
 *	flow_add_edge(g, b, FLOW_OUTSIDE);
 *	struct flow_cost cost;
 *	flow_cost_linear(&cost, 100, 2, 2);	// measured 100
 *	flow_set_block_cost(g, a, &cost);
 *	if (flow_solve(g, MCF_SIMPLEX, err))
 *		... flow_edge_count(g, ab) ...	// 100
 *	flow_free(g);
 *
 * Units      A count is a number of executions; a price is the cost of one
 *            execution more.  Only ratios of prices matter.
 * Range      Counts 0 .. FLOW_MAX, prices -FLOW_PRICE_MAX ..
 *            FLOW_PRICE_MAX.  Larger measured counts are the caller's to
 *            scale; what the solver's own limits ask for is done inside.
 * Ownership  flow_new() gives the graph, flow_free() takes it back.  Costs
 *            are copied.
 * Errors     Only flow_solve() can fail; counts may not be read then.
 * Threads    A graph stays in the thread that made it; no global state.
 *
 * A block with neither a cost nor a count is "unknown": it takes what its
 * neighbours say, at the smallest price, so that no free loop carries flow.
 */
#ifndef MCF_SMOOTH_H
#define MCF_SMOOTH_H

#include <stdbool.h>
#include <stdint.h>

#include "mcf/mcf.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fdo_error;
struct flow_graph;

#define FLOW_MAX       ((int64_t)1 << 40) /* "no limit" as a width */
#define FLOW_PRICE_MAX ((int64_t)1 << 20)

/* What an edge has instead of a block where the function begins or ends. */
#define FLOW_OUTSIDE (~0u)

enum { FLOW_SEGMENTS = 24 };

/*
 * A convex piecewise-linear cost of a count: the first width[0] executions
 * cost price[0] each, the next width[1] cost price[1] each, and so on; the
 * last width is FLOW_MAX.  Prices do not fall.  A negative price says that
 * the execution was measured: it costs to leave it out.
 */
struct flow_cost {
	unsigned n;
	int64_t width[FLOW_SEGMENTS];
	int64_t price[FLOW_SEGMENTS];
};

/*
 * One more segment: so many executions (FLOW_MAX: any number) at a price each,
 * which is not below that of the segment before.  An empty cost has n = 0.
 */
void flow_cost_add(struct flow_cost *cost, int64_t width, int64_t price);

/* Measured count; one less costs lower, one more costs raise (both > 0). */
void flow_cost_linear(struct flow_cost *cost, int64_t count, int64_t lower,
		      int64_t raise);

/*
 * Poisson likelihood (KL divergence) around a measured count, as segments:
 * the price at f is weight * |ln(f / count)|, with the widths relative to
 * the count but at least as wide as for "floor" executions (those that one
 * sample stands for).  weight > 0 is the price at a factor e.
 *
 * Below the count the widths are relative to the count itself, however
 * small: the last 4 % of any measured count cost 3.5 * weight each.  Above,
 * a count under the floor is treated as the floor, so a block measured 0
 * rises at weight * ln(1 + f / floor): cheaply as long as a sample could
 * have missed it.  Prices beyond FLOW_PRICE_MAX are cut to it; a weight of
 * a few hundred and more keeps the shape in whole numbers.
 */
void flow_cost_kl(struct flow_cost *cost, int64_t count, int64_t floor,
		  int64_t weight);

/* Free up to a bound, then price (> 0) for each execution above it. */
void flow_cost_bound(struct flow_cost *cost, int64_t bound, int64_t price);

/*
 * Beside what it costs already (nothing, if n is 0), each execution that is
 * missing to a least number costs price (> 0).
 */
void flow_cost_least(struct flow_cost *cost, int64_t least, int64_t price);

struct flow_graph *flow_new(void);
void flow_free(struct flow_graph *g);

/* Empty the graph, but keep its memory for the next function. */
void flow_reset(struct flow_graph *g);

/* Numbered from 0 in order of addition, blocks and edges each. */
unsigned flow_add_block(struct flow_graph *g);

/*
 * An edge; from or to may be FLOW_OUTSIDE (an entry, an exit), not both.
 * Edges may be parallel and may loop.  Where blocks cannot be reached from
 * any entry, or lead to no exit (an endless loop, a call that does not
 * return), one of them gets a priced entry or exit of its own: cheaper than
 * to drop what was measured there, dearer than what the graph has.
 * flow_repairs() counts them.
 */
unsigned flow_add_edge(struct flow_graph *g, unsigned from, unsigned to);

void flow_set_block_cost(struct flow_graph *g, unsigned block,
			 const struct flow_cost *cost);
void flow_set_edge_cost(struct flow_graph *g, unsigned edge,
			const struct flow_cost *cost);

/*
 * How often control that leaves the edge's source is expected to take this
 * edge, 0 .. 1, before anything was measured (default: all edges of a block
 * alike).  Decides where the costs are equal, and leads flow_connect().
 */
void flow_set_edge_prior(struct flow_graph *g, unsigned edge, double share);

/*
 * Find consistent counts of least cost.  The same graph, built in the same
 * order, always gets the same counts.  Where costs leave open how a block's
 * count goes on, it goes by the shares of flow_set_edge_prior(), evenly if
 * none are set: this takes a second round, with each edge drawn to its share
 * of what its source then carries, or should if nothing is known of it and
 * nothing led there, in graphs with a prior or with a block that is unknown
 * or has one price over a wide range.
 */
bool flow_solve(struct flow_graph *g, enum mcf_solver solver,
		struct fdo_error *err);

/*
 * After flow_solve(): where the counts of blocks leave open how much goes
 * along each edge, as where many switches share their targets, let where
 * control comes from not matter for where it goes, beyond the shares of
 * flow_set_edge_prior() and as far as the counts of blocks let it (they stay
 * as they are): the distribution of most entropy.  Edges with a cost stay.
 */
void flow_even(struct flow_graph *g);

/*
 * After flow_solve(): as long as a block has a count but is not connected to
 * an entry and to an exit over positive edges, add a little (at most
 * "amount", and a tenth of the block's count, at least 1) along the likeliest
 * path from an entry through it to an exit.  Counts stay consistent.
 * Returns the number of paths added.  A compiler takes a function whose
 * entry was never executed as cold, hot loops and all.
 */
unsigned flow_connect(struct flow_graph *g, int64_t amount);

/*
 * After flow_solve(): add an amount along the likeliest path from an entry
 * through a block to an exit.
 */
void flow_pass(struct flow_graph *g, unsigned block, int64_t amount);

/*
 * After flow_solve(): add an amount along the likeliest way from an edge's
 * target back to its source, and over the edge.
 */
void flow_round(struct flow_graph *g, unsigned edge, int64_t amount);

/*
 * How many samples are expected of a block, as a part of those expected of one
 * of which a sample stands for so many executions as flow_doubt() is told: by
 * its instructions, or by what else is known of it.  Above 0; 1 unless set.
 */
void flow_set_block_size(struct flow_graph *g, unsigned block, double size);

/*
 * After flow_solve(), given how many executions one sample stands for: where
 * a block has a count, but fewer than three samples are expected on an edge
 * that leaves it, give the edge a little along the likeliest path over it; and
 * next to nothing, however many are expected, if it leads to a block that has
 * a count.
 * So with a block without a count, if by what leads to it fewer than thirty
 * are expected, in proportion to its size: samples gather on what the processor
 * waits for, and a block beside it may have none though it runs as often.
 */
void flow_doubt(struct flow_graph *g, int64_t sample);

/* Valid after flow_solve() has returned true. */
int64_t flow_block_count(const struct flow_graph *g, unsigned block);
int64_t flow_edge_count(const struct flow_graph *g, unsigned edge);

/*
 * Executions that arrived by or left over the repairs of flow_add_edge().
 * The edges of a block add up to its count except for these.
 */
int64_t flow_repairs(const struct flow_graph *g);

#ifdef __cplusplus
}
#endif
#endif
