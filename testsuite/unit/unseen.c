/*
 * unseen.c - what is executed in functions without samples by a block that calls
 * them.
 *
 * Block 0 calls "small" and "other", 1 calls "large", 2 calls "seen", and 3 a
 * library and by a pointer.
 */
#include <stdlib.h>

#include "base/map.h"
#include "converter/binary/object.h"
#include "converter/count/program.h"
#include "converter/count/unseen.h"
#include "testsuite/lib/tap.h"

enum { BLOCKS = 4, CALLS = 6 };

static const struct object_function functions[] = {
	{ .address = 0x1000, .size = 40, .name = "small" },
	{ .address = 0x1100, .size = 80, .name = "other" },
	{ .address = 0x2000, .size = 100000, .name = "large" },
	{ .address = 0x20000, .size = 4000, .name = "seen" },
};
static const struct object object = { .functions = functions, .nfunctions = 4 };
static struct cfg_call calls[CALLS] = {
	{ .block = 0, .target = 0x1000 },
	{ .block = 0, .target = 0x1100 },
	{ .block = 1, .target = 0x2000, .tail = true },
	{ .block = 2, .target = 0x20000 },
	{ .block = 3, .target = 0x1000, .external = true, .name = "small" },
	{ .block = 3, .indirect = true },
};
static struct program_block blocks[BLOCKS];
static struct program_function both[] = {
	{ .cfg = { .nblocks = BLOCKS, .calls = calls, .ncalls = CALLS },
	  .blocks = blocks },
	{ .samples = 1 },
};
static struct program_binary binary = { .object = (struct object *)&object };
static struct program program = {
	.binaries = &binary,
	.nbinaries = 1,
	.functions = both,
	.nfunctions = 2,
};

static double executed(size_t block)
{
	double *all = unseen_callees(&program, &both[0]);
	double ret = all[block];

	free(all);
	return ret;
}

static void test_callees(void)
{
	check_int(executed(0), 10 + 20, "two calls: what both are long");
	check_int(executed(1), 200,
		  "of a large function, only a part is executed");
	check_int(executed(2), 0, "a function with samples says that it ran");
	check_int(executed(3), 0, "nobody knows of a library, or a pointer");
	both[1].samples = 0;
	check_int(executed(2), 200, "one that only branches lead to has none");
	both[1].samples = 1;
}

static void test_blocks(void)
{
	blocks[0].samples = 1;
	check_int(executed(0), 0, "not of a block that has samples itself");
	blocks[0].samples = 0;
	blocks[0].raw = .5;
	check_int(executed(0), 0, "nor one that was credited with some");
	blocks[0].raw = 0;
	blocks[0].stacks = 2;
	check_int(executed(0), 0, "nor one with branch records");
	blocks[0].stacks = 0;
	program.without = PROGRAM_UNSEEN;
	check_int(executed(0), 0, "nor without this part");
	program.without = 0;
	check_int(executed(0), 30, "as before otherwise");
}

int main(void)
{
	binary.known = fdo_map_new();
	*fdo_map_at(binary.known, (uintptr_t)&functions[3]) = 2;
	test_callees();
	test_blocks();
	fdo_map_free(binary.known);
	return done();
}
