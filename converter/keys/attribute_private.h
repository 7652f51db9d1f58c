/*
 * attribute_private.h - what the files attribute*.c know of each other: each
 * has a part of what a program's counts say of its source.
 *
 *	attribute.c		code in blocks: counts of keys
 *	attribute_places.c	which function, body and key code is of
 *	attribute_runs.c	samples, entries and first uses of functions
 *	attribute_begins.c	how often statements began
 *	attribute_entries.c	how often inlined bodies were entered
 *	attribute_calls.c	who calls whom
 *	attribute_tests.c	how tests came out
 *	attribute_values.c	usual values of divisors and sizes
 *	attribute_origins.c	binaries and events
 *	attribute_cutoffs.c	the hottest blocks that most of the time is in
 */
#ifndef CONVERTER_ATTRIBUTE_PRIVATE_H
#define CONVERTER_ATTRIBUTE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/keys/attribute.h"
#include "profile/profile.h"

struct attribute_begin;
struct attribute_entry;
struct attribute_sights;
struct dominators;
struct fdo_map;
struct frames;
struct lines_frame;
struct lines_place;
struct pieces;
struct program_function;

struct attribution {
	const struct program *program;
	struct profile *profile;
	uint32_t *binaries;	   /* the program's, in the profile */
	struct fdo_map *functions; /* struct lines_frame to profile_function */
	struct fdo_map *bodies;	   /* and to profile_body */
	struct pieces *pieces;
	struct attribute_entry *entries; /* of bodies: by number, from 1 */
	struct fdo_map *entries_of;
	size_t nentries, room_entries;
	struct attribute_begin *begins;
	size_t nbegins, room_begins;
	struct attribute_result result;
};

/* attribute_places.c */

/*
 * The innermost function that code is of: not one whose rest was equal and
 * taken instead.  NULL: it is not known.
 */
const struct lines_frame *attribute_frame(const struct lines_place *place);

/* Is the place one of its function's, and known well enough for a key? */
bool attribute_has_place(const struct lines_place *place);
struct profile_key attribute_key(struct attribution *a,
				 const struct lines_place *place);
struct profile_body *attribute_body(struct attribution *a,
				    const struct lines_frame *frame);

/* The function itself, wherever it was inlined. */
struct profile_function *attribute_function(struct attribution *a,
					    const struct lines_frame *frame);

/* attribute_runs.c */

void attribute_samples(struct attribution *a, size_t binary);
void attribute_first_uses(struct attribution *a, size_t binary);
void attribute_entry(struct attribution *a, const struct program_function *f);

/* attribute_begins.c */

/* merged: blocks that are tails, or NULL. */
void attribute_begins(struct attribution *a, size_t function,
		      struct frames *frames, const bool *merged);

/* After all functions, and after pieces_settle(). */
void attribute_begun(struct attribution *a);

/* attribute_entries.c */

/* Where code of inlined bodies is, in one function. */
struct attribute_sights *attribute_sights_new(size_t nblocks);
void attribute_sights_free(struct attribute_sights *s);
void attribute_see_frame(struct attribute_sights *s,
			 const struct lines_frame *frame, size_t block);

/* After all frames of a function, and after all functions. */
void attribute_enter(struct attribution *a, struct attribute_sights *s,
		     const struct program_function *f,
		     const struct dominators *dominators);
void attribute_entered(struct attribution *a);

/* attribute_calls.c, attribute_tests.c and attribute_values.c: after pieces_settle() */

void attribute_calls(struct attribution *a, const struct program_function *f);
void attribute_tests(struct attribution *a, const struct program_function *f);
void attribute_values(struct attribution *a, const struct usual *usual,
		      const struct program_function *f);

/* attribute_origins.c */

/* Sets binaries, which is the caller's. */
void attribute_origins(struct attribution *a);

/* attribute_cutoffs.c */

/* And max_count. */
void attribute_cutoffs(struct attribution *a);

#endif
