/*
 * known.h - what values there were at a place, as counts of a block.
 *
 *	known_values(noted, place, PROFILE_DIVISOR, executions, &values);
 *	if (values.n && 2 * values.most[0].count >= executions)
 *		...
 *
 * What is noted of one place adds up.  Where bodies with half of the executions
 * have values, those of the others are taken to be likewise.
 *
 * Range      All counts together are never more than the block's.
 */
#ifndef PLUGIN_KNOWN_H
#define PLUGIN_KNOWN_H

#include <stdint.h>

#include "profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct noted;

enum { KNOWN_MOST = 8 };

struct known_value {
	int64_t value, count;
};

struct known_values {
	struct known_value most[KNOWN_MOST]; /* by falling count, then value */
	unsigned n;			     /* 0: nothing is known */
	int64_t powers_of_2; /* how often any of the values was one */
	int64_t known;	     /* how often it was one that is known */
	double mean;	     /* of all, and what is not known is long */
};

/* executions: of the block, at least 0. */
void known_values(const struct noted *noted, uint64_t place,
		  enum profile_kind kind, int64_t executions,
		  struct known_values *ret);

/* How often it was that one. */
int64_t known_count(const struct known_values *values, int64_t value);

#ifdef __cplusplus
}
#endif
#endif
