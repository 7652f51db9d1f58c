/*
 * targets.h - who is called from a place, as far as branch records tell.
 *
 *	struct targets *t = targets_new();
 *	targets_add(t, place, count);
 *	likeliest = targets_likeliest(t, place);
 *	if (likeliest.name && likeliest.share > 0.5)
 *		...
 *	targets_free(t);
 *
 * What is added for one place adds up.
 *
 * Range      Shares are from 0 to 1, of all executions of the place: calls of
 *            functions that have no name in the profile are among them.
 * Ownership  Counts and names remain the profile's, and are to stay there.
 *            targets_free() accepts NULL.
 */
#ifndef PLUGIN_TARGETS_H
#define PLUGIN_TARGETS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct profile_count;
struct targets;

struct targets *targets_new(void);
void targets_free(struct targets *t);

void targets_add(struct targets *t, uint64_t place,
		 const struct profile_count *count);

struct likeliest {
	const char *name; /* NULL: nobody is known */
	double share;
};

/* Of several that are equal, the first by name. */
struct likeliest targets_likeliest(const struct targets *t, uint64_t place);

#ifdef __cplusplus
}
#endif
#endif
