/*
 * The classes of CGO 2010, section 4.2, on blocks whose events are made up;
 * what machine descriptions say; and that classes lead to prices.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "converter/count/classify.h"
#include "converter/count/machine.h"
#include "testsuite/lib/tap.h"

enum { INST, CYCLES, DTLB, EVENTS, BLOCKS = 6 };

static const char description[] = "# made up\n"
				  "name\tTest Machine\n"
				  "cpuid Test,1,*\n"
				  "event dtlb_miss* stall:dtlb 30  # manual\n"
				  "event slow_inst inst\n"
				  "event slow* stall:slow 5\n";

static struct samples_event events[EVENTS] = {
	{ .name = "instructions:u", .role = "inst", .samples = 1 },
	{ .name = "cycles:u", .role = "cycles", .samples = 1 },
	{ .name = "dtlb_miss.any:u", .role = "dtlb_miss.any", .samples = 1 },
};

static struct machine *read_description(const char *text, struct fdo_error *err)
{
	FILE *file = fopen("classify.machine", "w");
	struct machine *m;

	fputs(text, file);
	fclose(file);
	m = machine_read("classify.machine", err);
	unlink("classify.machine");
	return m;
}

static void refuses(const char *text, const char *message)
{
	static const char path[] = "classify.machine: ";
	struct fdo_error err = { "" };
	struct machine *m = read_description(text, &err);

	if (!check(!m && strncmp(err.text, path, strlen(path)) == 0 &&
			   strcmp(err.text + strlen(path), message) == 0,
		   message))
		printf("# %s\n", err.text);
	machine_free(m);
}

static void test_description(void)
{
	struct fdo_error err;
	struct machine *m = read_description(description, &err);

	check(m != NULL, "is read");
	check_int(machine_stall(m, "cpu/dtlb_miss.walk/u"), 30,
		  "knows an event by its pattern");
	check(machine_stall(m, "slow_inst:u") == 0 &&
		      machine_stall(m, "other") == 0,
	      "that others do not stall");
	machine_free(m);
	check(!read_description("event a stall:b\n", &err) &&
		      strncmp(err.text, "classify.machine: line 1: ", 26) == 0,
	      "a stall without cycles is refused");
	check(!read_description("event a inst\nevent b stall:c 4", &err) &&
		      strcmp(err.text, "classify.machine: line 2: the line is "
				       "cut off") == 0,
	      "half a number of cycles, too");
	check(!read_description("event a stall:b -4\n", &err) &&
		      !read_description("evnt a b\n", &err) &&
		      !read_description("name x\n", &err),
	      "so are other mistakes");
	refuses("event a inst\nevent b slow\n",
		"line 2: 'slow': the role is stall:NAME, inst, cycles, taken, "
		"steps, faults or other");
	refuses("event a stall: 4\n", "line 1: a stall has a name: stall:NAME");
	refuses("event a* stall:b 4\nevent A* stall:b 5\n",
		"line 2: the pattern 'A*' was there already");
	refuses("event a inst\nevent a inst\n",
		"line 2: the pattern 'a' was there already");
	refuses("cpuid Test*\r\nevent a inst\n",
		"line 1: a carriage return, as lines of another system end");
}

#define FIRST  "classify.folder/a.machine"
#define SECOND "classify.folder/b.machine"

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

static void test_find(void)
{
	struct fdo_error err = { "as it was" };
	struct machine *m;

	mkdir("classify.folder", 0777);
	write_text(FIRST, "cpuid One,*\nevent a stall:b 3\n");
	write_text(SECOND, "cpuid Two,*\nevent a stall:b 4\n");
	check(machine_find("classify.folder", "Two,2", &m, &err) && m &&
		      machine_stall(m, "a") == 4,
	      "the description of a processor is found");
	machine_free(m);
	check(machine_find("classify.folder", "Three,2", &m, &err) && !m,
	      "that there is none is no failure");
	check(machine_find("no/such/folder", "Two,2", &m, &err) && !m,
	      "nor that there is no folder");
	check(strcmp(err.text, "as it was") == 0, "and no text says so");
	write_text(SECOND, "cpuid Two,*");
	check(machine_find("classify.folder", "One,2", &m, &err) && m,
	      "nor what follows the one that is found");
	machine_free(m);
	check(!machine_find("classify.folder", "Two,2", &m, &err) && !m &&
		      strncmp(err.text, SECOND ": line 1", 33) == 0,
	      "one that cannot be read is");
	unlink(FIRST);
	unlink(SECOND);
	rmdir("classify.folder");
}

/* Each by its processor's name, of those that perf writes, and a miss of its. */
static void test_shipped(void)
{
	static const struct {
		const char *cpuid, *event;
		double cycles;
	} known[] = {
		{ "GenuineIntel-6-5E", "cache-misses:u", 200 },
		{ "GenuineIntel,6,143,8", "mem_load_retired.l2_miss:u", 30 },
		{ "AuthenticAMD,25,1,1", "l2_cache_req_stat.ls_rd_blk_c", 45 },
		{ "AuthenticAMD-26-2-1", "dtlb-load-misses", 25 },
		{ "0x00000000410fd0c0", "l2d_cache_refill", 40 },
		{ "0x00000000410fd4f0", "dtlb_walk", 25 },
	};
	const char *top = getenv("top_srcdir");
	struct fdo_error err = { "" };
	struct machine *m;
	char folder[4096];

	snprintf(folder, sizeof(folder), "%s/converter/machines",
		 top ? top : ".");
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (check(machine_find(folder, known[i].cpuid, &m, &err) && m,
			  known[i].cpuid))
			check_int(machine_stall(m, known[i].event),
				  known[i].cycles, known[i].event);
		else
			printf("# %s\n", err.text);
		machine_free(m);
	}
}

