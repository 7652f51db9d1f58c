/*
 * spool.h - bytes that may be too many for memory, kept until they are wanted.
 *
 *	struct spool *records = spool_new();
 *	spool_add(records, data, size);
 *	...
 *	struct fdo_file all;
 *	if (!spool_view(records, &all, err))
 *		return false;
 *	...
 *	spool_free(records);
 *
 * A few megabytes stay in memory; more go to a file that has no name, in the
 * folder TMPDIR, or else /var/tmp or /tmp.
 *
 * Ownership  The spool has the bytes; a view dies with it and is not closed.
 * Errors     Adding never fails: what went wrong is said by spool_view().
 */
#ifndef BASE_SPOOL_H
#define BASE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/file.h"

struct fdo_error;
struct spool;

struct spool *spool_new(void);
void spool_free(struct spool *s);

void spool_add(struct spool *s, const void *data, size_t size);

/* Bytes that were added. */
size_t spool_size(const struct spool *s);

/* All that was added, to be looked at; nothing can be added any more. */
bool spool_view(struct spool *s, struct fdo_file *ret, struct fdo_error *err);

#endif
