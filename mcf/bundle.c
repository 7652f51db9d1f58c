/*
 * bundle.c - sums of convex costs.
 *
 * In a row, the flow is the same and prices add up: the breakpoints of both
 * are breakpoints of the result.  Side by side, flows add up, and each unit
 * goes where it is cheaper: the segments of both, in order of their prices.
 * Both are one walk along two lists.
 */
#include "mcf/bundle.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define WIDTH_MAX    ((int64_t)1 << 58)
#define SEGMENTS_MAX ((size_t)INT32_MAX)

/* A bundle's segments from its lowest flow up, or from its highest down. */
struct walk {
	const struct mcf_segment *at;
	int step, sign;
	unsigned left; /* segments, with this one */
	int64_t shift;
	int64_t width, price; /* of this one */
};

static void look(struct walk *w)
{
	w->width = w->at->width;
	w->price = w->sign * w->at->price + w->shift;
}

static struct walk walk(const struct bundle_pool *pool, const struct bundle *b,
			bool turned)
{
	bool back = b->backward != turned;
	struct walk w = {
		.at = pool->segments + b->first + (back ? b->n - 1 : 0),
		.step = back ? -1 : 1,
		.sign = back ? -1 : 1,
		.left = b->n,
		.shift = turned ? -b->shift : b->shift,
	};

	if (w.left)
		look(&w);
	return w;
}

static void next(struct walk *w)
{
	if (--w->left == 0)
		return;
	w->at += w->step;
	look(w);
}

static int64_t low_of(const struct bundle *b, bool turned)
{
	return turned ? -b->high : b->low;
}

static int64_t high_of(const struct bundle *b, bool turned)
{
	return turned ? -b->low : b->high;
}

static bool make_room(struct bundle_pool *pool, size_t n)
{
	if (pool->n + n > SEGMENTS_MAX)
		return false;
	if (pool->n + n > pool->room) {
		pool->room = (pool->n + n) * 5 / 4;
		pool->segments = fdo_resize(pool->segments, pool->room,
					    sizeof(*pool->segments));
	}
	return true;
}

static struct mcf_segment *put(struct mcf_segment *end,
			       const struct mcf_segment *begin, int64_t width,
			       int64_t price)
{
	if (end > begin && end[-1].price == price) {
		end[-1].width += width;
		return end;
	}
	*end = (struct mcf_segment){ width, price };
	return end + 1;
}

static void skip(struct walk *w, int64_t amount)
{
	while (amount > 0 && amount >= w->width) {
		amount -= w->width;
		next(w);
	}
	w->width -= amount;
}

/* A part that only adds a price, whatever passes. */
static bool is_plain(const struct bundle *b, bool turned,
		     const struct bundle *other)
{
	return b->n == 1 && low_of(b, turned) <= other->low &&
	       high_of(b, turned) >= other->high;
}

static int64_t plain_price(const struct bundle_pool *pool,
			   const struct bundle *b, bool turned)
{
	int64_t price = pool->segments[b->first].price;

	price = (b->backward ? -price : price) + b->shift;
	return turned ? -price : price;
}

/* What was written at the end of the pool is a bundle's cost. */
static void take(struct bundle_pool *pool, struct bundle *b, size_t n)
{
	b->first = pool->n;
	b->n = n;
	b->backward = false;
	b->shift = 0;
	pool->n += n;
}

/*
 * On to the next segment if "done": without a branch, which nobody could
 * foretell.  The last one stays where it is.
 */
static inline void next_if(struct walk *w, bool done)
{
	w->left -= done;
	w->at += done && w->left ? w->step : 0;
	w->price = w->sign * w->at->price + w->shift;
	w->width = done ? w->at->width : w->width;
}

/* Prices of both, as far as both reach. */
static size_t add_prices(struct walk a, struct walk b,
			 struct mcf_segment *begin)
{
	struct mcf_segment *end = begin;

	while (a.left && b.left) {
		int64_t width = a.width < b.width ? a.width : b.width;

		end = put(end, begin, width, a.price + b.price);
		a.width -= width;
		b.width -= width;
		next_if(&a, a.width == 0);
		next_if(&b, b.width == 0);
	}
	return end - begin;
}

