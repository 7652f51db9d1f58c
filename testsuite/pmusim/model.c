/*
 * model.c - the parts of the simulated core, each alone, and then a loop of
 * known instructions through all of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "testsuite/lib/tap.h"
#include "testsuite/pmusim/branch.h"
#include "testsuite/pmusim/cache.h"
#include "testsuite/pmusim/code.h"
#include "testsuite/pmusim/core.h"
#include "testsuite/pmusim/memory.h"
#include "testsuite/pmusim/options.h"
#include "testsuite/pmusim/output.h"
#include "testsuite/pmusim/ports.h"
#include "testsuite/pmusim/trace.h"

enum { LOAD_AT = 0x7000, ROUNDS = 3000 };

static void test_cache(void)
{
	struct cache c;
	uint64_t *ready;

	cache_init(&c, 8, 2); /* four sets of two */
	cache_enter(&c, 0, 100);
	cache_enter(&c, 4, 200);
	ready = cache_find(&c, 0);
	check(ready && *ready == 100, "what was entered is found");
	cache_enter(&c, 8, 300);
	check(cache_find(&c, 0) && cache_find(&c, 8),
	      "what was used last stays");
	check(!cache_find(&c, 4), "and the other of the set goes");
	check(!cache_find(&c, 1), "another set has nothing");
	cache_clear(&c);
	cache_init(&c, 0, 8);
	cache_enter(&c, 1, 1);
	check(!cache_find(&c, 1), "a cache without room has nothing");
	cache_clear(&c);
}

static void test_ports(void)
{
	static struct ports ports;

	check_int(ports_take(&ports, PORTS_LOAD, 10), 10, "the first load");
	check_int(ports_take(&ports, PORTS_LOAD, 10), 10, "the second");
	check_int(ports_take(&ports, PORTS_LOAD, 10), 11, "the third waits");
	check_int(ports_take(&ports, PORTS_STORE, 10), 10,
		  "a store has a port of its own");
	check_int(ports_take(&ports, PORTS_LOAD, 9), 9,
		  "the cycle before is free");
}

static struct options parse(const char *text)
{
	struct options options;
	struct fdo_error err;
	char copy[512], *rest = copy, *argv[32];
	int argc = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	while ((argv[argc] = strsep(&rest, ",")))
		argc++;
	if (!options_parse(&options, argc, argv, &err)) {
		printf("Bail out! %s\n", err.text);
		exit(99);
	}
	return options;
}

static int wrong_guesses(const char *pattern, int n)
{
	struct options options = parse("out=x,model=0");
	struct insn branch = { .address = 0x1000,
			       .length = 2,
			       .flow = FLOW_BRANCH };
	struct predictor p;
	int wrong = 0;

	predictor_init(&p, &options);
	for (int i = 0; i < n; i++) {
		bool taken = pattern[i % strlen(pattern)] == 't';

		wrong += !predictor_guess(&p, &branch, taken ? 0x900 : 0x1002);
	}
	predictor_clear(&p);
	options_clear(&options);
	return wrong;
}

static void test_predictor(void)
{
	struct options options = parse("out=x,model=0");
	struct insn call = { .address = 0x1000,
			     .length = 5,
			     .flow = FLOW_CALL };
	struct insn back = { .address = 0x2000,
			     .length = 1,
			     .flow = FLOW_RETURN };
	struct predictor p;

	check(wrong_guesses("t", 1000) < 50, "always taken is learned");
	check(wrong_guesses("ttttn", 1000) < 100, "a loop of five is learned");
	predictor_init(&p, &options);
	check(predictor_guess(&p, &call, 0x2000), "a call is known");
	check(predictor_guess(&p, &back, 0x1005), "so is where it returns");
	check(!predictor_guess(&p, &back, 0x1005), "once");
	predictor_clear(&p);
	options_clear(&options);
}

