/*
 * dominators.c - the same search twice, along the edges and against them,
 * from a node that stands for outside.
 */
#include "converter/graph/dominators.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/graph/cfg.h"

#define NONE UINT32_MAX

/* Ways by their first node: to[first[n]] to to[first[n + 1] - 1]. */
struct ways {
	uint32_t *first, *to;
};

/* Immediate dominators; a node's number is its place in postorder. */
struct tree {
	uint32_t *parent, *number;
};

struct dominators {
	const struct cfg *cfg;
	struct tree forward, backward;
	bool *heads;	     /* of each block */
	bool *back, *leaves; /* of each edge */
};

struct way {
	uint32_t from, to;
};

static struct ways sort_ways(const struct way *ways, size_t n, size_t nodes,
			     bool against)
{
	struct ways ret = { fdo_alloc(nodes + 2, sizeof(uint32_t)),
			    fdo_alloc(n + 1, sizeof(uint32_t)) };

	for (size_t i = 0; i < n; i++)
		ret.first[(against ? ways[i].to : ways[i].from) + 2]++;
	for (size_t i = 2; i < nodes + 2; i++)
		ret.first[i] += ret.first[i - 1];
	for (size_t i = 0; i < n; i++) {
		uint32_t from = against ? ways[i].to : ways[i].from;

		ret.to[ret.first[from + 1]++] =
			against ? ways[i].from : ways[i].to;
	}
	return ret;
}

static void ways_clear(struct ways *w)
{
	free(w->first);
	free(w->to);
}

/* Nodes in postorder from the root; returns how many it reaches. */
static size_t postorder(const struct ways *ways, uint32_t root, size_t nodes,
			uint32_t *order, uint32_t *number)
{
	uint32_t *stack = fdo_alloc(nodes, sizeof(*stack));
	uint32_t *at = fdo_alloc(nodes, sizeof(*at));
	bool *seen = fdo_alloc(nodes, sizeof(*seen));
	size_t depth = 1, n = 0;

	for (size_t i = 0; i < nodes; i++) {
		number[i] = NONE;
		at[i] = ways->first[i];
	}
	stack[0] = root;
	seen[root] = true;
	while (depth) {
		uint32_t node = stack[depth - 1], to;

		if (at[node] == ways->first[node + 1]) {
			number[node] = n;
			order[n++] = node;
			depth--;
			continue;
		}
		to = ways->to[at[node]++];
		if (!seen[to]) {
			seen[to] = true;
			stack[depth++] = to;
		}
	}
	free(seen);
	free(at);
	free(stack);
	return n;
}

static uint32_t common(const struct tree *t, uint32_t a, uint32_t b)
{
	while (a != b)
		if (t->number[a] < t->number[b])
			a = t->parent[a];
		else
			b = t->parent[b];
	return a;
}

static bool improve(struct tree *t, const struct ways *sources, uint32_t node)
{
	uint32_t best = NONE;

	for (uint32_t i = sources->first[node]; i < sources->first[node + 1];
	     i++) {
		uint32_t from = sources->to[i];

		if (t->parent[from] == NONE)
			continue;
		best = best == NONE ? from : common(t, from, best);
	}
	if (best == t->parent[node])
		return false;
	t->parent[node] = best;
	return true;
}

static struct tree dominate(const struct ways *ways, const struct ways *sources,
			    uint32_t root, size_t nodes)
{
	struct tree t = { fdo_alloc(nodes, sizeof(uint32_t)),
			  fdo_alloc(nodes, sizeof(uint32_t)) };
	uint32_t *order = fdo_alloc(nodes, sizeof(*order));
	size_t n = postorder(ways, root, nodes, order, t.number);
	bool changed = true;

	for (size_t i = 0; i < nodes; i++)
		t.parent[i] = NONE;
	t.parent[root] = root;
	while (changed) {
		changed = false;
		for (size_t i = n - 1; i-- > 0;)
			changed |= improve(&t, sources, order[i]);
	}
	free(order);
	return t;
}

static bool is_above(const struct tree *t, uint32_t a, uint32_t b)
{
	if (t->number[a] == NONE || t->number[b] == NONE)
		return false;
	while (t->number[b] < t->number[a])
		b = t->parent[b];
	return a == b;
}

/* Edges of the graph, and those from and to outside. */
static struct way *all_ways(const struct cfg *cfg, size_t *n_ret)
{
	struct way *ways =
		fdo_alloc(cfg->nedges + 2 * cfg->nblocks, sizeof(*ways));
	uint32_t outside = cfg->nblocks;
	size_t n = 0;

