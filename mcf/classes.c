/*
 * classes.c - random circulations.
 *
 * Give every arc outside a spanning tree a random flow; conservation then
 * fixes the flow of every arc in the tree.  Arcs that must carry equal flow
 * do, and others do not, except by a chance of 2^-61.  Computing modulo the
 * prime 2^61 - 1 keeps the flows exact.  A block is the arc between the node
 * where control enters it and the node where it leaves; one more node is all
 * that is outside.
 */
#include "mcf/classes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "mcf/smooth.h"

#define PRIME (((uint64_t)1 << 61) - 1)

struct arc {
	uint32_t tail, head;
	uint64_t flow;
	bool in_tree;
};

struct graph {
	uint32_t nnodes, narcs;
	struct arc *arcs;
	uint32_t *first;  /* of a node, in at; nnodes + 1 of them */
	uint32_t *at;	  /* arcs by node, both ends */
	uint32_t *order;  /* nodes, parents before children */
	uint32_t *parent; /* the tree's arc to the parent, or NONE */
};

enum { NONE = 0xffffffffu };

static uint64_t add(uint64_t a, uint64_t b)
{
	uint64_t sum = a + b;

	return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t subtract(uint64_t a, uint64_t b)
{
	return add(a, b ? PRIME - b : 0);
}

/* The n-th number of a fixed sequence (SplitMix64), in 1 .. PRIME - 1. */
static uint64_t random_flow(uint64_t n)
{
	uint64_t x = (n + 1) * 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return (x ^ x >> 31) % (PRIME - 1) + 1;
}

static uint32_t enters(uint32_t block)
{
	return 2 * block;
}

static uint32_t leaves(uint32_t block)
{
	return 2 * block + 1;
}

static void add_arcs(struct graph *g, uint32_t nblocks,
		     const struct flow_link *links, uint32_t nlinks)
{
	uint32_t outside = 2 * nblocks;

	g->nnodes = outside + 1;
	g->narcs = nblocks + nlinks;
	g->arcs = fdo_alloc(g->narcs, sizeof(*g->arcs));
	for (uint32_t b = 0; b < nblocks; b++)
		g->arcs[b] =
			(struct arc){ .tail = enters(b), .head = leaves(b) };
	for (uint32_t i = 0; i < nlinks; i++)
		g->arcs[nblocks + i] = (struct arc){
			.tail = links[i].from == FLOW_OUTSIDE
					? outside
					: leaves(links[i].from),
			.head = links[i].to == FLOW_OUTSIDE
					? outside
					: enters(links[i].to),
		};
}

static void index_arcs(struct graph *g)
{
	g->first = fdo_alloc(g->nnodes + 1, sizeof(*g->first));
	g->at = fdo_alloc(2 * (size_t)g->narcs, sizeof(*g->at));
	for (uint32_t a = 0; a < g->narcs; a++) {
		g->first[g->arcs[a].tail]++;
		g->first[g->arcs[a].head]++;
	}
	for (uint32_t n = 0; n < g->nnodes; n++)
		g->first[n + 1] += g->first[n];
	for (uint32_t a = 0; a < g->narcs; a++) {
		g->at[--g->first[g->arcs[a].tail]] = a;
		g->at[--g->first[g->arcs[a].head]] = a;
	}
}

static uint32_t other_end(const struct arc *arc, uint32_t node)
{
	return arc->tail == node ? arc->head : arc->tail;
}

/* Breadth first, one tree for each connected part. */
static void span(struct graph *g)
{
	bool *seen = fdo_alloc(g->nnodes, sizeof(*seen));
	uint32_t n = 0;

	g->order = fdo_alloc(g->nnodes, sizeof(*g->order));
	g->parent = fdo_alloc(g->nnodes, sizeof(*g->parent));
	for (uint32_t root = g->nnodes; root-- > 0;) {
		uint32_t done = n;

		if (seen[root])
			continue;
		seen[root] = true;
		g->parent[root] = NONE;
		g->order[n++] = root;
		for (; done < n; done++) {
			uint32_t node = g->order[done];

			for (uint32_t i = g->first[node];
			     i < g->first[node + 1]; i++) {
				struct arc *arc = &g->arcs[g->at[i]];
				uint32_t next = other_end(arc, node);

				if (seen[next])
					continue;
				seen[next] = true;
				arc->in_tree = true;
				g->parent[next] = g->at[i];
				g->order[n++] = next;
			}
		}
	}
	free(seen);
}

static void circulate(struct graph *g)
{
	uint64_t *surplus = fdo_alloc(g->nnodes, sizeof(*surplus));

	for (uint32_t a = 0; a < g->narcs; a++) {
		struct arc *arc = &g->arcs[a];

		if (arc->in_tree)
			continue;
		arc->flow = random_flow(a);
		surplus[arc->tail] = subtract(surplus[arc->tail], arc->flow);
		surplus[arc->head] = add(surplus[arc->head], arc->flow);
	}
	for (uint32_t i = g->nnodes; i-- > 0;) {
		uint32_t node = g->order[i];
		struct arc *arc;

		if (g->parent[node] == NONE)
			continue;
		/* What arrives in excess leaves to the parent. */
		arc = &g->arcs[g->parent[node]];
		arc->flow = arc->tail == node ? surplus[node]
					      : subtract(0, surplus[node]);
		surplus[arc->tail] = subtract(surplus[arc->tail], arc->flow);
		surplus[arc->head] = add(surplus[arc->head], arc->flow);
	}
	free(surplus);
}

/* Blocks whose flow is 0 never run; each is a class of its own. */
static void number(const struct graph *g, uint32_t nblocks, uint32_t *class_ret)
{
	struct fdo_map *classes = fdo_map_new();
	uint32_t n = 0;

	for (uint32_t b = 0; b < nblocks; b++) {
		uint64_t *known;

		if (g->arcs[b].flow == 0) {
			class_ret[b] = n++;
			continue;
		}
		known = fdo_map_at(classes, g->arcs[b].flow);
		if (*known == 0)
			*known = ++n;
		class_ret[b] = *known - 1;
	}
	fdo_map_free(classes);
}

void flow_classes(uint32_t nblocks, const struct flow_link *links,
		  uint32_t nlinks, uint32_t *class_ret)
{
	struct graph g = { 0 };

	add_arcs(&g, nblocks, links, nlinks);
	index_arcs(&g);
	span(&g);
	circulate(&g);
	number(&g, nblocks, class_ret);
	free(g.arcs);
	free(g.first);
	free(g.at);
	free(g.order);
	free(g.parent);
}
