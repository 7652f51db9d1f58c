/*
 * What there is to see of a block: two loads, of which the first is waited for;
 * then what is made of it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "converter/binary/object.h"
#include "converter/count/program.h"
#include "converter/count/waits.h"
#include "converter/graph/decode.h"
#include "converter/processor/cycles.h"
#include "testsuite/lib/tap.h"

/* mov (%rdi),%rax; add %rax,%rbx; nop; mov 8(%rdi),%rcx; inc %rcx; ret */
static const unsigned char code[] = {
	0x48, 0x8b, 0x07, 0x48, 0x01, 0xc3, 0x90, 0x48,
	0x8b, 0x4f, 0x08, 0x48, 0xff, 0xc1, 0xc3,
};

enum { INSNS = 6, BLOCKS = 3 };

/* The block, twice, and one of a nop alone. */
static struct insn insns[2 * INSNS];
static struct cfg_block shapes[BLOCKS] = {
	{ .ninsns = INSNS, .ninstructions = INSNS - 1 },
	{ .first_insn = INSNS, .ninsns = INSNS, .ninstructions = INSNS - 1 },
	{ .first_insn = 2, .ninsns = 1 },
};
static struct program_block blocks[BLOCKS];
static struct cfg_part parts[2];
static struct samples_event event = { .role = "cycles", .mapped = 1 };
static uint64_t offsets[2 * INSNS];
static struct samples_count counts[2 * INSNS];
static const struct samples samples = { .nevents = 1, .events = &event };
static struct samples_object sampled = {
	.naddresses = 2 * INSNS,
	.offsets = offsets,
	.counts = counts,
};
static struct program_binary binary = { .samples = &sampled };
static struct program_function function = {
	.cfg = { .insns = insns,
		 .ninsns = 2 * INSNS,
		 .blocks = shapes,
		 .nblocks = BLOCKS,
		 .parts = parts,
		 .nparts = 1,
		 .entry = 2 },
	.blocks = blocks,
};
static struct program program = {
	.samples = &samples,
	.binaries = &binary,
	.nbinaries = 1,
	.functions = &function,
	.nfunctions = 1,
};

static bool place(struct fdo_error *err)
{
	static unsigned char twice[2 * sizeof(code)];
	struct object_options options = { 0 };
	struct decoder *d = decoder_new();
	uint64_t address;
	size_t at = 0;
	bool found;

	binary.object = object_open("/proc/self/exe", &options, err);
	if (!binary.object)
		return false;
	address = binary.object->entry;
	memcpy(twice, code, sizeof(code));
	memcpy(twice + sizeof(code), code, sizeof(code));
	parts[0] = (struct cfg_part){
		.address = address,
		.size = sizeof(twice),
		.bytes = twice,
	};
	found = true;
	for (int i = 0; i < 2 * INSNS; i++) {
		found &= decode(d, twice + at, sizeof(twice) - at, address + at,
				&insns[i]);
		found &=
			object_offset(binary.object, address + at, &offsets[i]);
		at += insns[i].length;
	}
	if (found)
		function.insns = cycles_insns(&function.cfg, d);
	decoder_free(d);
	return found;
}

/* Samples of a block, instruction by instruction. */
static void measure(size_t block, const double *at)
{
	blocks[block].samples = 0;
	for (int i = 0; i < INSNS; i++) {
		counts[block * INSNS + i].samples = at[i];
		blocks[block].samples += at[i];
	}
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

/* By how much the times of the blocks grow, for the model's time. */
static void grow_by(enum gather_named named, double cycles, double ret[BLOCKS])
{
	struct waits *w = waits_new(&program, named);

	for (int b = 0; b < BLOCKS; b++)
		blocks[b].cycles = cycles;
	waits_add(w, &program);
	for (int b = 0; b < BLOCKS; b++)
		ret[b] = blocks[b].cycles / cycles;
	waits_free(w);
}

static void grow(double cycles, double ret[BLOCKS])
{
	grow_by(GATHER_NEXT, cycles, ret);
}

static void see(void)
{
	struct waits *w;
	struct waits_look look;

	measure(0, (double[]){ 1, 20, 2, 0, 4, 3 });
	w = waits_new(&program, GATHER_NEXT);
	look = waits_look(w, 0, 0, 10);
	check(look.instructions == 5, "a nop is none");
	check(look.term[0] == 1, "a constant");
	check(near(look.term[1], log(10. / 5 + .05)), "cycles of each");
	check(near(look.term[2], log(5)), "how many");
	check(near(look.term[3], (20 + 2. / 5) / 32), "the most are at one");
	check(near(look.term[4], (24 + 4. / 5) / 32), "24 behind two loads");
	check(near(look.term[5], (3 + 2. / 5) / 32), "at the last");
	check(near(look.term[6], log(10.5 / 31)), "and all but the most");
	check(waits_look(w, 0, 2, 10).instructions == 0,
	      "a nop alone shows nothing");
	event.role = "inst";
	waits_free(w);
	w = waits_new(&program, GATHER_NEXT);
	check(near(waits_look(w, 0, 0, 10).term[4], (4. / 5) / 2),
	      "samples of instructions say nothing of time");
	event.role = "cycles";
	waits_free(w);
}

static void judge(void)
{
	struct cfg_call call = { 0 };
	double short_time[BLOCKS], long_time[BLOCKS], extreme[BLOCKS];

	measure(0, (double[]){ 0, 100, 0, 0, 1, 1 });
	measure(1, (double[]){ 20, 20, 0, 20, 20, 20 });
	grow(2, short_time);
	check(short_time[0] > 1.3 * short_time[1],
	      "who waits behind a load takes longer");
	check(near(short_time[2], (2 + 4) / 2.),
	      "nothing is said of a nop, but that a pointer leads there");
	grow_by(GATHER_LED, 2, extreme);
	check(extreme[0] > 1.3 * extreme[1] && !near(extreme[0], short_time[0]),
	      "and by other terms where samples are led");
	call.target = parts[0].address;
	function.cfg.calls = &call;
	function.cfg.ncalls = 1;
	grow(2, short_time);
	check(near(short_time[2], (2 + 2) / 2.), "or a call");
	grow(20, long_time);
	check(long_time[0] < short_time[0] && long_time[1] < short_time[1],
	      "long times are too long");
	check(long_time[0] * 20 > short_time[0] * 2,
	      "but stay longer than short ones");
	grow(1e9, extreme);
	check(extreme[0] > .2, "nothing is wrong by more than e^1.5");
	check(near(extreme[0], extreme[1]), "which is the limit of both");
}

int main(void)
{
	struct fdo_error err;

	if (!check(place(&err), "code with samples"))
		return done();
	see();
	judge();
	free(function.insns);
	object_free(binary.object);
	return done();
}
