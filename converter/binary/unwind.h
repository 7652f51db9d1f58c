/*
 * unwind.h - entries of .eh_frame and their pointers, which are written in
 * several ways.
 *
 *	struct cursor c = unwind_cursor(object, address);
 *	struct unwind_common common;
 *	uint64_t begin;
 *	if (!unwind_read_common(&c, &common, err))
 *		return false;
 *	...
 *	unwind_pointer(&entry, common.pointer_encoding, &begin, err);
 *
 * Units      An encoding is a byte, as DWARF has them.
 * Range      Cursors have their "base" at the address of the data, so that a
 *            position is an address, as the relative encodings want it.
 * Errors     As cursors report them.
 */
#ifndef CONVERTER_UNWIND_H
#define CONVERTER_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"

struct fdo_error;
struct object;

/* The encoding of what is not there. */
enum { UNWIND_NONE = 0xff };

/* What entries of functions have in common. */
struct unwind_common {
	uint8_t pointer_encoding, table_encoding;
	bool augmented;
};

/* To the end of the section; empty where there is none. */
struct cursor unwind_cursor(const struct object *o, uint64_t address);

bool unwind_leb(struct cursor *c, bool is_signed, uint64_t *ret,
		struct fdo_error *err);

/* The number as it stands there. */
bool unwind_form(struct cursor *c, uint8_t encoding, uint64_t *ret,
		 struct fdo_error *err);

/* The address.  0 stays 0: it means "none" wherever it is allowed. */
bool unwind_pointer(struct cursor *c, uint8_t encoding, uint64_t *ret,
		    struct fdo_error *err);

/* The cursor is on the length of the entry. */
bool unwind_read_common(struct cursor *c, struct unwind_common *ret,
			struct fdo_error *err);

#endif
