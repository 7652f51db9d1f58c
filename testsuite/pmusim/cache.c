#include "testsuite/pmusim/cache.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"

void cache_init(struct cache *cache, uint64_t entries, int ways)
{
	uint64_t room = entries ? entries : 1;

	if (room < (uint64_t)ways)
		ways = room;
	*cache = (struct cache){ .entries = fdo_alloc(room,
						      sizeof(*cache->entries)),
				 .mask = room / ways - 1,
				 .ways = entries ? ways : 0,
				 .shift = __builtin_ctz(ways) };
}

void cache_clear(struct cache *cache)
{
	free(cache->entries);
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
	struct cache_entry *set = cache_set(cache, key), found;

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
	struct cache_entry *set = cache_set(cache, key);

	if (!cache->ways)
		return;
	shift(set, cache->ways - 1);
	*set = (struct cache_entry){ key + 1, ready };
}