static void test_memory(void)
{
	struct options options = parse("out=x,model=0,prefetch=0");
	struct memory m;
	struct access a;

	memory_init(&m, &options);
	a = memory_load(&m, 0x5000, 1000);
	check(a.walked && a.missed_l1 && a.missed_l2 && a.done > 1400,
	      "the first load walks and goes to memory");
	a = memory_load(&m, 0x5008, 1100);
	check(!a.walked && !a.missed_l1 && a.done > 1400,
	      "the next one finds it on its way");
	a = memory_load(&m, 0x5008, 9000);
	check_int(a.done, 9000 + options.l1_latency, "and later in the cache");
	a = memory_load(&m, 0x5040, 9000);
	check(!a.walked && a.missed_l1 && a.done == 9204,
	      "the next line is of the same page");
	memory_clear(&m);
	options_clear(&options);
}

/* The numbers of pmusim.machine: a page walk, and what the third level has. */
static void test_stalls(void)
{
	enum { PAGE = 0x40000, NEXT_PAGE = 0x41000, LATER = 100000 };
	struct options options = parse("out=x,model=0,prefetch=0,l1d_kb=4");
	struct memory m;
	struct access a;

	memory_init(&m, &options);
	/* Eight lines of the set that the page's table is in, which goes. */
	for (int i = 0; i < 8; i++)
		memory_load(&m, PAGE + 512 * i, 1000 * i);
	cache_enter(&m.l1d, (NEXT_PAGE + 64) >> LINE_SHIFT, 0);
	a = memory_load(&m, NEXT_PAGE + 64, LATER);
	check_int(a.walked ? a.done - LATER - options.l1_latency : 0, 25,
		  "a walk to a table in the second level");
	cache_enter(&m.l3, (PAGE + 128) >> LINE_SHIFT, 0);
	a = memory_load(&m, PAGE + 128, LATER);
	check_int(a.missed_l2 ? a.done - LATER - options.l1_latency : 0, 40,
		  "a line of the third level");
	memory_clear(&m);
	options_clear(&options);
}

/*
 * A loop of
 *
 *	mov (%rdi),%rax		48 8b 07
 *	add $1,%rcx		48 83 c1 01
 *	add $1,%rdx		48 83 c2 01
 *	dec %rsi		48 ff ce
 *	jne			75 f0
 */
static const unsigned char loop_bytes[5][INSN_BYTES] = {
	{ 0x48, 0x8b, 0x07 },
	{ 0x48, 0x83, 0xc1, 0x01 },
	{ 0x48, 0x83, 0xc2, 0x01 },
	{ 0x48, 0xff, 0xce },
	{ 0x75, 0xf0 },
};
static const uint8_t loop_lengths[5] = { 3, 4, 4, 3, 2 };
static const struct block_text loop_text = { 0x1000, 5, loop_bytes,
					     loop_lengths };

static void test_code(void)
{
	struct code *code = code_new();
	struct block *b = code_block(code, &loop_text, NULL);
	const struct insn *last = block_last(b);

	check_int(b->size, 5, "the block has all instructions");
	check(last->flow == FLOW_BRANCH && last->target == 0x1000,
	      "the branch goes back to where it begins");
	check(b->insns[0].loads && !b->insns[0].computes &&
		      b->insns[0].address_regs[0] == 7 &&
		      b->insns[0].writes[0] == 0,
	      "a load of rax from where rdi points");
	check(b->insns[1].nreads == 1 && b->insns[1].nwrites == 2,
	      "an addition reads one register, writes it and the flags");
	check(code_block(code, &loop_text, NULL) == b,
	      "translated again, it is the same block");
	code_free(code);
}

/* The same, but that one addition is a locked one: f0 ff 01. */
static const unsigned char locked_bytes[5][INSN_BYTES] = {
	{ 0x48, 0x8b, 0x07 }, { 0xf0, 0xff, 0x01 }, { 0x48, 0x83, 0xc2, 0x01 },
	{ 0x48, 0xff, 0xce }, { 0x75, 0xf1 },
};
static const uint8_t locked_lengths[5] = { 3, 3, 4, 3, 2 };
static const struct block_text locked_text = { 0x1000, 5, locked_bytes,
					       locked_lengths };

