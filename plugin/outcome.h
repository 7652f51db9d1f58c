/*
 * outcome.h - how a test came out in the profiled program.
 *
 *	double share;
 *	if (outcome_share(noted, place, PROFILE_EQUAL, least, &share))
 *		...	// of that test's executions, these were equal
 *
 * The share is known where all branches of a place, or conditions without one, ask the
 * same, and as often as its code was executed: where jumps were threaded, less, and where
 * what is tested became other tests, more.
 *
 * Units      Shares are 0 to 1, executions as in the profile.
 * Ownership  Nothing is kept.
 * Errors     None.
 */
#ifndef PLUGIN_OUTCOME_H
#define PLUGIN_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct noted;

/* least: executions, if fewer say nothing. */
bool outcome_share(const struct noted *noted, uint64_t place,
		   enum profile_kind kind, uint64_t least, double *ret);

#ifdef __cplusplus
}
#endif
#endif
