/*
 * perfdata.c - from the bytes of a perf.data to a stream of records.
 *
 * Those that are wanted go through the queue, which puts them in order; where
 * the events have no times they are handed out as they come.  perf's own
 * records, with types from 64 on, are not queued: they describe events, end a
 * round or carry something else, in which case they are stepped over.
 */
#include "converter/perf/perfdata.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/error.h"
#include "converter/perf/perfevents.h"
#include "converter/perf/perffile.h"
#include "converter/perf/perfinput.h"
#include "converter/perf/perfqueue.h"
#include "converter/perf/perfrecord.h"
#include "converter/perf/perfstream.h"

enum {
	QUEUE_LIMIT = 1 << 27,
};

struct perfdata {
	struct perffile file;
	struct perfstream stream;
	bool ended;
	struct perfdata_trouble trouble;
	struct perfevents *events;
	struct perfqueue *queue;
	struct perflists lists;
};

struct perfdata *perfdata_open(const char *path, struct fdo_error *err)
{
	struct perfdata *data = fdo_alloc(1, sizeof(*data));
	struct perfinput *input;

	data->events = perfevents_new();
	data->queue = perfqueue_new(QUEUE_LIMIT);
	input = perfinput_open(path, err);
	if (input && perffile_open(input, data->events, &data->file, err)) {
		perfstream_init(&data->stream, input, data->file.end,
				data->file.swap);
		return data;
	}
	perfinput_close(input);
	perfdata_close(data);
	return NULL;
}

void perfdata_close(struct perfdata *data)
{
	if (!data)
		return;
	perfstream_deinit(&data->stream);
	perfevents_free(data->events);
	perfqueue_free(data->queue);
	free(data->lists.branches);
	free(data->lists.chain);
	free(data);
}

void perfdata_read_registers(struct perfdata *data, bool wanted)
{
	data->lists.without_registers = !wanted;
}

uint64_t perfdata_size(const struct perfdata *data)
{
	return perfinput_size(data->stream.input);
}

size_t perfdata_events(const struct perfdata *data)
{
	return data->events->nevents;
}

const struct perfdata_event *perfdata_event(const struct perfdata *data,
					    uint32_t event)
{
	return &data->events->events[event];
}

const struct fdo_build_id *perfdata_build_id(const struct perfdata *data,
					     const char *path)
{
	return perfevents_find_build_id(data->events, path);
}

const char *perfdata_text(const struct perfdata *data, enum perfdata_text text)
{
	return data->events->texts[text];
}

struct perfdata_trouble perfdata_trouble(const struct perfdata *data)
{
	struct perfdata_trouble trouble = data->trouble;

	trouble.late = perfqueue_late(data->queue);
	return trouble;
}

static bool decode(struct perfdata *data, struct cursor *c, uint32_t event,
		   uint64_t time, struct perfdata_record *ret,
		   struct fdo_error *err)
{
	struct perfheader header;

	ret->event = event;
	ret->time = time;
	return perfrecord_header(c, &header, err) &&
	       perfrecord_decode(data->events, &header, c, &data->lists, ret,
				 err);
}

/*
 * A record of the kernel, whole.  *now if it was decoded into *ret at once
 * instead of being queued; perf writes time 0 in what it found at the start.
 */
static bool take_kernel_record(struct perfdata *data,
			       const struct perfheader *header,
			       struct cursor *c, struct perfdata_record *ret,
			       bool *now, struct fdo_error *err)
{
	uint32_t event;
	uint64_t time;

	if (header->type != PERF_RECORD_SAMPLE && !perfrecord_is_wanted(header))
		return true;
	if (!(data->events->checked ||
	      perfevents_check(data->events, c->file, err)) ||
	    !perfrecord_place(data->events, header, c, &event, &time, err))
		return false;
	if (event == PERFDATA_NO_EVENT && header->type == PERF_RECORD_SAMPLE) {
		data->trouble.unknown++;
		return true;
	}
	if (data->events->ordered && time && time != UINT64_MAX) {
		perfqueue_push(data->queue, time, event, 0, c);
		return true;
	}
	*now = true;
	c->at = 0;
	return decode(data, c, event, time, ret, err);
}

