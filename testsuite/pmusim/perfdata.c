/*
 * perfdata.c - records go out as they come; the header, which says where
 * everything is, is written last.
 */
#include "testsuite/pmusim/perfdata.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/error.h"
#include "testsuite/pmusim/reader.h"

enum {
	EVENTS = 128,
	FIRST_ID = 1001,
	HEADER_SIZE = 104,
	MISC_BUILD_ID_SIZE = 1 << 15,
	/* Numbers of features. */
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_SAMPLE_TIME = 21,
	FEATURES = 22,
};

/* Time 0 would mean "unknown" to perf. */
static const uint64_t beginning = 1000000000;

/*
 * What samplefdo record asks for, in perf's order: the machine's number of each
 * register, or what else it is.
 */
enum { IP = -1, FLAGS = RECORD_VALUES - 1 };
static const struct {
	int bit, number;
} registers[] = {
	{ 0, 0 },   { 1, 3 },	{ 2, 1 },   { 3, 2 },	  { 4, 6 },
	{ 5, 7 },   { 6, 5 },	{ 8, IP },  { 9, FLAGS }, { 16, 8 },
	{ 17, 9 },  { 18, 10 }, { 19, 11 }, { 20, 12 },	  { 21, 13 },
	{ 22, 14 }, { 23, 15 },
};
enum { REGISTERS = sizeof(registers) / sizeof(registers[0]) };

struct perfdata {
	FILE *stream;
	char *command;
	char name[16];
	uint32_t pid;
	bool begun;
	struct perf_event_attr attrs[EVENTS];
	char *names[EVENTS];
	uint32_t nevents;
	struct bytes build_ids;
	uint64_t data_at, first_time, last_time;
};

/* A part of the file. */
struct section {
	uint64_t offset, size;
};

struct perfdata *perfdata_new(FILE *stream)
{
	struct perfdata *p = fdo_alloc(1, sizeof(*p));

	p->stream = stream;
	p->first_time = UINT64_MAX;
	return p;
}

void perfdata_free(struct perfdata *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->nevents; i++)
		free(p->names[i]);
	free(p->build_ids.data);
	free(p->command);
	free(p);
}

static char *copy(const char *text)
{
	return strcpy(fdo_alloc(1, strlen(text) + 1), text);
}

void perfdata_command(struct perfdata *p, const char *command)
{
	free(p->command);
	p->command = copy(command);
}

void perfdata_process(struct perfdata *p, uint32_t pid, const char *name)
{
	p->pid = pid;
	snprintf(p->name, sizeof(p->name), "%s", name);
}

static uint64_t register_set(void)
{
	uint64_t set = 0;

	for (int i = 0; i < REGISTERS; i++)
		set |= (uint64_t)1 << registers[i].bit;
	return set;
}

void perfdata_event(struct perfdata *p, const struct perfdata_event *event)
{
	if (p->nevents == EVENTS)
		return;
	p->names[p->nevents] = copy(event->name);
	p->attrs[p->nevents++] = (struct perf_event_attr){
		.type = PERF_TYPE_RAW,
		.size = sizeof(struct perf_event_attr),
		.config = event->config,
		.sample_period = event->period,
		.sample_type =
			PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			PERF_SAMPLE_PERIOD |
			(event->branches ? PERF_SAMPLE_BRANCH_STACK : 0) |
			(event->weight ? PERF_SAMPLE_WEIGHT : 0) |
			(event->registers ? PERF_SAMPLE_REGS_USER : 0),
		.branch_sample_type = event->branches
					      ? PERF_SAMPLE_BRANCH_USER |
							PERF_SAMPLE_BRANCH_ANY
					      : 0,
		.sample_regs_user = event->registers ? register_set() : 0,
		.precise_ip = event->precise ? 2 : 0,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
	};
}

/* The size that it takes, then the text. */
static void put_counted_text(struct bytes *b, const char *text)
{
	bytes_u32(b, bytes_text_size(text));
	bytes_text(b, text);
}

/* A record's header, then its body. */
static void put_record(struct perfdata *p, uint32_t type, uint16_t misc,
		       const struct bytes *body)
{
	struct perf_event_header header = { type, misc,
					    sizeof(header) + body->size };

	fwrite(&header, sizeof(header), 1, p->stream);
	fwrite(body->data, body->size, 1, p->stream);
}

static uint64_t note_time(struct perfdata *p, uint64_t time)
{
	time += beginning;
	if (time < p->first_time)
		p->first_time = time;
	if (time > p->last_time)
		p->last_time = time;
	return time;
}

/* What every record but a sample ends in: sample_id_all. */
static void finish_record(struct perfdata *p, uint32_t type, uint16_t misc,
			  struct bytes *body, uint32_t thread, uint64_t time)
{
	bytes_u32(body, p->pid);
	bytes_u32(body, thread);
	bytes_u64(body, note_time(p, time));
	bytes_u64(body, 0); /* cpu */
	bytes_u64(body, FIRST_ID);
	put_record(p, type, misc, body);
	free(body->data);
}

