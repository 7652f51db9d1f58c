/*
 * What the prepass promises, on graphs put together by hand: counts that
 * agree, near what was measured, and nothing hot that cannot be reached.
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/map.h"
#include "base/progress.h"
#include "converter/binary/object.h"
#include "converter/count/minor.h"
#include "converter/count/prepass.h"
#include "converter/count/program.h"
#include "converter/count/timing.h"
#include "converter/perf/samples.h"
#include "converter/processor/cycles.h"
#include "converter/processor/walk.h"
#include "testsuite/lib/tap.h"

enum { MOST = 8 };

static struct cfg_block shapes[MOST];
static struct program_block blocks[MOST];
static uint64_t edges[2 * MOST];

/* Two arms that meet again. */
static struct cfg_edge diamond[] = {
	{ 0, 1, CFG_FALL },
	{ 0, 2, CFG_TAKEN },
	{ 1, 3, CFG_JUMP },
	{ 2, 3, CFG_FALL },
};

/* Each block has four instructions and this raw count. */
static void measure(struct program_function *f, const double *raw, size_t n)
{
	for (size_t b = 0; b < n; b++) {
		shapes[b] = (struct cfg_block){ .ninstructions = 4 };
		blocks[b] = (struct program_block){
			.raw = raw[b],
			.samples = raw[b] / 1000,
			.unit = 1000,
			.weight = 6,
			.group = b,
		};
	}
	f->cfg.name = "f";
	f->cfg.blocks = shapes;
	f->cfg.nblocks = n;
	f->blocks = blocks;
	f->edges = edges;
}

/* The counts of so many events, or with records of bursts. */
static struct prepass_result solve_measured(struct program_function *f,
					    size_t measures, bool bursts)
{
	struct program p = { .functions = f,
			     .nfunctions = 1,
			     .measures = measures,
			     .anchored_by_time = bursts };
	struct progress progress = progress_new(false);
	struct prepass_result result;
	struct fdo_error err;

	if (!check(prepass(&p, MCF_SIMPLEX, &progress, &result, &err),
		   "solves"))
		printf("# %s\n", err.text);
	return result;
}

static struct prepass_result solve(struct program_function *f)
{
	return solve_measured(f, 1, false);
}

static void test_diamond(void)
{
	struct program_function f = { .cfg = { .edges = diamond,
					       .nedges = 4 } };
	struct prepass_result result;

	measure(&f, (double[]){ 100000, 60000, 35000, 100000 }, 4);
	shapes[0].flags = CFG_ENTRY;
	shapes[3].flags = CFG_RETURNS;
	result = solve(&f);
	check(result.repaired == 0, "and repairs nothing");
	check_int(blocks[0].count, blocks[3].count, "fork and join agree");
	check_int(blocks[1].count + blocks[2].count, blocks[0].count,
		  "the arms add up");
	check(blocks[1].count > 55000 && blocks[1].count < 70000,
	      "and are near what was measured");
	check_int(edges[1], blocks[2].count, "an edge has its arm's count");
	check_int(f.entry, blocks[0].count, "so has the entry");
	check(blocks[0].error > 0 && blocks[0].error < 40000,
	      "errors are told");
	check(blocks[0].noise > 9000 && blocks[0].noise < 11000,
	      "in them, what a hundred samples have by chance");
	check(blocks[1].error > blocks[1].noise, "and more");
}

/* An arm without samples, of a call of what has none either, and of another one. */
static void test_unseen(void)
{
	static const struct object_function callee = { .address = 0x1000,
						       .size = 40 };
	static const struct object object = { .functions = &callee,
					      .nfunctions = 1 };
	static struct cfg_call call = { .block = 2, .target = 0x1000 };
	static struct cfg_part part = { .address = 0x9000, .size = 64 };
	struct program_function f = { .cfg = { .edges = diamond,
					       .nedges = 4,
					       .parts = &part,
					       .nparts = 1 } };
	struct program_binary binary = { .object = (struct object *)&object,
					 .known = fdo_map_new() };
	struct program p = { .binaries = &binary,
			     .nbinaries = 1,
			     .functions = &f,
			     .nfunctions = 1,
			     .measures = 1 };
	struct progress progress = progress_new(false);
	struct prepass_result result;
	struct fdo_error err;
	uint64_t by_itself;

	measure(&f, (double[]){ 100000, 70000, 0, 100000 }, 4);
	shapes[0].flags = CFG_ENTRY;
	shapes[3].flags = CFG_RETURNS;
	check(prepass(&p, MCF_SIMPLEX, &progress, &result, &err), "solves");
	by_itself = blocks[2].count;
	check(by_itself > 0, "an arm without samples has what is left over");
	f.cfg.calls = &call;
	f.cfg.ncalls = 1;
	check(prepass(&p, MCF_SIMPLEX, &progress, &result, &err), "solves");
	check(blocks[2].count < by_itself / 4,
	      "far less if it calls what has no samples, either");
	fdo_map_free(binary.known);
}

