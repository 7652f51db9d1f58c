/*
 * perfdata.c - from the bytes of a perf.data to a stream of records.
 *
 * A record comes from the input, or is unpacked from a compressed record of
 * it.  Those that are wanted go through the queue, which puts them in order;
 * where the events have no times they are handed out as they come.  perf's own
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
#include "converter/perf/perfunpack.h"

enum {
	QUEUE_LIMIT = 1 << 27,
};

/* perf's own records, as far as they are not only stepped over. */
enum {
	RECORD_USER = 64,
	RECORD_ATTR = 64,
	RECORD_TRACING_DATA = 66,
	RECORD_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_AUXTRACE = 71,
	RECORD_STAT = 76,
	RECORD_EVENT_UPDATE = 78,
	RECORD_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
	RECORD_LAST = 96, /* numbers in use at some time to come */
};

struct perfdata {
	struct perffile file;
	struct perfinput *input;
	bool unpacking;
	bool ended;
	const unsigned char *bytes; /* of the input, that are ready */
	size_t ready;		    /* so many */
	uint64_t place;		    /* theirs in the input */
	uint64_t taken; /* of them, or even more, up to the next record */
	struct perfdata_trouble trouble;
	struct perfevents *events;
	struct perfqueue *queue;
	struct perfunpack *unpack; /* NULL: nothing is compressed */
	struct perflists lists;
};

struct perfdata *perfdata_open(const char *path, struct fdo_error *err)
{
	struct perfdata *data = fdo_alloc(1, sizeof(*data));

	data->events = perfevents_new();
	data->queue = perfqueue_new(QUEUE_LIMIT);
	data->input = perfinput_open(path, err);
	if (data->input &&
	    perffile_open(data->input, data->events, &data->file, err)) {
		data->place = perfinput_position(data->input);
		return data;
	}
	perfdata_close(data);
	return NULL;
}

