/*
 * simplex_pivot.c - one pivot of the network simplex.
 *
 * The entering arc closes a cycle in the tree; what is pushed along it saves
 * the same for each unit until an arc is at the end of its segment.  If that
 * was its last, it leaves the tree.  Otherwise the saving falls by the rise of
 * its price there; as long as something is left of it the push goes on, for
 * to stop would only be to let this segment leave and the next one enter.  A
 * heap has the arcs of the cycle by the distance to the ends of their
 * segments, so each end takes the logarithm of the cycle's length, and the
 * potentials are put right once for all of them.
 *
 * At one distance the ends are taken from the last along the cycle to the
 * first.  So where the push stops, arcs behind the leaving one have room ahead
 * and those before it have room behind, which is what a strongly feasible
 * tree asks of them.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "mcf/simplex.h"

#define DRIFT_MAX ((int64_t)1 << 58)

/*
 * A cost of so many segments has steps so wide that the next arc to enter
 * would rather not have them taken: going on saves no pivots then, and the
 * potentials of larger parts of the tree change.
 */
enum { FEW = 4 };

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

	p->saving = simplex_saving(s, offer, &p->up);
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
 * Climb both sides to the apex and find the arc that blocks first.  The order
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

/*
 * Whether an arc at the end of its segment has another, and the push pays
 * with its price as well.
 */
static bool pays_beyond(const struct simplex *s, const struct pivot *p,
			uint32_t arc, bool up, int64_t *rise)
{
	const struct mcf_segment *segment;
	const struct mcf_arc *a;

	if (arc >= s->narcs)
		return false;
	a = &s->net->arcs[arc];
	segment = segment_of(s, arc);
	if (a->n <= FEW ||
	    s->places[arc].segment == (up ? a->first + a->n - 1 : a->first))
		return false;
	*rise = up ? segment[1].price - segment[0].price
		   : segment[0].price - segment[-1].price;
	return p->saving > *rise;
}

static bool is_first(const struct stop *a, const struct stop *b)
{
	return a->at != b->at ? a->at < b->at : a->place > b->place;
}

/* Let the stop at a place of the heap sink to where it belongs. */
static void sink(struct stop *stops, size_t n, size_t at)
{
	struct stop stop = stops[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= n)
			break;
		child += child + 1 < n &&
			 is_first(&stops[child + 1], &stops[child]);
		if (is_first(&stop, &stops[child]))
			break;
		stops[at] = stops[child];
		at = child;
	}
	stops[at] = stop;
}

/* By how much a price below this node's arc has risen in this pivot. */
static int64_t *rise_of(struct simplex *s, uint32_t u)
{
	return &s->excess[u];
}

static void reserve_stops(struct simplex *s, const struct pivot *p)
{
	size_t n = 1;

	for (uint32_t u = p->from; u != p->apex; u = s->tree[u].parent)
		n++;
	for (uint32_t u = p->to; u != p->apex; u = s->tree[u].parent)
		n++;
	if (n <= s->stop_room)
		return;
	s->stop_room = n + n / 2;
	free(s->stops);
	s->stops = fdo_alloc(s->stop_room, sizeof(*s->stops));
}

/* All stops of the cycle, as a heap. */
static size_t find_stops(struct simplex *s, const struct pivot *p)
{
	const struct place *place = &s->places[p->entering];
	const struct node *node;
	size_t n = 0;
	int32_t i = 0;

	reserve_stops(s, p);
	s->stops[n++] =
		(struct stop){ p->up ? place->above : place->below, 0, NONE };
	for (uint32_t u = p->from; u != p->apex; u = node->parent) {
		node = &s->tree[u];
		s->stops[n++] = (struct stop){ room(s, node, false), --i, u };
		*rise_of(s, u) = 0;
	}
	i = 0;
	for (uint32_t u = p->to; u != p->apex; u = node->parent) {
		node = &s->tree[u];
		s->stops[n++] = (struct stop){ room(s, node, true), ++i, u };
		*rise_of(s, u) = 0;
	}
	for (size_t at = n / 2; at-- > 0;)
		sink(s->stops, n, at);
	return n;
}

static uint32_t arc_at(const struct simplex *s, const struct pivot *p,
		       const struct stop *stop, bool *up)
{
	if (stop->place == 0) {
		*up = p->up;
		return p->entering;
	}
	*up = s->tree[stop->node].upward == (stop->place > 0);
	return s->tree[stop->node].arc;
}

/* Push as far as it pays, through the ends of segments. */
static void push_on(struct simplex *s, struct pivot *p)
{
	size_t n = find_stops(s, p);
	struct stop *first = s->stops;
	int64_t rise;
	bool up;

	for (;;) {
		uint32_t arc = arc_at(s, p, first, &up);

		if (!pays_beyond(s, p, arc, up, &rise))
			break;
		p->saving -= rise;
		s->places[arc].segment += up ? 1 : -1;
		first->at += segment_of(s, arc)->width;
		if (first->place)
			*rise_of(s, first->node) += rise;
		sink(s->stops, n, 0);
	}
	p->amount = first->at;
	p->leaving = first->node;
	p->leaves_from_side = first->place < 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t arc = arc_at(s, p, &s->stops[i], &up);
		struct place *place = &s->places[arc];
		int64_t ahead = s->stops[i].at - p->amount;
		int64_t whole = arc < s->narcs ? segment_of(s, arc)->width
					       : place->above + place->below;

		place->above = up ? ahead : whole - ahead;
		place->below = whole - place->above;
	}
}

/*
 * Add to the potentials of a part of the tree but for what hangs on either of
 * two nodes (or NONE).
 */
