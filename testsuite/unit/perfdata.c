/* Layouts of samples, what is said of the events, and what is refused. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "converter/perf/perfdata.h"
#include "testsuite/lib/perf_writer.h"
#include "testsuite/lib/tap.h"

static struct perfdata *open_writer(const struct perf_writer *w, int *fd,
				    struct fdo_error *err)
{
	char path[64];

	*fd = perf_open(w->data, w->size, path);
	return perfdata_open(path, err);
}

/* The first record of a kind; END if there is none, or after an error. */
static struct perfdata_record first(struct perfdata *data,
				    enum perfdata_kind kind)
{
	struct perfdata_record r = { 0 };
	struct fdo_error err;

	do {
		if (!perfdata_next(data, &r, &err)) {
			printf("# %s\n", err.text);
			r.kind = PERFDATA_END;
		}
	} while (r.kind != kind && r.kind != PERFDATA_END);
	return r;
}

static const struct perf_branch branches[] = {
	{ 0x100, 0x200, true },
	{ 0x300, 0x400, false },
};

static const uint64_t callers[] = { 0x500, 0x600 };

static const struct perf_sample sample = { .pid = 5,
					   .tid = 6,
					   .time = 77,
					   .ip = 0x123456789a,
					   .period = 1234,
					   .nbranches = 2,
					   .branches = branches,
					   .ncallers = 2,
					   .callers = callers };

/* All that a sample with these fields says must be found in it. */
static bool reads(uint64_t type, uint64_t format, uint64_t branch_type,
		  bool big_endian)
{
	struct perf_writer w = { .big_endian = big_endian, .stream = type & 1 };
	bool branched = type & PERF_SAMPLE_BRANCH_STACK, good;
	struct fdo_error err = { "" };
	struct perfdata_record r;
	struct perfdata *data;
	int fd;

	perf_event(&w, &(struct perf_event){ .sample_type = type,
					     .read_format = format,
					     .branch_type = branch_type,
					     .period = 99,
					     .id = 3 });
	perf_begin(&w);
	perf_sample(&w, &sample);
	perf_end(&w);
	data = open_writer(&w, &fd, &err);
	if (!data) {
		printf("# %s\n", err.text);
		return false;
	}
	r = first(data, PERFDATA_SAMPLE);
	good = r.kind == PERFDATA_SAMPLE && r.sample.ip == sample.ip &&
	       r.pid == (type & PERF_SAMPLE_TID ? 5 : -1) &&
	       r.tid == (type & PERF_SAMPLE_TID ? 6 : -1) &&
	       r.time == (type & PERF_SAMPLE_TIME ? 77 : 0) &&
	       r.sample.period == (type & PERF_SAMPLE_PERIOD ? 1234 : 99) &&
	       r.sample.nbranches == (branched ? 2 : 0) &&
	       r.sample.nchain == (type & PERF_SAMPLE_CALLCHAIN ? 3 : 0);
	if (good && r.sample.nchain)
		good = r.sample.chain[0] == sample.ip &&
		       r.sample.chain[1] == callers[0] &&
		       r.sample.chain[2] == callers[1];
	if (good && branched)
		good = r.sample.branches[0].from == 0x100 &&
		       r.sample.branches[1].to == 0x400 &&
		       r.sample.branches[0].flags == 1 &&
		       r.sample.branches[1].flags == 2;
	perfdata_close(data);
	close(fd);
	perf_free(&w);
	return good;
}

/* Every combination of the fields that stand before the branches. */
static void test_sample_layouts(void)
{
	static const uint64_t bits[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_TID,
		PERF_SAMPLE_TIME,	PERF_SAMPLE_ADDR,
		PERF_SAMPLE_ID,		PERF_SAMPLE_STREAM_ID,
		PERF_SAMPLE_CPU,	PERF_SAMPLE_PERIOD,
		PERF_SAMPLE_READ,	PERF_SAMPLE_CALLCHAIN,
		PERF_SAMPLE_RAW,	PERF_SAMPLE_BRANCH_STACK,
	};
	enum { BITS = sizeof(bits) / sizeof(bits[0]) };
	int bad = 0;

	for (int i = 0; i < 1 << BITS; i++) {
		uint64_t type = PERF_SAMPLE_IP;

		for (int j = 0; j < BITS; j++)
			if (i >> j & 1)
				type |= bits[j];
		bad += !reads(type, 0, 0, i % 5 == 0);
	}
	check_int(bad, 0, "4096 combinations of fields");
}

