/*
 * known.h - what values there were at a place, as counts of a block.
 *
 *	struct known *k = known_new();
 *	known_add(k, place, count);
 *	known_values(k, place, PROFILE_DIVISOR, executions, &values);
 *	if (values.n && 2 * values.most[0].count >= executions)
 *		...
 *	known_free(k);
 *
 * What is added for one place adds up.  Where values of some executions are
 * known, those of the others are taken to be likewise.
 *
 * Range      All counts together are never more than the block's.
 * Ownership  Counts remain the profile's, and are to stay there.  known_free()
 *            accepts NULL.
 */
#ifndef PLUGIN_KNOWN_H
#define PLUGIN_KNOWN_H

#include <stdint.h>

#include "profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct known;

struct known *known_new(void);
void known_free(struct known *k);

void known_add(struct known *k, uint64_t place,
	       const struct profile_count *count);

enum { KNOWN_MOST = 8 };

struct known_value {
	int64_t value, count;
};

struct known_values {
	struct known_value most[KNOWN_MOST]; /* by falling count, then value */
	unsigned n;			     /* 0: nothing is known */
	int64_t powers_of_2; /* how often any of the values was one */
	int64_t known;	     /* how often it was any of these */
	double mean;	     /* of these */
};

/* executions: of the block, at least 0. */
void known_values(const struct known *k, uint64_t place, enum profile_kind kind,
		  int64_t executions, struct known_values *ret);

/* How often it was that one. */
int64_t known_count(const struct known_values *values, int64_t value);

#ifdef __cplusplus
}
#endif
#endif