/* The count of the arm that outcomes hardly ever tell of, by so many of them. */
static uint64_t seldom(struct program_function *f, double outcomes)
{
	double all[] = { outcomes, 0, 0, 0 }, expected[] = { 99900, 100, 0, 0 };

	measure(f, (double[]){ 100000, 70000, 6000, 100000 }, 4);
	shapes[0].flags = CFG_ENTRY;
	shapes[0].nedges = 2;
	shapes[3].flags = CFG_RETURNS;
	blocks[0].count = 100000;
	f->outcomes = (struct outcomes_counts){ .edges = expected,
						.blocks = all,
						.expected = expected,
						.looked = (double[4]){ 0 } };
	solve(f);
	return blocks[2].count;
}

/* By many outcomes it is known of less than what one sample stands for. */
static void test_outcomes(void)
{
	struct program_function f = { .cfg = { .edges = diamond,
					       .nedges = 4 } };
	uint64_t few = seldom(&f, 100), many = seldom(&f, 10000);

	check(many < few / 2, "many outcomes know of less than a sample");
	check(many > 0, "but of as much as one of them");
}

/* No samples are no proof, and two events are better than one. */
static void test_errors(void)
{
	struct program_function f = { .cfg = { .edges = diamond,
					       .nedges = 4 } };
	double alone, records;

	measure(&f, (double[]){ 100000, 100000, 0, 100000 }, 4);
	shapes[0].flags = CFG_ENTRY;
	shapes[3].flags = CFG_RETURNS;
	solve(&f);
	check_int(blocks[2].count, 0, "an arm without samples has no count");
	check(blocks[2].noise == 1000 && blocks[2].error >= 1000,
	      "but perhaps a sample's");
	blocks[2].unit = 250;
	solve(&f);
	check(blocks[2].noise == 250, "or less, where samples stand for less");
	blocks[1].group = blocks[2].group = 2;
	solve(&f);
	check(blocks[2].noise < 250, "or as often as with others");
	alone = blocks[0].error;
	solve_measured(&f, 2, false);
	check(blocks[0].error < alone && blocks[0].error > blocks[0].noise,
	      "two events that measure leave less error");
	blocks[0].stacks = 1;
	solve(&f);
	records = blocks[0].error;
	check(records < alone, "so do branch records");
	solve_measured(&f, 1, true);
	check(blocks[0].error < alone && blocks[0].error > records,
	      "those of bursts, not as much");
}

/* All samples are in the loop: 0 -> 1 <-> 2 -> 3. */
static void test_loop_without_samples_outside(void)
{
	static struct cfg_edge links[] = {
		{ 0, 1, CFG_FALL },
		{ 1, 2, CFG_FALL },
		{ 2, 1, CFG_TAKEN },
		{ 2, 3, CFG_FALL },
	};
	struct program_function f = { .cfg = { .edges = links, .nedges = 4 } };
	struct prepass_result result;

	measure(&f, (double[]){ 0, 5000000, 5000000, 0 }, 4);
	shapes[0].flags = CFG_ENTRY;
	shapes[3].flags = CFG_RETURNS;
	result = solve(&f);
	check(f.entry >= 1, "a function with a hot loop was entered");
	check(f.entry < 100000, "but not often");
	check_int(result.connected, 1, "and it is told");
	check(blocks[1].count >= 4000000, "the loop stays hot");
}

