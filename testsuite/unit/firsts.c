/* When code was first used, by what perf records of a process. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "converter/perf/samples.h"
#include "testsuite/lib/perf_writer.h"
#include "testsuite/lib/tap.h"

/* At 0x1000, with the same offsets behind that. */
static const struct perf_map app = { 0x1000, 0x1000, 0, "/opt/app" };
static const struct perf_map library = { 0x5000, 0x1000, 0, "/lib/lib.so" };

static struct perf_who who(uint32_t pid, uint64_t time)
{
	return (struct perf_who){ .pid = pid, .tid = pid, .time = time };
}

static void begin_file(struct perf_writer *w, uint64_t sample_type)
{
	*w = (struct perf_writer){ 0 };
	perf_event(w, &(struct perf_event){ .name = "cycles",
					    .sample_type = sample_type,
					    .id = 5 });
	perf_begin(w);
}

static void begin_program(struct perf_writer *w, uint32_t pid, uint64_t time)
{
	perf_comm(w, who(pid, time), "app", true);
	perf_mmap(w, who(pid, time), &app);
}

static void one(struct perf_writer *w, uint32_t pid, uint64_t time, uint64_t ip)
{
	perf_sample(
		w, &(struct perf_sample){ .pid = pid, .time = time, .ip = ip });
}

static void read_file(struct samples *samples, struct perf_writer *w)
{
	struct fdo_error err;
	char path[64];
	int fd = perf_open(w->data, w->size, path);

	check(samples_read(samples, path, &err), "the file is read");
	close(fd);
}

/* Of the first object, as "0xOFFSET TIME" and so on. */
static bool are(struct samples *samples, const char *want)
{
	char got[512] = "";
	size_t size = 0;

	samples_finish(samples);
	for (size_t i = 0; samples->nobjects && i < samples->objects->nfirsts;
	     i++)
		size += snprintf(
			got + size, sizeof(got) - size, "0x%llx %llu ",
			(unsigned long long)samples->objects->firsts[i].offset,
			(unsigned long long)samples->objects->firsts[i].time);
	samples_free(samples);
	if (strcmp(got, want) == 0)
		return true;
	printf("# %s\n", got);
	return false;
}

static bool file_has(struct perf_writer *w, const char *want)
{
	struct samples *samples = samples_new(NULL, 0);

	perf_end(w);
	read_file(samples, w);
	perf_free(w);
	return are(samples, want);
}

static void test_the_first_sample(void)
{
	struct perf_writer w;

	begin_file(&w, 0);
	begin_program(&w, 7, 1000);
	one(&w, 7, 1300, 0x1010);
	one(&w, 7, 1400, 0x1020);
	one(&w, 7, 1500, 0x1010);
	check(file_has(&w, "0x10 300 0x20 400 "), "the first one counts");

	begin_file(&w, 0);
	begin_program(&w, 7, 1000);
	one(&w, 7, 1300, 0x1010);
	begin_program(&w, 7, 2000);
	one(&w, 7, 2100, 0x1010);
	check(file_has(&w, "0x10 100 "), "of the fastest run");
}

/* Where nothing that counts was sampled, but a page fault. */
static void test_page_faults(void)
{
	struct perf_writer w = { 0 };

	perf_event(&w, &(struct perf_event){ .name = "cycles", .id = 5 });
	perf_event(&w, &(struct perf_event){ .name = "page-faults", .id = 6 });
	perf_begin(&w);
	begin_program(&w, 7, 1000);
	perf_sample(&w,
		    &(struct perf_sample){
			    .event = 1, .pid = 7, .time = 1200, .ip = 0x1020 });
	one(&w, 7, 1300, 0x1010);
	check(file_has(&w, "0x10 300 0x20 200 "), "code of a page fault ran");
}

static void test_no_beginning(void)
{
	struct perf_writer w;

	begin_file(&w, 0);
	perf_comm(&w, who(7, 0), "app", false);
	perf_mmap(&w, who(7, 0), &app);
	one(&w, 7, 1300, 0x1010);
	check(file_has(&w, ""), "a process that was there says nothing");

	begin_file(&w, 0);
	perf_comm(&w, who(7, 1000), "app", false);
	perf_mmap(&w, who(7, 1000), &app);
	one(&w, 7, 1300, 0x1010);
	check(file_has(&w, ""), "nor does one with another name");

	begin_file(&w, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			       PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD);
	begin_program(&w, 7, 1000);
	one(&w, 7, 1300, 0x1010);
	check(file_has(&w, ""), "nor does a file without times");
}

