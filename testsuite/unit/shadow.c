/*
 * How many samples of instructions a block gets: two blocks of two steps, and
 * a walk that says of one skid that the first step is named for all of them,
 * of the others that each is named for itself.
 */
#include <math.h>
#include <string.h>

#include "converter/count/program.h"
#include "converter/count/shadow.h"
#include "converter/processor/walk.h"
#include "testsuite/lib/own_code.h"
#include "testsuite/lib/tap.h"

enum { LONG = 2, BLOCKS = 2, INSNS = LONG * BLOCKS, SKID = 7 };

static struct insn insns[INSNS];
static struct cfg_block shapes[BLOCKS] = {
	{ .ninsns = LONG, .ninstructions = LONG },
	{ .first_insn = LONG, .ninsns = LONG, .ninstructions = LONG },
};
static struct program_block blocks[BLOCKS] = { { .samples = 1 },
					       { .samples = 1 } };
static struct samples_event event = { .role = "inst", .mapped = 1 };
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
		 .nblocks = BLOCKS },
	.blocks = blocks,
};
static struct program program = {
	.samples = &samples,
	.binaries = &binary,
	.nbinaries = 1,
	.functions = &function,
	.nfunctions = 1,
};

static struct walk_block walked[BLOCKS] = {
	{ .nsteps = LONG, .count = 1000 },
	{ .first_step = LONG, .nsteps = LONG, .count = 1000 },
};
static struct walk_step steps[INSNS];
static const struct walk_graph graph = {
	.blocks = walked,
	.steps = steps,
	.nblocks = BLOCKS,
	.nsteps = INSNS,
};

/* Of a step, with one skid; "wrong": so many more if guesses are. */
static void set_heads(struct walk_heads *heads, uint32_t times, uint32_t calm,
		      uint32_t wrong)
{
	for (unsigned i = 0; i < SKID_CHOICES; i++) {
		heads->known[i] = times;
		heads->real[i] = heads->calm[i] = times;
	}
	heads->calm[SKID] = times * calm;
	heads->real[SKID] = times * (calm + wrong);
}

/* The samples of the steps; then what each block gets. */
static void see(struct shadow *s, const double *at)
{
	for (int i = 0; i < INSNS; i++)
		counts[i].period = counts[i].samples = at[i];
	shadow_see(s, &program);
}

static void test_skid(struct shadow *s)
{
	struct walk_heads *heads = shadow_heads(s);
	double often;

	set_heads(&heads[0], 100000, 4, 0);
	for (int i = 1; i < INSNS; i++)
		set_heads(&heads[i], 100000, 0, 0);
	see(s, (double[]){ 4000, 0, 0, 0 });
	check(blocks[0].named > 3 && blocks[1].named < 1,
	      "samples that lie as one skid has it are seen by it");
	check(fabs(blocks[0].named + blocks[1].named - 4) < .01,
	      "all are somebody's");
	often = blocks[0].named;
	see(s, (double[]){ 1000, 1000, 1000, 1000 });
	check(fabs(blocks[0].named - 2) < .1 && fabs(blocks[1].named - 2) < .1,
	      "precise ones are each instruction's own");
	for (int i = 0; i < INSNS; i++)
		set_heads(&heads[i], 10, i ? 0 : 4, 0);
	see(s, (double[]){ 4000, 0, 0, 0 });
	check(blocks[0].named > 2 && blocks[0].named < often - .5,
	      "what was seldom met is half believed");
}

/* By the model alone, a guess is wrong each second time. */
static void test_redirected(struct shadow *s)
{
	struct walk_heads *heads = shadow_heads(s);
	double often, seldom, all;

	for (int i = 0; i < INSNS; i++)
		set_heads(&heads[i], 100000, 1, i % LONG ? 0 : 8);
	see(s, (double[]){ 9000, 1000, 9000, 1000 });
	often = blocks[0].named;
	see(s, (double[]){ 2000, 1000, 9000, 1000 });
	seldom = blocks[0].named;
	check(seldom < often - 1, "samples tell how often a guess is wrong");
	check(blocks[1].named > seldom + 2, "of each block");
	all = blocks[0].named + blocks[1].named;
	program.without = PROGRAM_REDIRECT;
	see(s, (double[]){ 2000, 1000, 9000, 1000 });
	check(fabs(blocks[0].named - blocks[1].named) < 1e-9,
	      "without redirect, the model does");
	check(fabs(blocks[0].named + blocks[1].named - all) < 1e-9,
	      "and what one has more, others of the function have less");
	program.without = 0;
}

int main(void)
{
	struct shadow *s = shadow_new(&graph);

	if (!check(own_code(&binary, insns, offsets, INSNS),
		   "this program can be read"))
		return done();
	test_skid(s);
	test_redirected(s);
	check(shadow_matters(&program), "there is something to see");
	program.without = PROGRAM_SHADOW;
	check(!shadow_matters(&program), "unless nobody wants to");
	program.without = 0;
	event.role = "cycles";
	check(!shadow_matters(&program), "or of time");
	shadow_free(s);
	object_free(binary.object);
	return done();
}
