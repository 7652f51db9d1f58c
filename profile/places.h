/*
 * places.h - a profile without columns: a tree as other compilers know it.
 * For export_*.c alone.
 *
 * Ownership  places_new() gives, places_free() takes back; names are those of
 *            the profile.
 */
#ifndef PROFILE_PLACES_H
#define PROFILE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile;
struct profile_body;

/* Line offset << 16 | discriminator. */
struct place_count {
	uint32_t place;
	uint64_t count;
};

struct places {
	const char *name;
	uint32_t call;		    /* where the node around it calls it */
	uint64_t entry;		    /* of a function */
	uint64_t total;		    /* sum of all counts in it, and below */
	struct place_count *counts; /* by place, each once */
	size_t ncounts, room_counts;
	struct places *inlined; /* by call, then name, each once */
	size_t ninlined, room_inlined;
};

/*
 * All functions with anything in them, under one nameless root, by name;
 * functions of one name are added up.
 */
struct places *places_new(const struct profile *p, bool discriminators);
void places_free(struct places *root);

#endif
