/*
 * scaling.h - a flow of nearly least cost.  Private to mcf/; the ideas are at
 * the head of scaling.c.
 *
 *	struct scaling *flow = scaling_flow(net, &room, 0);
 *	if (flow) ... of spot = flow->spots[arc], all segments before spot.at
 *		are full; and of that one spot.below units, if spot.within ...
 *
 * Units      Potentials and epsilon are in units of 2^shift prices.
 * Range      Potentials are from -2^30 to 0.
 * Ownership  All is in the room, and what is found at its back: spots last.
 * Errors     NULL where that takes too long or numbers become too large.
 */
#ifndef MCF_SCALING_H
#define MCF_SCALING_H

#include <stddef.h>
#include <stdint.h>

struct mcf_network;
struct room;

/*
 * Where the flow of an arc is: within a segment, or at rest before one.  While
 * scaling works there is room "above" for that whole segment, and "below" for
 * the one before; afterwards these tell nothing of an arc at rest.
 */
struct scaling_spot {
	int64_t above, below;
	uint32_t at : 31;
	uint32_t within : 1;
};

/* All that a node's neighbours read of it. */
struct scaling_node {
	int32_t potential;
	uint32_t start; /* of its halves; see scaling_work.h */
};

struct scaling {
	struct scaling_spot *spots; /* by arc */
	struct scaling_node *nodes;
	/*
	 * The forest of all arcs that are within a segment: the nodes, each
	 * behind the one above it; and the arc between them, twice, and 1 if it
	 * leads to the node, or NO_ARC.
	 */
	uint32_t *order, *above;
	unsigned shift;
	int64_t most;	 /* higher prices are taken for this one, either way */
	int32_t epsilon; /* no arc that can be pushed is wrong by more; 2^n */
	struct scaling_work *work;
};

#define NO_ARC UINT32_MAX

/*
 * The network has a flow that keeps within bounds.  The room is opened for
 * this, or for more that will be taken at the front when all is found.
 */
struct scaling *scaling_flow(const struct mcf_network *net, struct room *room,
			     size_t later);

/*
 * The flow that the arcs have from other prices, with a forest; potentials are
 * 0.  NULL: it does not keep within bounds.
 */
struct scaling *scaling_again(const struct mcf_network *net, struct room *room,
			      size_t later);

#endif
