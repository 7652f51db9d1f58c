/*
 * connect.c - no count without a way in and a way out.
 *
 * A circulation may hold islands: loops that carry flow while the path to
 * them carries none.  Each is joined by the cheapest path from the outside
 * through one of its blocks and back to the outside, where a positive edge
 * costs next to nothing and another one half and its surprise, -ln(share).
 *
 * Distances from and to the outside are found once, by Dijkstra's method.
 * A path that was added only makes edges cheaper, so the search goes on from
 * its edges alone instead of from the beginning.
 *
 * In a circulation what can be reached over positive edges also leads back,
 * so one direction tells what is connected.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mcf/graph.h"

#define NOWHERE UINT32_MAX

/* Where fewer samples are expected, there being none means nothing. */
#define SAMPLES_TO_SEE 3

/* An edge with a smaller share leads to what ends the program. */
#define SHARE_NEVER 1e-6

/* Of what is expected on an unseen edge, one part in so many is given. */
#define PART_OF_UNSEEN 64

/* Shortest ways between the outside and each node, in one direction. */
struct ways {
	const struct flow_links *links;
	unsigned (*other)(const struct flow_graph *, unsigned);
	double *distance;
	unsigned *edge; /* the next on the way to the outside */
};

struct entry {
	double distance;
	unsigned node;
};

struct connection {
	struct flow_graph *g;
	struct ways in, out; /* from the outside; to the outside */
	struct entry *heap;
	size_t nheap, heap_room;
	bool *connected;
	unsigned *stack;
};

static double edge_cost(const struct flow_graph *g, unsigned e)
{
	if (g->edges[e].count > 0)
		return 1e-6;
	return .5 - log(g->share[e] > 1e-9 ? g->share[e] : 1e-9);
}

static bool before(const struct entry *a, const struct entry *b)
{
	if (a->distance != b->distance)
		return a->distance < b->distance;
	return a->node < b->node;
}

static void heap_push(struct connection *c, double distance, unsigned node)
{
	struct entry new = { distance, node };
	size_t at = c->nheap;

	c->heap = fdo_grow(c->heap, c->nheap, &c->heap_room, sizeof(*c->heap));
	c->nheap++;
	while (at > 0 && before(&new, &c->heap[(at - 1) / 2])) {
		c->heap[at] = c->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	c->heap[at] = new;
}

static struct entry heap_pop(struct connection *c)
{
	struct entry top = c->heap[0], last = c->heap[--c->nheap];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= c->nheap)
			break;
		if (child + 1 < c->nheap &&
		    before(&c->heap[child + 1], &c->heap[child]))
			child++;
		if (!before(&c->heap[child], &last))
			break;
		c->heap[at] = c->heap[child];
		at = child;
	}
	c->heap[at] = last;
	return top;
}

/* Try to reach a node, over an edge, at that distance. */
static void reach(struct connection *c, struct ways *w, unsigned node,
		  unsigned edge, double distance)
{
	if (distance >= w->distance[node])
		return;
	w->distance[node] = distance;
	w->edge[node] = edge;
	heap_push(c, distance, node);
}

/* Go on until nothing gets nearer. */
static void search(struct connection *c, struct ways *w)
{
	const struct flow_graph *g = c->g;

	while (c->nheap) {
		struct entry top = heap_pop(c);

		if (top.distance > w->distance[top.node])
			continue;
		for (unsigned i = w->links->start[top.node];
		     i < w->links->start[top.node + 1]; i++) {
			unsigned e = w->links->edge[i];

			reach(c, w, w->other(g, e), e,
			      top.distance + edge_cost(g, e));
		}
	}
}

/* Mark what positive edges lead to from here. */
static void connect(struct connection *c, unsigned node)
{
	const struct flow_graph *g = c->g;
	size_t depth = 0;

	if (c->connected[node])
		return;
	c->connected[node] = true;
	c->stack[depth++] = node;
	while (depth) {
		unsigned at = c->stack[--depth];

		for (unsigned i = g->out.start[at]; i < g->out.start[at + 1];
		     i++) {
			unsigned e = g->out.edge[i], to = flow_target(g, e);

			if (g->edges[e].count <= 0 || c->connected[to])
				continue;
			c->connected[to] = true;
			c->stack[depth++] = to;
		}
	}
}

/* All ways from a node, which may be the outside, in w's direction. */
static void ways_begin(struct connection *c, struct ways *w, unsigned node)
{
	size_t nodes = c->g->nblocks + 1;

	w->distance = fdo_alloc(nodes, sizeof(*w->distance));
	w->edge = fdo_alloc(nodes, sizeof(*w->edge));
	for (size_t i = 0; i < nodes; i++)
		w->distance[i] = INFINITY;
	reach(c, w, node, NOWHERE, 0);
	search(c, w);
}

static void ways_end(struct ways *w)
{
	free(w->edge);
	free(w->distance);
}

/* The cheapest block that has a count and no connection. */
static unsigned cheapest(const struct connection *c)
{
	unsigned best = NOWHERE;
	double least = INFINITY;

	for (unsigned b = 0; b < c->g->nblocks; b++) {
		double sum = c->in.distance[b] + c->out.distance[b];

		if (c->g->blocks[b].count > 0 && !c->connected[b] &&
		    (best == NOWHERE || sum < least)) {
			best = b;
			least = sum;
		}
	}
	return best;
}