/* Samples of a loop, and how many are on each of its addresses. */
struct seen {
	int samples, at[256];
	uint64_t hash; /* of the lines of events 0 to 3 */
	uint64_t last_time, end;
	double mean_period;
};

static void read_samples(const char *path, struct seen *ret)
{
	FILE *stream = fopen(path, "r");
	unsigned long long time, ip, period;
	char line[4096];
	int event;

	*ret = (struct seen){ 0 };
	while (stream && fgets(line, sizeof(line), stream)) {
		sscanf(line, "end %llu", (unsigned long long *)&ret->end);
		if (sscanf(line, "sample %llu %d %*d %llx %llu", &time, &event,
			   &ip, &period) != 4)
			continue;
		for (const char *c = line; event < 4 && *c; c++)
			ret->hash = (ret->hash ^ *c) * 0x100000001b3;
		ret->samples++;
		ret->at[ip % 256]++;
		ret->last_time = time;
		ret->mean_period += period;
	}
	if (ret->samples)
		ret->mean_period /= ret->samples;
	if (stream)
		fclose(stream);
}

/*
 * Run a loop; its loads are "stride" bytes apart.  If "store" is an address,
 * its third instruction stores there.
 */
static struct seen run_loop(const char *text, const struct block_text *loop,
			    uint64_t stride, uint64_t store)
{
	static uint64_t words[3 * ROUNDS + 1];
	const struct output_process process = { "loop", "loop", 1000 };
	char path[] = "/tmp/pmusim-model-XXXXXX";
	struct options options = parse(text);
	struct code *code = code_new();
	struct block *b = code_block(code, loop, NULL);
	struct fdo_error err;
	struct output *output;
	struct core *core;
	struct seen ret;
	int n = 0;

	close(mkstemp(path));
	output = output_open(path, &options, &process, &err);
	core = core_new(&options, output, 1000, 0, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		words[n++] = (uintptr_t)b;
		words[n++] = trace_tag(0, false) | (LOAD_AT + i * stride);
		if (store)
			words[n++] = trace_tag(2, true) | store;
	}
	words[n] = 0;
	core_run(core, words, n);
	check(output_close(output, core_cycle(core), &err), "a run is written");
	read_samples(path, &ret);
	unlink(path);
	core_free(core);
	code_free(code);
	options_clear(&options);
	return ret;
}

static struct seen run(const char *text, uint64_t stride)
{
	return run_loop(text, &loop_text, stride, 0);
}

#define IDEAL "out=x,skid=0,jitter=0,width=1,"

static void test_loop(void)
{
	struct seen s = run(IDEAL "event=INST_RETIRED/7", 0);

	check_int(s.samples, 5 * ROUNDS / 7, "one sample for seven");
	check(abs(s.at[0] - s.samples / 5) < 10 &&
		      abs(s.at[3] - s.samples / 5) < 10 &&
		      abs(s.at[14] - s.samples / 5) < 10,
	      "on an ideal PMU all instructions have the same");
	s = run(IDEAL "event=INST_RETIRED/10", 0);
	check_int(s.at[0], s.samples,
		  "a period of two rounds always hits the same");
	s = run(IDEAL "lag=1,event=INST_RETIRED/10", 0);
	check_int(s.at[3], s.samples, "or the one behind it");
	s = run(IDEAL "event=INST_RETIRED/10/rand=7", 0);
	check(s.at[0] < s.samples / 2 && s.mean_period > 13 &&
		      s.mean_period < 14,
	      "random periods do not, and have their mean");
	s = run("out=x,skid=30,jitter=0,event=INST_RETIRED/1001", 4096);
	check(s.at[0] > s.samples / 2,
	      "where every load misses, the load gets the samples");
	s = run("out=x,event=DTLB_MISS/3/pebs", 4096);
	check(s.samples == ROUNDS / 3 - 1 || s.samples == ROUNDS / 3,
	      "a new page each round is a miss");
	check_int(s.at[0], s.samples, "and precise samples are on the load");
	s = run("out=x,event=IBS_OP/5", 0);
	check_int(s.at[14], s.samples, "watched is the one that was counted");
	s = run("out=x,event=CPU_CLK_UNHALTED/100", 0);
	check(llabs((long long)s.end / 100 - s.samples) <= 1,
	      "cycles are counted");
	check(s.end < 5 * ROUNDS && s.end > ROUNDS,
	      "the loop takes between one and five cycles");
}

