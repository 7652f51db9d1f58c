/*
 * reduction.h - what reduce.c finds and expand.c goes back through.  Private
 * to these two and to reduce_room.c.
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
	size_t node_room, arc_room, step_room, before_room;
	size_t list_nodes, list_arcs; /* room of the lists of ends */
	uint32_t nodes, narcs, nstack, nsteps, nbefore;
	size_t limit;	 /* of what is written to the pool */
	size_t gone;	 /* of that, what has been taken out again */
	uint32_t own;	 /* segments that are the network's */
	bool takes_long; /* sums */
	bool refused;	 /* one, for its size */
	struct mcf_network core;
};

/* Room for a network of that size; what was there is lost. */
void reduction_grow(struct reduction *r, size_t nodes, size_t narcs);

/* Give back what only the search for the core needs. */
void reduction_free_lists(struct reduction *r);

/*
 * Room in the pool for so many segments; bundles may be elsewhere in it
 * afterwards.
 */
void reduction_reserve(struct reduction *r, size_t n);

/* Make the core of what the steps left. */
void reduction_core(struct reduction *r, const struct mcf_network *net);

#endif
