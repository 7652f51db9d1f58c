/* Samples of a whole recording go where they belong, whatever its form. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "converter/perf/branches.h"
#include "converter/perf/events.h"
#include "converter/perf/registers.h"
#include "converter/perf/samples.h"
#include "converter/perf/tally.h"
#include "testsuite/lib/perf_story.h"
#include "testsuite/lib/samples_print.h"
#include "testsuite/lib/tap.h"

static bool add(struct samples *samples, const struct perf_writer *w)
{
	struct fdo_error err = { "" };
	char path[64];
	int fd = perf_open(w->data, w->size, path);
	bool done = samples_read(samples, path, &err);

	if (!done)
		printf("# %s\n", err.text);
	close(fd);
	return done;
}

static char *text_of(const struct samples *samples)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	samples_print(samples, out);
	fclose(out);
	return text;
}

static bool prints(struct samples *samples, const char *want)
{
	char *got = text_of(samples);
	bool same = strcmp(got, want) == 0;

	for (char *line = same ? NULL : strtok(got, "\n"); line;
	     line = strtok(NULL, "\n"))
		printf("# %s\n", line);
	free(got);
	return same;
}

static void test_form(bool stream, bool big_endian, int compression)
{
	struct perf_writer w = { .stream = stream,
				 .big_endian = big_endian,
				 .compressed = compression > 0,
				 .second_form = compression == 2 };
	struct samples *samples = samples_new(NULL, 0);
	char what[64];

	snprintf(what, sizeof(what), "%s, %s-endian, compression %d",
		 stream ? "stream" : "file", big_endian ? "big" : "little",
		 compression);
	perf_story(&w);
	check(add(samples, &w), what);
	samples_finish(samples);
	check(prints(samples, perf_story_samples), "and all samples are "
						   "where they belong");
	samples_free(samples);
	perf_free(&w);
}

static void test_all_forms(void)
{
	for (int stream = 0; stream < 2; stream++)
		for (int big_endian = 0; big_endian < 2; big_endian++)
			for (int compression = 0; compression < 3;
			     compression++)
				test_form(stream, big_endian, compression);
}

static const struct perf_map app = { 0x1000, 0x1000, 0, "/opt/app" };
static const struct perf_map other = { 0x1000, 0x1000, 0, "/opt/new/app" };

/* One event and one sample of a program. */
static void small(struct perf_writer *w, const char *event,
		  const struct perf_map *map, const char *build_id, uint64_t ip)
{
	perf_event(w, &(struct perf_event){ .name = event, .id = 5 });
	if (build_id)
		perf_build_id(w, map->path, build_id);
	perf_begin(w);
	perf_mmap(w, (struct perf_who){ 7, 7, 1 }, map);
	perf_sample(w, &(struct perf_sample){
			       .pid = 7, .time = 2, .ip = ip, .period = 10 });
	perf_end(w);
}

static const char added[] =
	"files 3\nread 3\nmapped 3\nkernel 0\nanonymous 0\nunmapped 0\n"
	"unknown 0\nstuck 0\nfaults 0\nlost 0\nthrottled 0\nlate 0\n"
	"event branches role=branches samples=1 mapped=1 period=10 lost=0\n"
	"event cycles role=cycles samples=2 mapped=2 period=20 lost=0\n"
	"object /opt/app build-id=6162 samples=3\n"
	"\t0x10 1/10 1/10\n"
	"\t0x20 0/0 1/10\n";

