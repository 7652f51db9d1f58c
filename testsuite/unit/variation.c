/*
 * By how much runs differ, worked out by hand for two functions, of which one
 * is missing in one of the runs, and the functions in their order.
 */
#include <math.h>
#include <string.h>

#include "converter/compare/variation.h"
#include "converter/count/program.h"
#include "converter/print/ranking.h"
#include "testsuite/lib/tap.h"

static struct cfg_block one_shape[] = { { .ninstructions = 2 },
					{ .ninstructions = 4 } };
static struct cfg_block two_shape[] = { { .ninstructions = 1 } };
static struct cfg_part one_part = { .address = 0x2000, .size = 64 };
static struct cfg_part two_part = { .address = 0x1000, .size = 64 };

static const struct cfg one = {
	.name = "one",
	.parts = &one_part,
	.nparts = 1,
	.blocks = one_shape,
	.nblocks = 2,
};
static const struct cfg two = {
	.name = "two",
	.parts = &two_part,
	.nparts = 1,
	.blocks = two_shape,
	.nblocks = 1,
};

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

/* Executed: 200 + 600 of one and 200 of two; then 1000 + 1000 of one. */
static void test_variation(void)
{
	struct program_block first_one[] = {
		{ .count = 100, .raw = 100, .noise = 10, .error = 20 },
		{ .count = 150, .raw = 100, .noise = 20, .error = 30 },
	};
	struct program_block first_two[] = { { .count = 200, .raw = 200 } };
	struct program_block second_one[] = { { .count = 500 },
					      { .count = 250, .noise = 50 } };
	/* By address, as a program has them. */
	struct program_function a[] = { { .cfg = two, .blocks = first_two },
					{ .cfg = one, .blocks = first_one } };
	struct program_function b[] = { { .cfg = one, .blocks = second_one } };
	struct program first = { .functions = a, .nfunctions = 2 };
	struct program second = { .functions = b, .nfunctions = 1 };
	const struct program *runs[] = { &first, &second };
	struct variation *v = variation_new(runs, 2);
	/* The mean deviation of two normal values is this much too small. */
	double small = sqrt(2 / M_PI);
	/* Shares: .2 and .5; .6 and .5; .2 and none. */
	double apart[] = { .3 / sqrt(2) / small, .1 / sqrt(2) / small,
			   .2 / sqrt(2) / small };
	double chance = sqrt((.02 * .02) / 2) + sqrt((.08 * .08 + .1 * .1) / 2);

	check(v->nfunctions == 2 && strcmp(v->functions[0].name, "one") == 0,
	      "functions of any run, the largest first");
	check(near(v->functions[0].share, .9) &&
		      near(v->functions[1].share, .1),
	      "shares are means of the runs");
	check(near(v->functions[0].between, (apart[0] + apart[1]) / .9),
	      "blocks vary each by itself");
	check(near(v->functions[1].between, apart[2] / .1),
	      "what a run has not is 0 there");
	check(near(v->between, apart[0] + apart[1] + apart[2]),
	      "and all together");
	check(near(v->noise, chance), "chance is what the errors say");
	variation_free(v);

	runs[1] = &first;
	v = variation_new(runs, 2);
	check(v->between == 0 && v->noise > 0, "a run is like itself");
	variation_free(v);
}

/* One block never ran, and of the other one the error is larger than the count. */
static void test_in_doubt(void)
{
	struct program_block blocks[] = {
		{ .error = 50, .noise = 50 },
		{ .count = 150, .error = 400, .noise = 400 },
	};
	struct program_function f = { .cfg = one, .blocks = blocks };
	struct program p = { .functions = &f, .nfunctions = 1 };
	const struct program *runs[] = { &p, &p };
	struct variation *v = variation_new(runs, 2);
	struct ranking *r = ranking_new(&p);

	check(near(v->noise, 1), "no chance is more than the count");
	check(near(r->functions[0].error, 1), "nor is an error");
	variation_free(v);
	ranking_free(r);
}

static void test_ranking(void)
{
	struct program_block blocks_one[] = {
		{ .count = 100, .raw = 80, .error = 20 },
		{ .count = 150, .raw = 200, .error = 30 },
	};
	struct program_block blocks_two[] = { { .count = 200, .raw = 200 } };
	struct program_function f[] = { { .cfg = two, .blocks = blocks_two },
					{ .cfg = one, .blocks = blocks_one } };
	struct program p = { .functions = f, .nfunctions = 2 };
	struct ranking *r = ranking_new(&p);

	check(r->nfunctions == 2 && r->functions[0].function == &f[1],
	      "what executes most comes first");
	check(r->executed == 1000 && near(r->functions[0].share, .8),
	      "shares of the executed instructions");
	check(near(r->functions[0].error, (2 * 20 + 4 * 30) / 800.),
	      "the error of an instruction, at the mean");
	check(near(r->functions[0].moved, (2 * 20 + 4 * 50) / 800.),
	      "and by how much it was moved");
	ranking_free(r);

	blocks_two[0].count = 800;
	r = ranking_new(&p);
	check(r->functions[0].function == &f[1], "equal ones are by name");
	ranking_free(r);
}

int main(void)
{
	test_variation();
	test_in_doubt();
	test_ranking();
	return done();
}
