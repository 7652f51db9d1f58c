/*
 * reduce.c - what can be solved without a search.
 *
 * Control flow is mostly nested: blocks in a row, arms side by side, loops.
 * Where a node has two arcs, whatever passes one passes the other: they
 * become one arc whose cost is the sum.  Where two arcs join the same nodes,
 * the cheaper one is used first: they become one arc whose segments are
 * those of both, by price.  An arc that runs the other way is one that
 * carries less than nothing.  A node with one arc has no flow, and an arc
 * that returns to its own node flows as it likes.  A program without break
 * or return within a loop shrinks to nothing, and others to a tenth; the
 * simplex solves what is left, and going back through the steps gives each
 * arc its part.  All of this is exact.
 *
 * A bundle keeps the number of its first arc.  Nodes are taken from a stack,
 * each with at most three arcs when its turn comes; where more come
 * together, arcs side by side are found by marks.
 *
 * Time       A sum takes as long as its parts, so costs that grow along a
 *            deep nest would be quadratic.  Sums of similar size can grow
 *            as they like, since each takes part in few of them; of others,
 *            all that are small are made, and larger ones as long as what
 *            was written so far is no more than a few times the input.
 *            Small ones come first, and if they leave little, that is all.
 * Overflow   A price of a bundle is the sum over a path of the network, or
 *            one out of several such, so mcf.c's limit for paths holds for
 *            the core as it is.  Each bundle by itself is cheapest at a flow
 *            between those of its parts, or at their sum; all of them
 *            together at no more than the sum over the arcs, and where that
 *            might exceed the simplex's limit nothing is reduced.
 */
#include "mcf/reduce.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "mcf/reduction.h"

/* What the simplex starts with has to fit twice. */
#define REST_MAX ((int64_t)1 << 60)

enum {
	SMALL = 60,   /* a sum of at most so many segments is always made */
	ENOUGH = 64,  /* nodes left: the simplex is quicker than long sums */
	POOL = 8,     /* long ones while the pool is so many times the input */
	SIMILAR = 4,  /* or if neither has so many times the other's */
	LARGE = 1024, /* arcs of a core that is worth memory given back */
	ROUNDS = 16,  /* searches for what has become possible elsewhere */
};

static void wait_for(struct reduction *r, uint32_t u)
{
	if (r->waits[u] || r->degree[u] > 3)
		return;
	r->waits[u] = true;
	r->stack[r->nstack++] = u;
}

/* The node at the other side of the bundle. */
static uint32_t beyond(const struct reduction *r, uint32_t end)
{
	return r->node[end ^ 1];
}

static void put_end(struct reduction *r, uint32_t end, uint32_t place)
{
	r->ends[place] = end;
	r->place[end] = place;
}

/* The last of its list takes its place. */
static void remove_end(struct reduction *r, uint32_t end)
{
	uint32_t u = r->node[end];

	put_end(r, r->ends[r->first[u] + --r->degree[u]], r->place[end]);
}

/* Put an end where another one is in its list. */
static void replace_end(struct reduction *r, uint32_t end, uint32_t old)
{
	r->node[end] = r->node[old];
	put_end(r, end, r->place[old]);
}

static void grow_steps(struct reduction *r)
{
	r->step_room += r->step_room / 4 + 8;
	r->steps = fdo_resize(r->steps, r->step_room, sizeof(*r->steps));
}

static inline void note(struct reduction *r, enum step_kind kind,
			uint32_t first, uint32_t second, bool turned)
{
	if (r->nsteps == r->step_room)
		grow_steps(r);
	r->steps[r->nsteps++] = (struct step){
		.kind = kind,
		.first = first,
		.second = second,
		.turned = turned,
		.before = kind == SPLITS ? r->nbefore++ : NONE,
	};
	r->node[2 * (second == NONE ? first : second)] = NONE;
	if (kind == FOLLOWS)
		r->bundles[second].n = 0; /* nobody asks again */
}

/* In a row, one segment is mostly no more than a price for all of the other's. */
static bool is_worth(struct reduction *r, const struct bundle *a,
		     const struct bundle *b, bool in_row)
{
	size_t n = (size_t)a->n + b->n, less = a->n < b->n ? a->n : b->n;

	if ((in_row && less <= 1) || n <= SMALL ||
	    (r->takes_long && ((SIMILAR + 1) * less >= n ||
			       r->pool.n + r->gone + n <= r->limit)))
		return true;
	r->refused = true;
	return false;
}

/* Keep what a bundle is, before another is put beside it. */
static void keep(struct reduction *r, const struct bundle *b)
{
	if (r->nbefore == r->before_room) {
		r->before_room += r->before_room / 4 + 8;
		r->before = fdo_resize(r->before, r->before_room,
				       sizeof(*r->before));
	}
	r->before[r->nbefore] = *b;
}

