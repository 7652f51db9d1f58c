/*
 * tally.c - one table from offsets to rows for each object.
 *
 * A row has a count for each event; rows get wider when a file brings events
 * that were not known before, which happens a few times at most.  Of many
 * events, rows have room for some that are still to come.
 */
#include "converter/perf/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/perf/branches.h"
#include "converter/perf/passes.h"
#include "converter/perf/registers.h"

uint64_t tally_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

void tally_count_add(struct samples_count *sum, struct samples_count count)
{
	sum->samples = tally_sum(sum->samples, count.samples);
	sum->period = tally_sum(sum->period, count.period);
}

void tally_clear(struct tally *tally)
{
	for (size_t i = 0; i < tally->nobjects; i++) {
		fdo_map_free(tally->objects[i].rows);
		free(tally->objects[i].counts);
		free(tally->objects[i].times);
		branches_free(tally->objects[i].branches);
		registers_free(tally->objects[i].registers);
		fdo_map_free(tally->objects[i].firsts);
		passes_free(tally->objects[i].passes);
		fdo_map_free(tally->objects[i].owed);
	}
	fdo_map_free(tally->by_hash);
	free(tally->objects);
	*tally = (struct tally){ 0 };
}

static uint64_t hash(const char *path, const struct fdo_build_id *build_id)
{
	uint64_t hash = (uintptr_t)path;

	for (int i = 0; i < build_id->size; i++)
		hash = hash * 31 + build_id->bytes[i];
	return hash;
}

static uint32_t add_object(struct tally *tally, const char *path,
			   const struct fdo_build_id *build_id)
{
	tally->objects = fdo_grow(tally->objects, tally->nobjects, &tally->room,
				  sizeof(*tally->objects));
	tally->objects[tally->nobjects] = (struct tally_object){
		.path = path,
		.build_id = *build_id,
		.rows = fdo_map_new(),
	};
	return tally->nobjects++;
}

uint32_t tally_object(struct tally *tally, const char *path,
		      const struct fdo_build_id *build_id)
{
	if (!tally->by_hash)
		tally->by_hash = fdo_map_new();
	for (uint64_t key = hash(path, build_id);; key++) {
		uint64_t *at = fdo_map_at(tally->by_hash, key);
		const struct tally_object *object;

		if (!*at) {
			*at = add_object(tally, path, build_id) + 1;
			return *at - 1;
		}
		object = &tally->objects[*at - 1];
		if (object->path == path &&
		    fdo_build_id_compare(&object->build_id, build_id) == 0)
			return *at - 1;
	}
}

static void widen(struct tally_object *object, size_t nevents)
{
	size_t old = object->nevents, room = object->nrows + 1;
	struct samples_count *counts =
		fdo_alloc(room * nevents, sizeof(*counts));

	for (size_t i = 0; i < object->nrows; i++)
		for (size_t e = 0; e < old; e++)
			counts[i * nevents + e] = object->counts[i * old + e];
	free(object->counts);
	object->counts = counts;
	object->room = room;
	object->nevents = nevents;
}

static size_t add_row(struct tally_object *object)
{
	size_t size = object->nevents * sizeof(*object->counts);

	object->counts =
		fdo_grow(object->counts, object->nrows, &object->room, size);
	memset(object->counts + object->nrows * object->nevents, 0, size);
	object->times = fdo_grow(object->times, object->nrows,
				 &object->times_room, sizeof(*object->times));
	object->times[object->nrows] = 0;
	return object->nrows++;
}

bool tally_is_empty(const struct tally_object *object)
{
	return object->joined ||
	       (!object->nrows && !object->branches && !object->passes);
}

static void set_first(uint64_t *first, uint64_t time)
{
	if (time && (!*first || time < *first))
		*first = time;
}

void tally_add(struct tally_object *object, uint64_t offset, size_t event,
	       struct samples_count count, uint64_t time)
{
	uint64_t *row;

	if (event >= object->nevents)
		widen(object, event + 1 + event / 4);
	row = fdo_map_at(object->rows, offset);
	if (!*row)
		*row = add_row(object) + 1;
	tally_count_add(&object->counts[(*row - 1) * object->nevents + event],
			count);
	set_first(&object->times[*row - 1], time);
}