static void test_files_add_up_in_any_order(void)
{
	struct perf_writer w[3] = { { .stream = true }, { .stream = false } };
	static const int orders[6][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
		{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
	};

	small(&w[0], "cycles", &app, "ab", 0x1010);
	small(&w[1], "branches", &app, NULL, 0x1010);
	small(&w[2], "cycles", &app, "ab", 0x1020);
	for (int i = 0; i < 6; i++) {
		struct samples *samples = samples_new(NULL, 0);

		for (int j = 0; j < 3; j++)
			add(samples, &w[orders[i][j]]);
		samples_finish(samples);
		check(prints(samples, added), "the order does not matter");
		samples_free(samples);
	}
	for (int i = 0; i < 3; i++)
		perf_free(&w[i]);
}

static void test_build_ids_keep_apart(void)
{
	struct perf_writer w[3] = { { 0 }, { 0 }, { 0 } };
	struct samples *samples = samples_new(NULL, 0);
	struct fdo_build_id first = { 2, "ab" }, third = { 2, "zz" };

	small(&w[0], "cycles", &app, "ab", 0x1010);
	small(&w[1], "cycles", &app, "cd", 0x1010);
	small(&w[2], "cycles", &other, NULL, 0x1010);
	for (int i = 0; i < 3; i++)
		add(samples, &w[i]);
	samples_finish(samples);
	check_int(samples->nobjects, 3, "three objects");
	check(samples_object(samples, "/x/y", &first) == &samples->objects[0],
	      "found by build-id whatever the path");
	check(samples_object(samples, "/opt/new/app", &third) ==
		      &samples->objects[2],
	      "or by path");
	check(!samples_object(samples, "/else/app", NULL),
	      "a name that several have says nothing");
	check(!samples_object(samples, "/else/other", NULL), "nor a new one");
	samples_free(samples);
	for (int i = 0; i < 3; i++)
		perf_free(&w[i]);
}

static const char one_clock[] =
	"files 2\nread 10\nmapped 6\nkernel 1\nanonymous 0\nunmapped 0\n"
	"unknown 0\nstuck 0\nfaults 0\nlost 0\nthrottled 0\nlate 0\n"
	"doubled 3\n"
	"event cpu-clock:u role=cycles unit=ns samples=3 mapped=3 period=30 "
	"lost=0\n"
	"event cycles:u role=cycles samples=2 mapped=2 period=20 lost=0\n"
	"event task-clock:u role=cycles unit=ns samples=5 mapped=1 period=50 "
	"lost=0\n"
	"object /opt/app build-id= samples=6\n"
	"\t0x10 1/10 1/10 0/0\n"
	"\t0x20 1/10 1/10 0/0\n"
	"\t0x30 1/10 0/0 1/10\n";

/*
 * Two clocks that go off together, but before that the second one in the kernel;
 * cycles, which are no clock; and another recording, of the second clock.
 */
static void test_two_clocks(void)
{
	static const char *const names[] = { "cpu-clock:u", "task-clock:u",
					     "cycles:u" };
	static const struct {
		int event;
		uint64_t ip;
		bool kernel;
	} all[] = {
		{ 1, 0x1010, true }, { 0, 0x1010 }, { 1, 0x1010 },
		{ 2, 0x1010 },	     { 0, 0x1020 }, { 1, 0x1020 },
		{ 2, 0x1020 },	     { 0, 0x1030 }, { 1, 0x1040 },
	};
	struct samples *samples = samples_new(NULL, 0);
	struct perf_writer w[2] = { 0 };

	for (int e = 0; e < 3; e++)
		perf_event(&w[0], &(struct perf_event){ .name = names[e],
							.id = 1 + e });
	perf_begin(&w[0]);
	perf_mmap(&w[0], (struct perf_who){ 7, 7, 1 }, &app);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		perf_sample(&w[0],
			    &(struct perf_sample){ .event = all[i].event,
						   .pid = 7,
						   .time = 2 + i,
						   .ip = all[i].ip,
						   .period = 10,
						   .kernel = all[i].kernel });
	perf_end(&w[0]);
	small(&w[1], "task-clock:u", &app, NULL, 0x1030);
	for (int i = 0; i < 2; i++)
		add(samples, &w[i]);
	samples_finish(samples);
	check(prints(samples, one_clock), "of two clocks one counts");
	samples_free(samples);
	for (int i = 0; i < 2; i++)
		perf_free(&w[i]);
}

static const char waited[] =
	"files 1\nread 7\nmapped 3\nkernel 0\nanonymous 0\nunmapped 0\n"
	"unknown 0\nstuck 4\nfaults 1\nlost 0\nthrottled 0\nlate 0\n"
	"event cpu-clock:u role=cycles unit=ns samples=7 mapped=3 period=70 "
	"lost=0\n"
	"event page-faults:u role=faults samples=1 mapped=0 period=3 lost=0\n"
	"object /opt/app build-id= samples=3\n"
	"\t0x10 1/10 0/0\n"
	"\t0x20 1/10 0/0\n"
	"\t0x30 1/10 0/0\n";

/*
 * A sample, the same again, three where one of three page faults is, one of
 * them in it, and another one.
 */
static void test_threads_that_wait(void)
{
	static const uint64_t type = PERF_USUAL | PERF_SAMPLE_REGS_USER;
	static const struct {
		int event;
		uint64_t ip, rax;
	} all[] = {
		{ 0, 0x1010, 1 }, { 0, 0x1010, 1 }, { 0, 0x1020, 1 },
		{ 0, 0x1020, 2 }, { 1, 0x1020, 3 }, { 0, 0x1020, 3 },
		{ 0, 0x1030, 1 }, { 0, 0x1020, 4 },
	};
	struct perf_writer w = { 0 };
	struct samples *samples = samples_new(NULL, 0);

	perf_event(&w, &(struct perf_event){ .name = "cpu-clock:u",
					     .sample_type = type,
					     .user_registers = 0xff007f,
					     .id = 5 });
	perf_event(&w, &(struct perf_event){ .name = "page-faults:u",
					     .sample_type = type,
					     .user_registers = 0xff007f,
					     .id = 6 });
	perf_begin(&w);
	perf_mmap(&w, (struct perf_who){ 7, 7, 1 }, &app);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		uint64_t registers[24] = { all[i].rax };

		perf_sample(&w, &(struct perf_sample){
					.event = all[i].event,
					.pid = 7,
					.tid = 7,
					.time = 2 + i,
					.ip = all[i].ip,
					.period = all[i].event ? 3 : 10,
					.user_abi = 2,
					.user_registers = registers });
	}
	perf_end(&w);
	check(add(samples, &w), "a recording with page faults");
	samples_finish(samples);
	check(prints(samples, waited), "what says nothing is left out");
	samples_free(samples);
	perf_free(&w);
}

