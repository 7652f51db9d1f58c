/*
 * scaling_spot.c - the place of each arc's flow, and what its ends see of it.
 *
 * A search looks at the arcs of one node after another, in no order that any
 * memory would foresee.  So a node sees no more of an arc than the price and
 * the other end; the rooms to both ends of its segment are beside each other;
 * and its segments are looked at only where one of them ends.
 */
#include <string.h>

#include "mcf/network.h"
#include "mcf/scaling_work.h"

/* Of a segment, as scaling takes it. */
static int32_t price_of(const struct scaling *f, uint32_t segment)
{
	int64_t price = f->work->net->segments[segment].price;

	if (price > f->most)
		price = f->most;
	else if (price < -f->most)
		price = -f->most;
	return (int32_t)(price >> f->shift);
}

/* What the two ends of an arc see of its prices. */
static void show(const struct scaling_work *w, uint32_t a, int32_t up,
		 int32_t down)
{
	uint32_t out = w->half_of[2 * a + w->mirrored];
	uint32_t in = w->half_of[2 * a + !w->mirrored];

	w->halves[out].out = w->in[in] = up;
	w->halves[in].out = w->in[out] = down;
}

/* Up to the end of a segment. */
static void fill(struct scaling *f, uint32_t a, int32_t price)
{
	const struct mcf_arc *arc = &f->work->net->arcs[a];
	struct scaling_spot *spot = &f->spots[a];
	uint32_t at = ++spot->at;
	bool ends = at == arc->first + arc->n;

	spot->below = spot->above + (spot->within ? spot->below : 0);
	spot->above = ends ? 0 : f->work->net->segments[at].width;
	spot->within = false;
	show(f->work, a, ends ? NEVER : price_of(f, at), -price);
}

/* Down to the end of a segment. */
static void empty(struct scaling *f, uint32_t a, int32_t price)
{
	const struct mcf_arc *arc = &f->work->net->arcs[a];
	struct scaling_spot *spot = &f->spots[a];
	uint32_t at = spot->at - !spot->within;
	bool ends = at == arc->first;

	spot->at = at;
	spot->above = spot->below + (spot->within ? spot->above : 0);
	spot->below = ends ? 0 : f->work->net->segments[at - 1].width;
	spot->within = false;
	show(f->work, a, -price, ends ? NEVER : -price_of(f, at - 1));
}

void scaling_push(struct scaling *f, uint32_t end, int32_t price,
		  int64_t amount)
{
	uint32_t a = end / 2, back = end % 2;
	struct scaling_spot *spot = &f->spots[a];

	if (amount == scaling_room(f, end)) {
		if (back)
			empty(f, a, price);
		else
			fill(f, a, price);
		return;
	}
	if (!spot->within) {
		spot->within = true;
		spot->at -= back;
		if (back)
			spot->above = 0;
		else
			spot->below = 0;
		show(f->work, a, back ? -price : price, back ? price : -price);
	}
	spot->above += back ? amount : -amount;
	spot->below -= back ? amount : -amount;
}

/* What the two ends of an arc at rest see of its prices. */
static void show_rest(struct scaling *f, uint32_t a)
{
	const struct scaling_work *w = f->work;
	const struct mcf_arc *arc = &w->net->arcs[a];
	uint32_t at = f->spots[a].at;
	int32_t up = NEVER, down = NEVER;

	if (w->half_of[2 * a] == NONE)
		return;
	if (at < arc->first + arc->n)
		up = price_of(f, at);
	if (at > arc->first)
		down = -price_of(f, at - 1);
	show(w, a, up, down);
}

void scaling_find_halves(struct scaling *f)
{
	struct scaling_work *w = f->work;
	const struct mcf_arc *arcs = w->net->arcs;
	uint32_t nodes = w->net->nodes;

	for (uint32_t a = 0; a < w->net->narcs; a++) {
		f->nodes[arcs[a].tail].start++;
		f->nodes[arcs[a].head].start++;
	}
	for (uint32_t u = 0; u < nodes; u++)
		f->nodes[u + 1].start += f->nodes[u].start;
	for (uint32_t a = w->net->narcs; a-- > 0;) {
		uint32_t tail = arcs[a].tail, head = arcs[a].head;
		uint32_t out = --f->nodes[tail].start,
			 in = --f->nodes[head].start;

		w->halves[out] = (struct half){ NEVER, head };
		w->halves[in] = (struct half){ NEVER, tail };
		w->in[out] = w->in[in] = NEVER;
		w->end_of[out] = 2 * a;
		w->end_of[in] = 2 * a + 1;
		w->half_of[2 * a] = tail == head ? NONE : out;
		w->half_of[2 * a + 1] = tail == head ? NONE : in;
		show_rest(f, a);
	}
}
