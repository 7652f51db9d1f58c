/*
 * strays.h - code of a statement that runs where the statement does not begin.
 *
 *	struct strays *s = strays_new(lines, function, dominators, frames);
 *	if (strays_of(s, block, &place) == STRAYS_ANY)
 *		...	// the block's code of that place is one
 *	strays_free(s);
 *
 * Compilers compute for several statements at once what all of them need, and
 * merge code that ends alike.  What is left bears the place of one of them, but
 * runs as often as all.  Where the debug information says where statements
 * begin (is_stmt; GCC's -gstatement-frontiers, which -g means), it shows: some
 * way leads there from outside on which no statement of that line begins.
 *
 * Where something begins in an inlined body, the call of that begins as well, though
 * by its line it may not, where the way to it was copied.
 *
 * But where a jump was threaded, a test begins on no way on which its first part
 * is known: a block's own conditional jump is none if all those ways come there
 * from other tests, on a way from which it begins.
 *
 * Of a function that is inlined several times, statements of another copy may
 * begin on all ways.  Then it is not sure: the place of code that the compiler
 * adds is that of code near it, but what it computes early is in its own copy.
 *
 * Ownership  It borrows the lines, the function, its dominators and its frames.
 *            strays_free() accepts NULL.
 * Errors     None.
 */
#ifndef CONVERTER_STRAYS_H
#define CONVERTER_STRAYS_H

#include <stdbool.h>
#include <stddef.h>

struct dominators;
struct frames;
struct lines;
struct lines_place;
struct program_function;
struct strays;

struct strays *strays_new(const struct lines *lines,
			  const struct program_function *f,
			  const struct dominators *dominators,
			  struct frames *frames);
void strays_free(struct strays *s);

enum strays_kind {
	STRAYS_NONE,
	STRAYS_COPY, /* by what begins nearby in the copy that the place is in */
	STRAYS_ANY,  /* by what begins in any copy of the function */
};

/*
 * Of a place that has code in that block.  None if nothing is known: no
 * statement of the line begins in that copy of its function at all, as where a
 * statement is of several lines.
 */
enum strays_kind strays_of(struct strays *s, size_t block,
			   const struct lines_place *place);

#endif