bool bundle_series(struct bundle_pool *pool, struct bundle *a,
		   const struct bundle *b, bool turned)
{
	struct bundle turn = *b;
	struct walk wa, wb;
	int64_t low, high;

	if (is_plain(b, turned, a)) {
		a->shift += plain_price(pool, b, turned);
		return true;
	}
	if (turned) {
		turn.low = -b->high;
		turn.high = -b->low;
		turn.backward = !b->backward;
		turn.shift = -b->shift;
	}
	if (is_plain(a, false, &turn)) {
		turn.shift += plain_price(pool, a, false);
		*a = turn;
		return true;
	}
	low = turn.low > a->low ? turn.low : a->low;
	high = turn.high < a->high ? turn.high : a->high;
	if (low > high || !make_room(pool, (size_t)a->n + b->n))
		return false;
	wa = walk(pool, a, false);
	wb = walk(pool, &turn, false);
	skip(&wa, low - a->low);
	skip(&wb, low - turn.low);
	a->low = low;
	a->high = high;
	take(pool, a, add_prices(wa, wb, pool->segments + pool->n));
	return true;
}

/* Segments of both, the cheaper one first. */
static size_t merge_segments(struct walk a, struct walk b,
			     struct mcf_segment *begin)
{
	struct mcf_segment *end = begin;

	while (a.left && b.left) {
		bool first = a.price <= b.price;

		end = put(end, begin, first ? a.width : b.width,
			  first ? a.price : b.price);
		next_if(&a, first);
		next_if(&b, !first);
	}
	for (; a.left; next(&a))
		end = put(end, begin, a.width, a.price);
	for (; b.left; next(&b))
		end = put(end, begin, b.width, b.price);
	return end - begin;
}

bool bundle_parallel(struct bundle_pool *pool, struct bundle *a,
		     const struct bundle *b, bool turned)
{
	int64_t low = a->low + low_of(b, turned);
	int64_t high = a->high + high_of(b, turned);
	struct walk wa, wb;

	if (low < -WIDTH_MAX || high > WIDTH_MAX ||
	    !make_room(pool, (size_t)a->n + b->n))
		return false;
	wa = walk(pool, a, false);
	wb = walk(pool, b, turned);
	a->low = low;
	a->high = high;
	take(pool, a, merge_segments(wa, wb, pool->segments + pool->n));
	return true;
}

int64_t bundle_split(const struct bundle_pool *pool, const struct bundle *a,
		     const struct bundle *b, bool turned, int64_t flow)
{
	struct walk wa = walk(pool, a, false), wb = walk(pool, b, turned);
	int64_t left = flow - a->low - low_of(b, turned), passes = a->low;

	while (left > 0 && wa.left) {
		int64_t take = wa.width;

		if (wb.left && wb.price < wa.price) {
			left -= wb.width;
			next(&wb);
			continue;
		}
		if (!wb.left || wa.price < wb.price) {
			take = left < take ? left : take;
			passes += take;
			left -= take;
			next(&wa);
			continue;
		}
		if (left < wa.width + wb.width)
			take = (__int128)left * wa.width /
			       (wa.width + wb.width);
		passes += take;
		left -= wa.width + wb.width;
		next(&wa);
		next(&wb);
	}
	return passes;
}

int64_t bundle_cheapest(const struct bundle_pool *pool, const struct bundle *b)
{
	int64_t flow = b->low;

	for (struct walk w = walk(pool, b, false); w.left; next(&w)) {
		if (w.price > 0 || (w.price == 0 && flow >= 0))
			break;
		if (w.price == 0 && flow + w.width > 0)
			return 0;
		flow += w.width;
	}
	return flow;
}

void bundle_copy(const struct bundle_pool *pool, const struct bundle *b,
		 struct mcf_segment *ret)
{
	for (struct walk w = walk(pool, b, false); w.left; next(&w))
		*ret++ = (struct mcf_segment){ w.width, w.price };
}