/* By perf's numbers: 100 + the number, but for the address. */
static const uint64_t registers[] = { 100, 101, 102,	      103, 104, 105,
				      106, 107, 0x123456789a, 109, 110, 111,
				      112, 113, 114,	      115, 116, 117,
				      118, 119, 120,	      121, 122, 123 };
static const uint64_t later[] = { 200, 201, 202, 203,	      204,
				  205, 206, 207, 0x123456789b };

/* What a sample of the event says of registers. */
static struct perfdata_sample registers_of(const struct perf_event *event,
					   const struct perf_sample *with,
					   bool big_endian)
{
	struct perf_writer w = { .big_endian = big_endian };
	struct fdo_error err = { "" };
	struct perfdata *data;
	struct perfdata_record r = { .kind = PERFDATA_END };
	int fd;

	perf_event(&w, event);
	perf_begin(&w);
	perf_sample(&w, with);
	perf_end(&w);
	data = open_writer(&w, &fd, &err);
	if (data)
		r = first(data, PERFDATA_SAMPLE);
	check(r.kind == PERFDATA_SAMPLE, "a sample with registers is read");
	perfdata_close(data);
	close(fd);
	perf_free(&w);
	return r.sample;
}

/* As rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi have them in perf. */
static void check_registers(const struct perfdata_sample *got, uint64_t known)
{
	static const uint8_t bits[PERFDATA_REGISTERS] = {
		0, 2, 3, 1, 7, 6, 4, 5, 16, 17, 18, 19, 20, 21, 22, 23
	};
	bool good = got->known == known;

	for (int i = 0; i < PERFDATA_REGISTERS; i++)
		if (known >> i & 1 && got->registers[i] != 100u + bits[i])
			good = false;
	check(good, "the registers are those that were written");
}

/* Registers that nobody wants are not read, but of samples of no period. */
static void test_without_registers(uint64_t period, uint64_t known,
				   const char *what)
{
	struct perf_event event = { .sample_type =
					    PERF_USUAL | PERF_SAMPLE_REGS_USER,
				    .user_registers = 0xff00ff };
	struct perf_sample with = sample;
	struct perf_writer w = { 0 };
	struct fdo_error err = { "" };
	struct perfdata *data;
	int fd;

	with.user_abi = 2;
	with.user_registers = registers;
	with.period = period;
	perf_event(&w, &event);
	perf_begin(&w);
	perf_sample(&w, &with);
	perf_sample(&w, &with);
	perf_end(&w);
	data = open_writer(&w, &fd, &err);
	check(data && perfdata_size(data) == w.size, "a file has a size");
	perfdata_read_registers(data, false);
	check_int(first(data, PERFDATA_SAMPLE).sample.known, known, what);
	perfdata_read_registers(data, true);
	check_int(first(data, PERFDATA_SAMPLE).sample.known, 0xffff,
		  "the next ones are");
	perfdata_close(data);
	close(fd);
	perf_free(&w);
}

static void test_registers(void)
{
	static const uint64_t SOME = 0x80000d, ALL = 0xff00ff, IP = 1 << 8;
	struct perf_event event = { .sample_type =
					    PERF_USUAL | PERF_SAMPLE_REGS_USER,
				    .user_registers = ALL | IP };
	struct perf_sample with = sample;
	struct perfdata_sample got;

	with.user_abi = 2;
	with.user_registers = registers;
	got = registers_of(&event, &with, false);
	check_registers(&got, 0xffff);
	got = registers_of(&event, &with, true);
	check_int(got.known, 0, "another machine has others");
	event.user_registers = SOME;
	got = registers_of(&event, &with, false);
	check_registers(&got, 0x8007);
	with.user_abi = 1;
	got = registers_of(&event, &with, false);
	check_int(got.known, 0, "nor are those of 32 bits taken");
	with.user_abi = 0;
	got = registers_of(&event, &with, false);
	check_int(got.known, 0, "a sample may have none");

	event.sample_type |= PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_STACK_USER |
			     PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
			     PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_CALLCHAIN |
			     PERF_SAMPLE_BRANCH_STACK;
	event.user_registers = IP | 1;
	event.registers = ALL | IP;
	with.user_abi = with.abi = 2;
	with.user_registers = later;
	with.registers = registers;
	with.stack = 64;
	got = registers_of(&event, &with, false);
	check_registers(&got, 0xffff);
	check_int(got.nbranches, 2, "beside branches");
	event.branch_type = PERF_SAMPLE_BRANCH_HW_INDEX | 1 << 19;
	got = registers_of(&event, &with, false);
	check_registers(&got, 0xffff);
	check_int(got.nbranches, 2, "that have counters");
	event.branch_type = 0;
	with.exact = true;
	got = registers_of(&event, &with, false);
	check_registers(&got, 0xffff);
	check(got.exact, "of a precise event");
	with.abi = 0;
	got = registers_of(&event, &with, false);
	check_int(got.known, 0, "not those of a later moment");
	with.user_registers = registers;
	event.user_registers = ALL | IP;
	got = registers_of(&event, &with, false);
	check_int(got.known, 0, "whatever address is among them");
}

