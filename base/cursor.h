/*
 * cursor.h - bounded reading of binary data that nobody has checked yet.
 *
 *	struct cursor c = cursor_new("prof.afdo", data, size);
 *	uint32_t magic;
 *	if (!cursor_u32(&c, &magic, err))
 *		return false;	// "prof.afdo: byte 0: the data ends too early"
 *
 * Units      Positions are bytes from the beginning of the file: a cursor on
 *            a part of it keeps the part's place in "base".
 * Range      Numbers are little-endian in the data unless "swap" is set.
 * Ownership  A cursor is a plain value; it borrows the data and the name.
 * Errors     Every read can fail, with the file and the byte in the text;
 *            the position then is as it was.
 */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fdo_error;

struct cursor {
	const char *file; /* for messages */
	const unsigned char *data;
	size_t size;   /* of data */
	size_t at;     /* next byte to read, <= size */
	uint64_t base; /* where data[0] is in the file */
	bool swap;     /* numbers have the other byte order */
};

struct cursor cursor_new(const char *file, const void *data, size_t size);

/*
 * Take the next size bytes as a cursor of their own, with the same file and
 * byte order, and step over them.
 */
bool cursor_part(struct cursor *c, size_t size, struct cursor *ret,
		 struct fdo_error *err);

/*
 * An unsigned number in LEB128 form.  Only the shortest encoding is taken,
 * so that what is read and written again is the same bytes.
 */
bool cursor_uleb(struct cursor *c, uint64_t *ret, struct fdo_error *err);

/* A string up to and including its NUL, in place. */
bool cursor_string(struct cursor *c, const char **ret, struct fdo_error *err);

/* Bytes that are left. */
static inline size_t cursor_left(const struct cursor *c)
{
	return c->size - c->at;
}

/*
 * fdo_fail() with "FILE: byte N: " before the text; N is the position of the
 * next byte to read.
 */
bool cursor_fail(const struct cursor *c, struct fdo_error *err,
		 const char *format, ...)
	__attribute__((__format__(__printf__, 3, 4)));

/* The same where less is left than must be read. */
bool cursor_ends(const struct cursor *c, struct fdo_error *err);

/*
 * The next size bytes, in place; valid as long as the data is.  This and what
 * reads numbers is here because a perf.data has millions of each.
 */
static inline bool cursor_bytes(struct cursor *c, size_t size, const void **ret,
				struct fdo_error *err)
{
	if (size > cursor_left(c))
		return cursor_ends(c, err);
	*ret = c->data + c->at;
	c->at += size;
	return true;
}

static inline bool cursor_skip(struct cursor *c, size_t size,
			       struct fdo_error *err)
{
	const void *ignored;

	return cursor_bytes(c, size, &ignored, err);
}

static inline bool cursor_u8(struct cursor *c, uint8_t *ret,
			     struct fdo_error *err)
{
	const void *bytes = NULL;

	if (!cursor_bytes(c, sizeof(*ret), &bytes, err))
		return false;
	*ret = *(const uint8_t *)bytes;
	return true;
}

static inline bool cursor_u16(struct cursor *c, uint16_t *ret,
			      struct fdo_error *err)
{
	const void *bytes = NULL;
	uint16_t value;

	if (!cursor_bytes(c, sizeof(value), &bytes, err))
		return false;
	memcpy(&value, bytes, sizeof(value));
	*ret = c->swap ? be16toh(value) : le16toh(value);
	return true;
}

static inline bool cursor_u32(struct cursor *c, uint32_t *ret,
			      struct fdo_error *err)
{
	const void *bytes = NULL;
	uint32_t value;

	if (!cursor_bytes(c, sizeof(value), &bytes, err))
		return false;
	memcpy(&value, bytes, sizeof(value));
	*ret = c->swap ? be32toh(value) : le32toh(value);
	return true;
}

static inline bool cursor_u64(struct cursor *c, uint64_t *ret,
			      struct fdo_error *err)
{
	const void *bytes = NULL;
	uint64_t value;

	if (!cursor_bytes(c, sizeof(value), &bytes, err))
		return false;
	memcpy(&value, bytes, sizeof(value));
	*ret = c->swap ? be64toh(value) : le64toh(value);
	return true;
}

#ifdef __cplusplus
}
#endif
#endif
