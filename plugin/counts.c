/*
 * counts.c - evidence made consistent, by a flow.
 *
 * Where nothing speaks, the compiler's own probabilities decide.
 */
#include "plugin/counts.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/smooth.h"
#include "plugin/prices.h"
#include "plugin/vote.h"

enum { LOG_MAX_COUNT = 30 };

/* Of the samples that have to be missing, if it is known what one stands for. */
#define PART_TO_MISS 3

/* Sums over many copies may exceed the largest count of one block. */
#define SCALED_MAX (FLOW_MAX / 16)

int counts_shift(uint64_t max_count)
{
	int bits = 0;

	while (bits < 64 && max_count >> bits)
		bits++;
	return bits ? LOG_MAX_COUNT - bits : 0;
}

int64_t counts_scale(uint64_t count, int shift)
{
	uint64_t scaled;

	if (count == 0)
		return 0;
	if (shift >= 0)
		scaled = count > (uint64_t)SCALED_MAX >> shift
				 ? (uint64_t)SCALED_MAX
				 : count << shift;
	else
		scaled = count >> -shift;
	if (scaled == 0)
		return 1;
	return scaled > (uint64_t)SCALED_MAX ? SCALED_MAX : (int64_t)scaled;
}

uint64_t counts_unscale(int64_t count, int shift)
{
	double plain = ldexp((double)count, -shift);

	if (count == 0)
		return 0;
	return plain < 1 ? 1 : (uint64_t)(plain + 0.5);
}

static bool is_decided(const struct body *body, uint32_t link)
{
	return body->decides && body->decides[link] != link;
}

/* Blocks with a test that some ways to it decide. */
static bool *find_passed_by(const struct body *body)
{
	bool *passed_by = fdo_alloc(body->nblocks, sizeof(*passed_by));

	for (uint32_t l = 0; l < body->nlinks; l++)
		if (is_decided(body, l))
			passed_by[body->links[l].to] = true;
	return passed_by;
}

static unsigned add_block(struct flow_graph *g, const struct body *body,
			  uint32_t like)
{
	unsigned block = flow_add_block(g);

	if (body->sizes)
		flow_set_block_size(g, block, body->sizes[like]);
	return block;
}

/*
 * How sure it is that a block would have been seen.  The error of a count of 0
 * is what one sample stands for, of all code that runs as often and by how long
 * that takes, or less where branches were recorded.
 */
static void see_size(struct flow_graph *g, unsigned block,
		     const struct ballot *ballot, const struct counts_how *how)
{
	uint64_t error = ballot_error(ballot, 0);

	if (error && how->sample)
		flow_set_block_size(g, block,
				    PART_TO_MISS * (double)how->sample /
					    (double)error);
}

/* The blocks that run as often as the function is entered, whatever it does. */
static bool *find_always(const struct body *body)
{
	uint32_t n = body->nlinks, entry = body->nblocks;
	struct flow_link *links = fdo_alloc(n + 1, sizeof(*links));
	uint32_t *class = fdo_alloc(entry + 1, sizeof(*class));
	bool *always = fdo_alloc(body->nblocks, sizeof(*always));

	/* What enters passes a block of its own. */
	for (uint32_t l = 0; l < body->nlinks; l++) {
		links[l] = body->links[l];
		if (links[l].from != FLOW_OUTSIDE)
			continue;
		if (n == body->nlinks)
			links[n++] = (struct flow_link){ FLOW_OUTSIDE, entry };
		links[l].from = entry;
	}
	flow_classes(entry + 1, links, n, class);
	for (uint32_t b = 0; b < body->nblocks; b++)
		always[b] = class[b] == class[entry];
	free(class);
	free(links);
	return always;
}

static void add_blocks(struct flow_graph *g, const struct body *body,
		       struct evidence *evidence, const struct counts_how *how)
{
	bool *passed_by = find_passed_by(body);
	bool *always = find_always(body);

	for (uint32_t b = 0; b < body->nblocks; b++) {
		struct ballot *ballot = evidence_ballot(evidence, b);
		struct flow_cost cost;

		see_size(g, add_block(g, body, b), ballot, how);
		if (!passed_by[b] &&
		    prices_of_block(&cost, body, b, ballot, always[b], how))
			flow_set_block_cost(g, b, &cost);
	}
	free(always);
	free(passed_by);
}

/*
 * A link to a test that it decides goes to a block of its own, from which it
 * goes on in the one way that there is: of each link that leaves such a test
 * this block, or 0.  What does not decide goes to the test itself, whose count
 * in the profile is of both, or, where jumps to it were threaded, of one: it
 * is no evidence for either.
 */
