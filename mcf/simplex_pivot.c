/*
 * simplex_pivot.c - one pivot of the network simplex.
 *
 * The entering arc closes a cycle in the tree; what is pushed along it saves
 * the same for each unit until an arc is at the end of its segment.  If that
 * was its last, or the push does not pay at the price of the next one
 * (simplex_walk.c), it leaves the tree, and what hung on it hangs on the
 * entering arc.
 */
#include <stdlib.h>

#include "mcf/simplex_pivot.h"

static void aim(const struct simplex *s, struct pivot *p, bool up)
{
	const struct offer *offer = &s->offers[p->entering];

	p->up = up;
	p->from = up ? offer->tail : offer->head;
	p->to = up ? offer->head : offer->tail;
}

/* Take the entering arc off its breakpoint, into a segment. */
static void enter(struct simplex *s, struct pivot *p)
{
	struct offer *offer = &s->offers[p->entering];
	struct place *place = &p->place;

	int64_t step = simplex_potential(s, offer->head) -
		       simplex_potential(s, offer->tail);

	aim(s, p, step > offer->up);
	p->saving = p->up ? step - offer->up : offer->down - step;
	place->segment = s->rests[p->entering] - !p->up;
	place->above = place->below = 0;
	if (p->up)
		place->above = segment_of(s, place)->width;
	else
		place->below = segment_of(s, place)->width;
}

/*
 * Climb both sides to the apex and find the arc that blocks first.  The order
 * along the cycle is: apex, down to "from", the entering arc, up from "to".
 */
static void find_leaving(struct simplex *s, struct pivot *p)
{
	uint32_t u = p->from, v = p->to;
	uint32_t steps = 0;
	int64_t have;

	p->leaving = NONE;
	p->amount = p->up ? p->place.above : p->place.below;
	for (; u != v; steps++) {
		const struct rung *from = &s->up[u], *to = &s->up[v];

		if (from->size < to->size) {
			have = room(&s->tree[u], false);
			if (have < p->amount) {
				p->amount = have;
				p->leaving = u;
				p->leaves_from_side = true;
			}
			u = from->parent;
		} else {
			have = room(&s->tree[v], true);
			if (have <= p->amount) {
				p->amount = have;
				p->leaving = v;
				p->leaves_from_side = false;
			}
			v = to->parent;
		}
	}
	p->apex = u;
	s->climbed += steps;
}

static void push(struct simplex *s, struct pivot *p)
{
	if (p->amount == 0)
		return;
	push_arc(&p->place, p->up, p->amount);
	for (uint32_t u = p->from; u != p->apex; u = s->up[u].parent)
		push_arc(&s->tree[u].place, !s->tree[u].upward, p->amount);
	for (uint32_t u = p->to; u != p->apex; u = s->up[u].parent)
		push_arc(&s->tree[u].place, s->tree[u].upward, p->amount);
}

/* An arc that reached the end of its segment rests there. */
static void leave(struct simplex *s, uint32_t arc, const struct place *place)
{
	if (arc < s->narcs)
		simplex_rest(s, arc, place->segment + (place->above == 0));
}

/* Hang the part below the leaving arc on the entering arc instead. */
static void rehang(struct simplex *s, const struct pivot *p, uint32_t u,
		   uint32_t parent)
{
	uint32_t arc = p->entering, upward = s->offers[arc].tail == u;
	uint32_t whole = s->up[p->leaving].size, below = 0;
	uint32_t first = u, on = parent, edge = s->tree[p->leaving].edge;
	struct place place = p->place;

	for (uint32_t v = s->up[p->leaving].parent; v != p->apex;
	     v = s->up[v].parent)
		s->up[v].size -= whole;
	for (uint32_t v = parent; v != p->apex; v = s->up[v].parent)
		s->up[v].size += whole;
	if (s->lift) {
		simplex_tour_cut(s, p->leaving);
	} else {
		simplex_unlink(s, p->leaving);
		simplex_turn(s, u, p->leaving);
	}
	for (;;) {
		struct node *node = &s->tree[u];
		struct node old = *node;
		struct rung rung = s->up[u];

		s->up[u] = (struct rung){ parent, whole - below };
		node->arc = arc;
		node->upward = upward;
		node->place = place;
		if (s->lift) {
			node->edge = edge;
			edge = old.edge ^ 1;
		}
		if (u == p->leaving)
			break;
		below = rung.size;
		parent = u;
		u = rung.parent;
		arc = old.arc;
		place = old.place;
		upward = !old.upward;
	}
	if (s->lift)
		simplex_tour_link(s, first, on);
	else
		simplex_link(s, first, on);
}

/* Potentials, then the tree. */
static void change_tree(struct simplex *s, const struct pivot *p, bool walked)
{
	struct offer *offer = &s->offers[p->entering];
	const struct node *node;

	if (p->leaving == NONE) {
		if (walked)
			simplex_refresh_walk(s, p);
		leave(s, p->entering, &p->place);
		return;
	}
	if (walked)
		simplex_refresh_walk(s, p);
	else
		simplex_refresh(s, p->leaving,
				p->leaves_from_side ? p->saving : -p->saving);
	node = &s->tree[p->leaving];
	leave(s, node->arc, &node->place);
	offer->up = NEVER;
	offer->down = -NEVER;
	if (p->leaves_from_side)
		rehang(s, p, p->from, p->to);
	else
		rehang(s, p, p->to, p->from);
}

/* The pivot of an arc that was taken into a segment. */
static void pivot_on(struct simplex *s, struct pivot *p)
{
	uint64_t moved = s->moved;
	bool walks;

	find_leaving(s, p);
	walks = simplex_walk(s, p);
	push(s, p);
	change_tree(s, p, walks);
	if (!s->lift)
		s->effort = (7 * (uint64_t)s->effort + (s->moved - moved)) / 8;
}

void simplex_pivot(struct simplex *s, uint32_t entering)
{
	struct pivot p = { .entering = entering };

	enter(s, &p);
	pivot_on(s, &p);
}