void perfdata_close(struct perfdata *data)
{
	if (!data)
		return;
	perfinput_close(data->input);
	perfevents_free(data->events);
	perfqueue_free(data->queue);
	perfunpack_free(data->unpack);
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
	return perfinput_size(data->input);
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

/* The records whose header does not have the whole length. */
static bool skip_tail(struct perfdata *data, const struct perfheader *header,
		      struct cursor *c, struct fdo_error *err)
{
	uint64_t tail;
	uint32_t size;

	if (header->type == RECORD_TRACING_DATA) {
		if (!cursor_u32(c, &size, err))
			return false;
		tail = ((uint64_t)size + 7) / 8 * 8;
	} else if (!cursor_u64(c, &tail, err)) {
		return false;
	}
	if (data->unpacking)
		return cursor_fail(c, err,
				   "a record of type %u is in a compressed "
				   "record",
				   header->type);
	if (tail > data->file.end - (c->base + c->size))
		return cursor_fail(c, err,
				   "%llu bytes from here on are not in "
				   "the file",
				   (unsigned long long)tail);
	data->taken += tail;
	data->trouble.traces += header->type == RECORD_AUXTRACE;
	return true;
}

static bool take_feature(struct perfdata *data, struct cursor *c,
			 struct fdo_error *err)
{
	uint64_t feature;

	return cursor_u64(c, &feature, err) &&
	       perfevents_feature(data->events, feature, c, err);
}

static bool take_compressed(struct perfdata *data,
			    const struct perfheader *header, struct cursor *c,
			    struct fdo_error *err)
{
	struct cursor payload = *c;
	uint64_t size = cursor_left(c);

	if (data->unpacking)
		return cursor_fail(c, err,
				   "compressed records are in "
				   "compressed records");
	if (header->type == RECORD_COMPRESSED2) {
		if (!cursor_u64(c, &size, err))
			return false;
		if (!cursor_part(c, size, &payload, err))
			return false;
	} else if (!cursor_part(c, size, &payload, err)) {
		return false;
	}
	if (!data->unpack)
		data->unpack = perfunpack_new();
	perfunpack_feed(data->unpack, &payload);
	data->unpacking = true;
	return true;
}

/* What the first bytes of a file, "PERF", would be as the type of a record. */
enum { BEGINS_AGAIN = 0x46524550 };

/* A record of perf's own; the cursor is behind its header. */
static bool take_own_record(struct perfdata *data,
			    const struct perfheader *header, struct cursor *c,
			    struct fdo_error *err)
{
	switch (header->type) {
	case RECORD_ATTR:
		return take_attr(data, c, err);
	case RECORD_BUILD_ID:
		return perfevents_build_id(data->events, header->misc, c, err);
	case RECORD_FINISHED_ROUND:
		perfqueue_round(data->queue);
		return true;
	case RECORD_TRACING_DATA:
	case RECORD_AUXTRACE:
		return skip_tail(data, header, c, err);
	case RECORD_STAT:
		return cursor_fail(c, err,
				   "was written by perf stat: it has "
				   "counts, but no samples");
	case RECORD_EVENT_UPDATE:
		return perfevents_update(data->events, c, err);
	case RECORD_FEATURE:
		return take_feature(data, c, err);
	case RECORD_COMPRESSED:
	case RECORD_COMPRESSED2:
		return take_compressed(data, header, c, err);
	default:
		if (header->type < RECORD_LAST)
			return true;
		if (header->type == BEGINS_AGAIN)
			return cursor_fail(c, err,
					   "another recording begins: each has "
					   "to be read by itself");
		return cursor_fail(c, err, "a record of type %u is not known",
				   header->type);
	}
}

/* Of the input, what is behind that which was taken: at least so much. */
static bool fill(struct perfdata *data, size_t size, struct fdo_error *err)
{
	size_t got;

	if (!perfinput_skip(data->input, data->taken, err) ||
	    !perfinput_peek(data->input, size, &data->bytes, &got, err))
		return false;
	data->place = perfinput_position(data->input);
	data->ready = perfinput_ready(data->input, &data->bytes);
	data->taken = 0;
	return true;
}

/* The cursor on what comes next: less than the size only if there is less. */
static bool look(struct perfdata *data, size_t size, struct cursor *c,
		 struct fdo_error *err)
{
	if (data->taken + size > data->ready && !fill(data, size, err))
		return false;
	c->data = data->bytes + data->taken;
	c->size = data->ready - data->taken;
	return true;
}

/*
 * The next whole record of the input as a cursor behind its header; of size 0
 * at the end.
 */
static bool next_of_input(struct perfdata *data, struct perfheader *header,
			  struct cursor *ret, struct fdo_error *err)
{
	uint64_t place = data->place + data->taken;

	perffile_place(&data->file, NULL, 0, place, ret);
	if (place == data->file.end)
		return true;
	if (!look(data, PERFRECORD_HEADER, ret, err))
		return false;
	if (ret->size == 0 && data->file.stream)
		return true;
	if (!perfrecord_header(ret, header, err))
		return false;
	ret->at = 0;
	if (header->size > data->file.end - place)
		return cursor_fail(ret, err, "the last record is cut");
	if (!look(data, header->size, ret, err))
		return false;
	if (ret->size < header->size)
		return cursor_fail(ret, err, "the last record is cut");
	ret->size = header->size;
	ret->at = PERFRECORD_HEADER;
	data->taken += header->size;
	return true;
}

/* From the compressed record that is being unpacked, or else the input. */
static bool next_whole(struct perfdata *data, struct perfheader *header,
		       struct cursor *ret, struct fdo_error *err)
{
	if (data->unpacking) {
		if (!perfunpack_next(data->unpack, ret, err))
			return false;
		if (ret->size)
			return perfrecord_header(ret, header, err);
		data->unpacking = false;
	}
	return next_of_input(data, header, ret, err);
}

static bool finish(struct perfdata *data, const struct cursor *c,
		   struct fdo_error *err)
{
	if (data->unpack && perfunpack_is_pending(data->unpack))
		return cursor_fail(c, err,
				   "the last compressed record is "
				   "cut");
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

	if (!next_whole(data, &header, &c, err))
		return false;
	if (!c.size)
		return finish(data, &c, err);
	if (header.type >= RECORD_USER)
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
	perffile_place(&data->file, queued.bytes, queued.size, queued.place,
		       &c);
	return decode(data, &c, queued.event, queued.time, ret, err);
}
