/*
 * graph.h - the flow graph as its builder, smoother and connector share it.
 * Private to mcf/.
 */
#ifndef MCF_GRAPH_H
#define MCF_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "mcf/smooth.h"

/* A run of segments in the graph's pool; n = 0: no cost. */
struct flow_prices {
	unsigned first, n;
};

struct flow_block {
	struct flow_prices cost, bend;
	int64_t count;
	double size; /* of the block that samples are counted for; or 1 */
};

struct flow_edge {
	unsigned from, to;
	struct flow_prices cost, bend;
	double prior; /* < 0: not set */
	int64_t count;
};

/*
 * The edges of each block and of the outside (node nblocks) on one side:
 * those of node i are edge[start[i]] .. edge[start[i + 1] - 1].
 */
struct flow_links {
	unsigned *start, *edge;
	size_t start_room, edge_room;
};

struct flow_graph {
	struct flow_block *blocks;
	size_t nblocks, block_room;
	/* The caller's edges, then up to nall those that repair the graph. */
	struct flow_edge *edges;
	size_t nedges, nall, edge_room;
	/* The pool: width and price are parallel. */
	int64_t *width, *price;
	size_t nprices, price_room;
	struct flow_links out, in; /* of all edges, once solved */
	double *share;		   /* of each edge, see flow_shares() */
	double *carried;	   /* of each block, for the second round */
	size_t share_room, carried_room;
	unsigned *mark, *order, *stack; /* scratch, nblocks + 1 each */
	double *distance;		/* likewise */
	size_t mark_room, order_room, stack_room, distance_room;
	bool mark_is_clear; /* for flow_round(), which is asked often */
	struct mcf_network *net;
	int64_t bend_max;    /* the largest price of a bend, either way */
	double repair_price; /* of what the last solution repaired */
	bool has_prior, has_shares, solved;
};

/* Segments of a bend, at most. */
enum { FLOW_BENDS = 24 };

/* The block at that end of an edge, or nblocks for the outside. */
static inline unsigned flow_source(const struct flow_graph *g, unsigned edge)
{
	unsigned from = g->edges[edge].from;

	return from == FLOW_OUTSIDE ? g->nblocks : from;
}

static inline unsigned flow_target(const struct flow_graph *g, unsigned edge)
{
	unsigned to = g->edges[edge].to;

	return to == FLOW_OUTSIDE ? g->nblocks : to;
}

/* Fill g->out and g->in from the edges that there are now. */
void flow_link(struct flow_graph *g);

/* Give what cannot be reached or left an edge of its own; links are fresh. */
void flow_repair(struct flow_graph *g);

/*
 * Fill g->share: which part of what leaves its source is expected on each
 * edge.  Repairs are not expected.  Once for links that are the same.
 */
void flow_shares(struct flow_graph *g);

/*
 * What a likely way pays for an edge: next to nothing where there is a count,
 * and else the more the less is expected there.  Needs g->share.
 */
double flow_way_cost(const struct flow_graph *g, unsigned e);

/* More of an edge, and of the block that it leads to. */
void flow_add_to_edge(struct flow_graph *g, unsigned e, int64_t amount);

/*
 * What a block or an edge costs beside its own cost, or instead of what that
 * was: n <= FLOW_BENDS segments, the last as wide as can be.
 */
void flow_bend(struct flow_graph *g, struct flow_prices *bend, unsigned n,
	       const int64_t *width, const int64_t *price);

/* g->net for the first round of flow_solve(). */
void flow_lay_out(struct flow_graph *g, enum mcf_solver solver);

/* flow_solve() without its second round, which costs alone do not need. */
bool flow_solve_costs(struct flow_graph *g, enum mcf_solver solver,
		      struct fdo_error *err);

/*
 * After either: how much dearer the counts are than if each block and edge
 * had the one that is cheapest for it; bends apart.  Repairs are dear, too.
 */
double flow_misfit(const struct flow_graph *g);

/* Room for n items, whose old values may be lost. */
void *flow_room(void *array, size_t n, size_t *room, size_t size);

#endif
