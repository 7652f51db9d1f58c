/*
 * format.h - the numbers of the file, for its reader and its writer.
 * What they mean: doc/samplefdo-profile.5.
 */
#ifndef PROFILE_FORMAT_H
#define PROFILE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define FORMAT_MAGIC \
	"\x89"       \
	"FDO\r\n\x1a\n"

enum {
	FORMAT_MAGIC_SIZE = 8,
	FORMAT_VERSION_1 = 1,
	FORMAT_VERSION_2 = 2, /* with functions that were not sampled */
	FORMAT_VERSION_3 = 3, /* and records have the first use */

	/* Sections, in the order in which they come. */
	SECTION_META = 0,
	SECTION_CHECKS,
	SECTION_INDEX,
	SECTION_RECORDS,
	SECTIONS_1,
	SECTION_UNSAMPLED_CHECKS = SECTIONS_1,
	SECTION_UNSAMPLED,
	SECTIONS,

	FORMAT_SECTION_SIZE = 24,     /* of an entry in the header */
	FORMAT_ENTRY_SIZE = 24,	      /* of an entry in the index */
	FORMAT_UNSAMPLED_SIZE = 20,   /* of an unsampled function */
	FORMAT_CHECKED_ENTRIES = 128, /* of either, by one checksum */

	/* Beside the size of a binary's build-id. */
	FORMAT_NO_FRONTIERS = 32,

	/* How much of a text may be said by "as the one before". */
	FORMAT_PREFIX = 255,

	/* The byte before a key: the first part that differs ... */
	KEY_FILE = 0,
	KEY_LINE = 1,
	KEY_COLUMN = 2,
	KEY_DISCRIMINATOR = 3,
	KEY_SAME = 4,
	KEY_LEVEL = 7,
	/* ... and what is said of the rest. */
	KEY_ANY = 8,	 /* the discriminator is PROFILE_ANY and left out */
	KEY_REPEAT = 16, /* count and error are as before and left out */
	KEY_MORE = 32,	 /* call targets or values follow */
	KEY_FLAGS = 6,	 /* here and above: enum profile_flags */
};

/* Of a file with so many sections. */
static inline size_t format_header_size(unsigned int sections)
{
	return 24 + (size_t)sections * FORMAT_SECTION_SIZE + 4;
}

/* CRC-32C (Castagnoli), as in iSCSI and ext4. */
uint32_t profile_crc(const void *data, size_t size);

/* That of all bytes, of which crc is of those before; 0: of none. */
uint32_t profile_crc_add(uint32_t crc, const void *data, size_t size);

#endif
