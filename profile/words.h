/*
 * words.h - a line of the text form: words with blanks between them.
 *
 * A word with anything but printable ASCII in it is in quotation marks, with
 * \n, \t, \", \\ and \xHH for what cannot stand there as it is.  UTF-8 can.
 * A word that begins with # ends the line as a comment.
 */
#ifndef PROFILE_WORDS_H
#define PROFILE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fdo_error;

struct words {
	const char **word;
	size_t count, room;
	size_t indent; /* blanks before the first */
};

/* Takes the line apart in place.  Errors are without place. */
bool words_split(struct words *words, char *line, struct fdo_error *err);

/* The other way: one word, in quotation marks if it needs them. */
void words_print(const char *word, FILE *stream);

/* Decimal without sign or leading zeros. */
bool words_number(const char *word, uint64_t most, uint64_t *ret,
		  struct fdo_error *err);

#endif
