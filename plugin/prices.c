/*
 * prices.c - what it costs not to believe evidence.
 *
 * A block for which n places speak costs PRICE * ln(1.7 + n) for each
 * execution that is added or left out: several that agree weigh more than
 * one, but not as much more.  That a block has no count is worth twice as much:
 * a statement that was moved away leaves a block without one less often than
 * a wrong key brings one in.
 *
 * A program ends once.  The way to a block that no edge leaves is dear, or the
 * counts of an assert() whose place others have go there; but what throws often
 * has places of its own, which are believed.
 *
 * Places of a block that contradict each other were merged with other code,
 * or moved, some of them.  Which ones is told by the blocks around it better
 * than by a majority of two or three.
 */
#include "plugin/prices.h"

#include <math.h>

#include "mcf/smooth.h"
#include "plugin/vote.h"

enum {
	PRICE = 1000,
	PRICE_OF_BOUND = PRICE * 7 / 10,
	PRICE_OF_LEAST = PRICE * 3 / 10,
	PRICE_OF_END = PRICE * 4,
	PRICE_OF_SPARE = PRICE * 8,
	PRICE_OF_ZERO = 2,  /* times as much */
	PRICE_OF_TEST = 8,  /* of a loop, to raise it: part of the price */
	PRICE_OF_ROUND = 2, /* likewise */
	PART_OF_MEDIAN = 2, /* of a price, which the median has by itself */
	MANY_VOTES = FLOW_SEGMENTS - 4,
};

/* The paper's prices, after Levin: what is sampled little is doubtful. */
static void cost_cgo10(struct flow_cost *cost, int64_t count)
{
	int64_t price = (int64_t)(PRICE / log((double)count + 2));

	if (price < 1)
		price = 1;
	flow_cost_linear(cost, count, 3 * price, price);
}

static int64_t price_of(size_t nplaces, int64_t count)
{
	double price = PRICE * log(1.7 + (double)nplaces);

	return (int64_t)(count ? price : PRICE_OF_ZERO * price);
}

static void cost_default(struct flow_cost *cost, int64_t count, size_t nplaces)
{
	int64_t price = price_of(nplaces, count);

	flow_cost_linear(cost, count, price, price);
}

static int64_t count_different(const struct ballot *ballot)
{
	int64_t n = 1;

	for (size_t i = 1; i < ballot->n; i++)
		n += ballot->cast[i].count != ballot->cast[i - 1].count;
	return n;
}

/*
 * Each of n votes pulls with an nth of half of the price, and the median with
 * the other half.  So where votes contradict, what is between them is cheaper,
 * and other blocks decide.  Of very many different votes, some speak for all.
 * A bound speaks as well.  The votes are in order.
 */
static void cost_votes(struct flow_cost *cost, const struct ballot *ballot,
		       int shift)
{
	int64_t n = (int64_t)ballot->n, different = 0;
	int64_t stride = count_different(ballot) / MANY_VOTES + 1;
	int64_t median = counts_scale(ballot->cast[n / 2].count, shift);
	int64_t all = price_of(ballot->n, 1), last = 0, above;

	cost->n = 0;
	for (int64_t i = 0; i < n; i++) {
		int64_t vote = counts_scale(ballot->cast[i].count, shift);
		int64_t own = all * (2 * i - n) / n;
		int64_t agreed = last < median ? -all : all;

		if (vote == last || (different++ % stride && vote != median))
			continue;
		flow_cost_add(cost, vote - last,
			      own + (agreed - own) / PART_OF_MEDIAN);
		last = vote;
	}
	above = price_of(ballot->n, last);
	if (ballot->bounded) {
		int64_t bound = counts_scale(ballot->bound, shift);

		if (bound > last)
			flow_cost_add(cost, bound - last, above);
		above += PRICE_OF_BOUND;
	}
	flow_cost_add(cost, FLOW_MAX, above);
}

