/*
 * weights.h - what svr-train has learnt of the events of a processor.
 *
 *	struct weights *w = weights_read("cpu.weights", err);
 *	if (!w || !weights_bind(w, samples, err))
 *		return false;
 *	... w->events[i].event, w->events[i].weight
 *	weights_free(w);
 *
 * svr-train(1) describes the file.  A block's executions are the sum, over
 * the events, of weight times density, or 0 if that is negative: so a block
 * without samples has none (CGO 2010, section 4.1).
 *
 * Units      Weights are of densities: samples for an instruction, relative
 *            to the whole program.
 * Ownership  weights_read() gives, weights_free() takes back and accepts
 *            NULL.
 * Errors     Name the file and the line, or the event that was not recorded.
 */
#ifndef CONVERTER_WEIGHTS_H
#define CONVERTER_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>

#include "converter/count/program.h" /* enum program_class */

struct fdo_error;
struct fdo_strings;
struct samples;

enum { WEIGHTS_CLASSES = PROGRAM_UNDER + 1 };

struct weights_event {
	const char *name;
	double weight; /* or, of a stall, the cycles of one event */
	size_t event;  /* of the samples, once bound */
};

struct weights {
	const char *path;
	struct weights_event base;
	struct weights_event *events;
	size_t nevents, room_events;
	bool alone; /* once bound: of all events only the base was recorded */

	/* Only with classes: */
	bool classes;
	bool by_samples; /* limits are of samples, not of events */
	struct weights_event cycles;
	struct weights_event *stalls;
	size_t nstalls, room_stalls;
	double under, over;
	struct {
		double raise, lower;
	} price[WEIGHTS_CLASSES];

	struct fdo_strings *texts;
};

/* Does the file begin as weights do? */
bool weights_is(const char *path);

struct weights *weights_read(const char *path, struct fdo_error *err);
void weights_free(struct weights *w);

/*
 * Find the events in a recording.  Where some were not recorded the base has
 * to do; without that, it is an error.
 */
bool weights_bind(struct weights *w, const struct samples *samples,
		  struct fdo_error *err);

#endif
