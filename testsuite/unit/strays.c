/*
 * strays.c - code that runs where its statement does not begin.
 *
 * Five blocks of 16 bytes: 0 goes on to 1 and 2, 1 to 3, 2 to 3, and 3 to 4 or
 * round.
 * Line 7 begins in block 1 and has code in 1, 2 and 3; line 8 begins in 0, line
 * 9 in a copy that is inlined in block 2, and line 10 nowhere.  Line 11 begins in
 * one copy of a function in block 0 and in another one in block 2.
 */
#include "converter/binary/lines.c"
#include "converter/count/program.h"
#include "converter/graph/dominators.h"
#include "converter/keys/frames.h"
#include "converter/keys/strays.h"

#include "testsuite/lib/tap.h"

enum { BLOCKS = 5, SIZE = 16 };

/* Two files, whose names differ in memory as lines 7 and 39 do. */
static const char name[64] __attribute__((__aligned__(64))) = "a.c";
static const char *const other = name + 32;
static struct lines_frame frames[] = {
	{ .name = "f" },
	{ .name = "g", .parent = frames },
	{ .name = "h", .parent = frames },
	{ .name = "h", .parent = frames },
};
static struct lines_range ranges[] = {
	{ .address = 0, .frame = 0, .known = 1 },
	{ .address = 12, .frame = 2, .file = 1, .line = 11, .known = 1 },
	{ .address = SIZE, .frame = 0, .known = 1 },
	{ .address = 2 * SIZE, .frame = 1, .known = 1 },
	{ .address = 2 * SIZE + 4, .frame = 3, .line = 12, .known = 1 },
	{ .address = 2 * SIZE + 8,
	  .frame = 3,
	  .file = 1,
	  .line = 11,
	  .known = 1 },
	{ .address = 3 * SIZE, .frame = 0, .known = 1 },
};
static struct lines_begin begins[] = {
	{ 4, name, 8 },
	{ 12, name, 11 },
	{ SIZE + 8, name, 7 },
	{ 2 * SIZE, name, 9 },
	{ 2 * SIZE + 8, name, 11 },
};
static const char *files[] = { NULL, name, name + 32 };
static struct lines lines = {
	.files = files,
	.frames = frames,
	.nframes = 4,
	.ranges = ranges,
	.nranges = 7,
	.begins = begins,
	.nbegins = 5,
};
static struct cfg_edge edges[] = {
	{ 0, 1, CFG_FALL }, { 0, 2, CFG_TAKEN }, { 1, 3, CFG_JUMP },
	{ 2, 3, CFG_FALL }, { 3, 4, CFG_FALL },	 { 3, 3, CFG_TAKEN },
};
static uint32_t in[] = { 0, 1, 2, 3, 5, 4 };
static struct cfg_block blocks[BLOCKS] = {
	{ .flags = CFG_ENTRY },	     { .first_in = 0, .nin = 1 },
	{ .first_in = 1, .nin = 1 }, { .first_in = 2, .nin = 3 },
	{ .first_in = 5, .nin = 1 },
};
static struct program_function function = {
	.cfg = { .blocks = blocks,
		 .nblocks = BLOCKS,
		 .edges = edges,
		 .nedges = 6,
		 .in = in },
};

static struct frames *found; /* of the strays that were made last */

static struct strays *strays_in(const struct lines *of,
				const struct program_function *f,
				const struct dominators *dominators)
{
	frames_free(found);
	found = frames_new(of, f);
	return strays_new(of, f, dominators, found);
}

static enum strays_kind kind_of(struct strays *s, size_t block,
				const char *file, unsigned line, size_t frame)
{
	struct lines_place place = {
		.frame = &frames[frame],
		.file = file,
		.line = line,
	};

	return strays_of(s, block, &place);
}

static enum strays_kind kind(struct strays *s, size_t block, unsigned line,
			     size_t frame)
{
	return kind_of(s, block, name, line, frame);
}

static bool has(struct strays *s, size_t block, unsigned line, size_t frame)
{
	return kind(s, block, line, frame) == STRAYS_ANY;
}

/* Of a row of blocks, what line 11 is in the last if it begins in the first. */
static enum strays_kind kind_behind(uint32_t n)
{
	struct cfg_block *row = calloc(n, sizeof(*row));
	struct cfg_edge *steps = calloc(n, sizeof(*steps));
	uint32_t *from = calloc(n, sizeof(*from));
	struct program_function f = { .cfg = { .blocks = row,
					       .nblocks = n,
					       .edges = steps,
					       .nedges = n - 1,
					       .in = from } };
	enum strays_kind result;
	struct strays *s;

	row[0] = blocks[0];
	for (uint32_t b = 1; b < n; b++) {
		row[b] = (struct cfg_block){ .address = (b + 9) * SIZE,
					     .size = SIZE,
					     .first_in = b - 1,
					     .nin = 1 };
		from[b - 1] = b - 1;
		steps[b - 1] = (struct cfg_edge){ b - 1, b, CFG_FALL };
	}
	s = strays_in(&lines, &f, NULL);
	result = kind(s, n - 1, 11, 2);
	strays_free(s);
	free(row);
	free(steps);
	free(from);
	return result;
}

