/* landing.c - .eh_frame and .gcc_except_table. */
#include "converter/graph/landing.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/search.h"
#include "converter/binary/object.h"
#include "converter/binary/unwind.h"

/* A function's unwind entry that has a table of landing pads. */
struct frame {
	uint64_t address;
	uint64_t table;
};

struct landing_pads {
	const struct object *object;
	struct frame *frames; /* by address */
	size_t nframes, room;
	struct landing_site *sites; /* the last answer */
	size_t nsites, sites_room;
};

/* An entry for one function; the cursor stands behind the pointer at "id". */
static bool read_frame(struct landing_pads *pads, struct cursor *c,
		       uint64_t common_at, struct fdo_error *err)
{
	struct cursor cc = unwind_cursor(pads->object, common_at);
	struct unwind_common common;
	uint64_t address, size, length, table = 0;

	if (!unwind_read_common(&cc, &common, err))
		return false;
	if (!common.augmented || common.table_encoding == UNWIND_NONE)
		return true;
	if (!unwind_pointer(c, common.pointer_encoding, &address, err) ||
	    !unwind_form(c, common.pointer_encoding, &size, err) ||
	    !unwind_leb(c, false, &length, err) ||
	    !unwind_pointer(c, common.table_encoding, &table, err))
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
		struct cursor c = unwind_cursor(o, o->sections[s].address);

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

	if (!unwind_form(c, encoding, &begin, err) ||
	    !unwind_form(c, encoding, &size, err) ||
	    !unwind_form(c, encoding, &pad, err) ||
	    !unwind_leb(c, false, &action, err))
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
	struct cursor c = unwind_cursor(pads->object, frame->table), sites;
	uint64_t base = frame->address, types, size;
	uint8_t encoding;

	if (!cursor_u8(&c, &encoding, err))
		return false;
	if (encoding != UNWIND_NONE &&
	    !unwind_pointer(&c, encoding, &base, err))
		return false;
	if (!cursor_u8(&c, &encoding, err))
		return false;
	if (encoding != UNWIND_NONE && !unwind_leb(&c, false, &types, err))
		return false;
	if (!cursor_u8(&c, &encoding, err) ||
	    !unwind_leb(&c, false, &size, err) ||
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
