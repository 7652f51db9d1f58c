/*
 * perfunpack.h - one stream of zstd, cut into the records that carry it.
 *
 *	perfunpack_feed(unpack, &payload);
 *	while (perfunpack_next(unpack, &header, &record, err) && record.size)
 *		...
 *
 * Ownership  The payload must stay until perfunpack_next() has found nothing
 *            more.  A record is valid until the next call.
 * Errors     Damaged data.
 */
#ifndef CONVERTER_PERFUNPACK_H
#define CONVERTER_PERFUNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cursor.h"

struct fdo_error;
struct perfheader;
struct perfunpack;

struct perfunpack *perfunpack_new(void);
void perfunpack_free(struct perfunpack *unpack);

/* The payload of the next compressed record. */
void perfunpack_feed(struct perfunpack *unpack, const struct cursor *payload);

/*
 * The next whole record as a cursor behind its header, whose place is that of
 * the compressed record; of size 0 if more must be fed first.
 */
bool perfunpack_next(struct perfunpack *unpack, struct perfheader *header,
		     struct cursor *ret, struct fdo_error *err);

/* Is a part of a record left, for which nothing more was fed? */
bool perfunpack_is_pending(const struct perfunpack *unpack);

#endif
