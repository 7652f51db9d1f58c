/*
 * reduce.h - a smaller network with the same answer.  Private to mcf/.
 *
 *	core = reduce(&net->reduction, net);
 *	if (core) ... put a flow on each arc of the core, then
 *		expand(net->reduction, net);
 *
 * Ownership  The core belongs to the reduction and lives until the next one;
 *            reduction_free() accepts NULL.  The network's array of segments
 *            grows meanwhile, and its own stay in place.
 */
#ifndef MCF_REDUCE_H
#define MCF_REDUCE_H

struct mcf_network;
struct reduction;

/* Makes the reduction if there is none.  NULL: better solved as it is. */
struct mcf_network *reduce(struct reduction **reduction,
			   struct mcf_network *net);

/* From the flow of the core to that of the network. */
void expand(struct reduction *r, struct mcf_network *net);

void reduction_free(struct reduction *r);

#endif
