/*
 * aggregate.c - the records of one perf.data.
 */
#include "converter/perf/aggregate_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "converter/perf/addrmap.h"
#include "converter/perf/events.h"
#include "converter/perf/firsts.h"
#include "converter/perf/perfdata.h"
#include "converter/perf/registers.h"
#include "converter/perf/stacks.h"
#include "converter/perf/stuck.h"

/*
 * What registers tell are shares, and what they tell wrong is wrong in all of
 * them: those of so many bytes of a file are enough, 250,000 samples of those
 * that samplefdo record makes.  Of a larger file, as many are taken, from
 * everywhere in it.
 */
enum { REGISTERS_BYTES = 50 << 20 };

static bool is_file(const char *path)
{
	static const char *const others[] = {
		"//", "/dev/zero", "/memfd:", "/SYSV", "/anon_hugepage",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strncmp(path, others[i], strlen(others[i])) == 0)
			return false;
	return path[0] == '/';
}

/* A program may run from memory that is a file (memfd_create(2)). */
static bool is_known(const struct perfdata_map *map)
{
	return is_file(map->path) ||
	       (strncmp(map->path, "/memfd:", 7) == 0 && map->build_id.size);
}

static bool is_of_user(const struct perfdata_record *r)
{
	return r->mode == PERFDATA_USER || r->mode == PERFDATA_UNKNOWN;
}

static bool is_of_kernel(const struct reading *reading,
			 const struct perfdata_record *r)
{
	return r->mode == PERFDATA_KERNEL && reading->state->takes_kernel;
}

static uint32_t object_of(struct reading *reading, const char *path,
			  const struct fdo_build_id *build_id)
{
	return tally_object(&reading->tally,
			    fdo_intern(reading->state->strings, path),
			    build_id);
}

static struct addrmap_range range_of(const struct perfdata_map *map)
{
	struct addrmap_range range = {
		.start = map->start,
		.offset = map->offset,
		.object = ADDRMAP_NO_FILE,
	};

	if (__builtin_add_overflow(map->start, map->size, &range.end))
		range.end = UINT64_MAX;
	return range;
}

/*
 * perf names the kernel, and behind that the symbol whose address stands where
 * others have an offset: _text or _stext, the same place on x86-64.  Modules
 * are others; but nobody can name them, so they are of no file.
 */
static void take_kernel(struct reading *reading, const struct perfdata_map *map)
{
	struct addrmap_range range = range_of(map);

	if (strncmp(map->path, SAMPLES_KERNEL, strlen(SAMPLES_KERNEL)) == 0) {
		range.offset = map->start - map->offset;
		range.object =
			object_of(reading, SAMPLES_KERNEL, &map->build_id);
	}
	addrmap_map(reading->maps, 0, &range);
}

static void take_map(struct reading *reading, const struct perfdata_record *r)
{
	struct addrmap_range range = range_of(&r->map);

	if (is_of_kernel(reading, r) && addrmap_is_kernel(range.start))
		take_kernel(reading, &r->map);
	if (!is_of_user(r))
		return;
	if (is_known(&r->map))
		range.object =
			object_of(reading, r->map.path, &r->map.build_id);
	addrmap_map(reading->maps, r->pid, &range);
}

struct event_sums *aggregate_sums(struct reading *reading, uint32_t event)
{
	while (reading->nevents <= event) {
		reading->events = fdo_grow(reading->events, reading->nevents,
					   &reading->events_room,
					   sizeof(*reading->events));
		reading->events[reading->nevents++] = (struct event_sums){ 0 };
	}
	return &reading->events[event];
}

/* The sums of an event, which say what it means. */
static struct event_sums *known_sums(struct reading *reading, uint32_t event)
{
	const struct samples_state *state = reading->state;
	struct event_sums *sums = aggregate_sums(reading, event);
	struct event_meaning meaning;

	if (sums->known)
		return sums;
	meaning = event_meaning(perfdata_event(reading->data, event)->name,
				state->rules, state->nrules);
	sums->known = true;
	sums->steps = strcmp(meaning.role, "steps") == 0;
	sums->faults = strcmp(meaning.role, "faults") == 0;
	sums->timed = sums->steps || strcmp(meaning.role, "cycles") == 0;
	sums->clock = meaning.nanoseconds;
	return sums;
}

/* The samples of a burst are of one moment, the oldest first. */
static enum stacks_kind kind_of(struct reading *reading,
				const struct perfdata_record *r)
{
	struct moment moment = { r->time, r->pid, r->tid };
	bool goes_on;

	if (!known_sums(reading, r->event)->steps)
		return STACKS_SAMPLE;
	goes_on = moment.time && reading->burst.time == moment.time &&
		  reading->burst.pid == moment.pid &&
		  reading->burst.tid == moment.tid;
	reading->burst = moment;
	return goes_on ? STACKS_GOES_ON : STACKS_BURST;
}

