/*
 * Precision and recall of classes, and how many counts are within their
 * errors, of a function with four blocks whose truth is known.
 */
#include <math.h>

#include "converter/count/program.h"
#include "converter/compare/trust.h"
#include "testsuite/lib/tap.h"

enum { BLOCKS = 4 };

static struct cfg_block shapes[BLOCKS];
static struct cfg_part part = { .address = 0x1000, .size = 64 };
static const struct cfg cfg = {
	.name = "f",
	.parts = &part,
	.nparts = 1,
	.blocks = shapes,
	.nblocks = BLOCKS,
};

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

int main(void)
{
	struct program_block judged_blocks[BLOCKS] = {
		{ .raw = 100, .count = 110, .error = 20 },
		{ .raw = 400,
		  .count = 390,
		  .error = 10,
		  .class = PROGRAM_OVER },
		{ .raw = 100, .count = 90, .error = 20, .class = PROGRAM_OVER },
		{ .raw = 100, .count = 110, .error = 80 },
	};
	/* Twice the run; the last one has too few samples. */
	struct program_block true_blocks[BLOCKS] = {
		{ .count = 200 },
		{ .count = 400 },
		{ .count = 200 },
		{ .count = 600 },
	};
	struct program_function f = { .cfg = cfg, .blocks = judged_blocks };
	struct program_function t = { .cfg = cfg, .blocks = true_blocks };
	struct program judged = { .functions = &f, .nfunctions = 1 };
	struct program truth = { .functions = &t, .nfunctions = 1 };
	struct trust trust;

	for (int b = 0; b < BLOCKS; b++)
		shapes[b].ninstructions = 2;
	trust = trust_check(&judged, &truth);
	check(near(trust_precision(&trust.over), 800. / 1000),
	      "one of two is over-sampled, and has more instructions");
	check(near(trust_recall(&trust.over), 1), "and no other");
	check(trust_recall(&trust.under) == 0,
	      "the under-sampled one is missed");
	check(trust_precision(&trust.under) == 0, "and nothing was said of it");
	/* On the scale of 700: 100, 200, 100, 300. */
	check(near(trust.covered, 400. / 1400), "two are within their errors");
	truth.nfunctions = 0;
	check(trust_check(&judged, &truth).covered == 0, "nothing of no truth");
	return done();
}
