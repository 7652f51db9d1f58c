/*
 * What the look of a branch is worth: a fork and two arms, in a function with
 * few samples and in one with many.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/count/looks.h"
#include "converter/count/outcomes.h"
#include "converter/count/program.h"
#include "testsuite/lib/tap.h"

enum { BLOCKS = 3, EDGES = 2 };

static struct cfg_block shapes[BLOCKS] = {
	{ .nedges = 2, .ninstructions = 4 },
	{ .nin = 1, .ninstructions = 4, .flags = CFG_RETURNS },
	{ .nin = 1, .first_in = 1, .ninstructions = 4, .flags = CFG_RETURNS },
};
static struct cfg_edge edges[EDGES] = {
	{ 0, 1, CFG_FALL },
	{ 0, 2, CFG_TAKEN },
};
static uint32_t in[EDGES] = { 0, 1 };
static uint64_t taken[EDGES];
static struct program_block blocks[BLOCKS];
static struct program_function function = {
	.cfg = { .blocks = shapes,
		 .nblocks = BLOCKS,
		 .edges = edges,
		 .nedges = EDGES,
		 .in = in },
	.blocks = blocks,
	.edges = taken,
};
static struct program program = { .functions = &function, .nfunctions = 1 };

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

/* Executions of the fork, half of them each way; one sample for a hundred. */
static void count(uint64_t executions)
{
	taken[0] = taken[1] = executions / 2;
	blocks[0].count = executions;
	blocks[1].count = blocks[2].count = executions / 2;
	for (int b = 0; b < BLOCKS; b++) {
		blocks[b].unit = 100;
		blocks[b].raw = blocks[b].count;
	}
}

static void test_worth(void)
{
	function.samples = 0;
	count(0);
	check(looks_matter(&function),
	      "where nothing was sampled looks matter");
	check(near(looks_tell(&function, 0), 1), "as one outcome would");
	function.samples = 5;
	check(near(looks_tell(&function, 0), .5), "with five samples as half");
	count(100);
	check(near(looks_tell(&function, 0), .25),
	      "and half of that where three should be around the branch");
	function.samples = 100;
	count(1000000);
	check(near(looks_tell(&function, 0), 0), "or as none where many");
	function.samples = 300;
	check(!looks_matter(&function),
	      "a function with many samples has none");
	function.samples = 5;
	check(near(looks_tell(&function, 1), 0), "nor has what is no branch");
}

/* One of ten by its look, and no more is known. */
static void test_expected(void)
{
	function.samples = 0;
	count(200);
	check(outcomes_expect(&program), "looks let expect something");
	check(near(function.outcomes.looked[0], 1 / 3.),
	      "and it is known what they are worth");
	check(near(outcomes_of(&function, 0), 1 / 3.), "as outcomes");
	check(near(function.outcomes.expected[0] +
			   function.outcomes.expected[1],
		   200),
	      "all go somewhere");
	check(near(function.outcomes.expected[1] / 200,
		   (2 + .1 / 3) / (4 + 1 / 3.)),
	      "a little fewer go the way that looks seldom");
}

int main(void)
{
	static double looks[EDGES] = { .9, .1 };

	function.outcomes = (struct outcomes_counts){
		.edges = fdo_alloc(EDGES, sizeof(double)),
		.blocks = fdo_alloc(BLOCKS, sizeof(double)),
		.expected = fdo_alloc(EDGES, sizeof(double)),
		.looked = fdo_alloc(BLOCKS, sizeof(double)),
	};
	check(near(looks_tell(&function, 0), 0),
	      "without looks there are none");
	function.outcomes.looks = looks;
	test_worth();
	test_expected();
	function.outcomes.looks = NULL;
	outcomes_clear(&function.outcomes);
	return done();
}
