/*
 * cache.h - a set-associative table of recent keys: a cache's lines, or a
 * TLB's pages.
 *
 *	struct cache l1;
 *	cache_init(&l1, 512, 8);
 *	uint64_t *ready = cache_find(&l1, line);
 *	if (!ready)
 *		cache_enter(&l1, line, cycle + 14);
 *	cache_clear(&l1);
 *
 * An entry has a cycle from which its content is there: who finds it earlier
 * finds a fill that is under way.
 *
 * Range      Entries and ways are powers of two; key + 1 fits 64 bits.
 * Ownership  The caller has the struct; _init and _clear are paired.
 */
#ifndef PMUSIM_CACHE_H
#define PMUSIM_CACHE_H

#include <stdint.h>

struct cache_entry {
	uint64_t key; /* plus 1; 0: empty */
	uint64_t ready;
};

struct cache {
	struct cache_entry *entries; /* of a set: latest used first */
	uint64_t mask;		     /* of the key: the number of its set */
	int ways;		     /* 0: nothing is ever entered */
	int shift;		     /* 1 << shift ways have room */
};

/* "entries" 0 makes a cache that has nothing, ever. */
void cache_init(struct cache *cache, uint64_t entries, int ways);
void cache_clear(struct cache *cache);

/* Anything but the entry that was used last: see cache_find(). */
uint64_t *cache_find_older(struct cache *cache, uint64_t key);

void cache_enter(struct cache *cache, uint64_t key, uint64_t ready);

/* The ways that a key can be in. */
static inline struct cache_entry *cache_set(const struct cache *cache,
					    uint64_t key)
{
	return &cache->entries[(key & cache->mask) << cache->shift];
}

/* The entry's cycle, or NULL; it is then the latest used of its set. */
static inline uint64_t *cache_find(struct cache *cache, uint64_t key)
{
	struct cache_entry *set = cache_set(cache, key);

	if (set->key == key + 1)
		return &set->ready;
	return cache_find_older(cache, key);
}

#endif
