/*
 * perfwrite.c - each record is put together in one buffer, since its size
 * stands at its beginning.
 */
#include "converter/perf/perfwrite.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "converter/perf/perfdata.h"
#include "converter/perf/perfregs.h"

enum {
	ID = 1,
	/* Records of perf's own, and what an update tells. */
	RECORD_ATTR = 64,
	RECORD_EVENT_UPDATE = 78,
	UPDATE_NAME = 2,
	MISC_MMAP_BUILD_ID = 1 << 14,
};

/* Those of PERFDATA_REGISTERS, as perf numbers them. */
static const uint64_t REGISTERS = 0xff00ff;

struct perfwrite {
	FILE *stream;
	struct bytes record; /* in the making */
};

static void begin(struct perfwrite *w)
{
	struct perf_event_header room = { 0 };

	w->record.size = 0;
	bytes_add(&w->record, &room, sizeof(room));
}

static void end(struct perfwrite *w, uint32_t type, uint16_t misc)
{
	struct perf_event_header header = { type, misc, w->record.size };

	memcpy(w->record.data, &header, sizeof(header));
	fwrite(w->record.data, w->record.size, 1, w->stream);
}

/* sample_id_all. */
static void end_with_id(struct perfwrite *w, struct perfwrite_who who,
			uint32_t type, uint16_t misc)
{
	bytes_u32(&w->record, who.pid);
	bytes_u32(&w->record, who.tid);
	bytes_u64(&w->record, who.time);
	bytes_u64(&w->record, ID);
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
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK |
			       PERF_SAMPLE_REGS_USER,
		.branch_sample_type =
			PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY,
		.sample_regs_user = REGISTERS,
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
	bytes_add(&w->record, &attr, sizeof(attr));
	bytes_u64(&w->record, ID);
	end(w, RECORD_ATTR, 0);
}

static void put_name(struct perfwrite *w, const char *name)
{
	begin(w);
	bytes_u64(&w->record, UPDATE_NAME);
	bytes_u64(&w->record, ID);
	bytes_text(&w->record, name);
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
	free(w->record.data);
	free(w);
}

void perfwrite_comm(struct perfwrite *w, struct perfwrite_who who,
		    const char *name, bool exec)
{
	begin(w);
	bytes_u32(&w->record, who.pid);
	bytes_u32(&w->record, who.tid);
	bytes_text(&w->record, name);
	end_with_id(w, who, PERF_RECORD_COMM,
		    exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
}

/* In the place of device and inode, if it is known. */
static void put_build_id(struct perfwrite *w, const struct fdo_build_id *id)
{
	unsigned char bytes[4 + FDO_BUILD_ID_MAX] = { id->size };

	memcpy(bytes + 4, id->bytes, id->size);
	bytes_add(&w->record, bytes, sizeof(bytes));
}

void perfwrite_map(struct perfwrite *w, struct perfwrite_who who,
		   const struct perfdata_map *map)
{
	enum { READ_EXECUTE = 5, PRIVATE = 2 };

	begin(w);
	bytes_u32(&w->record, who.pid);
	bytes_u32(&w->record, who.tid);
	bytes_u64(&w->record, map->start);
	bytes_u64(&w->record, map->size);
	bytes_u64(&w->record, map->offset);
	put_build_id(w, &map->build_id);
	bytes_u32(&w->record,
		  map->executable ? READ_EXECUTE : READ_EXECUTE - 4);
	bytes_u32(&w->record, PRIVATE);
	bytes_text(&w->record, map->path);
	end_with_id(w, who, PERF_RECORD_MMAP2,
		    PERF_RECORD_MISC_USER |
			    (map->build_id.size ? MISC_MMAP_BUILD_ID : 0));
}

/* In the order of perf's numbers; a sample without some of them has none. */
static void put_registers(struct perfwrite *w,
			  const struct perfdata_sample *sample)
{
	enum { ABI_NONE, ABI_64 = 2 };
	bool all = sample->known == (1u << PERFDATA_REGISTERS) - 1;

	bytes_u64(&w->record, all ? ABI_64 : ABI_NONE);
	for (uint64_t set = all ? REGISTERS : 0; set; set &= set - 1)
		bytes_u64(&w->record, sample->registers[perfregs_number(
					      __builtin_ctzll(set))]);
}

void perfwrite_sample(struct perfwrite *w, struct perfwrite_who who,
		      const struct perfdata_sample *sample)
{
	begin(w);
	bytes_u64(&w->record, ID);
	bytes_u64(&w->record, sample->ip);
	bytes_u32(&w->record, who.pid);
	bytes_u32(&w->record, who.tid);
	bytes_u64(&w->record, who.time);
	bytes_u64(&w->record, sample->period);
	bytes_u64(&w->record, sample->nbranches);
	for (size_t i = 0; i < sample->nbranches; i++) {
		bytes_u64(&w->record, sample->branches[i].from);
		bytes_u64(&w->record, sample->branches[i].to);
		bytes_u64(&w->record, sample->branches[i].flags);
	}
	put_registers(w, sample);
	end(w, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
}
