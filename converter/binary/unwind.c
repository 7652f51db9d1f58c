/*
 * unwind.c - .eh_frame, as the Linux Standard Base describes it.
 */
#include "converter/binary/unwind.h"

#include "base/cursor.h"
#include "base/error.h"
#include "converter/binary/object.h"

/* How a pointer is written. */
enum {
	ENCODED_ABSOLUTE = 0x00,
	ENCODED_ULEB = 0x01,
	ENCODED_U16 = 0x02,
	ENCODED_U32 = 0x03,
	ENCODED_U64 = 0x04,
	ENCODED_SLEB = 0x09,
	ENCODED_S16 = 0x0a,
	ENCODED_S32 = 0x0b,
	ENCODED_S64 = 0x0c,
	ENCODED_FORM = 0x0f,
	ENCODED_RELATIVE = 0x10, /* to where it stands */
	ENCODED_BASE = 0x70,
	ENCODED_INDIRECT = 0x80,
};

bool unwind_leb(struct cursor *c, bool is_signed, uint64_t *ret,
		struct fdo_error *err)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	/* Unlike cursor_uleb(): the assembler pads these. */
	do {
		if (!cursor_u8(c, &byte, err))
			return false;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && byte & 0x40 && shift < 64)
		value |= -(UINT64_C(1) << shift);
	*ret = value;
	return true;
}

bool unwind_form(struct cursor *c, uint8_t encoding, uint64_t *ret,
		 struct fdo_error *err)
{
	uint16_t half;
	uint32_t word;

	switch (encoding & ENCODED_FORM) {
	case ENCODED_ULEB:
		return unwind_leb(c, false, ret, err);
	case ENCODED_SLEB:
		return unwind_leb(c, true, ret, err);
	case ENCODED_U16:
	case ENCODED_S16:
		if (!cursor_u16(c, &half, err))
			return false;
		*ret = encoding & 8 ? (uint64_t)(int16_t)half : half;
		return true;
	case ENCODED_U32:
	case ENCODED_S32:
		if (!cursor_u32(c, &word, err))
			return false;
		*ret = encoding & 8 ? (uint64_t)(int32_t)word : word;
		return true;
	case ENCODED_ABSOLUTE:
	case ENCODED_U64:
	case ENCODED_S64:
		return cursor_u64(c, ret, err);
	default:
		return cursor_fail(c, err, "unknown encoding of a pointer");
	}
}

bool unwind_pointer(struct cursor *c, uint8_t encoding, uint64_t *ret,
		    struct fdo_error *err)
{
	uint64_t at = c->base + c->at;

	if (!unwind_form(c, encoding, ret, err))
		return false;
	if (!*ret)
		return true;
	switch (encoding & ENCODED_BASE) {
	case 0:
		return true;
	case ENCODED_RELATIVE:
		*ret += at;
		return true;
	default:
		return cursor_fail(c, err, "unknown base of a pointer");
	}
}

struct cursor unwind_cursor(const struct object *o, uint64_t address)
{
	size_t size = 0;
	const unsigned char *bytes = object_bytes(o, address, &size);
	struct cursor c = cursor_new(o->path, bytes, bytes ? size : 0);

	c.base = address;
	return c;
}

/* The letters of an augmentation, after its "z". */
static bool read_augmentation(struct cursor *c, const char *letters,
			      struct unwind_common *ret, struct fdo_error *err)
{
	uint8_t encoding;
	uint64_t skipped;

	for (; *letters; letters++)
		switch (*letters) {
		case 'L':
			if (!cursor_u8(c, &ret->table_encoding, err))
				return false;
			break;
		case 'R':
			if (!cursor_u8(c, &ret->pointer_encoding, err))
				return false;
			break;
		case 'P':
			if (!cursor_u8(c, &encoding, err) ||
			    !unwind_pointer(c, encoding, &skipped, err))
				return false;
			break;
		case 'S':
		case 'B':
			break;
		default:
			return cursor_fail(c, err, "unknown augmentation");
		}
	return true;
}

bool unwind_read_common(struct cursor *c, struct unwind_common *ret,
			struct fdo_error *err)
{
	const char *letters;
	uint8_t version, reg;
	uint64_t number;
	uint32_t size, id;

	*ret = (struct unwind_common){ .table_encoding = UNWIND_NONE };
	if (!cursor_u32(c, &size, err) || !cursor_u32(c, &id, err) ||
	    !cursor_u8(c, &version, err) || !cursor_string(c, &letters, err) ||
	    !unwind_leb(c, false, &number, err) ||
	    !unwind_leb(c, true, &number, err))
		return false;
	if (id != 0)
		return cursor_fail(c, err, "not a common unwind entry");
	if (version == 1 ? !cursor_u8(c, &reg, err)
			 : !unwind_leb(c, false, &number, err))
		return false;
	if (*letters != 'z')
		return true;
	ret->augmented = true;
	return unwind_leb(c, false, &number, err) &&
	       read_augmentation(c, letters + 1, ret, err);
}
