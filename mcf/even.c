/*
 * even.c - the edges that the counts of blocks leave open.
 *
 * What leaves one block and what enters the next are two sides of a graph
 * with an edge for each of ours; margins are the blocks' counts.  Where it is
 * a tree they say all.  A circle of k edges leaves one count open: each
 * second edge may get more, and the others less.  A corner of the possible is
 * what a solver finds; the likeliest is that how a block was come to does not
 * say where it goes, as far as the margins let it be.  That is iterative
 * proportional fitting (Deming and Stephan, 1940): rows and columns are
 * scaled to their margins in turn.
 *
 * Whole numbers come from a spanning tree: all other edges are rounded, and
 * the tree's then are what the margins leave.  It is the one with the largest
 * counts, so that they can take it; where one cannot, all stays as it was.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mcf/graph.h"

enum { ROUNDS = 200 };
static const double near_enough = 1e-4;

/* An edge that may change. */
struct open_edge {
	unsigned edge, row, column;
	double share, count;
	bool tree;
};

struct even {
	struct flow_graph *g;
	struct open_edge *edges;
	size_t n;
	unsigned nnodes;
	unsigned *parent;  /* union-find */
	unsigned *degree;  /* of nodes, in the tree */
	int64_t *margin;   /* of nodes, without the edges that are done */
	double *sum;	   /* of nodes */
	unsigned *circles; /* of a component, at its root; later: it failed */
};

static unsigned find(struct even *v, unsigned node)
{
	while (v->parent[node] != node) {
		v->parent[node] = v->parent[v->parent[node]];
		node = v->parent[node];
	}
	return node;
}

/* True if they were apart. */
static bool unite(struct even *v, unsigned a, unsigned b)
{
	a = find(v, a);
	b = find(v, b);
	v->parent[a] = b;
	return a != b;
}

static void part_all(struct even *v)
{
	for (unsigned n = 0; n < v->nnodes; n++)
		v->parent[n] = n;
}

/* Edges with a price of their own, and repairs, stay. */
static void find_edges(struct even *v)
{
	struct flow_graph *g = v->g;

	flow_shares(g);
	for (unsigned e = 0; e < g->nedges; e++)
		if (g->edges[e].cost.n == 0 && g->share[e] > 0)
			v->edges[v->n++] = (struct open_edge){
				.edge = e,
				.row = flow_source(g, e),
				.column = g->nblocks + 1 + flow_target(g, e),
				.share = g->share[e],
				.count = g->edges[e].count,
			};
}

/* Only parts with a circle are open. */
static void keep_open(struct even *v)
{
	size_t n = 0;

	part_all(v);
	for (size_t i = 0; i < v->n; i++)
		unite(v, v->edges[i].row, v->edges[i].column);
	for (unsigned node = 0; node < v->nnodes; node++)
		v->circles[find(v, node)]--;
	for (size_t i = 0; i < v->n; i++)
		v->circles[find(v, v->edges[i].row)]++;
	/* Edges less nodes: -1 for a tree. */
	for (size_t i = 0; i < v->n; i++)
		if (v->circles[find(v, v->edges[i].row)] != -1U)
			v->edges[n++] = v->edges[i];
	v->n = n;
	for (size_t i = 0; i < n; i++) {
		int64_t count = v->g->edges[v->edges[i].edge].count;

		v->margin[v->edges[i].row] += count;
		v->margin[v->edges[i].column] += count;
	}
}

/* The part of a graph that an edge is in, by one of its nodes. */
static unsigned part_of(struct even *v, const struct open_edge *edge)
{
	return find(v, edge->row);
}

/* The nodes on one side of the edges of a part. */
struct side {
	unsigned *of;	 /* of each edge */
	unsigned *nodes; /* each of them once */
	size_t nnodes;
};

static void side_init(struct side *side, size_t edges)
{
	side->of = fdo_alloc(edges, sizeof(*side->of));
	side->nodes = fdo_alloc(edges, sizeof(*side->nodes));
	side->nnodes = 0;
}

static void side_deinit(struct side *side)
{
	free(side->of);
	free(side->nodes);
}

/* Sums are 0 but while they are made. */
static void set_side(struct even *v, const struct open_edge *edges, size_t n,
		     bool rows, struct side *side)
{
	side->nnodes = 0;
	for (size_t i = 0; i < n; i++) {
		unsigned node = rows ? edges[i].row : edges[i].column;

		side->of[i] = node;
		if (v->sum[node] == 0)
			side->nodes[side->nnodes++] = node;
		v->sum[node] = 1;
	}
	for (size_t i = 0; i < side->nnodes; i++)
		v->sum[side->nodes[i]] = 0;
}

/* Scale one side to its margins; returns how far off the worst was. */
static double fit_side(struct even *v, const struct side *side, double *counts,
		       size_t n)
{
	double worst = 0;

	for (size_t i = 0; i < n; i++)
		v->sum[side->of[i]] += counts[i];
	for (size_t i = 0; i < side->nnodes; i++) {
		unsigned node = side->nodes[i];
		double sum = v->sum[node], margin = v->margin[node];
		double scale = sum > 0 ? margin / sum : 0;
		double off = margin > 0 ? fabs(scale - 1) : 0;

		v->sum[node] = scale;
		worst = off > worst ? off : worst;
	}
	for (size_t i = 0; i < n; i++)
		counts[i] *= v->sum[side->of[i]];
	for (size_t i = 0; i < side->nnodes; i++)
		v->sum[side->nodes[i]] = 0;
	return worst;
}

