/*
 * simplex.c - primal network simplex over arcs with breakpoints.
 *
 * A spanning tree of the nodes carries the flow; each arc outside it rests
 * at a breakpoint of its cost: at its lower bound, at its upper bound, or
 * where one segment ends and the next begins.  Tree arcs fix a potential
 * for each node (head = tail + price).  An arc at rest whose next segment up
 * is cheaper than the potentials it joins, or whose last segment down is
 * dearer, closes a cycle that is worth pushing along: it enters the tree,
 * and the first tree arc on the cycle to reach the end of its segment
 * leaves.  Prices rise along an arc, so the two segments next to its
 * breakpoint say all that its other segments could.
 *
 * Start      See simplex_start.c.  Artificial arcs join parts of the tree
 *            to a root; into it at no price, out of it at a price above any
 *            path.  Flow that stays there proves that the lower bounds
 *            cannot be met.
 * Cycling    Trees are strongly feasible: from each node a positive amount
 *            could be sent to the root.  Of several arcs that block, the
 *            last along the cycle from its apex leaves, which keeps it so;
 *            then no sequence of empty pushes can return to its beginning.
 * Overflow   A potential, less that of the root, is the price of a tree
 *            path: at most one artificial arc and "nodes" others.  mcf.c
 *            keeps (nodes + 2) * (price + 1) below 2^58, so potentials
 *            differ from the root's by 2^59 and among each other by 2^60 at
 *            most, which is below NEVER, 2^61, and the sum of both fits.
 *            The root's own stays within 2^58 (see refresh()).  Flow stays within segments, which are at most
 *            2^44 wide, and on artificial arcs within the sum of what all
 *            arcs carry at the start, which is kept below 2^61: lower bounds
 *            of more than half of that are refused, and when measured flow
 *            reaches it the rest of the arcs start lower.
 * Order      Arcs are looked at in turn, a block at a time, and the best of
 *            a block enters; ties go to the first.  Nothing else decides.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/reduce.h"
#include "mcf/simplex.h"

#define DRIFT_MAX ((int64_t)1 << 58)

void mcf_simplex_free(struct simplex *s)
{
	if (!s)
		return;
	free(s->top);
	free(s->start);
	free(s->around);
	free(s->excess);
	free(s->potential);
	free(s->tree);
	free(s->places);
	free(s->offers);
	free(s);
}

/* What one unit along the arc, up or down, would save. */
static int64_t saving(const struct simplex *s, const struct offer *o, bool *up)
{
	int64_t step = s->potential[o->head] - s->potential[o->tail];

	*up = step - o->up > 0;
	return *up ? step - o->up : o->down - step;
}

/* The best arc of the next block that has one, or NONE. */
static uint32_t find_entering(struct simplex *s)
{
	uint32_t best = NONE, left = s->block, a = s->next;
	int64_t most = 0;
	bool up;

	for (uint32_t seen = 0; seen < s->narcs; seen++) {
		int64_t value = saving(s, &s->offers[a], &up);

		if (value > most) {
			most = value;
			best = a;
		}
		if (++a == s->narcs)
			a = 0;
		if (--left == 0) {
			if (best != NONE)
				break;
			left = s->block;
		}
	}
	s->next = a;
	return best;
}

struct pivot {
	uint32_t entering;
	bool up;	   /* flow on it rises */
	uint32_t from, to; /* its ends, in the direction of the push */
	uint32_t apex;	   /* where the tree paths from them meet */
	uint32_t leaving;  /* the node under it; NONE: the entering arc */
	bool leaves_from_side;
	int64_t amount;
	int64_t saving; /* by each unit of it */
};

/* Take the entering arc off its breakpoint, into a segment. */
static void enter(struct simplex *s, struct pivot *p)
{
	struct offer *offer = &s->offers[p->entering];
	struct place *place = &s->places[p->entering];

	p->saving = saving(s, offer, &p->up);
	p->from = p->up ? offer->tail : offer->head;
	p->to = p->up ? offer->head : offer->tail;
	if (p->up) {
		place->above = segment_of(s, p->entering)->width;
		place->below = 0;
	} else {
		place->segment--;
		place->above = 0;
		place->below = segment_of(s, p->entering)->width;
	}
}

