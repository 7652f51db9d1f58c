/*
 * texts.h - the table of texts before each record.
 *
 * Errors     A damaged table fails with file and byte.
 */
#ifndef PROFILE_TEXTS_H
#define PROFILE_TEXTS_H

#include "base/cursor.h"
#include "base/bytes.h"

struct fdo_error;
struct fdo_strings;

struct texts {
	const char **text; /* sorted, each once, once finished */
	size_t count, room;
};

/* Collect: add all (NULL is left out), then finish, then ask for places. */
void texts_add(struct texts *texts, const char *text);
void texts_finish(struct texts *texts);
void texts_free(struct texts *texts);

/* From 1, in sorted order; 0 is NULL. */
size_t texts_place(const struct texts *texts, const char *text);

void texts_write(const struct texts *texts, struct bytes *out);

/* The texts are those of strings, which has to outlive their use. */
bool texts_read(struct texts *texts, struct fdo_strings *strings,
		struct cursor *c, struct fdo_error *err);

/* Read a place, and give the text.  Only optional ones may be NULL. */
bool texts_get(const struct texts *texts, struct cursor *c, bool optional,
	       const char **ret, struct fdo_error *err);

#endif