/* Edges that take each other's place between the same five blocks. */
struct ways {
	struct cfg_edge edges[6];
	size_t n;
};

/* They are in the order of where they come from. */
static struct cfg make_graph(const struct ways *ways, struct cfg_block *blocks,
			     uint32_t *sources)
{
	struct cfg cfg = { .blocks = blocks,
			   .nblocks = BLOCKS,
			   .edges = (struct cfg_edge *)ways->edges,
			   .nedges = ways->n,
			   .in = sources };
	uint32_t n = 0;

	for (uint32_t b = 0; b < BLOCKS; b++) {
		blocks[b].address = b * SIZE;
		blocks[b].size = SIZE;
		blocks[b].first_in = n;
		for (uint32_t e = 0; e < ways->n; e++) {
			if (ways->edges[e].from == b && !blocks[b].nedges++)
				blocks[b].first_edge = e;
			if (ways->edges[e].to == b)
				sources[n++] = e;
		}
		blocks[b].nin = n - blocks[b].first_in;
	}
	return cfg;
}

/*
 * Line 11 of a copy of a function begins in block 1 and has code in 2, whose
 * last instruction is of that class and place.
 */
static enum strays_kind kind_of_last(const struct ways *ways,
				     enum insn_class class, unsigned frame,
				     unsigned file, unsigned line)
{
	struct insn last = { .address = 2 * SIZE + 8, .class = class };
	struct cfg_block five[BLOCKS] = {
		[0] = { .flags = CFG_ENTRY }, [2] = { .ninsns = 1 }
	};
	uint32_t sources[6];
	struct program_function f = { .cfg = make_graph(ways, five, sources) };
	struct lines_begin begin = { SIZE, name, 11 };
	struct lines_range places[] = {
		{ .frame = 2, .file = 1, .line = 11, .known = 1 },
		{ .address = last.address,
		  .frame = frame,
		  .file = file,
		  .line = line,
		  .known = 1 },
	};
	struct lines row = { .files = files,
			     .frames = frames,
			     .nframes = 4,
			     .ranges = places,
			     .nranges = 2,
			     .begins = &begin,
			     .nbegins = 1 };
	struct dominators *dominators;
	enum strays_kind result;
	struct strays *s;

	f.cfg.insns = &last;
	dominators = dominators_new(&f.cfg);
	s = strays_in(&row, &f, dominators);
	result = kind(s, 2, 11, 2);
	strays_free(s);
	dominators_free(dominators);
	return result;
}

static void test_threaded(void)
{
	static const struct ways threaded = {
		{ { 0, 1, CFG_FALL },
		  { 0, 2, CFG_TAKEN },
		  { 1, 2, CFG_FALL },
		  { 2, 4, CFG_JUMP } },
		4,
	};
	static const struct ways jumps = {
		{ { 0, 1, CFG_FALL },
		  { 0, 3, CFG_TAKEN },
		  { 1, 2, CFG_FALL },
		  { 2, 4, CFG_JUMP },
		  { 3, 2, CFG_JUMP } },
		5,
	};
	static const struct ways tests = {
		{ { 0, 1, CFG_FALL },
		  { 0, 3, CFG_TAKEN },
		  { 1, 2, CFG_FALL },
		  { 2, 4, CFG_JUMP },
		  { 3, 2, CFG_FALL },
		  { 3, 4, CFG_TAKEN } },
		6,
	};
	static const struct ways loop = {
		{ { 0, 2, CFG_TAKEN },
		  { 1, 2, CFG_JUMP },
		  { 2, 1, CFG_FALL },
		  { 2, 4, CFG_TAKEN } },
		4,
	};

	check_int(kind_of_last(&threaded, INSN_BRANCH, 2, 1, 11), STRAYS_NONE,
		  "a test that another one leads to, past its beginning");
	check_int(kind_of_last(&threaded, INSN_OTHER, 2, 1, 11), STRAYS_ANY,
		  "but not what is no test");
	check_int(kind_of_last(&threaded, INSN_BRANCH, 2, 1, 12), STRAYS_ANY,
		  "or one of another line");
	check_int(kind_of_last(&threaded, INSN_BRANCH, 2, 2, 11), STRAYS_ANY,
		  "of another file");
	check_int(kind_of_last(&threaded, INSN_BRANCH, 3, 1, 11), STRAYS_ANY,
		  "of another copy");
	check_int(kind_of_last(&jumps, INSN_BRANCH, 2, 1, 11), STRAYS_ANY,
		  "or that was merged with code");
	check_int(kind_of_last(&tests, INSN_BRANCH, 2, 1, 11), STRAYS_ANY,
		  "or with a test that leads to it only");
	check_int(kind_of_last(&loop, INSN_BRANCH, 2, 1, 11), STRAYS_ANY,
		  "or that comes before where it begins");
}

/*
 * Line 14 calls h(), of lines 18 to 29, which is inlined.  The first line begins in
 * block 1, and the other one in block 2, with code of h() or with none.
 */
