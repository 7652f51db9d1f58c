/*
 * build_id.h - the number by which a linker tells builds of a file apart.
 *
 *	struct fdo_build_id id = { .size = 20 };
 *	char text[FDO_BUILD_ID_TEXT];
 *
 *	if (!fdo_build_id_same(&id, &other))
 *		fdo_build_id_text(&id, text), ...
 *
 * Range      size is 0 where there is none, or it is not known; of a longer one
 *            the first 20 bytes are kept.
 * Ownership  A plain value.
 */
#ifndef BASE_BUILD_ID_H
#define BASE_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FDO_BUILD_ID_MAX = 20, FDO_BUILD_ID_TEXT = 2 * FDO_BUILD_ID_MAX + 1 };

struct fdo_build_id {
	uint8_t size;
	uint8_t bytes[FDO_BUILD_ID_MAX];
};

struct fdo_build_id fdo_build_id(const void *bytes, size_t size);

/* An order. */
int fdo_build_id_compare(const struct fdo_build_id *a,
			 const struct fdo_build_id *b);

/*
 * Of one build, as far as is known.  An old perf writes 20 bytes of each, the
 * rest of a shorter one being zero.
 */
bool fdo_build_id_same(const struct fdo_build_id *a,
		       const struct fdo_build_id *b);

/* In hexadecimal digits; empty if there is none. */
void fdo_build_id_text(const struct fdo_build_id *id,
		       char text[FDO_BUILD_ID_TEXT]);

#endif
