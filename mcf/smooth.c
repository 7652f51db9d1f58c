/*
 * smooth.c - counts as a circulation.
 *
 * Each block becomes two nodes, where control enters it and where control
 * leaves, joined by an arc that has the block's cost; each edge becomes an
 * arc; the outside is one node, from which entries come and to which exits
 * go.  The flow then *is* the profile: what passes between a block's two
 * nodes is its count, what passes along an edge is that edge's.  Measured
 * counts appear as negative prices, so there are no supplies and nothing to
 * translate back, and no flow at all is a solution to begin with.
 *
 * Prices are of three ranks.  What was measured comes first: the caller's
 * prices are multiplied by "measured".  Then the deviation of an edge from
 * its expected share costs "prior" per execution, in the second round.
 * Last, each execution of an edge costs 1: a loop has an edge, so none is
 * free.  As long as the numbers have room, a lower rank cannot buy any part
 * of a higher one: an improvement is a cycle, and passes each arc once.
 */
#include "mcf/smooth.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "mcf/graph.h"
#include "mcf/network.h"

enum { ROUNDS = 8 }; /* of what is carried on: so many blocks, at least */

struct ranks {
	int64_t measured, prior, repair;
};

/* Node 0 is the outside. */
static unsigned enters(unsigned block)
{
	return block == FLOW_OUTSIDE ? 0 : 1 + 2 * block;
}

