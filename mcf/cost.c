/* cost.c - the shapes that a cost of a count can have. */
#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "mcf/smooth.h"

/* llround() for what is known to fit, of which there is very much. */
static int64_t nearest(double x)
{
	return x < 0 ? -(int64_t)(.5 - x) : (int64_t)(x + .5);
}

static void add(struct flow_cost *cost, int64_t width, int64_t price)
{
	if (width == 0)
		return;
	if (price > FLOW_PRICE_MAX)
		price = FLOW_PRICE_MAX;
	if (price < -FLOW_PRICE_MAX)
		price = -FLOW_PRICE_MAX;
	assert(cost->n < FLOW_SEGMENTS);
	cost->width[cost->n] = width < FLOW_MAX ? width : FLOW_MAX;
	cost->price[cost->n++] = price;
}

void flow_cost_add(struct flow_cost *cost, int64_t width, int64_t price)
{
	assert(width >= 0);
	add(cost, width, price);
}

void flow_cost_linear(struct flow_cost *cost, int64_t count, int64_t lower,
		      int64_t raise)
{
	assert(0 <= count && count <= FLOW_MAX);
	assert(lower > 0 && raise > 0);
	cost->n = 0;
	add(cost, count, -lower);
	add(cost, FLOW_MAX, raise);
}

void flow_cost_bound(struct flow_cost *cost, int64_t bound, int64_t price)
{
	assert(0 <= bound && bound <= FLOW_MAX);
	assert(price > 0);
	cost->n = 0;
	add(cost, bound, 0);
	add(cost, FLOW_MAX, price);
}

void flow_cost_least(struct flow_cost *cost, int64_t least, int64_t price)
{
	struct flow_cost old = *cost;

	assert(0 <= least && least <= FLOW_MAX);
	assert(price > 0);
	if (old.n == 0)
		add(&old, FLOW_MAX, 0);
	cost->n = 0;
	for (unsigned i = 0; i < old.n; i++) {
		int64_t width = old.width[i];
		int64_t below = width < least ? width : least;

		add(cost, below, old.price[i] - price);
		add(cost, width == FLOW_MAX ? width : width - below,
		    old.price[i]);
		least -= below;
	}
}

/*
 * Breakpoints as multiples of the count, and the logarithm (of the factor in
 * the middle) that is paid between each and the one before.  Below a 25th of
 * the count and above 17 times the price stays as it is.
 */
static const struct {
	double until, price;
} below[] = {
	{ .04, -3.499913354601313 }, /* ln .0302 */
	{ .1, -2.659260036932778 }, /* ln .07 */
	{ .2, -1.8971199848858813 }, /* ln .15 */
	{ .35, -1.2909841813155656 }, /* ln .275 */
	{ .5, -0.8556661100577202 }, /* ln .425 */
	{ .65, -0.5533852381847867 }, /* ln .575 */
	{ .8, -0.32158362412746233 }, /* ln .725 */
	{ .9, -0.16251892949777494 }, /* ln .85 */
	{ 1, -0.05129329438755058 }, /* ln .95 */
}, above[] = {
	{ .1, 0.04879016416943205 }, /* ln 1.05 */
	{ .25, 0.16126814759612232 }, /* ln 1.175 */
	{ .5, 0.3184537311185346 }, /* ln 1.375 */
	{ 1, 0.5596157879354227 }, /* ln 1.75 */
	{ 2, 0.9162907318741551 }, /* ln 2.5 */
	{ 4, 1.3862943611198906 }, /* ln 4 */
	{ 8, 1.9459101490553132 }, /* ln 7 */
	{ 16, 2.5649493574615367 }, /* ln 13 */
};

#define PRICE_MOST 2.995732273553991 /* ln 20 */

void flow_cost_kl(struct flow_cost *cost, int64_t count, int64_t floor,
		  int64_t weight)
{
	double unit = count > floor ? count : floor;
	int64_t from = 0, until;

	assert(0 <= count && count <= FLOW_MAX);
	assert(weight > 0);
	cost->n = 0;
	for (size_t i = 0; count && i < sizeof(below) / sizeof(*below); i++) {
		until = nearest(count * below[i].until);
		add(cost, until - from, nearest(weight * below[i].price));
		from = until;
	}
	from = 0;
	for (size_t i = 0; i < sizeof(above) / sizeof(*above); i++) {
		until = nearest(unit * above[i].until);
		add(cost, until - from, nearest(weight * above[i].price));
		from = until;
	}
	add(cost, FLOW_MAX, nearest(weight * PRICE_MOST));
}