/* The same behind a loop of 4000 rounds: 0 -> 1 -> 2 <-> 3 -> 4. */
static void test_loop_behind_known_rounds(void)
{
	static struct cfg_edge links[] = {
		{ 0, 1, CFG_FALL }, { 1, 1, CFG_TAKEN }, { 1, 2, CFG_FALL },
		{ 2, 3, CFG_FALL }, { 3, 2, CFG_TAKEN }, { 3, 4, CFG_FALL },
	};
	struct trip trip = {
		.block = 1, .again = 1, .leaves = 2, .rounds = 4000
	};
	double rounds[] = { 1, 4000, 1, 1, 1 }, once[] = { 1, 1, 1, 1, 1, 1 };
	struct program_function f = {
		.cfg = { .edges = links, .nedges = 6 },
		.trips = { .all = &trip,
			   .n = 1,
			   .blocks = rounds,
			   .edges = once },
	};
	struct prepass_result result;

	measure(&f, (double[]){ 0, 0, 5000000, 5000000, 0 }, 5);
	shapes[0].flags = CFG_ENTRY;
	shapes[4].flags = CFG_RETURNS;
	result = solve(&f);
	check_int(result.connected, 1, "behind a loop, one is connected");
	check(blocks[1].count >= 4000, "which goes round");
	check(blocks[1].count <= 40000, "but not for much of the time");
}

/* Executions of 2 in a loop of 60 rounds: 0 -> 1 -> 2 -> 3 -> 1, of which it says less. */
static uint64_t rounds_of_two(bool within)
{
	static struct cfg_edge links[] = {
		{ 0, 1, CFG_FALL },  { 1, 2, CFG_FALL }, { 2, 3, CFG_FALL },
		{ 3, 1, CFG_TAKEN }, { 3, 4, CFG_FALL },
	};
	struct trip trip = {
		.block = 3, .again = 3, .leaves = 4, .rounds = 60
	};
	double rounds[] = { 1, 60, 60, 60, 1 }, times[] = { 1, 60, 60, 1, 1 };
	bool inner[] = { false, false, within, false, false };
	struct program_function f = {
		.cfg = { .edges = links, .nedges = 5 },
		.trips = { .all = &trip,
			   .n = 1,
			   .blocks = rounds,
			   .edges = times,
			   .within = inner },
	};

	measure(&f, (double[]){ 0, 9000000, 1000000, 9000000, 0 }, 5);
	shapes[0].flags = CFG_ENTRY;
	shapes[4].flags = CFG_RETURNS;
	solve(&f);
	return blocks[2].count;
}

/* What a loop of its own takes says how often that goes round. */
static void test_within_known_rounds(void)
{
	uint64_t straight = rounds_of_two(false), within = rounds_of_two(true);

	check(within < straight / 2, "a loop within a loop says more");
	check(within >= 900000, "of what it took");
}

static void test_counts_beyond_the_solver(void)
{
	static struct cfg_edge links[] = { { 0, 1, CFG_FALL } };
	struct program_function f = { .cfg = { .edges = links, .nedges = 1 } };

	measure(&f, (double[]){ 4e15, 4e15 }, 2);
	shapes[0].flags = CFG_ENTRY;
	shapes[1].flags = CFG_RETURNS;
	solve(&f);
	check(blocks[0].count > 3900000000000000 &&
		      blocks[0].count < 4100000000000000,
	      "are scaled there and back");
}

static void test_infinite_loop(void)
{
	static struct cfg_edge links[] = {
		{ 0, 1, CFG_FALL },
		{ 1, 1, CFG_JUMP },
	};
	struct program_function f = { .cfg = { .edges = links, .nedges = 2 } };
	struct prepass_result result;

	measure(&f, (double[]){ 1000, 9000000 }, 2);
	shapes[0].flags = CFG_ENTRY;
	result = solve(&f);
	check(blocks[1].count > 8000000, "a loop without end keeps its count");
	check(result.repaired >= 1, "that it was left all the same is told");
}

