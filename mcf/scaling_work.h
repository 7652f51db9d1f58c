/*
 * scaling_work.h - what cost scaling works on.  Private to scaling*.c; the
 * ideas are at the head of scaling.c.
 */
#ifndef MCF_SCALING_WORK_H
#define MCF_SCALING_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "mcf/scaling.h"

#define NONE   UINT32_MAX
#define NEVER  INT32_MAX
#define LOWEST (-(1 << 30))

/* An arc as one of its ends sees it: all that a search from there reads. */
struct half {
	int32_t out; /* price of one more towards the other end */
	uint32_t other;
};

/* The arc above a node, seen on the way up. */
struct branch {
	int64_t room, back; /* on the way up and down */
	int64_t price;	    /* of one more on the way up */
	uint32_t end;	    /* the arc's, at the node */
};

/* What a way up is found by: little, since it leads anywhere. */
struct stem {
	uint32_t parent; /* of the node, or NONE */
	uint32_t seen;	 /* the last cycle that climbed through it */
};

struct scaling_work {
	const struct mcf_network *net;
	struct half *halves; /* by node */
	int32_t *in;	     /* of each half: price of one more from there */
	uint32_t *end_of;    /* twice the arc's number, and 1 at its head */
	uint32_t *half_of;   /* of each end, or NONE */
	int64_t *excess;
	uint32_t *queue; /* of nodes with an excess, a ring */
	bool *waits;	 /* in the queue */
	uint32_t first, nqueue;
	int32_t *distance;
	uint32_t *bucket; /* by distance: a node, or NONE */
	uint32_t *next, *previous;
	/* In place of what is of no use any more when the flow is found. */
	struct branch *branches; /* by node */
	struct stem *stems;	 /* likewise */
	uint64_t changes;	 /* of potentials */
	uint64_t looks;		 /* at arcs */
	int log_epsilon;
	uint32_t mirrored; /* 1: see scaling_mirror() */
	bool failed;
};

/* All that there is to work on, yet without a flow; as scaling_flow(). */
struct scaling *scaling_begin(const struct mcf_network *net, struct room *room,
			      size_t later);

/* How far an arc can be pushed from an end, within a segment. */
static inline int64_t scaling_room(const struct scaling *f, uint32_t end)
{
	const struct scaling_spot *spot = &f->spots[end / 2];

	return end % 2 ? spot->below : spot->above;
}

/* Push from an end, at that price, as far as there is room at most. */
void scaling_push(struct scaling *f, uint32_t end, int32_t price,
		  int64_t amount);

/* Lists of halves by node, of arcs that are at rest. */
void scaling_find_halves(struct scaling *f);

/*
 * Put all potentials to the distance from where flow lacks, as far as there
 * is an excess.
 */
void scaling_update(struct scaling *f);

/*
 * Let what lacks be an excess and the other way round, all arcs lead the other
 * way, and potentials rise where they fell; the highest one is 0 again.
 */
void scaling_mirror(struct scaling *f);

/*
 * The arcs that are within a segment join nodes to a forest.  Find it, and
 * return how many of them it lacks.
 */
uint32_t scaling_forest(struct scaling *f);

/*
 * Push those around cycles of the forest that was found until it lacks none.
 * The flow gets no dearer, and no arc wrong by more than epsilon.  Only the
 * forest and the arcs' places are of use afterwards.
 */
void scaling_settle(struct scaling *f);

#endif