	for (size_t e = 0; e < cfg->nedges; e++)
		ways[n++] =
			(struct way){ cfg->edges[e].from, cfg->edges[e].to };
	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		uint32_t flags = cfg->blocks[b].flags;

		if (flags & (CFG_ENTRY | CFG_ENTERED | CFG_ORPHAN))
			ways[n++] = (struct way){ outside, b };
		if (flags & CFG_EXITS)
			ways[n++] = (struct way){ b, outside };
	}
	*n_ret = n;
	return ways;
}

/* What reaches the back edges without the head, which comes first; marked. */
static size_t take_loop(const struct dominators *d, uint32_t head,
			uint32_t *blocks, bool *marks)
{
	const struct cfg *cfg = d->cfg;
	size_t n = 0;

	blocks[n++] = head;
	marks[head] = true;
	for (size_t at = 0; at < n; at++) {
		const struct cfg_block *b = &cfg->blocks[blocks[at]];

		for (uint32_t i = 0; i < b->nin; i++) {
			uint32_t e = cfg->in[b->first_in + i];
			uint32_t from = cfg->edges[e].from;

			if ((at == 0 && !d->back[e]) || marks[from] ||
			    d->forward.number[from] == NONE)
				continue;
			marks[from] = true;
			blocks[n++] = from;
		}
	}
	return n;
}

static void clear_marks(bool *marks, const uint32_t *blocks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		marks[blocks[i]] = false;
}

static void note_leaves(struct dominators *d, uint32_t block,
			const bool *inside)
{
	const struct cfg_block *b = &d->cfg->blocks[block];

	for (size_t e = b->first_edge; e < b->first_edge + b->nedges; e++)
		d->leaves[e] |= !inside[d->cfg->edges[e].to];
}

static void find_loops(struct dominators *d)
{
	const struct cfg *cfg = d->cfg;
	bool *inside = fdo_alloc(cfg->nblocks, sizeof(*inside));
	uint32_t *blocks = fdo_alloc(cfg->nblocks, sizeof(*blocks));

	for (size_t e = 0; e < cfg->nedges; e++) {
		const struct cfg_edge *edge = &cfg->edges[e];

		d->back[e] = is_above(&d->forward, edge->to, edge->from);
		d->heads[edge->to] |= d->back[e];
	}
	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		size_t n = d->heads[b] ? take_loop(d, b, blocks, inside) : 0;

		for (size_t i = 0; i < n; i++)
			note_leaves(d, blocks[i], inside);
		clear_marks(inside, blocks, n);
	}
	free(blocks);
	free(inside);
}

struct dominators *dominators_new(const struct cfg *cfg)
{
	struct dominators *d = fdo_alloc(1, sizeof(*d));
	size_t nodes = cfg->nblocks + 1, n;
	struct way *list = all_ways(cfg, &n);
	struct ways ways = sort_ways(list, n, nodes, false);
	struct ways sources = sort_ways(list, n, nodes, true);

	d->cfg = cfg;
	d->forward = dominate(&ways, &sources, cfg->nblocks, nodes);
	d->backward = dominate(&sources, &ways, cfg->nblocks, nodes);
	d->heads = fdo_alloc(nodes, sizeof(*d->heads));
	d->back = fdo_alloc(cfg->nedges + 1, sizeof(*d->back));
	d->leaves = fdo_alloc(cfg->nedges + 1, sizeof(*d->leaves));
	find_loops(d);
	ways_clear(&sources);
	ways_clear(&ways);
	free(list);
	return d;
}

void dominators_free(struct dominators *d)
{
	if (!d)
		return;
	free(d->forward.parent);
	free(d->forward.number);
	free(d->backward.parent);
	free(d->backward.number);
	free(d->heads);
	free(d->back);
	free(d->leaves);
	free(d);
}

bool dominators_behind(const struct dominators *d, size_t a, size_t b)
{
	return is_above(&d->backward, a, b);
}

bool dominators_before(const struct dominators *d, size_t a, size_t b)
{
	return is_above(&d->forward, a, b);
}

bool dominators_back(const struct dominators *d, size_t edge)
{
	return d->back[edge];
}

bool dominators_heads(const struct dominators *d, size_t block)
{
	return d->heads[block];
}

bool dominators_leaves(const struct dominators *d, size_t edge)
{
	return d->leaves[edge];
}

size_t dominators_loop(const struct dominators *d, size_t head,
		       uint32_t *blocks, bool *marks)
{
	size_t n = d->heads[head] ? take_loop(d, head, blocks, marks) : 0;

	clear_marks(marks, blocks, n);
	return n;
}
