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
	uint32_t function;
	uint32_t class;		 /* its number */
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
	struct vectors_look look;
	bool is_loop; /* does rounds of a loop by vectors */
	bool tests;   /* of such a loop, and near (vectors.h) */
	uint64_t near;
	bool by_vectors; /* of one that goes round without, too */
	size_t loop;	 /* that it is of, by a number; 0: none by vectors */
	enum vectors_part part;
	bool assigns;
	bool movable;
	bool counted; /* already in a group */
};

/* The count of one key; of no instances, 0.  Puts them in order. */
struct instance instances_settle(struct instance *instances, size_t n);

#endif
