/*
 * perfwrite.h - write samples with branch records, as perf record does when it
 * writes to a pipe.
 *
 *	struct perfwrite *w = perfwrite_new(stream, "branch-steps");
 *	struct perfwrite_who who = { pid, tid, time };
 *	perfwrite_comm(w, who, "app", true);
 *	perfwrite_map(w, who, &map);
 *	perfwrite_sample(w, who, &sample);
 *	perfwrite_free(w);
 *
 * The format is that of <linux/perf_event.h> and of perf's description of its
 * file, little-endian: a header, the event and its name, then
 * records as they come, so that nothing is written twice and the file is whole
 * at every moment.  perf report reads it, and so does perfdata.h.
 *
 * Units      Times are nanoseconds, in order.
 * Ownership  The stream is the caller's, and so is everything that is written.
 * Errors     Those of the stream, which are for the caller to ask.
 */
#ifndef CONVERTER_PERFWRITE_H
#define CONVERTER_PERFWRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct perfdata_map;
struct perfdata_sample;
struct perfwrite;

/* What every record ends in. */
struct perfwrite_who {
	int32_t pid, tid;
	uint64_t time;
};

/* The event's name must not be one that perf gives a meaning. */
struct perfwrite *perfwrite_new(FILE *stream, const char *event);
void perfwrite_free(struct perfwrite *w);

/* A process's short name; if it began a program, it has no maps any more. */
void perfwrite_comm(struct perfwrite *w, struct perfwrite_who who,
		    const char *name, bool exec);
void perfwrite_map(struct perfwrite *w, struct perfwrite_who who,
		   const struct perfdata_map *map);

/* The number of branches is at most what a record has room for: 2700. */
void perfwrite_sample(struct perfwrite *w, struct perfwrite_who who,
		      const struct perfdata_sample *sample);

#endif
