/*
 * bodies.h - the code that the profile has of a function: its own or a copy.
 */
#ifndef PLUGIN_BODIES_H
#define PLUGIN_BODIES_H

#include "profile/profile.h"

/* Are they of one function?  Of one profile. */
bool bodies_are_same(const struct profile_body *a,
		     const struct profile_body *b);

/*
 * A body of the function with counts: its own, or else one that is inlined in
 * another one.  *ret is the profile's, or NULL if none is found.  Fails on a damaged
 * record.
 */
bool bodies_find(struct profile *p, const struct profile_function *f,
		 const struct profile_body **ret, struct fdo_error *err);

#endif
