/*
 * instances.h - the code of one key, as often as it runs, and what that comes to.
 *
 *	settled = instances_settle(instances, n);
 *
 * Inside pieces.c, which makes them; what counts is said there.
 *
 * Units      Counts as in profile.h.
 * Ownership  Opcodes are borrowed.
 * Errors     None.
 */
#ifndef CONVERTER_INSTANCES_H
#define CONVERTER_INSTANCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/keys/vectors.h"
#include "profile/profile.h"

/* Code of one key that runs equally often, wherever it is. */
struct instance {
	uint32_t function, class;
	unsigned rounds;	 /* for each execution */
	const uint16_t *opcodes; /* sorted */
	size_t nopcodes;
	uint64_t count;
	double error;
	bool conditional;
	bool merged;
	bool astray;
	bool goes_on;
	uint32_t test;
	struct vectors_code vectors;
	bool by_vectors; /* of a loop that goes round without, too */
	bool assigns;
	bool movable;
	bool counted; /* already in a group */
};

/* The count of one key; of no instances, 0.  Puts them in order. */
struct instance instances_settle(struct instance *instances, size_t n);

#endif
