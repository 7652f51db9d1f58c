/*
 * parse_private.h - what the files parse*.c know of each other.
 *
 *	parse.c			lines, and which of the others reads each
 *	parse_function.c	functions and what they have
 *	parse_outer.c		what is said of all of a profile
 *	parse_words.c		words of a line
 *
 * Each function returns false, with a message, if the line is bad.
 */
#ifndef PROFILE_PARSE_PRIVATE_H
#define PROFILE_PARSE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/private.h"
#include "profile/words.h"

struct fdo_error;

struct parser {
	struct profile *p;
	struct words words;
	size_t at; /* the next word */
	struct profile_body *bodies[PROFILE_DEPTH + 1];
	size_t nbodies; /* of which a line may belong to the last or more */
	bool has_max_count;
	struct fdo_error *err;
};

/* NAME VALUE, or a NAME alone; each at most once. */
struct parser_attribute {
	const char *name;
	uint64_t *number; /* one of these three */
	const char **text;
	bool *there;
	uint64_t most; /* of a number */
	bool seen;
};

/* The next word; NULL: what it should be is missing. */
const char *parser_next(struct parser *parser, const char *what);
bool parser_number(struct parser *parser, const char *what, uint64_t most,
		   uint64_t *ret);

/* Is there a word left? */
bool parser_left(const struct parser *parser);

/* Is this the next word?  Then the one after it is the next. */
bool parser_next_is(struct parser *parser, const char *word);

/* The next attribute, or all, which must be in the list that ends without name. */
bool parser_attribute(struct parser *parser, struct parser_attribute *list);
bool parser_attributes(struct parser *parser, struct parser_attribute *list);

/* The rest of a line, after its first word. */
bool parse_function(struct parser *parser);
bool parse_count(struct parser *parser, struct profile_body *body);
bool parse_inlined(struct parser *parser, struct profile_body *in);
bool parse_event(struct parser *parser);
bool parse_binary(struct parser *parser);
bool parse_unsampled(struct parser *parser);
bool parse_cutoff(struct parser *parser);
bool parse_text(struct parser *parser, const char **ret);
bool parse_max_count(struct parser *parser);

#endif