static void cost_ballot(struct flow_cost *cost, struct ballot *ballot,
			const struct counts_how *how)
{
	uint64_t count = ballot_count(ballot, how->vote);

	if (how->model == MODEL_CGO10)
		cost_cgo10(cost, counts_scale(count, how->shift));
	else if (how->vote == VOTE_MEDIAN)
		cost_votes(cost, ballot, how->shift);
	else
		cost_default(cost, counts_scale(count, how->shift), ballot->n);
}

void prices_of_loop(struct flow_cost *tests, struct flow_cost *rounds,
		    struct ballot *ballot, const struct counts_how *how)
{
	cost_ballot(tests, ballot, how);
	*rounds = *tests;
	for (unsigned i = 0; i < tests->n; i++) {
		bool raises = tests->price[i] > 0;

		rounds->price[i] =
			raises ? tests->price[i] / PRICE_OF_ROUND : 0;
		if (raises)
			tests->price[i] /= PRICE_OF_TEST;
	}
}

bool prices_of_entry(struct flow_cost *cost, const struct counts_how *how)
{
	if (how->entry == 0)
		return false;
	cost_default(cost, counts_scale(how->entry, how->shift), 1);
	if (how->entry_is_least)
		cost->price[1] = 1;
	return true;
}

void prices_of_bound(struct flow_cost *cost, uint64_t most,
		     const struct counts_how *how)
{
	flow_cost_bound(cost, counts_scale(most, how->shift), PRICE_OF_BOUND);
}

void prices_of_spare(struct flow_cost *cost)
{
	flow_cost_bound(cost, 0, PRICE_OF_SPARE);
}

/* Does the program end in a block, for all that is known? */
static bool is_end(const struct body *body, uint32_t block,
		   const struct ballot *ballot, const struct counts_how *how)
{
	return body->ends && body->ends[block] && ballot->n == 0 &&
	       how->model != MODEL_CGO10;
}

/*
 * What runs each time that the function is entered did not run never: where all
 * code of a place is a copy that never ran, as that of a special case, it says
 * nothing of what has no code of its own elsewhere.  And no less often, where that is
 * known for sure, or where its error is as large as what it lacks.  Where counts are
 * exact, it ran no more often either: then its code was moved into a loop.
 */
static bool is_refuted(struct ballot *ballot, bool always,
		       const struct counts_how *how)
{
	uint64_t count;

	if (!always || !how->entry || how->model == MODEL_CGO10 || !ballot->n)
		return false;
	count = ballot_count(ballot, how->vote);
	if (count == 0 || count >= how->entry)
		return count == 0 ||
		       (how->entry_is_exact && count > how->entry);
	return how->entry_is_sure || how->entry_is_exact ||
	       (!how->entry_is_least &&
		count + ballot_error(ballot, count) >= how->entry);
}

/* What the places of a block say; false: nothing. */
static bool price_code(struct flow_cost *cost, const struct body *body,
		       uint32_t block, struct ballot *ballot, bool always,
		       const struct counts_how *how)
{
	if (is_refuted(ballot, always, how))
		return false;
	if (is_end(body, block, ballot, how))
		flow_cost_linear(cost, 0, PRICE_OF_END, PRICE_OF_END);
	else if (ballot->n)
		cost_ballot(cost, ballot, how);
	else if (ballot->bounded)
		prices_of_bound(cost, ballot->bound, how);
	else
		return false;
	return true;
}

/* With what is marked to begin there, of which marks may be missing. */
bool prices_of_block(struct flow_cost *cost, const struct body *body,
		     uint32_t block, struct ballot *ballot, bool always,
		     const struct counts_how *how)
{
	bool known = price_code(cost, body, block, ballot, always, how);

	if (!ballot->least)
		return known;
	if (!known)
		cost->n = 0;
	flow_cost_least(cost, counts_scale(ballot->least, how->shift),
			PRICE_OF_LEAST);
	return true;
}
