/*
 * landing.c - .eh_frame and .gcc_except_table.
 *
 * Cursors have their "base" at the address of the data, so that a position
 * is an address, as the relative encodings want it.
 */
#include "converter/graph/landing.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/search.h"
#include "converter/binary/object.h"

/* How a pointer is written (DWARF in the Linux Standard Base). */
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
	ENCODED_NONE = 0xff,
};

/* A function's unwind entry that has a table of landing pads. */
struct frame {
	uint64_t address;
	uint64_t table;
};

/* What frames have in common. */
struct common {
	uint8_t pointer_encoding, table_encoding;
	bool augmented;
};

struct landing_pads {
	const struct object *object;
	struct frame *frames; /* by address */
	size_t nframes, room;
	struct landing_site *sites; /* the last answer */
	size_t nsites, sites_room;
};

static bool read_leb(struct cursor *c, bool is_signed, uint64_t *ret,
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

static bool read_form(struct cursor *c, uint8_t encoding, uint64_t *ret,
		      struct fdo_error *err)
{
	uint16_t half;
	uint32_t word;

	switch (encoding & ENCODED_FORM) {
	case ENCODED_ULEB:
		return read_leb(c, false, ret, err);
	case ENCODED_SLEB:
		return read_leb(c, true, ret, err);
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

/* 0 stays 0: it means "none" wherever it is allowed. */
static bool read_pointer(struct cursor *c, uint8_t encoding, uint64_t *ret,
			 struct fdo_error *err)
{
	uint64_t at = c->base + c->at;

	if (!read_form(c, encoding, ret, err))
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

static struct cursor cursor_at(const struct object *o, uint64_t address)
{
	size_t size = 0;
	const unsigned char *bytes = object_bytes(o, address, &size);
	struct cursor c = cursor_new(o->path, bytes, bytes ? size : 0);

	c.base = address;
	return c;
}

/* The letters of an augmentation, after its "z". */
static bool read_augmentation(struct cursor *c, const char *letters,
			      struct common *ret, struct fdo_error *err)
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
			    !read_pointer(c, encoding, &skipped, err))
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

/* What stands at an address, behind its length: size bytes of it. */
static bool read_common(struct cursor *c, struct common *ret,
			struct fdo_error *err)
{
	const char *letters;
	uint8_t version, reg;
	uint64_t number;
	uint32_t size, id;

	*ret = (struct common){ .table_encoding = ENCODED_NONE };
	if (!cursor_u32(c, &size, err) || !cursor_u32(c, &id, err) ||
	    !cursor_u8(c, &version, err) || !cursor_string(c, &letters, err) ||
	    !read_leb(c, false, &number, err) ||
	    !read_leb(c, true, &number, err))
		return false;
	if (id != 0)
		return cursor_fail(c, err, "not a common unwind entry");
	if (version == 1 ? !cursor_u8(c, &reg, err)
			 : !read_leb(c, false, &number, err))
		return false;
	if (*letters != 'z')
		return true;
	ret->augmented = true;
	return read_leb(c, false, &number, err) &&
	       read_augmentation(c, letters + 1, ret, err);
}

/* An entry for one function; the cursor stands behind the pointer at "id". */
static bool read_frame(struct landing_pads *pads, struct cursor *c,
		       uint64_t common_at, struct fdo_error *err)
{
	struct cursor cc = cursor_at(pads->object, common_at);
	struct common common;
	uint64_t address, size, length, table = 0;

	if (!read_common(&cc, &common, err))
		return false;
	if (!common.augmented || common.table_encoding == ENCODED_NONE)
		return true;
	if (!read_pointer(c, common.pointer_encoding, &address, err) ||
	    !read_form(c, common.pointer_encoding, &size, err) ||
	    !read_leb(c, false, &length, err) ||
	    !read_pointer(c, common.table_encoding, &table, err))
		return false;
	if (!table)
		return true;
	pads->frames = fdo_grow(pads->frames, pads->nframes, &pads->room,
				sizeof(*pads->frames));
	pads->frames[pads->nframes++] = (struct frame){ address, table };
	return true;
}

static bool read_frames(struct landing_pads *pads, struct cursor *c,
			struct fdo_error *err)
{
	while (cursor_left(c)) {
		struct cursor entry;
		uint64_t id_at;
		uint32_t size, id;

		if (!cursor_u32(c, &size, err))
			return false;
		if (size == 0)
			continue;
		if (size == UINT32_MAX)
			return cursor_fail(c, err, "64-bit unwind entries");
		if (!cursor_part(c, size, &entry, err))
			return false;
		id_at = entry.base + entry.at;
		if (!cursor_u32(&entry, &id, err))
			return false;
		if (id && !read_frame(pads, &entry, id_at - id, err))
			return false;
	}
	return true;
}

static int compare_frames(const void *a, const void *b)
{
	const struct frame *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

struct landing_pads *landing_pads_new(const struct object *o)
{
	struct landing_pads *pads = fdo_alloc(1, sizeof(*pads));
	struct fdo_error ignored;

	pads->object = o;
	for (size_t s = 0; s < o->nsections; s++) {
		struct cursor c = cursor_at(o, o->sections[s].address);

		if (strcmp(o->sections[s].name, ".eh_frame") == 0)
			read_frames(pads, &c, &ignored);
	}
	if (pads->nframes)
		qsort(pads->frames, pads->nframes, sizeof(*pads->frames),
		      compare_frames);
	return pads;
}

void landing_pads_free(struct landing_pads *pads)
{
	if (!pads)
		return;
	free(pads->frames);
	free(pads->sites);
	free(pads);
}

/* One line of a table: the calls of a stretch, and their landing pad. */
static bool read_site(struct landing_pads *pads, struct cursor *c,
		      uint8_t encoding, uint64_t function, uint64_t pads_base,
		      struct fdo_error *err)
{
	uint64_t begin, size, pad, action;

	if (!read_form(c, encoding, &begin, err) ||
	    !read_form(c, encoding, &size, err) ||
	    !read_form(c, encoding, &pad, err) ||
	    !read_leb(c, false, &action, err))
		return false;
	if (!pad)
		return true;
	pads->sites = fdo_grow(pads->sites, pads->nsites, &pads->sites_room,
			       sizeof(*pads->sites));
	pads->sites[pads->nsites++] = (struct landing_site){
		.address = function + begin,
		.end = function + begin + size,
		.pad = pads_base + pad,
	};
	return true;
}

static bool read_table(struct landing_pads *pads, const struct frame *frame,
		       struct fdo_error *err)
{
	struct cursor c = cursor_at(pads->object, frame->table), sites;
	uint64_t base = frame->address, types, size;
	uint8_t encoding;

	if (!cursor_u8(&c, &encoding, err))
		return false;
	if (encoding != ENCODED_NONE && !read_pointer(&c, encoding, &base, err))
		return false;
	if (!cursor_u8(&c, &encoding, err))
		return false;
	if (encoding != ENCODED_NONE && !read_leb(&c, false, &types, err))
		return false;
	if (!cursor_u8(&c, &encoding, err) ||
	    !read_leb(&c, false, &size, err) ||
	    !cursor_part(&c, size, &sites, err))
		return false;
	while (cursor_left(&sites))
		if (!read_site(pads, &sites, encoding, frame->address, base,
			       err))
			return false;
	return true;
}

static int compare_sites(const void *a, const void *b)
{
	const struct landing_site *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

size_t landing_pads_of(struct landing_pads *pads, uint64_t address,
		       uint64_t size, const struct landing_site **ret)
{
	struct fdo_error ignored;

	pads->nsites = 0;
	for (size_t f = fdo_lower_bound(pads->frames, pads->nframes,
					sizeof(*pads->frames), address);
	     f < pads->nframes && pads->frames[f].address < address + size; f++)
		read_table(pads, &pads->frames[f], &ignored);
	if (pads->nsites)
		qsort(pads->sites, pads->nsites, sizeof(*pads->sites),
		      compare_sites);
	*ret = pads->sites;
	return pads->nsites;
}
