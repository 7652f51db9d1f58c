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
 * its nodes alone instead of from the beginning, and who gets nearer is put
 * into the heap of those that wait for a path.
 *
 * A path gives its count at once to edges that had none, up to where it meets
 * what is connected.  The rest of it is long in a large function, and the
 * same for many: what has to pass there waits at the node where it was met,
 * and is brought along the shortest ways for all at the end.
 *
 * In a circulation what can be reached over positive edges also leads back,
 * so one direction tells what is connected.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mcf/graph.h"
#include "mcf/heap.h"

#define NOWHERE UINT32_MAX

/* Where fewer samples are expected, there being none means nothing. */
#define SAMPLES_TO_SEE 3

/* Of a block, whatever leads to it. */
#define SAMPLES_TO_MISS 30

/* An edge with a smaller share leads to what ends the program. */
#define SHARE_NEVER 1e-6

/* Paths bring all that there is nearer at most so many times. */
enum { OFTEN = 8 };

/* Of what is expected on an unseen edge, one part in so many is given ... */
#define PART_OF_UNSEEN 64

/* ... and one in so many of that if the edge has no block of its own. */
#define PART_OF_BETWEEN 64

/* Shortest ways between the outside and each node, in one direction. */
struct ways {
	const struct flow_links *links;
	unsigned (*other)(const struct flow_graph *, unsigned);
	unsigned (*back)(const struct flow_graph *, unsigned);
	double *distance;
	unsigned *edge; /* the next on the way to the outside */
	int64_t *waits; /* at each node, for the way to the outside */
};

struct connection {
	struct flow_graph *g;
	struct ways in, out; /* from the outside; to the outside */
	struct heap heap;    /* of the search */
	struct heap islands; /* by both distances, some of them former ones */
	bool *connected;
	bool joins;  /* islands are wanted */
	size_t left; /* nodes that paths may bring nearer */
	unsigned *stack, *path;
};

double flow_way_cost(const struct flow_graph *g, unsigned e)
{
	if (g->edges[e].count > 0)
		return 1e-6;
	return .5 - log(g->share[e] > 1e-9 ? g->share[e] : 1e-9);
}

/* A block that has a count and no connection waits for one. */
static void offer(struct connection *c, unsigned block)
{
	if (block < c->g->nblocks && c->g->blocks[block].count > 0 &&
	    !c->connected[block])
		heap_push(&c->islands,
			  c->in.distance[block] + c->out.distance[block],
			  block);
}

/* Try to reach a node, over an edge, at that distance. */
static void reach(struct connection *c, struct ways *w, unsigned node,
		  unsigned edge, double distance)
{
	if (distance >= w->distance[node])
		return;
	w->distance[node] = distance;
	w->edge[node] = edge;
	heap_push(&c->heap, distance, node);
}

/*
 * Go on until nothing gets nearer, or that has been done so often that it
 * is enough: then the ways are no longer the shortest, but they are ways.
 */
