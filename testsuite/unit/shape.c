/*
 * shape.c - lines of an edited function are found again.
 *
 * A shape is written as text: a line for each line of the function, with its
 * number, and its columns, of which some are calls ("5=puts").
 */
#include "plugin/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "testsuite/lib/tap.h"

static struct fdo_strings *names;

static struct shape shape_of(const char *text)
{
	struct shape s = { 0 };
	char *copy = strdup(text), *rest = copy, *row;

	while ((row = strsep(&rest, "\n"))) {
		char *word = strsep(&row, " ");
		int32_t line = atoi(word);

		while ((word = strsep(&row, " "))) {
			char *call = strchr(word, '=');

			shape_add(&s, line, atoi(word),
				  call ? fdo_intern(names, call + 1) : NULL);
		}
	}
	free(copy);
	return s;
}

/* "LINE:COLUMN" of where a place is now, or "gone". */
static const char *moved(const struct shape_match *m, int32_t line,
			 uint32_t column)
{
	static char text[40];

	if (!shape_move(m, &line, &column))
		return "gone";
	snprintf(text, sizeof(text), "%d:%u", line, column);
	return text;
}

static void check_move(const struct shape_match *m, int32_t line,
		       uint32_t column, const char *to, const char *what)
{
	bool good = strcmp(moved(m, line, column), to) == 0;

	check(good, what);
	if (!good)
		printf("# %d:%u is at %s, not %s\n", line, column,
		       moved(m, line, column), to);
}

static struct shape_match *match(const char *then, const char *now)
{
	struct shape a = shape_of(then), b = shape_of(now);
	struct shape_match *m = shape_match(&a, &b);

	shape_deinit(&a);
	shape_deinit(&b);
	return m;
}

static const char before[] = "1 5 9\n"
			     "2 3 7 20\n"
			     "4 5=puts 9\n"
			     "5 5 12\n"
			     "7 3=free 8\n"
			     "8 10";

static void test_same(void)
{
	struct shape_match *m = match(before, before);

	check(m->places == 12 && m->stay == 12 && m->found == 12,
	      "an unchanged function is where it was");
	check_move(m, 2, 7, "2:7", "all of it");
	check_move(m, 99, 1, "99:1", "and whatever else is asked for");
	shape_match_free(m);
	m = match(before, "1 5 9\n2 3 7 20\n4 5=puts 9\n5 5\n6 12\n7 3=free 8\n"
			  "8 10");
	check_move(m, 5, 12, "5:12",
		   "a place that the compiler lost moves nowhere");
	shape_match_free(m);
}

static void test_top(void)
{
	struct shape_match *m =
		match(before, "1 8\n2 8\n3 5 9\n4 3 7 20\n6 5=puts 9\n"
			      "7 5 12\n9 3=free 8\n10 10");

	check_int(m->found, 12, "lines at the top: all is found");
	check_move(m, 1, 5, "3:5", "the first line moved");
	check_move(m, 8, 10, "10:10", "and the last, a single place");
	shape_match_free(m);
}

static void test_middle(void)
{
	struct shape_match *m =
		match(before, "1 5 9\n2 3 7 20\n4 9\n5 5=puts 9\n6 5 12\n"
			      "8 3=free 8\n9 10");

	check_int(m->found, 12, "a line in the middle: all is found");
	check_move(m, 2, 20, "2:20", "what was before it stays");
	check_move(m, 4, 5, "5:5", "what comes after it moves");
	check_move(m, 8, 10, "9:10", "to the end");
	shape_match_free(m);
	m = match(before, "1 5 9\n2 3 7 20\n3 5 12\n5 3=free 8\n6 10");
	check_move(m, 4, 5, "gone", "a line that was taken out");
	check_move(m, 5, 12, "3:12", "and the one after it");
	shape_match_free(m);
}

static void test_indented(void)
{
	struct shape_match *m =
		match(before, "1 5 9\n2 3 7 20\n3 5\n5 6=puts 10\n6 6 13\n"
			      "8 3=free 8\n9 10");

	check_move(m, 4, 9, "5:10", "an indented call");
	check_move(m, 5, 12, "6:13", "an indented line");
	check_move(m, 7, 8, "8:8", "which the next is not");
	shape_match_free(m);
}

static void test_calls(void)
{
	struct shape_match *m = match("1 5=a\n2 5=b\n3 5=c\n4 5=d",
				      "1 5=a\n2 5=x\n3 5=b\n4 5=c\n5 5=d");

	check_move(m, 1, 5, "1:5", "a call that is still the first");
	check_move(m, 2, 5, "3:5", "one before which another came in");
	check_move(m, 4, 5, "5:5", "and the last");
	shape_match_free(m);
	m = match("1 5=a\n2 3 5=b\n3 5=c", "1 5=a\n2 12=c\n3 8=b\n4 5=c");
	check_move(m, 2, 5, "3:8", "a call in another expression");
	shape_match_free(m);
	m = match("1 5=a\n2 5=b\n3 5=c\n4 5=d\n5 5=e",
		  "1 5=c\n2 5=d\n3 5=e\n4 5=a\n5 5=b");
	check_int(m->stay, 0, "calls of others are others");
	check_int(m->found, 3, "where lines changed places, most are found");
	check_move(m, 3, 5, "1:5", "those that are in order");
	check_move(m, 1, 5, "gone", "the others are not");
	shape_match_free(m);
}

