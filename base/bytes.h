/*
 * bytes.h - binary data that grows at its end: the counterpart of a cursor.
 *
 *	struct bytes out = { 0 };
 *	bytes_u32(&out, 1);
 *	bytes_uleb(&out, count);
 *	...
 *	free(out.data);
 *
 * Range      Numbers are little-endian.
 * Ownership  The caller frees the data.
 * Errors     None: memory is there, see alloc.h.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct bytes {
	unsigned char *data;
	size_t size, room;
};

static inline void bytes_u8(struct bytes *out, unsigned int value)
{
	out->data = fdo_grow(out->data, out->size, &out->room, 1);
	out->data[out->size++] = value;
}

static inline void bytes_u32(struct bytes *out, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		bytes_u8(out, value >> 8 * i);
}

static inline void bytes_u64(struct bytes *out, uint64_t value)
{
	bytes_u32(out, value);
	bytes_u32(out, value >> 32);
}

static inline void bytes_uleb(struct bytes *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		bytes_u8(out, value | 0x80);
	bytes_u8(out, value);
}

static inline void bytes_add(struct bytes *out, const void *data, size_t size)
{
	while (out->room - out->size < size)
		out->data = fdo_grow(out->data, out->room, &out->room, 1);
	if (size)
		memcpy(out->data + out->size, data, size);
	out->size += size;
}

static inline void bytes_zeros(struct bytes *out, size_t size)
{
	while (size--)
		bytes_u8(out, 0);
}

/* With its NUL, filled up to a multiple of eight bytes, as perf has texts. */
static inline size_t bytes_text_size(const char *text)
{
	return (strlen(text) + 8) / 8 * 8;
}

static inline void bytes_text(struct bytes *out, const char *text)
{
	size_t length = strlen(text);

	bytes_add(out, text, length);
	bytes_zeros(out, bytes_text_size(text) - length);
}

#endif
