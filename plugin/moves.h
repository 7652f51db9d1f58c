/*
 * moves.h - lines where functions begin that have no names of their own, then
 * and now.
 *
 *	struct moves_anchors a = { 0 };
 *	moves_anchor(&a, 12, 14);	// a function with a name of its own
 *	moves_match(&a, &then, &now, NULL, which);
 *	moves_deinit(&a);
 *
 * Functions with names of their own show by how many lines the source has moved,
 * before and after; where these differ, it was edited in between, and the place
 * that explains most is taken.  What is left over is taken to have kept its order,
 * if there are as many then and now.
 *
 * Units      Lines of one file, from 1.
 * Ownership  Anchors own their array; lines are borrowed.
 * Errors     None.
 */
#ifndef PLUGIN_MOVES_H
#define PLUGIN_MOVES_H

#include <stddef.h>
#include <stdint.h>

struct moves_anchors {
	struct moves_anchor *all;
	size_t n, room;
};

void moves_anchor(struct moves_anchors *a, uint32_t then, uint32_t now);
void moves_deinit(struct moves_anchors *a);

/* Rising; one may be there more than once. */
struct moves_lines {
	const uint32_t *lines;
	size_t n;
};

/* How much one looks like the other, from 0 to 1, where lines leave it open. */
struct moves_likeness {
	double (*of)(void *context, size_t then, size_t now);
	void *context;
};

#define MOVES_NONE SIZE_MAX

/*
 * Of each line of now, the number in then of what it was, or MOVES_NONE; several of
 * the same line were the same.  likeness may be NULL.  Sorts the anchors.
 */
void moves_match(struct moves_anchors *a, const struct moves_lines *then,
		 const struct moves_lines *now,
		 const struct moves_likeness *likeness, size_t *which);

#endif
