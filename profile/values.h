/*
 * values.h - the values of a count: in their order, as bytes and as words.
 *
 * Units      As in profile.h.
 * Errors     What is damaged fails with file and byte; a wrong word, without
 *            place.
 */
#ifndef PROFILE_VALUES_H
#define PROFILE_VALUES_H

#include <stdio.h>

#include "base/bytes.h"
#include "base/cursor.h"
#include "profile/profile.h"

/*
 * By kind; in each, others last, and by falling count, then value.  Those that
 * are the same become one.
 */
void values_sort(struct profile_count *count);

void values_encode(const struct profile_count *count, struct bytes *out);

/* At least one. */
bool values_decode(struct profile_count *count, struct cursor *c,
		   struct fdo_error *err);

void values_print(const struct profile_count *count, FILE *stream);

/* Is it the word for one of enum profile_kind?  Then that. */
bool values_kind(const char *word, enum profile_kind *ret);

/* The word is a number or "other". */
bool values_value(const char *word, struct profile_value *ret,
		  struct fdo_error *err);

#endif
