/*
 * span_bound.c - what no counts can be cheaper than.
 *
 * The sum of what each graph costs at its cheapest, at one set of prices for
 * entries and calls: whatever counts are taken, what the one graph pays for an
 * entry the other earns by the call, except for the difference, and that costs
 * at least as much as the price of an entry.
 *
 * A graph that earns more by calls than it pays for them would call without
 * end, and the sum says nothing.  Prices that almost agree are such now and
 * then, for graphs that hardly run; those pay less, until it ends.
 */
#include <math.h>

#include "mcf/span_private.h"

/* What is left of a price that pays for calls without end. */
#define THRIFT .8

/* Rounds at most, to find prices at which all is finite. */
enum { HAGGLES = 16 };

/*
 * What a graph costs at its fixed price and those of its callees.  Where it
 * earns more by calls than it pays for them, it calls without end.
 */
static bool find_share(struct flow_span *span, uint32_t k, bool *is_endless,
		       struct fdo_error *err)
{
	struct graph *h = &span->graphs[k];
	const struct flow_graph *g = span->graph;
	unsigned edge;

	if (!span_solve(span, k, SPAN_FIXED, &edge, err))
		return false;
	*is_endless = flow_edge_count(g, edge) >= FLOW_MAX / 2;
	h->share = flow_misfit(g) + h->fixed * flow_edge_count(g, edge);
	for (uint32_t i = h->call; i < h[1].call; i++) {
		const struct call *call = &span->calls[i];
		int64_t count = flow_block_count(g, call->block);

		h->share += span_pays_at_most(
				    call, span->graphs[call->callee].fixed) *
			    count;
		*is_endless |= count >= FLOW_MAX / 2;
	}
	return true;
}

/* Once in each round, and towards 0. */
static void lower_price(struct graph *h)
{
	if (h->changes)
		return;
	h->fixed = trunc(h->fixed * THRIFT);
	h->changes = true;
}

/* Less for the calls and entries of a graph that earns too much by them. */
static void pay_less(struct flow_span *span, uint32_t k)
{
	struct graph *h = &span->graphs[k];

	if (h->fixed < 0)
		lower_price(h);
	for (uint32_t i = h->call; i < h[1].call; i++) {
		struct graph *callee = &span->graphs[span->calls[i].callee];

		if (callee->fixed > 0)
			lower_price(callee);
	}
}

/* Whether a graph's share is not known, at the prices as they changed. */
static bool is_stale(const struct flow_span *span, uint32_t k)
{
	const struct graph *h = &span->graphs[k];
	bool stale = h->changed;

	for (uint32_t i = h->call; i < h[1].call && !stale; i++)
		stale = span->graphs[span->calls[i].callee].changed;
	return stale;
}

/* Shares of all graphs for which the last haggling changed something. */
static bool haggle(struct flow_span *span, bool *agreed,
		   struct flow_span_result *ret, struct fdo_error *err)
{
	bool is_endless;

	*agreed = true;
	for (uint32_t k = 0; k < span->n; k++) {
		if (!is_stale(span, k))
			continue;
		if (!find_share(span, k, &is_endless, err))
			return false;
		ret->solved++;
		if (is_endless)
			pay_less(span, k);
		*agreed &= !is_endless;
	}
	for (uint32_t k = 0; k < span->n; k++) {
		span->graphs[k].changed = span->graphs[k].changes;
		span->graphs[k].changes = false;
	}
	return true;
}

bool span_bound(struct flow_span *span, struct flow_span_result *ret,
		struct fdo_error *err)
{
	bool agreed = false;
	double sum = 0;

	for (uint32_t k = 0; k < span->n; k++) {
		span->graphs[k].fixed = round(span->graphs[k].price);
		span->graphs[k].changed = true;
		span->graphs[k].changes = false;
	}
	for (int i = 0; i < HAGGLES && !agreed; i++)
		if (!haggle(span, &agreed, ret, err))
			return false;
	for (uint32_t k = 0; k < span->n; k++)
		sum += span->graphs[k].share;
	if (agreed)
		ret->bound = fmax(ret->bound, sum);
	return true;
}