/* A block that only an exception leads to. */
/* Executions of a call that does not return, of which there are samples. */
static uint64_t ended(uint32_t flags, uint64_t samples, uint32_t group)
{
	static struct cfg_edge links[] = {
		{ 0, 1, CFG_TAKEN },
		{ 0, 2, CFG_FALL },
		{ 2, 3, CFG_FALL },
	};
	struct program_function f = { .cfg = { .edges = links, .nedges = 3 } };

	measure(&f, (double[]){ 100000, 0, 80000, 80000 }, 4);
	shapes[0].flags = CFG_ENTRY;
	shapes[1].flags = flags;
	shapes[3].flags = CFG_RETURNS;
	blocks[1].samples = samples;
	blocks[2].samples = samples;
	blocks[0].weight = blocks[2].weight = blocks[3].weight = 60;
	blocks[1].group = group;
	solve(&f);
	return blocks[1].count;
}

static void test_ends_are_rare(void)
{
	check(ended(CFG_NORETURN, 0, 1) == 0,
	      "what is left over did not end the program");
	check(ended(CFG_NORETURN, 1, 1) > 1000, "but something was seen there");
	check(ended(CFG_NORETURN, 1, 2) > 1000, "or right before");
	check(ended(CFG_RETURNS, 0, 1) > 1000, "what returns does so often");
	check(ended(CFG_NORETURN | CFG_RETURNS, 0, 1) > 1000,
	      "or perhaps returns");
}

static void test_exceptions_are_rare(void)
{
	static struct cfg_edge links[] = {
		{ 0, 1, CFG_FALL },
		{ 0, 2, CFG_EXCEPTION },
	};
	struct program_function f = { .cfg = { .edges = links, .nedges = 2 } };

	measure(&f, (double[]){ 100000, 80000, 0 }, 3);
	shapes[0].flags = CFG_ENTRY;
	shapes[1].flags = CFG_RETURNS;
	shapes[2].flags = CFG_NORETURN;
	solve(&f);
	check_int(edges[1], 0, "noise is no exception");
	measure(&f, (double[]){ 100000, 50000, 50000 }, 3);
	shapes[0].flags = CFG_ENTRY;
	shapes[1].flags = CFG_RETURNS;
	shapes[2].flags = CFG_NORETURN;
	solve(&f);
	check(edges[1] > 20000, "samples are");
}

/* Errors by themselves: noise is less with more samples, bias is not. */
static void test_more_samples(void)
{
	struct program_function f = { .entry = 0 };
	struct program p = { .functions = &f, .nfunctions = 1 };
	struct prepass_error error;

	measure(&f, (double[]){ 1000, 0 }, 2);
	blocks[0].count = 1000;
	blocks[0].noise = blocks[0].error = 300;
	error = prepass_error(&p);
	check(error.relative > .299 && error.relative < .301 && error.bias == 0,
	      "all is noise");
	check(error.times > 3.98 && error.times < 4.02,
	      "and four times the samples halve it");
	blocks[0].error = 320;
	error = prepass_error(&p);
	/* 160^2 - 320^2 + 300^2 is what may be left of 300^2. */
	check(error.times > 6.8 && error.times < 6.83,
	      "it takes more with bias");
	blocks[0].error = 400;
	error = prepass_error(&p);
	check(error.times > 1e9 && error.bias > .26 && error.bias < .27,
	      "or cannot be done");
	blocks[0].noise = blocks[0].error = 4000;
	blocks[1].noise = blocks[1].error = 500;
	error = prepass_error(&p);
	check(error.relative == 1, "no error is more than the count");
	check(error.times > 63.8 && error.times < 64.2,
	      "and more samples have to make up for that first");
}

/* Two functions of one block; the first calls the second. */
struct pair {
	struct program_function f[2];
	struct cfg_block shape[2];
	struct program_block block[2];
	struct cfg_part part[2];
	struct cfg_call call;
	struct insn insn; /* that calls */
	struct program_binary binary;
	struct cfg_edge around; /* from the caller's block to itself */
	uint64_t edge;
	bool apart; /* of the program, since the last solution */
};

