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

/*
 * Which of a sorted list were sampled after all: note all functions, then take
 * these out.  The list is p->unsampled, which stays as it is until then.
 */
struct unsampled_filter;

struct unsampled_filter *unsampled_filter_new(const struct profile *p);
void unsampled_filter_free(struct unsampled_filter *filter);

/* By unsampled_key().  Returns whether the list has it. */
bool unsampled_filter_note(struct unsampled_filter *filter, uint64_t key);
void unsampled_filter_take_out(const struct unsampled_filter *filter,
			       struct profile *p);

/* The key of each function that the body of this one says was sampled. */
void unsampled_each_sampled(const struct profile_function *f,
			    void (*take)(void *context, uint64_t key),
			    void *context);

/* The number that the entries of a name begin with, or more. */
uint64_t unsampled_key(uint32_t name, uint32_t file);

void unsampled_encode(const struct profile_unsampled *u, struct bytes *out);
bool unsampled_decode(struct profile_unsampled *u, struct cursor *c,
		      struct fdo_error *err);

#endif
