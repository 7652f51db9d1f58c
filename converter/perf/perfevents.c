/*
 * perfevents.c - events and their layout, from attributes, ids and features.
 *
 * Where the id and the time are in a record depends on the bits of the
 * event's sample_type.  The id is needed first, to know the event: so all
 * events must have it in the same place, which perf takes care of.
 */
#include "converter/perf/perfevents.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"

enum {
	ATTR_SIZE_MIN = 64,
	ATTR_UNUSED = 24, /* from the bits to branch_type; once 16 */
	BIT_EXCLUDE_USER = 4,
	BIT_EXCLUDE_KERNEL = 5,
	BIT_FREQ = 10,
	BIT_SAMPLE_ID_ALL = 18,
	UPDATE_NAME = 2,
	COMPRESSION_ZSTD = 1,
	MISC_BUILD_ID_SIZE = 1 << 15,
};

struct perfevents_build_id {
	const char *path;
	struct fdo_build_id id;
};

struct perfevents *perfevents_new(void)
{
	struct perfevents *events = fdo_alloc(1, sizeof(*events));

	events->by_id = fdo_map_new();
	events->by_path = fdo_map_new();
	events->strings = fdo_strings_new();
	return events;
}

void perfevents_free(struct perfevents *events)
{
	if (!events)
		return;
	fdo_map_free(events->by_id);
	fdo_map_free(events->by_path);
	fdo_strings_free(events->strings);
	free(events->events);
	free(events->attrs);
	free(events->build_ids);
	free(events);
}

bool perfevents_bits(struct cursor *c, uint64_t *ret, struct fdo_error *err)
{
	uint64_t bits;

	if (!cursor_u64(c, &bits, err))
		return false;
	if (!c->swap) {
		*ret = bits;
		return true;
	}
	*ret = 0;
	for (int i = 0; i < 64; i++)
		*ret |= (bits >> (63 - i) & 1) << i;
	return true;
}

/*
 * Bytes of the fields in a sample that stand before the one of the bit; -1:
 * it has none.  Without a bit, of all whose place is always the same.
 */
static int before(uint64_t sample_type, uint64_t bit)
{
	static const uint64_t order[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,	  PERF_SAMPLE_TID,
		PERF_SAMPLE_TIME,	PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
		PERF_SAMPLE_STREAM_ID,	PERF_SAMPLE_CPU,  PERF_SAMPLE_PERIOD,
	};
	int at = 0;

	if (bit && !(sample_type & bit))
		return -1;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (order[i] == bit)
			break;
		if (sample_type & order[i])
			at += 8;
	}
	return at;
}

/* Bytes from the field of the bit to the end of a sample_id. */
static int from_end(uint64_t sample_type, uint64_t bit, size_t *size)
{
	static const uint64_t order[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_CPU,  PERF_SAMPLE_STREAM_ID,
		PERF_SAMPLE_ID,		PERF_SAMPLE_TIME, PERF_SAMPLE_TID,
	};
	int at = -1;

	*size = 0;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!(sample_type & order[i]))
			continue;
		*size += 8;
		if (order[i] == bit)
			at = *size;
	}
	return at;
}

static void lay_out(struct perfattr *attr)
{
	uint64_t type = attr->sample_type;
	uint64_t id = type & PERF_SAMPLE_IDENTIFIER ? PERF_SAMPLE_IDENTIFIER
						    : PERF_SAMPLE_ID;

	attr->fixed_size = before(type, 0);
	attr->ip_at = before(type, PERF_SAMPLE_IP);
	attr->tid_at = before(type, PERF_SAMPLE_TID);
	attr->period_at = before(type, PERF_SAMPLE_PERIOD);
	attr->id_at = before(type, id);
	attr->time_at = before(type, PERF_SAMPLE_TIME);
	attr->id_from_end = from_end(type, id, &attr->sample_id_size);
	attr->time_from_end =
		from_end(type, PERF_SAMPLE_TIME, &attr->sample_id_size);
	if (!attr->id_all) {
		attr->id_from_end = attr->time_from_end = -1;
		attr->sample_id_size = 0;
	}
}

