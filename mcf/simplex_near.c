/*
 * simplex_near.c - the network simplex from a flow of nearly least cost.
 *
 * The arcs that are within a segment become the tree.  Parts of it that none
 * of them joins hang on the root by artificial arcs without flow; a push over
 * one of these has to come back over another, where there is nothing to take
 * back, so they never carry any, whatever their price is, and the potentials
 * of scaling.c hold between the parts.  Who has room both ways may be pushed
 * towards the root, and so may an artificial arc: the tree is strongly
 * feasible.  The same makes a tree of the flow and the potentials that were
 * right at other prices: smooth.c solves each network twice, and what changes
 * between is little.
 *
 * Overflow   What is in a part differs by the price of a path, 2^58 at most,
 *            and the parts by the range of the potentials that were found
 *            before, which is refused above 2^59.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "mcf/scaling.h"
#include "mcf/simplex.h"

/* Potentials of scaling.c shifted so far stay within 2^59. */
enum { SHIFT_MAX = 29 };
#define POTENTIALS_MAX ((int64_t)1 << 59)

static struct place place_of(const struct scaling *flow, uint32_t a)
{
	const struct scaling_spot *spot = &flow->spots[a];

	return (struct place){ spot->above, spot->below, spot->at };
}

static int64_t unscaled(const struct scaling *flow, uint32_t u)
{
	return (int64_t)flow->nodes[u].potential * ((int64_t)1 << flow->shift);
}

/* A node on the arc above it, or on the root. */
static void hang(struct simplex *s, struct scaling *flow, uint32_t u)
{
	struct node *node = &s->tree[u];
	uint32_t end = flow->above[u], a = end / 2, parent;

	if (end == NO_ARC) {
		s->up[u].parent = s->root;
		node->arc = s->narcs + u;
		node->upward = true;
		node->place.above = 1;
		s->line[u].potential = s->last ? s->last[u] : unscaled(flow, u);
		return;
	}
	node->arc = a;
	node->upward = end % 2 == 0;
	parent = node->upward ? s->net->arcs[a].head : s->net->arcs[a].tail;
	s->up[u].parent = parent;
	node->place = place_of(flow, a);
	s->line[u].potential = s->line[parent].potential;
	if (node->upward)
		s->line[u].potential -= segment_of(s, &node->place)->price;
	else
		s->line[u].potential += segment_of(s, &node->place)->price;
}

static void grow_tree(struct simplex *s, struct scaling *flow)
{
	for (uint32_t u = 0; u <= s->root; u++) {
		s->up[u] = (struct rung){ NONE, 1 };
		s->tree[u] = (struct node){ .previous = NONE };
		s->line[u] = (struct rank){ .next = NONE, .last = u };
		s->excess[u] = 0;
	}
	for (uint32_t i = 0; i < s->root; i++)
		hang(s, flow, flow->order[i]);
	/* What hangs on a node is there before the node is linked. */
	for (uint32_t i = s->root; i-- > 0;) {
		uint32_t u = flow->order[i], parent = s->up[u].parent;

		s->up[parent].size += s->up[u].size;
		simplex_link(s, u, parent);
	}
}

/* Each offer takes the place of the spot that says where its arc rests. */
static void make_offers(struct simplex *s, const struct scaling *flow)
{
	for (uint32_t a = 0; a < s->narcs; a++) {
		uint32_t at = flow->spots[a].at;

		s->offers[a].tail = s->net->arcs[a].tail;
		s->offers[a].head = s->net->arcs[a].head;
		simplex_rest(s, a, at);
	}
	for (uint32_t u = 0; u < s->root; u++) {
		uint32_t a = s->tree[u].arc;

		if (a >= s->narcs)
			continue;
		s->offers[a].up = NEVER;
		s->offers[a].down = -NEVER;
	}
}

static void start_from(struct simplex *s, struct scaling *flow)
{
	_Static_assert(sizeof(*s->offers) == sizeof(*flow->spots),
		       "offers come where spots were, and nothing else is");
	simplex_reserve(s);
	grow_tree(s, flow);
	make_offers(s, flow);
}

void simplex_forget(struct simplex *s)
{
	free(s->last);
	s->last = NULL;
}

bool simplex_near(struct simplex *s)
{
	struct scaling *flow;

	simplex_forget(s);
	simplex_release(s);
	flow = scaling_flow(s->net, &s->room, simplex_plan(s).front);
	if (!flow || flow->shift > SHIFT_MAX)
		return false;
	start_from(s, flow);
	return true;
}

bool simplex_again(struct simplex *s)
{
	struct scaling *flow;

	simplex_release(s);
	flow = scaling_again(s->net, &s->room, simplex_plan(s).front);
	if (!flow)
		return false;
	start_from(s, flow);
	return true;
}

/* The highest becomes 0. */
void simplex_remember(struct simplex *s)
{
	const struct mcf_arc *arcs = s->net->arcs;
	int64_t highest = INT64_MIN, lowest = INT64_MAX;

	simplex_forget(s);
	s->last = fdo_alloc(s->root, sizeof(*s->last));
	for (uint32_t u = 0; u < s->root; u++) {
		int64_t potential = simplex_potential(s, u);

		highest = potential > highest ? potential : highest;
		lowest = potential < lowest ? potential : lowest;
	}
	/* Nodes have other numbers since simplex_sort(); arcs never do. */
	for (uint32_t a = 0; a < s->narcs; a++) {
		const struct offer *o = &s->offers[a];

		s->last[arcs[a].tail] = simplex_potential(s, o->tail) - highest;
		s->last[arcs[a].head] = simplex_potential(s, o->head) - highest;
	}
	if (highest - lowest > POTENTIALS_MAX)
		simplex_forget(s);
}