static enum strays_kind kind_of_call(unsigned first, unsigned line,
				     bool has_code)
{
	static const struct ways either = {
		{ { 0, 1, CFG_FALL },
		  { 0, 2, CFG_TAKEN },
		  { 1, 3, CFG_JUMP },
		  { 2, 3, CFG_FALL } },
		4,
	};
	struct cfg_block five[BLOCKS] = { [0] = { .flags = CFG_ENTRY } };
	uint32_t sources[6];
	struct program_function f = { .cfg = make_graph(&either, five,
							sources) };
	struct lines_frame both[] = {
		{ .name = "f", .file = name, .decl_line = 5 },
		{ .name = "h",
		  .parent = both,
		  .file = name,
		  .decl_line = 18,
		  .call_file = name,
		  .call_line = 14 },
	};
	struct lines_range places[] = {
		{ .address = 0, .file = 1, .line = 14, .known = 1 },
		{ .address = SIZE + 8,
		  .frame = 1,
		  .file = 1,
		  .line = 22,
		  .known = 1 },
		{ .address = 2 * SIZE,
		  .frame = has_code,
		  .file = 1,
		  .line = has_code ? line : 14,
		  .known = 1 },
	};
	struct lines_begin three[] = { { SIZE, name, first },
				       { SIZE + 8, name, 22 },
				       { 2 * SIZE, name, line } };
	struct lines row = { .files = files,
			     .frames = both,
			     .nframes = 2,
			     .ranges = places,
			     .nranges = 3,
			     .begins = three,
			     .nbegins = 3 };
	struct lines_place call = { .frame = both, .file = name, .line = 14 };
	struct strays *s = strays_in(&row, &f, NULL);
	enum strays_kind result = strays_of(s, 2, &call);

	strays_free(s);
	return result;
}

static void test_calls(void)
{
	check_int(kind_of_call(14, 20, true), STRAYS_NONE,
		  "a call begins where the inlined body does");
	check_int(kind_of_call(14, 20, false), STRAYS_NONE,
		  "even if it has no code there");
	check_int(kind_of_call(14, 16, false), STRAYS_ANY,
		  "but not where a line of the caller begins");
	check_int(kind_of_call(14, 4, false), STRAYS_ANY, "or of no function");
	check_int(kind_of_call(13, 16, false), STRAYS_NONE,
		  "nothing is known if its line begins nowhere");
}

int main(void)
{
	struct strays *s;

	for (size_t b = 0; b < BLOCKS; b++) {
		blocks[b].address = b * SIZE;
		blocks[b].size = SIZE;
	}
	s = strays_in(&lines, &function, NULL);
	check(!has(s, 1, 7, 0), "where it begins");
	check(has(s, 2, 7, 0), "where it does not");
	check(has(s, 3, 7, 0), "what comes after either way");
	check(has(s, 3, 7, 0), "asked again");
	check(!has(s, 3, 8, 0), "what always comes after it");
	check(has(s, 1, 9, 0), "the host of the copy that it begins in, too");
	check(!has(s, 1, 7, 1), "nothing begins in that copy");
	check(!has(s, 2, 10, 0), "of a line that nowhere begins");
	check_int(kind_of(s, 2, other, 39, 0), STRAYS_NONE,
		  "nor does one of another file");
	check_int(kind(s, 1, 11, 3), STRAYS_COPY, "begun in another copy");
	check_int(kind(s, 1, 11, 2), STRAYS_NONE, "and in this one");
	check_int(kind(s, 2, 11, 3), STRAYS_NONE, "or here");
	strays_free(s);
	check_int(kind_behind(900), STRAYS_NONE, "or before many blocks");
	check_int(kind_behind(1100), STRAYS_COPY, "but not as many as that");
	begins[1].address = 2;
	s = strays_in(&lines, &function, NULL);
	check_int(kind(s, 1, 11, 3), STRAYS_NONE,
		  "what begins without code of its own is of any copy");
	begins[1].address = 12;
	strays_free(s);
	begins[0] = (struct lines_begin){ 2, name, 11 };
	s = strays_in(&lines, &function, NULL);
	check_int(kind(s, 1, 11, 3), STRAYS_NONE,
		  "whatever else begins behind it");
	strays_free(s);
	begins[0] = (struct lines_begin){ 4, name, 8 };
	ranges[1].line = 13;
	s = strays_in(&lines, &function, NULL);
	check_int(kind(s, 1, 11, 3), STRAYS_NONE,
		  "nor is another line its own");
	strays_free(s);
	ranges[1].line = 11;
	ranges[1].file = 2;
	s = strays_in(&lines, &function, NULL);
	check_int(kind(s, 1, 11, 3), STRAYS_NONE, "or that of another file");
	strays_free(s);
	ranges[1].file = 1;
	blocks[3].flags = CFG_ENTERED;
	s = strays_in(&lines, &function, NULL);
	check(has(s, 3, 8, 0), "from another function");
	strays_free(s);
	blocks[3].flags = CFG_ORPHAN;
	s = strays_in(&lines, &function, NULL);
	check(has(s, 3, 8, 0), "or from nobody knows where");
	strays_free(s);
	strays_free(NULL);
	test_threaded();
	test_calls();
	frames_free(found);
	return done();
}