static const char *hardware_name(uint64_t config)
{
	static const char *const names[] = {
		"cycles",
		"instructions",
		"cache-references",
		"cache-misses",
		"branches",
		"branch-misses",
		"bus-cycles",
		"stalled-cycles-frontend",
		"stalled-cycles-backend",
		"ref-cycles",
	};

	return config < sizeof(names) / sizeof(names[0]) ? names[config] : NULL;
}

static const char *software_name(uint64_t config)
{
	static const char *const names[] = {
		"cpu-clock",	    "task-clock",
		"page-faults",	    "context-switches",
		"cpu-migrations",   "minor-faults",
		"major-faults",	    "alignment-faults",
		"emulation-faults", "dummy",
		"bpf-output",	    "cgroup-switches",
	};

	return config < sizeof(names) / sizeof(names[0]) ? names[config] : NULL;
}

static void make_up_name(struct perfevents *events,
			 struct perfdata_event *event, uint64_t bits)
{
	char text[64];
	const char *name = NULL, *modifier = "";

	if (event->type == PERF_TYPE_HARDWARE)
		name = hardware_name(event->config);
	if (event->type == PERF_TYPE_SOFTWARE)
		name = software_name(event->config);
	if (bits >> BIT_EXCLUDE_KERNEL & 1)
		modifier = ":u";
	else if (bits >> BIT_EXCLUDE_USER & 1)
		modifier = ":k";
	if (name)
		snprintf(text, sizeof(text), "%s%s", name, modifier);
	else if (event->type == PERF_TYPE_RAW)
		snprintf(text, sizeof(text), "r%llx%s",
			 (unsigned long long)event->config, modifier);
	else
		snprintf(text, sizeof(text), "type-%u-config-0x%llx%s",
			 event->type, (unsigned long long)event->config,
			 modifier);
	event->name = fdo_intern(events->strings, text);
}

/* The fields of struct perf_event_attr, as far as the writer knew them. */
static bool read_attr(struct cursor *c, struct perfdata_event *event,
		      struct perfattr *attr, uint64_t *bits,
		      struct fdo_error *err)
{
	size_t unused;
	uint32_t size;

	if (!cursor_u32(c, &event->type, err) || !cursor_u32(c, &size, err) ||
	    !cursor_u64(c, &event->config, err) ||
	    !cursor_u64(c, &event->period, err) ||
	    !cursor_u64(c, &attr->sample_type, err) ||
	    !cursor_u64(c, &attr->read_format, err) ||
	    !perfevents_bits(c, bits, err))
		return false;
	unused = cursor_left(c) < ATTR_UNUSED ? cursor_left(c) : ATTR_UNUSED;
	if (!cursor_skip(c, unused, err))
		return false;
	if (cursor_left(c) >= 8 && !cursor_u64(c, &attr->branch_type, err))
		return false;
	/* Behind the first of these, the size of the stack and a clock. */
	if (cursor_left(c) >= 8 && !cursor_u64(c, &attr->user_registers, err))
		return false;
	return cursor_left(c) < 16 ||
	       (cursor_skip(c, 8, err) && cursor_u64(c, &attr->registers, err));
}

/* A filter leaves branches out; a stack of calls is no history. */
static bool keeps_history(const struct perfattr *attr)
{
	return attr->sample_type & PERF_SAMPLE_BRANCH_STACK &&
	       attr->branch_type & PERF_SAMPLE_BRANCH_ANY &&
	       !(attr->branch_type & PERF_SAMPLE_BRANCH_CALL_STACK);
}

bool perfevents_add(struct perfevents *events, struct cursor *c,
		    struct fdo_error *err)
{
	struct perfdata_event event = { 0 };
	struct perfattr attr = { 0 };
	uint64_t bits;

	if (cursor_left(c) < ATTR_SIZE_MIN)
		return cursor_fail(c, err,
				   "an event's description of %zu "
				   "bytes is too short",
				   cursor_left(c));
	if (events->nevents == PERFDATA_EVENTS_MOST)
		return cursor_fail(c, err,
				   "more than %d events are not supported",
				   PERFDATA_EVENTS_MOST);
	if (!read_attr(c, &event, &attr, &bits, err))
		return false;
	if (bits >> BIT_FREQ & 1)
		event.period = 0;
	event.dummy = event.type == PERF_TYPE_SOFTWARE &&
		      event.config == PERF_COUNT_SW_DUMMY;
	event.history = keeps_history(&attr);
	attr.id_all = bits >> BIT_SAMPLE_ID_ALL & 1;
	lay_out(&attr);
	event.measured = event.period || attr.period_at >= 0;
	make_up_name(events, &event, bits);

