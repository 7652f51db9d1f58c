/*
 * samples.c - from the tables of aggregate.c to sorted arrays.
 */
#include "converter/perf/samples.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "converter/perf/aggregate.h"
#include "converter/perf/branches.h"
#include "converter/perf/events.h"
#include "converter/perf/passes.h"
#include "converter/perf/registers.h"

struct samples *samples_new(const struct event_rule *rules, size_t nrules)
{
	struct samples *samples = fdo_alloc(1, sizeof(*samples));

	samples->state = fdo_alloc(1, sizeof(*samples->state));
	samples->state->rules = rules;
	samples->state->nrules = nrules;
	samples->state->strings = fdo_strings_new();
	return samples;
}

void samples_watch(struct samples *samples, samples_watched *watched,
		   void *data)
{
	samples->state->watched = watched;
	samples->state->watcher = data;
}

void samples_ask(struct samples *samples, samples_told *told, void *data)
{
	samples->state->told = told;
	samples->state->teller = data;
}

void samples_keep_all(struct samples *samples)
{
	samples->state->keeps_all = true;
}

void samples_take_kernel(struct samples *samples)
{
	samples->state->takes_kernel = true;
}

bool samples_are_aside(const struct samples_event *event)
{
	return strcmp(event->role, "faults") == 0;
}

uint64_t samples_lost(const struct samples *samples)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < samples->nevents; i++)
		sum = tally_sum(sum, samples->events[i].lost);
	return sum;
}

static void free_ways(struct samples_ways *ways, size_t n)
{
	for (size_t e = 0; ways && e < n; e++)
		free(ways[e].ways);
	free(ways);
}

void samples_free(struct samples *samples)
{
	if (!samples)
		return;
	for (size_t i = 0; i < samples->nobjects; i++) {
		free(samples->objects[i].offsets);
		free(samples->objects[i].counts);
		free(samples->objects[i].firsts);
		free_ways(samples->objects[i].jumps, samples->nevents);
		free_ways(samples->objects[i].ranges, samples->nevents);
		free(samples->objects[i].values);
		free(samples->objects[i].passes);
	}
	for (int kind = 0; kind < PERFDATA_TEXTS; kind++) {
		free(samples->state->texts[kind].items);
		free(samples->state->joined[kind]);
	}
	tally_clear(&samples->state->tally);
	fdo_strings_free(samples->state->strings);
	free(samples->state);
	free(samples->objects);
	free(samples->events);
	free(samples);
}

