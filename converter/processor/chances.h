/*
 * chances.h - what a walk goes by where it goes at random.
 *
 *	struct chances *c = chances_new(&graph, &options);
 *	uint32_t block = chances_start(c);
 *	... chances_way(c, block), chances_arrival(c, block) ...
 *	chances_free(c);
 *
 * As often along each way as its flow says.  Ways without flow get a little,
 * too: their flow is only estimated.
 *
 * Ownership  It borrows the graph and the options.  chances_free() accepts
 *            NULL.
 * Errors     None.
 *
 * The same graph and options give the same numbers.
 */
#ifndef CONVERTER_PROCESSOR_CHANCES_H
#define CONVERTER_PROCESSOR_CHANCES_H

#include "converter/processor/walk.h"

/* A way or a call by which control may have come to a block. */
struct chances_arrival {
	double weight;	      /* later: the sum up to it */
	uint32_t way;	      /* or WALK_END: a call, after which is */
	uint32_t block, step; /* this place */
};

struct chances;

struct chances *chances_new(const struct walk_graph *g,
			    const struct walk_options *options);
void chances_free(struct chances *c);

/* From 0 to below 1. */
double chances_draw(struct chances *c);

/* Where to begin: the more is executed in a block, the likelier. */
uint32_t chances_start(struct chances *c);

/* How control came to a block; NULL: nobody knows. */
const struct chances_arrival *chances_arrival(struct chances *c,
					      uint32_t block);

/* By which way it leaves it; WALK_END: nobody knows. */
uint32_t chances_way(struct chances *c, uint32_t block);

/* How often the jump that ends a block is mispredicted, 0 to 1. */
double chances_mispredicted(const struct chances *c, uint32_t block);

#endif