static void shift(struct simplex *s, uint32_t top, uint32_t but, uint32_t other,
		  int64_t change)
{
	struct rank *line = s->line;
	uint32_t end = line[line[top].last].next, moved = 0;

	for (uint32_t u = top; u != end; u = line[u].next) {
		if (u == but || u == other) {
			u = line[u].last;
			continue;
		}
		line[u].potential += change;
		moved++;
	}
	s->moved += moved;
}

/* The same for all that hangs on neither; the root's has a limit. */
static void shift_rest(struct simplex *s, uint32_t but, uint32_t other,
		       int64_t change)
{
	int64_t drift;

	shift(s, s->root, but, other, change);
	drift = s->line[s->root].potential;
	if (llabs(drift) > DRIFT_MAX)
		for (uint32_t u = 0; u <= s->root; u++)
			s->line[u].potential -= drift;
}

/*
 * Potentials below an arc have changed, or those of all others the other
 * way: only differences matter, so the smaller part is done.
 */
static void refresh(struct simplex *s, uint32_t top, int64_t change)
{
	if (s->tree[top].size <= s->root / 2)
		shift(s, top, NONE, NONE, change);
	else
		shift_rest(s, top, NONE, -change);
}

/* On the way up one side of a cycle: what hangs between two arcs that rose. */
struct part {
	uint32_t at;
	uint32_t top, but;
	int64_t change;	   /* of the potentials there */
	int64_t remaining; /* of those above */
	int sign;
};

static struct part part_begin(struct simplex *s, uint32_t at, uint32_t apex,
			      int sign)
{
	struct part part = { .at = at, .top = NONE, .sign = sign };

	for (; at != apex; at = s->tree[at].parent)
		part.remaining += sign * *rise_of(s, at);
	return part;
}

static bool part_next(struct simplex *s, struct part *part, uint32_t apex)
{
	while (part->at != apex) {
		uint32_t u = part->at;
		int64_t rise = *rise_of(s, u);

		part->at = s->tree[u].parent;
		if (rise == 0)
			continue;
		part->but = part->top;
		part->top = u;
		part->change = part->remaining;
		part->remaining -= part->sign * rise;
		return true;
	}
	return false;
}

static uint32_t size_of(const struct simplex *s, uint32_t u)
{
	return u == NONE ? 0 : s->tree[u].size;
}

/* As refresh() where several arcs of the cycle rose: the largest part stays. */
static void refresh_parts(struct simplex *s, const struct pivot *p)
{
	struct part sides[2] = { part_begin(s, p->from, p->apex, 1),
				 part_begin(s, p->to, p->apex, -1) };
	struct part best = { .top = NONE }, part;
	uint32_t most = 0, size, top[2];

	for (int i = 0; i < 2; i++) {
		for (part = sides[i]; part_next(s, &part, p->apex);) {
			size = size_of(s, part.top) - size_of(s, part.but);
			if (size > most) {
				most = size;
				best = part;
			}
		}
		top[i] = part.top;
	}
	size = s->root + 1 - size_of(s, top[0]) - size_of(s, top[1]);
	if (size >= most)
		best = (struct part){ .top = NONE };
	else
		shift_rest(s, top[0], top[1], -best.change);
	for (int i = 0; i < 2; i++)
		for (part = sides[i]; part_next(s, &part, p->apex);)
			if (part.top != best.top)
				shift(s, part.top, part.but, NONE,
				      part.change - best.change);
}

/* Hang the part below the leaving arc on the entering arc instead. */
static void rehang(struct simplex *s, const struct pivot *p, uint32_t u,
		   uint32_t parent)
{
	uint32_t arc = p->entering, upward = s->offers[arc].tail == u;
	uint32_t whole = s->tree[p->leaving].size, below = 0;
	uint32_t first = u, on = parent;

	for (uint32_t v = s->tree[p->leaving].parent; v != p->apex;
	     v = s->tree[v].parent)
		s->tree[v].size -= whole;
	for (uint32_t v = parent; v != p->apex; v = s->tree[v].parent)
		s->tree[v].size += whole;
	simplex_unlink(s, p->leaving);
	simplex_turn(s, u, p->leaving);
	for (;;) {
		struct node *node = &s->tree[u];
		struct node old = *node;

		node->parent = parent;
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
	simplex_link(s, first, on);
}

/* Potentials, then the tree. */
static void change_tree(struct simplex *s, const struct pivot *p, bool parts)
{
	struct offer *offer = &s->offers[p->entering];

	if (p->leaving == NONE) {
		if (parts)
			refresh_parts(s, p);
		leave(s, p->entering);
		return;
	}
	if (parts) {
		*rise_of(s, p->leaving) += p->saving;
		refresh_parts(s, p);
	} else {
		refresh(s, p->leaving,
			p->leaves_from_side ? p->saving : -p->saving);
	}
	leave(s, s->tree[p->leaving].arc);
	offer->up = NEVER;
	offer->down = -NEVER;
	if (p->leaves_from_side)
		rehang(s, p, p->from, p->to);
	else
		rehang(s, p, p->to, p->from);
}

void simplex_pivot(struct simplex *s, uint32_t entering)
{
	struct pivot p = { .entering = entering };
	uint64_t moved = s->moved;
	uint32_t arc;
	int64_t rise;
	bool up, on;

	enter(s, &p);
	find_leaving(s, &p);
	arc = p.leaving == NONE ? entering : s->tree[p.leaving].arc;
	up = p.leaving == NONE
		     ? p.up
		     : s->tree[p.leaving].upward != p.leaves_from_side;
	on = pays_beyond(s, &p, arc, up, &rise);
	if (on)
		push_on(s, &p);
	else
		push(s, &p);
	change_tree(s, &p, on);
	s->effort = (7 * (uint64_t)s->effort + (s->moved - moved)) / 8;
}
