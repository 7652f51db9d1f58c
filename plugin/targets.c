/*
 * targets.c - few places call by a pointer, and few of these are asked for: so
 * what the profile has is only noted, and added up when somebody asks.
 */
#include "plugin/targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "profile/profile.h"

/* What one body says of a place, and the one before it that does, from 1. */
struct list {
	const struct profile_target *all;
	size_t n;
	uint64_t executions;
	size_t previous;
};

struct targets {
	struct fdo_map *last; /* by place: its last list, from 1 */
	struct list *lists;
	size_t n, room;
};

struct targets *targets_new(void)
{
	struct targets *t = fdo_alloc(1, sizeof(*t));

	t->last = fdo_map_new();
	return t;
}

void targets_free(struct targets *t)
{
	if (!t)
		return;
	fdo_map_free(t->last);
	free(t->lists);
	free(t);
}

void targets_add(struct targets *t, uint64_t place,
		 const struct profile_count *count)
{
	uint64_t *last;

	if (count->ntargets == 0)
		return;
	last = fdo_map_at(t->last, place);
	t->lists = fdo_grow(t->lists, t->n, &t->room, sizeof(*t->lists));
	t->lists[t->n++] = (struct list){ count->targets, count->ntargets,
					  count->count, *last };
	*last = t->n;
}

static const struct list *before(const struct targets *t,
				 const struct list *list)
{
	return list->previous ? &t->lists[list->previous - 1] : NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct profile_target *)a)->name,
		      ((const struct profile_target *)b)->name);
}

/* All of a place, by name; some may be there more than once. */
static struct profile_target *gather(const struct targets *t,
				     const struct list *last, size_t *n)
{
	struct profile_target *all = NULL;
	size_t room = 0;

	*n = 0;
	for (const struct list *list = last; list; list = before(t, list))
		for (size_t i = 0; i < list->n; i++) {
			all = fdo_grow(all, *n, &room, sizeof(*all));
			all[(*n)++] = list->all[i];
		}
	qsort(all, *n, sizeof(*all), by_name);
	return all;
}

struct likeliest targets_likeliest(const struct targets *t, uint64_t place)
{
	const uint64_t *at = fdo_map_get(t->last, place);
	const struct list *last = at ? &t->lists[*at - 1] : NULL;
	struct likeliest ret = { NULL, 0 };
	uint64_t executions = 0, calls = 0, most = 0, sum = 0;
	struct profile_target *all;
	size_t n;

	if (!last)
		return ret;
	all = gather(t, last, &n);
	for (size_t i = 0; i < n; i++) {
		bool same = i && strcmp(all[i].name, all[i - 1].name) == 0;

		sum = profile_sum(same ? sum : 0, all[i].count);
		calls = profile_sum(calls, all[i].count);
		if (sum <= most)
			continue;
		most = sum;
		ret.name = all[i].name;
	}
	free(all);
	for (const struct list *list = last; list; list = before(t, list))
		executions = profile_sum(executions, list->executions);
	if (ret.name)
		ret.share = (double)most /
			    (double)(calls > executions ? calls : executions);
	return ret;
}
