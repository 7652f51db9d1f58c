/*
 * What the walk promises, on graphs put together by hand: chains of loads
 * take their time and independent ones do not, wrong guesses cost, calls are
 * followed, and all of it is the same each time.
 */
#include <stdlib.h>
#include <string.h>

#include "converter/processor/core.h"
#include "converter/processor/walk.h"
#include "testsuite/lib/tap.h"

enum { A, B, C, D };

static const struct walk_step chained = { .addresses = REG_BIT(A),
					  .writes = REG_BIT(A),
					  .flags = WALK_LOADS };
static const struct walk_step independent = { .addresses = REG_BIT(B),
					      .writes = REG_BIT(A),
					      .flags = WALK_LOADS };
static const struct walk_step add = { .reads = REG_BIT(C),
				      .writes = REG_BIT(C),
				      .latency = 1 };
static const struct walk_step nothing;

enum { MOST = 64 };

struct walk_test {
	struct walk_graph g;
	struct walk_block blocks[8];
	struct walk_way ways[16];
	struct walk_step steps[MOST];
	struct walk_tally tally[MOST];
	struct walk_heads heads[MOST];
};

static struct walk_test *begin(void)
{
	static struct walk_test test;

	memset(&test, 0, sizeof(test));
	test.g.blocks = test.blocks;
	test.g.ways = test.ways;
	test.g.steps = test.steps;
	return &test;
}

/* A block of n times the same step. */
static void add_block(struct walk_test *t, double count, unsigned n,
		      const struct walk_step *step)
{
	t->blocks[t->g.nblocks++] = (struct walk_block){
		.first_step = t->g.nsteps,
		.nsteps = n,
		.first_way = t->g.nways,
		.count = count,
		.wanted = true,
	};
	while (n--) {
		t->steps[t->g.nsteps] = *step;
		walk_list(&t->steps[t->g.nsteps++]);
	}
}

/* From the last block. */
static void add_way(struct walk_test *t, uint32_t to, double flow, bool taken)
{
	uint32_t from = t->g.nblocks - 1;

	t->ways[t->g.nways++] = (struct walk_way){ from, to, taken, flow };
	t->blocks[from].nways++;
}

static void run(struct walk_test *t, double wrong)
{
	struct walk_options options = walk_default;

	options.instructions = 100000;
	options.conditional = options.indirect = wrong;
	memset(t->tally, 0, sizeof(t->tally));
	memset(t->heads, 0, sizeof(t->heads));
	walk(&t->g, &options, t->tally, t->heads);
}

/* Cycles of one execution of a block. */
static double cycles(const struct walk_test *t, unsigned block)
{
	const struct walk_block *b = &t->blocks[block];
	double sum = 0;

	for (uint32_t s = b->first_step; s < b->first_step + b->nsteps; s++)
		sum += (double)t->tally[s].time.own / t->tally[s].executions;
	return sum;
}

static double late_cycles(const struct walk_test *t, unsigned block)
{
	const struct walk_block *b = &t->blocks[block];
	double sum = 0;

	for (uint32_t s = b->first_step; s < b->first_step + b->nsteps; s++)
		sum += (double)t->tally[s].time.late / t->tally[s].executions;
	return sum;
}

static double calm_cycles(const struct walk_test *t, unsigned block)
{
	const struct walk_block *b = &t->blocks[block];
	double sum = 0;

	for (uint32_t s = b->first_step; s < b->first_step + b->nsteps; s++)
		sum += (double)t->tally[s].calm.own / t->tally[s].executions;
	return sum;
}

/* An endless loop of one block. */
static double loop(unsigned n, const struct walk_step *step)
{
	struct walk_test *t = begin();

	add_block(t, 1000, n, step);
	add_way(t, 0, 1000, true);
	run(t, 0);
	return cycles(t, 0);
}

static bool near(double value, double expected)
{
	if (value > expected * .93 && value < expected * 1.07)
		return true;
	printf("# %g, not %g\n", value, expected);
	return false;
}

