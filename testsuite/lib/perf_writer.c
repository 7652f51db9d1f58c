/*
 * perf_writer.c - the layouts, from the writing side.
 */
#include "testsuite/lib/perf_writer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

enum {
	ATTR_SIZE = 104,
	HEADER = 104,
	MISC_EXEC = 1 << 13,
	MISC_BUILD_ID = 1 << 14,
	MISC_BUILD_ID_SIZE = 1 << 15,
	BRANCH_COUNTERS = 1 << 19,
	TYPE_ATTR = 64,
	TYPE_BUILD_ID = 67,
	TYPE_ROUND = 68,
	TYPE_UPDATE = 78,
	TYPE_FEATURE = 80,
	TYPE_COMPRESSED = 81,
	TYPE_COMPRESSED2 = 83,
	CHUNK = 100, /* bytes in a compressed record, not a record's end */
};

static void append(struct perf_bytes *bytes, const void *data, size_t size)
{
	if (bytes->size + size > bytes->room) {
		bytes->room = 2 * (bytes->size + size);
		bytes->data = realloc(bytes->data, bytes->room);
		assert(bytes->data);
	}
	if (size)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

void perf_put(struct perf_bytes *bytes, const struct perf_writer *w,
	      uint64_t value, size_t size)
{
	unsigned char number[8];

	for (size_t i = 0; i < size; i++)
		number[w->big_endian ? size - 1 - i : i] = value >> 8 * i;
	append(bytes, number, size);
}

/* Bit fields: C gives the first of them the highest bit on such machines. */
static void put_bits(struct perf_bytes *bytes, const struct perf_writer *w,
		     uint64_t bits)
{
	uint64_t mirrored = 0;

	for (int i = 0; i < 64; i++)
		mirrored |= (bits >> i & 1) << (63 - i);
	perf_put(bytes, w, w->big_endian ? mirrored : bits, 8);
}

/* A text with its NUL, filled up to a multiple of eight bytes. */
static void put_text(struct perf_bytes *bytes, const char *text)
{
	static const char zeros[8];
	size_t size = strlen(text) + 1;

	append(bytes, text, size);
	append(bytes, zeros, -size & 7);
}

static void put_counted_text(struct perf_bytes *bytes,
			     const struct perf_writer *w, const char *text)
{
	perf_put(bytes, w, (strlen(text) + 8) / 8 * 8, 4);
	put_text(bytes, text);
}

static uint64_t sample_type(const struct perf_event *event)
{
	return event->sample_type ? event->sample_type : PERF_USUAL;
}

static size_t attr_size(const struct perf_writer *w)
{
	return w->attr_size ? w->attr_size : ATTR_SIZE;
}

static void put_attr(struct perf_bytes *bytes, const struct perf_writer *w,
		     const struct perf_event *event)
{
	size_t end = bytes->size + attr_size(w);

	perf_put(bytes, w, event->type, 4);
	perf_put(bytes, w, attr_size(w), 4);
	perf_put(bytes, w, event->config, 8);
	perf_put(bytes, w, event->period ? event->period : 1000, 8);
	perf_put(bytes, w, sample_type(event), 8);
	perf_put(bytes, w, event->read_format, 8);
	put_bits(bytes, w,
		 (uint64_t)event->user_only << 5 |
			 (uint64_t)!event->period << 10 |
			 (uint64_t)!event->no_id_all << 18);
	perf_put(bytes, w, 0, 8);
	perf_put(bytes, w, 0, 8);
	perf_put(bytes, w, 0, 8);
	perf_put(bytes, w, event->branch_type, 8);
	perf_put(bytes, w, event->user_registers, 8);
	perf_put(bytes, w, 0, 8);
	perf_put(bytes, w, event->registers, 8);
	bytes->size = end;
}

void perf_event(struct perf_writer *w, const struct perf_event *event)
{
	assert(w->nevents < PERF_EVENTS_MAX);
	w->events[w->nevents++] = *event;
}

void perf_build_id(struct perf_writer *w, const char *path, const char *bytes)
{
	int i = w->nbuild_ids++;

	assert(i < PERF_BUILD_IDS_MAX);
	w->build_ids[i].path = path;
	w->build_ids[i].size = strlen(bytes);
	memcpy(w->build_ids[i].bytes, bytes, strlen(bytes));
}

static void put_header(struct perf_bytes *bytes, const struct perf_writer *w,
		       uint32_t type, uint16_t misc, size_t size)
{
	perf_put(bytes, w, type, 4);
	perf_put(bytes, w, misc, 2);
	perf_put(bytes, w, size + 8, 2);
}

void perf_raw(struct perf_writer *w, uint32_t type, uint16_t misc,
	      const void *body, size_t size)
{
	struct perf_bytes *to =
		w->compressed && type < 64 ? &w->plain : &w->records;

	put_header(to, w, type, misc, size);
	append(to, body, size);
}

void perf_tail(struct perf_writer *w, size_t size)
{
	while (size--)
		append(&w->records, "x", 1);
}

static void put_compressed(struct perf_writer *w, const void *data, size_t size)
{
	static const char zeros[8];
	size_t pad = -size & 7;

	if (w->second_form) {
		put_header(&w->records, w, TYPE_COMPRESSED2, 0, 8 + size + pad);
		perf_put(&w->records, w, size, 8);
		append(&w->records, data, size);
		append(&w->records, zeros, pad);
	} else {
		put_header(&w->records, w, TYPE_COMPRESSED, 0, size);
		append(&w->records, data, size);
	}
}

/* All that waits, in pieces that end anywhere in a record. */
static void compress(struct perf_writer *w)
{
	char packed[4 * CHUNK + 64];

	if (!w->zstd)
		w->zstd = ZSTD_createCStream();
	for (size_t at = 0; at < w->plain.size; at += CHUNK) {
		size_t size = w->plain.size - at;
		ZSTD_outBuffer out = { packed, sizeof(packed), 0 };
		ZSTD_inBuffer in = { w->plain.data + at,
				     size < CHUNK ? size : CHUNK, 0 };

		size = ZSTD_compressStream2(w->zstd, &out, &in, ZSTD_e_flush);
		assert(size == 0 && in.pos == in.size);
		put_compressed(w, packed, out.pos);
	}
	w->plain.size = 0;
}

void perf_round(struct perf_writer *w)
{
	compress(w);
	perf_raw(w, TYPE_ROUND, 0, NULL, 0);
}

static void put_sample_id(struct perf_bytes *b, const struct perf_writer *w,
			  struct perf_who who)
{
	const struct perf_event *event = &w->events[who.event];
	uint64_t type = sample_type(event);

	if (event->no_id_all)
		return;
	if (type & PERF_SAMPLE_TID) {
		perf_put(b, w, who.pid, 4);
		perf_put(b, w, who.tid, 4);
	}
	if (type & PERF_SAMPLE_TIME)
		perf_put(b, w, who.time, 8);
	if (type & PERF_SAMPLE_ID)
		perf_put(b, w, event->id, 8);
	if (type & PERF_SAMPLE_STREAM_ID)
		perf_put(b, w, 0x5757, 8);
	if (type & PERF_SAMPLE_CPU)
		perf_put(b, w, 1, 8);
	if (type & PERF_SAMPLE_IDENTIFIER)
		perf_put(b, w, event->id, 8);
}

static void finish(struct perf_writer *w, uint32_t type, uint16_t misc,
		   struct perf_bytes *body, struct perf_who who)
{
	put_sample_id(body, w, who);
	perf_raw(w, type, misc, body->data, body->size);
	free(body->data);
}

static void put_read(struct perf_bytes *b, const struct perf_writer *w,
		     const struct perf_event *event)
{
	uint64_t format = event->read_format;
	int n = format & PERF_FORMAT_GROUP ? 3 : 1;

	if (format & PERF_FORMAT_GROUP)
		perf_put(b, w, n, 8);
	else
		perf_put(b, w, 111, 8);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		perf_put(b, w, 222, 8);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		perf_put(b, w, 333, 8);
	for (int i = 0; i < n; i++) {
		if (format & PERF_FORMAT_GROUP)
			perf_put(b, w, 111, 8);
		if (format & PERF_FORMAT_ID)
			perf_put(b, w, event->id, 8);
		if (format & 16)
			perf_put(b, w, 444, 8);
	}
}

static void put_branches(struct perf_bytes *b, const struct perf_writer *w,
			 const struct perf_event *event,
			 const struct perf_sample *sample)
{
	perf_put(b, w, sample->nbranches, 8);
	if (event->branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		perf_put(b, w, 5, 8);
	for (int i = 0; i < sample->nbranches; i++) {
		perf_put(b, w, sample->branches[i].from, 8);
		perf_put(b, w, sample->branches[i].to, 8);
		put_bits(b, w,
			 (sample->branches[i].mispredicted ? 1 : 2) |
				 (sample->branches[i].wrong_path ? 1 << 24
								 : 0));
	}
	if (event->branch_type & BRANCH_COUNTERS)
		for (int i = 0; i < sample->nbranches; i++)
			perf_put(b, w, 7 + i, 8);
}

static void put_registers(struct perf_bytes *b, const struct perf_writer *w,
			  uint64_t abi, uint64_t set, const uint64_t *registers)
{
	perf_put(b, w, abi, 8);
	for (int i = 0; abi && i < 64; i++)
		if (set >> i & 1)
			perf_put(b, w, registers[i], 8);
}

static void put_stack(struct perf_bytes *b, const struct perf_writer *w,
		      uint64_t size)
{
	perf_put(b, w, size, 8);
	for (uint64_t i = 0; i < size; i++)
		perf_put(b, w, 0x55, 1);
	if (size)
		perf_put(b, w, size / 2, 8);
}

/* A guest's address at the end is no user's. */
static void put_chain(struct perf_bytes *b, const struct perf_writer *w,
		      const struct perf_sample *sample)
{
	perf_put(b, w, sample->ncallers + 6, 8);
	perf_put(b, w, PERF_CONTEXT_KERNEL, 8);
	perf_put(b, w, 0xffff000000000200, 8);
	perf_put(b, w, PERF_CONTEXT_USER, 8);
	perf_put(b, w, sample->ip, 8);
	for (int i = 0; i < sample->ncallers; i++)
		perf_put(b, w, sample->callers[i], 8);
	perf_put(b, w, PERF_CONTEXT_GUEST, 8);
	perf_put(b, w, 0x1010, 8);
}

/* Everything in a sample behind the period. */
static void put_rest(struct perf_bytes *b, const struct perf_writer *w,
		     const struct perf_event *event,
		     const struct perf_sample *sample)
{
	uint64_t type = sample_type(event);

	if (type & PERF_SAMPLE_READ)
		put_read(b, w, event);
	if (type & PERF_SAMPLE_CALLCHAIN)
		put_chain(b, w, sample);
	if (type & PERF_SAMPLE_RAW) {
		perf_put(b, w, 12, 4);
		append(b, "raw raw raw ", 12);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(b, w, event, sample);
	if (type & PERF_SAMPLE_REGS_USER)
		put_registers(b, w, sample->user_abi, event->user_registers,
			      sample->user_registers);
	if (type & PERF_SAMPLE_STACK_USER)
		put_stack(b, w, sample->stack);
	if (type & PERF_SAMPLE_WEIGHT)
		perf_put(b, w, 99, 8);
	if (type & PERF_SAMPLE_DATA_SRC)
		perf_put(b, w, 98, 8);
	if (type & PERF_SAMPLE_TRANSACTION)
		perf_put(b, w, 97, 8);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_registers(b, w, sample->abi, event->registers,
			      sample->registers);
}

void perf_sample(struct perf_writer *w, const struct perf_sample *sample)
{
	const struct perf_event *event = &w->events[sample->event];
	uint64_t type = sample_type(event);
	uint64_t id = sample->foreign_id ? sample->foreign_id : event->id;
	struct perf_bytes b = { 0 };

	if (type & PERF_SAMPLE_IDENTIFIER)
		perf_put(&b, w, id, 8);
	if (type & PERF_SAMPLE_IP)
		perf_put(&b, w, sample->ip, 8);
	if (type & PERF_SAMPLE_TID) {
		perf_put(&b, w, sample->pid, 4);
		perf_put(&b, w, sample->tid ? sample->tid : sample->pid, 4);
	}
	if (type & PERF_SAMPLE_TIME)
		perf_put(&b, w, sample->time, 8);
	if (type & PERF_SAMPLE_ADDR)
		perf_put(&b, w, 0xadd4, 8);
	if (type & PERF_SAMPLE_ID)
		perf_put(&b, w, id, 8);
	if (type & PERF_SAMPLE_STREAM_ID)
		perf_put(&b, w, 0x5757, 8);
	if (type & PERF_SAMPLE_CPU)
		perf_put(&b, w, 1, 8);
	if (type & PERF_SAMPLE_PERIOD)
		perf_put(&b, w, sample->period, 8);
	put_rest(&b, w, event, sample);
	perf_raw(w, PERF_RECORD_SAMPLE,
		 (sample->kernel ? PERF_RECORD_MISC_KERNEL
				 : PERF_RECORD_MISC_USER) |
			 (sample->exact ? PERF_RECORD_MISC_EXACT_IP : 0),
		 b.data, b.size);
	free(b.data);
}

void perf_mmap(struct perf_writer *w, struct perf_who who,
	       const struct perf_map *map)
{
	uint16_t misc =
		map->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	struct perf_bytes b = { 0 };

	perf_put(&b, w, map->kernel ? 0xffffffff : who.pid, 4);
	perf_put(&b, w, who.tid, 4);
	perf_put(&b, w, map->start, 8);
	perf_put(&b, w, map->size, 8);
	perf_put(&b, w, map->offset, 8);
	if (map->old) {
		misc |= map->data ? 1 << 13 : 0;
	} else {
		if (map->build_id) {
			misc |= MISC_BUILD_ID;
			perf_put(&b, w, 20, 1);
			append(&b, "\0\0", 3);
			append(&b, map->build_id, 20);
		} else {
			misc |= map->device ? MISC_BUILD_ID : 0;
			perf_put(&b, w, map->device ? map->device : 8, 4);
			perf_put(&b, w, 1, 4);
			perf_put(&b, w, 4711, 8);
			perf_put(&b, w, 0, 8);
		}
		perf_put(&b, w, map->data ? 3 : 5, 4);
		perf_put(&b, w, 2, 4);
	}
	put_text(&b, map->path);
	finish(w, map->old ? PERF_RECORD_MMAP : PERF_RECORD_MMAP2, misc, &b,
	       who);
}

void perf_comm(struct perf_writer *w, struct perf_who who, const char *name,
	       bool exec)
{
	struct perf_bytes b = { 0 };

	perf_put(&b, w, who.pid, 4);
	perf_put(&b, w, who.tid, 4);
	put_text(&b, name);
	finish(w, PERF_RECORD_COMM, exec ? MISC_EXEC : 0, &b, who);
}

static void put_family(struct perf_writer *w, uint32_t type, uint16_t misc,
		       struct perf_who who, uint32_t ppid, uint32_t ptid)
{
	struct perf_bytes b = { 0 };

	perf_put(&b, w, who.pid, 4);
	perf_put(&b, w, ppid, 4);
	perf_put(&b, w, who.tid, 4);
	perf_put(&b, w, ptid, 4);
	perf_put(&b, w, who.time, 8);
	finish(w, type, misc, &b, who);
}

void perf_fork(struct perf_writer *w, struct perf_who child, uint32_t ppid,
	       uint32_t ptid)
{
	put_family(w, PERF_RECORD_FORK, 0, child, ppid, ptid);
}

void perf_fork_empty(struct perf_writer *w, struct perf_who child,
		     uint32_t ppid, uint32_t ptid)
{
	put_family(w, PERF_RECORD_FORK, MISC_EXEC, child, ppid, ptid);
}

void perf_exit(struct perf_writer *w, struct perf_who who)
{
	put_family(w, PERF_RECORD_EXIT, 0, who, 1, 1);
}

void perf_lost(struct perf_writer *w, struct perf_who who, uint64_t count)
{
	struct perf_bytes b = { 0 };

	perf_put(&b, w, w->events[who.event].id, 8);
	perf_put(&b, w, count, 8);
	finish(w, PERF_RECORD_LOST, 0, &b, who);
}

void perf_lost_samples(struct perf_writer *w, struct perf_who who,
		       uint64_t count)
{
	struct perf_bytes b = { 0 };

	perf_put(&b, w, count, 8);
	finish(w, PERF_RECORD_LOST_SAMPLES, 0, &b, who);
}

void perf_throttle(struct perf_writer *w, struct perf_who who)
{
	struct perf_bytes b = { 0 };

	perf_put(&b, w, who.time, 8);
	perf_put(&b, w, w->events[who.event].id, 8);
	perf_put(&b, w, 0x5757, 8);
	finish(w, PERF_RECORD_THROTTLE, 0, &b, who);
}

/* Type, misc and body as in a feature and in a stream. */
static void put_build_ids(struct perf_bytes *b, const struct perf_writer *w)
{
	static const char zeros[24];

	for (int i = 0; i < w->nbuild_ids; i++) {
		int size = w->build_ids[i].size;

		put_header(b, w, TYPE_BUILD_ID,
			   PERF_RECORD_MISC_USER | MISC_BUILD_ID_SIZE,
			   4 + 24 + (strlen(w->build_ids[i].path) + 8) / 8 * 8);
		perf_put(b, w, 0xffffffff, 4);
		append(b, w->build_ids[i].bytes, size);
		append(b, zeros, 20 - size);
		perf_put(b, w, size, 1);
		append(b, zeros, 3);
		put_text(b, w->build_ids[i].path);
	}
}

static void put_descriptions(struct perf_bytes *b, const struct perf_writer *w)
{
	perf_put(b, w, w->nevents, 4);
	perf_put(b, w, attr_size(w), 4);
	for (int i = 0; i < w->nevents; i++) {
		put_attr(b, w, &w->events[i]);
		perf_put(b, w, 1, 4);
		put_counted_text(b, w, w->events[i].name);
		perf_put(b, w, w->events[i].id, 8);
	}
}

/* False if there is nothing to say. */
static bool put_feature(struct perf_bytes *b, const struct perf_writer *w,
			int feature)
{
	const char *const texts[] = { [3] = w->hostname,
				      [4] = w->osrelease,
				      [6] = w->arch,
				      [8] = w->cpudesc,
				      [9] = w->cpuid };

	if (feature == 2 && w->nbuild_ids) {
		put_build_ids(b, w);
	} else if (feature == 12 && w->events[0].name) {
		put_descriptions(b, w);
	} else if (feature == 24 && w->directory) {
		perf_put(b, w, w->directory, 8);
	} else if (feature == 27 && w->compressed) {
		perf_put(b, w, 1, 4);
		perf_put(b, w, 1, 4);
		perf_put(b, w, 1, 4);
		perf_put(b, w, 3, 4);
		perf_put(b, w, 528384, 4);
	} else if (feature < 10 && texts[feature]) {
		put_counted_text(b, w, texts[feature]);
	} else {
		return false;
	}
	return true;
}

static void begin_stream(struct perf_writer *w)
{
	struct perf_bytes b = { 0 };

	for (int i = 0; i < w->nevents; i++) {
		b.size = 0;
		put_attr(&b, w, &w->events[i]);
		perf_put(&b, w, w->events[i].id, 8);
		perf_raw(w, TYPE_ATTR, 0, b.data, b.size);
	}
	for (int i = 0; i < w->nevents && w->events[i].name; i++) {
		b.size = 0;
		perf_put(&b, w, 2, 8);
		perf_put(&b, w, w->events[i].id, 8);
		put_text(&b, w->events[i].name);
		perf_raw(w, TYPE_UPDATE, 0, b.data, b.size);
	}
	for (int i = 3; i < 32; i++) {
		b.size = 0;
		perf_put(&b, w, i, 8);
		if (i != 12 && put_feature(&b, w, i))
			perf_raw(w, TYPE_FEATURE, 0, b.data, b.size);
	}
	b.size = 0;
	put_build_ids(&b, w);
	append(&w->records, b.data, b.size);
	free(b.data);
}

void perf_begin(struct perf_writer *w)
{
	if (w->stream)
		begin_stream(w);
	w->header_size = 16 + w->records.size;
}

static void put_section(struct perf_writer *w, size_t at, size_t size)
{
	perf_put(&w->out, w, at, 8);
	perf_put(&w->out, w, size, 8);
}

/* The list of the sections, and then the sections. */
static void put_features(struct perf_writer *w)
{
	size_t at = w->out.size;
	struct perf_bytes b = { 0 };

	for (int i = 0; i < 32; i++)
		at += put_feature(&b, w, i) ? 16 : 0;
	b.size = 0;
	for (int i = 0; i < 32; i++) {
		size_t before = b.size;

		if (put_feature(&b, w, i))
			put_section(w, at + before, b.size - before);
	}
	append(&w->out, b.data, b.size);
	free(b.data);
}

static void end_file(struct perf_writer *w)
{
	size_t attrs = HEADER + w->nevents * 8;
	size_t records = attrs + w->nevents * (attr_size(w) + 16);
	struct perf_bytes ignored = { 0 };
	uint64_t features = 0;

	for (int i = 0; i < 32; i++)
		features |= (uint64_t)put_feature(&ignored, w, i) << i;
	free(ignored.data);
	perf_put(&w->out, w, HEADER, 8);
	perf_put(&w->out, w, attr_size(w) + 16, 8);
	put_section(w, attrs, w->nevents * (attr_size(w) + 16));
	put_section(w, records, w->records.size);
	put_section(w, 0, 0);
	perf_put(&w->out, w, features, 8);
	for (int i = 0; i < 3; i++)
		perf_put(&w->out, w, 0, 8);
	for (int i = 0; i < w->nevents; i++)
		perf_put(&w->out, w, w->events[i].id, 8);
	for (int i = 0; i < w->nevents; i++) {
		put_attr(&w->out, w, &w->events[i]);
		put_section(w, HEADER + i * 8, 8);
	}
	w->header_size = w->out.size;
	append(&w->out, w->records.data, w->records.size);
	put_features(w);
}

void perf_end(struct perf_writer *w)
{
	compress(w);
	perf_put(&w->out, w, 0x32454c4946524550ULL, 8);
	if (w->stream) {
		perf_put(&w->out, w, 16, 8);
		append(&w->out, w->records.data, w->records.size);
	} else {
		end_file(w);
	}
	w->data = w->out.data;
	w->size = w->out.size;
}

void perf_end_part(struct perf_writer *w)
{
	compress(w);
	w->data = w->records.data;
	w->size = w->records.size;
}

void perf_free(struct perf_writer *w)
{
	ZSTD_freeCStream(w->zstd);
	free(w->out.data);
	free(w->records.data);
	free(w->plain.data);
}

int perf_open(const void *data, size_t size, char *ret)
{
	int fd = memfd_create("perf.data", 0);

	assert(fd >= 0);
	if (write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(ret, 64, "/proc/self/fd/%d", fd);
	return fd;
}
