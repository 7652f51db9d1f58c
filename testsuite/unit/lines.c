/*
 * The tables behind lines.h, filled by hand: which of two things that cover
 * an address counts, and which bodies are one frame.  That real debug
 * information ends up in them is tested in system/places.test.
 */
#include "converter/binary/lines.c"

#include "testsuite/lib/tap.h"

enum { MAIN, HELPER, HELPER_AGAIN, OTHER };

static struct lines *make(struct fdo_strings *strings)
{
	static const char *files[] = { NULL, "a.c", "b.c" };
	struct lines *l = fdo_alloc(1, sizeof(*l));

	l->files = files;
	l->entities = fdo_alloc(8, sizeof(*l->entities));
	l->bodies = fdo_alloc(8, sizeof(*l->bodies));
	l->scopes = fdo_alloc(8, sizeof(*l->scopes));
	l->rows = fdo_alloc(8, sizeof(*l->rows));
	l->sequences = fdo_alloc(8, sizeof(*l->sequences));
	l->nentities = 4;
	for (int i = 0; i < 4; i++)
		l->entities[i] = (struct lines_entity){
			.name = fdo_intern(strings, i == MAIN	 ? "main"
						    : i == OTHER ? "other"
								 : "helper"),
			.file = files[1],
			.decl_line = i == OTHER	 ? 30
				     : i == MAIN ? 20
						 : 10,
		};
	return l;
}

static void free_all(struct lines *l)
{
	free(l->entities);
	free(l->bodies);
	free(l->scopes);
	free(l->rows);
	free(l->sequences);
	free(l->frames);
	free(l->ranges);
	free(l);
}

static uint32_t body(struct lines *l, uint32_t parent, uint32_t entity,
		     uint32_t call_line)
{
	l->bodies[l->nbodies] = (struct lines_body){
		.parent = parent,
		.entity = entity,
		.call_line = call_line,
	};
	return l->nbodies++;
}

static void scope(struct lines *l, uint64_t address, uint64_t end,
		  uint32_t depth, uint32_t of)
{
	l->scopes[l->nscopes++] =
		(struct lines_scope){ address, end, depth, of };
}

static void sequence(struct lines *l, uint64_t address, uint64_t end, size_t n)
{
	l->sequences[l->nsequences++] =
		(struct lines_sequence){ address, end, l->nrows, n };
	for (size_t i = 0; i < n; i++)
		l->rows[l->nrows++] = (struct lines_row){
			.address = address + 4 * i,
			.line = l->nsequences * 100 + i,
			.file = 1,
		};
}

static void test_frames(struct fdo_strings *strings)
{
	struct lines *l = make(strings);
	uint32_t main_ = body(l, LINES_NONE, MAIN, 0);
	uint32_t first = body(l, main_, HELPER, 21);
	uint32_t again = body(l, main_, HELPER_AGAIN, 21);
	uint32_t elsewhere = body(l, main_, HELPER, 22);
	uint32_t split = body(l, first, HELPER_AGAIN, 10);
	uint32_t inner = body(l, split, OTHER, 12);
	uint32_t clone = body(l, LINES_NONE, MAIN, 0);
	uint32_t *frame_of = lines_make_frames(l);
	const struct lines_frame *f = &l->frames[frame_of[inner]];

	check(frame_of[first] == frame_of[again],
	      "two units' descriptions of one call are one frame");
	check(frame_of[first] != frame_of[elsewhere],
	      "another call is another frame");
	check(frame_of[split] == frame_of[first],
	      "a function within itself is one frame");
	check(f->parent == &l->frames[frame_of[first]],
	      "what is in the inner one is in that frame");
	check(frame_of[clone] == frame_of[main_], "a clone is its function");
	check_int(l->nframes, 4, "no more frames than that");
	check(f->parent->parent == &l->frames[frame_of[main_]] &&
		      !f->parent->parent->parent,
	      "and up to the function");
	free(frame_of);
	free_all(l);
}

static unsigned line_at(const struct lines *l, uint64_t address)
{
	struct lines_place place;

	return lines_at(l, address, &place) ? place.line : 0;
}

