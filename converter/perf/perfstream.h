/*
 * perfstream.h - the whole records of one input, unpacked.
 *
 *	struct perfstream stream;
 *	perfstream_init(&stream, input, end, swap);
 *	while (perfstream_next(&stream, &header, &record, err) && record.size)
 *		...
 *	perfstream_deinit(&stream);
 *
 * Inside perfdata.c and the files that it is cut into; others see perfdata.h.
 *
 * Units      Places are bytes from the beginning of the input; those of a
 *            compressed record's content are the compressed record's.
 * Ownership  The input becomes the stream's.  A record is valid until the next
 *            one, its name until perfstream_deinit().
 * Errors     Damaged and incomplete records, with the input's name and byte.
 */
#ifndef CONVERTER_PERFSTREAM_H
#define CONVERTER_PERFSTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "converter/perf/perfrecord.h"
#include "converter/perf/perfunpack.h"

struct fdo_error;
struct perfinput;

struct perfstream {
	struct perfinput *input;
	const char *name; /* the input's */
	bool swap;	  /* the numbers are big-endian */
	bool unpacking;
	const unsigned char *bytes; /* of the input, that are ready */
	size_t ready;		    /* so many, and none behind the end */
	uint64_t place;		    /* theirs in the input */
	uint64_t taken; /* of them, or even more, up to the next record */
	uint64_t end;	/* of the records; UINT64_MAX: of a pipe, unknown */
	struct perfunpack *unpack; /* NULL: nothing is compressed */
};

/* The input is at the first record. */
void perfstream_init(struct perfstream *stream, struct perfinput *input,
		     uint64_t end, bool swap);
void perfstream_deinit(struct perfstream *stream);

/*
 * On bytes that were at a place of the input.  Field by field, since copies of
 * whole structs that were just written make the processor wait, and this is
 * done for each record.
 */
static inline void perfstream_place(const struct perfstream *stream,
				    const void *bytes, size_t size,
				    uint64_t place, struct cursor *ret)
{
	ret->file = stream->name;
	ret->data = (const unsigned char *)bytes;
	ret->size = size;
	ret->at = 0;
	ret->base = place;
	ret->swap = stream->swap;
}

/* Of the bytes that are ready; *whole is false if it is not all among them. */
static inline bool perfstream_at_hand(struct perfstream *stream,
				      struct perfheader *header,
				      struct cursor *ret, bool *whole,
				      struct fdo_error *err)
{
	*whole = false;
	if (stream->taken + PERFRECORD_HEADER > stream->ready)
		return true;
	perfstream_place(stream, stream->bytes + stream->taken,
			 stream->ready - stream->taken,
			 stream->place + stream->taken, ret);
	if (!perfrecord_header(ret, header, err))
		return false;
	if (header->size > ret->size)
		return true;
	ret->size = header->size;
	stream->taken += header->size;
	*whole = true;
	return true;
}

/* What is left to do if there is none yet, or one of perf's own. */
bool perfstream_go_on(struct perfstream *stream, bool whole,
		      struct perfheader *header, struct cursor *ret,
		      struct fdo_error *err);

/*
 * The next record as a cursor behind its header; of size 0 at the end.  What
 * carries others is no record here, and bytes behind one that do not count for
 * its size are stepped over.
 */
static inline bool perfstream_next(struct perfstream *stream,
				   struct perfheader *header,
				   struct cursor *ret, struct fdo_error *err)
{
	bool whole;

	if (stream->unpacking) {
		if (!perfunpack_next(stream->unpack, header, ret, err))
			return false;
		whole = ret->size != 0;
	} else if (!perfstream_at_hand(stream, header, ret, &whole, err)) {
		return false;
	}
	return (whole && header->type < PERFRECORD_OWN) ||
	       perfstream_go_on(stream, whole, header, ret, err);
}

#endif
