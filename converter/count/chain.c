/*
 * chain.c - states are eliminated one after the other, and found again in the
 * opposite order.
 *
 * As nothing is ever subtracted, loops of any number of rounds come out exact
 * (Grassmann, Taksar and Heyman, "Regenerative analysis and steady state
 * distributions for Markov chains", Operations Research 33(5), 1985).  The one
 * with few ways through it goes first, so that few ways are added.
 *
 * Where thousands of blocks lead anywhere, each way through one that is
 * eliminated is a new one, and what is left is soon as dense as can be: work
 * would grow with the cube of their number.  When all has become too much, those
 * that are left are found by going through them again and again, each time from
 * what came to them the last time (Gauss and Seidel).  What makes that slow is a
 * loop that is hardly ever left; so before each round all are put to a scale
 * where as much leaves as came in.
 */
#include "converter/count/chain.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/graph/cfg.h"

#define NONE UINT32_MAX

/* To note something of those that come to a state is worth it for so many. */
enum { MANY = 8 };

/*
 * So many ways may be looked at until the rest is found by rounds, which may
 * look at as many once more: a second.  A tangle of a thousand blocks does
 * with it, and so does anything of which less is a tangle.
 */
#define WORK_MOST ((uint64_t)1 << 24)

/* Rounds end when nothing changes by more than that part of it. */
static const double least_change = 1e-7;

/* A loop that is never left goes round so often. */
static const double least_leaving = 1e-12;

/* A way from a state to another, in the list of each. */
struct way {
	uint32_t from, to;
	uint32_t next_out, next_in;
	double likely;
};

struct state {
	uint32_t out, in;   /* the first way of each list */
	uint32_t nout, nin; /* ways to and from states that are there yet */
	double entered;
	double leaves; /* for good */
	double moves;  /* at all, when it was eliminated */
	uint32_t way;  /* to the one that ways are added to now, or NONE */
	bool gone;
};

struct chain {
	struct state *states;
	uint32_t nstates;
	struct way *ways;
	size_t nways, room;
	uint64_t work; /* ways that were looked at */
};

static void new_way(struct chain *c, uint32_t from, uint32_t to, double likely)
{
	struct state *s = &c->states[from];

	c->ways = fdo_grow(c->ways, c->nways, &c->room, sizeof(*c->ways));
	c->ways[c->nways] =
		(struct way){ from, to, s->out, c->states[to].in, likely };
	s->out = c->states[to].in = c->nways++;
	s->nout++;
	c->states[to].nin++;
}

/* A way to itself is what the other ways of a state lack to 1. */
static void add_way(struct chain *c, uint32_t from, uint32_t to, double likely)
{
	if (from == to)
		return;
	for (uint32_t w = c->states[from].out; w != NONE;
	     w = c->ways[w].next_out) {
		c->work++;
		if (c->ways[w].to == to) {
			c->ways[w].likely += likely;
			return;
		}
	}
	new_way(c, from, to, likely);
}

static void make_chain(struct chain *c, const struct cfg *cfg,
		       const double *likely, const double *entered)
{
	*c = (struct chain){
		.states = fdo_alloc(cfg->nblocks, sizeof(*c->states)),
		.nstates = cfg->nblocks,
	};
	for (uint32_t b = 0; b < c->nstates; b++)
		c->states[b] = (struct state){ .out = NONE,
					       .in = NONE,
					       .way = NONE,
					       .entered = entered[b],
					       .leaves = 1 };
	for (size_t e = 0; e < cfg->nedges; e++) {
		const struct cfg_edge *edge = &cfg->edges[e];

		c->states[edge->from].leaves -= likely[e];
		if (likely[e] > 0)
			add_way(c, edge->from, edge->to, likely[e]);
	}
}

/* A few of those that come to a state go on to another. */
static void pass_few(struct chain *c, const struct state *s, uint32_t to,
		     double part)
{
	for (uint32_t i = s->in; i != NONE; i = c->ways[i].next_in)
		if (!c->states[c->ways[i].from].gone)
			add_way(c, c->ways[i].from, to,
				c->ways[i].likely * part);
}

/* Likewise many: first, all note which way there they have. */
static void pass_many(struct chain *c, const struct state *s, uint32_t to,
		      double part)
{
	for (uint32_t i = c->states[to].in; i != NONE; i = c->ways[i].next_in)
		c->states[c->ways[i].from].way = i;
	for (uint32_t i = s->in; i != NONE; i = c->ways[i].next_in) {
		uint32_t from = c->ways[i].from, way = c->states[from].way;
		double likely = c->ways[i].likely * part;

		c->work++;
		if (c->states[from].gone || from == to)
			continue;
		if (way != NONE)
			c->ways[way].likely += likely;
		else
			new_way(c, from, to, likely);
	}
	for (uint32_t i = c->states[to].in; i != NONE; i = c->ways[i].next_in) {
		c->work++;
		c->states[c->ways[i].from].way = NONE;
	}
}