static void test_loads(void)
{
	struct walk_options options = walk_default;

	check(near(loop(8, &chained), 8 * options.load),
	      "loads that need each other take their latency");
	check(near(loop(8, &independent), 8.0 / options.retire),
	      "others as long as it takes to retire");
	check(near(loop(8, &add), 8), "a chain of additions, a cycle each");
	check(near(loop(8, &nothing), 8.0 / options.retire),
	      "what waits for nothing retires side by side");
}

/* 0 -> 1 or 2 -> 0, alike. */
static struct walk_test *diamond(double first, double second)
{
	struct walk_test *t = begin();

	add_block(t, first + second, 6, &independent);
	add_way(t, 1, first, false);
	add_way(t, 2, second, true);
	add_block(t, first, 6, &independent);
	add_way(t, 0, first, true);
	add_block(t, second, 6, &independent);
	add_way(t, 0, second, true);
	return t;
}

/* The same walks once more count twice. */
static void test_twice(void)
{
	struct walk_options options = walk_default;
	struct walk_test *t = diamond(300, 700);
	struct walk_tally once;

	options.instructions = 100000;
	run(t, options.conditional);
	once = t->tally[0];
	options.indirect = options.conditional;
	walk(&t->g, &options, t->tally, t->heads);
	check(once.executions > 1000, "steps of a first walk");
	check_int(t->tally[0].executions, 2 * once.executions,
		  "a second one adds to them");
	check_int(t->tally[0].time.own, 2 * once.time.own, "and their time");
}

static void test_wrong_guesses(void)
{
	struct walk_test *t = diamond(500, 500);
	double right, wrong, seldom;

	run(t, 0);
	right = cycles(t, 1);
	run(t, .5);
	wrong = cycles(t, 1);
	/* Half of a half of them are wrong. */
	check(wrong > right + 3 && wrong < right + 6,
	      "what follows a branch that is often mispredicted takes longer");
	check(near(calm_cycles(t, 1), right), "what it would take is told");
	t = diamond(990, 10);
	run(t, .5);
	seldom = cycles(t, 1);
	check(seldom < right + 1, "not if it mostly goes one way");
}

static void test_late(void)
{
	struct walk_test *t = diamond(500, 500);

	/* The last step of 0 is slow and needs itself. */
	t->steps[5] = (struct walk_step){ .reads = REG_BIT(D),
					  .writes = REG_BIT(D),
					  .latency = 40 };
	run(t, 0);
	check(cycles(t, 0) > 15 && cycles(t, 1) < 5,
	      "a block that waits takes the time");
	check(late_cycles(t, 1) > 15 && late_cycles(t, 0) < 5,
	      "what comes after it has the samples, if they lag");
	t->steps[4] = t->steps[5];
	t->steps[5] = nothing;
	t->steps[5].flags = WALK_FUSED;
	run(t, 0);
	check(late_cycles(t, 1) > 15 && late_cycles(t, 0) < 5,
	      "nothing comes between what is fused");
}

/* 0 calls 1, which returns, and goes on to itself. */
static void test_calls(void)
{
	struct walk_test *t = begin();

	add_block(t, 1000, 4, &add);
	add_way(t, 0, 1000, true);
	t->steps[1].flags = WALK_CALLS;
	t->steps[1].callee = 1;
	add_block(t, 1000, 3, &add);
	add_way(t, WALK_RETURN, 1000, true);
	t->blocks[1].entry = 1;
	run(t, 0);
	check(near((double)t->tally[4].executions / t->tally[0].executions, 1),
	      "a call runs what it calls");
	check(near((double)t->tally[2].executions / t->tally[0].executions, 1),
	      "and goes on after it");
	check(near(cycles(t, 0) + cycles(t, 1), 7),
	      "registers keep their time in calls");
}

