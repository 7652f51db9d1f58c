/*
 * Files of weights, good and bad, and what is counted by them: by hand,
 * after the formula of svr-train(1).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "converter/count/classify.h"
#include "converter/count/estimate.h"
#include "converter/count/weights.h"
#include "testsuite/lib/tap.h"

enum { INST, CYCLES, MISS, EVENTS, BLOCKS = 4 };

#define HEAD	"samplefdo-weights\t1\n# made up\nbase\tinst:u\t100\n"
#define WEIGHTS "weight\tinst\tinst\t0.8\nweight\tmiss\tother\t-0.3\n"
#define CLASSES                                      \
	"cycles\tcycles\t100\nstall\tmiss\t10\t30\n" \
	"under\t-0.5\nover\t0.25\n"                  \
	"price\ttrusted\t4\t5\nprice\tover\t9\t1\n"  \
	"price\tunder\t1\t8\n"

static const char good[] = HEAD WEIGHTS CLASSES "end\n";

static struct samples_event events[EVENTS] = {
	{ .name = "inst:u", .role = "inst", .samples = 1 },
	{ .name = "cpu/cycles/u", .role = "cycles", .samples = 1 },
	{ .name = "miss", .role = "miss", .samples = 1 },
};
static struct samples samples = { .nevents = EVENTS, .events = events };

static struct weights *read_text(const char *text, struct fdo_error *err)
{
	FILE *file = fopen("test.weights", "w");
	struct weights *w;

	fputs(text, file);
	fclose(file);
	check(weights_is("test.weights") ==
		      (strncmp(text, "samplefdo-weights", 17) == 0),
	      "is told by its beginning");
	w = weights_read("test.weights", err);
	unlink("test.weights");
	return w;
}

static void refuses(const char *text, const char *message)
{
	struct fdo_error err = { "" };
	struct weights *w = read_text(text, &err);

	if (!check(!w && strcmp(err.text, message) == 0, message))
		printf("# %s\n", err.text);
	weights_free(w);
}

static void test_bad_files(void)
{
	refuses("", "test.weights: line \"end\" is missing");
	refuses("name x\n",
		"test.weights: line 1: not the first line of a weights file");
	refuses("samplefdo-weights\t7\n",
		"test.weights: line 1: weights of version 7; known is 1");
	refuses(HEAD WEIGHTS, "test.weights: line \"end\" is missing");
	refuses(HEAD "end\n", "test.weights: line \"weight\" is missing");
	refuses("samplefdo-weights\t1\n" WEIGHTS "end\n",
		"test.weights: line \"base\" is missing");
	refuses(HEAD "weight\tinst\tinst\tnan\nend\n",
		"test.weights: line 4: 'nan' is not a number from -1e+06 to "
		"1e+06");
	refuses(HEAD "weigth\tinst\tinst\t1\nend\n",
		"test.weights: line 4: no statement of a weights file "
		"(svr-train(1))");
	refuses(HEAD WEIGHTS WEIGHTS "end\n",
		"test.weights: line 6: the event had a weight already");
	refuses(HEAD WEIGHTS "cycles\tcycles\t100\nunder\t1\nover\t1\nend\n",
		"test.weights: line \"price\" is missing");
	refuses(HEAD WEIGHTS "price\tmiddling\t1\t1\nend\n",
		"test.weights: line 6: no class of that name");
	refuses(HEAD "weight\tinst\tfoo\t1\nend\n",
		"test.weights: line 4: 'foo': the role is inst, cycles, stall "
		"or other");
	refuses(HEAD WEIGHTS "end",
		"test.weights: line 6: the line is cut off");
}

/* Samples of one event and numbers of another cannot be compared. */
static void test_some_periods(void)
{
	refuses(HEAD WEIGHTS "cycles\tcycles\t1\nend\n",
		"test.weights: line 6: the period is 1, unlike those above: "
		"all are 1 or none is");
	refuses(HEAD WEIGHTS "cycles\tcycles\t100\nstall\tmiss\t1\t30\nend\n",
		"test.weights: line 7: the period is 1, unlike those above: "
		"all are 1 or none is");
	refuses("samplefdo-weights\t1\nbase\tinst:u\t1\n" WEIGHTS
		"cycles\tcycles\t1\nstall\tmiss\t10\t30\nend\n",
		"test.weights: line 6: the period is not 1, unlike those "
		"above: all are 1 or none is");
	refuses(HEAD WEIGHTS "cycles\tcycles\t100\nstall\tmiss\t0\t30\nend\n",
		"test.weights: line 7: '0' is not a number from 1 to 1e+18");
}

