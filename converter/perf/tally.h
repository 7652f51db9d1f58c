/*
 * tally.h - count samples by object, offset in it, and event.
 *
 *	struct tally tally = { 0 };
 *	uint32_t object = tally_object(&tally, path, &build_id);
 *	tally_add(&tally.objects[object], offset, event, count, time);
 *	tally_clear(&tally);
 *
 * Units      As in samples.h.
 * Range      Sums stay at the largest number instead of passing it.
 * Ownership  A tally borrows the paths, which must be interned: equal paths
 *            are equal pointers.
 * Errors     None.
 */
#ifndef CONVERTER_TALLY_H
#define CONVERTER_TALLY_H

#include "converter/perf/samples.h"

struct branches;
struct fdo_map;
struct passes;
struct registers;

struct tally_object {
	const char *path;
	struct fdo_build_id build_id;
	struct fdo_map *rows; /* offset to 1 + a row of the counts */
	size_t nrows, room;
	size_t nevents; /* in a row */
	struct samples_count *counts;
	uint64_t *times; /* of each row: its first, or 0 */
	size_t times_room;
	struct branches *branches;   /* NULL: none */
	struct registers *registers; /* likewise */
	struct fdo_map *firsts;	     /* of others than rows; NULL: none */
	struct passes *passes;	     /* NULL: none */
	struct fdo_map *owed;	     /* tally_owe()'s; NULL: none */
	bool joined;		     /* to another object, which has it all */
};

struct tally {
	size_t nobjects, room;
	struct tally_object *objects;
	struct fdo_map *by_hash;
};

void tally_clear(struct tally *tally);

/* The number of an object; a new one has no counts. */
uint32_t tally_object(struct tally *tally, const char *path,
		      const struct fdo_build_id *build_id);

/* It has neither samples nor branches, as of a library that was only mapped. */
bool tally_is_empty(const struct tally_object *object);

/* The time is when the first of them was, or 0 if that is not known. */
void tally_add(struct tally_object *object, uint64_t offset, size_t event,
	       struct samples_count count, uint64_t time);

/* So many samples there, before or after this, are not to count. */
void tally_owe(struct tally_object *object, uint64_t offset, size_t event,
	       uint64_t samples);

/* As many of these as there are, of one event, no longer count: their number. */
uint64_t tally_settle(struct tally_object *object, size_t event);

/* The branches of an object, which may have had none. */
struct branches *tally_branches(struct tally *tally, uint32_t object);

/* What bursts passed in an object, which may be nothing yet. */
struct passes *tally_passes(struct tally *tally, uint32_t object);

/* There was something of this offset at that time, which is not 0. */
void tally_first(struct tally_object *object, uint64_t offset, uint64_t time);

/* Of all offsets to the first time that is known; NULL: none.  The tally's. */
const struct fdo_map *tally_firsts(struct tally_object *object);

/*
 * Add all counts, branches, registers and times of one object to another.
 * events[e] is the event to which the counts of event e go; NULL: the same.
 */
void tally_add_all(struct tally_object *object, const struct tally_object *from,
		   const size_t *events);

void tally_count_add(struct samples_count *sum, struct samples_count count);

/* The sum, or the largest number where it would pass that. */
uint64_t tally_sum(uint64_t a, uint64_t b);

#endif
