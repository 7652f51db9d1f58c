/*
 * simplex_walk.c - a push through the ends of segments.
 *
 * Where an arc of the cycle is at the end of its segment, the saving falls by
 * the rise of its price there; as long as something is left of it the push
 * goes on, for to stop would only be to let this segment leave and the next
 * one enter.  A heap has the arcs of the cycle by the distance to the ends of
 * their segments, so each end takes the logarithm of the cycle's length, and
 * the potentials are put right once for all of them.
 *
 * At one distance the ends are taken from the last along the cycle to the
 * first.  So where the push stops, arcs behind the leaving one have room ahead
 * and those before it have room behind, which is what a strongly feasible
 * tree asks of them.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "mcf/simplex_pivot.h"

/*
 * A cost of so many segments has steps so wide that the next arc to enter
 * would rather not have them taken: going on saves no pivots then, and the
 * potentials of larger parts of the tree change.
 */
enum { FEW = 4 };

/* The distance up to which stops are looked for, next to the first one's. */
enum { FAR = 16, FARTHER = 64 };

/*
 * Whether an arc at the end of its segment has another, and the push pays
 * with its price as well.
 */
static bool pays_beyond(const struct simplex *s, const struct pivot *p,
			uint32_t arc, const struct place *place, bool up,
			int64_t *rise)
{
	const struct mcf_segment *segment;
	const struct mcf_arc *a;

	if (arc >= s->narcs)
		return false;
	a = &s->net->arcs[arc];
	if (a->n <= FEW || place->segment == a->first + (up ? a->n - 1 : 0))
		return false;
	segment = segment_of(s, place);
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

/* The arcs of the cycle that are near enough to the ends of their segments. */
struct near {
	size_t n;	     /* of the stops, which are a heap */
	int64_t more, limit; /* between these is who is new */
};

static void add_stop(struct simplex *s, struct near *near, int64_t at,
		     int32_t place, uint32_t node)
{
	if (at <= near->more || at > near->limit)
		return;
	if (near->n == s->stop_room) {
		s->stop_room += s->stop_room / 2 + 8;
		s->stops =
			fdo_resize(s->stops, s->stop_room, sizeof(*s->stops));
	}
	s->stops[near->n++] = (struct stop){ at, place, node };
}

/* All stops up to the limit; those that a walk has moved are there. */
static void find_stops(struct simplex *s, const struct pivot *p,
		       struct near *near)
{
	int32_t i = 0;

	if (!p->walked)
		add_stop(s, near, p->up ? p->place.above : p->place.below, 0,
			 NONE);
	for (uint32_t u = p->from; u != p->apex; u = s->up[u].parent) {
		i--;
		if (s->excess[u] == 0)
			add_stop(s, near, room(&s->tree[u], false), i, u);
	}
	i = 0;
	for (uint32_t u = p->to; u != p->apex; u = s->up[u].parent) {
		i++;
		if (s->excess[u] == 0)
			add_stop(s, near, room(&s->tree[u], true), i, u);
	}
	for (size_t at = near->n / 2; at-- > 0;)
		sink(s->stops, near->n, at);
}

/* The first of all stops; few of a long cycle are ever looked for. */
static struct stop *first_stop(struct simplex *s, const struct pivot *p,
			       struct near *near)
{
	while (near->n == 0 || s->stops[0].at > near->limit) {
		near->more = near->limit;
		near->limit = near->limit < NEVER / FARTHER
				      ? near->limit * FARTHER
				      : INT64_MAX;
		find_stops(s, p, near);
	}
	return s->stops;
}

/* The arc at a stop, its place, and whether its flow rises. */
static uint32_t arc_at(struct simplex *s, struct pivot *p,
		       const struct stop *stop, struct place **place, bool *up)
{
	struct node *node;

	if (stop->place == 0) {
		*up = p->up;
		*place = &p->place;
		return p->entering;
	}
	node = &s->tree[stop->node];
	*up = node->upward == (stop->place > 0);
	*place = &node->place;
	return node->arc;
}

/* Whether the push goes on behind the first stop. */
static bool goes_on(struct simplex *s, struct pivot *p)
{
	struct stop first = { .node = p->leaving };
	struct place *place;
	uint32_t arc;
	int64_t rise;
	bool up;

	if (p->leaving != NONE)
		first.place = p->leaves_from_side ? -1 : 1;
	arc = arc_at(s, p, &first, &place, &up);
	return pays_beyond(s, p, arc, place, up, &rise);
}

bool simplex_walk(struct simplex *s, struct pivot *p)
{
	struct near near = { .more = -1 };
	struct place *place;
	struct stop *first;
	int64_t rise, width;
	uint32_t arc;
	bool up;

	if (!goes_on(s, p))
		return false;
	near.limit =
		p->amount < NEVER / FAR ? FAR * (p->amount + 1) : INT64_MAX;
	find_stops(s, p, &near);
	for (;;) {
		first = first_stop(s, p, &near);
		arc = arc_at(s, p, first, &place, &up);
		if (!pays_beyond(s, p, arc, place, up, &rise))
			break;
		p->saving -= rise;
		place->segment += up ? 1 : -1;
		width = segment_of(s, place)->width;
		first->at += width;
		place->above = up ? first->at : width - first->at;
		place->below = width - place->above;
		if (first->place)
			s->excess[first->node] += rise;
		else
			p->walked = true;
		sink(s->stops, near.n, 0);
	}
	p->amount = first->at;
	p->leaving = first->node;
	p->leaves_from_side = first->place < 0;
	if (p->leaving != NONE)
		s->excess[p->leaving] += p->saving;
	return true;
}
