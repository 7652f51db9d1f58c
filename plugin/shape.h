/*
 * shape.h - what a function looked like, and which of its lines is which now.
 *
 *	struct shape then = { 0 }, now = { 0 };
 *	shape_add(&then, 3, 9, "puts");		// for each place
 *	shape_add(&now, 5, 9, "puts");
 *	struct shape_match *m = shape_match(&then, &now);
 *	if (shape_move(m, &line, &column))
 *		...
 *	shape_match_free(m);
 *	shape_deinit(&then);
 *
 * A shape is the set of places that a function has code from: lines, the
 * columns on each, and who is called there.  An edit moves lines and adds or
 * takes away some, and what is left keeps its columns and its order.  So the
 * lines of two shapes are aligned in their order, by the columns they share
 * (all of them may have moved by the same number) and the calls, which weigh
 * more; and a line that moves by another number than the one before it has to
 * be worth it.  After Ayupov et al., "Stale Profile Matching", CC 2024, and
 * what LLVM does with calls alone.
 *
 * Units      Lines from the function's start, columns from 1; 0: unknown.
 * Ownership  Names are borrowed, and equal if their pointers are.
 * Errors     None.
 */
#ifndef PLUGIN_SHAPE_H
#define PLUGIN_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shape_place {
	int32_t line;
	uint32_t column;
	const char *call; /* the function that is called; NULL: none */
	size_t seen;	  /* in so many copies of the function */
};

struct shape {
	struct shape_place *places;
	size_t n, room;
};

/* Of n places the only one that calls that function; NULL: none, or several. */
const struct shape_place *shape_only_call(const struct shape_place *places,
					  size_t n, const char *name);

void shape_deinit(struct shape *s);
void shape_add(struct shape *s, int32_t line, uint32_t column,
	       const char *call);

struct shape_moved {
	struct shape_place from, to;
};

struct shape_match {
	size_t places;	   /* of the old shape */
	size_t stay;	   /* of these, still there */
	size_t found;	   /* of these, there or where they have moved */
	size_t seen;	   /* the places, each as often as it was seen */
	size_t seen_found; /* likewise, those that were found */
	struct shape_moved *moved; /* those of found, by from */
};

/* Sorts both shapes.  Where nothing better is found, nothing has moved. */
struct shape_match *shape_match(struct shape *then, struct shape *now);

/* The same if nothing has moved, in the time of sorting them. */
struct shape_match *shape_match_still(struct shape *then, struct shape *now);
void shape_match_free(struct shape_match *m);

/* Where a place is now; false: gone. */
bool shape_move(const struct shape_match *m, int32_t *line, uint32_t *column);

#ifdef __cplusplus
}
#endif
#endif
