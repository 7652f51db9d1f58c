/*
 * scaling.h - a flow of nearly least cost.  Private to mcf/; the ideas are at
 * the head of scaling.c.
 *
 *	struct scaling *flow = scaling_flow(net);
 *	if (flow) ... of spot = flow->spots[arc], all segments before spot.at
 *		are full; and of that one spot.below units, if spot.within ...
 *	scaling_free(flow);
 *
 * Units      Potentials and epsilon are in units of 2^shift prices.
 * Range      Potentials are from -2^30 to 0.
 * Ownership  scaling_free() accepts NULL.
 * Errors     NULL where that takes too long or numbers become too large.
 */
#ifndef MCF_SCALING_H
#define MCF_SCALING_H

#include <stdint.h>

struct mcf_network;

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

struct scaling {
	struct scaling_spot *spots; /* by arc */
	/* By node. */
	int32_t *potential;
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

/* The network has a flow that keeps within bounds. */
struct scaling *scaling_flow(const struct mcf_network *net);

/*
 * The flow that the arcs have from other prices, with a forest; potentials are
 * 0.  NULL: it does not keep within bounds.
 */
struct scaling *scaling_again(const struct mcf_network *net);

void scaling_free(struct scaling *flow);

#endif
