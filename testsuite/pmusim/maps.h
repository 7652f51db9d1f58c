/*
 * maps.h - which file the guest's code comes from.
 *
 *	struct maps *maps = maps_new();
 *	const struct mapping *m = maps_find(maps, address, base);
 *	if (m)
 *		offset = address - m->start + m->offset;
 *	maps_free(maps);
 *
 * QEMU maps the guest's files into its own memory, so that its own
 * /proc/self/maps tells; "base" is what it adds to a guest's address.
 *
 * Units      Guest addresses; offsets are of the file, in bytes.
 * Ownership  A mapping or object lives as long as the maps: a file that was
 *            unmapped may still have counts.
 * Errors     None: code of no file has no mapping.
 */
#ifndef PMUSIM_MAPS_H
#define PMUSIM_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file. */
struct object {
	struct object *next; /* in order of the paths */
	char *path;
	char build_id[41]; /* in hex; "-": none */
};

struct mapping {
	struct mapping *next; /* newest first */
	uint64_t start, end, offset;
	struct object *object;
	bool announced;	  /* for the caller; false at first */
	unsigned checked; /* the generation in which it was found */
};

struct maps {
	struct mapping *newest;
	struct object *objects;
	unsigned generation; /* add 1 when the guest maps or unmaps */
};

struct maps *maps_new(void);
void maps_free(struct maps *maps);

/* The file mapping that has this address now, or NULL. */
struct mapping *maps_find(struct maps *maps, uint64_t address, uint64_t base);

#endif