/* Two bundles between the same nodes become one. */
static bool join_parallel(struct reduction *r, uint32_t a, uint32_t b)
{
	uint32_t tail = r->node[2 * a], head = r->node[2 * a + 1];
	bool turned = tail != r->node[2 * b];

	if (!is_worth(r, &r->bundles[a], &r->bundles[b], false))
		return false;
	reduction_reserve(r, (size_t)r->bundles[a].n + r->bundles[b].n);
	keep(r, &r->bundles[a]);
	if (!bundle_parallel(&r->pool, &r->bundles[a], &r->bundles[b], turned))
		return false;
	remove_end(r, 2 * b);
	remove_end(r, 2 * b + 1);
	note(r, SPLITS, a, b, turned);
	wait_for(r, tail);
	wait_for(r, head);
	return true;
}

/* A node with two ends, of two bundles: they become one around it. */
static void join_series(struct reduction *r, uint32_t u)
{
	const uint32_t *ends = r->ends + r->first[u];
	uint32_t ea = ends[0], eb = ends[1];
	uint32_t a = ea / 2, b = eb / 2;
	uint32_t x = beyond(r, ea), y = beyond(r, eb);
	bool turned = ea % 2 == eb % 2;

	if (x != y && !is_worth(r, &r->bundles[a], &r->bundles[b], true))
		return;
	reduction_reserve(r, (size_t)r->bundles[a].n + r->bundles[b].n);
	if (!bundle_series(&r->pool, &r->bundles[a], &r->bundles[b], turned))
		return;
	r->degree[u] = 0;
	if (x != y) {
		replace_end(r, ea, eb ^ 1);
		note(r, FOLLOWS, a, b, turned);
		wait_for(r, y);
	} else {
		remove_end(r, ea ^ 1);
		remove_end(r, eb ^ 1);
		note(r, FOLLOWS, a, b, turned);
		note(r, LOOPS, a, NONE, false);
	}
	wait_for(r, x);
}

/* Nothing can flow where there is no way back. */
static void settle(struct reduction *r, uint32_t u)
{
	uint32_t end = r->ends[r->first[u]], other = beyond(r, end);
	const struct bundle *b = &r->bundles[end / 2];

	if (b->low > 0 || b->high < 0)
		return;
	remove_end(r, end);
	remove_end(r, end ^ 1);
	note(r, ENDS, end / 2, NONE, false);
	wait_for(r, other);
}

/* Of three ends, two may lead to the same node. */
static void join_any(struct reduction *r, uint32_t u)
{
	const uint32_t *ends = r->ends + r->first[u];
	uint32_t a = ends[0], b = ends[1], c = ends[2];
	uint32_t x = beyond(r, a), y = beyond(r, b), z = beyond(r, c);

	if ((x == y && join_parallel(r, a / 2, b / 2)) ||
	    (y == z && join_parallel(r, b / 2, c / 2)))
		return;
	if (x == z)
		join_parallel(r, c / 2, a / 2);
}

static void empty_stack(struct reduction *r)
{
	while (r->nstack) {
		uint32_t u = r->stack[--r->nstack];

		r->waits[u] = false;
		if (r->degree[u] == 1)
			settle(r, u);
		else if (r->degree[u] == 2)
			join_series(r, u);
		else if (r->degree[u] == 3)
			join_any(r, u);
	}
}

/* Two ways from this node to another, wherever they are in its list. */
static void join_marked(struct reduction *r, uint32_t u)
{
	const uint32_t *ends = r->ends + r->first[u];

	/* From the last, since one that goes gets the last in its place. */
	for (uint32_t i = r->degree[u]; i-- > 0;) {
		uint32_t end = ends[i], other = beyond(r, end);

		if (r->mark[other] == NONE ||
		    !join_parallel(r, r->mark[other], end / 2))
			r->mark[other] = end / 2;
	}
	for (uint32_t i = 0; i < r->degree[u]; i++)
		r->mark[beyond(r, ends[i])] = NONE;
}

/* Whether sums that were refused are worth another look at all nodes. */
static bool look_again(struct reduction *r)
{
	uint32_t left = 0;

	for (uint32_t u = 0; u < r->nodes; u++)
		left += r->degree[u] > 0;
	if (left <= ENOUGH)
		return false;
	for (uint32_t u = 0; u < r->nodes; u++)
		if (r->degree[u] > 1)
			wait_for(r, u);
	return true;
}