/*
 * Climb both sides to the apex and find the arc that leaves.  The order
 * along the cycle is: apex, down to "from", the entering arc, up from "to".
 */
static void find_leaving(const struct simplex *s, struct pivot *p)
{
	const struct place *place = &s->places[p->entering];
	uint32_t u = p->from, v = p->to;
	int64_t have;

	p->leaving = NONE;
	p->amount = p->up ? place->above : place->below;
	while (u != v) {
		const struct node *un = &s->tree[u], *vn = &s->tree[v];

		if (un->size < vn->size) {
			have = room(s, un, false);
			if (have < p->amount) {
				p->amount = have;
				p->leaving = u;
				p->leaves_from_side = true;
			}
			u = un->parent;
		} else {
			have = room(s, vn, true);
			if (have <= p->amount) {
				p->amount = have;
				p->leaving = v;
				p->leaves_from_side = false;
			}
			v = vn->parent;
		}
	}
	p->apex = u;
}

static void push(struct simplex *s, const struct pivot *p)
{
	const struct node *node;

	if (p->amount == 0)
		return;
	push_arc(&s->places[p->entering], p->up, p->amount);
	for (uint32_t u = p->from; u != p->apex; u = node->parent) {
		node = &s->tree[u];
		push_arc(&s->places[node->arc], !node->upward, p->amount);
	}
	for (uint32_t u = p->to; u != p->apex; u = node->parent) {
		node = &s->tree[u];
		push_arc(&s->places[node->arc], node->upward, p->amount);
	}
}

/* An arc that reached the end of its segment rests there. */
static void leave(struct simplex *s, uint32_t arc)
{
	const struct place *place = &s->places[arc];

	if (arc < s->narcs)
		simplex_rest(s, arc, place->segment + (place->above == 0));
}

static void unlink_node(struct simplex *s, uint32_t u)
{
	const struct node *node = &s->tree[u];

	if (node->previous == NONE)
		s->tree[node->parent].child = node->next;
	else
		s->tree[node->previous].next = node->next;
	if (node->next != NONE)
		s->tree[node->next].previous = node->previous;
}

/* Hang the part below the leaving arc on the entering arc instead. */
static void rehang(struct simplex *s, const struct pivot *p, uint32_t u,
		   uint32_t parent)
{
	uint32_t arc = p->entering, upward = s->offers[arc].tail == u;
	uint32_t whole = s->tree[p->leaving].size, below = 0;

	for (uint32_t v = s->tree[p->leaving].parent; v != p->apex;
	     v = s->tree[v].parent)
		s->tree[v].size -= whole;
	for (uint32_t v = parent; v != p->apex; v = s->tree[v].parent)
		s->tree[v].size += whole;
	for (;;) {
		struct node *node = &s->tree[u];
		struct node old = *node;

		unlink_node(s, u);
		simplex_link(s, u, parent);
		node->arc = arc;
		node->upward = upward;
		node->size = whole - below;
		if (u == p->leaving)
			break;
		below = old.size;
		parent = u;
		u = old.parent;
		arc = old.arc;
		upward = !old.upward;
	}
}

/* Add to the potentials of a part of the tree but for what hangs on "but". */
static void shift(struct simplex *s, uint32_t top, uint32_t but, int64_t change)
{
	const struct node *tree = s->tree;
	uint32_t u = top;

	for (;;) {
		if (u != but) {
			s->potential[u] += change;
			if (tree[u].child != NONE) {
				u = tree[u].child;
				continue;
			}
		}
		while (u != top && tree[u].next == NONE)
			u = tree[u].parent;
		if (u == top)
			return;
		u = tree[u].next;
	}
}

/*
 * Potentials below an arc have changed, or those of all others the other
 * way: only differences matter, so the smaller part is done.
 */
static void refresh(struct simplex *s, uint32_t top, int64_t change)
{
	int64_t drift;

	if (s->tree[top].size <= s->root / 2) {
		shift(s, top, NONE, change);
		return;
	}
	shift(s, s->root, top, -change);
	drift = s->potential[s->root];
	if (llabs(drift) > DRIFT_MAX)
		for (uint32_t u = 0; u <= s->root; u++)
			s->potential[u] -= drift;
}

