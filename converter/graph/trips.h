/*
 * trips.h - loops that go round the same number of times whenever they are
 * entered, which the code itself says: from a constant to a constant, or from
 * wherever to so far behind it.
 *
 *	struct trips trips;
 *
 *	trips_find(&trips, &cfg, decoder);
 *	... what enters such loops runs trips_block(&trips, b) times there ...
 *	trips_clear(&trips);
 *
 * Such a loop is left at one place, behind the test that goes round again, and calls
 * nobody.  What decides that test is run: the loop's first block and its last one,
 * again and again, from the constants with which it is entered.  What else is in
 * registers then is not known; where only distances decide, it goes round as often
 * whatever that is.  So it is run with several guesses (trips_before.h).
 *
 * So its blocks run so many times as it is entered, and of how often they do, a
 * consistent flow can be in terms of that: then the loop is straight code.
 *
 * Units      Rounds: how often the last block runs.
 * Range      2 .. TRIPS_MOST rounds, of loops in each other together.
 * Ownership  trips_clear() leaves none.
 * Errors     None: what cannot be told is left out.
 */
#ifndef CONVERTER_TRIPS_H
#define CONVERTER_TRIPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfg;
struct decoder;

enum { TRIPS_MOST = 4096 };

struct trip {
	uint32_t block;		/* that goes round again */
	uint32_t again, leaves; /* its edges */
	unsigned rounds;
};

/* Of a graph; the arrays are NULL without any. */
struct trips {
	struct trip *all;
	size_t n, room;
	double *blocks, *edges; /* rounds of all loops around it, multiplied */
	bool *within; /* of blocks: in a loop within these that is none of them */
};

void trips_find(struct trips *trips, const struct cfg *cfg,
		const struct decoder *d);
void trips_clear(struct trips *trips);

static inline double trips_block(const struct trips *trips, size_t block)
{
	return trips->blocks ? trips->blocks[block] : 1;
}

/* A block of such a loop may run more often for each of its rounds, or less. */
static inline bool trips_within(const struct trips *trips, size_t block)
{
	return trips->within && trips->within[block];
}

/* A block that goes round again a number of times that is known. */
static inline bool trips_tell(const struct trips *trips, uint32_t block)
{
	for (size_t i = 0; i < trips->n; i++)
		if (trips->all[i].block == block)
			return true;
	return false;
}

/* Both ends are in these loops; going round again is not one of its own loop. */
static inline double trips_edge(const struct trips *trips, size_t edge)
{
	return trips->edges ? trips->edges[edge] : 1;
}

#endif
