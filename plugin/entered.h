/*
 * entered.h - how often bodies that were inlined were entered.
 *
 * The profile says so only where what comes first ran more often
 * (profile_entry_key()).  But the code of the call itself has a count, if any
 * of it is left, and so has what the body begins with.  Each may have run more
 * often: the call's place may have other code, too, such as all else in a
 * macro, and a body may begin with a loop.  So it is the smallest of the three.
 * But where that of the call is 0, all that is left of it may be the part of
 * what it passes that some arm alone needs.
 *
 * Marks say how often it was entered at least: those of the body itself, on the line
 * of its function, and those of a statement that begins before all that has code.
 * Of the latter, which may be in a loop, the code of the call may say less.
 *
 * Units      count and error as in the profile; at most PROFILE_MAX.
 * Ownership  Nothing is kept.
 * Errors     None: what is not known says so, and has a count of 0.
 */
#ifndef PLUGIN_ENTERED_H
#define PLUGIN_ENTERED_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct entered {
	bool is_known;
	uint64_t count, error; /* error: standard error; 0: not known */
};

/* Of a callee, one of those that were inlined into that body. */
struct entered entered_by(const struct profile_body *body,
			  const struct profile_body *callee);

#ifdef __cplusplus
}
#endif
#endif
