/*
 * cutoffs.h - the hottest counts of many, without having them all at once.
 *
 *	struct cutoffs *s = cutoffs_new();
 *	cutoffs_each(body, cutoffs_take, s);	// all there are
 *	cutoffs_choose(s);
 *	cutoffs_each(body, cutoffs_look, s);	// the same again
 *	cutoffs_finish(s, p);
 *	cutoffs_free(s);
 *
 * Ownership  The caller's; cutoffs become the profile's.
 * Errors     None.
 */
#ifndef PROFILE_CUTOFFS_H
#define PROFILE_CUTOFFS_H

#include <stdint.h>

struct profile;
struct profile_body;
struct cutoffs;

struct cutoffs *cutoffs_new(void);
void cutoffs_free(struct cutoffs *s);

/* Each count in a sorted body that profile_summarize() takes for a block's. */
void cutoffs_each(const struct profile_body *body,
		  void (*take)(void *context, uint64_t count), void *context);

/* First all counts, then all again; cutoffs is a struct cutoffs. */
void cutoffs_take(void *cutoffs, uint64_t count);
void cutoffs_choose(struct cutoffs *s);
void cutoffs_look(void *cutoffs, uint64_t count);

/* Set the profile's max_count and cutoffs. */
void cutoffs_finish(const struct cutoffs *s, struct profile *p);

#endif
