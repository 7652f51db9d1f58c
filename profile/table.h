/*
 * table.h - entries of one size in a file, sorted by the number that each
 * begins with, found without looking at the rest.
 *
 *	struct table t;
 *	if (!table_init(&t, &entries, &checks, FORMAT_ENTRY_SIZE, "the index",
 *			err) || !table_find(&t, hash, &at, err))
 *		return false;
 *	for (; at < t.n; at++)
 *		if (!table_entry(&t, at, &c, err) || !cursor_u64(&c, ...
 *	table_deinit(&t);
 *
 * The numbers are hashes, spread evenly, so a look-up looks where one should
 * be, and then closer by.  Each piece of FORMAT_CHECKED_ENTRIES has a checksum,
 * which is tested when something in it is first looked at.
 *
 * Ownership  The bytes are the file's.
 * Errors     With the file's name and the byte.
 */
#ifndef PROFILE_TABLE_H
#define PROFILE_TABLE_H

#include "base/cursor.h"

struct table {
	struct cursor entries, checks;
	const char *what; /* for messages */
	size_t n;	  /* entries */
	size_t size;	  /* of one */
	bool *tested;	  /* by piece */
};

/* There must be a checksum for each piece. */
bool table_init(struct table *t, const struct cursor *entries,
		const struct cursor *checks, size_t size, const char *what,
		struct fdo_error *err);
void table_deinit(struct table *t);

/* The cursor is the entry. */
bool table_entry(struct table *t, size_t number, struct cursor *ret,
		 struct fdo_error *err);

/* The first entry that begins with at least this number; or t->n. */
bool table_find(struct table *t, uint64_t key, size_t *ret,
		struct fdo_error *err);

#endif