static unsigned *add_bypasses(struct flow_graph *g, const struct body *body)
{
	unsigned *bypass = fdo_alloc(body->nlinks, sizeof(*bypass));

	for (uint32_t l = 0; l < body->nlinks; l++) {
		uint32_t next;

		if (!is_decided(body, l))
			continue;
		next = body->decides[l];
		if (!bypass[next])
			bypass[next] =
				add_block(g, body, body->links[next].from);
	}
	return bypass;
}

static void loosen(struct flow_graph *g, uint32_t test, unsigned again,
		   struct ballot *ballot, const struct counts_how *how)
{
	struct flow_cost tests, rounds;

	if (!ballot->n || how->model == MODEL_CGO10 ||
	    ballot_count(ballot, how->vote) == 0)
		return;
	prices_of_loop(&tests, &rounds, ballot, how);
	flow_set_block_cost(g, test, &tests);
	flow_set_block_cost(g, again, &rounds);
}

/* A block for going round, before each such test; then, the edge to it. */
static unsigned *add_agains(struct flow_graph *g, const struct body *body,
			    struct evidence *evidence,
			    const struct counts_how *how)
{
	unsigned *again = fdo_alloc(body->nblocks, sizeof(*again));

	for (uint32_t l = 0; l < body->nlinks; l++) {
		uint32_t test = body->links[l].to;

		if (!body->again[l] || again[test])
			continue;
		again[test] = flow_add_block(g);
		loosen(g, test, again[test], evidence_ballot(evidence, test),
		       how);
	}
	return again;
}

static void price_entry(struct flow_graph *g, unsigned edge,
			const struct counts_how *how)
{
	struct flow_cost cost;

	if (prices_of_entry(&cost, how))
		flow_set_edge_cost(g, edge, &cost);
}

/* The blocks that are none of the body's; each 0: none. */
struct added {
	unsigned *again;  /* of each test: for going round; then its edge */
	unsigned *bypass; /* of each link: of what is certain to take it */
	unsigned *spare; /* of each link: an edge to the test that it decides */
};

/* The block in which the loop of a test goes on. */
static uint32_t next_in_loop(const struct body *body, uint32_t test)
{
	for (uint32_t l = 0; l < body->nlinks; l++)
		if (body->links[l].from == test && !body->leaves[l])
			return body->links[l].to;
	return FLOW_OUTSIDE;
}

/*
 * What enters a loop whose test holds at first goes round it: no more often than
 * its code ran, where nothing else says how often.
 */
static void price_first_round(struct flow_graph *g, const struct body *body,
			      struct evidence *evidence, uint32_t link,
			      unsigned edge, const struct counts_how *how)
{
	uint32_t test = body->links[link].to, next;
	struct flow_cost cost;
	struct ballot *ballot;

	if (test == FLOW_OUTSIDE || body->again[link] || !body->passed[test] ||
	    how->model == MODEL_CGO10)
		return;
	next = next_in_loop(body, test);
	if (next == FLOW_OUTSIDE)
		return;
	ballot = evidence_ballot(evidence, next);
	if (!ballot->n)
		return;
	prices_of_bound(&cost, ballot_count(ballot, how->vote), how);
	flow_set_edge_cost(g, edge, &cost);
}

static uint32_t goes_to(const struct body *body, const struct added *added,
			uint32_t link)
{
	uint32_t to = body->links[link].to;

	if (is_decided(body, link))
		return added->bypass[body->decides[link]];
	return body->again[link] ? added->again[to] : to;
}

/*
 * A test to which no other way leads than such that decide it: executions would
 * arrive there from nowhere.  So one of these ways leads to it, too, and is
 * dear.
 */
static unsigned *add_spares(struct flow_graph *g, const struct body *body)
{
	unsigned *spare = fdo_alloc(body->nlinks, sizeof(*spare));
	bool *reached = fdo_alloc(body->nblocks, sizeof(*reached));
	struct flow_cost cost;

	prices_of_spare(&cost);
	for (uint32_t l = 0; l < body->nlinks; l++)
		if (!is_decided(body, l) && body->links[l].to != FLOW_OUTSIDE)
			reached[body->links[l].to] = true;
	for (uint32_t l = 0; l < body->nlinks; l++) {
		const struct flow_link *link = &body->links[l];

		if (!is_decided(body, l) || reached[link->to])
			continue;
		reached[link->to] = true;
		spare[l] = flow_add_edge(g, link->from, link->to);
		flow_set_edge_cost(g, spare[l], &cost);
		flow_set_edge_prior(g, spare[l], 0);
	}
	free(reached);
	return spare;
}