static void take_stack(struct reading *reading, const struct perfdata_record *r)
{
	struct samples_stacks *totals = &reading->totals.stacks;
	enum stacks_kind kind = kind_of(reading, r);

	if (perfdata_event(reading->data, r->event)->history)
		stacks_add(&reading->tally, reading->maps, r,
			   totals->stacks - (kind == STACKS_GOES_ON), kind,
			   totals);
	else
		totals->filtered++;
}

const struct fdo_build_id *aggregate_build_id(struct reading *reading,
					      const struct tally_object *object)
{
	const struct fdo_build_id *found;

	if (object->build_id.size)
		return &object->build_id;
	if (reading->named == object->path)
		return &reading->build_id;
	found = perfdata_build_id(reading->data, object->path);
	if (!found)
		return &object->build_id;
	reading->named = object->path;
	reading->build_id = *found;
	return &reading->build_id;
}

static void take_values(struct reading *reading, struct tally_object *object,
			uint64_t offset, const struct perfdata_sample *sample)
{
	const struct samples_state *state = reading->state;

	if (!registers_asked(object->registers, offset))
		registers_ask(
			object->registers, offset,
			state->watched(state->watcher, object->path,
				       aggregate_build_id(reading, object),
				       offset));
	registers_add(object->registers, offset, sample->known,
		      sample->registers);
}

static void take_outcomes(struct reading *reading, struct tally_object *object,
			  uint64_t offset, const struct perfdata_record *r)
{
	const struct samples_state *state = reading->state;
	bool timed = known_sums(reading, r->event)->timed;
	struct samples_outcome told[SAMPLES_TOLD];
	size_t n = state->told(state->teller, object->path,
			       aggregate_build_id(reading, object), offset,
			       &r->sample, told);

	for (size_t i = 0; i < n; i++)
		registers_add_value(object->registers, told[i].offset,
				    timed ? SAMPLES_OUTCOME
					  : SAMPLES_OUTCOME_OTHER,
				    told[i].outcome);
	reading->totals.told += n > 0;
}

/* Where a sample's address is; NULL: in no object. */
static struct tally_object *find_object(struct reading *reading,
					const struct perfdata_record *r,
					uint64_t *offset)
{
	const struct addrmap_range *range =
		addrmap_find(reading->maps, r->pid, r->sample.ip);

	if (!range || range->object == ADDRMAP_NO_FILE)
		return NULL;
	*offset = addrmap_offset(range, r->sample.ip);
	return &reading->tally.objects[range->object];
}

static void take_registers(struct reading *reading,
			   const struct perfdata_record *r)
{
	uint64_t offset;
	struct tally_object *object = find_object(reading, r, &offset);

	if (!object)
		return;
	reading->totals.registers++;
	if (!object->registers)
		object->registers = registers_new();
	if (reading->state->watched)
		take_values(reading, object, offset, &r->sample);
	if (reading->state->told && !r->sample.exact)
		take_outcomes(reading, object, offset, r);
}

/* So many other samples at the address do not count. */
static void owe(struct reading *reading, const struct perfdata_record *r,
		uint64_t samples)
{
	uint64_t offset;
	struct tally_object *object = find_object(reading, r, &offset);

	if (samples && object)
		tally_owe(object, offset, r->event, samples);
}

/* A page fault says nothing of how often code runs, but that it does. */
static void take_fault(struct reading *reading, const struct perfdata_record *r)
{
	stuck_fault(reading->stuck, r->tid, &r->sample);
	firsts_ran(&reading->tally, reading->maps, r,
		   firsts_time(reading->maps, r));
}

/* No sample that counts: of a page fault, or where the thread waited. */
static bool take_waiting(struct reading *reading, const struct event_sums *sums,
			 const struct perfdata_record *r)
{
	uint64_t stuck;

	if (sums->faults) {
		reading->totals.faults++;
		if (is_of_user(r))
			take_fault(reading, r);
		return true;
	}
	if (reading->state->keeps_all || !sums->clock || !is_of_user(r))
		return false;
	stuck = stuck_sample(reading->stuck, r->tid, r->event, &r->sample);
	if (stuck == 0)
		return false;
	reading->totals.read++;
	reading->totals.stuck++;
	owe(reading, r, stuck - 1);
	return true;
}

/*
 * Two clocks that are started together go off together, and the second one's
 * sample is of what the program did since the first one's: next to nothing.
 */
