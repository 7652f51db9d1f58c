/*
 * perfdata.c - from the bytes of a perf.data to a stream of records.
 *
 * Those that are wanted go through the queue, which puts them in order; where
 * the events have no times they are handed out as they come.  perf's own
 * records, with types from 64 on, are not queued: they describe events, end a
 * round or carry something else, in which case they are stepped over.
 *
 * Of a recording in a directory all of the first file is read first: it has
 * what perf found at the beginning.  The parts are read in turns, always the one
 * that is furthest behind, so that the queue has a few turns of each.  In a part
 * there are no rounds: the kernel wrote it in order.  But where one record
 * interrupted another, the two changed places; so what is earlier than a part's
 * last turn is known to be all there, and not what is earlier than its end.
 */
#include "converter/perf/perfdata.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/error.h"
#include "converter/perf/perfdir.h"
#include "converter/perf/perfevents.h"
#include "converter/perf/perffile.h"
#include "converter/perf/perfinput.h"
#include "converter/perf/perfqueue.h"
#include "converter/perf/perfrecord.h"
#include "converter/perf/perfstream.h"

enum {
	QUEUE_LIMIT = 1 << 27,
	TURN_MOST = 1 << 15,
	TURNS = 8, /* of each part, that the queue has room for */
};

/* A file with records. */
struct source {
	struct perfstream stream;
	bool ended;
	uint64_t latest; /* time in what was read of it */
	uint64_t sure;	 /* up to this time all of it was read */
};

struct perfdata {
	struct perfdir dir;
	struct perffile file;
	struct source *sources; /* the file of the header, then the parts */
	size_t nsources;
	struct source *source; /* whose turn it is */
	uint64_t before;       /* its latest time when the turn began */
	int64_t turn, left;    /* bytes of a turn, and of this one */
	bool ended;
	struct perfdata_trouble trouble;
	struct perfevents *events;
	struct perfqueue *queue;
	struct perflists lists;
};

/* The first source: what describes the others, or is all there is. */
static bool open_file(struct perfdata *data, struct fdo_error *err)
{
	struct perfinput *input = perfdir_input(&data->dir, 0, err);

	if (!input)
		return false;
	if (!perffile_open(input, data->events, &data->file, err)) {
		perfinput_close(input);
		return false;
	}
	perfstream_init(&data->sources[data->nsources++].stream, input,
			data->file.end, data->file.swap);
	if (!data->file.in_parts || data->dir.n > 1)
		return true;
	return fdo_fail(err,
			"%s: is a part of a directory that perf record "
			"--threads wrote, %s",
			data->file.name,
			data->dir.folder < 0
				? "which is to be named instead"
				: "but the others, data.0 and so on, are not "
				  "there");
}

static bool open_part(struct perfdata *data, struct fdo_error *err)
{
	size_t i = data->nsources;
	struct perfinput *input = perfdir_input(&data->dir, i, err);

	if (!input)
		return false;
	perfstream_init(&data->sources[i].stream, input, perfinput_size(input),
			data->file.swap);
	data->nsources++;
	return true;
}

static bool open_sources(struct perfdata *data, const char *path,
			 struct fdo_error *err)
{
	if (!perfdir_open(&data->dir, path, err))
		return false;
	data->sources = fdo_alloc(data->dir.n, sizeof(*data->sources));
	if (!open_file(data, err))
		return false;
	while (data->nsources < data->dir.n)
		if (!open_part(data, err))
			return false;
	data->source = data->sources;
	data->left = INT64_MAX;
	data->turn = QUEUE_LIMIT / TURNS / data->nsources;
	if (data->turn > TURN_MOST)
		data->turn = TURN_MOST;
	return true;
}

struct perfdata *perfdata_open(const char *path, struct fdo_error *err)
{
	struct perfdata *data = fdo_alloc(1, sizeof(*data));

	data->events = perfevents_new();
	data->queue = perfqueue_new(QUEUE_LIMIT);
	if (open_sources(data, path, err))
		return data;
	perfdata_close(data);
	return NULL;
}

void perfdata_close(struct perfdata *data)
{
	if (!data)
		return;
	for (size_t i = 0; i < data->nsources; i++)
		perfstream_deinit(&data->sources[i].stream);
	free(data->sources);
	perfdir_close(&data->dir);
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
	uint64_t size = 0;

	for (size_t i = 0; i < data->nsources; i++)
		size += perfinput_size(data->sources[i].stream.input);
	return size;
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
		if (time > data->source->latest)
			data->source->latest = time;
		perfqueue_push(data->queue, time, event,
			       data->source - data->sources, c);
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
		if (data->nsources == 1)
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

/* The source that is furthest behind goes on; false: all have ended. */
static bool next_turn(struct perfdata *data)
{
	struct source *next = NULL;

	data->source->sure = data->before;
	for (size_t i = 0; i < data->nsources; i++) {
		struct source *source = &data->sources[i];

		if (!source->ended && (!next || source->sure < next->sure))
			next = source;
	}
	if (!next)
		return false;
	data->source = next;
	data->before = next->latest;
	data->left = data->turn;
	perfqueue_until(data->queue, next->sure);
	return true;
}

static bool end_source(struct perfdata *data, const struct cursor *c,
		       struct fdo_error *err)
{
	data->source->ended = true;
	if (next_turn(data))
		return true;
	if (!perfevents_check(data->events, c->file, err))
		return false;
	data->ended = true;
	perfqueue_end(data->queue);
	return true;
}

/* A record of the kernel or of perf's own; *now if it is in *ret already. */
static bool take_record(struct perfdata *data, const struct perfheader *header,
			struct cursor *c, struct perfdata_record *ret,
			bool *now, struct fdo_error *err)
{
	if (header->type >= PERFRECORD_OWN)
		return take_own_record(data, header, c, err);
	if (header->type == 0)
		return cursor_fail(c, err, "a record has no type");
	return take_kernel_record(data, header, c, ret, now, err);
}

/* Take one record of a file; *now if it is in *ret already. */
static bool step(struct perfdata *data, struct perfdata_record *ret, bool *now,
		 struct fdo_error *err)
{
	struct perfheader header;
	struct cursor c;

	if (!perfstream_next(&data->source->stream, &header, &c, err))
		return false;
	if (!c.size)
		return end_source(data, &c, err);
	if (!take_record(data, &header, &c, ret, now, err))
		return false;
	data->left -= header.size;
	if (data->left <= 0)
		next_turn(data);
	return true;
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
	perfstream_place(&data->sources[queued.part].stream, queued.bytes,
			 queued.size, queued.place, &c);
	return decode(data, &c, queued.event, queued.time, ret, err);
}
