/*
 * map.c - open addressing with linear probing; a table is a power of two and
 * at most two thirds full.  Nothing is ever removed.
 *
 * A slot with the key 0 is free, so that no slot needs more than key and value:
 * what belongs to the key 0 is kept beside the table.
 */
#include "base/map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct slot {
	uint64_t key, value;
};

struct fdo_map {
	struct slot *slots;
	size_t room;	/* a power of two */
	unsigned shift; /* of a hash, to a slot's number */
	size_t size;
	bool has_zero;
	uint64_t of_zero;
};

static void set_room(struct fdo_map *map, unsigned bits)
{
	map->room = (size_t)1 << bits;
	map->shift = 64 - bits;
	map->slots = fdo_alloc(map->room, sizeof(*map->slots));
}

struct fdo_map *fdo_map_new(void)
{
	struct fdo_map *map = fdo_alloc(1, sizeof(*map));

	set_room(map, 4);
	return map;
}

void fdo_map_free(struct fdo_map *map)
{
	if (!map)
		return;
	free(map->slots);
	free(map);
}

size_t fdo_map_size(const struct fdo_map *map)
{
	return map->size;
}

/*
 * Where the key is, or the free slot where it would go.  The high bits of a
 * product with the golden ratio spread rows of numbers evenly, as addresses are
 * (Knuth, "Sorting and Searching", 6.4).
 */
static inline struct slot *find(const struct fdo_map *map, uint64_t key)
{
	size_t i = key * 0x9e3779b97f4a7c15ULL >> map->shift;

	while (map->slots[i].key != key && map->slots[i].key)
		i = (i + 1) & (map->room - 1);
	return &map->slots[i];
}

uint64_t *fdo_map_get(const struct fdo_map *map, uint64_t key)
{
	struct slot *slot = find(map, key);

	if (!key)
		return map->has_zero ? (uint64_t *)&map->of_zero : NULL;
	return slot->key ? &slot->value : NULL;
}

static void enlarge(struct fdo_map *map)
{
	struct slot *old = map->slots;
	size_t n = map->room;

	set_room(map, 64 - map->shift + 1);
	for (size_t i = 0; i < n; i++)
		if (old[i].key)
			*find(map, old[i].key) = old[i];
	free(old);
}

static uint64_t *at_zero(struct fdo_map *map)
{
	map->size += !map->has_zero;
	map->has_zero = true;
	return &map->of_zero;
}

uint64_t *fdo_map_at(struct fdo_map *map, uint64_t key)
{
	struct slot *slot = find(map, key);

	if (!key)
		return at_zero(map);
	if (!slot->key) {
		if (3 * (map->size + 1) > 2 * map->room) {
			enlarge(map);
			slot = find(map, key);
		}
		slot->key = key;
		map->size++;
	}
	return &slot->value;
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

uint64_t *fdo_map_keys(const struct fdo_map *map)
{
	uint64_t *keys = fdo_alloc(map->size, sizeof(*keys));
	size_t n = 0;

	if (map->has_zero)
		keys[n++] = 0;
	for (size_t i = 0; i < map->room; i++)
		if (map->slots[i].key)
			keys[n++] = map->slots[i].key;
	qsort(keys, n, sizeof(*keys), compare_keys);
	return keys;
}

/* Texts with the same hash are chained. */
struct text {
	struct text *next;
	char text[];
};

struct fdo_strings {
	struct fdo_map *texts; /* hash to the first struct text */
};

struct fdo_strings *fdo_strings_new(void)
{
	struct fdo_strings *strings = fdo_alloc(1, sizeof(*strings));

	strings->texts = fdo_map_new();
	return strings;
}

static void free_texts(uint64_t first)
{
	struct text *next;

	for (struct text *t = (void *)(uintptr_t)first; t; t = next) {
		next = t->next;
		free(t);
	}
}

void fdo_strings_free(struct fdo_strings *strings)
{
	if (!strings)
		return;
	for (size_t i = 0; i < strings->texts->room; i++)
		free_texts(strings->texts->slots[i].value);
	free_texts(strings->texts->of_zero);
	fdo_map_free(strings->texts);
	free(strings);
}

uint64_t fdo_hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return hash;
}

const char *fdo_intern(struct fdo_strings *strings, const char *text)
{
	uint64_t *chain;
	struct text *t;
	size_t size;

	if (!text)
		return NULL;
	chain = fdo_map_at(strings->texts, fdo_hash_text(text));
	for (t = (void *)(uintptr_t)*chain; t; t = t->next)
		if (strcmp(t->text, text) == 0)
			return t->text;

	size = strlen(text) + 1;
	t = fdo_alloc(1, sizeof(*t) + size);
	memcpy(t->text, text, size);
	t->next = (void *)(uintptr_t)*chain;
	*chain = (uintptr_t)t;
	return t->text;
}
