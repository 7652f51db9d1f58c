#include "plugin/targets.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "plugin/noted.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct profile_target *)a)->name,
		      ((const struct profile_target *)b)->name);
}

static bool is_other(const struct others *others, const char *name)
{
	for (size_t i = 0; i < others->n; i++)
		if (strcmp(others->names[i], name) == 0)
			return true;
	return false;
}

/* All of a place but others, by name; some may be there more than once. */
static struct profile_target *gather(const struct noted *noted, uint64_t place,
				     const struct others *others, size_t *n,
				     uint64_t *executions)
{
	struct profile_target *all = NULL;
	size_t room = 0, before;

	*n = *executions = 0;
	for (const struct noted_count *c = noted_at(noted, place); c;
	     c = noted_before(noted, c)) {
		before = *n;
		for (size_t i = 0; i < c->count.ntargets; i++) {
			if (is_other(others, c->count.targets[i].name))
				continue;
			all = fdo_grow(all, *n, &room, sizeof(*all));
			all[(*n)++] = c->count.targets[i];
		}
		if (*n > before)
			*executions = profile_sum(*executions, c->count.count);
	}
	if (*n)
		qsort(all, *n, sizeof(*all), by_name);
	return all;
}

struct likeliest targets_likeliest(const struct noted *noted, uint64_t place,
				   const struct others *others)
{
	struct likeliest ret = { NULL, 0, 0 };
	uint64_t executions, calls = 0, most = 0, sum = 0;
	struct profile_target *all;
	size_t n;

	all = gather(noted, place, others, &n, &executions);
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
	if (ret.name) {
		double all_calls =
			(double)(calls > executions ? calls : executions);

		ret.share = (double)most / all_calls;
		ret.told = (double)calls / all_calls;
	}
	return ret;
}
