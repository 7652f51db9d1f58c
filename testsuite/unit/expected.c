/*
 * What outcomes let expect of a jump with four ways, and of a branch with two:
 * for each way two more are as the counts so far have it.
 */
#include <math.h>

#include "base/alloc.h"
#include "converter/count/bursts.h"
#include "converter/count/outcomes.h"
#include "converter/count/program.h"
#include "testsuite/lib/tap.h"

enum { WAYS = 4, BLOCKS = 1 + WAYS };

static struct cfg_block shapes[BLOCKS];
static struct cfg_edge edges[WAYS];
static uint32_t in[WAYS];
static uint64_t taken[WAYS];
static struct program_block blocks[BLOCKS];
static struct program_function function = {
	.cfg = { .blocks = shapes, .edges = edges, .in = in },
	.blocks = blocks,
	.edges = taken,
};
static struct program program = { .functions = &function, .nfunctions = 1 };

/* All ways are as likely so far; 800 executions, and no samples. */
static void fork_into(unsigned ways)
{
	function.cfg.nblocks = 1 + ways;
	function.cfg.nedges = ways;
	shapes[0] = (struct cfg_block){ .nedges = ways };
	blocks[0] = (struct program_block){ .count = 800 };
	for (unsigned w = 0; w < ways; w++) {
		edges[w] = (struct cfg_edge){ 0, 1 + w, CFG_SWITCH };
		in[w] = w;
		taken[w] = 800 / ways;
		shapes[1 + w] = (struct cfg_block){
			.first_edge = ways,
			.first_in = w,
			.nin = 1,
			.flags = CFG_RETURNS,
		};
		blocks[1 + w] = (struct program_block){ .count = 800 / ways };
	}
	function.outcomes = (struct outcomes_counts){
		.edges = fdo_alloc(ways, sizeof(double)),
		.blocks = fdo_alloc(1 + ways, sizeof(double)),
		.expected = fdo_alloc(ways, sizeof(double)),
		.looked = fdo_alloc(1 + ways, sizeof(double)),
	};
}

/* That part of the executions goes the first way. */
static bool expects(double part)
{
	bool any = outcomes_expect(&program);
	bool is = fabs(function.outcomes.expected[0] - 800 * part) < 1e-6;

	outcomes_clear(&function.outcomes);
	return any && is;
}

/* All outcomes that are known are the first way. */
static void know(double outcomes)
{
	function.outcomes.edges[0] = function.outcomes.blocks[0] = outcomes;
}

/* What the first way is expected to run, if twice as much was measured before it. */
static double with_measured(uint32_t flags, double unit)
{
	double ret;

	fork_into(2);
	blocks[0].raw = 1600;
	blocks[0].unit = 1;
	shapes[2].flags |= flags;
	blocks[2].unit = unit;
	outcomes_expect(&program);
	ret = function.outcomes.expected[0];
	outcomes_clear(&function.outcomes);
	return ret;
}

static void test_hubs(void)
{
	double none = with_measured(0, 0);

	check(none > 400, "what was measured has a say");
	check(with_measured(0, 1) < none, "what was not seen, too");
	check(with_measured(CFG_HUB, 1) == none,
	      "but not where nothing can be");
}

/* Of two ways three executions and one in bursts, of two for each record. */
static double told_by_bursts(uint32_t flags, unsigned without, double times)
{
	double passed[2] = { 3 * times, times }, stacks[3] = { 1 }, likely;

	fork_into(2);
	outcomes_clear(&function.outcomes);
	function.outcomes = (struct outcomes_counts){ 0 };
	function.anchors.edges = passed;
	function.anchors.stacks = stacks;
	shapes[0].flags = flags;
	program.anchored_records = 10;
	program.anchored_executions = 20;
	program.without = without;
	bursts_tell(&program);
	function.anchors.edges = NULL;
	program.without = 0;
	if (!function.outcomes.blocks)
		return 0;
	outcomes_expect(&program);
	likely = function.outcomes.expected[0] / 800;
	outcomes_clear(&function.outcomes);
	return likely;
}

static void test_bursts(void)
{
	check(fabs(told_by_bursts(0, 0, 1) - 3.5 / 6) < 1e-9,
	      "what bursts passed are outcomes, one for each record");
	check(fabs(told_by_bursts(0, 0, 1000) - 8. / 12) < 1e-9,
	      "but eight of one burst at most");
	check(fabs(told_by_bursts(CFG_RETURNS, 0, 1) - 1. / 2) < 1e-9,
	      "but not of a block that leaves the function");
	check(told_by_bursts(0, PROGRAM_OUTCOMES, 1) == 0,
	      "nor without outcomes");
}

int main(void)
{
	fork_into(2);
	check(expects(1. / 2), "nothing is known of two ways");
	fork_into(2);
	know(4);
	check(expects(6. / 8), "four outcomes weigh as much as the counts");
	fork_into(4);
	check(expects(1. / 4), "nothing is known of four ways");
	fork_into(4);
	know(4);
	check(expects(6. / 12), "four outcomes weigh half as much");
	test_hubs();
	test_bursts();
	return done();
}