static bool take_doubled(struct reading *reading, const struct event_sums *sums,
			 const struct perfdata_record *r)
{
	if (reading->state->keeps_all || !sums->clock || !sums->timed ||
	    !is_of_user(r))
		return false;
	if (!reading->clock)
		reading->clock = 1 + r->event;
	if (reading->clock == 1 + r->event)
		return false;
	reading->totals.read++;
	reading->totals.doubled++;
	return true;
}

static void take_sample(struct reading *reading,
			const struct perfdata_record *r)
{
	struct event_sums *sums = known_sums(reading, r->event);
	struct samples_count one = { 1, r->sample.period };
	const struct addrmap_range *range;
	uint64_t time = firsts_time(reading->maps, r);

	if (take_doubled(reading, sums, r) || take_waiting(reading, sums, r)) {
		tally_count_add(&sums->read, one);
		return;
	}
	if (r->sample.known && (is_of_user(r) || is_of_kernel(reading, r)))
		take_registers(reading, r);
	if (sums->steps && r->sample.known && !r->sample.period)
		return;
	tally_count_add(&sums->read, one);
	reading->totals.read++;
	if (r->sample.nbranches > 0)
		take_stack(reading, r);
	if (r->sample.nchain > 0 || r->sample.nbranches > 0)
		firsts_take(&reading->tally, reading->maps, r, time);
	if (!is_of_user(r) && !is_of_kernel(reading, r)) {
		reading->totals.kernel++;
		return;
	}
	range = addrmap_find(reading->maps, r->pid, r->sample.ip);
	if (!range) {
		reading->totals.unmapped++;
		return;
	}
	if (range->object == ADDRMAP_NO_FILE) {
		reading->totals.anonymous++;
		return;
	}
	reading->totals.mapped++;
	sums->mapped++;
	tally_add(&reading->tally.objects[range->object],
		  addrmap_offset(range, r->sample.ip), r->event, one, time);
}

static void take_fork(struct reading *reading, const struct perfdata_record *r)
{
	if (r->fork.empty && r->pid != r->fork.pid)
		addrmap_begin(reading->maps, r->pid, 0);
	else
		addrmap_fork(reading->maps, r->pid, r->fork.pid);
}

static void take_lost(struct reading *reading, const struct perfdata_record *r)
{
	uint64_t *sum = &reading->totals.lost;

	if (r->lost.samples && r->event != PERFDATA_NO_EVENT)
		sum = &aggregate_sums(reading, r->event)->lost;
	*sum = tally_sum(*sum, r->lost.count);
}

static void take(struct reading *reading, const struct perfdata_record *r)
{
	switch (r->kind) {
	case PERFDATA_SAMPLE:
		take_sample(reading, r);
		break;
	case PERFDATA_MAP:
		take_map(reading, r);
		break;
	case PERFDATA_COMM:
		if (r->comm.exec)
			addrmap_begin(reading->maps, r->pid, r->time);
		break;
	case PERFDATA_FORK:
		take_fork(reading, r);
		break;
	case PERFDATA_EXIT:
		addrmap_exit(reading->maps, r->pid, r->tid);
		break;
	case PERFDATA_LOST:
		take_lost(reading, r);
		break;
	case PERFDATA_THROTTLE:
		reading->totals.throttled++;
		break;
	case PERFDATA_END:
		break;
	}
}

/* By the golden ratio: evenly, and in step with nothing that is recorded. */
static void choose_registers(struct reading *reading)
{
	reading->turn += 0x9e3779b9u;
	perfdata_read_registers(reading->data, reading->turn <= reading->share);
}

static uint32_t share_of_registers(const struct perfdata *data)
{
	uint64_t size = perfdata_size(data);

	return size <= REGISTERS_BYTES ? UINT32_MAX
				       : (uint32_t)((double)UINT32_MAX *
						    REGISTERS_BYTES / size);
}

static bool read_records(struct reading *reading, struct fdo_error *err)
{
	struct perfdata_record r;

	reading->share = share_of_registers(reading->data);
	do {
		choose_registers(reading);
		if (!perfdata_next(reading->data, &r, err))
			return false;
		take(reading, &r);
	} while (r.kind != PERFDATA_END);
	return true;
}

bool samples_read(struct samples *samples, const char *path,
		  struct fdo_error *err)
{
	struct reading reading = {
		.samples = samples,
		.state = samples->state,
		.data = perfdata_open(path, err),
	};
	bool done;

	if (!reading.data)
		return false;
	reading.maps = addrmap_new();
	reading.stuck = stuck_new();
	done = read_records(&reading, err) &&
	       aggregate_file(&reading, path, err);
	addrmap_free(reading.maps);
	stuck_free(reading.stuck);
	perfdata_close(reading.data);
	tally_clear(&reading.tally);
	free(reading.events);
	return done;
}