static void make_pair(struct pair *pair, double caller, double callee)
{
	*pair = (struct pair){ .call = { .target = 200 } };
	for (int i = 0; i < 2; i++) {
		struct program_function *f = &pair->f[i];
		double raw = i ? callee : caller;

		pair->shape[i] =
			(struct cfg_block){ .ninstructions = 4,
					    .flags = CFG_ENTRY | CFG_RETURNS };
		pair->block[i] = (struct program_block){
			.raw = raw, .unit = 1000, .weight = i ? 6 : 600
		};
		pair->part[i].address = 100 * (i + 1);
		f->cfg.name = i ? "callee" : "caller";
		f->cfg.parts = &pair->part[i];
		f->cfg.nparts = 1;
		f->cfg.blocks = &pair->shape[i];
		f->cfg.nblocks = 1;
		f->cfg.edges = &pair->around;
		f->blocks = &pair->block[i];
		f->edges = &pair->edge;
	}
	pair->insn.address = 100;
	pair->f[0].cfg.insns = &pair->insn;
	pair->f[0].cfg.ninsns = 1;
	pair->f[0].cfg.calls = &pair->call;
	pair->f[0].cfg.ncalls = 1;
}

static void solve_pair(struct pair *pair, bool calls)
{
	struct program p = { .functions = pair->f,
			     .nfunctions = 2,
			     .binaries = &pair->binary,
			     .nbinaries = 1,
			     .without = calls ? 0 : PROGRAM_CALLS,
			     .apart = pair->apart };
	struct progress progress = progress_new(false);
	struct prepass_result result;
	struct fdo_error err;

	check(prepass(&p, MCF_SIMPLEX, &progress, &result, &err),
	      "solves two functions");
	pair->apart = p.apart;
}

static void solve_alone(struct pair *pair, bool all)
{
	struct program p = { .functions = pair->f, .nfunctions = 2 };
	struct progress progress = progress_new(false);
	struct prepass_result result;
	struct fdo_error err;

	check(prepass_alone(&p, all, MCF_SIMPLEX, &progress, &result, &err),
	      "solves each of two functions");
}

/* The search for counts across functions ends before it is exact. */
static bool is_near(uint64_t count, double value)
{
	return count > .92 * value && count < 1.08 * value;
}

/* A caller and a callee by a pointer, and samples that tell who is called. */
struct told_pair {
	struct pair pair;
	struct samples_value values[2];
	struct samples_object samples;
	struct object object;
};

/* Three of four go to the callee. */
static void make_told(struct told_pair *told, double caller, double callee,
		      uint64_t samples)
{
	static const struct object_segment segment = { .size = 1000,
						       .file_size = 1000 };
	static const uint64_t call = UINT64_C(1) << 63;

	make_pair(&told->pair, caller, callee);
	told->pair.call = (struct cfg_call){ .indirect = true };
	told->values[0] = (struct samples_value){
		100, SAMPLES_OUTCOME, false, call | 200, samples / 4 * 3,
	};
	told->values[1] = (struct samples_value){
		100, SAMPLES_OUTCOME, false, call | 900, samples / 4,
	};
	told->samples =
		(struct samples_object){ .values = told->values, .nvalues = 2 };
	told->object = (struct object){ .segments = &segment, .nsegments = 1 };
	told->pair.binary.object = &told->object;
	told->pair.binary.samples = &told->samples;
}

/* Of a call by a pointer, registers of samples tell where three of four go. */
static void test_told(void)
{
	struct told_pair told;
	struct pair *pair = &told.pair;

	make_told(&told, 100000, 20000, 4000);
	solve_pair(pair, true);
	check(is_near(pair->f[1].entry, 75000), "so many calls as are seen");
	check(is_near(pair->f[0].entry, 100000), "of all");
	told.values[0].other = true;
	solve_pair(pair, true);
	check(is_near(pair->f[1].entry, 20000), "unless nobody says whose");
}

/* The callee by itself is surer than the caller. */
static uint64_t entry_told(double caller, double callee, uint64_t samples)
{
	struct told_pair told;

	make_told(&told, caller, callee, samples);
	told.pair.block[1].weight = 1458;
	solve_pair(&told.pair, true);
	return told.pair.f[1].entry;
}

static void test_told_by_few(void)
{
	check(entry_told(100000, 20000, 4) < 34000, "few say little");
	check(entry_told(100000, 20000, 1024) > 36000, "and many more");
	check(entry_told(20000, 100000, 4) > 72000,
	      "others may call it where few calls are seen");
	check(entry_told(20000, 100000, 1024) < 50000,
	      "but not where nearly all are");
}