/* As two machines have it, or two releases' folders; in either order. */
static void test_a_build_at_two_paths(void)
{
	static const char joined[] =
		"files 3\nread 3\nmapped 3\nkernel 0\nanonymous 0\n"
		"unmapped 0\nunknown 0\nstuck 0\nfaults 0\nlost 0\nthrottled "
		"0\nlate 0\n"
		"event cycles role=cycles samples=3 mapped=3 period=30 "
		"lost=0\n"
		"object /opt/app build-id=6162 samples=2\n"
		"\t0x10 2/20\n"
		"object /opt/new/app build-id=6364 samples=1\n"
		"\t0x10 1/10\n";
	struct perf_writer w[3] = { { 0 }, { 0 }, { 0 } };

	small(&w[0], "cycles", &other, "ab", 0x1010);
	small(&w[1], "cycles", &other, "cd", 0x1010);
	small(&w[2], "cycles", &app, "ab", 0x1010);
	for (int i = 0; i < 3; i++) {
		struct samples *samples = samples_new(NULL, 0);

		for (int j = 0; j < 3; j++)
			add(samples, &w[(i + j) % 3]);
		samples_finish(samples);
		check(prints(samples, joined), "one build is one object");
		samples_free(samples);
	}
	for (int i = 0; i < 3; i++)
		perf_free(&w[i]);
}