/* In a pipe an event is its attribute, whose size is inside, and its ids. */
static bool take_attr(struct perfdata *data, struct cursor *c,
		      struct fdo_error *err)
{
	struct cursor attr, peek = *c;
	uint32_t size;

	if (!data->file.stream)
		return true;
	if (!cursor_skip(&peek, 4, err) || !cursor_u32(&peek, &size, err))
		return false;
	return cursor_part(c, size, &attr, err) &&
	       perfevents_add(data->events, &attr, err) &&
	       perfevents_add_ids(data->events, c, err);
}

static bool take_feature(struct perfdata *data, struct cursor *c,
			 struct fdo_error *err)
{
	uint64_t feature;

	return cursor_u64(c, &feature, err) &&
	       perfevents_feature(data->events, feature, c, err);
}

/* What the first bytes of a file, "PERF", would be as the type of a record. */
enum { BEGINS_AGAIN = 0x46524550 };

/* A record of perf's own; the cursor is behind its header. */
static bool take_own_record(struct perfdata *data,
			    const struct perfheader *header, struct cursor *c,
			    struct fdo_error *err)
{
	switch (header->type) {
	case PERFRECORD_ATTR:
		return take_attr(data, c, err);
	case PERFRECORD_BUILD_ID:
		return perfevents_build_id(data->events, header->misc, c, err);
	case PERFRECORD_FINISHED_ROUND:
		perfqueue_round(data->queue);
		return true;
	case PERFRECORD_AUXTRACE:
		data->trouble.traces++;
		return true;
	case PERFRECORD_STAT:
		return cursor_fail(c, err,
				   "was written by perf stat: it has "
				   "counts, but no samples");
	case PERFRECORD_EVENT_UPDATE:
		return perfevents_update(data->events, c, err);
	case PERFRECORD_FEATURE:
		return take_feature(data, c, err);
	default:
		if (header->type < PERFRECORD_LAST)
			return true;
		if (header->type == BEGINS_AGAIN)
			return cursor_fail(c, err,
					   "another recording begins: each has "
					   "to be read by itself");
		return cursor_fail(c, err, "a record of type %u is not known",
				   header->type);
	}
}

static bool finish(struct perfdata *data, const struct cursor *c,
		   struct fdo_error *err)
{
	if (!perfevents_check(data->events, c->file, err))
		return false;
	data->ended = true;
	perfqueue_end(data->queue);
	return true;
}

/* Take one record of the file; *now if it is in *ret already. */
static bool step(struct perfdata *data, struct perfdata_record *ret, bool *now,
		 struct fdo_error *err)
{
	struct perfheader header;
	struct cursor c;

	if (!perfstream_next(&data->stream, &header, &c, err))
		return false;
	if (!c.size)
		return finish(data, &c, err);
	if (header.type >= PERFRECORD_OWN)
		return take_own_record(data, &header, &c, err);
	if (header.type == 0)
		return cursor_fail(&c, err, "a record has no type");
	return take_kernel_record(data, &header, &c, ret, now, err);
}

bool perfdata_next(struct perfdata *data, struct perfdata_record *ret,
		   struct fdo_error *err)
{
	struct perfqueued queued;
	struct cursor c;
	bool now = false;

	while (!perfqueue_pop(data->queue, &queued)) {
		ret->kind = PERFDATA_END;
		if (data->ended)
			return true;
		if (!step(data, ret, &now, err))
			return false;
		if (now)
			return true;
	}
	perfstream_place(&data->stream, queued.bytes, queued.size, queued.place,
			 &c);
	return decode(data, &c, queued.event, queued.time, ret, err);
}
