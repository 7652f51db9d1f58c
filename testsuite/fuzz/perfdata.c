/* Every prefix of a small perf.data, and every byte of it changed. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "converter/perf/samples.h"
#include "testsuite/fuzz/damage.h"
#include "testsuite/lib/perf_story.h"

static uint32_t all_registers(void *data, const char *path,
			      const struct fdo_build_id *id, uint64_t offset)
{
	(void)data;
	(void)path;
	(void)id;
	(void)offset;
	return UINT32_MAX;
}

static bool reader(const char *path, struct fdo_error *err)
{
	struct samples *samples = samples_new(NULL, 0);
	bool done;

	samples_watch(samples, all_registers, NULL);
	done = samples_read(samples, path, err);
	if (done)
		samples_finish(samples);
	samples_free(samples);
	return done;
}

static void test_form(bool stream, bool big_endian, bool compressed)
{
	struct perf_writer w = { .stream = stream,
				 .big_endian = big_endian,
				 .compressed = compressed };
	char what[64];

	snprintf(what, sizeof(what), "%s, %s-endian%s",
		 stream ? "stream" : "file", big_endian ? "big" : "little",
		 compressed ? ", compressed" : "");
	perf_story(&w);
	damage_prefixes(what, w.data, w.size, !stream, reader);
	damage_bytes(what, w.data, w.size, w.header_size, reader);
	perf_free(&w);
}

/* Where a recording of many files is, one of which is damaged. */
static char folder[] = "/tmp/fuzz-perfdata-XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* The damaged file as a part, by whose name messages are to begin. */
static bool part_reader(const char *path, struct fdo_error *err)
{
	const char *part = in_folder("data.1");
	size_t length = strlen(part);
	bool done;

	unlink(part);
	if (symlink(path, part) != 0)
		abort();
	done = reader(folder, err);
	if (!done && strncmp(err->text, in_folder("data.1"), length) == 0)
		fdo_fail(err, "%s%s", path, err->text + length);
	return done;
}

static void write_file(const char *path, const struct perf_writer *w)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(w->data, 1, w->size, file) != w->size ||
	    fclose(file) != 0)
		abort();
}

/* The story is told in three files: the header's, and two parts. */
static void test_parts(bool big_endian, bool compressed)
{
	struct perf_writer w = { .directory = 1,
				 .big_endian = big_endian,
				 .compressed = compressed };
	struct perf_writer part = w;
	char what[64];

	if (!mkdtemp(folder))
		abort();
	snprintf(what, sizeof(what), "a part, %s-endian%s",
		 big_endian ? "big" : "little",
		 compressed ? ", compressed" : "");
	perf_story(&w);
	write_file(in_folder("data"), &w);
	perf_story_part(&part);
	write_file(in_folder("data.0"), &part);
	damage_prefixes(what, part.data, part.size, false, part_reader);
	damage_bytes(what, part.data, part.size, 0, part_reader);
	unlink(in_folder("data"));
	unlink(in_folder("data.0"));
	unlink(in_folder("data.1"));
	rmdir(folder);
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	perf_free(&w);
	perf_free(&part);
}

/* A stack of branches, with and without the index that stands before it. */
static void test_branches(uint64_t index)
{
	static const struct perf_branch branches[] = {
		{ 0x400120, 0x400100, true },
		{ 0x400120, 0x400100, false },
		{ 0x400180, 0x400110, false },
	};
	struct perf_writer w = { .stream = false };
	struct perf_who who = { .pid = 7, .tid = 7, .time = 1 };

	perf_event(&w, &(struct perf_event){
			       .name = "cycles",
			       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					      PERF_SAMPLE_TIME |
					      PERF_SAMPLE_BRANCH_STACK,
			       .branch_type = PERF_SAMPLE_BRANCH_ANY | index,
			       .no_id_all = true,
		       });
	perf_begin(&w);
	perf_mmap(&w, who,
		  &(struct perf_map){ .start = 0x400000,
				      .size = 0x1000,
				      .path = "/bin/app" });
	perf_sample(&w, &(struct perf_sample){ .pid = 7,
					       .tid = 7,
					       .time = 2,
					       .ip = 0x400110,
					       .nbranches = 3,
					       .branches = branches });
	perf_end(&w);
	damage_prefixes("branches", w.data, w.size, true, reader);
	damage_bytes("branches", w.data, w.size, w.header_size, reader);
	perf_free(&w);
}

/* Registers, twice, and a piece of the stack between them. */
static void test_registers(void)
{
	static const uint64_t registers[24] = { 1, 2, 3, 4,	   5,
						6, 7, 8, 0x400100, 9 };
	struct perf_writer w = { .stream = false };
	struct perf_who who = { .pid = 7, .tid = 7, .time = 1 };

	perf_event(&w, &(struct perf_event){
			       .name = "cycles",
			       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					      PERF_SAMPLE_TIME |
					      PERF_SAMPLE_REGS_USER |
					      PERF_SAMPLE_STACK_USER |
					      PERF_SAMPLE_REGS_INTR,
			       .user_registers = 0xff01ff,
			       .registers = 0x3f,
			       .no_id_all = true,
		       });
	perf_begin(&w);
	perf_mmap(&w, who,
		  &(struct perf_map){ .start = 0x400000,
				      .size = 0x1000,
				      .path = "/bin/app" });
	perf_sample(&w, &(struct perf_sample){ .pid = 7,
					       .tid = 7,
					       .time = 2,
					       .ip = 0x400100,
					       .user_abi = 2,
					       .user_registers = registers,
					       .stack = 16,
					       .abi = 2,
					       .registers = registers });
	perf_end(&w);
	damage_prefixes("registers", w.data, w.size, true, reader);
	damage_bytes("registers", w.data, w.size, w.header_size, reader);
	perf_free(&w);
}

/* So many that their rows have room for more. */
static void test_events(void)
{
	enum { EVENTS = 5 };
	struct perf_writer w = { .stream = false };
	struct perf_who who = { .pid = 7, .tid = 7, .time = 1 };

	for (int i = 0; i < EVENTS; i++)
		perf_event(&w,
			   &(struct perf_event){ .config = i, .id = i + 1 });
	perf_begin(&w);
	perf_mmap(&w, who,
		  &(struct perf_map){ .start = 0x400000,
				      .size = 0x1000,
				      .path = "/bin/app" });
	for (int i = 0; i < EVENTS; i++)
		perf_sample(&w, &(struct perf_sample){ .event = i,
						       .pid = 7,
						       .tid = 7,
						       .time = 2 + i,
						       .ip = 0x400100,
						       .period = 1 });
	perf_end(&w);
	damage_prefixes("events", w.data, w.size, true, reader);
	perf_free(&w);
}

int main(void)
{
	test_branches(0);
	test_branches(PERF_SAMPLE_BRANCH_HW_INDEX);
	test_form(false, false, false);
	test_form(false, true, false);
	test_form(false, false, true);
	test_form(true, false, false);
	test_form(true, true, true);
	test_parts(false, false);
	test_parts(true, true);
	test_registers();
	test_events();
	return done();
}
