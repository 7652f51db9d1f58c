/* What flow_classes() promises, on graphs small enough to see the answer. */
#include "mcf/classes.h"
#include "mcf/smooth.h"
#include "testsuite/lib/tap.h"

enum { OUT = FLOW_OUTSIDE, MOST = 8 };

static uint32_t class[MOST];

#define classify(n, links) \
	flow_classes(n, links, sizeof(links) / sizeof(links[0]), class)

static void test_diamond(void)
{
	static const struct flow_link links[] = {
		{ OUT, 0 }, { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 }, { 3, OUT },
	};

	classify(4, links);
	check(class[0] == class[3], "fork and join run equally often");
	check(class[1] != class[0] && class[2] != class[0] &&
		      class[1] != class[2],
	      "the arms do not");
	check_int(class[0], 0, "the first block's class is 0");
}

static void test_loop(void)
{
	static const struct flow_link links[] = {
		{ OUT, 0 }, { 0, 1 }, { 1, 2 }, { 2, 1 }, { 2, 3 }, { 3, OUT },
	};

	classify(4, links);
	check(class[0] == class[3], "before and after a loop");
	check(class[1] == class[2], "in a loop without another way");
	check(class[0] != class[1], "outside and inside");
}

/* Dominance, postdominance and the same loop would put 1 and 3 together. */
static void test_two_back_edges(void)
{
	static const struct flow_link links[] = {
		{ OUT, 0 }, { 0, 1 }, { 1, 2 }, { 2, 1 },
		{ 2, 3 },   { 3, 1 }, { 3, 4 }, { 4, OUT },
	};

	classify(5, links);
	check(class[1] == class[2], "header and the block that continues");
	check(class[1] != class[3], "the block that may be skipped");
}

static void test_two_exits(void)
{
	static const struct flow_link links[] = {
		{ OUT, 0 }, { 0, 1 }, { 0, OUT }, { 1, 2 }, { 2, OUT },
	};

	classify(3, links);
	check(class[0] != class[1], "an early exit parts");
	check(class[1] == class[2], "what follows stays together");
}

static void test_disconnected(void)
{
	static const struct flow_link links[] = {
		{ OUT, 0 }, { 0, OUT }, { 1, 2 }, { 2, 1 }, { 3, 0 },
	};

	classify(4, links);
	check(class[1] == class[2], "an island agrees with itself");
	check(class[0] != class[1], "and with nobody else");
	check(class[3] != class[0], "a block without entry is alone");
}

int main(void)
{
	test_diamond();
	test_loop();
	test_two_back_edges();
	test_two_exits();
	test_disconnected();
	return done();
}