static void test_children(void)
{
	struct perf_writer w;

	begin_file(&w, 0);
	begin_program(&w, 7, 1000);
	perf_fork(&w, who(8, 1500), 7, 7);
	one(&w, 8, 1600, 0x1010);
	check(file_has(&w, "0x10 600 "),
	      "a child goes on with its parent's program");

	begin_file(&w, 0);
	begin_program(&w, 7, 1000);
	perf_fork_empty(&w, who(8, 1500), 7, 7);
	perf_mmap(&w, who(8, 1500), &app);
	one(&w, 8, 1600, 0x1010);
	check(file_has(&w, ""), "but not one that perf found running");
}

static void test_chains(void)
{
	static const uint64_t callers[] = { 0x1100, 0x5010, 0x1200 };
	struct perf_sample s = { .pid = 7,
				 .time = 1300,
				 .ip = 0x1010,
				 .ncallers = 3,
				 .callers = callers };
	struct perf_writer w;

	begin_file(&w, PERF_USUAL | PERF_SAMPLE_CALLCHAIN);
	begin_program(&w, 7, 1000);
	perf_mmap(&w, who(7, 1001), &library);
	perf_sample(&w, &s);
	check(file_has(&w, "0x10 300 0xff 299 0x1ff 297 "),
	      "callers came before, in the order of calls");

	begin_file(&w, PERF_USUAL | PERF_SAMPLE_CALLCHAIN);
	begin_program(&w, 7, 1000);
	one(&w, 7, 1900, 0x1010);
	s.kernel = true;
	perf_sample(&w, &s);
	check(file_has(&w, "0x10 300 0xff 299 0x1ff 297 "),
	      "those of the kernel, too");

	begin_file(&w, PERF_USUAL | PERF_SAMPLE_CALLCHAIN);
	begin_program(&w, 7, 1000);
	s.kernel = false;
	s.time = 1002;
	perf_sample(&w, &s);
	check(file_has(&w, "0x10 2 0xff 1 0x1ff 1 "),
	      "but not before the beginning");
}

static void test_branches(void)
{
	static const struct perf_branch branches[] = { { 0x1040, 0x1050 },
						       { 0x1020, 0x1030 },
						       { 0x1020, 0x1080,
							 .wrong_path = true },
						       { 0x5010, 0x1010 } };
	struct perf_writer w;

	begin_file(&w, PERF_USUAL | PERF_SAMPLE_BRANCH_STACK);
	begin_program(&w, 7, 1000);
	perf_sample(&w, &(struct perf_sample){ .pid = 7,
					       .time = 1300,
					       .ip = 0x1060,
					       .nbranches = 4,
					       .branches = branches });
	check(file_has(&w, "0x10 296 0x30 298 0x50 299 0x60 300 "),
	      "what the last branches came to was before");
}

static void test_files(void)
{
	struct perf_writer w[2];

	for (int i = 0; i < 2; i++) {
		begin_file(&w[i], 0);
		begin_program(&w[i], 7, 1000 + 5000 * i);
		one(&w[i], 7, 1000 + 5000 * i + 300 - 100 * i, 0x1010);
		one(&w[i], 7, 1000 + 5000 * i + 300 + 100 * i, 0x1020);
		perf_end(&w[i]);
	}
	for (int i = 0; i < 2; i++) {
		struct samples *samples = samples_new(NULL, 0);

		read_file(samples, &w[i]);
		read_file(samples, &w[!i]);
		check(are(samples, "0x10 200 0x20 300 "),
		      "the least of all files, in any order");
	}
	perf_free(&w[0]);
	perf_free(&w[1]);
}

int main(void)
{
	test_the_first_sample();
	test_page_faults();
	test_no_beginning();
	test_children();
	test_chains();
	test_branches();
	test_files();
	return done();
}
