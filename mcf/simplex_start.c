/*
 * simplex_start.c - a first tree for the network simplex.
 *
 * Each arc rests where it is cheapest by itself.  That leaves nodes with an
 * excess or a need, which the tree has to carry.  Nodes are taken from the
 * last to the first; each hangs on the cheapest arc that can take what it
 * has over, or bring what it lacks, to a node of lower number, and is done
 * with.  In a flow graph a block's arc takes either, up to its count, and an
 * edge takes it one way; so counts find their neighbours, and a tree comes
 * out that is mostly right already.  Who finds nothing below hangs on a part
 * of the tree that is there, if that can pass it on; and who finds nothing at
 * all gets an artificial arc.  So does who has nothing over and lacks nothing:
 * where that is so all around, as in parts that never run, all potentials are 0
 * and no arc is worth anything as it is.
 *
 * The tree is strongly feasible: an arc towards the root has room for more,
 * and one from the root carries something.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/simplex.h"

/* What has more arcs gives memory back as soon as it can. */
enum { LARGE = 1024 };

/* Exactly so many at first, and some more if that was not enough. */
static bool grow_room(size_t *room, size_t n)
{
	if (n <= *room)
		return false;
	*room = *room ? n + n / 8 : n;
	return true;
}

static void *replace(void *old, size_t n, size_t size)
{
	free(old);
	return fdo_alloc(n, size);
}

static void free_index(struct simplex *s)
{
	free(s->top);
	free(s->start);
	free(s->around);
	s->top = s->start = s->around = NULL;
	s->index_arcs = s->index_nodes = 0;
}

/* What only the start needs. */
static void reserve_index(struct simplex *s)
{
	size_t n;

	if (grow_room(&s->index_nodes, (size_t)s->root + 1)) {
		n = s->index_nodes;
		s->top = replace(s->top, n, sizeof(*s->top));
		s->start = replace(s->start, n + 1, sizeof(*s->start));
	}
	if (grow_room(&s->index_arcs, s->narcs))
		s->around = replace(s->around, 2 * s->index_arcs,
				    sizeof(*s->around));
}

/* Offers are at the back, where they take the place of what scaling found. */
static void lay_out(struct simplex *s, struct room *room)
{
	size_t nodes = (size_t)s->root + 1;

	s->offers = room_keep(room, s->narcs, sizeof(*s->offers));
	s->excess = room_take(room, nodes, sizeof(*s->excess));
	s->line = room_take(room, nodes, sizeof(*s->line));
	s->up = room_take(room, nodes, sizeof(*s->up));
	s->tree = room_take(room, nodes, sizeof(*s->tree));
	s->rests = room_take(room, s->narcs, sizeof(*s->rests));
}

struct room simplex_plan(const struct simplex *s)
{
	struct simplex planned = { .root = s->root, .narcs = s->narcs };
	struct room plan = { 0 };

	lay_out(&planned, &plan);
	return plan;
}

void simplex_reserve(struct simplex *s)
{
	struct room plan = simplex_plan(s);

	room_open(&s->room, plan.front + plan.back);
	lay_out(s, &s->room);
}

void simplex_rest(struct simplex *s, uint32_t arc, uint32_t segment)
{
	const struct mcf_arc *a = &s->net->arcs[arc];
	const struct mcf_segment *segments = s->net->segments;
	struct offer *offer = &s->offers[arc];

	s->rests[arc] = segment;
	offer->up = segment < a->first + a->n ? segments[segment].price : NEVER;
	offer->down = segment > a->first ? segments[segment - 1].price : -NEVER;
}

/* Above the node is an artificial arc to the root that carries its excess. */
static void plant(struct simplex *s, uint32_t u, int64_t total)
{
	int64_t flow = llabs(s->excess[u]);

	s->up[u].parent = s->root;
	s->tree[u].arc = s->narcs + u;
	s->tree[u].upward = s->excess[u] >= 0;
	s->tree[u].place = (struct place){
		.above = total + 1 - flow,
		.below = flow,
	};
}

/*
 * Take the excess of a node over an arc that is at rest, up or down, and see
 * in which segment that ends.  An excess must leave room for more, since it
 * flows to the root; a need must not be nothing.
 */
