#include "testsuite/pmusim/cache.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"

void cache_init(struct cache *cache, uint64_t entries, int ways)
{
	if (entries < (uint64_t)ways)
		ways = entries;
	*cache = (struct cache){ .sets = ways ? entries / ways : 0,
				 .ways = ways };
	if (entries)
		cache->entries = fdo_alloc(entries, sizeof(*cache->entries));
}

void cache_clear(struct cache *cache)
{
	free(cache->entries);
}

static struct cache_entry *set_of(struct cache *cache, uint64_t key)
{
	return &cache->entries[(key & (cache->sets - 1)) * cache->ways];
}

/*
 * Make room at the front by moving what is before "end" back by one.  That is
 * mostly one or two entries: a call of memmove() would take longer.
 */
static inline void shift(struct cache_entry *set, int end)
{
	for (int i = end; i > 0; i--) {
		set[i] = set[i - 1];
		__asm__("" : : : "memory");
	}
}

uint64_t *cache_find_older(struct cache *cache, uint64_t key)
{
	struct cache_entry *set = set_of(cache, key), found;

	for (int i = 1; i < cache->ways; i++)
		if (set[i].key == key + 1) {
			found = set[i];
			shift(set, i);
			set[0] = found;
			return &set->ready;
		}
	return NULL;
}

void cache_enter(struct cache *cache, uint64_t key, uint64_t ready)
{
	struct cache_entry *set;

	if (!cache->sets)
		return;
	set = set_of(cache, key);
	shift(set, cache->ways - 1);
	*set = (struct cache_entry){ key + 1, ready };
}
