/*
 * doubt.h - votes that other blocks' votes speak against.
 *
 *	struct outcome *all = doubt_outcomes(ballots, n);
 *	doubt_ends(ballots, n, &shape);
 *	doubt_between(ballots, n, &shape);
 *	doubt_chance(ballots, n, &shape);
 *
 * Units      As in vote.h.
 * Ownership  Outcomes are the caller's, from fdo_alloc().
 * Errors     None.
 */
#ifndef PLUGIN_DOUBT_H
#define PLUGIN_DOUBT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/evidence.h"
#include "plugin/vote.h"

#ifdef __cplusplus
extern "C" {
#endif

struct outcome {
	bool is_known;
	bool is_doubtful; /* no more than its own error */
	uint64_t count, error;
};

/* Of each block. */
struct outcome *doubt_outcomes(struct ballot *ballots, uint32_t nblocks);

/*
 * Of blocks that are entered and left together, an earlier one that more places
 * speak of is right, and one that as many speak of, if it ran more often.
 */
void doubt_ends(struct ballot *ballots, uint32_t nblocks,
		const struct evidence_shape *shape);

/*
 * Of such blocks, one between two that run does so, too, though all that is left of
 * its code is where it does not.
 */
void doubt_between(struct ballot *ballots, uint32_t nblocks,
		   const struct evidence_shape *shape);

/*
 * An arm that hardly ever ran beside what is around it (shape->around), by what was
 * sampled, may never have run: then the way beside it was taken each time.  One with
 * some samples of its own (shape->per_sample) did, whatever the error of its count.
 */
void doubt_chance(struct ballot *ballots, uint32_t nblocks,
		  const struct evidence_shape *shape);

#ifdef __cplusplus
}
#endif
#endif