/* Of what was called between two samples, only the branches are known. */
static void test_only_branches(void)
{
	static const struct perf_map library = { 0x5000, 0x1000, 0,
						 "/lib/lib.so" };
	static const struct perf_branch branches[] = { { 0x5040, 0x1010 },
						       { 0x5020, 0x5030 },
						       { 0x1008, 0x5000 } };
	struct perf_writer w = { 0 };
	struct samples *samples = samples_new(NULL, 0);
	const struct samples_object *object;

	perf_event(&w,
		   &(struct perf_event){
			   .name = "cycles",
			   .sample_type = PERF_USUAL | PERF_SAMPLE_BRANCH_STACK,
			   .branch_type = PERF_SAMPLE_BRANCH_ANY,
			   .id = 5 });
	perf_begin(&w);
	perf_mmap(&w, (struct perf_who){ 7, 7, 1 }, &app);
	perf_mmap(&w, (struct perf_who){ 7, 7, 1 }, &library);
	perf_sample(&w, &(struct perf_sample){ .pid = 7,
					       .time = 2,
					       .ip = 0x1010,
					       .period = 10,
					       .nbranches = 3,
					       .branches = branches });
	perf_end(&w);
	add(samples, &w);
	samples_finish(samples);
	object = samples_object(samples, library.path, NULL);
	check(object && object->samples == 0 && object->naddresses == 0,
	      "a library without samples");
	check(object && object->jumps[0].n == 1 &&
		      object->jumps[0].ways->from == 0x20 &&
		      object->jumps[0].ways->to == 0x30,
	      "its branches are known all the same");
	check(samples->nobjects == 2 && samples->objects[1].samples == 1,
	      "and the other is as before");
	samples_free(samples);
	perf_free(&w);
}

static void test_two_build_ids_for_one_path(void)
{
	struct perf_writer w = { 0 };
	struct samples *samples = samples_new(NULL, 0);

	perf_build_id(&w, app.path, "ab");
	small(&w, "cycles", &app, "cd", 0x1010);
	add(samples, &w);
	samples_finish(samples);
	check_int(samples->objects[0].build_id.size, 0,
		  "which is meant is not known");
	samples_free(samples);
	perf_free(&w);
}

/* perf writes forks of what it finds running, and then its maps. */
static void test_fork_without_maps(void)
{
	struct perf_writer w = { 0 };
	struct samples *samples = samples_new(NULL, 0);

	perf_event(&w, &(struct perf_event){ .name = "cycles", .id = 5 });
	perf_begin(&w);
	perf_mmap(&w, (struct perf_who){ 7, 7, 1 }, &app);
	perf_fork_empty(&w, (struct perf_who){ 8, 8, 2 }, 7, 7);
	perf_fork_empty(&w, (struct perf_who){ 7, 9, 2 }, 7, 7);
	for (int pid = 7; pid < 9; pid++)
		perf_sample(&w, &(struct perf_sample){
					.pid = pid, .time = 3, .ip = 0x1010 });
	perf_end(&w);
	add(samples, &w);
	samples_finish(samples);
	check_int(samples->totals.mapped, 1, "a thread has the maps");
	check_int(samples->totals.unmapped, 1, "another process has not");
	samples_free(samples);
	perf_free(&w);
}

/* Of both, what is there is meant. */
static void test_found_though_deleted(void)
{
	struct perf_map gone = app;
	struct perf_writer w[2] = { { 0 }, { 0 } };

	gone.path = "/opt/app (deleted)";
	small(&w[0], "cycles", &gone, NULL, 0x1010);
	small(&w[1], "cycles", &app, NULL, 0x1010);
	for (int n = 1; n <= 2; n++) {
		struct samples *samples = samples_new(NULL, 0);
		const struct samples_object *found;

		for (int i = 0; i < n; i++)
			add(samples, &w[i]);
		samples_finish(samples);
		found = samples_object(samples, app.path, NULL);
		check(found, "found by path");
		check(found && samples_was_deleted(found) == (n == 1),
		      "the deleted one only if there is no other");
		check(samples_has_name(found->path, "build/app") &&
			      !samples_has_name(found->path, "build/ap"),
		      "and has its name without folders");
		check(samples_object(samples, "build/app", NULL) == found,
		      "found by name");
		samples_free(samples);
	}
	for (int i = 0; i < 2; i++)
		perf_free(&w[i]);
}

static void test_found_by_name(void)
{
	struct perf_writer w = { 0 };
	struct samples *samples = samples_new(NULL, 0);

	small(&w, "cycles", &app, NULL, 0x1010);
	add(samples, &w);
	samples_finish(samples);
	check(samples_object(samples, "build/app", NULL) == samples->objects,
	      "a name that one object has is enough");
	check(!samples_was_deleted(samples->objects), "nothing was deleted");
	samples_free(samples);
	perf_free(&w);
}

