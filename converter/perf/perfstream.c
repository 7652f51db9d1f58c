/*
 * perfstream.c - from the bytes of an input to its records.
 *
 * A record comes from the input, or is unpacked from a compressed record of
 * it.  Whatever it is, it has a header with its size.  Of two kinds the size
 * is not all: behind them come more bytes, of traces, that the record counts.
 */
#include "converter/perf/perfstream.h"

#include "base/error.h"
#include "converter/perf/perfinput.h"

void perfstream_init(struct perfstream *stream, struct perfinput *input,
		     uint64_t end, bool swap)
{
	*stream = (struct perfstream){
		.input = input,
		.name = perfinput_name(input),
		.swap = swap,
		.place = perfinput_position(input),
		.end = end,
	};
}

void perfstream_deinit(struct perfstream *stream)
{
	perfinput_close(stream->input);
	perfunpack_free(stream->unpack);
}

/* Of the input, what is behind that which was taken: at least so much. */
static bool fill(struct perfstream *s, size_t size, struct fdo_error *err)
{
	size_t got;

	if (!perfinput_skip(s->input, s->taken, err) ||
	    !perfinput_peek(s->input, size, &s->bytes, &got, err))
		return false;
	s->place = perfinput_position(s->input);
	s->ready = perfinput_ready(s->input, &s->bytes);
	if (s->ready > s->end - s->place)
		s->ready = s->end - s->place;
	s->taken = 0;
	return true;
}

/* The cursor on what comes next: less than the size only if there is less. */
static bool look(struct perfstream *s, size_t size, struct cursor *c,
		 struct fdo_error *err)
{
	if (s->taken + size > s->ready && !fill(s, size, err))
		return false;
	c->data = s->bytes + s->taken;
	c->size = s->ready - s->taken;
	return true;
}

static bool next_of_input(struct perfstream *s, struct perfheader *header,
			  struct cursor *ret, struct fdo_error *err)
{
	uint64_t place = s->place + s->taken;

	perfstream_place(s, NULL, 0, place, ret);
	if (place == s->end)
		return true;
	if (!look(s, PERFRECORD_HEADER, ret, err))
		return false;
	if (ret->size == 0 && s->end == UINT64_MAX)
		return true;
	if (!perfrecord_header(ret, header, err))
		return false;
	ret->at = 0;
	if (header->size > s->end - place)
		return cursor_fail(ret, err, "the last record is cut");
	if (!look(s, header->size, ret, err))
		return false;
	if (ret->size < header->size)
		return cursor_fail(ret, err, "the last record is cut");
	ret->size = header->size;
	ret->at = PERFRECORD_HEADER;
	s->taken += header->size;
	return true;
}

/* Of the compressed record that is being unpacked, or else the input. */
static bool next_whole(struct perfstream *s, struct perfheader *header,
		       struct cursor *ret, struct fdo_error *err)
{
	if (s->unpacking) {
		if (!perfunpack_next(s->unpack, header, ret, err))
			return false;
		if (ret->size)
			return true;
		s->unpacking = false;
	}
	return next_of_input(s, header, ret, err);
}

/* The records whose header does not have the whole length. */
static bool skip_tail(struct perfstream *s, const struct perfheader *header,
		      struct cursor c, struct fdo_error *err)
{
	uint64_t tail;
	uint32_t size;

	if (header->type == PERFRECORD_TRACING_DATA) {
		if (!cursor_u32(&c, &size, err))
			return false;
		tail = ((uint64_t)size + 7) / 8 * 8;
	} else if (!cursor_u64(&c, &tail, err)) {
		return false;
	}
	if (s->unpacking)
		return cursor_fail(&c, err,
				   "a record of type %u is in a compressed "
				   "record",
				   header->type);
	if (tail > s->end - (c.base + c.size))
		return cursor_fail(&c, err,
				   "%llu bytes from here on are not in "
				   "the file",
				   (unsigned long long)tail);
	s->taken += tail;
	return true;
}

static bool feed(struct perfstream *s, const struct perfheader *header,
		 struct cursor *c, struct fdo_error *err)
{
	struct cursor payload = *c;
	uint64_t size = cursor_left(c);

	if (s->unpacking)
		return cursor_fail(c, err,
				   "compressed records are in "
				   "compressed records");
	if (header->type == PERFRECORD_COMPRESSED2 &&
	    !cursor_u64(c, &size, err))
		return false;
	if (!cursor_part(c, size, &payload, err))
		return false;
	if (!s->unpack)
		s->unpack = perfunpack_new();
	perfunpack_feed(s->unpack, &payload);
	s->unpacking = true;
	return true;
}

static bool end(const struct perfstream *s, const struct cursor *c,
		struct fdo_error *err)
{
	return !s->unpack || !perfunpack_is_pending(s->unpack) ||
	       cursor_fail(c, err, "the last compressed record is cut");
}

bool perfstream_go_on(struct perfstream *stream, bool whole,
		      struct perfheader *header, struct cursor *ret,
		      struct fdo_error *err)
{
	while (whole || next_whole(stream, header, ret, err)) {
		if (!ret->size)
			return end(stream, ret, err);
		switch (header->type) {
		case PERFRECORD_TRACING_DATA:
		case PERFRECORD_AUXTRACE:
			return skip_tail(stream, header, *ret, err);
		case PERFRECORD_COMPRESSED:
		case PERFRECORD_COMPRESSED2:
			if (!feed(stream, header, ret, err))
				return false;
			whole = false;
			break;
		default:
			return true;
		}
	}
	return false;
}
