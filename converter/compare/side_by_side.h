/*
 * side_by_side.h - each function of several programs, in all of them.
 *
 *	struct side_by_side *s = side_by_side_new(programs, 2);
 *	while ((f = side_by_side_next(s)))
 *		...	// s->same[0] and s->same[1]; f is one of them
 *	side_by_side_free(s);
 *
 * The programs are counts of the same binaries, sorted (program_sort()).  A
 * function is found again by its binary and its address there.
 *
 * Ownership  The programs must outlive it.
 * Errors     None.
 */
#ifndef CONVERTER_SIDE_BY_SIDE_H
#define CONVERTER_SIDE_BY_SIDE_H

#include <stddef.h>

struct program;
struct program_function;

struct side_by_side {
	const struct program *const *programs;
	size_t n;
	size_t *next;			      /* of each program's functions */
	const struct program_function **same; /* NULL: not in this program */
};

struct side_by_side *side_by_side_new(const struct program *const *programs,
				      size_t n);
void side_by_side_free(struct side_by_side *s);

/* The next function that any of them has; NULL: that was the last. */
const struct program_function *side_by_side_next(struct side_by_side *s);

#endif
