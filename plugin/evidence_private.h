/*
 * evidence_private.h - what the files evidence*.c know of each other.
 *
 *	evidence.c		what was seen, and what the profile has of it
 *	evidence_judge.c	what that says of each block
 */
#ifndef PLUGIN_EVIDENCE_PRIVATE_H
#define PLUGIN_EVIDENCE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/evidence.h"

struct fdo_map;

/* In the map of places: blocks of several classes; else the class + 1. */
enum { SEVERAL = 0xffffffffu };

/* By rising chance that its code is elsewhere. */
enum kind { STAYS, ADVANCES, MOVABLE };

struct sighting {
	uint32_t block;
	uint64_t any, exact;
	uint64_t bare; /* 0: it has a discriminator, or none was told */
	uint64_t line; /* 0: it has no discriminator */
	enum kind kind;
};

/* A statement that begins. */
struct begun {
	uint32_t block;
	uint64_t place;
};

struct evidence {
	const struct unit *unit;
	const struct copy *copies; /* whose counts; NULL: all */
	size_t ncopies;
	uint32_t nblocks;
	struct sighting *seen;
	size_t nseen, room;
	struct fdo_map *classes; /* place: its class of blocks, or SEVERAL */
	struct fdo_map *heads;	 /* place: where it begins + 1, or SEVERAL */
	struct ballot *ballots;	 /* of each block */
	uint32_t *nplaces;	 /* likewise */
	bool *idle;		 /* likewise: has such places (unit.h) */
	struct begun *begun;
	size_t nbegun, room_begun;
	bool ran, has_more;
};

/* What the profile has of a place; false: nothing. */
bool evidence_count(const struct evidence *e, uint64_t place,
		    struct place_count *ret);

#endif
