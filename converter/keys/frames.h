/*
 * frames.h - the functions of which a function has code: itself, and what is
 * inlined in it.
 *
 *	struct frames *s = frames_new(lines, function);
 *	const struct lines_frame *const *copies =
 *		frames_around(s, "a.c", 12, &n);
 *	frames_free(s);
 *
 * Where a statement has no code of its own, the debug information says of which
 * function it is only by its line.
 *
 * Ownership  It borrows the lines and the function.  frames_free() accepts NULL.
 * Errors     None.
 */
#ifndef CONVERTER_FRAMES_H
#define CONVERTER_FRAMES_H

#include <stddef.h>

struct frames;
struct lines;
struct lines_frame;
struct program_function;

struct frames *frames_new(const struct lines *lines,
			  const struct program_function *f);
void frames_free(struct frames *s);

/*
 * All copies of the function that begins nearest before a line, or in it.  The
 * file's name is one of the lines'.
 */
const struct lines_frame *const *
frames_around(struct frames *s, const char *file, unsigned line, size_t *n_ret);

#endif