static int compare_events(const void *a, const void *b)
{
	const struct samples_event *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/*
 * Sort the events by name; events[e] is where event e went.  The texts are
 * interned, so a name's pointer says which event it was.
 */
static size_t *sort_events(struct samples *samples)
{
	size_t n = samples->nevents;
	size_t *events = fdo_alloc(n, sizeof(*events));
	const char **names = fdo_alloc(n, sizeof(*names));

	for (size_t i = 0; i < n; i++)
		names[i] = samples->events[i].name;
	if (n)
		qsort(samples->events, n, sizeof(*samples->events),
		      compare_events);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (samples->events[j].name == names[i])
				events[i] = j;
	free(names);
	return events;
}

static uint64_t times(uint64_t samples, uint64_t period)
{
	uint64_t product;

	return __builtin_mul_overflow(samples, period, &product) ? UINT64_MAX
								 : product;
}

/* Say what each event means; *periods are those that were asked for. */
static void give_meaning(struct samples *samples, uint64_t *periods)
{
	const struct samples_state *state = samples->state;

	for (size_t i = 0; i < samples->nevents; i++) {
		struct samples_event *event = &samples->events[i];
		struct event_meaning meaning =
			event_meaning(event->name, state->rules, state->nrules);

		event->role = fdo_intern(state->strings, meaning.role);
		event->nanoseconds = meaning.nanoseconds;
		periods[i] = meaning.period;
		if (!meaning.period)
			continue;
		event->period = times(event->samples, meaning.period);
		event->unmeasured = false;
	}
}

static int compare_objects(const void *a, const void *b)
{
	const struct tally_object *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : fdo_build_id_compare(&x->build_id, &y->build_id);
}

/*
 * A file without build-ids, as perf writes to a pipe, has the same objects as
 * others of the same path, if it cannot be one of several.
 */
static void join_without_build_id(struct tally *tally)
{
	struct tally_object *o = tally->objects;

	for (size_t i = 0; i + 1 < tally->nobjects; i++)
		if (!o[i].build_id.size && o[i].path == o[i + 1].path &&
		    (i + 2 == tally->nobjects || o[i].path != o[i + 2].path)) {
			tally_add_all(&o[i + 1], &o[i], NULL);
			o[i].joined = true;
		}
}

static int compare_builds(const void *a, const void *b)
{
	const struct tally_object *x = a, *y = b;
	int order = fdo_build_id_compare(&x->build_id, &y->build_id);

	return order ? order : strcmp(x->path, y->path);
}

/*
 * The same build is one object wherever it lay, as on the machines of a fleet
 * or behind another name for a folder: that of the first path.
 */
static void join_same_build(struct tally *tally)
{
	struct tally_object *o = tally->objects, *first = o;

	for (size_t i = 1; i < tally->nobjects; i++) {
		if (!o[i].build_id.size || tally_is_empty(first) ||
		    fdo_build_id_compare(&first->build_id, &o[i].build_id)) {
			first = &o[i];
			continue;
		}
		tally_add_all(first, &o[i], NULL);
		o[i].joined = true;
	}
}

/* Of branches by the file's events, by those of samples. */
static struct samples_ways *ways_of(const struct samples *samples,
				    const struct branches *branches,
				    enum branches_kind kind,
				    const size_t *events)
{
	struct samples_ways *ways = fdo_alloc(samples->nevents, sizeof(*ways));

	for (size_t e = 0; e < samples->nevents; e++)
		ways[events[e]].ways =
			branches_sorted(branches, e, kind, &ways[events[e]].n);
	return ways;
}

static void fill_firsts(struct tally_object *object, struct samples_object *to)
{
	const struct fdo_map *from = tally_firsts(object);
	uint64_t *offsets;

	if (!from)
		return;
	offsets = fdo_map_keys(from);
	to->nfirsts = fdo_map_size(from);
	to->firsts = fdo_alloc(to->nfirsts, sizeof(*to->firsts));
	for (size_t i = 0; i < to->nfirsts; i++)
		to->firsts[i] = (struct samples_first){
			offsets[i], *fdo_map_get(from, offsets[i])
		};
	free(offsets);
}

static void fill_object(const struct samples *samples,
			struct tally_object *from, const size_t *events,
			const uint64_t *periods, struct samples_object *to)
{
	size_t n = samples->nevents;

	*to = (struct samples_object){
		.path = from->path,
		.build_id = from->build_id,
		.naddresses = from->nrows,
		.offsets = fdo_map_keys(from->rows),
		.counts = fdo_alloc(from->nrows * n, sizeof(*to->counts)),
	};
	to->jumps = ways_of(samples, from->branches, BRANCHES_JUMP, events);
	to->ranges = ways_of(samples, from->branches, BRANCHES_RANGE, events);
	to->values = registers_sorted(from->registers, &to->nvalues);
	to->passes =
		passes_sorted(from->passes, &to->npasses, &to->passes_part);
	fill_firsts(from, to);
	for (size_t i = 0; i < from->nrows; i++) {
		size_t row = *fdo_map_get(from->rows, to->offsets[i]) - 1;

		for (size_t e = 0; e < from->nevents && e < n; e++) {
			struct samples_count *count =
				&to->counts[i * n + events[e]];
			uint64_t period = periods[events[e]];

			*count = from->counts[row * from->nevents + e];
			if (period)
				count->period = times(count->samples, period);
			to->samples = tally_sum(to->samples, count->samples);
		}
	}
}

static void sort_objects(struct tally *tally,
			 int (*compare)(const void *, const void *))
{
	if (tally->nobjects)
		qsort(tally->objects, tally->nobjects, sizeof(*tally->objects),
		      compare);
}

static void fill_objects(struct samples *samples, const size_t *events,
			 const uint64_t *periods)
{
	struct tally *tally = &samples->state->tally;

	sort_objects(tally, compare_objects);
	join_without_build_id(tally);
	sort_objects(tally, compare_builds);
	join_same_build(tally);
	sort_objects(tally, compare_objects);
	samples->objects =
		fdo_alloc(tally->nobjects, sizeof(*samples->objects));
	for (size_t i = 0; i < tally->nobjects; i++)
		if (!tally_is_empty(&tally->objects[i]))
			fill_object(samples, &tally->objects[i], events,
				    periods,
				    &samples->objects[samples->nobjects++]);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void join_texts(struct samples *samples)
{
	struct samples_state *state = samples->state;

	for (int kind = 0; kind < PERFDATA_TEXTS; kind++) {
		size_t count = state->texts[kind].count, size = 1;
		const char **items = state->texts[kind].items;

		if (!count)
			continue;
		qsort(items, count, sizeof(*items), compare_texts);
		for (size_t i = 0; i < count; i++)
			size += strlen(items[i]) + 2;
		state->joined[kind] = fdo_alloc(size, 1);
		for (size_t i = 0; i < count; i++) {
			if (i)
				strcat(state->joined[kind], ", ");
			strcat(state->joined[kind], items[i]);
		}
		samples->texts[kind] = state->joined[kind];
	}
}

void samples_finish(struct samples *samples)
{
	size_t *events;
	uint64_t *periods;

	assert(!samples->state->finished);
	samples->state->finished = true;
	periods = fdo_alloc(samples->nevents, sizeof(*periods));
	events = sort_events(samples);
	give_meaning(samples, periods);
	fill_objects(samples, events, periods);
	tally_clear(&samples->state->tally);
	join_texts(samples);
	free(events);
	free(periods);
}

static const struct samples_object *
by_build_id(const struct samples *samples, const struct fdo_build_id *build_id)
{
	for (size_t i = 0; i < samples->nobjects; i++)
		if (samples->objects[i].build_id.size &&
		    fdo_build_id_same(&samples->objects[i].build_id, build_id))
			return &samples->objects[i];
	return NULL;
}

static const char deleted[] = " (deleted)";

static bool is_name(const char *have, const char *name, const char *suffix)
{
	size_t length = strlen(name);

	return strncmp(have, name, length) == 0 &&
	       strcmp(have + length, suffix) == 0;
}

bool samples_has_name(const char *have, const char *path)
{
	return is_name(fdo_file_base(have), fdo_file_base(path), "") ||
	       is_name(fdo_file_base(have), fdo_file_base(path), deleted);
}

static const struct samples_object *
by_name(const struct samples *samples, const char *path, const char *suffix)
{
	const struct samples_object *found = NULL;

	for (size_t i = 0; i < samples->nobjects; i++)
		if (is_name(samples->objects[i].path, path, suffix))
			return &samples->objects[i];
	for (size_t i = 0; i < samples->nobjects; i++) {
		const struct samples_object *object = &samples->objects[i];

		if (!is_name(fdo_file_base(object->path), fdo_file_base(path),
			     suffix))
			continue;
		if (found)
			return NULL;
		found = object;
	}
	return found;
}

const struct samples_object *samples_object(const struct samples *samples,
					    const char *path,
					    const struct fdo_build_id *build_id)
{
	const struct samples_object *found = NULL;

	if (build_id && build_id->size)
		found = by_build_id(samples, build_id);
	if (found || !path)
		return found;
	found = by_name(samples, path, "");
	return found ? found : by_name(samples, path, deleted);
}

bool samples_was_deleted(const struct samples_object *object)
{
	size_t length = strlen(object->path), end = strlen(deleted);

	return length > end &&
	       strcmp(object->path + length - end, deleted) == 0;
}

const struct samples_value *samples_values_at(const struct samples_object *o,
					      uint64_t offset, uint8_t number,
					      size_t *n_ret)
{
	size_t low = 0, high = o->nvalues, first;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct samples_value *v = &o->values[middle];

		if (v->offset < offset ||
		    (v->offset == offset && v->number < number))
			low = middle + 1;
		else
			high = middle;
	}
	for (first = low; high < o->nvalues; high++)
		if (o->values[high].offset != offset ||
		    o->values[high].number != number)
			break;
	*n_ret = high - first;
	return o->values + first;
}
