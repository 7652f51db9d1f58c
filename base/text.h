/*
 * text.h - text files, line by line, numbers in them, and names for people.
 *
 *	struct fdo_text text;
 *	bool good = fdo_text_open(&text, "cpu.weights", err);
 *	while (good && fdo_text_next(&text, &good, err))
 *		good = take(text.line) ||
 *		       fdo_text_fail(&text, err, "what is this?");
 *	fdo_text_close(&text);
 *
 * A line counts only with its newline: without it a file that was cut off in
 * the middle of its last number would be read as one with another number.
 *
 * Units      Lines are numbered from 1.
 * Ownership  The caller has the struct and lends it the path.  Close it once,
 *            also where it did not open.  A line lives until the next one, and
 *            may be taken apart.
 * Errors     Name the file and, where there is one, the line.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fdo_error;

struct fdo_text {
	const char *path;
	char *line;	 /* without its newline */
	unsigned number; /* of the line; 0: none was read yet */
	FILE *stream;
	size_t room; /* of line */
};

bool fdo_text_open(struct fdo_text *text, const char *path,
		   struct fdo_error *err);
/* Likewise, and "-" is standard input, which its path says then. */
bool fdo_text_open_input(struct fdo_text *text, const char *input,
			 struct fdo_error *err);
void fdo_text_close(struct fdo_text *text);

/*
 * Is there another line?  If there should be one and it cannot be read, *good
 * becomes false, which is otherwise left as it is.
 */
bool fdo_text_next(struct fdo_text *text, bool *good, struct fdo_error *err);

/* fdo_fail() with "PATH: line N: " before what is wrong. */
bool fdo_text_fail(const struct fdo_text *text, struct fdo_error *err,
		   const char *format, ...)
	__attribute__((__format__(__printf__, 3, 4)));

/* Is there a file that begins so? */
bool fdo_text_begins(const char *path, const char *what);

/*
 * A whole word as a number in base 10 or 16: nothing but digits, where
 * strtoull() takes signs, blanks and "0x" as well.
 */
bool fdo_text_number(const char *word, int base, uint64_t *ret);

/* As printf("%g") writes it: finite, and without a sign before it. */
bool fdo_text_real(const char *word, double *ret);

/*
 * A name as a part of a line, whatever is in it: what would end the line or
 * its column, or tell a terminal to do something, is "?".
 */
void fdo_text_name(const char *name, FILE *out);

#endif