static bool try_arc(const struct simplex *s, uint32_t arc, bool up,
		    int64_t excess, struct place *ret)
{
	const struct mcf_segment *segments = s->net->segments;
	const struct mcf_arc *a = &s->net->arcs[arc];
	int64_t left = llabs(excess);
	uint32_t at = s->rests[arc];

	for (;;) {
		if (up ? at == a->first + a->n : at == a->first)
			return false;
		at -= !up;
		if (left < segments[at].width + (excess < 0))
			break;
		left -= segments[at].width;
		at += up;
	}
	ret->segment = at;
	ret->below = up ? left : segments[at].width - left;
	ret->above = segments[at].width - ret->below;
	return true;
}

/* The node at the top of the part of the tree that a node hangs in. */
static uint32_t top_of(struct simplex *s, uint32_t u)
{
	uint32_t top = u, next;

	while (s->top[top] != top)
		top = s->top[top];
	for (; u != top; u = next) {
		next = s->top[u];
		s->top[u] = top;
	}
	return top;
}

/* So far at most; a longer way up costs more than the arc it may save. */
enum { CLIMB = 10 };

/*
 * A node with so much of the tree below it, one under the other, does not
 * hang on another: the higher the tree, the longer its cycles, and where
 * counts contradict each other everywhere that costs more than it saves.
 */
enum { HIGH = 5 };

/* Whether an excess could be passed on from a node to its top. */
static bool can_climb(const struct simplex *s, uint32_t u, int64_t excess)
{
	for (int i = 0; i < CLIMB; i++) {
		const struct node *node = &s->tree[u];

		if (s->up[u].parent == NONE)
			return true;
		if (excess < 0 ? room(node, false) < -excess
			       : room(node, true) <= excess)
			return false;
		u = s->up[u].parent;
	}
	return false;
}

/*
 * Add an excess to a node, which passes it on to its top, and something of
 * that height.
 */
static void climb(struct simplex *s, uint32_t u, int64_t excess,
		  uint32_t height)
{
	for (;;) {
		struct node *node = &s->tree[u];
		struct rung *rung = &s->up[u];

		if (rung->size < ++height)
			rung->size = height;
		if (rung->parent == NONE)
			break;
		push_arc(&node->place, node->upward, excess);
		u = rung->parent;
	}
	s->excess[u] += excess;
}

struct hook {
	uint32_t arc, other;
	struct place place;
	int64_t price, excess;
};

/* Whether this is a better place to hang a node than the best so far. */
static bool is_better(const struct hook *hook, const struct hook *best,
		      bool needs)
{
	if (best->arc == NONE || hook->price != best->price)
		return best->arc == NONE || hook->price < best->price;
	return needs ? hook->excess > best->excess
		     : hook->excess < best->excess;
}

/*
 * Hang a node on the cheapest arc that can take its excess to a node that
 * does not hang yet itself, or to one of another part of the tree that can
 * pass it on.
 */
static bool hang(struct simplex *s, uint32_t u, bool on_lower)
{
	uint32_t height = s->up[u].size; /* until place_nodes() */
	int64_t excess = s->excess[u];
	struct hook best = { .arc = NONE }, hook;

	if (height >= HIGH)
		return false;
	for (uint32_t i = s->start[u]; i < s->start[u + 1]; i++) {
		const struct offer *o = &s->offers[s->around[i]];
		bool out = o->tail == u;
		bool up = out == (excess >= 0);

		hook.arc = s->around[i];
		hook.other = out ? o->head : o->tail;
		if (on_lower != (hook.other < u) || hook.other == u ||
		    !try_arc(s, hook.arc, up, excess, &hook.place))
			continue;
		hook.price = s->net->segments[hook.place.segment].price;
		hook.price = up ? hook.price : -hook.price;
		hook.excess = s->excess[hook.other];
		if (!is_better(&hook, &best, excess < 0))
			continue;
		if (!on_lower && (top_of(s, hook.other) == u ||
				  !can_climb(s, hook.other, excess)))
			continue;
		best = hook;
	}
	if (best.arc == NONE)
		return false;
	climb(s, best.other, excess, height);
	s->top[u] = best.other;
	s->tree[u].place = best.place;
	s->up[u].parent = best.other;
	s->tree[u].arc = best.arc;
	s->tree[u].upward = s->offers[best.arc].tail == u;
	return true;
}

/*
 * Where an arc rests at the start: before its first segment that costs
 * anything, which is where it would be if nothing else mattered, unless
 * flows would add up to too much.
 */
