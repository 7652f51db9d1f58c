/*
 * What head.h promises, on loops put together by hand: no mass is lost, it
 * comes to lie where the program waits, the way back is the way there, and
 * functions return to who called.
 */
#include <math.h>
#include <string.h>

#include "converter/processor/head.h"
#include "converter/processor/walk.h"
#include "testsuite/lib/tap.h"

enum { MOST = 32 };

static struct walk_block blocks[8];
static struct walk_way ways[16];
static struct walk_step steps[MOST];
static struct walk_graph g;
static double cycles[MOST];

static void begin(void)
{
	memset(steps, 0, sizeof(steps));
	g = (struct walk_graph){ .blocks = blocks,
				 .steps = steps,
				 .ways = ways };
}

/* A block of a function; each step is the head for so many cycles a time. */
static void add_block(uint32_t entry, double count, unsigned n, double each)
{
	blocks[g.nblocks++] = (struct walk_block){ .first_step = g.nsteps,
						   .nsteps = n,
						   .first_way = g.nways,
						   .entry = entry,
						   .count = count };
	while (n--)
		cycles[g.nsteps++] = each * count;
}

static void add_way(uint32_t to, double flow)
{
	uint32_t from = g.nblocks - 1;

	ways[g.nways++] = (struct walk_way){ from, to, false, flow };
	blocks[from].nways++;
}

static double sum(const double *values, size_t n)
{
	double all = 0;

	while (n--)
		all += *values++;
	return all;
}

static bool near(double a, double b)
{
	return fabs(a - b) < .01 * fabs(b);
}

/* Eight steps in a circle; the fifth waits for 20 cycles. */
static void loop(void)
{
	begin();
	add_block(0, 1000, 4, .25);
	add_way(1, 1000);
	add_block(0, 1000, 4, .25);
	add_way(0, 999);
	add_way(WALK_RETURN, 1);
	cycles[4] = 20 * 1000;
}

static void test_waiting(void)
{
	static const unsigned skids[] = { 0, 30, 90 };
	struct head_load load = { .cycles = cycles, .ipc = .4 };
	double now[MOST], later[MOST], last[MOST];
	double *const ret[] = { now, later, last };
	struct head *head;

	loop();
	head = head_new(&g, &load);
	head_forward(head, skids, 3, ret);
	check(near(sum(now, 8), 8000), "each step gives a sample");
	check(near(sum(later, 8), 8000) && near(sum(last, 8), 8000),
	      "and none is lost later");
	check(later[4] > .8 * 8000, "they lie where the program waits");
	check(now[4] > now[0] && now[4] < later[4], "even without a skid");
	head_free(head);
}

/* <forward, value> == <counts, backward>. */
static void test_back(void)
{
	static const unsigned skids[] = { 17 };
	struct head_load load = { .cycles = cycles };
	double there[MOST], back[MOST], known[MOST], value[MOST];
	double left = 0, right = 0;
	double *const ret[] = { there };
	struct head *head;

	loop();
	head = head_new(&g, &load);
	for (size_t s = 0; s < g.nsteps; s++)
		value[s] = 1 + s * s % 7;
	head_forward(head, skids, 1, ret);
	head_backward(head, 17, value, back, known);
	for (size_t s = 0; s < g.nsteps; s++) {
		left += there[s] * value[s];
		right += 1000 * back[s];
	}
	check(near(left, right), "the way back is the way there");
	check(known[0] > .9 && known[0] < 1, "but for what leaves");
	head_free(head);
}

/* 0 calls 2 and goes on at its second step; 1 also calls it, seldom. */
static void test_calls(void)
{
	static const unsigned skids[] = { 3 };
	struct head_load load = { .cycles = cycles };
	double there[MOST], *const ret[] = { there };
	struct head *head;

	begin();
	add_block(0, 900, 2, 1);
	add_way(WALK_RETURN, 900);
	add_block(1, 100, 2, 1);
	add_way(WALK_RETURN, 100);
	add_block(2, 1000, 4, 1);
	add_way(WALK_RETURN, 1000);
	steps[0].flags = steps[2].flags = WALK_CALLS;
	steps[0].callee = steps[2].callee = 2;
	head = head_new(&g, &load);
	head_forward(head, skids, 1, ret);
	check(there[1] > 0 && near(there[1], 9 * there[3]),
	      "functions return to who called, as often as that was");
	head_free(head);
}

int main(void)
{
	test_waiting();
	test_back();
	test_calls();
	return done();
}
