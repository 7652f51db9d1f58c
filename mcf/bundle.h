/*
 * bundle.h - arcs that were put together into one.  Private to mcf/.
 *
 * A bundle can carry low .. high at a convex cost: a run of segments that
 * begins at low.  The run may be another bundle's, read from its end with
 * prices negated ("backward"), and at a constant more for each unit
 * ("shift"); so what only turns an arc round or adds a fixed price to it
 * copies nothing.
 *
 * Range      low and high within 2^58 either way.
 */
#ifndef MCF_BUNDLE_H
#define MCF_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mcf/network.h"

struct bundle {
	int64_t low, high;
	int64_t shift;
	uint32_t first, n; /* segments */
	bool backward;
};

/* All segments that bundles have, the network's first. */
struct bundle_pool {
	struct mcf_segment *segments;
	size_t n, room;
};

/*
 * Add the second to the first, in the direction of the first; "turned" tells
 * whether the second runs against it.  False, and nothing changed, if no flow
 * fits both or a number would get too large.
 */
bool bundle_series(struct bundle_pool *pool, struct bundle *a,
		   const struct bundle *b, bool turned);
bool bundle_parallel(struct bundle_pool *pool, struct bundle *a,
		     const struct bundle *b, bool turned);

/*
 * The cheapest way to carry "flow" over two parallel bundles: what passes
 * the first.  Where they are equally cheap, each gets its part.
 */
int64_t bundle_split(const struct bundle_pool *pool, const struct bundle *a,
		     const struct bundle *b, bool turned, int64_t flow);

/* Where the bundle is cheapest by itself; the nearest to 0 of such places. */
int64_t bundle_cheapest(const struct bundle_pool *pool, const struct bundle *b);

/* Its segments in order, as they are, into an array with room. */
void bundle_copy(const struct bundle_pool *pool, const struct bundle *b,
		 struct mcf_segment *ret);

#endif