/* What the first line says would otherwise be lost. */
static void test_twice(void)
{
	refuses(HEAD "base\tcycles\t100\n" WEIGHTS "end\n",
		"test.weights: line 4: a second line \"base\"");
	refuses(HEAD WEIGHTS CLASSES "cycles\tcycles\t7\nend\n",
		"test.weights: line 13: a second line \"cycles\"");
	refuses(HEAD WEIGHTS CLASSES "stall\tmiss\t10\t30\nend\n",
		"test.weights: line 13: the event had a stall already");
	refuses(HEAD WEIGHTS CLASSES "under\t1\nend\n",
		"test.weights: line 13: a second line \"under\"");
	refuses(HEAD WEIGHTS CLASSES "over\t1\nend\n",
		"test.weights: line 13: a second line \"over\"");
	refuses(HEAD WEIGHTS CLASSES "price\tover\t9\t1\nend\n",
		"test.weights: line 13: the class had a price already");
	refuses(HEAD WEIGHTS CLASSES "end\nweight\tcycles\tcycles\t1\n",
		"test.weights: line 14: a line after \"end\"");
	refuses(HEAD WEIGHTS CLASSES "end\n# more\n",
		"test.weights: line 14: a line after \"end\"");
}

static const uint64_t sampled[BLOCKS][EVENTS] = {
	{ 10, 10, 0 },
	{ 20, 60, 10 },
	{ 0, 0, 0 },
	{ 10, 10, 70 },
};

static struct cfg_block shapes[BLOCKS];
static struct program_block blocks[BLOCKS];
static struct samples_count counts[BLOCKS][EVENTS];

static struct program_function function = {
	.cfg = { .blocks = shapes, .nblocks = BLOCKS },
	.blocks = blocks,
	.events = &counts[0][0],
};
static struct program program = { .samples = &samples,
				  .functions = &function,
				  .nfunctions = 1 };

static void fill(void)
{
	static const uint64_t period[EVENTS] = { 100, 100, 10 };

	for (int b = 0; b < BLOCKS; b++) {
		shapes[b].ninstructions = b == 1 ? 2 : 1;
		for (int e = 0; e < EVENTS; e++) {
			counts[b][e].samples = sampled[b][e];
			counts[b][e].period = sampled[b][e] * period[e];
		}
	}
}

static void test_counts(void)
{
	struct fdo_error err;
	struct weights *w = read_text(good, &err);
	double all = 4000, scale;

	if (!check(w && weights_bind(w, &samples, &err), "good ones are read"))
		return;
	fill();
	estimate_by_weights(&program, w);
	/* .8 / 4; (.8 / 2 - .3 / 8) / 2; nothing; below 0. */
	scale = all / (.2 + 2 * .18125);
	check(fabs(blocks[0].raw - .2 * scale) < 1e-6, "weights are used");
	check(fabs(blocks[1].raw - .18125 * scale) < 1e-6,
	      "negative ones, too");
	check(blocks[2].raw == 0, "what was not sampled did not run");
	check(blocks[3].raw == 0, "and nothing runs less than never");
	check(w->classes, "classes are known");
	classify_by_weights(&program, w);
	check(blocks[0].class == PROGRAM_UNDER, "a limit may be negative");
	check(blocks[3].class == PROGRAM_OVER, "stalls count");
	check(blocks[3].raise == 9 * blocks[3].lower, "prices are the class's");
	weights_free(w);
}

static void test_missing_events(void)
{
	struct fdo_error err = { "" };
	struct weights *w = read_text(good, &err);

	events[MISS].samples = 0;
	check(weights_bind(w, &samples, &err) && w->alone && !w->classes,
	      "the base alone will do");
	estimate_by_weights(&program, w);
	check(fabs(blocks[3].raw - 1000) < 1e-6, "and then counts");
	events[INST].samples = 0;
	check(!weights_bind(w, &samples, &err) &&
		      strcmp(err.text, "test.weights: no samples of the event "
				       "inst, nor of the base inst:u") == 0,
	      "but nothing else does");
	weights_free(w);
}

int main(void)
{
	test_bad_files();
	test_some_periods();
	test_twice();
	test_counts();
	test_missing_events();
	return done();
}
