/*
 * moves.c - lines where functions begin, in a file that was edited.
 */
#include "plugin/moves.h"

#include <string.h>

#include "testsuite/lib/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NONE	     MOVES_NONE

enum { MAX = 16 };

/* Pairs of lines then and now, and lines up to a 0. */
struct edit {
	uint32_t anchors[MAX][2];
	uint32_t then[MAX], now[MAX];
	size_t want[MAX];
	const char *what;
};

static const struct edit edits[] = {
	{ { { 5, 5 } }, { 6, 8 }, { 6, 8 }, { 0, 1 }, "nothing moved" },
	{ { { 5, 9 } }, { 6, 8 }, { 10, 12 }, { 0, 1 }, "all moved" },
	{ { { 0 } }, { 6, 8 }, { 9, 20 }, { 0, 1 }, "in order, if as many" },
	{ { { 0 } },
	  { 6, 8 },
	  { 9, 20, 30 },
	  { NONE, NONE, NONE },
	  "nothing, if not" },
	{ { { 5, 5 }, { 30, 33 } },
	  { 10, 20 },
	  { 10, 15, 23 },
	  { 0, NONE, 1 },
	  "a new one between, which moved what is behind it" },
	{ { { 5, 5 }, { 30, 27 } },
	  { 10, 15, 20 },
	  { 10, 17 },
	  { 0, 2 },
	  "one less, likewise" },
	{ { { 5, 5 } },
	  { 10, 20, 21, 25 },
	  { 10, 15, 23, 24, 28 },
	  { 0, NONE, 1, 2, 3 },
	  "with no function behind" },
	{ { { 5, 5 } },
	  { 10, 20, 30 },
	  { 10, 20, 31, 40 },
	  { 0, 1, NONE, NONE },
	  "where one alone may be chance" },
	{ { { 5, 5 } },
	  { 10, 20, 24, 27 },
	  { 10, 20, 23, 27, 30 },
	  { 0, 1, NONE, 2, 3 },
	  "though some begin where others did" },
	{ { { 5, 5 } },
	  { 10, 10, 20 },
	  { 10, 10, 20 },
	  { 1, 1, 2 },
	  "several of one line" },
};

static size_t count_lines(const uint32_t *lines)
{
	size_t n = 0;

	while (n < MAX && lines[n])
		n++;
	return n;
}

static void match(const struct edit *e, const struct moves_likeness *likeness,
		  size_t *which)
{
	struct moves_lines then = { e->then, count_lines(e->then) },
			   now = { e->now, count_lines(e->now) };
	struct moves_anchors anchors = { 0 };

	/* In any order. */
	for (size_t i = MAX; i-- > 0;)
		if (e->anchors[i][0])
			moves_anchor(&anchors, e->anchors[i][0],
				     e->anchors[i][1]);
	moves_match(&anchors, &then, &now, likeness, which);
	moves_deinit(&anchors);
}

static void all_edits(void)
{
	for (size_t i = 0; i < COUNT(edits); i++) {
		size_t which[MAX], n = count_lines(edits[i].now);

		match(&edits[i], NULL, which);
		check(memcmp(which, edits[i].want, n * sizeof(*which)) == 0,
		      edits[i].what);
	}
}

/* A copy of what was there was put before it, or behind it: lines do not tell. */
static const struct edit twice = {
	{ { 5, 5 }, { 30, 33 } }, { 10, 20 }, { 10, 13, 23 }, { 0 }, NULL
};

static double like_first(void *context, size_t then, size_t now)
{
	(void)context;
	return then == 0 ? now == 0 : 1;
}

static double like_second(void *context, size_t then, size_t now)
{
	(void)context;
	return then == 0 ? now == 1 : 1;
}

static void likeness(void)
{
	size_t which[MAX];

	match(&twice, &(struct moves_likeness){ like_first, NULL }, which);
	check(which[0] == 0 && which[1] == NONE && which[2] == 1,
	      "the one before, if that looks like it");
	match(&twice, &(struct moves_likeness){ like_second, NULL }, which);
	check(which[0] == NONE && which[1] == 0 && which[2] == 1,
	      "the one behind, if that does");
}

int main(void)
{
	all_edits();
	likeness();
	return done();
}
