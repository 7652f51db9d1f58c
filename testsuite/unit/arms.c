/*
 * What samples at the arms of a branch tell of it, in blocks of this program's
 * own code: a fork, and two arms, of which the second may come from elsewhere.
 */
#include <math.h>
#include <string.h>

#include "converter/count/arms.h"
#include "converter/count/program.h"
#include "testsuite/lib/own_code.h"
#include "testsuite/lib/tap.h"

enum { BLOCKS = 4, MANY = 12 };

static struct insn insns[BLOCKS];
static struct cfg_block shapes[BLOCKS] = {
	{ .ninsns = 1, .nedges = 2 },
	{ .first_insn = 1, .ninsns = 1, .nin = 1 },
	{ .first_insn = 2, .ninsns = 1, .first_in = 1, .nin = 2 },
	{ .first_insn = 3, .ninsns = 1, .first_edge = 2, .nedges = 1 },
};
static struct cfg_edge edges[] = {
	{ 0, 1, CFG_FALL },
	{ 0, 2, CFG_TAKEN },
	{ 3, 2, CFG_JUMP },
};
static uint32_t in[] = { 0, 1, 2 };
static uint64_t counts_so_far[3];
static struct program_block blocks[BLOCKS];
static struct samples_event event = { .role = "cycles" };
static uint64_t offsets[BLOCKS];
static struct samples_count counts[BLOCKS];
static const struct samples samples = { .nevents = 1, .events = &event };
static struct samples_object sampled = {
	.naddresses = BLOCKS,
	.offsets = offsets,
	.counts = counts,
};
static struct program_binary binary = { .samples = &sampled };
static struct program_function functions[MANY];
static const struct program program = {
	.samples = &samples,
	.binaries = &binary,
	.nbinaries = 1,
	.functions = functions,
	.nfunctions = MANY,
};
static double told[3], told_of[BLOCKS];

static void set_functions(void)
{
	insns[0].class = INSN_BRANCH;
	for (int i = 0; i < MANY; i++)
		functions[i] = (struct program_function){
			.cfg = { .insns = insns,
				 .ninsns = BLOCKS,
				 .blocks = shapes,
				 .nblocks = BLOCKS,
				 .edges = edges,
				 .nedges = 3,
				 .in = in,
				 .entry = 3 },
			.blocks = blocks,
			.edges = counts_so_far,
			.outcomes = { .edges = told, .blocks = told_of },
		};
}

static void measure(double first, double second)
{
	counts[1].samples = first;
	counts[2].samples = second;
}

/* Executions so far: of both arms, and of what else comes to the second. */
static void count(uint64_t first, uint64_t second, uint64_t other)
{
	memcpy(counts_so_far, (uint64_t[]){ first, second, other },
	       sizeof(counts_so_far));
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-3;
}

static bool look(double likely, double surplus, struct arms *ret)
{
	return arms_look(&program, &functions[0], 0, likely, surplus, ret);
}

static void test_arms(void)
{
	struct arms arms;

	count(70, 30, 0);
	measure(60, 20);
	check(look(.7, 0, &arms) && near(arms.likely, 60.5 / 81),
	      "as the samples are");
	check(near(arms.samples, 8), "which are worth a few outcomes");
	check(look(.7, log(4), &arms) && near(arms.likely, 242. / 262.5),
	      "the usual arm has had less than its part");
	check(look(.3, log(4), &arms) && near(arms.likely, 60.5 / 142.5),
	      "whichever it is");
	measure(4, 5);
	check(!look(.7, 0, &arms), "a few samples are nothing");
	measure(60, 40);
	count(70, 30, 70);
	check(look(.7, 0, &arms) && near(arms.likely, 60.5 / 73),
	      "seven tenths of them are another's");
	count(70, 30, 71);
	check(!look(.7, 0, &arms), "or more, and then who knows");
	count(70, 30, 0);
	insns[0].class = INSN_OTHER;
	check(!look(.7, 0, &arms), "there is no branch");
	insns[0].class = INSN_BRANCH;
}

static void test_surplus(void)
{
	double usual, told_by_many;

	measure(50, 50);
	told_of[0] = 0;
	usual = arms_surplus(&program);
	check(usual > 1 && usual < 2, "the usual surplus, if nobody tells it");
	told[0] = 900;
	told[1] = 100;
	told_of[0] = 1000;
	told_by_many = arms_surplus(&program);
	check(near(told_by_many,
		   (10 * usual + MANY * log(900.5 / 100.5)) / (10 + MANY)),
	      "registers know better, as if ten branches had told the usual");
	told[0] = 17;
	told[1] = 2;
	told_of[0] = 19;
	check(near(arms_surplus(&program), usual), "but not a few of them");
	told_of[0] = 1000;
	told[0] = 100;
	told[1] = 900;
	check(near(arms_surplus(&program), told_by_many),
	      "whichever arm is the usual one");
	told[0] = told[1] = 500;
	check(arms_surplus(&program) < usual, "or that there is less of it");
	told[0] = 0;
	told[1] = 1000;
	check(near(arms_surplus(&program), usual),
	      "a branch that never goes one way tells nothing");
}

int main(void)
{
	if (!check(own_code(&binary, insns, offsets, BLOCKS),
		   "its code is in the file"))
		return done();
	set_functions();
	test_arms();
	test_surplus();
	object_free(binary.object);
	return done();
}
