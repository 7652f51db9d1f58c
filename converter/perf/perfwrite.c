/*
 * perfwrite.c - each record is put together in one buffer, since its size
 * stands at its beginning.
 */
#include "converter/perf/perfwrite.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/perf/perfdata.h"

enum {
	ID = 1,
	/* Records of perf's own, and what an update tells. */
	RECORD_ATTR = 64,
	RECORD_EVENT_UPDATE = 78,
	UPDATE_NAME = 2,
	MISC_MMAP_BUILD_ID = 1 << 14,
};

struct perfwrite {
	FILE *stream;
	unsigned char *data; /* the record in the making */
	size_t size, room;
};

static void put(struct perfwrite *w, const void *data, size_t size)
{
	if (w->size + size > w->room) {
		w->room = 2 * (w->size + size);
		w->data = fdo_resize(w->data, w->room, 1);
	}
	memcpy(w->data + w->size, data, size);
	w->size += size;
}

static void put_u32(struct perfwrite *w, uint32_t value)
{
	put(w, &value, sizeof(value));
}

static void put_u64(struct perfwrite *w, uint64_t value)
{
	put(w, &value, sizeof(value));
}

/* With its NUL, filled up to a multiple of eight bytes. */
static void put_text(struct perfwrite *w, const char *text)
{
	static const char zeros[8];
	size_t size = strlen(text) + 1;

	put(w, text, size);
	put(w, zeros, -size & 7);
}

static void begin(struct perfwrite *w)
{
	struct perf_event_header room = { 0 };

	w->size = 0;
	put(w, &room, sizeof(room));
}

static void end(struct perfwrite *w, uint32_t type, uint16_t misc)
{
	struct perf_event_header header = { type, misc, w->size };

	memcpy(w->data, &header, sizeof(header));
	fwrite(w->data, w->size, 1, w->stream);
}

/* sample_id_all. */
static void end_with_id(struct perfwrite *w, struct perfwrite_who who,
			uint32_t type, uint16_t misc)
{
	put_u32(w, who.pid);
	put_u32(w, who.tid);
	put_u64(w, who.time);
	put_u64(w, ID);
	end(w, type, misc);
}

static void put_event(struct perfwrite *w)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			       PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK,
		.branch_sample_type =
			PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
	};

	begin(w);
	put(w, &attr, sizeof(attr));
	put_u64(w, ID);
	end(w, RECORD_ATTR, 0);
}

static void put_name(struct perfwrite *w, const char *name)
{
	begin(w);
	put_u64(w, UPDATE_NAME);
	put_u64(w, ID);
	put_text(w, name);
	end(w, RECORD_EVENT_UPDATE, 0);
}

struct perfwrite *perfwrite_new(FILE *stream, const char *event)
{
	struct perfwrite *w = fdo_alloc(1, sizeof(*w));
	static const struct {
		char magic[8];
		uint64_t size;
	} header = { { 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2' },
		     sizeof(header) };

	w->stream = stream;
	fwrite(&header, sizeof(header), 1, stream);
	put_event(w);
	put_name(w, event);
	return w;
}

void perfwrite_free(struct perfwrite *w)
{
	if (!w)
		return;
	free(w->data);
	free(w);
}

void perfwrite_comm(struct perfwrite *w, struct perfwrite_who who,
		    const char *name, bool exec)
{
	begin(w);
	put_u32(w, who.pid);
	put_u32(w, who.tid);
	put_text(w, name);
	end_with_id(w, who, PERF_RECORD_COMM,
		    exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
}

/* In the place of device and inode, if it is known. */
static void put_build_id(struct perfwrite *w,
			 const struct perfdata_build_id *id)
{
	unsigned char bytes[4 + PERFDATA_BUILD_ID_MAX] = { id->size };

	memcpy(bytes + 4, id->bytes, id->size);
	put(w, bytes, sizeof(bytes));
}

void perfwrite_map(struct perfwrite *w, struct perfwrite_who who,
		   const struct perfdata_map *map)
{
	enum { READ_EXECUTE = 5, PRIVATE = 2 };

	begin(w);
	put_u32(w, who.pid);
	put_u32(w, who.tid);
	put_u64(w, map->start);
	put_u64(w, map->size);
	put_u64(w, map->offset);
	put_build_id(w, &map->build_id);
	put_u32(w, map->executable ? READ_EXECUTE : READ_EXECUTE - 4);
	put_u32(w, PRIVATE);
	put_text(w, map->path);
	end_with_id(w, who, PERF_RECORD_MMAP2,
		    PERF_RECORD_MISC_USER |
			    (map->build_id.size ? MISC_MMAP_BUILD_ID : 0));
}

void perfwrite_sample(struct perfwrite *w, struct perfwrite_who who,
		      const struct perfdata_sample *sample)
{
	begin(w);
	put_u64(w, ID);
	put_u64(w, sample->ip);
	put_u32(w, who.pid);
	put_u32(w, who.tid);
	put_u64(w, who.time);
	put_u64(w, sample->period);
	put_u64(w, sample->nbranches);
	for (size_t i = 0; i < sample->nbranches; i++) {
		put_u64(w, sample->branches[i].from);
		put_u64(w, sample->branches[i].to);
		put_u64(w, sample->branches[i].flags);
	}
	end(w, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
}