static const char *name_at(const struct lines *l, uint64_t address)
{
	struct lines_place place;

	lines_at(l, address, &place);
	return place.frame ? place.frame->name : "";
}

static void test_ranges(struct fdo_strings *strings)
{
	struct lines *l = make(strings);
	uint32_t main_ = body(l, LINES_NONE, MAIN, 0);
	uint32_t helper = body(l, main_, HELPER, 21);
	uint32_t other = body(l, helper, OTHER, 11);
	struct lines_place place;
	uint32_t *frame_of;

	/* "other" sticks out of "helper"; both end before main does. */
	scope(l, 0x100, 0x120, 0, main_);
	scope(l, 0x104, 0x10c, 1, helper);
	scope(l, 0x108, 0x110, 2, other);
	sequence(l, 0x100, 0x110, 4);
	sequence(l, 0x10e, 0x118, 2);
	sequence(l, 0x200, 0x204, 1);
	frame_of = lines_make_frames(l);
	make_ranges(l, frame_of);
	check(strcmp(name_at(l, 0x100), "main") == 0, "outermost");
	check(strcmp(name_at(l, 0x107), "helper") == 0, "inlined");
	check(strcmp(name_at(l, 0x108), "other") == 0, "inlined twice");
	check(strcmp(name_at(l, 0x10f), "other") == 0,
	      "the deepest counts, though its parent has ended");
	check(strcmp(name_at(l, 0x110), "main") == 0, "back outside");
	check_int(line_at(l, 0x103), 100, "a row lasts up to the next");
	check_int(line_at(l, 0x104), 101, "the next row");
	check_int(line_at(l, 0x10d), 103, "the last row of a sequence");
	check_int(line_at(l, 0x10e), 200, "a sequence ends one before it");
	check_int(line_at(l, 0x117), 201, "up to a sequence's end");
	check(lines_at(l, 0x118, &place) && place.line == 0 && place.frame,
	      "a function without a row");
	check(!lines_at(l, 0x120, &place), "between functions: unknown");
	check(lines_at(l, 0x200, &place) && !place.frame && place.line == 300,
	      "a row without a function");
	check(!lines_at(l, 0, &place) && !lines_at(l, UINT64_MAX, &place),
	      "the first and the last address: unknown");
	check_int(lines_next(l, 0x100), 0x104, "where the answer changes");
	check_int(lines_next(l, 0x204), 0, "where it changes no more");
	free(frame_of);
	free_all(l);
}

static void test_begins(void)
{
	static struct lines_begin begins[] = {
		{ 0x10, "a.c", 3 },
		{ 0x10, "a.c", 4 },
		{ 0x18, "a.c", 5 },
	};
	const struct lines l = { .begins = begins, .nbegins = 3 };
	size_t n;

	check(lines_begins(&l, 0x10, 0x18, &n) == begins && n == 2,
	      "all that begin there");
	check(lines_begins(&l, 0x11, 0x19, &n) == &begins[2] && n == 1,
	      "and behind");
	check(!lines_begins(&l, 0x11, 0x18, &n) && n == 0, "none between");
	check(!lines_begins(&l, 0x18, 0x10, &n) && n == 0, "nor backwards");
}

/* Answers do not depend on what was asked before. */
static void test_order(struct fdo_strings *strings)
{
	struct lines *l = make(strings);
	bool same = true;
	uint32_t *frame_of;
	unsigned first[64];

	sequence(l, 0x10, 0x18, 2);
	sequence(l, 0x20, 0x28, 2);
	frame_of = lines_make_frames(l);
	make_ranges(l, frame_of);
	for (int a = 0; a < 64; a++)
		first[a] = line_at(l, a);
	for (int a = 0; a < 64; a++)
		for (int b = 63; b >= 0; b--) {
			same &= line_at(l, a) == first[a];
			same &= line_at(l, b) == first[b];
		}
	check(same, "in any order");
	check(first[0x10] == 100 && first[0x27] == 201, "and right");
	free(frame_of);
	free_all(l);
}

int main(void)
{
	struct fdo_strings *strings = fdo_strings_new();

	test_frames(strings);
	test_ranges(strings);
	test_begins();
	test_order(strings);
	fdo_strings_free(strings);
	return done();
}