/* Sixty lines, each with two columns; from a line on, so many further down. */
static struct shape long_shape(int from, int down, int without)
{
	struct shape s = { 0 };

	for (int line = 1; line <= 60; line++) {
		int at = line < from ? line : line + down;

		if (line == without)
			continue;
		shape_add(&s, at, 5 + line % 7, NULL);
		shape_add(&s, at, 20 + line % 11, NULL);
	}
	return s;
}

/* Two edits, with what stayed where it was between them and around. */
static void test_long(void)
{
	struct shape then = long_shape(99, 0, 0), now = long_shape(50, 2, 4);
	struct shape_match *m = shape_match(&then, &now);

	check_move(m, 3, 8, "3:8", "before both edits");
	check_move(m, 4, 9, "gone", "the first one took a line away");
	check_move(m, 30, 7, "30:7", "between them all stays");
	check_move(m, 49, 5, "49:5", "up to the second one");
	check_move(m, 50, 6, "52:6", "behind which lines moved");
	check_move(m, 60, 9, "62:9", "to the end");
	check(m->found > m->stay && m->seen == m->places &&
		      m->seen_found == m->found,
	      "each place was seen once");
	shape_match_free(m);
	shape_deinit(&then);
	shape_deinit(&now);
}

static void test_rewritten(void)
{
	struct shape_match *m =
		match(before, "1 17\n3 22 31=exit\n6 2 44\n9 14\n12 6=rand");

	check(2 * m->found < m->places, "a function that was rewritten");
	shape_match_free(m);
	m = match(before, "");
	check(m->found == 0 && m->places == 12, "one without any place");
	shape_match_free(m);
	m = match("", before);
	check(m->found == 0 && m->places == 0, "a profile without any");
	shape_match_free(m);
}

/* A place that all copies have weighs as much as these. */
/*
 * An interpreter of thousands of lines, in which every few lines something came in and
 * something went: line by line it is too large for a table.
 */
static void test_large(void)
{
	enum { LINES = 3000, EDIT = 30 };
	struct shape a = { 0 }, b = { 0 };
	unsigned seed = 7;
	int32_t down = 0, bad = 0, behind = 0, *to = calloc(LINES, sizeof(*to));
	struct shape_match *m;

	for (int32_t line = 0; line < LINES; line++) {
		bool gone = line % EDIT == 3, comes = line % EDIT == 9;

		down += 2 * comes - gone;
		to[line] = gone ? -1 : line + down;
		/* A piece that is behind all others now. */
		if (line / EDIT == 20 && !gone)
			to[line] = 2 * LINES + line;
		for (uint32_t k = 0; k < 2; k++) {
			uint32_t column = 1 + 40 * k + rand_r(&seed) % 40;

			shape_add(&a, line, column, NULL);
			if (!gone)
				shape_add(&b, to[line], column, NULL);
			if (comes)
				shape_add(&b, line + down - 1,
					  1 + rand_r(&seed) % 80, NULL);
		}
	}
	m = shape_match(&a, &b);
	check(m->found > m->places * 95 / 100, "most of a large function");
	for (size_t i = 0; i < m->found; i++) {
		bad += m->moved[i].to.line != to[m->moved[i].from.line];
		behind += m->moved[i].to.line > 2 * LINES;
	}
	check(bad * 100 < (int32_t)m->found, "and hardly any is elsewhere");
	check_int(behind, 0, "nor out of order");
	shape_match_free(m);
	shape_deinit(&a);
	shape_deinit(&b);
	free(to);
}

static void test_seen(void)
{
	struct shape then = { 0 }, now = { 0 };
	struct shape_match *m;

	for (int i = 0; i < 7; i++)
		shape_add(&then, 3, 5, NULL);
	shape_add(&then, 40, 9, NULL);
	shape_add(&then, 50, 7, NULL);
	shape_add(&now, 3, 5, NULL);
	shape_add(&now, 4, 9, NULL);
	m = shape_match(&then, &now);
	check(m->places == 3 && m->found == 1, "one place of three");
	check(m->seen == 9 && m->seen_found == 7, "seen seven times of nine");
	shape_match_free(m);
	shape_deinit(&then);
	shape_deinit(&now);
}

/* No two places become one, whatever there is. */
static void test_random(void)
{
	unsigned seed = 1;
	int bad = 0;

	for (int round = 0; round < 300; round++) {
		struct shape a = { 0 }, b = { 0 };
		static const char *const calls[] = { NULL, NULL, "f", "g" };
		struct shape_match *m;

		for (int i = 0; i < 60; i++)
			shape_add(i % 2 ? &a : &b, rand_r(&seed) % 12,
				  rand_r(&seed) % 6,
				  fdo_intern(names, calls[rand_r(&seed) % 4]));
		m = shape_match(&a, &b);
		for (size_t i = 0; m->found > m->stay && i < m->found; i++)
			for (size_t k = 0; k < i; k++)
				bad += m->moved[i].to.line ==
					       m->moved[k].to.line &&
				       m->moved[i].to.column ==
					       m->moved[k].to.column;
		bad += m->found > m->places || m->found < m->stay;
		shape_match_free(m);
		shape_deinit(&a);
		shape_deinit(&b);
	}
	check_int(bad, 0, "random shapes");
}

int main(void)
{
	names = fdo_strings_new();
	test_same();
	test_top();
	test_middle();
	test_indented();
	test_calls();
	test_long();
	test_rewritten();
	test_large();
	test_seen();
	test_random();
	fdo_strings_free(names);
	return done();
}
