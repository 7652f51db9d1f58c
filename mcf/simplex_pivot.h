/*
 * simplex_pivot.h - a pivot of the network simplex under way.  Private to
 * simplex_*.c.
 */
#ifndef MCF_SIMPLEX_PIVOT_H
#define MCF_SIMPLEX_PIVOT_H

#include "mcf/simplex.h"

struct pivot {
	uint32_t entering;
	bool up;	   /* flow on it rises */
	uint32_t from, to; /* its ends, in the direction of the push */
	uint32_t apex;	   /* where the tree paths from them meet */
	uint32_t leaving;  /* the node under it; NONE: the entering arc */
	bool leaves_from_side;
	int64_t amount;
	int64_t saving;	    /* by each unit of it */
	struct place place; /* of the entering arc */
	bool walked;	    /* which has been through ends of segments */
};

/*
 * Given which arc blocks first, go on through the ends of segments as long as
 * it pays.  The flow is yet to be pushed, from where the places are then.
 * False, and nothing changed, if it does not pay at all.
 */
bool simplex_walk(struct simplex *s, struct pivot *p);

/*
 * The potentials below an arc of the tree have changed, or those of all others
 * the other way.
 */
void simplex_refresh(struct simplex *s, uint32_t top, int64_t change);

/* The same for all arcs that rose in a walk, and the leaving one. */
void simplex_refresh_walk(struct simplex *s, const struct pivot *p);

#endif
