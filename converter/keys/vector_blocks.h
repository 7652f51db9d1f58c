/*
 * vector_blocks.h - which blocks do rounds of a loop by vectors, and nothing else.
 *
 *	bool *found = vector_blocks_find(lines, &cfg);
 *	if (found && found[b])
 *		...
 *	free(found);
 *
 * One that goes round by itself does, or with a block that only leads back to it.  A
 * loop that was unrolled as a whole is a row of blocks with the same code instead, each
 * of which may be the last: those behind the first, which may have what comes before the
 * loop, too.
 *
 * Ownership  The caller's to free().
 * Errors     None.
 */
#ifndef CONVERTER_VECTOR_BLOCKS_H
#define CONVERTER_VECTOR_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct cfg;
struct lines;

/*
 * Does a block lead to itself, or through one that has no other way in or out, as
 * where a value is kept for the next round?
 */
bool vector_blocks_goes_round(const struct cfg *cfg, uint32_t block);

/* For each block of a function; NULL: none. */
bool *vector_blocks_find(const struct lines *lines, const struct cfg *cfg);

#endif