	events->events = fdo_grow(events->events, events->nevents,
				  &events->events_room, sizeof(event));
	events->attrs = fdo_grow(events->attrs, events->nevents,
				 &events->attrs_room, sizeof(attr));
	events->events[events->nevents] = event;
	events->attrs[events->nevents++] = attr;
	events->checked = false;
	return true;
}

bool perfevents_add_ids(struct perfevents *events, struct cursor *c,
			struct fdo_error *err)
{
	uint64_t id;

	while (cursor_left(c)) {
		if (!cursor_u64(c, &id, err))
			return false;
		*fdo_map_at(events->by_id, id) = events->nevents - 1;
		events->near[id % PERFEVENTS_NEAR] =
			(struct perfevents_id){ id, events->nevents - 1 };
	}
	return true;
}

uint32_t perfevents_find(const struct perfevents *events, uint64_t id)
{
	const uint64_t *event;

	if (id == 0 || events->nevents == 1)
		return 0;
	event = fdo_map_get(events->by_id, id);
	return event ? *event : PERFDATA_NO_EVENT;
}

static void set_name(struct perfevents *events, uint32_t event,
		     const char *name)
{
	events->events[event].name = fdo_intern(events->strings, name);
}

bool perfevents_check(struct perfevents *events, const char *file,
		      struct fdo_error *err)
{
	const struct perfattr *first = events->attrs;

	if (events->checked)
		return true;
	if (!events->nevents)
		return fdo_fail(err,
				"%s: describes no events before its "
				"records",
				file);
	events->ordered = true;
	for (size_t i = 0; i < events->nevents; i++) {
		const struct perfattr *attr = &events->attrs[i];

		if (events->nevents > 1 &&
		    (attr->id_at < 0 || attr->id_at != first->id_at ||
		     attr->id_from_end != first->id_from_end))
			return fdo_fail(err,
					"%s: has %zu events, but its "
					"samples do not say of which they "
					"are",
					file, events->nevents);
		if (attr->time_at < 0 || attr->time_from_end < 0)
			events->ordered = false;
	}
	events->checked = true;
	return true;
}

/* Length and characters; the length counts padding as well. */
static bool read_text(struct perfevents *events, struct cursor *c,
		      const char **ret, struct fdo_error *err)
{
	struct cursor part;
	const char *text;
	uint32_t length;

	if (!cursor_u32(c, &length, err) ||
	    !cursor_part(c, length, &part, err) ||
	    !cursor_string(&part, &text, err))
		return false;
	*ret = fdo_intern(events->strings, text);
	return true;
}

static bool read_build_ids(struct perfevents *events, struct cursor *c,
			   struct fdo_error *err)
{
	while (cursor_left(c)) {
		struct cursor record;
		uint32_t type;
		uint16_t misc, size;

		if (!cursor_u32(c, &type, err) || !cursor_u16(c, &misc, err) ||
		    !cursor_u16(c, &size, err))
			return false;
		if (size < 8)
			return cursor_fail(c, err,
					   "a build-id of %u bytes is "
					   "too short",
					   size);
		if (!cursor_part(c, size - 8, &record, err) ||
		    !perfevents_build_id(events, misc, &record, err))
			return false;
	}
	return true;
}

/* Of an old perf the last four bytes of a long id are zero. */
static struct fdo_build_id make_build_id(const unsigned char *bytes,
					 uint16_t misc)
{
	return fdo_build_id(bytes, misc & MISC_BUILD_ID_SIZE
					   ? bytes[FDO_BUILD_ID_MAX]
					   : FDO_BUILD_ID_MAX);
}