static uint32_t first_rest(const struct simplex *s, const struct mcf_arc *arc,
			   int64_t *flow, int64_t room)
{
	const struct mcf_segment *segments = s->net->segments;
	uint32_t at = arc->first, end = arc->first + arc->n;

	*flow = arc->lower;
	while (at < end && segments[at].price < 0 &&
	       segments[at].width <= room - *flow)
		*flow += segments[at++].width;
	return at;
}

static int64_t at_least(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Put each arc to rest; what then arrives at a node and does not leave. */
static bool excesses(struct simplex *s, int64_t *total, struct fdo_error *err)
{
	const struct mcf_network *net = s->net;
	int64_t flow;

	*total = 0;
	for (uint32_t u = 0; u <= s->root; u++)
		s->excess[u] = 0;
	for (uint32_t a = 0; a < s->narcs; a++) {
		*total += at_least(net->arcs[a].lower, 0);
		if (*total > FLOW_SUM_MAX / 2)
			return fdo_fail(err, "the lower bounds are too large");
	}
	for (uint32_t a = 0; a < s->narcs; a++) {
		const struct mcf_arc *arc = &net->arcs[a];

		s->offers[a].tail = arc->tail;
		s->offers[a].head = arc->head;
		*total -= at_least(arc->lower, 0);
		simplex_rest(s, a,
			     first_rest(s, arc, &flow, FLOW_SUM_MAX - *total));
		*total += llabs(flow);
		s->excess[arc->head] += flow;
		s->excess[arc->tail] -= flow;
	}
	return true;
}

/* The arcs at each node, both ends. */
static void index_arcs(struct simplex *s)
{
	memset(s->start, 0, (s->root + 2) * sizeof(*s->start));
	for (uint32_t a = 0; a < s->narcs; a++) {
		s->start[s->offers[a].tail]++;
		s->start[s->offers[a].head]++;
	}
	for (uint32_t u = 0; u < s->root; u++)
		s->start[u + 1] += s->start[u];
	for (uint32_t a = s->narcs; a-- > 0;) {
		s->around[--s->start[s->offers[a].tail]] = a;
		s->around[--s->start[s->offers[a].head]] = a;
	}
}

/* The potential of a node that hangs on one which has it. */
static void place_node(struct simplex *s, uint32_t u)
{
	struct node *node = &s->tree[u];
	int64_t price;

	if (node->arc < s->narcs)
		price = segment_of(s, &node->place)->price;
	else
		price = node->upward ? 0 : s->net->path_price;
	s->line[u].potential = s->line[s->up[u].parent].potential +
			       (node->upward ? -price : price);
}

/* All potentials and sizes, from the root down and back. */
static void place_nodes(struct simplex *s)
{
	struct rung *up = s->up;
	uint32_t u;

	for (u = 0; u <= s->root; u++) {
		up[u].size = 1;
		s->excess[u] = 0;
	}
	s->line[s->root].potential = 0;
	for (u = s->line[s->root].next; u != NONE; u = s->line[u].next)
		place_node(s, u);
	for (u = s->line[s->root].last; u != s->root; u = s->tree[u].previous)
		up[up[u].parent].size += up[u].size;
}

static void grow_tree(struct simplex *s, int64_t total)
{
	struct node *tree = s->tree;

	for (uint32_t u = 0; u <= s->root; u++) {
		s->up[u] = (struct rung){ .parent = NONE };
		tree[u] = (struct node){ .previous = NONE };
		s->line[u] = (struct rank){ .next = NONE, .last = u };
		s->top[u] = u;
	}
	for (uint32_t u = s->root; u-- > 0;)
		if (s->excess[u] == 0 ||
		    (!hang(s, u, true) && !hang(s, u, false)))
			plant(s, u, total);
	for (uint32_t u = 0; u < s->root; u++) {
		simplex_link(s, u, s->up[u].parent);
		if (tree[u].arc < s->narcs) {
			s->offers[tree[u].arc].up = NEVER;
			s->offers[tree[u].arc].down = -NEVER;
		}
	}
	place_nodes(s);
}

bool simplex_start(struct simplex *s, struct fdo_error *err)
{
	int64_t total;

	reserve_index(s);
	simplex_reserve(s);
	if (!excesses(s, &total, err))
		return false;
	index_arcs(s);
	grow_tree(s, total);
	if (s->narcs > LARGE)
		free_index(s);
	return true;
}
