/*
 * span.c - a market for calls.
 *
 * Each graph h has a price m(h) for an entry: whoever enters it pays that, and
 * a block that calls it earns it, or the other way round if m < 0.  At given
 * prices the graphs have nothing to do with each other, and the sum of their
 * cheapest costs is below the cost of any solution (the dual of the linear
 * program); so each set of prices gives a bound.  m(h) is at most what it
 * costs to leave an entry unexplained, and at least minus the dearest call's
 * price; a call's own price limits what its block pays.
 *
 * The right prices make entries and calls agree.  They are found by the method
 * of multipliers (Hestenes; Powell): while a graph is solved, the price moves
 * with the difference R between the entries and the calls,
 *
 *	m(h) + slope(h) * R(h),
 *
 * which makes curves of what would be jumps from one count to another; after
 * a sweep m(h) becomes what it has moved to.  Graphs take turns, and each
 * sees what those before it have decided.  Where a graph holds several calls
 * of the same one, each of the n moves as if the others did as it does: R +
 * n * (its own change).  The true cost of changing all of them is no more than
 * the mean of that (Jensen).  A curve is a few segments around the count that
 * there is, narrower from round to round.
 *
 * What that leaves nearly agreed is then made to agree: each graph in turn is
 * solved at the true cost of the differences, the others held fast.  With
 * Jensen's bound again, no such step makes the whole dearer.
 */
#include "mcf/span.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/span_private.h"

enum {
	ROUNDS = 8,	 /* at most; each ends with a bound and a solution */
	SWEEPS = 8,	 /* at most in a round, to find prices */
	SWEEPS_ONCE = 3, /* likewise, if it is the only one */
	FEW = 1000,	 /* graphs solved, which take no time to speak of */
};

/*
 * By how much of its range of prices a graph's moves, if nothing is called
 * that is entered.
 */
#define STIFFNESS .7

/*
 * A change of prices by less of their range, or by less than this part of the
 * gap, is not worth solving for.
 */
#define IDLE	    1e-3
#define IDLE_OF_GAP .2

/* The first step of a curve, of the count, in the first round. */
#define WIDTH .01

struct flow_span *flow_span_new(unsigned graphs)
{
	struct flow_span *span = fdo_alloc(1, sizeof(*span));

	span->n = graphs;
	span->graphs = fdo_alloc((size_t)graphs + 1, sizeof(*span->graphs));
	span->graph = flow_new();
	return span;
}

void flow_span_free(struct flow_span *span)
{
	if (!span)
		return;
	flow_free(span->graph);
	free(span->callers);
	free(span->calls);
	free(span->graphs);
	free(span);
}

void flow_span_add_call(struct flow_span *span, unsigned caller, unsigned block,
			unsigned callee, double share, int64_t price)
{
	assert(caller < span->n && callee < span->n);
	assert(0 < share && share <= 1);
	assert(0 < price && price <= FLOW_PRICE_MAX);
	span->calls = fdo_grow(span->calls, span->ncalls, &span->call_room,
			       sizeof(*span->calls));
	span->calls[span->ncalls++] = (struct call){ .caller = caller,
						     .block = block,
						     .callee = callee,
						     .share = share,
						     .price = price };
}

void flow_span_set_unknown(struct flow_span *span, unsigned graph,
			   int64_t price)
{
	assert(graph < span->n);
	assert(0 <= price && price <= FLOW_PRICE_MAX);
	span->graphs[graph].unknown = price;
}

