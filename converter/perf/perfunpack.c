/*
 * perfunpack.c - a record may begin in one compressed record and end in
 * another; what is there of it stays at the front of the buffer.
 */
#include "converter/perf/perfunpack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "converter/perf/perfrecord.h"

/* Room for the longest record, twice; a directory has many of these. */
enum { BUFFER = 1 << 17 };

struct perfunpack {
	ZSTD_DStream *stream;
	struct cursor payload;
	size_t at, end; /* of the plain bytes */
	unsigned char *plain;
	bool more; /* zstd may have output without input */
};

struct perfunpack *perfunpack_new(void)
{
	struct perfunpack *unpack = fdo_alloc(1, sizeof(*unpack));

	unpack->plain = fdo_alloc(BUFFER, 1);
	unpack->stream = ZSTD_createDStream();
	if (!unpack->stream)
		abort();
	ZSTD_initDStream(unpack->stream);
	return unpack;
}

void perfunpack_free(struct perfunpack *unpack)
{
	if (!unpack)
		return;
	ZSTD_freeDStream(unpack->stream);
	free(unpack->plain);
	free(unpack);
}

void perfunpack_feed(struct perfunpack *unpack, const struct cursor *payload)
{
	unpack->payload = *payload;
}

bool perfunpack_is_pending(const struct perfunpack *unpack)
{
	return unpack->at < unpack->end;
}

/* Unpack some more behind what is there. */
static bool fill(struct perfunpack *unpack, struct fdo_error *err)
{
	struct cursor *c = &unpack->payload;
	ZSTD_inBuffer in = { .src = c->data, .size = c->size, .pos = c->at };
	ZSTD_outBuffer out = { .dst = unpack->plain, .size = BUFFER };
	size_t status;

	memmove(unpack->plain, unpack->plain + unpack->at,
		unpack->end - unpack->at);
	unpack->end -= unpack->at;
	unpack->at = 0;
	out.pos = unpack->end;
	status = ZSTD_decompressStream(unpack->stream, &out, &in);
	if (ZSTD_isError(status))
		return cursor_fail(c, err, "compressed records: %s",
				   ZSTD_getErrorName(status));
	c->at = in.pos;
	unpack->more = out.pos == out.size;
	unpack->end = out.pos;
	return true;
}

/* The record at the front, or nothing if it is not whole. */
static bool take(struct perfunpack *unpack, struct perfheader *header,
		 struct cursor *ret, struct fdo_error *err)
{
	*ret = unpack->payload;
	ret->data = unpack->plain + unpack->at;
	ret->size = unpack->end - unpack->at;
	ret->at = 0;
	if (ret->size < PERFRECORD_HEADER) {
		ret->size = 0;
		return true;
	}
	if (!perfrecord_header(ret, header, err))
		return false;
	if (header->size > ret->size) {
		ret->size = ret->at = 0;
		return true;
	}
	ret->size = header->size;
	unpack->at += header->size;
	return true;
}

bool perfunpack_next(struct perfunpack *unpack, struct perfheader *header,
		     struct cursor *ret, struct fdo_error *err)
{
	for (;;) {
		if (!take(unpack, header, ret, err))
			return false;
		if (ret->size)
			return true;
		if (!cursor_left(&unpack->payload) && !unpack->more)
			return true;
		if (!fill(unpack, err))
			return false;
	}
}
