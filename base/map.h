/*
 * map.h - two hash tables: numbers to numbers, and one copy of each string.
 *
 *	struct fdo_map *seen = fdo_map_new();
 *	*fdo_map_at(seen, address) += 1;	// begins at 0
 *	const uint64_t *count = fdo_map_get(seen, address);	// or NULL
 *	fdo_map_free(seen);
 *
 * Ownership  _new() gives, _free() takes back and accepts NULL.  A string
 *            that fdo_intern() returned lives as long as its table.
 * Errors     None: what can be asked for can be had.
 * Threads    A table stays in the thread that made it.
 *
 * The order of a table is not defined: whoever prints or writes sorts first
 * (fdo_map_keys() does).
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fdo_map;

struct fdo_map *fdo_map_new(void);
void fdo_map_free(struct fdo_map *map);

/* Entries in it. */
size_t fdo_map_size(const struct fdo_map *map);

/* The value of a key, or NULL.  The pointer dies with the next new key. */
uint64_t *fdo_map_get(const struct fdo_map *map, uint64_t key);

/* The same, but a key that is not there yet gets the value 0. */
uint64_t *fdo_map_at(struct fdo_map *map, uint64_t key);

/* All keys in ascending order, fdo_map_size() of them; free() them. */
uint64_t *fdo_map_keys(const struct fdo_map *map);

struct fdo_strings;

struct fdo_strings *fdo_strings_new(void);
void fdo_strings_free(struct fdo_strings *strings);

/*
 * The table's own copy of a text: equal texts have equal pointers.  NULL
 * stays NULL.
 */
const char *fdo_intern(struct fdo_strings *strings, const char *text);

/* 64-bit FNV-1a hash of a NUL-terminated text. */
uint64_t fdo_hash_text(const char *text);

/* A hash with one more value in it. */
static inline uint64_t fdo_hash_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

#ifdef __cplusplus
}
#endif
#endif