static unsigned leaves(unsigned block)
{
	return block == FLOW_OUTSIDE ? 0 : 2 + 2 * block;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The price that a measured execution has at its first, if it has one. */
static int64_t first_loss(const struct flow_graph *g,
			  const struct flow_prices *cost, int64_t so_far)
{
	int64_t loss = cost->n ? -g->price[cost->first] : 0;

	return loss > 0 && loss < so_far ? loss : so_far;
}

/*
 * A repair is cheaper than to drop any measured execution for want of it,
 * even one that needs two: the measurement is real, and it is the graph
 * that lacks an edge.  But it is no free way around either.
 */
static int64_t repair_price(const struct flow_graph *g, int64_t measured)
{
	int64_t loss = INT64_MAX;

	for (size_t b = 0; b < g->nblocks; b++)
		loss = first_loss(g, &g->blocks[b].cost, loss);
	for (size_t e = 0; e < g->nedges; e++)
		loss = first_loss(g, &g->edges[e].cost, loss);
	return loss == INT64_MAX ? measured : most(1, loss * measured / 4);
}

static struct ranks ranks_of(const struct flow_graph *g, enum mcf_solver solver)
{
	int64_t arcs = 2 * (int64_t)g->nblocks + 2, price = 1;
	int64_t limit = solver == MCF_GLPK
				? INT_MAX / 2
				: least(MCF_COST_MAX / 2,
					MCF_PRICE_ROOM / 2 / (arcs + 2));
	struct ranks ranks;

	for (size_t i = 0; i < g->nprices; i++)
		price = most(price, llabs(g->price[i]));
	price += g->bend_max;
	ranks.measured = most(2, least(limit / price, arcs * arcs));
	ranks.prior = most(1, least(arcs, ranks.measured / arcs));
	if (ranks.measured < arcs * arcs)
		ranks.prior = most(1, least(arcs, ranks.measured / 16));
	ranks.repair = repair_price(g, ranks.measured);
	return ranks;
}

/* A cost under construction: room for the caller's, a bend and a prior. */
struct curve {
	unsigned n;
	int64_t width[FLOW_SEGMENTS + FLOW_BENDS + 2];
	int64_t price[FLOW_SEGMENTS + FLOW_BENDS + 2];
};

static void curve_add(struct curve *c, int64_t width, int64_t price)
{
	if (width == 0)
		return;
	c->width[c->n] = width;
	c->price[c->n++] = price;
}

/* Add the prices of a bend. */
static void curve_bend(struct curve *c, const struct flow_graph *g,
		       const struct flow_prices *bend,
		       const struct ranks *ranks)
{
	const int64_t *width = g->width + bend->first;
	const int64_t *price = g->price + bend->first;
	struct curve plain = *c;
	int64_t before = 0, after = 0; /* what of a segment is done */

	c->n = 0;
	for (unsigned i = 0, k = 0; i < plain.n && k < bend->n;) {
		int64_t part = least(plain.width[i] - before, width[k] - after);

		curve_add(c, part, plain.price[i] + price[k] * ranks->measured);
		before += part;
		after += part;
		if (before == plain.width[i]) {
			before = 0;
			i++;
		}
		if (after == width[k]) {
			after = 0;
			k++;
		}
	}
}

static void curve_begin(struct curve *c, const struct flow_graph *g,
			const struct flow_prices *cost,
			const struct flow_prices *bend,
			const struct ranks *ranks, int64_t extra)
{
	const int64_t *width = g->width + cost->first;
	const int64_t *price = g->price + cost->first;
	int64_t measured = ranks->measured;
	unsigned n = cost->n;

	for (unsigned i = 0; i < n; i++) {
		c->width[i] = width[i];
		c->price[i] = price[i] * measured + extra;
	}
	c->n = n;
	if (n == 0)
		curve_add(c, MCF_MAX, extra);
	if (bend->n)
		curve_bend(c, g, bend, ranks);
}

/* Draw it to a target: cheaper below, dearer above. */
static void curve_draw(struct curve *c, int64_t target, int64_t price)
{
	struct curve plain = *c;

	c->n = 0;
	for (unsigned i = 0; i < plain.n; i++) {
		int64_t before = least(target, plain.width[i]);

		curve_add(c, before, plain.price[i] - price);
		curve_add(c, plain.width[i] - before, plain.price[i] + price);
		target -= before;
	}
}

/* Whether the edge is one of several ways to go on from a block. */
static bool is_branch(const struct flow_graph *g, unsigned e)
{
	unsigned from = g->edges[e].from;

	return from != FLOW_OUTSIDE && e < g->nedges &&
	       g->out.start[from + 1] - g->out.start[from] > 1;
}

static void edge_curve(const struct flow_graph *g, unsigned e,
		       const struct ranks *ranks, struct curve *c)
{
	const struct flow_edge *edge = &g->edges[e];

	curve_begin(c, g, &edge->cost, &edge->bend, ranks,
		    e < g->nedges ? 1 : ranks->repair);
}

/* Arcs are numbered as they are added: the blocks, then the edges. */
static void add_all(struct flow_graph *g, const struct ranks *ranks)
{
	struct curve c;

	mcf_reset(g->net, 1 + 2 * g->nblocks);
	for (unsigned b = 0; b < g->nblocks; b++) {
		curve_begin(&c, g, &g->blocks[b].cost, &g->blocks[b].bend,
			    ranks, 0);
		mcf_add_convex(g->net, enters(b), leaves(b), c.n, c.width,
			       c.price);
	}
	for (unsigned e = 0; e < g->nall; e++) {
		edge_curve(g, e, ranks, &c);
		mcf_add_convex(g->net, leaves(g->edges[e].from),
			       enters(g->edges[e].to), c.n, c.width, c.price);
	}
}

/* How much a block may have for nothing. */
static int64_t for_nothing(const struct flow_graph *g, unsigned b)
{
	const struct flow_prices *cost = &g->blocks[b].cost;

	if (g->blocks[b].bend.n)
		return 0;
	if (cost->n == 0)
		return FLOW_MAX;
	return g->price[cost->first] == 0 ? g->width[cost->first] : 0;
}

/* What should come to a block, by what the blocks before it carry. */
static double comes_to(const struct flow_graph *g, unsigned b)
{
	double sum = 0;

	for (unsigned i = g->in.start[b]; i < g->in.start[b + 1]; i++) {
		unsigned e = g->in.edge[i];

		if (e < g->nedges && g->edges[e].from != FLOW_OUTSIDE)
			sum += g->share[e] * g->carried[g->edges[e].from];
	}
	return fmin(sum, (double)for_nothing(g, b));
}

/*
 * What the blocks have; and where the first round saw no reason to lead anything,
 * what should have come there.  Without it, of branches behind each other of which
 * nothing is known all but the first would go the shortest way.
 */
static void carry(struct flow_graph *g)
{
	bool more = true;

	g->carried = flow_room(g->carried, g->nblocks, &g->carried_room,
			       sizeof(*g->carried));
	for (unsigned b = 0; b < g->nblocks; b++)
		g->carried[b] = (double)g->blocks[b].count;
	for (unsigned round = 0; more && round < ROUNDS; round++) {
		more = false;
		for (unsigned b = 0; b < g->nblocks; b++) {
			double before = g->carried[b];

			if (g->blocks[b].count || !for_nothing(g, b))
				continue;
			g->carried[b] = comes_to(g, b);
			more |= g->carried[b] > before;
		}
	}
}

/* What an edge is expected to carry; that a block repeats only if said. */
static int64_t expected(const struct flow_graph *g, unsigned e)
{
	const struct flow_edge *edge = &g->edges[e];

	if (edge->prior < 0 && edge->from == edge->to)
		return 0;
	return llround(g->share[e] * g->carried[edge->from]);
}

/* Draw each edge of a branch to its share of what the block has now. */
static void draw_edges(struct flow_graph *g, const struct ranks *ranks)
{
	struct curve c;

	flow_shares(g);
	carry(g);
	for (unsigned e = 0; e < g->nedges; e++) {
		if (!is_branch(g, e))
			continue;
		edge_curve(g, e, ranks, &c);
		curve_draw(&c, expected(g, e), ranks->prior);
		mcf_set_convex(g->net, g->nblocks + e, c.n, c.width, c.price);
	}
}

/* Where no execution earns anything, all counts are 0: edges cost. */
static bool earns(const struct flow_graph *g)
{
	for (size_t i = 0; i < g->nprices; i++)
		if (g->price[i] < 0)
			return true;
	return false;
}

static void set_nothing(struct flow_graph *g)
{
	for (size_t b = 0; b < g->nblocks; b++)
		g->blocks[b].count = 0;
	for (size_t e = 0; e < g->nall; e++)
		g->edges[e].count = 0;
	g->solved = true;
}

static bool solve(struct flow_graph *g, enum mcf_solver solver,
		  struct fdo_error *err)
{
	if (!mcf_solve(g->net, solver, err))
		return false;
	for (unsigned b = 0; b < g->nblocks; b++)
		g->blocks[b].count = mcf_flow(g->net, b);
	for (unsigned e = 0; e < g->nall; e++)
		g->edges[e].count = mcf_flow(g->net, g->nblocks + e);
	return true;
}

/*
 * Whether costs may leave it open how a block's count goes on: a prior says
 * that it matters, and an unknown block or one with the same price over a
 * wide range that it is likely.
 */
static bool needs_second(const struct flow_graph *g)
{
	bool has_branch = false, has_open = g->has_prior;

	for (unsigned b = 0; b < g->nblocks; b++) {
		has_open |= g->blocks[b].cost.n <= 3;
		has_branch |= g->out.start[b + 1] - g->out.start[b] > 1;
	}
	return has_branch && has_open;
}

static struct ranks lay_out(struct flow_graph *g, enum mcf_solver solver)
{
	struct ranks ranks;

	g->solved = g->has_shares = false;
	g->nall = g->nedges;
	flow_link(g);
	flow_repair(g);
	if (g->nall > g->nedges)
		flow_link(g);
	ranks = ranks_of(g, solver);
	g->repair_price = (double)ranks.repair / ranks.measured;
	return ranks;
}

void flow_lay_out(struct flow_graph *g, enum mcf_solver solver)
{
	struct ranks ranks = lay_out(g, solver);

	add_all(g, &ranks);
}

static bool solve_costs(struct flow_graph *g, const struct ranks *ranks,
			enum mcf_solver solver, struct fdo_error *err)
{
	if (!earns(g)) {
		set_nothing(g);
		return true;
	}
	add_all(g, ranks);
	g->solved = solve(g, solver, err);
	return g->solved;
}

bool flow_solve_costs(struct flow_graph *g, enum mcf_solver solver,
		      struct fdo_error *err)
{
	struct ranks ranks = lay_out(g, solver);

	return solve_costs(g, &ranks, solver, err);
}

bool flow_solve(struct flow_graph *g, enum mcf_solver solver,
		struct fdo_error *err)
{
	struct ranks ranks = lay_out(g, solver);

	if (!solve_costs(g, &ranks, solver, err))
		return false;
	if (!earns(g) || !needs_second(g))
		return true;
	draw_edges(g, &ranks);
	g->solved = solve(g, solver, err);
	return g->solved;
}

/* What a count costs more than the count that is cheapest. */
static double misfit(const struct flow_graph *g, const struct flow_prices *cost,
		     int64_t count)
{
	double sum = 0;

	for (unsigned i = 0; i < cost->n; i++) {
		int64_t price = g->price[cost->first + i];
		int64_t width = g->width[cost->first + i];
		int64_t part = least(count, width);

		sum += (double)price * (price < 0 ? part - width : part);
		count -= part;
	}
	return sum;
}

double flow_misfit(const struct flow_graph *g)
{
	double sum = g->repair_price * flow_repairs(g);

	for (size_t b = 0; b < g->nblocks; b++)
		sum += misfit(g, &g->blocks[b].cost, g->blocks[b].count);
	for (size_t e = 0; e < g->nedges; e++)
		sum += misfit(g, &g->edges[e].cost, g->edges[e].count);
	return sum;
}
