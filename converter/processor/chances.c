#include "converter/processor/chances.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

struct chances {
	const struct walk_graph *g;
	const struct walk_options *options;
	double *weights;      /* of the ways; later summed up within a block */
	double *mispredicted; /* how often, at each block's end */
	struct chances_arrival *arrivals;
	uint32_t *first_arrival; /* by block, and one more */
	double *starts;		 /* weights of the blocks, summed up */
	uint64_t random;
};

/* xorshift64* */
double chances_draw(struct chances *c)
{
	c->random ^= c->random >> 12;
	c->random ^= c->random << 25;
	c->random ^= c->random >> 27;
	return (c->random * UINT64_C(0x2545f4914f6cdd1d) >> 11) * 0x1p-53;
}

/* The least count of what runs at all. */
static double least_count(const struct walk_graph *g)
{
	double least = INFINITY;

	for (size_t b = 0; b < g->nblocks; b++)
		if (g->blocks[b].count > 0)
			least = fmin(least, g->blocks[b].count);
	return isfinite(least) ? least : 1;
}

/* Ways without flow get a little, too: their flow is only estimated. */
static void weigh_ways(struct chances *c, double least)
{
	const struct walk_graph *g = c->g;

	c->weights = fdo_alloc(g->nways, sizeof(*c->weights));
	for (size_t i = 0; i < g->nways; i++) {
		const struct walk_block *from = &g->blocks[g->ways[i].from];

		c->weights[i] = g->ways[i].flow +
				c->options->surprise *
					fmax(from->count, least) / from->nways;
	}
}

static void add_arrival(struct chances *c, uint32_t to,
			const struct chances_arrival *arrival)
{
	c->arrivals[c->first_arrival[to + 1]++] = *arrival;
}

/* first_arrival[b + 1]: how many come to b; then where they begin. */
static void count_arrivals(struct chances *c)
{
	const struct walk_graph *g = c->g;
	uint32_t sum = 0;

	for (size_t i = 0; i < g->nways; i++)
		if (g->ways[i].to < WALK_END)
			c->first_arrival[g->ways[i].to + 1]++;
	for (size_t i = 0; i < g->nsteps; i++)
		if (g->steps[i].flags & WALK_CALLS)
			c->first_arrival[g->steps[i].callee + 1]++;
	for (size_t b = 0; b < g->nblocks; b++) {
		uint32_t n = c->first_arrival[b + 1];

		c->first_arrival[b + 1] = sum;
		sum += n;
	}
	c->arrivals = fdo_alloc(sum, sizeof(*c->arrivals));
}

static void find_arrivals(struct chances *c, double least)
{
	const struct walk_graph *g = c->g;

	c->first_arrival = fdo_alloc(g->nblocks + 1, sizeof(uint32_t));
	count_arrivals(c);
	for (uint32_t i = 0; i < g->nways; i++)
		if (g->ways[i].to < WALK_END)
			add_arrival(c, g->ways[i].to,
				    &(struct chances_arrival){ c->weights[i], i,
							       g->ways[i].from,
							       0 });
	for (uint32_t b = 0; b < g->nblocks; b++) {
		const struct walk_block *block = &g->blocks[b];
		double weight =
			fmax(block->count, c->options->surprise * least);

		for (uint32_t s = 0; s < block->nsteps; s++) {
			const struct walk_step *step =
				&g->steps[block->first_step + s];

			if (step->flags & WALK_CALLS)
				add_arrival(c, step->callee,
					    &(struct chances_arrival){
						    weight, WALK_END, b,
						    s + 1 });
		}
	}
	for (size_t b = 0; b < g->nblocks; b++)
		for (uint32_t i = c->first_arrival[b] + 1;
		     i < c->first_arrival[b + 1]; i++)
			c->arrivals[i].weight += c->arrivals[i - 1].weight;
}

/* Sum up what weigh_ways() made, once arrivals have taken it. */
static void sum_ways(struct chances *c)
{
	const struct walk_graph *g = c->g;

	c->mispredicted = fdo_alloc(g->nblocks, sizeof(double));
	for (size_t b = 0; b < g->nblocks; b++) {
		const struct walk_block *block = &g->blocks[b];
		double *weights = &c->weights[block->first_way];
		double most = 0, sum = 0;

		for (uint32_t i = 0; i < block->nways; i++) {
			most = fmax(most, weights[i]);
			sum += weights[i];
			weights[i] = sum;
		}
		if (block->nways > 1)
			c->mispredicted[b] =
				(1 - most / sum) *
				(block->indirect ? c->options->indirect
						 : c->options->conditional);
	}
}

static void set_starts(struct chances *c)
{
	double sum = 0;

	c->starts = fdo_alloc(c->g->nblocks, sizeof(*c->starts));
	for (size_t b = 0; b < c->g->nblocks; b++) {
		const struct walk_block *block = &c->g->blocks[b];

		sum += sqrt(block->count * block->nsteps);
		c->starts[b] = sum;
	}
}

const struct chances_arrival *chances_arrival(struct chances *c, uint32_t block)
{
	const struct chances_arrival *a = &c->arrivals[c->first_arrival[block]];
	const struct chances_arrival *last =
		&c->arrivals[c->first_arrival[block + 1]];
	double at;

	if (a == last--)
		return NULL;
	at = chances_draw(c) * last->weight;
	while (a < last && a->weight <= at)
		a++;
	return a;
}

uint32_t chances_way(struct chances *c, uint32_t block)
{
	const struct walk_block *b = &c->g->blocks[block];
	uint32_t i = b->first_way, last = b->first_way + b->nways - 1;
	double at;

	if (b->nways == 0)
		return WALK_END;
	at = chances_draw(c) * c->weights[last];
	while (i < last && c->weights[i] <= at)
		i++;
	return i;
}

uint32_t chances_start(struct chances *c)
{
	size_t from = 0, to = c->g->nblocks - 1;
	double at = chances_draw(c) * c->starts[to];

	while (from < to) {
		size_t middle = (from + to) / 2;

		if (c->starts[middle] <= at)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

double chances_mispredicted(const struct chances *c, uint32_t block)
{
	return c->mispredicted[block];
}

struct chances *chances_new(const struct walk_graph *g,
			    const struct walk_options *options)
{
	struct chances *c = fdo_alloc(1, sizeof(*c));
	double least = least_count(g);

	*c = (struct chances){ .g = g,
			       .options = options,
			       .random = UINT64_C(0x9e3779b97f4a7c15) };
	weigh_ways(c, least);
	find_arrivals(c, least);
	sum_ways(c);
	set_starts(c);
	return c;
}

void chances_free(struct chances *c)
{
	if (!c)
		return;
	free(c->weights);
	free(c->mispredicted);
	free(c->arrivals);
	free(c->first_arrival);
	free(c->starts);
	free(c);
}