static void put_comm(struct perfdata *p, uint32_t thread, uint64_t time,
		     uint16_t misc)
{
	struct bytes b = { 0 };

	bytes_u32(&b, p->pid);
	bytes_u32(&b, thread);
	bytes_text(&b, p->name);
	finish_record(p, PERF_RECORD_COMM, misc, &b, thread, time);
}

/* All that is before the records, as soon as its size is known. */
static void begin(struct perfdata *p)
{
	struct bytes b = { 0 };
	uint64_t ids = HEADER_SIZE + p->nevents * (sizeof(p->attrs[0]) +
						   sizeof(struct section));

	if (p->begun)
		return;
	p->begun = true;
	bytes_zeros(&b, HEADER_SIZE);
	for (uint32_t i = 0; i < p->nevents; i++) {
		bytes_add(&b, &p->attrs[i], sizeof(p->attrs[i]));
		bytes_u64(&b, ids + 8 * i);
		bytes_u64(&b, 8);
	}
	for (uint32_t i = 0; i < p->nevents; i++)
		bytes_u64(&b, FIRST_ID + i);
	p->data_at = b.size;
	fwrite(b.data, b.size, 1, p->stream);
	free(b.data);
	put_comm(p, p->pid, 0, PERF_RECORD_MISC_COMM_EXEC);
}

static int hex(char digit)
{
	const char *digits = "0123456789abcdef";
	const char *at = strchr(digits, digit);

	return digit && at ? at - digits : 0;
}

static void add_build_id(struct perfdata *p, const char *id, const char *path)
{
	unsigned char bytes[24] = { 0 };
	size_t size = strlen(id) / 2;
	struct perf_event_header header = {
		.misc = PERF_RECORD_MISC_USER | MISC_BUILD_ID_SIZE,
		.size = sizeof(header) + 4 + sizeof(bytes) +
			bytes_text_size(path),
	};

	if (!size || size > 20)
		return;
	for (size_t i = 0; i < size; i++)
		bytes[i] = hex(id[2 * i]) << 4 | hex(id[2 * i + 1]);
	bytes[20] = size;
	bytes_add(&p->build_ids, &header, sizeof(header));
	bytes_u32(&p->build_ids, -1); /* of any process */
	bytes_add(&p->build_ids, bytes, sizeof(bytes));
	bytes_text(&p->build_ids, path);
}

void perfdata_map(struct perfdata *p, const struct record *map)
{
	struct bytes b = { 0 };

	begin(p);
	add_build_id(p, map->word, map->text);
	bytes_u32(&b, p->pid);
	bytes_u32(&b, p->pid);
	bytes_u64(&b, map->start);
	bytes_u64(&b, map->size);
	bytes_u64(&b, map->offset);
	bytes_zeros(&b, 24); /* the file's device and inode: not known */
	bytes_u32(&b, 5);    /* PROT_READ | PROT_EXEC */
	bytes_u32(&b, 2);    /* MAP_PRIVATE */
	bytes_text(&b, map->text);
	finish_record(p, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, &b, p->pid,
		      map->time);
}

static void put_task(struct perfdata *p, uint32_t type, uint32_t thread,
		     uint64_t time)
{
	struct bytes b = { 0 };

	bytes_u32(&b, p->pid);
	bytes_u32(&b, p->pid);
	bytes_u32(&b, thread);
	bytes_u32(&b, p->pid);
	bytes_u64(&b, time + beginning);
	finish_record(p, type, 0, &b, thread, time);
}

void perfdata_thread(struct perfdata *p, const struct record *thread)
{
	begin(p);
	put_task(p, PERF_RECORD_FORK, thread->number, thread->time);
	put_comm(p, thread->number, thread->time, 0);
}

static void put_branches(struct bytes *b, const struct record *sample)
{
	bytes_u64(b, sample->nbranches);
	for (int i = 0; i < sample->nbranches; i++) {
		bytes_u64(b, sample->branches[i].from);
		bytes_u64(b, sample->branches[i].to);
		bytes_u64(b, sample->branches[i].mispredicted ? 1 : 2);
	}
}

static void put_registers(struct bytes *b, const struct record *sample)
{
	bytes_u64(b, sample->has_registers ? PERF_SAMPLE_REGS_ABI_64
					   : PERF_SAMPLE_REGS_ABI_NONE);
	for (int i = 0; sample->has_registers && i < REGISTERS; i++)
		bytes_u64(b, registers[i].number == IP
				     ? sample->ip
				     : sample->registers[registers[i].number]);
}

