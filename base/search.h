/*
 * search.h - where a number is in a sorted array, or would be.
 *
 *	size_t i = fdo_lower_bound(all, n, sizeof(*all), address);
 *	while (i < n && all[i].address == address)
 *		...
 *
 * Shapes     Each item begins with a uint64_t, by which they are sorted.
 * Errors     None: where all are below it is n.
 */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many of n items of that size in bytes are below a value. */
static inline size_t fdo_lower_bound(const void *all, size_t n, size_t size,
				     uint64_t value)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint64_t at;

		memcpy(&at, (const char *)all + middle * size, sizeof(at));
		if (at < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#ifdef __cplusplus
}
#endif
#endif