static void join_all(struct reduction *r)
{
	uint32_t before;
	int rounds = 0;
	bool again;

	r->takes_long = false;
	do {
		before = r->nsteps;
		r->refused = false;
		empty_stack(r);
		for (uint32_t u = 0; u < r->nodes; u++)
			if (r->degree[u] > 3)
				join_marked(r, u);
		again = r->nstack > 0;
		if (r->refused && (r->nsteps > before || !r->takes_long))
			again |= look_again(r);
		r->takes_long = true;
	} while (again && ++rounds < ROUNDS);
}

static int64_t upper_of(const struct mcf_network *net,
			const struct mcf_arc *arc)
{
	int64_t upper = arc->lower;

	for (unsigned i = 0; i < arc->n; i++)
		upper += net->segments[arc->first + i].width;
	return upper;
}

static void make_bundles(struct reduction *r, const struct mcf_network *net)
{
	r->nbefore = 0;
	r->gone = 0;
	r->own = net->nsegments;
	for (uint32_t a = 0; a < r->narcs; a++) {
		const struct mcf_arc *arc = &net->arcs[a];

		r->bundles[a] = (struct bundle){
			.low = arc->lower,
			.high = net->spent ? upper_of(net, arc) : arc->flow,
			.first = arc->first,
			.n = arc->n,
		};
	}
}

static bool repeat_step(struct reduction *r, const struct step *step)
{
	struct bundle *first = &r->bundles[step->first];
	struct bundle *second =
		step->second == NONE ? NULL : &r->bundles[step->second];

	if (step->kind == FOLLOWS || step->kind == SPLITS)
		reduction_reserve(r, (size_t)first->n + second->n);
	switch ((enum step_kind)step->kind) {
	case FOLLOWS:
		if (!bundle_series(&r->pool, first, second, step->turned))
			return false;
		second->n = 0;
		return true;
	case SPLITS:
		r->before[r->nbefore++] = *first;
		return bundle_parallel(&r->pool, first, second, step->turned);
	case ENDS:
		return first->low <= 0 && first->high >= 0;
	case LOOPS:
		return true;
	}
	return false;
}

/* The same steps with other costs. */
static bool repeat(struct reduction *r, const struct mcf_network *net)
{
	make_bundles(r, net);
	for (uint32_t i = 0; i < r->nsteps; i++)
		if (!repeat_step(r, &r->steps[i]))
			return false;
	return true;
}

/* The ends at each node; an arc that returns at once has none. */
static void find_ends(struct reduction *r, const struct mcf_network *net)
{
	uint32_t sum = 0;

	for (uint32_t a = 0; a < r->narcs; a++) {
		const struct mcf_arc *arc = &net->arcs[a];

		r->node[2 * a] = arc->tail;
		r->node[2 * a + 1] = arc->head;
		r->degree[arc->tail] += arc->tail != arc->head;
		r->degree[arc->head] += arc->tail != arc->head;
	}
	for (uint32_t u = 0; u < r->nodes; u++) {
		sum += r->degree[u];
		r->first[u] = sum;
	}
	for (uint32_t a = r->narcs; a-- > 0;) {
		uint32_t tail = r->node[2 * a], head = r->node[2 * a + 1];

		if (tail == head) {
			note(r, LOOPS, a, NONE, false);
			continue;
		}
		put_end(r, 2 * a, --r->first[tail]);
		put_end(r, 2 * a + 1, --r->first[head]);
	}
}

static void begin(struct reduction *r, const struct mcf_network *net)
{
	r->nodes = net->nodes;
	r->narcs = net->narcs;
	r->nsteps = r->nstack = 0;
	r->limit = (POOL + 1) * net->nsegments;
	make_bundles(r, net);
	for (uint32_t u = 0; u < r->nodes; u++) {
		r->mark[u] = NONE;
		r->degree[u] = 0;
		r->waits[u] = false;
	}
	find_ends(r, net);
	for (uint32_t u = r->nodes; u-- > 0;)
		wait_for(r, u);
}

struct mcf_network *reduce(struct reduction **reduction,
			   struct mcf_network *net)
{
	struct reduction *r = *reduction;
	bool again;

	if (net->rest_flow > REST_MAX)
		return NULL;
	if (!r)
		r = *reduction = fdo_alloc(1, sizeof(*r));
	r->pool = (struct bundle_pool){
		net->segments,
		net->nsegments,
		net->segment_room,
	};
	again = net->reduced && repeat(r, net);
	r->core.has_flow = again && r->core.solved;
	r->core.solved = false;
	if (!again) {
		r->pool.n = net->nsegments;
		reduction_grow(r, net->nodes, net->narcs);
		begin(r, net);
		join_all(r);
	}
	net->reduced = true;
	reduction_core(r, net);
	if (r->core.narcs > LARGE && r->core.narcs > r->narcs / 4)
		reduction_free_lists(r);
	net->segments = r->pool.segments;
	net->segment_room = r->pool.room;
	return &r->core;
}