/* A program that was run from memory, and code that somebody made there. */
static void test_in_memory(void)
{
	struct perf_map memory = { 0x1000, 0x1000, 0, "/memfd:x (deleted)" };
	struct fdo_build_id id = { 20, "abcdefghijklmnopqrst" };

	for (int n = 0; n < 2; n++) {
		struct perf_writer w = { 0 };
		struct samples *samples = samples_new(NULL, 0);

		memory.build_id = n ? (const char *)id.bytes : NULL;
		small(&w, "cycles", &memory, NULL, 0x1010);
		add(samples, &w);
		samples_finish(samples);
		check_int(samples->totals.anonymous, !n,
			  "without a build-id it is no file");
		check(!samples_object(samples, "/opt/app", &id) == !n,
		      "with one it is that build");
		samples_free(samples);
		perf_free(&w);
	}
}

static void test_a_rule_sets_role_and_period(void)
{
	struct perf_writer w = { 0 };
	struct event_rule rule = { (char *)"inst", (char *)"r1c0", 1000 };
	struct samples *samples = samples_new(&rule, 1);
	const struct samples_count *count;

	small(&w, "r1c0:u", &app, NULL, 0x1010);
	add(samples, &w);
	samples_finish(samples);
	count = samples_count(samples, samples->objects, 0, 0);
	check(strcmp(samples->events[0].role, "inst") == 0, "the rule's role");
	check_int(samples->events[0].period, 1000, "and its period in the sum");
	check_int(count->period, 1000, "and of each address");
	samples_free(samples);
	perf_free(&w);
}

static void test_sums_do_not_wrap(void)
{
	struct perf_writer w = { 0 };
	struct samples *samples = samples_new(NULL, 0);

	perf_event(&w, &(struct perf_event){ .name = "x", .id = 5 });
	perf_begin(&w);
	perf_mmap(&w, (struct perf_who){ 7, 7, 1 }, &app);
	for (int i = 0; i < 2; i++)
		perf_sample(&w, &(struct perf_sample){ .pid = 7,
						       .time = 2,
						       .ip = 0x1010,
						       .period = ~0ULL - 5 });
	perf_end(&w);
	add(samples, &w);
	samples_finish(samples);
	check(samples->events[0].period == UINT64_MAX, "the sum stays largest");
	samples_free(samples);
	perf_free(&w);
}

/* rcx at one address, rcx and rdx at another, which are asked for once each. */
static uint32_t two_places(void *asked, const char *path,
			   const struct fdo_build_id *id, uint64_t offset)
{
	++*(int *)asked;
	if (strcmp(path, "/opt/app") != 0 || id->size != 2)
		return 0;
	return offset == 0x10 ? 1 << 1 : offset == 0x20 ? 1 << 1 | 1 << 2 : 0;
}

/* So many samples at both, of which each has another rdx, and two of nothing. */
static void with_registers(struct perf_writer *w, int n, uint64_t rcx)
{
	static const struct perf_map kernel = { 0x8000, 0x1000, 0, "/opt/app",
						.kernel = true };

	perf_event(w, &(struct perf_event){
			      .name = "branch-steps",
			      .sample_type = PERF_USUAL | PERF_SAMPLE_REGS_USER,
			      .user_registers = 1 << 2 | 1 << 3,
			      .id = 5 });
	perf_build_id(w, app.path, "ab");
	perf_begin(w);
	perf_mmap(w, (struct perf_who){ 7, 7, 1 }, &app);
	perf_mmap(w, (struct perf_who){ 7, 7, 1 }, &kernel);
	for (int i = 0; i < n + 2; i++) {
		uint64_t registers[] = { 0, 0, rcx, i };
		struct perf_sample one = {
			.pid = 7,
			.time = 2 + i,
			.ip = i == n  ? 0x1030
			      : i % 2 ? 0x1010
				      : 0x1020,
			.period = i < n,
			.user_abi = 2,
			.user_registers = registers,
			.kernel = i == n + 1,
		};

		perf_sample(w, &one);
	}
	perf_end(w);
}