/* Instructions, cycles and misses of each block. */
static const uint64_t sampled[BLOCKS][EVENTS] = {
	{ 100000, 60000, 0 },	/* runs well */
	{ 1000, 40000, 0 },	/* slow for no reason that is known */
	{ 50000, 60000, 1500 }, /* 45000 of its cycles are misses */
	{ 1000, 40000, 1300 },	/* slow, and misses tell why */
	{ 10000, 29000, 0 },	/* slower by 1.9 times its instructions */
	{ 10000, 31000, 0 },	/* and by 2.1 times */
};

static void test_classes(void)
{
	static struct samples samples = { .nevents = EVENTS, .events = events };
	static struct cfg_block shapes[BLOCKS];
	static struct program_block blocks[BLOCKS];
	static struct samples_count counts[BLOCKS][EVENTS];
	struct program_function f = {
		.cfg = { .blocks = shapes, .nblocks = BLOCKS },
		.blocks = blocks,
		.events = &counts[0][0],
	};
	struct program p = { .samples = &samples,
			     .functions = &f,
			     .nfunctions = 1 };
	struct fdo_error err;
	struct machine *m = read_description(description, &err);

	for (int b = 0; b < BLOCKS; b++) {
		blocks[b].raw = sampled[b][INST] / 5.0;
		for (int e = 0; e < EVENTS; e++)
			counts[b][e].period = sampled[b][e];
	}
	check(classify_events(&p, m, &err), "blocks are classified");
	check(blocks[0].class == PROGRAM_TRUSTED, "a block that runs well");
	check(blocks[1].class == PROGRAM_UNDER, "one in a shadow");
	check(blocks[2].class == PROGRAM_OVER, "one that gathers samples");
	check(blocks[3].class == PROGRAM_TRUSTED, "one that is slow by right");
	check(blocks[4].class == PROGRAM_TRUSTED &&
		      blocks[5].class == PROGRAM_UNDER,
	      "twice its instructions may be missing");
	check(blocks[0].lower > 40 * blocks[0].raise &&
		      blocks[0].lower < 60 * blocks[0].raise,
	      "lowering costs 50 times as much");
	check(blocks[1].raise == 1 && blocks[1].lower > blocks[0].lower,
	      "an under-sampled block is raised");
	check(blocks[2].lower == 1 && blocks[2].raise >= blocks[0].lower,
	      "an over-sampled one is lowered");
	events[CYCLES].samples = 0;
	check(!classify_events(&p, m, &err), "it takes cycles");
	machine_free(m);
}

static void test_oracle(void)
{
	check(classify_oracle(120, 100) == PROGRAM_TRUSTED &&
		      classify_oracle(130, 100) == PROGRAM_OVER,
	      "a quarter more than the truth is none too many");
	check(classify_oracle(85, 100) == PROGRAM_TRUSTED &&
		      classify_oracle(75, 100) == PROGRAM_UNDER,
	      "nor is a fifth less too few");
}

int main(void)
{
	test_description();
	test_find();
	test_shipped();
	test_classes();
	test_oracle();
	return done();
}