/* Of an offset and an event of a file. */
static uint64_t owed_key(uint64_t offset, size_t event)
{
	return offset * PERFDATA_EVENTS_MOST + event;
}

void tally_owe(struct tally_object *object, uint64_t offset, size_t event,
	       uint64_t samples)
{
	uint64_t *owed;

	if (!object->owed)
		object->owed = fdo_map_new();
	owed = fdo_map_at(object->owed, owed_key(offset, event));
	*owed = tally_sum(*owed, samples);
}

static uint64_t take_out(struct samples_count *count, uint64_t samples)
{
	uint64_t all = count->samples;

	if (samples >= all) {
		*count = (struct samples_count){ 0 };
		return all;
	}
	count->samples -= samples;
	count->period = (double)count->period * count->samples / all;
	return samples;
}

uint64_t tally_settle(struct tally_object *object, size_t event)
{
	uint64_t *keys = object->owed ? fdo_map_keys(object->owed) : NULL;
	uint64_t sum = 0;

	for (size_t i = 0; keys && i < fdo_map_size(object->owed); i++) {
		uint64_t offset = keys[i] / PERFDATA_EVENTS_MOST;
		const uint64_t *row = fdo_map_get(object->rows, offset);

		if (row && keys[i] == owed_key(offset, event) &&
		    event < object->nevents)
			sum += take_out(
				&object->counts[(*row - 1) * object->nevents +
						event],
				*fdo_map_get(object->owed, keys[i]));
	}
	free(keys);
	return sum;
}

static void add_branches(struct tally_object *object,
			 const struct branches *from, const size_t *events)
{
	if (!from)
		return;
	if (!object->branches)
		object->branches = branches_new();
	branches_add_all(object->branches, from, events);
}

static void add_registers(struct tally_object *object,
			  const struct registers *from)
{
	if (!from)
		return;
	if (!object->registers)
		object->registers = registers_new();
	registers_add_all(object->registers, from);
}

static void add_passes(struct tally_object *object, const struct passes *from)
{
	if (!from)
		return;
	if (!object->passes)
		object->passes = passes_new();
	passes_add_all(object->passes, from);
}

struct passes *tally_passes(struct tally *tally, uint32_t object)
{
	struct tally_object *o = &tally->objects[object];

	if (!o->passes)
		o->passes = passes_new();
	return o->passes;
}

struct branches *tally_branches(struct tally *tally, uint32_t object)
{
	struct tally_object *o = &tally->objects[object];

	if (!o->branches)
		o->branches = branches_new();
	return o->branches;
}

void tally_first(struct tally_object *object, uint64_t offset, uint64_t time)
{
	if (!object->firsts)
		object->firsts = fdo_map_new();
	set_first(fdo_map_at(object->firsts, offset), time);
}

const struct fdo_map *tally_firsts(struct tally_object *object)
{
	uint64_t *offsets = fdo_map_keys(object->rows);

	for (size_t i = 0; i < object->nrows; i++) {
		size_t row = *fdo_map_get(object->rows, offsets[i]) - 1;

		if (object->times[row])
			tally_first(object, offsets[i], object->times[row]);
		object->times[row] = 0;
	}
	free(offsets);
	return object->firsts;
}

static void add_firsts(struct tally_object *object, const struct fdo_map *from)
{
	uint64_t *offsets = from ? fdo_map_keys(from) : NULL;

	for (size_t i = 0; from && i < fdo_map_size(from); i++)
		tally_first(object, offsets[i], *fdo_map_get(from, offsets[i]));
	free(offsets);
}

void tally_add_all(struct tally_object *object, const struct tally_object *from,
		   const size_t *events)
{
	uint64_t *offsets = fdo_map_keys(from->rows);

	for (size_t i = 0; i < from->nrows; i++) {
		size_t row = *fdo_map_get(from->rows, offsets[i]) - 1;

		for (size_t e = 0; e < from->nevents; e++) {
			const struct samples_count *count =
				&from->counts[row * from->nevents + e];

			if (count->samples)
				tally_add(object, offsets[i],
					  events ? events[e] : e, *count,
					  from->times[row]);
		}
	}
	free(offsets);
	add_branches(object, from->branches, events);
	add_registers(object, from->registers);
	add_firsts(object, from->firsts);
	add_passes(object, from->passes);
}
