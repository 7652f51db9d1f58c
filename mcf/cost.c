/* cost.c - the shapes that a cost of a count can have. */
#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "mcf/smooth.h"

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

/*
 * Breakpoints as multiples of the count, and the logarithm (of the factor in
 * the middle) that is paid between each and the one before.  Below a 25th of
 * the count and above 17 times the price stays as it is.
 */
static const struct {
	double until, factor;
} below[] = {
	{ .04, .0302 }, { .10, .07 }, { .20, .15 }, { .35, .275 },
	{ .50, .425 },	{ .65, .575 }, { .80, .725 }, { .90, .85 },
	{ 1.00, .95 },
}, above[] = {
	{ .10, 1.05 }, { .25, 1.175 }, { .50, 1.375 }, { 1, 1.75 },
	{ 2, 2.5 },    { 4, 4 },       { 8, 7 },       { 16, 13 },
};

void flow_cost_kl(struct flow_cost *cost, int64_t count, int64_t floor,
		  int64_t weight)
{
	double unit = count > floor ? count : floor;
	int64_t from = 0, until;

	assert(0 <= count && count <= FLOW_MAX);
	assert(weight > 0);
	cost->n = 0;
	for (size_t i = 0; i < sizeof(below) / sizeof(*below); i++) {
		until = llround(count * below[i].until);
		add(cost, until - from, llround(weight * log(below[i].factor)));
		from = until;
	}
	from = 0;
	for (size_t i = 0; i < sizeof(above) / sizeof(*above); i++) {
		until = llround(unit * above[i].until);
		add(cost, until - from, llround(weight * log(above[i].factor)));
		from = until;
	}
	add(cost, FLOW_MAX, llround(weight * log(20)));
}
