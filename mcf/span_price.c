/*
 * span_price.c - what calls and entries of a graph cost while it is solved.
 *
 * Each becomes a bend of the cost of a block or of an edge: few segments,
 * however many calls a block has.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "mcf/span_private.h"

enum {
	STEPS = 4, /* breakpoints to each side of a curve */
	KINKS = 8, /* calls of a block that settle each by itself */
};

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static double clip(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

/*
 * Calls that cost less than the entries that are lacking do without them, the
 * cheapest first: what they give up is lacking no more.
 */
static double give_up(const struct flow_span *span, const struct graph *h,
		      double over, double price)
{
	for (uint32_t i = h->caller; i < h[1].caller; i++) {
		const struct call *call = &span->calls[span->callers[i]];

		if (price >= -call->price)
			break;
		over += call->count;
		price = h->price + h->slope * over;
		if (price > -call->price)
			return -call->price;
	}
	return price;
}

double span_price_at(const struct flow_span *span, const struct graph *h,
		     double more)
{
	double over = span_difference(h) + more;
	double price = h->price + h->slope * over;

	if (!h->uniform)
		price = give_up(span, h, over, price);
	return clip(price, -h->down, h->up);
}

static double pays(const struct call *call, double price)
{
	return call->share * (price < -call->price ? call->price : -price);
}

/* Prices are whole numbers; a bound may be too low, but not too high. */
double span_pays_at_most(const struct call *call, double price)
{
	return floor(pays(call, price));
}

/* So many calls, or entries, as executions of the block of a call. */
static int64_t executions(const struct call *call, int64_t calls)
{
	return call->share < 1 ? (int64_t)(calls / call->share) : calls;
}

/* A bend as it comes together. */
struct bend {
	unsigned n;
	int64_t end; /* of the last segment */
	int64_t width[FLOW_BENDS], price[FLOW_BENDS];
};

/* A price up to a count. */
static void bend_to(struct bend *bend, int64_t end, double price)
{
	if (end <= bend->end)
		return;
	bend->width[bend->n] = end - bend->end;
	bend->price[bend->n++] = llround(price);
	bend->end = end;
}

/* Where the curve around a count has its breakpoints. */
static unsigned steps(const struct flow_span *span, int64_t count,
		      int64_t other, int64_t at[2 * STEPS])
{
	double unit = most(1, most(count, llabs(other))) * span->width;
	unsigned n = 0;

	for (int i = STEPS - 1; i >= 0; i--)
		at[n++] = most(0, count - llround(ceil(ldexp(unit, 2 * i))));
	for (int i = 0; i < STEPS; i++)
		at[n++] = count + llround(ceil(ldexp(unit, 2 * i)));
	return n;
}

/* In the middle of a segment; the last has no end. */
static double middle(const int64_t *at, unsigned n, unsigned i)
{
	if (i == n)
		return 0x1p80;
	return (at[i] + (i ? (double)at[i - 1] : 0)) / 2;
}

/*
 * By how many executions of a block one of its callees is off, if all calls
 * from there did as this one.
 */
static int64_t nearest(const struct flow_span *span, const struct call *calls,
		       unsigned n)
{
	int64_t near = INT64_MAX, off;

	for (unsigned c = 0; c < n; c++) {
		off = llabs(span_difference(&span->graphs[calls[c].callee]));
		near = least(near,
			     executions(&calls[c], off / calls[c].copies));
	}
	return near;
}

static void curve_calls(const struct flow_span *span, const struct call *calls,
			unsigned n, struct bend *bend)
{
	int64_t count = calls->executed, at[2 * STEPS];
	unsigned end = steps(span, count, nearest(span, calls, n), at);

	for (unsigned i = 0; i <= end; i++) {
		double more = middle(at, end, i) - count, sum = 0;

		for (unsigned c = 0; c < n; c++)
			sum += pays(
				&calls[c],
				span_price_at(span,
					      &span->graphs[calls[c].callee],
					      -more * calls[c].copies *
						      calls[c].share));
		bend_to(bend, i < end ? at[i] : MCF_MAX, sum);
	}
}

static void curve_entries(const struct flow_span *span, const struct graph *h,
			  unsigned copies, struct bend *bend)
{
	int64_t count = h->now.entries, at[2 * STEPS];
	unsigned end = steps(span, count, span_difference(h), at);

	for (unsigned i = 0; i <= end; i++)
		bend_to(bend, i < end ? at[i] : MCF_MAX,
			span_price_at(span, h,
				      (middle(at, end, i) - count) * copies));
}

/* Where the price of a count rises, and by how much. */
struct kinks {
	unsigned n;
	double price; /* before the first */
	int64_t at[FLOW_BENDS];
	double rise[FLOW_BENDS];
};

static void add_kink(struct kinks *kinks, int64_t at, double rise)
{
	unsigned i = kinks->n;

	for (unsigned k = 0; k < kinks->n; k++)
		if (kinks->at[k] == at) {
			kinks->rise[k] += rise;
			return;
		}
	kinks->n++;
	for (; i > 0 && kinks->at[i - 1] > at; i--) {
		kinks->at[i] = kinks->at[i - 1];
		kinks->rise[i] = kinks->rise[i - 1];
	}
	kinks->at[i] = at;
	kinks->rise[i] = rise;
}

static void bend_kinks(const struct kinks *kinks, struct bend *bend)
{
	double price = kinks->price;

	for (unsigned i = 0; i < kinks->n; i++) {
		bend_to(bend, kinks->at[i], price);
		price += kinks->rise[i];
	}
	bend_to(bend, MCF_MAX, price);
}

/*
 * How much of a lack of entries is a call's own, if the cheapest calls lack
 * them, and this one before others of its price.
 */
static int64_t own_lack(const struct flow_span *span, const struct call *call)
{
	const struct graph *h = &span->graphs[call->callee];
	int64_t lack = -span_difference(h);

	for (uint32_t i = h->caller; !h->uniform && i < h[1].caller; i++) {
		const struct call *other = &span->calls[span->callers[i]];

		if (other->price >= call->price)
			break;
		lack -= other->count;
	}
	return most(0, least(lack, call->count));
}

/*
 * One call more costs nothing as long as there are entries without one, and
 * its price when there are none.  One less saves the price while entries lack,
 * and leaves an entry without call when they do not.
 */
static void settle_call(const struct flow_span *span, const struct call *call,
			struct kinks *kinks)
{
	const struct graph *h = &span->graphs[call->callee];
	int64_t over = span_difference(h), n = call->copies;
	int64_t at = call->executed + executions(call, over / n);

	kinks->price -= call->share * h->up;
	if (over >= 0) {
		add_kink(kinks, at, call->share * (h->up + call->price));
		return;
	}
	add_kink(kinks, at, call->share * h->up);
	add_kink(kinks,
		 call->executed - executions(call, own_lack(span, call) / n),
		 call->share * call->price);
}

/* The same, with the price rising where the count is now: no less dear. */
static void settle_at_once(const struct flow_span *span,
			   const struct call *call, struct kinks *kinks)
{
	const struct graph *h = &span->graphs[call->callee];

	kinks->price -= call->share * h->up;
	add_kink(kinks, call->executed, call->share * (h->up + call->price));
}

static void settle_calls(const struct flow_span *span, const struct call *calls,
			 unsigned n, struct bend *bend)
{
	struct kinks kinks = { 0 };

	for (unsigned c = 0; c < n; c++)
		(c < KINKS ? settle_call : settle_at_once)(span, &calls[c],
							   &kinks);
	bend_kinks(&kinks, bend);
}

double span_tie(const struct flow_span *span, const struct graph *h)
{
	int64_t over = span_difference(h), lack = -over;
	double sum = 0;

	if (over >= 0)
		return over * h->up;
	if (h->uniform)
		return lack * h->down;
	for (uint32_t i = h->caller; lack > 0 && i < h[1].caller; i++) {
		const struct call *call = &span->calls[span->callers[i]];

		sum += (double)call->price * least(lack, call->count);
		lack -= least(lack, call->count);
	}
	return sum;
}

static void settle_entries(const struct flow_span *span, const struct graph *h,
			   unsigned copies, struct bend *bend)
{
	int64_t over = span_difference(h);
	struct kinks kinks = { .price = -h->down };
	double mean = h->down;

	if (over < 0) {
		mean = span_tie(span, h) / -over;
		add_kink(&kinks, h->now.entries, h->down - mean);
	}
	add_kink(&kinks, h->now.entries - over / (int64_t)copies, mean + h->up);
	bend_kinks(&kinks, bend);
}

static void price_calls(const struct flow_span *span, const struct call *calls,
			unsigned n, enum span_mode mode, struct bend *bend)
{
	double sum = 0;

	if (mode == SPAN_MOVING) {
		curve_calls(span, calls, n, bend);
	} else if (mode == SPAN_SETTLE) {
		settle_calls(span, calls, n, bend);
	} else {
		for (unsigned c = 0; c < n; c++)
			sum += span_pays_at_most(
				&calls[c], span->graphs[calls[c].callee].fixed);
		bend_to(bend, MCF_MAX, sum);
	}
}

static void price_entries(const struct flow_span *span, const struct graph *h,
			  unsigned copies, enum span_mode mode,
			  struct bend *bend)
{
	if (mode == SPAN_MOVING)
		curve_entries(span, h, copies, bend);
	else if (mode == SPAN_SETTLE)
		settle_entries(span, h, copies, bend);
	else
		bend_to(bend, MCF_MAX, h->fixed);
}

/* Calls of one block, in a row. */
static unsigned calls_of_block(const struct graph *h, const struct call *calls,
			       uint32_t first)
{
	uint32_t end = first;

	while (end < h[1].call && calls[end].block == calls[first].block)
		end++;
	return end - first;
}

unsigned span_build(struct flow_span *span, uint32_t k, enum span_mode mode)
{
	const struct graph *h = &span->graphs[k];
	struct flow_graph *g = span->graph;
	unsigned copies = 1, n, edge;
	struct bend bend;

	flow_reset(g);
	edge = span->source->build(span->source->data, k, g);
	assert(edge < g->nedges && g->edges[edge].from == FLOW_OUTSIDE);
	for (uint32_t i = h->call; mode != SPAN_FREE && i < h[1].call; i += n) {
		const struct call *calls = &span->calls[i];

		n = calls_of_block(h, span->calls, i);
		assert(calls->block < g->nblocks);
		for (unsigned c = 0; c < n; c++)
			if (calls[c].callee == k)
				copies = calls[c].copies;
		bend = (struct bend){ 0 };
		price_calls(span, calls, n, mode, &bend);
		flow_bend(g, &g->blocks[calls->block].bend, bend.n, bend.width,
			  bend.price);
	}
	if (mode != SPAN_FREE) {
		bend = (struct bend){ 0 };
		price_entries(span, h, copies, mode, &bend);
		flow_bend(g, &g->edges[edge].bend, bend.n, bend.width,
			  bend.price);
	}
	return edge;
}

bool span_solve(struct flow_span *span, uint32_t k, enum span_mode mode,
		unsigned *edge_ret, struct fdo_error *err)
{
	*edge_ret = span_build(span, k, mode);
	return flow_solve_costs(span->graph, span->solver, err);
}
