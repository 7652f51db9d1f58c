/*
 * contexts.h - does a function do something else in one of the places where it
 * was inlined than it does elsewhere?
 *
 *	struct contexts *c = contexts_new();
 *	contexts_add(c, &function->body);	// for each of the profile
 *	body = contexts_whole(c, &function->body)->inlined[0];
 *	if (contexts_difference(c, body) >= hot)
 *		... it has to be inlined there to get the right counts ...
 *	contexts_free(c);
 *
 * Where a copy in the profiled program is a call in the compiler, its counts
 * become those of the called function, and when that is inlined later, it has
 * a part of them, in proportion to how often it is called from there.
 *
 * Units      Executions, in the unit of the profile.
 * Ownership  The struct owns the bodies that it returns.  What is added is
 *            borrowed until the struct is freed.
 * Errors     None.
 */
#ifndef PLUGIN_CONTEXTS_H
#define PLUGIN_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct contexts;

struct contexts *contexts_new(void);
void contexts_free(struct contexts *c);

/* A function of the profile, with all that is inlined in it. */
void contexts_add(struct contexts *c, const struct profile_body *body);

/*
 * All bodies of that function as one, wherever they are, and in it what was
 * inlined in any of them.  Its texts are not those of the profile.
 */
const struct profile_body *contexts_whole(struct contexts *c,
					  const struct profile_body *body);

/*
 * By how many executions that body, or one that is inlined in it, would be
 * wrong if it had the counts of its function as a whole in proportion: the
 * place of the source that is most wrong, beyond what chance explains (twice
 * its standard error).  0 where less than a tenth of a body's executions are
 * wrong, and of a body that is only the beginning of its function, the rest of
 * which GCC did not inline with it.
 */
uint64_t contexts_difference(struct contexts *c,
			     const struct profile_body *body);

#ifdef __cplusplus
}
#endif
#endif
