/*
 * Where samples gather, in blocks of this program's own code: a fork, and two
 * arms of six instructions each.
 */
#include <math.h>
#include <string.h>

#include "converter/count/gather.h"
#include "converter/count/program.h"
#include "converter/processor/cycles.h"
#include "testsuite/lib/own_code.h"
#include "testsuite/lib/tap.h"

enum { LONG = 6, BLOCKS = 3, INSNS = 1 + 2 * LONG };

static struct insn insns[INSNS];
static struct cfg_block shapes[BLOCKS] = {
	{ .ninsns = 1, .ninstructions = 1, .nedges = 2 },
	{ .first_insn = 1, .ninsns = LONG, .ninstructions = LONG, .nin = 1 },
	{ .first_insn = 1 + LONG,
	  .ninsns = LONG,
	  .ninstructions = LONG,
	  .first_in = 1,
	  .nin = 1 },
};
static struct cfg_edge edges[] = { { 0, 1, CFG_FALL }, { 0, 2, CFG_TAKEN } };
static uint32_t in[] = { 0, 1 };
static struct program_block blocks[BLOCKS] = {
	{ .samples = 1 },
	{ .samples = 1 },
	{ .samples = 1 },
};
static struct samples_event event = { .role = "cycles" };
static uint64_t offsets[INSNS];
static struct samples_count counts[INSNS];
static const struct samples samples = { .nevents = 1, .events = &event };
static struct samples_object sampled = {
	.naddresses = INSNS,
	.offsets = offsets,
	.counts = counts,
};
static struct program_binary binary = { .samples = &sampled };
static struct program_function function = {
	.cfg = { .insns = insns,
		 .ninsns = INSNS,
		 .blocks = shapes,
		 .nblocks = BLOCKS,
		 .edges = edges,
		 .nedges = 2,
		 .in = in },
	.blocks = blocks,
};
static const struct program program = {
	.samples = &samples,
	.binaries = &binary,
	.nbinaries = 1,
	.functions = &function,
	.nfunctions = 1,
};

static struct cycles_insn timed[INSNS] = {
	[1 + 2] = { .loads = true },
	[1 + LONG + 2] = { .loads = true },
};

/* Samples at the instructions of both arms. */
static void measure(const double *arm)
{
	memset(counts, 0, sizeof(counts));
	for (int i = 0; i < 2 * LONG; i++)
		counts[1 + i].period = counts[1 + i].samples = arm[i % LONG];
}

static bool named(const char *role, enum gather_named what)
{
	return gather_named(&program, role) == what;
}

static double share(void)
{
	return gather_share(&program, &function, 1, "cycles");
}

int main(void)
{
	if (!check(own_code(&binary, insns, offsets, INSNS),
		   "its code is in the file"))
		return done();
	insns[0].class = INSN_BRANCH;

	measure((double[]){ 100, 10, 5, 0, 10, 5 });
	check(gather_happens(&program, "cycles"), "the first one waits");
	check(named("cycles", GATHER_ITSELF), "and is named");
	check(fabs(share() - 50. / 130) < 1e-9,
	      "twice the most of the others counts");
	check(gather_share(&program, &function, 0, "cycles") == 1,
	      "no branch leads to the fork");
	check(!gather_happens(&program, "inst"), "nothing of other events");
	check(named("inst", GATHER_ITSELF), "neither is late");

	measure((double[]){ 3, 100, 10, 5, 0, 10 });
	check(!gather_happens(&program, "cycles"), "the second is named");
	check(named("cycles", GATHER_NEXT), "instead of the first");

	measure((double[]){ 100, 100, 5, 60, 5, 5 });
	check(named("cycles", GATHER_ITSELF), "as many at both");
	function.insns = timed;
	check(named("cycles", GATHER_LED), "but not behind loads");
	measure((double[]){ 100, 100, 60, 5, 5, 5 });
	check(named("cycles", GATHER_ITSELF), "loads that are named");
	measure((double[]){ 40, 70, 5, 60, 5, 5 });
	check(named("cycles", GATHER_LED), "where a branch leads, the first");
	measure((double[]){ 40, 90, 5, 60, 5, 5 });
	check(named("cycles", GATHER_NEXT), "but not half of the second");
	timed[1].loads = timed[1 + LONG].loads = true;
	measure((double[]){ 40, 70, 5, 60, 5, 5 });
	check(named("cycles", GATHER_NEXT), "nor where a load is there");
	timed[1].loads = timed[1 + LONG].loads = false;
	timed[1 + LONG + 3].loads = timed[1 + 3].loads = true;
	measure((double[]){ 100, 100, 5, 60, 5, 5 });
	check(named("cycles", GATHER_ITSELF), "one behind another");
	measure((double[]){ 100, 100, 5, 5, 60, 5 });
	check(named("cycles", GATHER_ITSELF), "or before it");

	measure((double[]){ 60, 100, 10, 5, 0, 10 });
	check(gather_happens(&program, "cycles"), "more than half waits");
	shapes[1].ninsns = shapes[2].ninsns = 4;
	check(!gather_happens(&program, "cycles"), "short blocks do not tell");
	shapes[1].ninsns = shapes[2].ninsns = LONG;

	measure((double[]){ 20, 20, 20, 20, 20, 20 });
	check(named("cycles", GATHER_ITSELF), "precise ones are not late");
	check(share() == 1, "and all count");

	measure((double[]){ 7, 0, 0, 0, 0, 0 });
	check(share() == 1, "one sample is no pile");

	insns[0].class = INSN_OTHER;
	measure((double[]){ 100, 10, 5, 0, 10, 5 });
	check(share() == 1, "no branch, no wait");
	object_free(binary.object);
	return done();
}
