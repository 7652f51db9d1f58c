/*
 * round.c - more rounds of a loop.
 *
 * The way back from where an edge leads to where it begins stays within the
 * loop: within what can come to the beginning without passing the target.
 * That is found first, against the edges, so that each of many loops takes as
 * long as it is large, and not as the function is.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mcf/graph.h"
#include "mcf/heap.h"

#define NOWHERE UINT32_MAX

/* All that can come to a node without passing another one, into g->stack. */
static size_t find_members(struct flow_graph *g, unsigned to, unsigned from)
{
	size_t n = 0;

	g->mark[to] = 1;
	g->stack[n++] = to;
	for (size_t i = 0; i < n; i++) {
		unsigned node = g->stack[i];

		for (unsigned l = g->in.start[node];
		     node != from && l < g->in.start[node + 1]; l++) {
			unsigned before = flow_source(g, g->in.edge[l]);

			if (g->mark[before])
				continue;
			g->mark[before] = 1;
			g->stack[n++] = before;
		}
	}
	return n;
}

/* The likeliest way between two of them: into g->order, each node's edge. */
static void find_way(struct flow_graph *g, unsigned from, unsigned to,
		     size_t nmembers)
{
	struct heap heap = { 0 };

	for (size_t i = 0; i < nmembers; i++)
		g->distance[g->stack[i]] = INFINITY;
	g->distance[from] = 0;
	g->order[from] = NOWHERE;
	heap_push(&heap, 0, from);
	while (heap.n) {
		struct heap_entry top = heap_pop(&heap);

		if (top.distance > g->distance[top.node])
			continue;
		if (top.node == to)
			break;
		for (unsigned l = g->out.start[top.node];
		     l < g->out.start[top.node + 1]; l++) {
			unsigned e = g->out.edge[l], next = flow_target(g, e);
			double there = top.distance + flow_way_cost(g, e);

			if (!g->mark[next] || there >= g->distance[next])
				continue;
			g->distance[next] = there;
			g->order[next] = e;
			heap_push(&heap, there, next);
		}
	}
	free(heap.entries);
}

static void make_room(struct flow_graph *g)
{
	size_t nodes = g->nblocks + 1;

	g->distance = flow_room(g->distance, nodes, &g->distance_room,
				sizeof(*g->distance));
	if (!g->mark_is_clear)
		memset(g->mark, 0, nodes * sizeof(*g->mark));
	g->mark_is_clear = true;
	flow_shares(g);
}

/* By its repairs a graph has a way from everywhere to everywhere. */
void flow_round(struct flow_graph *g, unsigned edge, int64_t amount)
{
	unsigned from = flow_target(g, edge), to = flow_source(g, edge);
	unsigned e = edge;
	size_t nmembers;

	assert(g->solved);
	make_room(g);
	nmembers = find_members(g, to, from);
	find_way(g, from, to, nmembers);
	while (e != NOWHERE) {
		flow_add_to_edge(g, e, amount);
		e = g->order[flow_source(g, e)];
	}
	for (size_t i = 0; i < nmembers; i++)
		g->mark[g->stack[i]] = 0;
}
