/*
 * unsampled.h - the functions of which nothing was sampled: in their order,
 * and as bytes.
 *
 * Units      As in profile.h.
 * Errors     A damaged entry fails with file and byte.
 */
#ifndef PROFILE_UNSAMPLED_H
#define PROFILE_UNSAMPLED_H

#include "base/cursor.h"
#include "base/bytes.h"
#include "profile/profile.h"

/* -1, 0, 1; by all but samples. */
int unsampled_compare(const struct profile_unsampled *a,
		      const struct profile_unsampled *b);

/*
 * Sort p->unsampled, add up the samples of those that are the same, and leave
 * out what was sampled.  Looks at all bodies.
 */
void unsampled_sort(struct profile *p);

/* The number that the entries of a name begin with, or more. */
uint64_t unsampled_key(uint32_t name, uint32_t file);

void unsampled_encode(const struct profile_unsampled *u, struct bytes *out);
bool unsampled_decode(struct profile_unsampled *u, struct cursor *c,
		      struct fdo_error *err);

#endif