/* Both sides in turn, until they agree. */
static void fit_part(struct even *v, const struct side *rows,
		     const struct side *columns, double *counts, size_t n)
{
	for (int round = 0; round < ROUNDS; round++) {
		fit_side(v, columns, counts, n);
		if (fit_side(v, rows, counts, n) < near_enough)
			break;
	}
}

/* Edges of one part come to stand in a row. */
static void sort_by_part(struct even *v)
{
	struct open_edge *sorted = fdo_alloc(v->n, sizeof(*sorted));
	unsigned *first = v->degree; /* not in use yet */
	unsigned sum = 0;

	for (size_t i = 0; i < v->n; i++)
		first[part_of(v, &v->edges[i])]++;
	for (unsigned node = 0; node < v->nnodes; node++) {
		unsigned here = first[node];

		first[node] = sum;
		sum += here;
	}
	for (size_t i = 0; i < v->n; i++)
		sorted[first[part_of(v, &v->edges[i])]++] = v->edges[i];
	memset(first, 0, v->nnodes * sizeof(*first));
	free(v->edges);
	v->edges = sorted;
}

/* Each part by itself: most are done soon. */
static void fit(struct even *v)
{
	double *counts = fdo_alloc(v->n, sizeof(*counts));
	struct side rows, columns;
	size_t end;

	sort_by_part(v);
	side_init(&rows, v->n);
	side_init(&columns, v->n);
	for (size_t i = 0; i < v->n; i = end) {
		const struct open_edge *part = &v->edges[i];

		for (end = i; end < v->n; end++) {
			if (part_of(v, &v->edges[end]) != part_of(v, part))
				break;
			counts[end - i] = v->edges[end].share;
		}
		set_side(v, part, end - i, true, &rows);
		set_side(v, part, end - i, false, &columns);
		fit_part(v, &rows, &columns, counts, end - i);
		for (size_t k = i; k < end; k++)
			v->edges[k].count = counts[k - i];
	}
	side_deinit(&rows);
	side_deinit(&columns);
	free(counts);
}

static int compare_counts(const void *a, const void *b)
{
	const struct open_edge *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->edge > y->edge) - (x->edge < y->edge);
}

static void find_tree(struct even *v)
{
	qsort(v->edges, v->n, v->n ? sizeof(*v->edges) : 1, compare_counts);
	part_all(v);
	for (size_t i = 0; i < v->n; i++) {
		struct open_edge *edge = &v->edges[i];

		edge->tree = unite(v, edge->row, edge->column);
		if (edge->tree) {
			v->degree[edge->row]++;
			v->degree[edge->column]++;
		} else {
			edge->count = round(edge->count);
			v->margin[edge->row] -= llround(edge->count);
			v->margin[edge->column] -= llround(edge->count);
		}
	}
}

/* The end of a tree's edge whose only edge it is, or the number of nodes. */
static unsigned leaf_of(const struct even *v, const struct open_edge *edge)
{
	if (v->degree[edge->row] == 1)
		return edge->row;
	return v->degree[edge->column] == 1 ? edge->column : v->nnodes;
}

/* From the leaves inwards: what the margin leaves is the edge's. */
static void settle_tree(struct even *v)
{
	memset(v->circles, 0, v->nnodes * sizeof(*v->circles));
	for (bool found = true; found;) {
		found = false;
		/* The least first: they are mostly the leaves. */
		for (size_t i = v->n; i-- > 0;) {
			struct open_edge *edge = &v->edges[i];
			unsigned leaf =
				edge->tree ? leaf_of(v, edge) : v->nnodes;
			int64_t count;

			if (leaf == v->nnodes)
				continue;
			count = v->margin[leaf];
			v->margin[edge->row] -= count;
			v->margin[edge->column] -= count;
			v->degree[edge->row]--;
			v->degree[edge->column]--;
			edge->tree = false;
			edge->count = count;
			v->circles[find(v, leaf)] |= count < 0;
			found = true;
		}
	}
}

void flow_even(struct flow_graph *g)
{
	struct even v = { .g = g, .nnodes = 2 * (g->nblocks + 1) };

	v.edges = fdo_alloc(g->nedges, sizeof(*v.edges));
	v.parent = fdo_alloc(v.nnodes, sizeof(*v.parent));
	v.degree = fdo_alloc(v.nnodes, sizeof(*v.degree));
	v.margin = fdo_alloc(v.nnodes, sizeof(*v.margin));
	v.sum = fdo_alloc(v.nnodes, sizeof(*v.sum));
	v.circles = fdo_alloc(v.nnodes, sizeof(*v.circles));
	find_edges(&v);
	keep_open(&v);
	if (v.n) {
		fit(&v);
		find_tree(&v);
		settle_tree(&v);
	}
	for (size_t i = 0; i < v.n; i++)
		if (!v.circles[find(&v, v.edges[i].row)])
			g->edges[v.edges[i].edge].count =
				llround(v.edges[i].count);
	free(v.edges);
	free(v.parent);
	free(v.degree);
	free(v.margin);
	free(v.sum);
	free(v.circles);
}