/* A sample whose register of that number has that value. */
static struct perfdata_sample sample_with(uint64_t set, int number,
					  uint64_t value, bool read)
{
	struct perf_event event = { .sample_type =
					    PERF_USUAL | PERF_SAMPLE_REGS_USER,
				    .user_registers = set };
	struct perf_sample with = sample;
	uint64_t changed[24];
	struct perf_writer w = { 0 };
	struct fdo_error err = { "" };
	struct perfdata *data;
	struct perfdata_sample got;
	int fd;

	memcpy(changed, registers, sizeof(changed));
	changed[number] = value;
	with.user_abi = 2;
	with.user_registers = changed;
	perf_event(&w, &event);
	perf_begin(&w);
	perf_sample(&w, &with);
	perf_end(&w);
	data = open_writer(&w, &fd, &err);
	perfdata_read_registers(data, read);
	got = first(data, PERFDATA_SAMPLE).sample;
	perfdata_close(data);
	close(fd);
	perf_free(&w);
	return got;
}

static uint64_t state_with(uint64_t set, int number, uint64_t value, bool read)
{
	return sample_with(set, number, value, read).state;
}

static void test_states(void)
{
	static const uint64_t ALL = 0xff007f, FLAGS = 1 << 9;
	uint64_t state = state_with(ALL, 0, 100, true), general;
	int same = 0;

	check(state != 0, "a sample has a state");
	check(state_with(ALL, 0, 100, false) == state,
	      "also where nobody wants registers");
	for (int i = 0; i < 24; i++)
		if (ALL >> i & 1)
			same += state_with(ALL, i, 1, true) == state;
	check_int(same, 0, "each register matters");
	check_int(state_with(ALL & ~8, 0, 100, true), 0, "and all are needed");
	state = state_with(ALL | FLAGS, 9, 0x246, true);
	check(state_with(ALL | FLAGS, 9, 0x247, true) != state,
	      "so do flags if they are there");
	check(state_with(ALL | FLAGS, 9, 0x10246, true) == state,
	      "but that of a fault");

	general = sample_with(ALL | FLAGS, 9, 0x246, true).general;
	check(general != 0, "a number of registers alone");
	check(sample_with(ALL | FLAGS, 9, 0x247, true).general == general,
	      "in which flags do not matter");
	check(sample_with(ALL | FLAGS, 0, 101, true).general != general,
	      "but others do");
	check(sample_with(ALL & ~8, 0, 100, true).general == 0,
	      "all of which are needed");
}

static void test_formats_within_a_sample(void)
{
	uint64_t all = PERF_USUAL | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |
		       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
		       PERF_SAMPLE_WEIGHT;
	int bad = 0;

	for (int format = 0; format < 32; format++) {
		bad += !reads(all, format, 0, false);
		bad += !reads(all, format, PERF_SAMPLE_BRANCH_HW_INDEX, true);
	}
	check_int(bad, 0, "32 formats of counters, with and without an index");
}