static void test_calls(void)
{
	struct pair pair;

	make_pair(&pair, 100000, 20000);
	solve_pair(&pair, false);
	check(is_near(pair.f[1].entry, 20000), "by itself it is as measured");
	check(pair.apart, "then no call has a say in it");
	solve_pair(&pair, true);
	check(!pair.apart, "until one has");
	check(is_near(pair.f[1].entry, 100000), "called so often, so it runs");
	check(is_near(pair.f[0].entry, 100000), "who is surer stays");
	solve_alone(&pair, true);
	check(is_near(pair.f[1].entry, 20000), "or both alone, with calls");
	make_pair(&pair, 20000, 100000);
	solve_pair(&pair, true);
	check(is_near(pair.f[1].entry, 20000), "not more often than called");
	pair.f[1].samples = 100000000;
	solve_pair(&pair, true);
	check(pair.f[1].entry > 85000, "unless samples say it surely");
	make_pair(&pair, 20000, 100000);
	pair.call.indirect = true;
	solve_pair(&pair, true);
	check(is_near(pair.f[1].entry, 100000), "pointers are nobody's calls");
	make_pair(&pair, 20000, 100000);
	pair.call.tail = true;
	solve_pair(&pair, true);
	check(is_near(pair.f[1].entry, 20000), "a jump is a call");
	pair.shape[0].nedges = pair.f[0].cfg.nedges = 1;
	solve_pair(&pair, true);
	check(is_near(pair.f[1].entry, 100000), "but not if it may stay");
}

/* Walks are drawn to it if it runs often, but do not begin there for it. */
static void check_wanted(struct program *p, struct pair *pair)
{
	static const struct samples none;
	struct cycles_insn insns[2] = { { 0 } };
	const struct walk_graph *g;
	struct timing *t;

	p->samples = &none;
	pair->f[1].cfg.insns = &pair->insn;
	for (int i = 0; i < 2; i++) {
		pair->f[i].insns = &insns[i];
		pair->shape[i].ninsns = 1;
	}
	t = timing_new(p);
	g = timing_graph(t, p);
	check(g->blocks[0].count > 0 && g->blocks[0].wanted,
	      "walks are wanted to what runs");
	check(g->blocks[1].count > 0 && !g->blocks[1].wanted,
	      "but not if it is minor");
	timing_free(t);
}

/* By itself, but only if it has a part of the samples that matters. */
static void test_minor(void)
{
	struct pair pair;
	struct program p = { .functions = pair.f, .nfunctions = 2 };

	make_pair(&pair, 100000, 20000);
	pair.f[0].samples = 999;
	pair.f[1].samples = 1;
	minor_mark(&p);
	check(!pair.f[0].minor && pair.f[1].minor,
	      "one of a thousand samples is few");
	pair.f[1].samples = 100;
	minor_mark(&p);
	check(!pair.f[0].minor && !pair.f[1].minor, "a tenth is not");
	pair.f[1].samples = 0;
	minor_mark(&p);
	check(!pair.f[0].minor && pair.f[1].minor, "none is fewer still");
	solve_alone(&pair, true);
	check(is_near(pair.f[1].entry, 20000), "it is solved with the others");
	check_wanted(&p, &pair);
	pair.block[0].raw = pair.block[1].raw = 50000;
	solve_alone(&pair, false);
	check(is_near(pair.f[0].entry, 50000), "then the others again");
	check(is_near(pair.f[1].entry, 20000), "and it stays as it is");
	solve_pair(&pair, true);
	check(is_near(pair.f[1].entry, 50000), "until the last time");
}

int main(void)
{
	test_more_samples();
	test_diamond();
	test_unseen();
	test_outcomes();
	test_errors();
	test_loop_without_samples_outside();
	test_loop_behind_known_rounds();
	test_within_known_rounds();
	test_counts_beyond_the_solver();
	test_infinite_loop();
	test_ends_are_rare();
	test_exceptions_are_rare();
	test_calls();
	test_told();
	test_told_by_few();
	test_minor();
	return done();
}
