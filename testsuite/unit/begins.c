/*
 * begins.c - how often statements began, by where the debug information says
 * that they do.
 *
 * Four blocks of 16 bytes: 0 runs 10 times, and ends in a branch to 1, which
 * runs 7 times, or to 2, which runs 3 times; all go on to 3.
 */
#include "converter/binary/lines.c"
#include "converter/count/program.h"
#include "converter/graph/dominators.h"
#include "converter/keys/attribute_private.h"
#include "converter/keys/frames.h"

#include "testsuite/lib/tap.h"

enum { BLOCKS = 4, SIZE = 16 };

static const char name[] = "a.c";
static const char *files[] = { NULL, name };
static struct lines_frame frames[] = {
	{ .name = "f", .file = name, .decl_line = 10 },
	{ .name = "g",
	  .file = name,
	  .decl_line = 2,
	  .parent = frames,
	  .call_file = name,
	  .call_line = 12,
	  .call_column = 5 },
	{ .name = "h",
	  .file = name,
	  .decl_line = 30,
	  .parent = frames,
	  .call_file = name,
	  .call_line = 13,
	  .call_column = 5 },
	{ .name = "h",
	  .file = name,
	  .decl_line = 30,
	  .parent = frames,
	  .call_file = name,
	  .call_line = 14,
	  .call_column = 5 },
};
/* Block 1 begins with code of g, and block 2 with such of both copies of h. */
static struct lines_range ranges[] = {
	{ .address = 0, .file = 1, .line = 11, .known = 1 },
	{ .address = SIZE, .frame = 1, .file = 1, .line = 3, .known = 1 },
	{ .address = SIZE + 4, .file = 1, .line = 11, .known = 1 },
	{ .address = 2 * SIZE, .frame = 2, .file = 1, .line = 31, .known = 1 },
	{ .address = 2 * SIZE + 4,
	  .frame = 3,
	  .file = 1,
	  .line = 31,
	  .known = 1 },
	{ .address = 2 * SIZE + 8, .file = 1, .line = 11, .known = 1 },
};
static struct insn insns[BLOCKS];
static struct cfg_edge edges[] = {
	{ 0, 1, CFG_FALL },
	{ 0, 2, CFG_TAKEN },
	{ 1, 3, CFG_JUMP },
	{ 2, 3, CFG_FALL },
};
static uint32_t in[] = { 0, 1, 2, 3 };
static struct cfg_block blocks[BLOCKS];
static struct program_block counts[BLOCKS];
static bool merged[BLOCKS];

static void lay_out(void)
{
	static const uint64_t times[] = { 10, 7, 3, 10 };
	static const uint32_t groups[] = { 0, 1, 2, 0 };
	static const uint32_t nin[] = { 0, 1, 1, 2 };
	uint32_t first = 0;

	for (uint32_t b = 0; b < BLOCKS; b++) {
		insns[b] = (struct insn){ .address = b * SIZE };
		blocks[b] = (struct cfg_block){ .address = b * SIZE,
						.size = SIZE,
						.first_insn = b,
						.ninsns = 1,
						.first_in = first,
						.nin = nin[b] };
		counts[b] = (struct program_block){ .count = times[b],
						    .group = groups[b],
						    .error = 3 };
		first += nin[b];
	}
	insns[0].class = INSN_BRANCH;
	insns[1].class = INSN_JUMP;
}

/* What is said of a place in a body, of all marks; -1: nothing. */
static struct profile_count said(struct lines_begin *marks, size_t n,
				 size_t frame, int32_t line)
{
	struct lines lines = { .files = files,
			       .frames = frames,
			       .nframes = 4,
			       .ranges = ranges,
			       .nranges = 6,
			       .begins = marks,
			       .nbegins = n };
	struct program_binary binary = { .lines = &lines };
	struct program_function f = { .cfg = { .insns = insns,
					       .ninsns = BLOCKS,
					       .blocks = blocks,
					       .nblocks = BLOCKS,
					       .edges = edges,
					       .nedges = 4,
					       .in = in },
				      .blocks = counts };
	struct program p = { .binaries = &binary,
			     .nbinaries = 1,
			     .functions = &f,
			     .nfunctions = 1 };
	struct attribution a = { .program = &p,
				 .profile = profile_new(),
				 .functions = fdo_map_new(),
				 .bodies = fdo_map_new() };
	struct frames *s = frames_new(&lines, &f);
	struct profile_body *body;
	struct profile_count ret = { .count = UINT64_MAX };

	attribute_begins(&a, 0, s, merged);
	attribute_begun(&a);
	body = attribute_body(&a, &frames[frame]);
	for (size_t i = 0; i < body->ncounts; i++)
		if (body->counts[i].key.line == line &&
		    body->counts[i].key.column == 5 &&
		    body->counts[i].key.discriminator == PROFILE_BEGIN)
			ret = body->counts[i];
	frames_free(s);
	fdo_map_free(a.functions);
	fdo_map_free(a.bodies);
	profile_free(a.profile);
	return ret;
}

