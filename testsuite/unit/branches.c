/* Branch records become jumps and ranges; what cannot be is left out. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "converter/perf/branches.h"
#include "converter/perf/samples.h"
#include "testsuite/lib/perf_writer.h"
#include "testsuite/lib/tap.h"

enum { AT = 0x400000, LIBRARY = 0x800000, SIZE = 0x10000, PERIOD = 1000 };

/* A recording of one sample with these branches, latest first. */
static struct samples *read_one(const struct perf_branch *branches, int n,
				uint64_t branch_type, uint64_t period)
{
	struct perf_writer w = { .stream = false };
	struct perf_who who = { .pid = 7, .tid = 7, .time = 1 };
	struct samples *samples = samples_new(NULL, 0);
	struct fdo_error err = { "" };
	char path[64];
	int fd;

	perf_event(&w, &(struct perf_event){
			       .name = "br_inst_retired.near_taken",
			       .type = PERF_TYPE_RAW,
			       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					      PERF_SAMPLE_TIME |
					      PERF_SAMPLE_PERIOD |
					      PERF_SAMPLE_BRANCH_STACK,
			       .branch_type = branch_type,
			       .no_id_all = true,
		       });
	perf_begin(&w);
	perf_mmap(&w, who,
		  &(struct perf_map){
			  .start = AT, .size = SIZE, .path = "/bin/app" });
	perf_mmap(&w, who,
		  &(struct perf_map){ .start = LIBRARY,
				      .size = SIZE,
				      .path = "/lib/some.so" });
	perf_sample(&w, &(struct perf_sample){ .pid = 7,
					       .tid = 7,
					       .time = 2,
					       .ip = AT + 0x10,
					       .period = period,
					       .nbranches = n,
					       .branches = branches });
	perf_end(&w);
	fd = perf_open(w.data, w.size, path);
	if (!samples_read(samples, path, &err))
		printf("# %s\n", err.text);
	close(fd);
	samples_finish(samples);
	perf_free(&w);
	return samples;
}

#define READ(branches)                                               \
	read_one(branches, sizeof(branches) / sizeof((branches)[0]), \
		 PERF_SAMPLE_BRANCH_ANY, PERIOD)

static const struct samples_object *app(const struct samples *samples)
{
	return samples_object(samples, "/bin/app", NULL);
}

static void test_loop(void)
{
	/* Three rounds of a loop from 0x100 to 0x120. */
	static const struct perf_branch branches[] = {
		{ AT + 0x120, AT + 0x100, false },
		{ AT + 0x120, AT + 0x100, false },
		{ AT + 0x120, AT + 0x100, false },
	};
	struct samples *samples = READ(branches);
	const struct samples_ways *jumps = app(samples)->jumps;
	const struct samples_ways *ranges = app(samples)->ranges;

	check_int(jumps->n, 1, "one jump");
	check_int(ranges->n, 1, "one range");
	check(jumps->ways[0].from == 0x120 && jumps->ways[0].to == 0x100,
	      "the jump goes back");
	check(ranges->ways[0].from == 0x100 && ranges->ways[0].to == 0x120,
	      "the range is the loop");
	check_int(jumps->ways[0].records, 2,
		  "the oldest record only begins a range");
	check_int(ranges->ways[0].records, 2, "which ran as often");
	check_int(ranges->ways[0].stacks, 1, "in one sample");
	check_int(ranges->ways[0].weight.of[BRANCHES_TAKEN],
		  PERIOD * BRANCHES_ONE,
		  "of the branches of a period two were seen, twice");
	check_int(ranges->ways[0].weight.of[BRANCHES_CODE],
		  2 * (PERIOD * 4 * BRANCHES_ONE / (2 * 0x24)),
		  "or of its instructions so many");
	check_int(ranges->ways[0].weight.of[BRANCHES_CYCLES], 0,
		  "cycles are not known");
	samples_free(samples);
}

static void test_bogus(void)
{
	static const struct perf_branch branches[] = {
		{ AT + 0x220, AT + 0x300, false },
		{ AT + 0x110, AT + 0x210, false }, /* ends too early */
		{ AT + 0x120, AT + 0x118, false },
		{ UINT64_MAX - 8, AT + 0x110, false }, /* of the kernel */
		{ AT + 0x140, UINT64_MAX - 16, false },
		{ AT + 0x120, AT + 0x130, false },
		{ 0x10, AT + 0x110, false },	    /* of no file */
		{ 0, 0, false },		    /* empty */
		{ AT + 0xa000, AT + 0x100, false }, /* too long */
		{ AT + 0x120, AT + 0x1000, false },
		{ AT + 0x2000, LIBRARY + 0x20, false }, /* other file */
		{ LIBRARY + 0x10, AT + 0x1ff0, false },
	};
	struct samples *samples = READ(branches);
	const struct samples_stacks *stacks = &samples->totals.stacks;

	check_int(stacks->records, 12, "records are counted");
	check_int(stacks->kernel, 2, "and those of the kernel");
	check_int(stacks->unmapped, 1, "of no file");
	check_int(stacks->empty, 1, "of nothing");
	check_int(stacks->impossible, 3,
		  "ranges that are too long, or end before they begin, or in "
		  "another file");
	check_int(app(samples)->ranges->n, 3, "what is left are ranges");
	check_int(app(samples)->jumps->n, 2,
		  "and jumps that stay in the file and have a range");
	samples_free(samples);
}

static void test_filters(void)
{
	static const struct perf_branch branches[] = {
		{ AT + 0x120, AT + 0x100, false },
		{ AT + 0x120, AT + 0x100, false },
	};
	uint64_t calls = PERF_SAMPLE_BRANCH_ANY_CALL;
	uint64_t stack = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_CALL_STACK;
	struct samples *samples = read_one(branches, 2, calls, PERIOD);

	check_int(samples->totals.stacks.filtered, 1,
		  "calls alone are no history");
	check_int(app(samples)->ranges->n, 0, "and make no ranges");
	samples_free(samples);
	samples = read_one(branches, 2, stack, PERIOD);
	check_int(samples->totals.stacks.filtered, 1, "nor is a call stack");
	samples_free(samples);
}

static void test_short(void)
{
	static const struct perf_branch branches[] = {
		{ AT + 0x120, AT + 0x100, false },
	};
	struct samples *samples = READ(branches);

	check_int(app(samples)->ranges->n, 0, "one record is no range");
	samples_free(samples);
}

static void test_a_long_period(void)
{
	static const struct perf_branch branches[] = {
		{ AT + 0x120, AT + 0x100, false },
		{ AT + 0x120, AT + 0x100, false },
	};
	struct samples *samples =
		read_one(branches, 2, PERF_SAMPLE_BRANCH_ANY, 1ULL << 62);
	const struct samples_ways *ranges = app(samples)->ranges;

	check(ranges->ways[0].weight.of[BRANCHES_CODE] ==
		      ranges->ways[0].weight.of[BRANCHES_TAKEN],
	      "the longest periods weigh most, however they are shared");
	samples_free(samples);
}

int main(void)
{
	test_loop();
	test_bogus();
	test_filters();
	test_short();
	test_a_long_period();
	return done();
}
