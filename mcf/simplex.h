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
#include "mcf/room.h"

#define NONE	     UINT32_MAX
#define NEVER	     ((int64_t)1 << 61)
#define FLOW_SUM_MAX ((int64_t)1 << 61)

/* All that the search for an entering arc reads, in arc order. */
struct offer {
	uint32_t tail, head;
	int64_t up;   /* price of one more; NEVER: none, or in the tree */
	int64_t down; /* price that one less saves; -NEVER likewise */
};

/* Where the flow of an arc in the tree is: in a segment. */
struct place {
	int64_t above, below; /* room to the ends of the segment */
	uint32_t segment;
};

/* What a way up the tree is found by: little, since it leads anywhere. */
struct rung {
	uint32_t parent;
	uint32_t size; /* nodes of the part that hangs on this one, it too */
};

struct node {
	uint32_t arc : 31;   /* to or from the parent */
	uint32_t upward : 1; /* whether the arc's tail is this node */
	union {
		uint32_t previous; /* in preorder */
		uint32_t edge;	   /* in the tour, on the way to the node */
	};
	struct place place; /* of the arc */
};

/* All that is read and written along the preorder of the tree. */
struct rank {
	int64_t potential; /* in a tour, without its chunk's lift */
	union {
		uint32_t next;
		uint32_t chunk; /* of the tour */
	};
	uint32_t last; /* of what hangs on the node */
};

/* How far a cycle can be pushed until an arc is at the end of a segment. */
struct stop {
	int64_t at;
	int32_t place; /* along the cycle; < 0 before the entering arc */
	uint32_t node; /* under the arc */
};

/* A part of the tree below an arc that rose in a walk. */
struct part {
	uint32_t top;
	int64_t change; /* of the potentials there */
};

/* What is added to the potentials behind an entry of the tour. */
struct tour_step {
	uint32_t entry;
	int64_t change;
};

/* An arc that was worth something when it was looked at. */
struct spare {
	int64_t saving;
	uint32_t arc;
};

/* At most so many, and in a tour. */
enum { SPARES = 16, TOUR_SPARES = 64 };

struct simplex {
	const struct mcf_network *net;
	struct room room; /* all that is by arc or node from the start */
	struct offer *offers;
	uint32_t *rests;   /* the segment before which an arc rests */
	struct rung *up;   /* nodes, then the root */
	struct node *tree; /* the same */
	struct rank *line; /* the same */
	/*
	 * Of a node, till it hangs; then 0, but for its number to be, in
	 * simplex_sort(), and how much the price below it rose, in a walk.
	 */
	int64_t *excess;
	struct stop *stops; /* of the longest cycle that needed them */
	struct part *parts;
	struct tour_step *steps;
	uint32_t *start, *around; /* arcs by node */
	uint32_t *top;		  /* see top_of() */
	size_t stop_room, part_room, step_room;
	size_t index_arcs, index_nodes; /* room of start, around and top */
	uint32_t narcs, root;
	uint32_t next;	 /* where the search goes on */
	uint32_t block;	 /* arcs per block of it, at least */
	uint32_t effort; /* potentials that a pivot changes, of late, or so */
	uint32_t nspares;
	int64_t enough; /* what one of them has to save */
	struct spare spares[TOUR_SPARES];
	uint64_t moved;	   /* since simplex_sort(); in a tour, pivots */
	uint64_t climbed;  /* arcs of all cycles */
	uint64_t given_up; /* those until another tree was begun, or 0 */
	int64_t *last;	   /* potentials at the end, if they are worth it */
	struct tour *tour; /* its memory, or NULL */
	int64_t *lift;	   /* of its chunks while the tree is one, or NULL */
};

/* Memory for the network, and a first tree; fails by too large bounds. */
bool simplex_start(struct simplex *s, struct fdo_error *err);

/*
 * The memory, but for what only the start needs; how much of it there will be;
 * and give back what else there is.
 */
void simplex_reserve(struct simplex *s);
struct room simplex_plan(const struct simplex *s);
void simplex_release(struct simplex *s);

/*
 * A tree that is nearly the last one, in place of any that there is, unless
 * that takes too long: simplex_near.c.
 */
bool simplex_near(struct simplex *s);

/*
 * Keep the potentials of a network that was solved, or give them back; and a
 * tree from them and from its flow, at other prices, unless that does not keep
 * within bounds.
 */
void simplex_remember(struct simplex *s);
void simplex_forget(struct simplex *s);
bool simplex_again(struct simplex *s);

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

/* From preorder to a tour, and back for simplex_sort(): simplex_tour.c. */
void simplex_tour_begin(struct simplex *s);
void simplex_tour_end(struct simplex *s);

/*
 * Add to the potentials between each entry and the next one, once around the
 * tour: there are two at least.
 */
void simplex_tour_raise(struct simplex *s, const struct tour_step *steps,
			size_t n);

/* Take what hangs on a node out, and hang it by any node of it on another. */
void simplex_tour_cut(struct simplex *s, uint32_t top);
void simplex_tour_link(struct simplex *s, uint32_t u, uint32_t parent);

void simplex_tour_free(struct tour *t);

static inline int64_t simplex_potential(const struct simplex *s, uint32_t u)
{
	const struct rank *rank = &s->line[u];

	if (!s->lift)
		return rank->potential;
	return (int64_t)((uint64_t)rank->potential +
			 (uint64_t)s->lift[rank->chunk]);
}

/* What one unit along the arc, up or down, would save. */
static inline int64_t simplex_saving(const struct simplex *s,
				     const struct offer *o)
{
	int64_t step =
		simplex_potential(s, o->head) - simplex_potential(s, o->tail);
	int64_t up = step - o->up, down = o->down - step;

	return up > down ? up : down;
}

/* The segment in which the flow is. */
static inline const struct mcf_segment *segment_of(const struct simplex *s,
						   const struct place *place)
{
	return &s->net->segments[place->segment];
}

/* How far the arc above a node can be pushed, towards the root or from it. */
static inline int64_t room(const struct node *node, bool to_root)
{
	return node->upward == to_root ? node->place.above : node->place.below;
}

static inline void push_arc(struct place *place, bool up, int64_t amount)
{
	place->above -= up ? amount : -amount;
	place->below += up ? amount : -amount;
}

#endif