static void test_names(bool stream)
{
	struct perf_writer w = { .stream = stream, .arch = "riscv64" };
	struct fdo_error err = { "" };
	struct perfdata *data;
	int fd;

	perf_event(&w, &(struct perf_event){ .name = "foo:u", .id = 1 });
	perf_event(&w, &(struct perf_event){ .name = "bar",
					     .type = PERF_TYPE_SOFTWARE,
					     .config = PERF_COUNT_SW_DUMMY,
					     .period = 42,
					     .id = 2 });
	perf_begin(&w);
	perf_sample(&w, &(struct perf_sample){ .event = 1, .ip = 1 });
	perf_end(&w);
	data = open_writer(&w, &fd, &err);
	check_int(first(data, PERFDATA_SAMPLE).event, 1, "of the second event");
	check_int(perfdata_events(data), 2, "of two");
	check(strcmp(perfdata_event(data, 0)->name, "foo:u") == 0, "one name");
	check(strcmp(perfdata_event(data, 1)->name, "bar") == 0, "the other");
	check_int(perfdata_event(data, 0)->period, 0, "a frequency");
	check_int(perfdata_event(data, 1)->period, 42, "a period");
	check(perfdata_event(data, 1)->dummy, "and a dummy");
	check(strcmp(perfdata_text(data, PERFDATA_ARCH), "riscv64") == 0,
	      "where it was");
	check(!perfdata_text(data, PERFDATA_CPUID), "but not on which CPU");
	perfdata_close(data);
	close(fd);
	perf_free(&w);
}

/* Of the first kernels an attribute had no more than 64 bytes. */
static void test_old_attributes(bool stream)
{
	struct perf_writer w = { .stream = stream, .attr_size = 64 };
	struct fdo_error err = { "" };
	struct perfdata *data;
	int fd;

	perf_event(&w, &(struct perf_event){ .name = "foo", .id = 1 });
	perf_event(&w, &(struct perf_event){ .name = "bar", .id = 2 });
	perf_begin(&w);
	perf_sample(&w, &(struct perf_sample){ .event = 1, .ip = 5 });
	perf_end(&w);
	data = open_writer(&w, &fd, &err);
	if (check(data, "the shortest attributes are read"))
		check_int(first(data, PERFDATA_SAMPLE).event, 1,
			  "and what follows them");
	else
		printf("# %s\n", err.text);
	perfdata_close(data);
	close(fd);
	perf_free(&w);
}

static void test_name(uint32_t type, uint64_t config, bool user_only,
		      bool big_endian, const char *want)
{
	struct perf_writer w = { .big_endian = big_endian };
	struct fdo_error err = { "" };
	struct perfdata *data;
	int fd;

	perf_event(&w, &(struct perf_event){ .type = type,
					     .config = config,
					     .user_only = user_only });
	perf_begin(&w);
	perf_sample(&w, &(struct perf_sample){ .ip = 1 });
	perf_end(&w);
	data = open_writer(&w, &fd, &err);
	if (!check(strcmp(perfdata_event(data, 0)->name, want) == 0, want))
		printf("# %s\n", perfdata_event(data, 0)->name);
	perfdata_close(data);
	close(fd);
	perf_free(&w);
}

static void test_names_that_are_missing(void)
{
	test_name(PERF_TYPE_HARDWARE, 0, true, false, "cycles:u");
	test_name(PERF_TYPE_HARDWARE, 1, true, true, "instructions:u");
	test_name(PERF_TYPE_SOFTWARE, 0, false, false, "cpu-clock");
	test_name(PERF_TYPE_RAW, 0x1c0, true, false, "r1c0:u");
	test_name(PERF_TYPE_HARDWARE, 99, false, false, "type-0-config-0x63");
	test_name(8, 0x5, false, false, "type-8-config-0x5");
}

