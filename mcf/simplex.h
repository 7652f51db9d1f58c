/*
 * simplex.h - what the network simplex works on.  Private to simplex*.c; the
 * ideas are at the head of simplex.c.
 */
#ifndef MCF_SIMPLEX_H
#define MCF_SIMPLEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mcf/network.h"

#define NONE	     UINT32_MAX
#define NEVER	     ((int64_t)1 << 61)
#define FLOW_SUM_MAX ((int64_t)1 << 61)

/* All that the search for an entering arc reads, in arc order. */
struct offer {
	uint32_t tail, head;
	int64_t up;   /* price of one more; NEVER: none, or in the tree */
	int64_t down; /* price that one less saves; -NEVER likewise */
};

/* Where an arc's flow is: in a segment, or at rest before one. */
struct place {
	int64_t above, below; /* room to the ends of the segment */
	uint32_t segment;
};

struct node {
	uint32_t parent;
	uint32_t arc : 31;   /* to or from the parent */
	uint32_t upward : 1; /* whether the arc's tail is this node */
	uint32_t size;	     /* nodes of the part that hangs on it, it too */
	uint32_t previous;   /* in preorder */
};

/* All that is read and written along the preorder of the tree. */
struct rank {
	int64_t potential;
	uint32_t next;
	uint32_t last; /* of what hangs on the node */
};

/* How far a cycle can be pushed until an arc is at the end of a segment. */
struct stop {
	int64_t at;
	int32_t place; /* along the cycle; < 0 before the entering arc */
	uint32_t node; /* under the arc */
};

/* An arc that was worth something when it was looked at. */
struct spare {
	int64_t saving;
	uint32_t arc;
};

enum { SPARES = 8 };

struct simplex {
	const struct mcf_network *net;
	struct offer *offers;
	struct place *places;	  /* arcs, then an artificial arc per node */
	struct node *tree;	  /* nodes, then the root */
	struct rank *line;	  /* the same */
	int64_t *excess;	  /* of a node; later, rise_of() or a number */
	struct stop *stops;	  /* of the longest cycle that needed them */
	uint32_t *start, *around; /* arcs by node */
	uint32_t *top;		  /* see top_of() */
	size_t arc_room, place_room, node_room, stop_room;
	size_t index_arcs, index_nodes; /* room of start, around and top */
	uint32_t narcs, root;
	uint32_t next;	 /* where the search goes on */
	uint32_t block;	 /* arcs per block of it, at least */
	uint32_t effort; /* potentials that a pivot changes, of late */
	uint32_t nspares;
	int64_t enough; /* what one of them has to save */
	struct spare spares[SPARES];
	uint64_t moved; /* since simplex_sort() */
};

/* Memory for the network, and a first tree; fails by too large bounds. */
bool simplex_start(struct simplex *s, struct fdo_error *err);

/* An arc that is not in the tree rests before this segment of its own. */
void simplex_rest(struct simplex *s, uint32_t arc, uint32_t segment);

/* Hang a part of the tree, which is in preorder itself, on a node. */
void simplex_link(struct simplex *s, uint32_t u, uint32_t parent);

/* Take a part of the tree out of the preorder of the rest. */
void simplex_unlink(struct simplex *s, uint32_t top);

/*
 * Put a part that was taken out in preorder as it hangs from "u" and not from
 * its "top": each node on the way up from u comes behind what was below it,
 * with what else it had, before and after that, behind itself.  Parents and
 * sizes are the caller's to change.
 */
void simplex_turn(struct simplex *s, uint32_t u, uint32_t top);

/* Number the nodes as they are in preorder. */
void simplex_sort(struct simplex *s);

/* Let an arc enter the tree that saves something. */
void simplex_pivot(struct simplex *s, uint32_t entering);

/* What one unit along the arc, up or down, would save. */
static inline int64_t simplex_saving(const struct simplex *s,
				     const struct offer *o, bool *up)
{
	int64_t step = s->line[o->head].potential - s->line[o->tail].potential;

	*up = step - o->up > 0;
	return *up ? step - o->up : o->down - step;
}

/* The segment in which a tree arc's flow is. */
static inline const struct mcf_segment *segment_of(const struct simplex *s,
						   uint32_t arc)
{
	return &s->net->segments[s->places[arc].segment];
}

/* How far the arc above a node can be pushed, towards the root or from it. */
static inline int64_t room(const struct simplex *s, const struct node *node,
			   bool to_root)
{
	const struct place *place = &s->places[node->arc];

	return node->upward == to_root ? place->above : place->below;
}

static inline void push_arc(struct place *place, bool up, int64_t amount)
{
	place->above -= up ? amount : -amount;
	place->below += up ? amount : -amount;
}

#endif