static const char with_values[] =
	"files 2\nread 6\nmapped 6\nkernel 0\nanonymous 0\nunmapped 0\n"
	"unknown 0\nstuck 0\nfaults 0\nlost 0\nthrottled 0\nlate 0\n"
	"event branch-steps role=steps samples=6 mapped=6 period=6 lost=0\n"
	"object /opt/app build-id=6162 samples=6\n"
	"\t0x10 3/3\n"
	"\t0x20 3/3\n"
	"\tvalue 0x10 1 0x8 1\n"
	"\tvalue 0x10 1 0x9 2\n"
	"\tvalue 0x20 1 0x8 1\n"
	"\tvalue 0x20 1 0x9 2\n"
	"\tvalue 0x20 2 0x0 2\n"
	"\tvalue 0x20 2 0x2 1\n";

/* Two files in one order or the other. */
static struct samples *read_both(samples_watched *watched, samples_told *told,
				 int *asked, bool turned)
{
	struct perf_writer w[2] = { { .stream = false }, { .stream = false } };
	struct samples *samples = samples_new(NULL, 0);

	with_registers(&w[0], 4, 9);
	with_registers(&w[1], 2, 8);
	*asked = 0;
	if (watched)
		samples_watch(samples, watched, asked);
	if (told)
		samples_ask(samples, told, asked);
	add(samples, &w[turned]);
	add(samples, &w[!turned]);
	samples_finish(samples);
	perf_free(&w[0]);
	perf_free(&w[1]);
	return samples;
}

static void test_registers(void)
{
	for (int i = 0; i < 2; i++) {
		int asked;
		struct samples *samples =
			read_both(two_places, NULL, &asked, i);

		check(prints(samples, with_values), "values, in any order");
		check_int(asked, 6, "what is of interest is asked once a file");
		samples_free(samples);
	}
}

/* Of each sample at the first place two outcomes, by its rdx. */
static size_t two_outcomes(void *asked, const char *path,
			   const struct fdo_build_id *id, uint64_t offset,
			   const struct perfdata_sample *sample,
			   struct samples_outcome *ret)
{
	++*(int *)asked;
	if (strcmp(path, "/opt/app") != 0 || id->size != 2 || offset != 0x10)
		return 0;
	ret[0] = (struct samples_outcome){ 0x14, sample->registers[2] % 4 };
	ret[1] = (struct samples_outcome){ 0x18, 7 };
	return 2;
}

static const char with_outcomes[] =
	"files 2\nread 6\nmapped 6\nkernel 0\nanonymous 0\nunmapped 0\n"
	"unknown 0\nstuck 0\nfaults 0\nlost 0\nthrottled 0\nlate 0\n"
	"event branch-steps role=steps samples=6 mapped=6 period=6 lost=0\n"
	"object /opt/app build-id=6162 samples=6\n"
	"\t0x10 3/3\n"
	"\t0x20 3/3\n"
	"\tvalue 0x14 16 0x1 2\n"
	"\tvalue 0x14 16 0x3 1\n"
	"\tvalue 0x18 16 0x7 3\n";

static void test_outcomes(void)
{
	for (int i = 0; i < 2; i++) {
		int asked;
		struct samples *samples =
			read_both(NULL, two_outcomes, &asked, i);

		check(prints(samples, with_outcomes), "outcomes, in any order");
		check_int(asked, 8, "each sample of user code is asked");
		check(samples->totals.registers == 8 &&
			      samples->totals.told == 3,
		      "and counted");
		samples_free(samples);
	}
}

/* Then values come together. */
static void test_many_values(void)
{
	struct perf_writer w = { .stream = false };
	struct samples *samples = samples_new(NULL, 0);
	const struct samples_value *last;
	int asked = 0;

	with_registers(&w, 4 * REGISTERS_VALUES, 9);
	samples_watch(samples, two_places, &asked);
	add(samples, &w);
	samples_finish(samples);
	check_int(samples->objects[0].nvalues, 2 + REGISTERS_VALUES + 1,
		  "so many different values, and the others");
	last = &samples->objects[0].values[samples->objects[0].nvalues - 1];
	check(last->other && last->samples == REGISTERS_VALUES, "are counted");
	samples_free(samples);
	perf_free(&w);
}

static size_t nothing(void *data, const char *path,
		      const struct fdo_build_id *id, uint64_t offset,
		      const struct perfdata_sample *sample,
		      struct samples_outcome *ret)
{
	(void)data, (void)path, (void)id, (void)offset, (void)sample, (void)ret;
	return 0;
}