/* One more edge carries flow now: what does that bring near? */
static void use_edge(struct connection *c, unsigned e, int64_t amount)
{
	struct flow_graph *g = c->g;
	unsigned from = flow_source(g, e), to = flow_target(g, e);

	g->edges[e].count += amount;
	if (to < g->nblocks)
		g->blocks[to].count += amount;
	reach(c, &c->in, to, e, c->in.distance[from] + edge_cost(g, e));
	search(c, &c->in);
	reach(c, &c->out, from, e, c->out.distance[to] + edge_cost(g, e));
	search(c, &c->out);
	if (c->connected[from])
		connect(c, to);
}

/* Add to each edge of the cheapest way in to a block and out of it. */
static void add_path(struct connection *c, unsigned block, int64_t amount)
{
	struct flow_graph *g = c->g;
	unsigned *path = fdo_alloc(2 * g->nblocks + 2, sizeof(*path));
	size_t length = 0, entry;
	unsigned e;

	for (unsigned at = block; at < g->nblocks; at = flow_source(g, e))
		path[length++] = e = c->in.edge[at];
	entry = length;
	for (unsigned at = block; at < g->nblocks; at = flow_target(g, e))
		path[length++] = e = c->out.edge[at];
	for (size_t i = entry; i-- > 0;)
		use_edge(c, path[i], amount);
	for (size_t i = entry; i < length; i++)
		use_edge(c, path[i], amount);
	free(path);
}

/* The same over an edge. */
static void add_path_over(struct connection *c, unsigned edge, int64_t amount)
{
	struct flow_graph *g = c->g;
	unsigned *path = fdo_alloc(2 * g->nblocks + 3, sizeof(*path));
	size_t length = 0, entry;
	unsigned e;

	for (unsigned at = flow_source(g, edge); at < g->nblocks;
	     at = flow_source(g, e))
		path[length++] = e = c->in.edge[at];
	entry = length;
	path[length++] = edge;
	for (unsigned at = flow_target(g, edge); at < g->nblocks;
	     at = flow_target(g, e))
		path[length++] = e = c->out.edge[at];
	for (size_t i = entry; i-- > 0;)
		use_edge(c, path[i], amount);
	for (size_t i = entry; i < length; i++)
		use_edge(c, path[i], amount);
	free(path);
}

static int64_t path_amount(const struct flow_block *block, int64_t amount)
{
	if (amount > block->count / 10)
		amount = block->count / 10;
	return amount > 1 ? amount : 1;
}

static struct connection connection_begin(struct flow_graph *g)
{
	struct connection c = {
		.g = g,
		.in = { &g->out, flow_target },
		.out = { &g->in, flow_source },
	};

	assert(g->solved);
	c.connected = fdo_alloc(g->nblocks + 1, sizeof(*c.connected));
	c.stack = fdo_alloc(g->nblocks + 1, sizeof(*c.stack));
	flow_shares(g);
	connect(&c, g->nblocks);
	ways_begin(&c, &c.in, g->nblocks);
	ways_begin(&c, &c.out, g->nblocks);
	return c;
}

static void connection_end(struct connection *c)
{
	ways_end(&c->out);
	ways_end(&c->in);
	free(c->heap);
	free(c->stack);
	free(c->connected);
}

unsigned flow_connect(struct flow_graph *g, int64_t amount)
{
	struct connection c = connection_begin(g);
	unsigned paths = 0, block;

	while ((block = cheapest(&c)) != NOWHERE) {
		add_path(&c, block, path_amount(&g->blocks[block], amount));
		paths++;
	}
	connection_end(&c);
	return paths;
}

void flow_pass(struct flow_graph *g, unsigned block, int64_t amount)
{
	struct connection c = connection_begin(g);

	add_path(&c, block, amount);
	connection_end(&c);
}

/* What leaves the target of the edge and comes back to it stays within. */
void flow_round(struct flow_graph *g, unsigned edge, int64_t amount)
{
	struct connection c = { .g = g, .in = { &g->out, flow_target } };
	unsigned e = edge, at = flow_source(g, edge);

	assert(g->solved);
	flow_shares(g);
	ways_begin(&c, &c.in, flow_target(g, edge));
	if (isfinite(c.in.distance[at])) {
		while (e != NOWHERE) {
			g->edges[e].count += amount;
			if (flow_target(g, e) < g->nblocks)
				g->blocks[flow_target(g, e)].count += amount;
			e = c.in.edge[flow_source(g, e)];
		}
	}
	ways_end(&c.in);
	free(c.heap);
}

/* How much an edge gets that was not seen; 0: it would have been. */
static int64_t unseen(const struct flow_graph *g, unsigned e, int64_t sample)
{
	unsigned from = flow_source(g, e);
	double expected;

	if (from == g->nblocks || g->edges[e].count > 0 ||
	    g->blocks[from].count == 0 || g->share[e] < SHARE_NEVER)
		return 0;
	expected = g->share[e] * (double)g->blocks[from].count;
	if (expected >= SAMPLES_TO_SEE * (double)sample)
		return 0;
	expected /= PART_OF_UNSEEN;
	return expected > 1 ? (int64_t)expected : 1;
}

void flow_doubt(struct flow_graph *g, int64_t sample)
{
	struct connection c = connection_begin(g);
	bool again = true;

	while (again) {
		again = false;
		for (unsigned e = 0; e < g->nedges; e++) {
			int64_t amount = unseen(g, e, sample);

			if (amount == 0)
				continue;
			add_path_over(&c, e, amount);
			again = true;
		}
	}
	connection_end(&c);
}
