#include "plugin/noted.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"

struct noted {
	struct fdo_map *last; /* by place: its last count, from 1 */
	struct noted_count *counts;
	size_t n, room;
};

struct noted *noted_new(void)
{
	struct noted *n = fdo_alloc(1, sizeof(*n));

	n->last = fdo_map_new();
	return n;
}

void noted_free(struct noted *n)
{
	if (!n)
		return;
	fdo_map_free(n->last);
	free(n->counts);
	free(n);
}

void noted_add(struct noted *n, uint64_t place,
	       const struct profile_count *count)
{
	uint64_t *last;

	if (count->ntargets == 0 && count->nvalues == 0)
		return;
	last = fdo_map_at(n->last, place);
	n->counts = fdo_grow(n->counts, n->n, &n->room, sizeof(*n->counts));
	n->counts[n->n++] = (struct noted_count){ *count, *last };
	*last = n->n;
}

const struct noted_count *noted_at(const struct noted *n, uint64_t place)
{
	const uint64_t *last = fdo_map_get(n->last, place);

	return last ? &n->counts[*last - 1] : NULL;
}

const struct noted_count *noted_before(const struct noted *n,
				       const struct noted_count *count)
{
	return count->previous ? &n->counts[count->previous - 1] : NULL;
}