void perfdata_sample(struct perfdata *p, const struct record *sample)
{
	uint64_t type = p->attrs[sample->number].sample_type;
	struct bytes b = { 0 };

	begin(p);
	bytes_u64(&b, FIRST_ID + sample->number);
	bytes_u64(&b, sample->ip);
	bytes_u32(&b, p->pid);
	bytes_u32(&b, sample->thread);
	bytes_u64(&b, note_time(p, sample->time));
	bytes_u64(&b, 0); /* cpu */
	bytes_u64(&b, sample->period);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(&b, sample);
	if (type & PERF_SAMPLE_REGS_USER)
		put_registers(&b, sample);
	if (type & PERF_SAMPLE_WEIGHT)
		bytes_u64(&b, sample->latency);
	put_record(p, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &b);
	free(b.data);
}

static void put_event_desc(struct bytes *b, const struct perfdata *p)
{
	bytes_u32(b, p->nevents);
	bytes_u32(b, sizeof(p->attrs[0]));
	for (uint32_t i = 0; i < p->nevents; i++) {
		bytes_add(b, &p->attrs[i], sizeof(p->attrs[i]));
		bytes_u32(b, 1);
		put_counted_text(b, p->names[i]);
		bytes_u64(b, FIRST_ID + i);
	}
}

static void put_cmdline(struct bytes *b, const struct perfdata *p)
{
	bytes_u32(b, 1);
	put_counted_text(b, p->command ? p->command : p->name);
}

static void put_feature(struct bytes *b, const struct perfdata *p, int feature)
{
	switch (feature) {
	case FEATURE_BUILD_ID:
		bytes_add(b, p->build_ids.data, p->build_ids.size);
		break;
	case FEATURE_HOSTNAME:
		put_counted_text(b, "pmusim");
		break;
	case FEATURE_OSRELEASE:
	case FEATURE_VERSION:
		put_counted_text(b, "6.1");
		break;
	case FEATURE_ARCH:
		put_counted_text(b, "x86_64");
		break;
	case FEATURE_NRCPUS:
		bytes_u32(b, 1);
		bytes_u32(b, 1);
		break;
	case FEATURE_CPUDESC:
	case FEATURE_CPUID:
		put_counted_text(b, "pmusim,6,1,0");
		break;
	case FEATURE_CMDLINE:
		put_cmdline(b, p);
		break;
	case FEATURE_EVENT_DESC:
		put_event_desc(b, p);
		break;
	case FEATURE_SAMPLE_TIME:
		bytes_u64(b, p->first_time);
		bytes_u64(b, p->last_time);
		break;
	}
}

static const int features[] = {
	FEATURE_BUILD_ID,   FEATURE_HOSTNAME,	 FEATURE_OSRELEASE,
	FEATURE_VERSION,    FEATURE_ARCH,	 FEATURE_NRCPUS,
	FEATURE_CPUDESC,    FEATURE_CPUID,	 FEATURE_CMDLINE,
	FEATURE_EVENT_DESC, FEATURE_SAMPLE_TIME,
};
enum { NFEATURES = sizeof(features) / sizeof(features[0]) };

/* A table of where each is, then each. */
static void put_features(const struct perfdata *p, uint64_t at)
{
	struct bytes table = { 0 }, all = { 0 };

	at += NFEATURES * sizeof(struct section);
	for (int i = 0; i < NFEATURES; i++) {
		uint64_t begin = all.size;

		put_feature(&all, p, features[i]);
		bytes_u64(&table, at + begin);
		bytes_u64(&table, all.size - begin);
	}
	fwrite(table.data, table.size, 1, p->stream);
	fwrite(all.data, all.size, 1, p->stream);
	free(table.data);
	free(all.data);
}

static void put_header(const struct perfdata *p, uint64_t data_size)
{
	struct bytes b = { 0 };
	uint64_t set = 0;

	for (int i = 0; i < NFEATURES; i++)
		set |= (uint64_t)1 << features[i];
	bytes_add(&b, "PERFILE2", 8);
	bytes_u64(&b, HEADER_SIZE);
	bytes_u64(&b, sizeof(p->attrs[0]) + sizeof(struct section));
	bytes_u64(&b, HEADER_SIZE);
	bytes_u64(&b,
		  p->nevents * (sizeof(p->attrs[0]) + sizeof(struct section)));
	bytes_u64(&b, p->data_at);
	bytes_u64(&b, data_size);
	bytes_zeros(&b, 16); /* event types: perf's own, until 2010 */
	bytes_u64(&b, set);
	bytes_zeros(&b, 24);
	fwrite(b.data, b.size, 1, p->stream);
	free(b.data);
}

bool perfdata_finish(struct perfdata *p, uint64_t time, struct fdo_error *err)
{
	long end;

	begin(p);
	put_task(p, PERF_RECORD_EXIT, p->pid, time);
	end = ftell(p->stream);
	if (end < 0)
		return fdo_fail(err, "perf.data must be a regular file");
	put_features(p, end);
	if (fseek(p->stream, 0, SEEK_SET) != 0)
		return fdo_fail(err, "perf.data must be a regular file");
	put_header(p, end - p->data_at);
	return true;
}
