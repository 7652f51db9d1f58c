/*
 * noted.h - what the profile has of a place beside a count.
 *
 *	struct noted *n = noted_new();
 *	noted_add(n, place, count);
 *	for (const struct noted_count *c = noted_at(n, place); c;
 *	     c = noted_before(n, c))
 *		... c->count.targets, c->count.values
 *	noted_free(n);
 *
 * Few places call by a pointer, divide or copy, and few of these are asked
 * for: so what several bodies say of one place is only noted, the last first,
 * and added up when somebody asks (targets.h, known.h).
 *
 * Ownership  Counts are copied; their targets and values remain the profile's,
 *            and are to stay there.  noted_free() accepts NULL.
 */
#ifndef PLUGIN_NOTED_H
#define PLUGIN_NOTED_H

#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct noted;

struct noted_count {
	struct profile_count count;
	size_t previous; /* that of the place before it, from 1 */
};

struct noted *noted_new(void);
void noted_free(struct noted *n);

/* A count without targets and values is not noted. */
void noted_add(struct noted *n, uint64_t place,
	       const struct profile_count *count);

/* Both stay valid until the next noted_add().  NULL: there is none. */
const struct noted_count *noted_at(const struct noted *n, uint64_t place);
const struct noted_count *noted_before(const struct noted *n,
				       const struct noted_count *count);

#ifdef __cplusplus
}
#endif
#endif
