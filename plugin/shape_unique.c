/*
 * shape_unique.c - lines that are like one line only, then and now.
 *
 * In a large function, these divide what is between them into parts that are small
 * enough to be compared line by line, as in patience diff.
 */
#include "plugin/shape_private.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"

/* One column says little. */
static uint64_t looks_of(const struct row *row)
{
	uint64_t hash = row->n;
	bool calls = false;

	for (size_t i = 0; i < row->n; i++) {
		hash = fdo_hash_mix(hash, row->places[i].column);
		hash = fdo_hash_mix(hash, (uintptr_t)row->places[i].call);
		calls |= row->places[i].call != NULL;
	}
	return row->n > 1 || calls ? hash : 0;
}

enum { SEVERAL = 0xffffffff };

/* By looks, the number of the only line from 1; SEVERAL, if there are more. */
static struct fdo_map *lines_by_looks(const struct row *rows, size_t from,
				      size_t to)
{
	struct fdo_map *ret = fdo_map_new();

	for (size_t i = from; i < to; i++) {
		uint64_t looks = looks_of(&rows[i]), *at;

		if (!looks)
			continue;
		at = fdo_map_at(ret, looks);
		*at = *at ? SEVERAL : i + 1;
	}
	return ret;
}

/* The last of the ends that is below a line, and one more. */
static size_t length_below(const struct shape_pair *pairs, const size_t *ends,
			   size_t n, size_t line)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pairs[ends[middle]].new_ < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Leave the longest part of them in which new lines rise; returns how long. */
static size_t keep_rising(struct shape_pair *pairs, size_t n)
{
	size_t *ends = fdo_alloc(n, sizeof(*ends)); /* of each length */
	size_t *before = fdo_alloc(n, sizeof(*before));
	size_t length = 0;

	for (size_t i = 0; i < n; i++) {
		size_t at = length_below(pairs, ends, length, pairs[i].new_);

		before[i] = at ? ends[at - 1] : 0;
		ends[at] = i;
		length += at == length;
	}
	for (size_t k = length, i = length ? ends[length - 1] : 0; k-- > 0;
	     i = before[i])
		ends[k] = i;
	for (size_t k = 0; k < length; k++)
		pairs[k] = pairs[ends[k]];
	free(ends);
	free(before);
	return length;
}

size_t shape_unique(const struct alignment *a, const struct shape_range *range,
		    struct shape_pair **ret)
{
	struct fdo_map *old = lines_by_looks(a->old, range->i0, range->i1);
	struct fdo_map *new_ = lines_by_looks(a->new_, range->j0, range->j1);
	struct shape_pair *pairs =
		fdo_alloc(range->i1 - range->i0, sizeof(*pairs));
	size_t n = 0;

	for (size_t i = range->i0; i < range->i1; i++) {
		uint64_t looks = looks_of(&a->old[i]);
		const uint64_t *there = looks ? fdo_map_get(new_, looks) : NULL;

		if (there && *there != SEVERAL &&
		    *fdo_map_get(old, looks) != SEVERAL)
			pairs[n++] = (struct shape_pair){ i, *there - 1 };
	}
	fdo_map_free(old);
	fdo_map_free(new_);
	*ret = pairs;
	return keep_rising(pairs, n);
}