static int order(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_callee(const void *a, const void *b)
{
	const struct call *x = a, *y = b;
	int by = order(x->caller, y->caller);

	by = by ? by : order(x->callee, y->callee);
	by = by ? by : order(x->block, y->block);
	return by ? by : (x->price > y->price) - (x->price < y->price);
}

static int by_block(const void *a, const void *b)
{
	const struct call *x = a, *y = b;
	int by = order(x->caller, y->caller);

	by = by ? by : order(x->block, y->block);
	by = by ? by : order(x->callee, y->callee);
	return by ? by : (x->price > y->price) - (x->price < y->price);
}

/* How many counts of the caller move the difference of one callee. */
static void count_copies(struct flow_span *span)
{
	struct call *calls = span->calls;

	for (size_t i = 0, end; i < span->ncalls; i = end) {
		for (end = i; end < span->ncalls &&
			      calls[end].caller == calls[i].caller &&
			      calls[end].callee == calls[i].callee;)
			end++;
		for (size_t k = i; k < end; k++)
			calls[k].copies =
				end - i + (calls[i].caller == calls[i].callee);
	}
}

static int by_price(const void *a, const void *b, void *calls)
{
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct call *x = (const struct call *)calls + i;
	const struct call *y = (const struct call *)calls + k;
	int by = order(x->callee, y->callee);

	by = by ? by : (x->price > y->price) - (x->price < y->price);
	return by ? by : order(i, k);
}

static void index_calls(struct flow_span *span)
{
	struct graph *graphs = span->graphs;

	if (span->ncalls) {
		qsort(span->calls, span->ncalls, sizeof(*span->calls),
		      by_callee);
		count_copies(span);
		qsort(span->calls, span->ncalls, sizeof(*span->calls),
		      by_block);
	}
	free(span->callers);
	span->callers = fdo_alloc(span->ncalls + 1, sizeof(*span->callers));
	for (uint32_t k = 0; k <= span->n; k++)
		graphs[k].call = graphs[k].caller = 0;
	for (size_t i = 0; i < span->ncalls; i++) {
		span->callers[i] = i;
		graphs[span->calls[i].caller + 1].call++;
		graphs[span->calls[i].callee + 1].caller++;
	}
	for (uint32_t k = 0; k < span->n; k++) {
		graphs[k + 1].call += graphs[k].call;
		graphs[k + 1].caller += graphs[k].caller;
	}
	qsort_r(span->callers, span->ncalls, sizeof(*span->callers), by_price,
		span->calls);
}

/* Between which prices an entry can be. */
static void set_limits(struct flow_span *span)
{
	for (uint32_t k = 0; k < span->n; k++) {
		struct graph *h = &span->graphs[k];
		int64_t down = 0, low = FLOW_PRICE_MAX;

		for (uint32_t i = h->caller; i < h[1].caller; i++) {
			int64_t price = span->calls[span->callers[i]].price;

			low = price < low ? price : low;
			down = price > down ? price : down;
		}
		h->uniform = low >= down;
		h->up = h->unknown < low ? h->unknown : low;
		h->down = down;
		/* An entry that nobody can call costs what it costs. */
		h->price = h->caller == h[1].caller ? h->up : 0;
		h->seen = INFINITY;
	}
}

static void set_executed(struct flow_span *span, struct call *call,
			 int64_t executed)
{
	int64_t before = call->count;

	call->executed = executed;
	call->count = span_calls(call, executed);
	span->graphs[call->callee].called += call->count - before;
}

/* Take over the counts of the graph that was solved, and what they cost. */
static void accept(struct flow_span *span, uint32_t k, unsigned edge,
		   bool costs)
{
	struct graph *h = &span->graphs[k];
	const struct flow_graph *g = span->graph;

	h->now.entries = flow_edge_count(g, edge);
	if (costs)
		h->now.misfit = flow_misfit(g);
	for (uint32_t i = h->call; i < h[1].call; i++)
		set_executed(span, &span->calls[i],
			     flow_block_count(g, span->calls[i].block));
}

static double cost(const struct flow_span *span)
{
	double sum = 0;

	for (uint32_t k = 0; k < span->n; k++)
		sum += span->graphs[k].now.misfit +
		       span_tie(span, &span->graphs[k]);
	return sum;
}

/* Remember at which prices a graph is solved; whether they are others. */
static bool look(struct flow_span *span, uint32_t k)
{
	struct graph *h = &span->graphs[k];
	double price = span_price_at(span, h, 0);
	bool moved = fabs(price - h->seen) > span->idle * (h->up + h->down);

	for (uint32_t i = h->call; i < h[1].call && !moved; i++) {
		const struct graph *callee =
			&span->graphs[span->calls[i].callee];

		moved = fabs(span_price_at(span, callee, 0) -
			     span->calls[i].seen) >
			span->idle * (callee->up + callee->down);
	}
	if (!moved)
		return false;
	h->seen = price;
	for (uint32_t i = h->call; i < h[1].call; i++)
		span->calls[i].seen = span_price_at(
			span, &span->graphs[span->calls[i].callee], 0);
	return true;
}

/* Whether calls or entries of a graph have a difference to settle. */
static bool is_open(const struct flow_span *span, uint32_t k)
{
	const struct graph *h = &span->graphs[k];
	bool open = span_difference(h) != 0;

	for (uint32_t i = h->call; i < h[1].call && !open; i++)
		open = span_difference(&span->graphs[span->calls[i].callee]) !=
		       0;
	return open;
}

/* All graphs that need it, forwards and backwards in turn. */
static bool sweep(struct flow_span *span, enum span_mode mode, bool all,
		  struct flow_span_result *ret, struct fdo_error *err)
{
	bool backwards = ret->sweeps++ & 1;
	unsigned edge;

	for (uint32_t i = 0; i < span->n; i++) {
		uint32_t k = backwards ? span->n - 1 - i : i;

		if (!all &&
		    !(mode == SPAN_MOVING ? look(span, k) : is_open(span, k)))
			continue;
		if (!span_solve(span, k, mode, &edge, err))
			return false;
		accept(span, k, edge, mode != SPAN_MOVING || !span->once);
		ret->solved++;
	}
	return true;
}

/* After the first solutions it is known of what size the counts are. */
static void set_slopes(struct flow_span *span)
{
	for (uint32_t k = 0; k < span->n; k++) {
		struct graph *h = &span->graphs[k];
		double size = fmax(1, fmax(h->now.entries, h->called));

		h->slope = h->caller == h[1].caller
				   ? 0
				   : STIFFNESS * (h->up + h->down) / 2 / size;
	}
}

static bool find_prices(struct flow_span *span, int sweeps,
			struct flow_span_result *ret, struct fdo_error *err)
{
	uint64_t before;

	/* Where there is little to solve, more of them cost nothing. */
	for (int i = 0; i < SWEEPS && (i < sweeps || ret->solved < FEW); i++) {
		before = ret->solved;
		if (!sweep(span, SPAN_MOVING, false, ret, err))
			return false;
		for (uint32_t k = 0; k < span->n; k++)
			span->graphs[k].price =
				span_price_at(span, &span->graphs[k], 0);
		if (ret->solved == before)
			break;
	}
	return true;
}

/* Keep the counts that there are if none were cheaper. */
static void compare(struct flow_span *span, struct flow_span_result *ret)
{
	double now = cost(span);

	if (now >= ret->cost)
		return;
	ret->cost = now;
	for (uint32_t k = 0; k < span->n; k++)
		span->graphs[k].best = span->graphs[k].now;
	for (size_t i = 0; i < span->ncalls; i++)
		span->calls[i].best = span->calls[i].executed;
}

static void go_back(struct flow_span *span)
{
	for (uint32_t k = 0; k < span->n; k++) {
		span->graphs[k].now = span->graphs[k].best;
		span->graphs[k].called = 0;
	}
	for (size_t i = 0; i < span->ncalls; i++) {
		struct call *call = &span->calls[i];

		call->executed = call->best;
		call->count = span_calls(call, call->best);
		span->graphs[call->callee].called += call->count;
	}
}

static bool hand_out(struct flow_span *span, struct fdo_error *err)
{
	unsigned edge;

	for (uint32_t k = 0; k < span->n; k++) {
		edge = span_build(span, k, SPAN_SETTLE);
		if (!flow_solve(span->graph, span->solver, err))
			return false;
		accept(span, k, edge, true);
		span->source->take(span->source->data, k, span->graph);
	}
	return true;
}

/* Each by itself. */
static bool begin(struct flow_span *span, double idle,
		  struct flow_span_result *ret, struct fdo_error *err)
{
	ret->cost = INFINITY;
	if (!sweep(span, SPAN_FREE, true, ret, err))
		return false;
	compare(span, ret);
	for (uint32_t k = 0; k < span->n; k++)
		ret->alone += span->graphs[k].now.misfit;
	ret->apart = ret->cost;
	ret->bound = ret->alone;
	span->width = WIDTH;
	span->idle = idle;
	return true;
}

static bool search(struct flow_span *span, double gap,
		   struct flow_span_result *ret, struct fdo_error *err)
{
	if (!begin(span, fmax(IDLE, IDLE_OF_GAP * gap), ret, err))
		return false;
	for (int i = 0; i < ROUNDS; i++) {
		if (ret->cost - ret->bound <= gap * ret->cost)
			break;
		set_slopes(span);
		if (!find_prices(span, SWEEPS, ret, err) ||
		    !span_bound(span, ret, err) ||
		    !sweep(span, SPAN_SETTLE, false, ret, err))
			return false;
		compare(span, ret);
		span->width /= 2;
	}
	go_back(span);
	return true;
}

/* As a first sweep would; what each would cost by itself is not known. */
static void begin_with_counts(struct flow_span *span, double idle,
			      struct flow_span_result *ret)
{
	const struct flow_span_source *source = span->source;

	for (uint32_t k = 0; k < span->n; k++) {
		struct graph *h = &span->graphs[k];

		h->now.entries = source->count(source->data, k, FLOW_OUTSIDE);
		for (uint32_t i = h->call; i < h[1].call; i++)
			set_executed(span, &span->calls[i],
				     source->count(source->data, k,
						   span->calls[i].block));
	}
	ret->sweeps++;
	span->width = WIDTH;
	span->idle = idle;
}

/* What that leaves nearly agreed is settled as it is handed out. */
static bool search_once(struct flow_span *span, double idle,
			struct flow_span_result *ret, struct fdo_error *err)
{
	if (span->source->count)
		begin_with_counts(span, idle, ret);
	else if (!begin(span, idle, ret, err))
		return false;
	set_slopes(span);
	return find_prices(span, SWEEPS_ONCE, ret, err);
}

static void start(struct flow_span *span, const struct flow_span_source *source,
		  enum mcf_solver solver, struct flow_span_result *ret)
{
	*ret = (struct flow_span_result){ 0 };
	span->source = source;
	span->solver = solver;
	for (size_t i = 0; i < span->ncalls; i++)
		span->calls[i].executed = span->calls[i].count = 0;
	for (uint32_t k = 0; k < span->n; k++)
		span->graphs[k].called = 0;
	index_calls(span);
	set_limits(span);
}

static bool finish(struct flow_span *span, struct flow_span_result *ret,
		   struct fdo_error *err)
{
	if (!hand_out(span, err))
		return false;
	ret->solved += span->n;
	ret->cost = cost(span);
	if (span->ncalls == 0)
		ret->alone = ret->apart = ret->bound = ret->cost;
	return true;
}

/* Without calls, all is said when each is handed out. */
bool flow_span_solve(struct flow_span *span,
		     const struct flow_span_source *source,
		     enum mcf_solver solver, double gap,
		     struct flow_span_result *ret, struct fdo_error *err)
{
	start(span, source, solver, ret);
	span->once = false;
	return (span->ncalls == 0 || search(span, gap, ret, err)) &&
	       finish(span, ret, err);
}

bool flow_span_solve_once(struct flow_span *span,
			  const struct flow_span_source *source,
			  enum mcf_solver solver, double idle,
			  struct flow_span_result *ret, struct fdo_error *err)
{
	start(span, source, solver, ret);
	span->once = true;
	return (span->ncalls == 0 || search_once(span, idle, ret, err)) &&
	       finish(span, ret, err);
}
