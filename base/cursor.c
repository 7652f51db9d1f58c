#include "base/cursor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

struct cursor cursor_new(const char *file, const void *data, size_t size)
{
	return (struct cursor){ .file = file, .data = data, .size = size };
}

bool cursor_fail(const struct cursor *c, struct fdo_error *err,
		 const char *format, ...)
{
	char text[sizeof(err->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return fdo_fail(err, "%s: byte %llu: %s", c->file,
			(unsigned long long)(c->base + c->at), text);
}

bool cursor_ends(const struct cursor *c, struct fdo_error *err)
{
	return cursor_fail(c, err, "the data ends too early");
}

bool cursor_part(struct cursor *c, size_t size, struct cursor *ret,
		 struct fdo_error *err)
{
	uint64_t base = c->base + c->at;
	const void *data = NULL;

	if (!cursor_bytes(c, size, &data, err))
		return false;
	*ret = (struct cursor){
		.file = c->file,
		.data = data,
		.size = size,
		.base = base,
		.swap = c->swap,
	};
	return true;
}

bool cursor_uleb(struct cursor *c, uint64_t *ret, struct fdo_error *err)
{
	uint64_t value = 0;
	size_t length = 0;
	unsigned char byte;

	do {
		if (length == cursor_left(c))
			return cursor_ends(c, err);
		byte = c->data[c->at + length];
		if (length == 9 && byte > 1)
			return cursor_fail(c, err, "a number has over 64 bits");
		value |= (uint64_t)(byte & 0x7f) << 7 * length++;
	} while (byte & 0x80);

	if (byte == 0 && length > 1)
		return cursor_fail(c, err, "a number is longer than need be");
	c->at += length;
	*ret = value;
	return true;
}

bool cursor_string(struct cursor *c, const char **ret, struct fdo_error *err)
{
	const void *start = c->data + c->at;
	const char *end =
		cursor_left(c) ? memchr(start, 0, cursor_left(c)) : NULL;

	if (!end)
		return cursor_fail(c, err, "a string does not end");
	*ret = start;
	c->at += end - *ret + 1;
	return true;
}
