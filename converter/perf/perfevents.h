/*
 * perfevents.h - what a perf.data says before and beside its records: events,
 * their layout and ids, build-ids and texts.
 *
 * Inside perfdata.c and the files that it is cut into; others see perfdata.h.
 *
 * Ownership  perfevents_new() gives, perfevents_free() takes back, all texts
 *            included.
 * Errors     As cursors report them.
 */
#ifndef CONVERTER_PERFEVENTS_H
#define CONVERTER_PERFEVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "converter/perf/perfdata.h"

struct fdo_error;

/* Of struct perf_event_attr what decides on the layout of the records. */
struct perfattr {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_type;
	uint64_t user_registers, registers; /* sets, as perf numbers them */
	bool id_all;	   /* every record ends in a sample_id */
	size_t fixed_size; /* of a sample up to what differs in length */
	int ip_at;	   /* of the address in it; -1: none */
	int tid_at;	   /* likewise, of both process and thread */
	int period_at;	   /* likewise */
	int id_at;	   /* of the id in a sample; -1: none */
	int id_from_end;   /* of the id in other records; -1: none */
	int time_at;	   /* of the time in a sample; -1: none */
	int time_from_end; /* of the time in other records; -1: none */
	size_t sample_id_size;
};

/* An id that is looked for first: those of few events and CPUs all fit. */
struct perfevents_id {
	uint64_t id;
	uint32_t event;
};

enum { PERFEVENTS_NEAR = 64 };

struct perfevents {
	size_t nevents;
	size_t events_room, attrs_room;
	struct perfdata_event *events;
	struct perfattr *attrs;			    /* as many */
	struct fdo_map *by_id;			    /* id to event */
	struct perfevents_id near[PERFEVENTS_NEAR]; /* by its low bits */
	struct fdo_strings *strings;
	struct fdo_map *by_path; /* hash of a path to 1 + a build-id */
	struct perfevents_build_id *build_ids;
	size_t nbuild_ids, build_ids_room;
	const char *texts[PERFDATA_TEXTS];
	bool checked; /* since the last event was added */
	bool ordered; /* all events have times */
};

/* Sections of a file that we know of; the numbers are perf's. */
enum perfevents_feature {
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_ARCH = 6,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_EVENT_DESC = 12,
	FEATURE_STAT = 19,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_COMPRESSED = 27,
	FEATURES = 256
};

struct perfevents *perfevents_new(void);
void perfevents_free(struct perfevents *events);

/* A struct perf_event_attr that takes all of c adds an event. */
bool perfevents_add(struct perfevents *events, struct cursor *c,
		    struct fdo_error *err);

/* All of c is ids of the last event. */
bool perfevents_add_ids(struct perfevents *events, struct cursor *c,
			struct fdo_error *err);

/* The content of a feature's section. */
bool perfevents_feature(struct perfevents *events, uint64_t feature,
			struct cursor *c, struct fdo_error *err);

/* The rest of a record PERF_RECORD_EVENT_UPDATE. */
bool perfevents_update(struct perfevents *events, struct cursor *c,
		       struct fdo_error *err);

/* The rest of a record PERF_RECORD_HEADER_BUILD_ID. */
bool perfevents_build_id(struct perfevents *events, uint16_t misc,
			 struct cursor *c, struct fdo_error *err);

/* Of a mapping's path; NULL if it is not known. */
const struct fdo_build_id *
perfevents_find_build_id(const struct perfevents *events, const char *path);

/* All events are known: can their records be told apart? */
bool perfevents_check(struct perfevents *events, const char *file,
		      struct fdo_error *err);

/*
 * Of an id; PERFDATA_NO_EVENT if there is none.  0 is the first event, and
 * where there is one event, all ids are its own.
 */
uint32_t perfevents_find(const struct perfevents *events, uint64_t id);

static inline uint32_t perfevents_by_id(const struct perfevents *events,
					uint64_t id)
{
	const struct perfevents_id *near = &events->near[id % PERFEVENTS_NEAR];

	return id && near->id == id ? near->event : perfevents_find(events, id);
}

/*
 * A 64-bit number in which each bit is a field of its own: C gives the first
 * of them the lowest or the highest bit, as the machine's byte order is.
 */
bool perfevents_bits(struct cursor *c, uint64_t *ret, struct fdo_error *err);

#endif