/* How much of a state goes to others that are there, or out. */
static void find_moves(const struct chain *c, struct state *s)
{
	s->moves = s->leaves > 0 ? s->leaves : 0;
	for (uint32_t o = s->out; o != NONE; o = c->ways[o].next_out)
		if (!c->states[c->ways[o].to].gone)
			s->moves += c->ways[o].likely;
	if (s->moves < least_leaving)
		s->moves = least_leaving;
}

/* What comes to a state goes at once where it would go from there. */
static void eliminate(struct chain *c, uint32_t number)
{
	struct state *s = &c->states[number];

	s->gone = true;
	find_moves(c, s);
	for (uint32_t o = s->out; o != NONE; o = c->ways[o].next_out) {
		double part = c->ways[o].likely / s->moves;
		uint32_t target = c->ways[o].to;
		struct state *to = &c->states[target];

		if (to->gone)
			continue;
		to->entered += s->entered * part;
		to->nin--;
		(s->nin < MANY ? pass_few : pass_many)(c, s, target, part);
	}
	for (uint32_t i = s->in; i != NONE; i = c->ways[i].next_in) {
		struct state *from = &c->states[c->ways[i].from];

		if (from->gone)
			continue;
		from->nout--;
		if (s->leaves > 0)
			from->leaves +=
				c->ways[i].likely * s->leaves / s->moves;
	}
}

/*
 * Those with few ways through them first, and the order in which it was, as
 * long as that is not too much work.  Returns how many.
 */
static uint32_t eliminate_all(struct chain *c, uint32_t *order)
{
	uint32_t n = 0, before;

	for (uint64_t limit = 1; n < c->nstates; limit *= 2)
		do {
			before = n;
			for (uint32_t i = 0; i < c->nstates; i++) {
				const struct state *s = &c->states[i];

				if (s->gone ||
				    (uint64_t)s->nin * s->nout > limit)
					continue;
				if (c->work > WORK_MOST)
					return n;
				eliminate(c, i);
				order[n++] = i;
			}
		} while (n > before);
	return n;
}

/* Those that are left, and how much they move. */
static uint32_t find_rest(struct chain *c, uint32_t *rest)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nstates; i++) {
		if (c->states[i].gone)
			continue;
		find_moves(c, &c->states[i]);
		rest[n++] = i;
	}
	return n;
}

/* As much leaves as came in. */
static void scale(const struct chain *c, const uint32_t *rest, uint32_t n,
		  double *counts)
{
	double entered = 0, leaves = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct state *s = &c->states[rest[i]];

		entered += s->entered;
		if (s->leaves > 0)
			leaves += counts[rest[i]] * s->leaves;
	}
	if (leaves <= 0 || !isfinite(entered / leaves))
		return;
	for (uint32_t i = 0; i < n; i++)
		counts[rest[i]] *= entered / leaves;
}

/* What comes to a state from others that are left, by their counts so far. */
static double comes_to(struct chain *c, uint32_t number, const double *counts)
{
	const struct state *s = &c->states[number];
	double sum = s->entered;

	for (uint32_t i = s->in; i != NONE; i = c->ways[i].next_in) {
		c->work++;
		if (!c->states[c->ways[i].from].gone)
			sum += counts[c->ways[i].from] * c->ways[i].likely;
	}
	return sum / s->moves;
}

/* The counts of those that are left. */
static void find_by_rounds(struct chain *c, uint32_t *rest, double *counts)
{
	uint32_t n = find_rest(c, rest);
	bool changes = n > 0;

	for (uint32_t i = 0; i < n; i++)
		counts[rest[i]] =
			c->states[rest[i]].entered / c->states[rest[i]].moves;
	for (c->work = 0; changes && c->work < WORK_MOST;) {
		changes = false;
		scale(c, rest, n, counts);
		for (uint32_t i = 0; i < n; i++) {
			double before = counts[rest[i]];
			double now = comes_to(c, rest[i], counts);

			counts[rest[i]] = now;
			changes |= fabs(now - before) > least_change * now;
		}
	}
}

/* Of those that came to it, who were there when it was eliminated. */
static double count_of(const struct chain *c, uint32_t number,
		       const uint32_t *rank, const double *counts)
{
	const struct state *s = &c->states[number];
	double sum = s->entered;

	for (uint32_t i = s->in; i != NONE; i = c->ways[i].next_in)
		if (rank[c->ways[i].from] > rank[number])
			sum += counts[c->ways[i].from] * c->ways[i].likely;
	return sum / s->moves;
}

void chain_solve(const struct cfg *cfg, const double *likely,
		 const double *entered, double *counts_ret)
{
	uint32_t *order = fdo_alloc(cfg->nblocks, sizeof(*order));
	uint32_t *rank = fdo_alloc(cfg->nblocks, sizeof(*rank)), gone;
	struct chain chain;

	make_chain(&chain, cfg, likely, entered);
	gone = eliminate_all(&chain, order);
	find_by_rounds(&chain, order + gone, counts_ret);
	for (uint32_t i = 0; i < chain.nstates; i++)
		rank[order[i]] = i;
	for (uint32_t i = gone; i-- > 0;)
		counts_ret[order[i]] =
			count_of(&chain, order[i], rank, counts_ret);
	free(chain.states);
	free(chain.ways);
	free(rank);
	free(order);
}
