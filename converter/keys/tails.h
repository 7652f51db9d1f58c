/*
 * tails.h - code of several lines that the compiler has merged into one.
 *
 *	bool *merged = tails_find(lines, function, dominators);
 *	... merged && merged[b] ...
 *	free(merged);
 *
 * Such code bears one of the lines, but runs as often as all of them: its
 * count is an upper bound for that line.
 *
 * Range      One for each block of the function.  A guess: blocks where
 *            statements of several lines meet anyway are taken for it, too.
 * Ownership  The caller frees the array.
 * Errors     None.
 */
#ifndef CONVERTER_TAILS_H
#define CONVERTER_TAILS_H

#include <stdbool.h>

struct dominators;
struct lines;
struct program_function;

/* NULL: the compiler was told not to (-fno-crossjumping). */
bool *tails_find(const struct lines *lines, const struct program_function *f,
		 const struct dominators *dominators);

#endif
