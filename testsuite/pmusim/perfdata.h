/*
 * perfdata.h - write a file as perf record does.
 *
 *	struct perfdata *p = perfdata_new(stream);
 *	perfdata_command(p, "./app arguments");
 *	perfdata_process(p, 1000, "app");
 *	perfdata_event(p, &event);
 *	perfdata_map(p, &map);			// records, once all events are
 *	perfdata_sample(p, &sample);		// known
 *	if (!perfdata_finish(p, time, err))
 *		...
 *	perfdata_free(p);
 *
 * Written from the kernel's <linux/perf_event.h> and perf's description of
 * the file, in this machine's byte order: one attribute for each event, then
 * records, then the features that perf's commands show.
 *
 * Units      Time is in nanoseconds.
 * Ownership  The stream is the caller's, and a file in which one can seek.
 *            Texts are copied.
 */
#ifndef PMUSIM_PERFDATA_H
#define PMUSIM_PERFDATA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct fdo_error;
struct perfdata;
struct record;

struct perfdata_event {
	const char *name;
	uint64_t config, period;
	bool precise, branches, weight, registers;
};

struct perfdata *perfdata_new(FILE *stream);
void perfdata_free(struct perfdata *p);

/* What was run; its number and short name. */
void perfdata_command(struct perfdata *p, const char *command);
void perfdata_process(struct perfdata *p, uint32_t pid, const char *name);

void perfdata_event(struct perfdata *p, const struct perfdata_event *event);

/* Events are numbered in their order. */
void perfdata_map(struct perfdata *p, const struct record *map);
void perfdata_thread(struct perfdata *p, const struct record *thread);
void perfdata_sample(struct perfdata *p, const struct record *sample);

bool perfdata_finish(struct perfdata *p, uint64_t time, struct fdo_error *err);

#endif
