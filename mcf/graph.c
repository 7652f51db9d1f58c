/*
 * graph.c - building a flow graph, and mending what it lacks.
 *
 * A block that no entry leads to could have a count only in a circle, and
 * one that leads to no exit likewise: such places get an edge of their own
 * from or to the outside.  One is enough for all that it leads to, so the
 * search goes through the unreached blocks in reverse postorder: each that
 * is still unreached when its turn comes has no unreached predecessor but
 * its own successors.
 */
#include "mcf/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct flow_graph *flow_new(void)
{
	struct flow_graph *g = fdo_alloc(1, sizeof(*g));

	g->net = mcf_new(0);
	return g;
}

static void free_links(struct flow_links *links)
{
	free(links->start);
	free(links->edge);
}

void flow_free(struct flow_graph *g)
{
	if (!g)
		return;
	mcf_free(g->net);
	free_links(&g->out);
	free_links(&g->in);
	free(g->stack);
	free(g->order);
	free(g->mark);
	free(g->distance);
	free(g->share);
	free(g->carried);
	free(g->price);
	free(g->width);
	free(g->edges);
	free(g->blocks);
	free(g);
}

void flow_reset(struct flow_graph *g)
{
	g->nblocks = 0;
	g->nedges = g->nall = 0;
	g->nprices = 0;
	g->bend_max = 0;
	g->has_prior = g->solved = false;
}

void *flow_room(void *array, size_t n, size_t *room, size_t size)
{
	if (n <= *room)
		return array;
	free(array);
	*room = n + n / 8;
	return fdo_resize(NULL, *room, size);
}

unsigned flow_add_block(struct flow_graph *g)
{
	g->blocks = fdo_grow(g->blocks, g->nblocks, &g->block_room,
			     sizeof(*g->blocks));
	g->blocks[g->nblocks] = (struct flow_block){ .size = 1 };
	g->solved = false;
	assert(g->nblocks < INT32_MAX / 2);
	return g->nblocks++;
}

static void append_edge(struct flow_graph *g, unsigned from, unsigned to)
{
	g->edges =
		fdo_grow(g->edges, g->nall, &g->edge_room, sizeof(*g->edges));
	g->edges[g->nall++] =
		(struct flow_edge){ .from = from, .to = to, .prior = -1 };
}

unsigned flow_add_edge(struct flow_graph *g, unsigned from, unsigned to)
{
	assert(from != FLOW_OUTSIDE || to != FLOW_OUTSIDE);
	assert(from == FLOW_OUTSIDE || from < g->nblocks);
	assert(to == FLOW_OUTSIDE || to < g->nblocks);
	g->nall = g->nedges;
	append_edge(g, from, to);
	g->solved = false;
	return g->nedges++;
}

static void check_cost(const struct flow_cost *cost)
{
	assert(0 < cost->n && cost->n <= FLOW_SEGMENTS);
	for (unsigned i = 0; i < cost->n; i++) {
		assert(0 <= cost->width[i] && cost->width[i] <= FLOW_MAX);
		assert(i == 0 || cost->price[i - 1] <= cost->price[i]);
	}
	assert(-FLOW_PRICE_MAX <= cost->price[0] &&
	       cost->price[cost->n - 1] <= FLOW_PRICE_MAX);
	assert(cost->width[cost->n - 1] == FLOW_MAX);
}

static void set_segments(struct flow_graph *g, struct flow_prices *prices,
			 unsigned n, const int64_t *width, const int64_t *price)
{
	size_t end;

	if (n > prices->n)
		prices->first = g->nprices;
	prices->n = n;
	end = prices->first + n;
	if (end > g->price_room) {
		g->price_room = end + end / 4 + FLOW_SEGMENTS;
		g->width =
			fdo_resize(g->width, g->price_room, sizeof(*g->width));
		g->price =
			fdo_resize(g->price, g->price_room, sizeof(*g->price));
	}
	memcpy(g->width + prices->first, width, n * sizeof(*g->width));
	memcpy(g->price + prices->first, price, n * sizeof(*g->price));
	if (end > g->nprices)
		g->nprices = end;
	g->solved = false;
}

static void set_prices(struct flow_graph *g, struct flow_prices *prices,
		       const struct flow_cost *cost)
{
	check_cost(cost);
	set_segments(g, prices, cost->n, cost->width, cost->price);
}

void flow_bend(struct flow_graph *g, struct flow_prices *bend, unsigned n,
	       const int64_t *width, const int64_t *price)
{
	assert(n <= FLOW_BENDS);
	for (unsigned i = 0; i < n; i++)
		if (llabs(price[i]) > g->bend_max)
			g->bend_max = llabs(price[i]);
	set_segments(g, bend, n, width, price);
}

void flow_set_block_cost(struct flow_graph *g, unsigned block,
			 const struct flow_cost *cost)
{
	assert(block < g->nblocks);
	set_prices(g, &g->blocks[block].cost, cost);
}

void flow_set_block_size(struct flow_graph *g, unsigned block, double size)
{
	assert(block < g->nblocks && size > 0);
	g->blocks[block].size = size;
}

void flow_set_edge_cost(struct flow_graph *g, unsigned edge,
			const struct flow_cost *cost)
{
	assert(edge < g->nedges);
	set_prices(g, &g->edges[edge].cost, cost);
}

void flow_set_edge_prior(struct flow_graph *g, unsigned edge, double share)
{
	assert(edge < g->nedges);
	assert(share >= 0 && share <= 1);
	g->edges[edge].prior = share;
	g->has_prior = true;
	g->solved = false;
}