/* Of a file above 50 MB, as many as that much has; and all of no period. */
static void test_large_files(void)
{
	enum { SAMPLES = 900000 };
	struct perf_writer w = { .stream = false };
	struct samples *samples = samples_new(NULL, 0);
	double expected;

	with_registers(&w, SAMPLES, 9);
	expected = (double)SAMPLES * (50 << 20) / w.size;
	samples_ask(samples, nothing, NULL);
	add(samples, &w);
	samples_finish(samples);
	check(expected < .9 * SAMPLES, "the file is a large one");
	check_int(samples->totals.read, SAMPLES, "all of its samples are read");
	check(fabs(samples->totals.registers - 1 - expected) < 1000,
	      "but not the registers of all");
	samples_free(samples);
	perf_free(&w);
}

/* Of perf record --no-period: only a rule says what the samples stand for. */
static void test_samples_without_periods(uint64_t period, const char *of)
{
	struct perf_writer w = { 0 };
	struct event_rule rule = { (char *)"cycles", (char *)"cpu-clock", 500 };
	struct samples *samples = samples_new(&rule, of != NULL);
	uint64_t registers[] = { 7 };

	perf_event(&w,
		   &(struct perf_event){
			   .name = "cpu-clock:u",
			   .sample_type = (PERF_USUAL | PERF_SAMPLE_REGS_USER) &
					  ~(uint64_t)PERF_SAMPLE_PERIOD,
			   .user_registers = 1,
			   .period = period,
		   });
	perf_begin(&w);
	perf_mmap(&w, (struct perf_who){ 7, 7, 1 }, &app);
	for (int i = 0; i < 3; i++)
		perf_sample(&w, &(struct perf_sample){
					.pid = 7,
					.time = 2 + i,
					.ip = 0x1010,
					.user_abi = 2,
					.user_registers = registers,
				});
	perf_end(&w);
	add(samples, &w);
	samples_finish(samples);
	check_int(samples->totals.mapped, 3, "samples without periods count");
	check_int(samples->events[0].period, of ? 1500 : 3 * period,
		  of ? of : "by the period of all");
	check(samples->events[0].unmeasured == (!of && !period),
	      "which has to be known");
	samples_free(samples);
	perf_free(&w);
}

/* What one event owes is no other's, also of many. */
static void test_debts(void)
{
	struct samples_count ten = { 10, 10 };
	struct fdo_build_id none = { 0 };
	struct tally tally = { 0 };
	uint32_t number = tally_object(&tally, "/a", &none);
	struct tally_object *object = &tally.objects[number];
	uint64_t others = 0;

	for (int e = 0; e < PERFDATA_EVENTS_MOST; e++)
		tally_add(object, 7, e, ten, 0);
	tally_owe(object, 7, PERFDATA_EVENTS_MOST - 1, 4);
	for (int e = 0; e < PERFDATA_EVENTS_MOST - 1; e++)
		others += tally_settle(object, e);
	check_int(others, 0, "events that owe nothing");
	check_int(tally_settle(object, PERFDATA_EVENTS_MOST - 1), 4,
		  "and the one that does");
	tally_clear(&tally);
}

static void test_many_events(void)
{
	enum { ROWS = 4000 };
	struct samples_count one = { 1, 1 };
	struct fdo_build_id none = { 0 };
	struct tally tally = { 0 };
	uint32_t number = tally_object(&tally, "/a", &none);
	struct tally_object *object = &tally.objects[number];
	clock_t began = clock();

	for (int i = 0; i < ROWS; i++)
		tally_add(object, i, 0, one, 0);
	for (int e = 1; e < PERFDATA_EVENTS_MOST; e++)
		tally_add(object, 7, e, one, 0);
	check((clock() - began) / CLOCKS_PER_SEC < 3,
	      "rows of many events in short time");
	tally_clear(&tally);
}