static void test_records(bool big_endian)
{
	struct perf_writer w = { .big_endian = big_endian };
	struct fdo_error err = { "" };
	struct perfdata_record r;
	struct perfdata *data;
	struct perf_who who = { 10, 11, 5 };
	struct perf_map map = { 0x1000, 0x2000, 0x3000, "/a" };
	static const uint32_t devices[] = { 8, 254, 259 };
	int fd;

	perf_event(&w, &(struct perf_event){ .name = "x", .id = 1 });
	perf_begin(&w);
	map.build_id = "0123456789abcdefghij";
	perf_mmap(&w, who, &map);
	map.build_id = NULL;
	for (size_t i = 0; i < 3; i++) {
		map.device = devices[i];
		perf_mmap(&w, who, &map);
	}
	map.old = map.data = true;
	perf_mmap(&w, who, &map);
	perf_fork(&w, who, 3, 4);
	perf_comm(&w, who, "name", true);
	perf_end(&w);
	data = open_writer(&w, &fd, &err);

	r = first(data, PERFDATA_MAP);
	check(r.pid == 10 && r.tid == 11 && r.time == 5, "who and when");
	check(r.map.start == 0x1000 && r.map.size == 0x2000 &&
		      r.map.offset == 0x3000 && r.map.executable &&
		      strcmp(r.map.path, "/a") == 0,
	      "a map");
	check(r.map.build_id.size == 20 &&
		      memcmp(r.map.build_id.bytes, "0123456789abcdefghij",
			     20) == 0,
	      "its build-id");
	for (size_t i = 0; i < 3; i++)
		check_int(first(data, PERFDATA_MAP).map.build_id.size, 0,
			  "a device and an inode are none");
	r = first(data, PERFDATA_MAP);
	check(!r.map.executable && !r.map.build_id.size &&
		      strcmp(r.map.path, "/a") == 0,
	      "a map of the old kind");
	r = first(data, PERFDATA_FORK);
	check(r.pid == 10 && r.tid == 11 && r.fork.pid == 3 && r.fork.tid == 4,
	      "a fork");
	r = first(data, PERFDATA_COMM);
	check(strcmp(r.comm.name, "name") == 0 && r.comm.exec, "an exec");
	check_int(first(data, PERFDATA_MAP).kind, PERFDATA_END, "the end");
	check_int(first(data, PERFDATA_MAP).kind, PERFDATA_END, "stays");
	perfdata_close(data);
	close(fd);
	perf_free(&w);
}

/* What is not for us is stepped over, with all that hangs on it. */
static void test_other_records(void)
{
	struct perf_writer w = { .stream = true };
	struct fdo_error err = { "" };
	struct perf_bytes body = { 0 };
	struct perfdata *data;
	int fd;

	perf_event(&w, &(struct perf_event){ .name = "x", .id = 1 });
	perf_begin(&w);
	perf_raw(&w, 17, 0, "a kernel symbol, padded..", 24);
	perf_put(&body, &w, 13, 4);
	perf_raw(&w, 66, 0, body.data, body.size);
	perf_tail(&w, 16);
	body.size = 0;
	perf_put(&body, &w, 200000, 8);
	for (int i = 0; i < 4; i++)
		perf_put(&body, &w, 0, 8);
	perf_raw(&w, 71, 0, body.data, body.size);
	perf_tail(&w, 200000);
	free(body.data);
	perf_raw(&w, 82, 0, NULL, 0);
	perf_sample(&w, &sample);
	perf_end(&w);
	data = open_writer(&w, &fd, &err);
	check(first(data, PERFDATA_SAMPLE).sample.ip == sample.ip,
	      "tracing data and a hardware trace are stepped over");
	check_int(perfdata_trouble(data).traces, 1, "the trace is counted");
	perfdata_close(data);
	close(fd);
	perf_free(&w);
}

/* What reading all of it says; "" if it can be read. */
static const char *complaint(const struct perf_writer *w)
{
	static char text[256];
	struct fdo_error err = { "" };
	struct perfdata_record r;
	struct perfdata *data;
	int fd;

	data = open_writer(w, &fd, &err);
	while (data && perfdata_next(data, &r, &err) && r.kind != PERFDATA_END)
		;
	perfdata_close(data);
	close(fd);
	snprintf(text, sizeof(text), "%s",
		 err.text[0] ? strchr(err.text, ':') : "");
	return text;
}

static void refuses(const struct perf_writer *w, const char *want)
{
	const char *got = complaint(w);

	if (!check(strstr(got, want), want))
		printf("# '%s'\n", got);
}

static void one_event(struct perf_writer *w)
{
	perf_event(w, &(struct perf_event){ .name = "x", .id = 1 });
	perf_begin(w);
}