/* Every fifth instruction is a branch to the beginning. */
static void test_steps(void)
{
	struct seen s = run("out=x,event=CPU_CLK_UNHALTED/2001/steps=100", 0);
	struct seen rare =
		run("out=x,event=CPU_CLK_UNHALTED/4001/steps=100", 0);

	check(s.samples > 1 && s.at[0] == s.samples,
	      "a burst of steps is named by where its last branch led");
	check(s.mean_period >= 19 && s.mean_period <= 20,
	      "it has the branches of so many instructions");
	check(abs(s.samples - 2 * rare.samples) <= 1,
	      "bursts begin with cycles");
	s = run("out=x,event=CPU_CLK_UNHALTED/2001/steps=1000", 0);
	check(s.samples > 7 && s.samples % 7 == 0,
	      "a long one is several samples");
	check(s.mean_period * 7 >= 199 && s.mean_period * 7 <= 200,
	      "which have one branch in common");
	s = run("out=x,event=CPU_CLK_UNHALTED/101/steps=1000", 0);
	check(s.samples % 7 == 0 && s.samples > 7 * (ROUNDS / 200 - 3),
	      "none begins while another one goes on");
}

#define FOUR "event=INST_RETIRED:0/97,event=INST_RETIRED:4/13,"

/* An event of every instruction keeps the core from running quietly. */
static void test_quiet(void)
{
	static const char *others[] = {
		"event=CPU_CLK_UNHALTED/101,event=INST_RETIRED/1009",
		"event=CPU_CLK_UNHALTED/8,event=INST_RETIRED/211/pebs",
		"event=DTLB_MISS/7,event=L1D_MISS/5/lag,lbr=4,restart=1",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		for (uint64_t stride = 0; stride <= 4096; stride += 512) {
			char text[256];
			struct seen quiet, loud;

			snprintf(text, sizeof(text), "out=x,%s%s", FOUR,
				 others[i]);
			quiet = run(text, stride);
			snprintf(text, sizeof(text),
				 "out=x,%s%s,event=IBS_OP/1", FOUR, others[i]);
			loud = run(text, stride);
			check(quiet.end == loud.end && quiet.samples &&
				      quiet.hash == loud.hash,
			      "samples do not depend on what else is watched");
		}
}

/* Loads behind a locked instruction do not begin before it. */
static void test_locked(void)
{
	struct seen plain = run("out=x", 128);
	struct seen locked = run_loop("out=x", &locked_text, 128, 0);

	check(locked.end > 5 * plain.end,
	      "a locked instruction keeps loads from overlapping");
}

/*
 *	mov (%rdi),%eax		8b 07
 *	add $1,%eax		83 c0 01
 *	mov %eax,(%rdi)		89 07
 *	jmp			eb f7
 */
static void test_forward(void)
{
	static const unsigned char bytes[4][INSN_BYTES] = {
		{ 0x8b, 0x07 },
		{ 0x83, 0xc0, 0x01 },
		{ 0x89, 0x07 },
		{ 0xeb, 0xf7 },
	};
	static const uint8_t lengths[4] = { 2, 3, 2, 2 };
	static const struct block_text loop = { 0x1000, 4, bytes, lengths };
	uint64_t same = run_loop("out=x", &loop, 0, LOAD_AT).end;
	uint64_t part = run_loop("out=x", &loop, 0, LOAD_AT - 2).end;
	uint64_t beside = run_loop("out=x", &loop, 0, LOAD_AT + 4).end;

	check(same > 6 * ROUNDS && same < 7 * ROUNDS,
	      "a load waits for the store of the same bytes");
	check(part > 6 * ROUNDS && part < 7 * ROUNDS, "or of some of them");
	check(beside < 2 * ROUNDS, "but not for that of the bytes beside");
}

enum { CHAIN = 50, FIRST = 3 };

/*
 *	mov (%rdi),%rax		48 8b 07
 *	add %eax,%ecx		01 c1		50 times
 *	jmp			eb 97
 *
 * Each addition waits for the one before, the first for the load: they retire
 * one a cycle.  What overflows while the load waits is reported there, since
 * nothing retires but with it; and nothing overflows in the skid before what
 * retires less than a skid behind it.
 */
static void test_shadow(void)
{
	static unsigned char bytes[CHAIN + 2][INSN_BYTES];
	static uint8_t lengths[CHAIN + 2];
	const struct block_text chain = { 0x1000, CHAIN + 2, bytes, lengths };
	struct seen s;
	int near = 0, far = 0;

	memcpy(bytes[0], (unsigned char[]){ 0x48, 0x8b, 0x07 }, 3);
	lengths[0] = 3;
	for (int i = 1; i <= CHAIN; i++) {
		memcpy(bytes[i], (unsigned char[]){ 0x01, 0xc1 }, 2);
		lengths[i] = 2;
	}
	memcpy(bytes[CHAIN + 1], (unsigned char[]){ 0xeb, 0x97 }, 2);
	lengths[CHAIN + 1] = 2;
	s = run_loop("out=x,skid=30,jitter=0,rob=32,event=INST_RETIRED/31",
		     &chain, 4096, 0);
	for (int i = 0; i < 30; i++)
		near += s.at[FIRST + 2 * i];
	for (int i = 31; i < CHAIN; i++)
		far += s.at[FIRST + 2 * i];
	printf("# load %d, near %d, far %d\n", s.at[0], near, far);
	check(s.at[0] > s.samples / 3, "a load that misses aggregates samples");
	check(near < s.samples / 100, "as far as the skid behind it are none");
	check(far > s.samples / 4, "further behind they are as usual");
}

/* An event of an instruction that executes while older ones wait. */
static void test_late(void)
{
	const struct output_process process = { "late", "late", 1000 };
	struct options options =
		parse("out=x,event=L1D_MISS/1/skid=2/jitter=0,skid=7");
	struct insn insns[4] = { { .address = 0x10 },
				 { .address = 0x12 },
				 { .address = 0x14 },
				 { .address = 0x16 } };
	static struct pmu pmu;
	char path[] = "/tmp/pmusim-model-XXXXXX";
	struct fdo_error err;
	struct output *output;
	struct seen seen;

	close(mkstemp(path));
	output = output_open(path, &options, &process, &err);
	pmu_init(&pmu, &options, output, 1000);
	pmu_retire(&pmu, &insns[0], 10);
	pmu_retire(&pmu, &insns[1], 20);
	pmu_retire(&pmu, &insns[2], 30);
	pmu_count(&pmu, SOURCE_L1D, 1, 13, &insns[3]);
	pmu_count(&pmu, SOURCE_L1D, 1, 18, &insns[3]);
	pmu_count(&pmu, SOURCE_L1D, 1, 35, &insns[3]);
	pmu_retire(&pmu, &insns[3], 40);
	check(output_close(output, 40, &err), "late events are written");
	read_samples(path, &seen);
	unlink(path);
	check_int(seen.at[0x10], 0, "what retired before is not reported");
	check_int(seen.at[0x12], 1, "what waited at the interrupt is");
	check_int(seen.at[0x14], 1, "but not what retires in its cycle");
	check_int(seen.at[0x16], 1, "and else what retires next");
	options_clear(&options);
}

int main(void)
{
	test_cache();
	test_ports();
	test_predictor();
	test_memory();
	test_stalls();
	test_code();
	test_loop();
	test_steps();
	test_quiet();
	test_locked();
	test_forward();
	test_shadow();
	test_late();
	return done();
}
