/*
 * known.c - as targets.c: noted when it is read, and added up when somebody
 * asks.
 */
#include "plugin/known.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"

/* What one body says of a place, and the one before it that does, from 1. */
struct list {
	const struct profile_value *all;
	uint32_t n;
	size_t previous;
};

struct known {
	struct fdo_map *last; /* by place: its last list, from 1 */
	struct list *lists;
	size_t n, room;
};

struct known *known_new(void)
{
	struct known *k = fdo_alloc(1, sizeof(*k));

	k->last = fdo_map_new();
	return k;
}

void known_free(struct known *k)
{
	if (!k)
		return;
	fdo_map_free(k->last);
	free(k->lists);
	free(k);
}

void known_add(struct known *k, uint64_t place,
	       const struct profile_count *count)
{
	uint64_t *last;

	if (count->nvalues == 0)
		return;
	last = fdo_map_at(k->last, place);
	k->lists = fdo_grow(k->lists, k->n, &k->room, sizeof(*k->lists));
	k->lists[k->n++] =
		(struct list){ count->values, count->nvalues, *last };
	*last = k->n;
}

static int by_value(const void *a, const void *b)
{
	const struct profile_value *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static int by_falling_count(const void *a, const void *b)
{
	const struct profile_value *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return by_value(a, b);
}

static size_t join_same(struct profile_value *all, size_t n)
{
	size_t joined = 0;

	for (size_t i = 0; i < n; i++)
		if (joined && all[joined - 1].value == all[i].value)
			all[joined - 1].count = profile_sum(
				all[joined - 1].count, all[i].count);
		else
			all[joined++] = all[i];
	return joined;
}

/* Each value of a place once; *sum is of these and all others. */
static struct profile_value *gather(const struct known *k, size_t last,
				    enum profile_kind kind, size_t *n,
				    uint64_t *sum)
{
	struct profile_value *all = NULL;
	size_t room = 0;

	*n = *sum = 0;
	for (; last; last = k->lists[last - 1].previous) {
		const struct list *list = &k->lists[last - 1];

		for (uint32_t i = 0; i < list->n; i++) {
			if (list->all[i].kind != kind)
				continue;
			*sum = profile_sum(*sum, list->all[i].count);
			if (list->all[i].other)
				continue;
			all = fdo_grow(all, *n, &room, sizeof(*all));
			all[(*n)++] = list->all[i];
		}
	}
	if (*n == 0)
		return all;
	qsort(all, *n, sizeof(*all), by_value);
	*n = join_same(all, *n);
	qsort(all, *n, sizeof(*all), by_falling_count);
	return all;
}

/* Rounded down, so that a sum of parts is not more than the sum's. */
static int64_t scaled(uint64_t part, uint64_t sum, int64_t executions)
{
	return (int64_t)((unsigned __int128)part * (uint64_t)executions / sum);
}

static bool is_power_of_2(int64_t value)
{
	uint64_t bits = (uint64_t)value;

	return bits != 0 && (bits & (bits - 1)) == 0;
}

static double mean_of(const struct profile_value *all, size_t n)
{
	double sum = 0, count = 0;

	for (size_t i = 0; i < n; i++) {
		sum += (double)all[i].value * (double)all[i].count;
		count += (double)all[i].count;
	}
	return count > 0 ? sum / count : 0;
}

/* Sums stay in range: then the counts may be more than their sum. */
static uint64_t at_least_all(const struct profile_value *all, size_t n,
			     uint64_t sum)
{
	unsigned __int128 of_all = 0;

	for (size_t i = 0; i < n; i++)
		of_all += all[i].count;
	return of_all > sum ? (uint64_t)of_all : sum;
}

void known_values(const struct known *k, uint64_t place, enum profile_kind kind,
		  int64_t executions, struct known_values *ret)
{
	const uint64_t *last = fdo_map_get(k->last, place);
	struct profile_value *all;
	uint64_t sum;
	size_t n;

	*ret = (struct known_values){ .n = 0 };
	if (!last)
		return;
	all = gather(k, *last, kind, &n, &sum);
	if (n > KNOWN_MOST)
		n = KNOWN_MOST;
	sum = at_least_all(all, n, sum);
	ret->mean = mean_of(all, n);
	for (size_t i = 0; sum && i < n; i++) {
		int64_t count = scaled(all[i].count, sum, executions);

		ret->most[ret->n++] =
			(struct known_value){ all[i].value, count };
		ret->known += count;
		if (is_power_of_2(all[i].value))
			ret->powers_of_2 += count;
	}
	free(all);
}

int64_t known_count(const struct known_values *values, int64_t value)
{
	for (unsigned i = 0; i < values->n; i++)
		if (values->most[i].value == value)
			return values->most[i].count;
	return 0;
}