static void test_records_that_are_refused(void)
{
	static const struct {
		uint32_t type;
		const char *body, *want;
	} cases[] = {
		{ 76, "", "was written by perf stat" },
		{ 200, "", "a record of type 200 is not known" },
		{ 0, "", "a record has no type" },
		{ 81, "not zstd", "compressed records: " },
		{ 9, "", "the record is too short" },
		{ 1, "short", "the record is too short" },
		{ 71, "\377\377\377\377\377\377\377\177",
		  "are not in the file" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct perf_writer w = { 0 };

		one_event(&w);
		perf_raw(&w, cases[i].type, 0, cases[i].body,
			 strlen(cases[i].body));
		perf_end(&w);
		refuses(&w, cases[i].want);
		perf_free(&w);
	}
}

static void test_no_records(void)
{
	struct perf_writer w = { 0 };

	one_event(&w);
	perf_end(&w);
	refuses(&w, "has no records: perf record was not ended");
	perf_free(&w);
}

/* A list of build-ids with a gap of zeros, as perf 6.12 writes it. */
static void test_damaged_build_ids(void)
{
	static const char path[] = "/usr/bin/application";
	enum { ID = 24, HEADER = 8, PID = 4 };
	struct perf_writer w = { 0 };
	struct fdo_error err;
	char place[64];
	size_t at = 0;

	one_event(&w);
	perf_build_id(&w, "/usr/bin/first", "ab");
	perf_build_id(&w, path, "cd");
	perf_sample(&w, &sample);
	perf_end(&w);
	check(!complaint(&w)[0], "build-ids are read");
	while (memcmp(w.data + at, path, sizeof(path)) != 0)
		at++;
	at -= ID + PID + HEADER;
	memset(w.data + at, 0, HEADER);
	strcpy(err.text, complaint(&w));
	sprintf(place, "byte %zu: a build-id of 0 bytes is too short; ",
		at + HEADER);
	check(strstr(err.text, place), "the place of a gap between them");
	check(strstr(err.text, "damaged, as perf 6.12 writes it"),
	      "and who is to blame");
	printf("# %s\n", err.text);
	perf_free(&w);
}

/* Where the ids of an event are stands behind its attribute. */
static void set_ids(struct perf_writer *w, int event, uint64_t size)
{
	enum { EVENT = 104 + 16, SECTION = 16 };
	size_t at = w->header_size - (w->nevents - event) * EVENT;
	struct perf_bytes section = { 0 };

	perf_put(&section, w, 0, 8);
	perf_put(&section, w, size, 8);
	memcpy(w->data + at + EVENT - SECTION, section.data, SECTION);
	free(section.data);
}

static void test_ids_that_events_share(void)
{
	struct perf_writer w = { 0 };
	uint64_t half;

	perf_event(&w, &(struct perf_event){ .id = 1 });
	perf_event(&w, &(struct perf_event){ .id = 2 });
	perf_begin(&w);
	perf_sample(&w, &sample);
	perf_end(&w);
	half = w.size / 16 * 8;
	set_ids(&w, 0, half);
	set_ids(&w, 1, half);
	check(!complaint(&w)[0], "ids may be as large as the file");
	set_ids(&w, 0, half + 16);
	refuses(&w, "the ids of the events are larger than the file");
	perf_free(&w);
}

/* In a stream each event has a record, which stands first. */
static void write_events(struct perf_writer *w, int count)
{
	enum { HEADER = 8, ATTR = 104, ID = 8 };
	unsigned char event[ATTR + ID];

	*w = (struct perf_writer){ .stream = true };
	one_event(w);
	memcpy(event, w->records.data + HEADER, sizeof(event));
	for (int i = 1; i < count; i++)
		perf_raw(w, 64, 0, event, sizeof(event));
	perf_sample(w, &sample);
	perf_end(w);
}

static void test_too_many_events(void)
{
	struct perf_writer w;

	write_events(&w, PERFDATA_EVENTS_MOST);
	check(!complaint(&w)[0], "as many events as are supported");
	perf_free(&w);
	write_events(&w, PERFDATA_EVENTS_MOST + 1);
	refuses(&w, "more than 1024 events are not supported");
	perf_free(&w);
}

static void test_events_that_cannot_be_told_apart(void)
{
	struct perf_writer w = { 0 };

	for (int i = 0; i < 2; i++)
		perf_event(&w, &(struct perf_event){ .name = "x",
						     .sample_type =
							     PERF_SAMPLE_IP });
	perf_begin(&w);
	perf_sample(&w, &sample);
	perf_end(&w);
	refuses(&w, "has 2 events, but its samples do not say of which");
	perf_free(&w);

	w = (struct perf_writer){ 0 };
	perf_event(&w, &(struct perf_event){ .name = "x",
					     .sample_type = PERF_SAMPLE_TIME });
	perf_begin(&w);
	perf_sample(&w, &sample);
	perf_end(&w);
	refuses(&w, "the samples have no address");
	perf_free(&w);
}

static void test_bytes(const char *bytes, size_t size, const char *want)
{
	struct perf_writer w = { .data = (unsigned char *)bytes, .size = size };

	refuses(&w, want);
}

static void test_other_files(void)
{
	struct fdo_error err = { "" };

	test_bytes("", 0, "is no perf.data: it is too short");
	test_bytes("\177ELF and more", 12, "is no perf.data");
	test_bytes("PERFFILE and more", 16, "is of the first format");
	test_bytes("PERFILE2\x20\0\0\0\0\0\0\0", 16,
		   "a header of 32 bytes is not supported");
	test_bytes("PERFILE2\x10\0\0\0\0\0\0\0", 16, "describes no events");
	check(!perfdata_open("/", &err), "a directory");
	check(strcmp(err.text, "/: is a directory without the file data, which "
			       "perf record --threads and --kcore write") == 0,
	      "is refused by name");
	check(!perfdata_open("/nonexistent/perf.data", &err), "no file");
	check(strstr(err.text, "/nonexistent/perf.data: No such file"),
	      "is no file");
}

/* A pipe that carries what was written to a file. */
static struct perfdata *through_pipe(const struct perf_writer *w,
				     struct fdo_error *err)
{
	struct perfdata *data;
	char path[64];
	int ends[2];

	if (pipe(ends) < 0 ||
	    write(ends[1], w->data, w->size) != (ssize_t)w->size)
		abort();
	close(ends[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	data = perfdata_open(path, err);
	close(ends[0]);
	return data;
}

static void test_a_file_through_a_pipe(void)
{
	struct perf_writer w = { .hostname = "here" };
	struct fdo_error err = { "" };
	struct perfdata *data;

	one_event(&w);
	perf_sample(&w, &sample);
	perf_end(&w);
	setenv("TMPDIR", "/no/such/folder", 1);
	check(!through_pipe(&w, &err) &&
		      strstr(err.text, "temporary file in /no/such/folder"),
	      "it goes through a file in TMPDIR");
	unsetenv("TMPDIR");
	data = through_pipe(&w, &err);
	if (check(data, "a file comes through a pipe")) {
		check(first(data, PERFDATA_SAMPLE).sample.ip == sample.ip,
		      "with its samples");
		check(strcmp(perfdata_text(data, PERFDATA_HOSTNAME), "here") ==
			      0,
		      "and what stands behind them");
	}
	perfdata_close(data);
	perf_free(&w);
}

/* Without times the order is that of the file. */
static void test_no_times(void)
{
	struct perf_writer w = { 0 };
	struct fdo_error err = { "" };
	struct perfdata *data;
	int fd;

	perf_event(&w, &(struct perf_event){ .sample_type = PERF_SAMPLE_IP |
							    PERF_SAMPLE_TID });
	perf_begin(&w);
	for (int i = 0; i < 3; i++)
		perf_sample(&w, &(struct perf_sample){ .ip = 30 - i });
	perf_end(&w);
	data = open_writer(&w, &fd, &err);
	for (int i = 0; i < 3; i++)
		check_int(first(data, PERFDATA_SAMPLE).sample.ip, 30 - i,
			  "as they stand");
	perfdata_close(data);
	close(fd);
	perf_free(&w);
}

int main(void)
{
	test_sample_layouts();
	test_formats_within_a_sample();
	test_registers();
	test_states();
	test_without_registers(1000, 0, "registers that nobody wants");
	test_without_registers(0, 0xffff, "those of samples of no period are");
	test_names(false);
	test_names(true);
	test_old_attributes(false);
	test_old_attributes(true);
	test_names_that_are_missing();
	test_records(false);
	test_records(true);
	test_other_records();
	test_records_that_are_refused();
	test_no_records();
	test_damaged_build_ids();
	test_ids_that_events_share();
	test_too_many_events();
	test_events_that_cannot_be_told_apart();
	test_other_files();
	test_a_file_through_a_pipe();
	test_no_times();
	return done();
}