/* Linux from 0xffffffff9100..., behind which a module is, and a program. */
static void system_story(struct perf_writer *w)
{
	static const uint64_t text = 0xffffffff91000000;
	static const struct perf_branch inside[] = {
		{ text + 0x48, text + 0x20 },
		{ text + 0x30, text + 0x40 },
		{ 0x1010, text + 0x28 }, /* a system call */
		{ 0x1014, 0x100c },
	};
	const struct perf_map linux_map = {
		text,	     0x8000000,	    text, "[kernel.kallsyms]_text",
		.old = true, .kernel = true
	};
	const struct perf_map module = {
		text + 0x4000000,	    0x1000,	 0,
		"/lib/modules/6.1/ext4.ko", .old = true, .kernel = true
	};
	static const uint64_t places[] = { text + 0x40, text + 0x44,
					   text + 0x4000010, 0x1010 };

	perf_event(w,
		   &(struct perf_event){
			   .name = "cycles",
			   .sample_type = PERF_USUAL | PERF_SAMPLE_BRANCH_STACK,
			   .branch_type = PERF_SAMPLE_BRANCH_ANY,
			   .id = 5 });
	perf_build_id(w, "[kernel.kallsyms]", "kk");
	perf_begin(w);
	perf_mmap(w, (struct perf_who){ -1, 0, 0 }, &linux_map);
	perf_mmap(w, (struct perf_who){ -1, 0, 0 }, &module);
	perf_mmap(w, (struct perf_who){ 7, 7, 1 }, &app);
	for (int i = 0; i < 4; i++)
		perf_sample(w, &(struct perf_sample){ .pid = 7,
						      .time = 2 + i,
						      .ip = places[i],
						      .period = 10,
						      .kernel = i < 3,
						      .nbranches = i ? 0 : 4,
						      .branches = inside });
	perf_end(w);
}

static const char with_kernel[] =
	"files 1\nread 4\nmapped 3\nkernel 0\nanonymous 1\nunmapped 0\n";
static const char without_kernel[] =
	"files 1\nread 4\nmapped 1\nkernel 3\nanonymous 0\nunmapped 0\n";

static void test_the_kernel(bool taken)
{
	static const struct fdo_build_id id = { 2, "kk" };
	struct perf_writer w = { 0 };
	struct samples *samples = samples_new(NULL, 0);
	const struct samples_object *linux_itself;
	char *text;

	system_story(&w);
	if (taken)
		samples_take_kernel(samples);
	check(add(samples, &w), "samples of the kernel");
	samples_finish(samples);
	text = text_of(samples);
	check(strncmp(text, taken ? with_kernel : without_kernel,
		      sizeof(with_kernel) - 1) == 0,
	      taken ? "count" : "count only if that is asked for");
	free(text);
	linux_itself = samples_object(samples, NULL, &id);
	check((linux_itself != NULL) == taken, "by its build-id");
	check(linux_itself ==
		      samples_object(samples, "[kernel.kallsyms]", NULL),
	      "and by what perf calls it");
	check_int(samples->totals.stacks.kernel, taken ? 1 : 3,
		  "of branches, those into it do not");
	if (taken) {
		check_int(linux_itself->samples, 2, "nor what is in a module");
		check_int(linux_itself->offsets[0], 0x40,
			  "from where it begins");
		check_int(linux_itself->ranges[0].n, 1, "ranges are in it");
		check_int(linux_itself->ranges[0].ways[0].to, 0x48,
			  "up to a branch");
	}
	samples_free(samples);
	perf_free(&w);
}

int main(void)
{
	test_all_forms();
	test_files_add_up_in_any_order();
	test_build_ids_keep_apart();
	test_two_clocks();
	test_threads_that_wait();
	test_a_build_at_two_paths();
	test_only_branches();
	test_two_build_ids_for_one_path();
	test_fork_without_maps();
	test_found_by_name();
	test_found_though_deleted();
	test_in_memory();
	test_a_rule_sets_role_and_period();
	test_samples_without_periods(0, NULL);
	test_samples_without_periods(200, NULL);
	test_samples_without_periods(0, "by a rule's");
	test_sums_do_not_wrap();
	test_registers();
	test_outcomes();
	test_many_values();
	test_large_files();
	test_debts();
	test_many_events();
	test_the_kernel(false);
	test_the_kernel(true);
	return done();
}