static void search(struct connection *c, struct ways *w)
{
	const struct flow_graph *g = c->g;

	while (c->heap.n) {
		struct heap_entry top = heap_pop(&c->heap);

		if (c->left-- == 0) {
			c->left = 0;
			c->heap.n = 0;
			return;
		}
		if (top.distance > w->distance[top.node])
			continue;
		if (c->joins)
			offer(c, top.node);
		for (unsigned i = w->links->start[top.node];
		     i < w->links->start[top.node + 1]; i++) {
			unsigned e = w->links->edge[i];

			reach(c, w, w->other(g, e), e,
			      top.distance + flow_way_cost(g, e));
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
	w->waits = fdo_alloc(nodes, sizeof(*w->waits));
	for (size_t i = 0; i < nodes; i++)
		w->distance[i] = INFINITY;
	reach(c, w, node, NOWHERE, 0);
	search(c, w);
}

static void ways_end(struct ways *w)
{
	free(w->waits);
	free(w->edge);
	free(w->distance);
}

/*
 * The cheapest block that has a count and no connection.  Who got nearer is
 * in the heap again, before what it was.
 */
static unsigned cheapest(struct connection *c)
{
	while (c->islands.n) {
		struct heap_entry top = heap_pop(&c->islands);

		if (!c->connected[top.node])
			return top.node;
	}
	return NOWHERE;
}

void flow_add_to_edge(struct flow_graph *g, unsigned e, int64_t amount)
{
	g->edges[e].count += amount;
	if (flow_target(g, e) < g->nblocks)
		g->blocks[flow_target(g, e)].count += amount;
}

/* The way to the outside, as far as it is not connected; then, wait. */
static size_t walk_in(struct connection *c, struct ways *w, unsigned at,
		      int64_t amount, size_t length)
{
	while (!c->connected[at]) {
		c->path[length++] = w->edge[at];
		at = w->back(c->g, w->edge[at]);
	}
	w->waits[at] += amount;
	return length;
}

/* A path carries flow now, which makes things near and connected. */
static void come_near(struct connection *c, size_t length)
{
	struct flow_graph *g = c->g;

	for (size_t i = 0; i < length; i++) {
		unsigned e = c->path[i], from = flow_source(g, e);

		if (c->connected[from])
			connect(c, flow_target(g, e));
		reach(c, &c->in, flow_target(g, e), e,
		      c->in.distance[from] + flow_way_cost(g, e));
	}
	search(c, &c->in);
	for (size_t i = length; i-- > 0;) {
		unsigned e = c->path[i];

		reach(c, &c->out, flow_source(g, e), e,
		      c->out.distance[flow_target(g, e)] + flow_way_cost(g, e));
	}
	search(c, &c->out);
}

/*
 * Add to each edge of the cheapest way in to one block, over an edge (or
 * NOWHERE: it is the same block), and of that out of another.
 */
static void add_path(struct connection *c, unsigned from, unsigned edge,
		     unsigned to, int64_t amount)
{
	struct flow_graph *g = c->g;
	size_t length = walk_in(c, &c->in, from, amount, 0);

	if (edge != NOWHERE)
		c->path[length++] = edge;
	length = walk_in(c, &c->out, to, amount, length);
	for (size_t i = 0; i < length; i++)
		flow_add_to_edge(g, c->path[i], amount);
	come_near(c, length);
}

/* Bring what waits at each node along the shortest ways, furthest first. */
static void bring(struct connection *c, struct ways *w)
{
	const struct flow_graph *g = c->g;
	unsigned *behind = fdo_alloc(g->nblocks + 1, sizeof(*behind));
	size_t depth = 0;

	for (unsigned u = 0; u < g->nblocks; u++)
		if (w->edge[u] != NOWHERE)
			behind[w->back(g, w->edge[u])]++;
	for (unsigned u = 0; u < g->nblocks; u++)
		if (behind[u] == 0 && w->edge[u] != NOWHERE)
			c->stack[depth++] = u;
	while (depth) {
		unsigned u = c->stack[--depth], e = w->edge[u];
		unsigned next = w->back(g, e);

		if (w->waits[u])
			flow_add_to_edge(c->g, e, w->waits[u]);
		w->waits[next] += w->waits[u];
		w->waits[u] = 0;
		if (--behind[next] == 0 && next < g->nblocks)
			c->stack[depth++] = next;
	}
	free(behind);
}

static int64_t path_amount(const struct flow_block *block, int64_t amount)
{
	if (amount > block->count / 10)
		amount = block->count / 10;
	return amount > 1 ? amount : 1;
}

/* What is connected; no ways yet. */
static struct connection connection_begin(struct flow_graph *g)
{
	struct connection c = {
		.g = g,
		.in = { &g->out, flow_target, flow_source },
		.out = { &g->in, flow_source, flow_target },
	};

	assert(g->solved);
	c.connected = fdo_alloc(g->nblocks + 1, sizeof(*c.connected));
	c.stack = fdo_alloc(g->nblocks + 1, sizeof(*c.stack));
	c.path = fdo_alloc(2 * g->nblocks + 3, sizeof(*c.path));
	connect(&c, g->nblocks);
	return c;
}

static void find_ways(struct connection *c)
{
	struct flow_graph *g = c->g;

	flow_shares(g);
	c->left = SIZE_MAX;
	ways_begin(c, &c->in, g->nblocks);
	ways_begin(c, &c->out, g->nblocks);
	c->left = OFTEN * (g->nblocks + g->nall);
}

static void end_ways(struct connection *c)
{
	bring(c, &c->in);
	bring(c, &c->out);
	ways_end(&c->out);
	ways_end(&c->in);
}

static void connection_end(struct connection *c)
{
	free(c->heap.entries);
	free(c->islands.entries);
	free(c->path);
	free(c->stack);
	free(c->connected);
}

static bool has_islands(const struct connection *c)
{
	for (unsigned b = 0; b < c->g->nblocks; b++)
		if (c->g->blocks[b].count > 0 && !c->connected[b])
			return true;
	return false;
}

/* Returns how many paths that took. */
static unsigned join_islands(struct connection *c, int64_t amount)
{
	struct flow_graph *g = c->g;
	unsigned paths = 0, block;

	c->joins = true;
	for (unsigned b = 0; b < g->nblocks; b++)
		offer(c, b);
	while ((block = cheapest(c)) != NOWHERE) {
		add_path(c, block, NOWHERE, block,
			 path_amount(&g->blocks[block], amount));
		paths++;
	}
	return paths;
}

/* Most functions have no islands: nobody asks for ways there. */
unsigned flow_connect(struct flow_graph *g, int64_t amount)
{
	struct connection c = connection_begin(g);
	unsigned paths = 0;

	if (has_islands(&c)) {
		find_ways(&c);
		paths = join_islands(&c, amount);
		end_ways(&c);
	}
	connection_end(&c);
	return paths;
}

void flow_pass(struct flow_graph *g, unsigned block, int64_t amount)
{
	struct connection c = connection_begin(g);

	find_ways(&c);
	add_path(&c, block, NOWHERE, block, amount);
	end_ways(&c);
	connection_end(&c);
}

/*
 * How much an edge gets that was not seen; 0: it would have been.  Samples are
 * of blocks: of an edge between two that ran they say nothing, and it has no
 * count only since the other ways cost no more.  It gets just enough to be one
 * that may be taken, or what GCC copies to follow it alone never is.
 */
static int64_t unseen(const struct flow_graph *g, unsigned e, int64_t sample)
{
	unsigned from = flow_source(g, e), to = flow_target(g, e);
	int64_t there = to == g->nblocks ? 0 : g->blocks[to].count;
	double expected;

	if (from == g->nblocks || g->edges[e].count > 0 ||
	    g->blocks[from].count == 0 || g->share[e] < SHARE_NEVER)
		return 0;
	expected = g->share[e] * (double)g->blocks[from].count;
	if (there == 0 && expected >= SAMPLES_TO_SEE * (double)sample)
		return 0;
	if (there > 0)
		expected = fmin(expected, (double)there) / PART_OF_BETWEEN;
	expected /= PART_OF_UNSEEN;
	return expected > 1 ? (int64_t)expected : 1;
}

/* What is expected of a block over all edges that lead to it. */
static double expected(const struct flow_graph *g, unsigned block,
		       unsigned *likeliest)
{
	double sum = 0, most = 0;

	for (unsigned i = g->in.start[block]; i < g->in.start[block + 1]; i++) {
		unsigned e = g->in.edge[i], from = flow_source(g, e);
		double part;

		if (from == g->nblocks || g->blocks[from].count == 0 ||
		    g->share[e] < SHARE_NEVER)
			continue;
		part = g->share[e] * (double)g->blocks[from].count;
		sum += part;
		if (part > most) {
			most = part;
			*likeliest = e;
		}
	}
	return sum;
}

/*
 * Samples gather on what the processor waits for, and a block beside it may
 * have none though it runs as often: it takes many that are missing to say
 * that a block never runs.
 */
static void doubt_blocks(struct connection *c, int64_t sample)
{
	struct flow_graph *g = c->g;

	for (unsigned b = 0; b < g->nblocks; b++) {
		unsigned e = NOWHERE;
		double amount;

		if (g->blocks[b].count > 0)
			continue;
		amount = expected(g, b, &e);
		if (e == NOWHERE || amount * g->blocks[b].size >=
					    SAMPLES_TO_MISS * (double)sample)
			continue;
		amount /= PART_OF_UNSEEN;
		add_path(c, flow_source(g, e), e, b,
			 amount > 1 ? (int64_t)amount : 1);
	}
}

void flow_doubt(struct flow_graph *g, int64_t sample)
{
	struct connection c = connection_begin(g);
	bool again = true;

	find_ways(&c);
	doubt_blocks(&c, sample);
	bring(&c, &c.in);
	bring(&c, &c.out);
	while (again) {
		again = false;
		for (unsigned e = 0; e < g->nedges; e++) {
			int64_t amount = unseen(g, e, sample);

			if (amount == 0)
				continue;
			add_path(&c, flow_source(g, e), e, flow_target(g, e),
				 amount);
			again = true;
		}
	}
	end_ways(&c);
	connection_end(&c);
}