/* What one pivot may walk through for a step within it. */
enum { WALK = 16 };

/*
 * The arc that blocks is at the end of a segment, not of all: while the push
 * still pays at the price of the next one, go on there.  That is a pivot in
 * which this segment leaves the tree and the next one enters in its place.
 * It is worth doing at once if few potentials depend on it.
 */
static bool pass(struct simplex *s, struct pivot *p)
{
	const struct node *node = &s->tree[p->leaving];
	uint32_t arc = p->leaving == NONE ? p->entering : node->arc;
	bool up = p->leaving == NONE ? p->up
				     : node->upward != p->leaves_from_side;
	struct place *place = &s->places[arc];
	const struct mcf_arc *a = &s->net->arcs[arc];
	const struct mcf_segment *segment;
	int64_t rise;

	if (arc >= s->narcs ||
	    place->segment == (up ? a->first + a->n - 1 : a->first))
		return false;
	segment = segment_of(s, arc);
	rise = up ? segment[1].price - segment[0].price
		  : segment[-1].price - segment[0].price;
	if (p->saving <= llabs(rise) ||
	    (p->leaving != NONE && node->size > WALK &&
	     s->root - node->size > WALK))
		return false;
	p->saving -= llabs(rise);
	place->segment += up ? 1 : -1;
	place->above = up ? segment[1].width : 0;
	place->below = up ? 0 : segment[-1].width;
	if (p->leaving != NONE)
		refresh(s, p->leaving, node->upward ? -rise : rise);
	return true;
}

static void pivot(struct simplex *s, uint32_t entering)
{
	struct pivot p = { .entering = entering };
	struct offer *offer = &s->offers[entering];
	uint32_t hung, parent;
	int64_t change;

	enter(s, &p);
	do {
		find_leaving(s, &p);
		push(s, &p);
	} while (pass(s, &p));
	if (p.leaving == NONE) {
		leave(s, entering);
		return;
	}
	leave(s, s->tree[p.leaving].arc);
	hung = p.leaves_from_side ? p.from : p.to;
	parent = p.leaves_from_side ? p.to : p.from;
	change = s->potential[offer->head] - s->potential[offer->tail] -
		 segment_of(s, entering)->price;
	offer->up = NEVER;
	offer->down = -NEVER;
	rehang(s, &p, hung, parent);
	refresh(s, hung, hung == offer->tail ? change : -change);
}

/* Read the flow back; false if some stayed on an artificial arc. */
static bool finish(const struct simplex *s, struct mcf_network *net)
{
	for (uint32_t u = 0; u < s->root; u++)
		if (s->places[s->narcs + u].below > 0)
			return false;
	for (uint32_t a = 0; a < s->narcs; a++) {
		struct mcf_arc *arc = &net->arcs[a];

		arc->flow = arc->lower + s->places[a].below;
		for (uint32_t i = arc->first; i < s->places[a].segment; i++)
			arc->flow += net->segments[i].width;
	}
	return true;
}

static bool search(struct simplex **simplex, struct mcf_network *net,
		   struct fdo_error *err)
{
	struct simplex *s = *simplex;
	uint32_t entering;

	if (!s)
		s = *simplex = fdo_alloc(1, sizeof(*s));
	s->net = net;
	s->narcs = net->narcs;
	s->root = net->nodes;
	if (!simplex_start(s, err))
		return false;
	s->next = 0;
	s->block = 10;
	while ((uint64_t)s->block * s->block < s->narcs)
		s->block++;
	while ((entering = find_entering(s)) != NONE)
		pivot(s, entering);
	if (!finish(s, net))
		return fdo_fail(err, "the lower bounds cannot all be met");
	return true;
}

bool mcf_simplex(struct mcf_network *net, struct fdo_error *err)
{
	struct mcf_network *core = reduce(&net->reduction, net);

	if (!core)
		return search(&net->simplex, net, err);
	if (core->narcs && !search(&net->simplex, core, err))
		return false;
	expand(net->reduction, net);
	return true;
}