int64_t flow_block_count(const struct flow_graph *g, unsigned block)
{
	assert(g->solved && block < g->nblocks);
	return g->blocks[block].count;
}

int64_t flow_edge_count(const struct flow_graph *g, unsigned edge)
{
	assert(g->solved && edge < g->nedges);
	return g->edges[edge].count;
}

int64_t flow_repairs(const struct flow_graph *g)
{
	int64_t count = 0;

	assert(g->solved);
	for (size_t e = g->nedges; e < g->nall; e++)
		count += g->edges[e].count;
	return count;
}

/* Counting sort of the edges by one of their ends. */
static void link_side(const struct flow_graph *g, struct flow_links *links,
		      unsigned (*end)(const struct flow_graph *, unsigned))
{
	size_t nodes = g->nblocks + 1;

	links->start = flow_room(links->start, nodes + 1, &links->start_room,
				 sizeof(*links->start));
	links->edge = flow_room(links->edge, g->nall, &links->edge_room,
				sizeof(*links->edge));
	memset(links->start, 0, (nodes + 1) * sizeof(*links->start));
	for (unsigned e = 0; e < g->nall; e++)
		links->start[end(g, e)]++;
	for (size_t i = 1; i <= nodes; i++)
		links->start[i] += links->start[i - 1];
	for (unsigned e = g->nall; e-- > 0;)
		links->edge[--links->start[end(g, e)]] = e;
}

void flow_link(struct flow_graph *g)
{
	link_side(g, &g->out, flow_source);
	link_side(g, &g->in, flow_target);
}

/* A walk from node to node, along the edges or against them. */
struct walk {
	struct flow_graph *g;
	const struct flow_links *links;
	unsigned (*other)(const struct flow_graph *, unsigned);
};

/*
 * Mark all that a node leads to and list it in the order in which the walk
 * leaves it (postorder), if a list is given.  While the walk is at a node,
 * its mark is one more than the place of its next edge.
 */
static size_t visit(const struct walk *w, unsigned node, unsigned *order)
{
	struct flow_graph *g = w->g;
	size_t depth = 0, n = 0;

	g->stack[depth++] = node;
	g->mark[node] = w->links->start[node] + 1;
	while (depth) {
		unsigned at = g->stack[depth - 1];
		unsigned next = g->mark[at] - 1, to;

		if (next == w->links->start[at + 1]) {
			if (order)
				order[n] = at;
			n++;
			depth--;
			continue;
		}
		g->mark[at]++;
		to = w->other(g, w->links->edge[next]);
		if (g->mark[to] == 0) {
			g->mark[to] = w->links->start[to] + 1;
			g->stack[depth++] = to;
		}
	}
	return n;
}

static void repair_side(const struct walk *w, bool forward)
{
	struct flow_graph *g = w->g;
	size_t nodes = g->nblocks + 1, n = 0;

	memset(g->mark, 0, nodes * sizeof(*g->mark));
	if (visit(w, g->nblocks, NULL) == nodes)
		return;
	for (unsigned b = 0; b < g->nblocks; b++)
		if (g->mark[b] == 0)
			n += visit(w, b, g->order + n);
	for (size_t i = 0; i < n; i++)
		g->mark[g->order[i]] = 0;
	while (n-- > 0) {
		unsigned b = g->order[n];

		if (g->mark[b])
			continue;
		append_edge(g, forward ? FLOW_OUTSIDE : b,
			    forward ? b : FLOW_OUTSIDE);
		visit(w, b, NULL);
	}
}

void flow_repair(struct flow_graph *g)
{
	size_t nodes = g->nblocks + 1;
	struct walk forward = { g, &g->out, flow_target };
	struct walk backward = { g, &g->in, flow_source };

	g->mark = flow_room(g->mark, nodes, &g->mark_room, sizeof(*g->mark));
	g->mark_is_clear = false;
	g->order =
		flow_room(g->order, nodes, &g->order_room, sizeof(*g->order));
	g->stack =
		flow_room(g->stack, nodes, &g->stack_room, sizeof(*g->stack));
	repair_side(&forward, true);
	repair_side(&backward, false);
}

/* What is said of a node's edges, and what is left for the others. */
static void share_node(struct flow_graph *g, unsigned node)
{
	unsigned unset = 0, start = g->out.start[node];
	unsigned end = g->out.start[node + 1];
	double said = 0, rest;

	for (unsigned i = start; i < end; i++) {
		unsigned e = g->out.edge[i];

		if (e >= g->nedges)
			continue;
		if (g->edges[e].prior < 0)
			unset++;
		else
			said += g->edges[e].prior;
	}
	rest = unset && said < 1 ? (1 - said) / unset : 0;
	said += rest * unset;
	for (unsigned i = start; i < end; i++) {
		unsigned e = g->out.edge[i];
		double prior = g->edges[e].prior;

		if (e >= g->nedges)
			g->share[e] = 0;
		else if (said > 0)
			g->share[e] = (prior < 0 ? rest : prior) / said;
		else
			g->share[e] = 1.0 / (end - start);
	}
}

void flow_shares(struct flow_graph *g)
{
	if (g->has_shares)
		return;
	g->has_shares = true;
	g->share =
		flow_room(g->share, g->nall, &g->share_room, sizeof(*g->share));
	for (unsigned node = 0; node <= g->nblocks; node++)
		share_node(g, node);
}
