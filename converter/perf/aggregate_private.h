/*
 * aggregate_private.h - what the files aggregate*.c know of each other.
 *
 *	aggregate.c		records of a file, as they are read
 *	aggregate_file.c	at its end, what they had into the sums of all
 */
#ifndef CONVERTER_AGGREGATE_PRIVATE_H
#define CONVERTER_AGGREGATE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build_id.h"
#include "converter/perf/aggregate.h"

struct addrmap;
struct fdo_error;
struct perfdata;
struct stuck;

struct event_sums {
	struct samples_count read;
	uint64_t mapped, lost;
	bool known;	    /* what it means */
	bool steps, faults; /* bursts; page faults */
	bool timed;	    /* samples are taken in time */
	bool clock;
};

/* Of whom, and when. */
struct moment {
	uint64_t time;
	int32_t pid, tid;
};

struct reading {
	struct samples *samples;
	struct samples_state *state;
	struct perfdata *data;
	struct addrmap *maps;
	struct tally tally;
	struct samples_totals totals;
	size_t nevents, events_room;
	struct event_sums *events;
	struct stuck *stuck;
	struct moment burst; /* of steps: the last one */
	uint32_t clock;	   /* 1 + the event that is the only one; 0: not yet */
	uint32_t share;	   /* of samples whose registers are taken, in 2^-32 */
	uint32_t turn;	   /* of the next one: taken if that is within */
	const char *named; /* the last path with a build-id in the file */
	struct fdo_build_id build_id; /* its */
};

/* Of an event of the file, as it numbers them. */
struct event_sums *aggregate_sums(struct reading *reading, uint32_t event);

/* By the mapping, or by the file's own table, which may come late. */
const struct fdo_build_id *
aggregate_build_id(struct reading *reading, const struct tally_object *object);

/* All that the file had; false: it has nothing that counts. */
bool aggregate_file(struct reading *reading, const char *path,
		    struct fdo_error *err);

#endif