static void add_links(struct flow_graph *g, const struct body *body,
		      struct evidence *evidence, struct added *added,
		      const struct counts_how *how)
{
	for (uint32_t l = 0; l < body->nlinks; l++) {
		const struct flow_link *link = &body->links[l];
		unsigned edge =
			flow_add_edge(g, link->from, goes_to(body, added, l));

		if (link->from == FLOW_OUTSIDE) {
			price_entry(g, edge, how);
			continue;
		}
		flow_set_edge_prior(g, edge, body->shares[l]);
		price_first_round(g, body, evidence, l, edge, how);
	}
	for (uint32_t l = 0; l < body->nlinks; l++)
		if (added->bypass[l])
			flow_add_edge(g, added->bypass[l],
				      goes_to(body, added, l));
	added->spare = add_spares(g, body);
	for (uint32_t b = 0; b < body->nblocks; b++)
		if (added->again[b])
			added->again[b] = flow_add_edge(g, added->again[b], b);
}

/* Of each block, what goes from such a test out of the loop. */
static int64_t *count_leaving(const struct flow_graph *g,
			      const struct body *body)
{
	int64_t *leaving = fdo_alloc(body->nblocks, sizeof(*leaving));

	for (uint32_t l = 0; l < body->nlinks; l++)
		if (body->leaves[l])
			leaving[body->links[l].from] += flow_edge_count(g, l);
	return leaving;
}

/* Loops within others that are gone round together. */
enum { NESTED_MOST = 16 };

/* The ways around a loop may leave another one, behind its test. */
static bool go_round_each(struct flow_graph *g, const struct body *body,
			  const unsigned *again)
{
	int64_t *leaving = count_leaving(g, body);
	bool any = false;

	for (uint32_t b = 0; b < body->nblocks; b++) {
		int64_t rounds;

		if (!again[b] || !body->passed[b])
			continue;
		rounds = flow_edge_count(g, again[b]);
		if (rounds >= leaving[b])
			continue;
		flow_round(g, again[b], leaving[b] - rounds);
		any = true;
	}
	free(leaving);
	return any;
}

/*
 * A loop whose test holds at first: the test can only fail after a round.
 * GCC knows as well, and what comes behind the loop would be cold without a
 * count of that.
 */
static void go_round(struct flow_graph *g, const struct body *body,
		     const unsigned *again)
{
	for (int i = 0; i < NESTED_MOST && go_round_each(g, body, again); i++)
		;
}

static struct counts *read_counts(const struct flow_graph *g,
				  const struct body *body,
				  const struct added *added)
{
	struct counts *c = fdo_alloc(1, sizeof(*c));

	c->block = fdo_alloc(body->nblocks, sizeof(*c->block));
	c->link = fdo_alloc(body->nlinks, sizeof(*c->link));
	for (uint32_t b = 0; b < body->nblocks; b++)
		c->block[b] = flow_block_count(g, b);
	for (uint32_t l = 0; l < body->nlinks; l++) {
		c->link[l] = flow_edge_count(g, l);
		if (added->spare[l])
			c->link[l] += flow_edge_count(g, added->spare[l]);
		if (added->bypass[l]) {
			int64_t count = flow_block_count(g, added->bypass[l]);

			c->link[l] += count;
			c->block[body->links[l].from] += count;
		}
		if (body->links[l].from == FLOW_OUTSIDE)
			c->entered += c->link[l];
	}
	return c;
}

static bool is_called(const struct flow_graph *g, const struct counts_how *how,
		      uint32_t callee)
{
	for (size_t i = 0; i < how->ncalls; i++)
		if (how->calls[i].callee == callee &&
		    flow_block_count(g, how->calls[i].block) > 0)
			return true;
	return false;
}

/*
 * What called a function that ran did run.  Few samples are no reason to
 * doubt it, but one of how often.
 */
static void call(struct flow_graph *g, const struct counts_how *how,
		 int64_t amount)
{
	for (size_t i = 0; i < how->ncalls; i++) {
		const struct counts_call *c = &how->calls[i];

		if (c->is_likeliest && !is_called(g, how, c->callee))
			flow_pass(g, c->block,
				  how->sample && amount < c->entered
					  ? amount
					  : c->entered);
	}
}

struct counts *counts_new(const struct body *body, struct evidence *evidence,
			  const struct counts_how *how, struct fdo_error *err)
{
	struct flow_graph *g = flow_new();
	struct counts *c = NULL;
	struct added added;

	add_blocks(g, body, evidence, how);
	added.again = add_agains(g, body, evidence, how);
	added.bypass = add_bypasses(g, body);
	add_links(g, body, evidence, &added, how);
	if (flow_solve(g, MCF_SIMPLEX, err)) {
		int64_t sample = counts_scale(how->sample, how->shift);

		call(g, how, sample > 2 ? sample / 2 : 1);
		flow_connect(g, sample > 2 ? sample / 2 : 1);
		go_round(g, body, added.again);
		if (how->sample) {
			flow_doubt(g, sample);
			go_round(g, body, added.again);
		}
		c = read_counts(g, body, &added);
	}
	free(added.again);
	free(added.bypass);
	free(added.spare);
	flow_free(g);
	return c;
}

void counts_free(struct counts *c)
{
	if (!c)
		return;
	free(c->block);
	free(c->link);
	free(c);
}