static long long count(struct lines_begin *marks, size_t n, size_t frame,
		       int32_t line)
{
	return (long long)said(marks, n, frame, line).count;
}

static void test_sums(void)
{
	struct lines_begin marks[] = {
		{ 4, name, 12, 5 },
		{ SIZE + 4, name, 12, 5 },
		{ 2 * SIZE + 12, name, 12, 5 },
		{ 3 * SIZE + 4, name, 12, 5 },
		{ 3 * SIZE + 4, name, 12, 6 },
	};
	struct profile_count all;

	lay_out();
	check_int(count(marks, 1, 0, 2), 10, "as often as the block runs");
	check_int(count(marks, 3, 0, 2), 20, "copies add up");
	check_int(count(marks, 4, 0, 2), 20,
		  "but where blocks run equally often, they may be one");
	check_int(count(marks + 1, 2, 0, 2), 10, "all that begin there alone");
	check_int(count(marks + 4, 1, 0, 2), -1, "another column is apart");
	all = said(marks, 3, 0, 2);
	check_int((long long)all.error, 5, "the error is that of a sum");
	check_int(all.flags, 0, "and no bound from above");
	counts[0].count = 0;
	check_int(count(marks, 1, 0, 2), -1, "what never ran says nothing");
}

static void test_bodies(void)
{
	struct lines_begin in_g = { 4, name, 4, 5 };
	struct lines_begin in_h = { 4, name, 33, 5 };
	struct lines_begin in_one = { 2 * SIZE, name, 33, 5 };
	struct lines_begin call = { SIZE, name, 12, 5 };
	struct lines_begin above = { 4, name, 1, 5 };

	lay_out();
	check_int(count(&in_g, 1, 1, 2), 10,
		  "without code, what is inlined once is known by its lines");
	check_int(count(&in_g, 1, 0, -6), -1, "and is not of its host");
	check_int(count(&in_h, 1, 2, 3), -1, "which of two copies is not");
	check_int(count(&in_one, 1, 2, 3), 3, "but by code that is there");
	check_int(count(&in_one, 1, 3, 3), -1, "of no other");
	check_int(count(&call, 1, 0, 2), 7, "the call's line is its host's");
	check_int(count(&above, 1, 1, -1), -1, "above all, it is of none");
}

static void test_doubt(void)
{
	struct lines_begin first = { 3 * SIZE, name, 15, 5 };
	struct lines_begin later = { 3 * SIZE + 4, name, 15, 5 };
	struct lines_begin arm = { SIZE, name, 15, 5 };

	lay_out();
	check_int(count(&first, 1, 0, 5), -1,
		  "it may be the end of the block before");
	check_int(count(&later, 1, 0, 5), 10, "but not behind code");
	check_int(count(&arm, 1, 0, 5), 7, "nor behind a branch");
	insns[2].class = INSN_BRANCH;
	check_int(count(&first, 1, 0, 5), 10, "of two ways there");
	insns[2].class = INSN_OTHER;
	blocks[3].nin = 1;
	blocks[3].first_in = 3;
	check_int(count(&first, 1, 0, 5), 10, "nor if there is but one way");
	insns[1].conditional = true;
	check_int(count(&arm, 1, 0, 5), -1, "arms may have become one block");
	insns[1].conditional = false;
	merged[1] = true;
	check_int(count(&arm, 1, 0, 5), -1, "and so may their ends");
}

int main(void)
{
	test_sums();
	test_bodies();
	test_doubt();
	return done();
}
