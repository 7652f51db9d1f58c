/*
 * reduction.h - what reduce.c finds and expand.c goes back through.  Private
 * to these two.
 *
 * A bundle has two ends, at its tail and at its head: an end is twice the
 * bundle's number, and one more at the head.  Each node has a list of the ends
 * that meet there, all in one array; lists only get shorter.
 */
#ifndef MCF_REDUCTION_H
#define MCF_REDUCTION_H

#include "mcf/bundle.h"
#include "mcf/network.h"
#include "mcf/reduce.h"

#define NONE UINT32_MAX

enum step_kind {
	FOLLOWS, /* what passes the first bundle passes the second */
	SPLITS,	 /* the first was another before, and the second */
	LOOPS,	 /* the first has no second, and leads back */
	ENDS,	 /* the first has no second, and leads nowhere */
};

struct step {
	uint32_t first, second, before;
	uint8_t kind; /* enum step_kind */
	bool turned;  /* the second runs against the first */
};

struct reduction {
	uint32_t *node;	 /* of each end; NONE: the bundle is in no list */
	uint32_t *place; /* of each end, in ends */
	uint32_t *ends;	 /* by node */
	struct bundle *bundles;
	struct bundle *before; /* such as were put side by side */
	struct step *steps;
	struct bundle_pool pool;
	uint32_t *first;  /* of each node, in ends */
	uint32_t *degree; /* ends there */
	uint32_t *stack;
	uint32_t *mark;
	bool *waits; /* is on the stack */
	size_t node_room, arc_room, before_room;
	uint32_t nodes, narcs, nstack, nsteps, nbefore;
	size_t limit;	 /* of the pool */
	bool takes_long; /* sums */
	bool refused;	 /* one, for its size */
	struct mcf_network core;
};

/* Make the core of what the steps left. */
void reduction_core(struct reduction *r, const struct mcf_network *net);

#endif
