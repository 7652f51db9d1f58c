/*
 * aggregate.h - what samples.c collects while files are read.
 *
 * Inside samples.c and aggregate*.c; others see samples.h.
 */
#ifndef CONVERTER_AGGREGATE_H
#define CONVERTER_AGGREGATE_H

#include "converter/perf/samples.h"
#include "converter/perf/tally.h"

struct fdo_strings;

struct samples_state {
	const struct event_rule *rules;
	size_t nrules;
	struct fdo_strings *strings;
	struct tally tally; /* events are those of struct samples */
	size_t events_room;
	samples_watched *watched; /* NULL: nobody asks for registers */
	void *watcher;
	samples_told *told; /* NULL: nobody asks for outcomes */
	void *teller;
	bool keeps_all;
	bool takes_kernel;
	bool finished;

	/* Different texts of each kind. */
	struct {
		const char **items;
		size_t count, room;
	} texts[PERFDATA_TEXTS];
	char *joined[PERFDATA_TEXTS];
};

#endif