static void test_same_again(void)
{
	struct walk_test *t = diamond(300, 700);
	struct walk_tally before[MOST];

	run(t, .35);
	memcpy(before, t->tally, sizeof(before));
	run(t, .35);
	check(memcmp(before, t->tally, sizeof(before)) == 0,
	      "the same walk says the same");
}

/* A guess that is as good as never wrong takes the same random numbers. */
static void test_calm(void)
{
	struct walk_test *t = diamond(300, 700);
	struct walk_tally never[MOST];
	bool same = true;

	run(t, 1e-12);
	memcpy(never, t->tally, sizeof(never));
	run(t, .35);
	for (size_t s = 0; s < t->g.nsteps; s++)
		same &= memcmp(&t->tally[s].calm, &never[s].time,
			       sizeof(never[s].time)) == 0;
	check(same, "calm is as if no guess were wrong");
}

/* For how many steps one was named, at the mean of its executions. */
static double named(const struct walk_test *t, unsigned step, unsigned skid)
{
	return (double)t->heads[step].real[skid] / t->heads[step].known[skid];
}

static double calmly_named(const struct walk_test *t, unsigned step,
			   unsigned skid)
{
	return (double)t->heads[step].calm[skid] / t->heads[step].known[skid];
}

static double sum_of_named(const struct walk_test *t, unsigned skid)
{
	double sum = 0;

	for (size_t s = 0; s < t->g.nsteps; s++)
		sum += named(t, s, skid);
	return sum;
}

/* Of 12 steps one waits for long; or all retire side by side. */
static void test_heads(void)
{
	struct walk_test *t = begin();
	struct walk_step slow = add;
	enum { SKID = 7 };

	check_int(skid_choices[SKID], 30, "a skid of 30 cycles");
	loop(8, &nothing);
	check(near(named(t, 0, SKID), 4) && named(t, 1, SKID) < .1,
	      "of those that retire together, the first is named for all");
	check(near(sum_of_named(t, SKID), 8), "all are somebody's");
	t = begin();
	slow.latency = 40;
	add_block(t, 1000, 12, &nothing);
	t->steps[5] = slow;
	add_way(t, 0, 1000, true);
	run(t, 0);
	check(near(sum_of_named(t, 0), 12), "without a skid, too");
	check(named(t, 5, 0) < 5, "few retire when one begins to wait");
	check(named(t, 5, SKID) > 9, "but with a skid it is named for most");
}

/* What wrong guesses delay is named for what retired in the meantime. */
static void test_redirected_heads(void)
{
	struct walk_test *t = diamond(500, 500);
	uint32_t first;

	run(t, 1);
	first = t->blocks[1].first_step;
	check(named(t, first, 4) > 1.5 * calmly_named(t, first, 4),
	      "a wrong guess makes its target wait, and be named");
	run(t, 0);
	check(named(t, first, 4) == calmly_named(t, first, 4),
	      "if all are right, nothing is otherwise");
}

/* Nothing runs, nothing leads anywhere, blocks without steps loop. */
static void test_odd_graphs(void)
{
	struct walk_test *t = begin();

	run(t, .35);
	check(true, "no blocks");
	add_block(t, 0, 3, &add);
	run(t, .35);
	check(t->tally[2].executions > 0, "a block that never ran is visited");
	t = begin();
	add_block(t, 10, 0, &add);
	add_way(t, 0, 10, true);
	run(t, .35);
	check(true, "a loop of nothing ends");
	t = begin();
	add_block(t, 10, 3, &add);
	t->steps[1].flags = WALK_CALLS;
	t->steps[1].callee = 0;
	add_way(t, WALK_RETURN, 10, true);
	run(t, .35);
	check(t->tally[0].executions > 0, "endless recursion ends");
}

int main(void)
{
	test_loads();
	test_twice();
	test_wrong_guesses();
	test_late();
	test_calls();
	test_same_again();
	test_calm();
	test_heads();
	test_redirected_heads();
	test_odd_graphs();
	return done();
}