static void add_build_id(struct perfevents *events, const char *path,
			 const struct fdo_build_id *id)
{
	uint64_t *at = fdo_map_at(events->by_path, fdo_hash_text(path));

	if (*at) {
		struct perfevents_build_id *old = &events->build_ids[*at - 1];

		/* Two files of one name: it is not known which is meant. */
		if (fdo_build_id_compare(&old->id, id) != 0)
			old->id.size = 0;
		return;
	}
	events->build_ids =
		fdo_grow(events->build_ids, events->nbuild_ids,
			 &events->build_ids_room, sizeof(*events->build_ids));
	events->build_ids[events->nbuild_ids++] = (struct perfevents_build_id){
		.path = fdo_intern(events->strings, path),
		.id = *id,
	};
	*at = events->nbuild_ids;
}

bool perfevents_build_id(struct perfevents *events, uint16_t misc,
			 struct cursor *c, struct fdo_error *err)
{
	struct fdo_build_id id;
	const void *bytes = NULL;
	const char *path;

	if (!cursor_skip(c, 4, err) || !cursor_bytes(c, 24, &bytes, err) ||
	    !cursor_string(c, &path, err))
		return false;
	id = make_build_id(bytes, misc);
	add_build_id(events, path, &id);
	return true;
}

const struct fdo_build_id *
perfevents_find_build_id(const struct perfevents *events, const char *path)
{
	const uint64_t *at = fdo_map_get(events->by_path, fdo_hash_text(path));
	const struct perfevents_build_id *found;

	if (!at)
		return NULL;
	found = &events->build_ids[*at - 1];
	return found->id.size && strcmp(found->path, path) == 0 ? &found->id
								: NULL;
}

/* Version, type, level, ratio and length of the buffer. */
static bool check_compression(struct cursor *c, struct fdo_error *err)
{
	uint32_t version, type;

	if (!cursor_u32(c, &version, err) || !cursor_u32(c, &type, err))
		return false;
	if (type != COMPRESSION_ZSTD)
		return cursor_fail(c, err,
				   "compression %u is not supported, "
				   "only zstd",
				   type);
	return true;
}

/* Names in the order of the events, as perf writes both from one list. */
static bool read_descriptions(struct perfevents *events, struct cursor *c,
			      struct fdo_error *err)
{
	uint32_t count, attr_size, nids;
	const char *name;

	if (!cursor_u32(c, &count, err) || !cursor_u32(c, &attr_size, err))
		return false;
	if (count != events->nevents)
		return cursor_fail(c, err,
				   "%u events have names, but there "
				   "are %zu",
				   count, events->nevents);
	for (uint32_t i = 0; i < count; i++) {
		if (!cursor_skip(c, attr_size, err) ||
		    !cursor_u32(c, &nids, err) ||
		    !read_text(events, c, &name, err) ||
		    !cursor_skip(c, (size_t)nids * 8, err))
			return false;
		set_name(events, i, name);
	}
	return true;
}

bool perfevents_feature(struct perfevents *events, uint64_t feature,
			struct cursor *c, struct fdo_error *err)
{
	const char **texts = events->texts;

	switch (feature) {
	case FEATURE_BUILD_ID:
		return read_build_ids(events, c, err);
	case FEATURE_HOSTNAME:
		return read_text(events, c, &texts[PERFDATA_HOSTNAME], err);
	case FEATURE_OSRELEASE:
		return read_text(events, c, &texts[PERFDATA_OSRELEASE], err);
	case FEATURE_ARCH:
		return read_text(events, c, &texts[PERFDATA_ARCH], err);
	case FEATURE_CPUDESC:
		return read_text(events, c, &texts[PERFDATA_CPUDESC], err);
	case FEATURE_CPUID:
		return read_text(events, c, &texts[PERFDATA_CPUID], err);
	case FEATURE_EVENT_DESC:
		return read_descriptions(events, c, err);
	case FEATURE_STAT:
		return cursor_fail(c, err,
				   "was written by perf stat: it has "
				   "counts, but no samples");
	case FEATURE_COMPRESSED:
		return check_compression(c, err);
	default:
		return true;
	}
}

bool perfevents_update(struct perfevents *events, struct cursor *c,
		       struct fdo_error *err)
{
	uint64_t type, id;
	uint32_t event;
	const char *name;

	if (!cursor_u64(c, &type, err) || !cursor_u64(c, &id, err))
		return false;
	event = perfevents_by_id(events, id);
	if (type != UPDATE_NAME || event >= events->nevents)
		return true;
	if (!cursor_string(c, &name, err))
		return false;
	set_name(events, event, name);
	return true;
}
