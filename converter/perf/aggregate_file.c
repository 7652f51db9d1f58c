/*
 * aggregate_file.c - what one file had, into the sums of all.
 *
 * A file's samples are first counted by themselves, with its own numbers of
 * objects and events, and added to the rest at its end: only then are names of
 * events and build-ids of objects known for sure, since a stream may tell
 * them late.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "converter/perf/aggregate_private.h"
#include "converter/perf/perfdata.h"

/* The number of an event of this name in the sums of all files. */
static size_t event_number(struct samples *samples,
			   const struct perfdata_event *event)
{
	struct samples_state *state = samples->state;
	const char *name = fdo_intern(state->strings, event->name);

	for (size_t i = 0; i < samples->nevents; i++)
		if (samples->events[i].name == name)
			return i;
	samples->events =
		fdo_grow(samples->events, samples->nevents, &state->events_room,
			 sizeof(*samples->events));
	samples->events[samples->nevents] = (struct samples_event){
		.name = name,
	};
	return samples->nevents++;
}

static void add_event(struct samples_event *sum, const struct event_sums *sums,
		      bool measured)
{
	sum->unmeasured |= !measured && sums->read.samples;
	sum->samples = tally_sum(sum->samples, sums->read.samples);
	sum->period = tally_sum(sum->period, sums->read.period);
	sum->mapped = tally_sum(sum->mapped, sums->mapped);
	sum->lost = tally_sum(sum->lost, sums->lost);
}

/* Events of the file into all events; *numbers are theirs there. */
static void add_events(struct reading *reading, size_t *numbers)
{
	size_t n = perfdata_events(reading->data);

	for (size_t i = 0; i < n; i++) {
		const struct perfdata_event *event =
			perfdata_event(reading->data, i);
		const struct event_sums *sums = aggregate_sums(reading, i);

		if (event->dummy && !sums->read.samples)
			continue;
		numbers[i] = event_number(reading->samples, event);
		add_event(&reading->samples->events[numbers[i]], sums,
			  event->measured);
	}
}

static void add_objects(struct reading *reading, const size_t *events)
{
	struct tally *all = &reading->state->tally;

	for (size_t i = 0; i < reading->tally.nobjects; i++) {
		const struct tally_object *from = &reading->tally.objects[i];
		uint32_t to;

		if (tally_is_empty(from))
			continue;
		to = tally_object(all, from->path,
				  aggregate_build_id(reading, from));
		tally_add_all(&all->objects[to], from, events);
	}
}

static void add_stacks(struct samples_stacks *sum,
		       const struct samples_stacks *one)
{
	sum->stacks += one->stacks;
	sum->bursts += one->bursts;
	sum->filtered += one->filtered;
	sum->records += one->records;
	sum->used += one->used;
	sum->empty += one->empty;
	sum->kernel += one->kernel;
	sum->unmapped += one->unmapped;
	sum->impossible += one->impossible;
}

static void add_totals(struct samples_totals *sum,
		       const struct samples_totals *one)
{
	sum->read += one->read;
	sum->mapped += one->mapped;
	sum->kernel += one->kernel;
	sum->anonymous += one->anonymous;
	sum->unmapped += one->unmapped;
	sum->unknown += one->unknown;
	sum->stuck += one->stuck;
	sum->doubled += one->doubled;
	sum->faults += one->faults;
	sum->lost = tally_sum(sum->lost, one->lost);
	sum->throttled += one->throttled;
	sum->late += one->late;
	sum->files += one->files;
	sum->registers += one->registers;
	sum->told += one->told;
	add_stacks(&sum->stacks, &one->stacks);
}

static void add_texts(struct reading *reading)
{
	for (int kind = 0; kind < PERFDATA_TEXTS; kind++) {
		const char *text =
			fdo_intern(reading->state->strings,
				   perfdata_text(reading->data, kind));
		__auto_type texts = &reading->state->texts[kind];
		size_t i = 0;

		while (i < texts->count && texts->items[i] != text)
			i++;
		if (!text || i < texts->count)
			continue;
		texts->items = fdo_grow(texts->items, texts->count,
					&texts->room, sizeof(*texts->items));
		texts->items[texts->count++] = text;
	}
}

static void settle(struct reading *reading)
{
	for (size_t e = 0; e < reading->nevents; e++)
		for (size_t i = 0; i < reading->tally.nobjects; i++) {
			uint64_t stuck =
				tally_settle(&reading->tally.objects[i], e);

			reading->events[e].mapped -= stuck;
			reading->totals.mapped -= stuck;
			reading->totals.stuck += stuck;
		}
}

bool aggregate_file(struct reading *reading, const char *path,
		    struct fdo_error *err)
{
	struct perfdata_trouble trouble = perfdata_trouble(reading->data);
	size_t *numbers =
		fdo_alloc(perfdata_events(reading->data), sizeof(*numbers));

	reading->totals.files = 1;
	reading->totals.late = trouble.late;
	reading->totals.unknown = trouble.unknown;
	reading->totals.read += trouble.unknown;
	if (!reading->totals.read && trouble.traces) {
		free(numbers);
		return fdo_fail(err,
				"%s: has a hardware trace instead of samples; "
				"'perf inject --itrace' makes samples of it",
				path);
	}
	settle(reading);
	add_events(reading, numbers);
	add_objects(reading, numbers);
	add_totals(&reading->samples->totals, &reading->totals);
	add_texts(reading);
	free(numbers);
	return true;
}
