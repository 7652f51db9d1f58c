/*
 * tangle.h - networks in which everything that was measured contradicts.
 */
#ifndef TESTSUITE_TANGLE_H
#define TESTSUITE_TANGLE_H

#include <stdint.h>

#include "mcf/mcf.h"
#include "testsuite/lib/random_cfg.h"

/* At most so many segments. */
enum { TANGLE_SEGMENTS = 12 };

/* So many segments around a count, at prices that have no limit in common. */
static inline void tangle_measure(struct mcf_network *net, unsigned tail,
				  unsigned head, int segments, uint64_t *random)
{
	int64_t count = random_below(random, 1000), left = count;
	int64_t width[TANGLE_SEGMENTS], price[TANGLE_SEGMENTS];
	int64_t step = 100 + random_below(random, 1000);

	for (int i = 0; i < segments; i++) {
		int rank = i - segments / 2;

		price[i] = rank * step + (rank >= 0 ? step : 0);
		width[i] = rank < -1 ? left / 2 : left;
		left -= width[i];
		if (rank >= 0)
			width[i] = i + 1 < segments ? count / 4 + 1 : MCF_MAX;
	}
	mcf_add_convex(net, tail, head, segments, width, price);
}

/* Blocks that lead to the next one and to any other: nothing fits. */
static inline void tangle_build(struct mcf_network *net, unsigned blocks,
				int segments, uint64_t seed)
{
	uint64_t random = seed;

	mcf_reset(net, 2 * blocks + 1);
	for (unsigned b = 0; b < blocks; b++) {
		unsigned enters = 1 + 2 * b, leaves = 2 + 2 * b;
		unsigned other = 1 + 2 * random_below(&random, blocks);

		tangle_measure(net, enters, leaves, segments, &random);
		mcf_add_arc(net, leaves, b + 1 < blocks ? enters + 2 : 0, 0,
			    MCF_MAX, 1);
		mcf_add_arc(net, leaves, other, 0, MCF_MAX, 1);
	}
	mcf_add_arc(net, 0, 1, 0, MCF_MAX, 1);
}

#endif
