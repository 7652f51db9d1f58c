/*
 * unsampled.h - which functions the binaries had and nobody saw run.
 *
 *	attribute(program, profile, &result);
 *	unsampled(program, profile, result.executed);
 *
 * Those that have code of their own, and of which neither this nor what was
 * inlined elsewhere has a sample or a count.  Not those that are called by the
 * counts of their callers: these did run.
 *
 * Units      As in profile.h.
 * Errors     None.
 */
#ifndef CONVERTER_UNSAMPLED_H
#define CONVERTER_UNSAMPLED_H

#include <stdint.h>

struct profile;
struct program;

/* After attribute(), which says how many instructions were executed. */
void unsampled(const struct program *p, struct profile *profile,
	       uint64_t executed);

#endif
