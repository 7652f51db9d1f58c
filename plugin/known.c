#include "plugin/known.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "plugin/noted.h"

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

static struct profile_value *add_values(struct profile_value *all, size_t *n,
					size_t *room,
					const struct profile_count *count,
					enum profile_kind kind, uint64_t *sum)
{
	for (uint32_t i = 0; i < count->nvalues; i++) {
		if (count->values[i].kind != kind)
			continue;
		*sum = profile_sum(*sum, count->values[i].count);
		if (count->values[i].other)
			continue;
		all = fdo_grow(all, *n, room, sizeof(*all));
		all[(*n)++] = count->values[i];
	}
	return all;
}

/*
 * Each value of a place once; *sum is of these and all others.  What is inlined
 * in many functions may have values in one of them that the rest does not have:
 * where those that have some are few of all executions, nothing is known.  (Of
 * a division, what has none is not noted.)
 */
static struct profile_value *gather(const struct noted *noted, uint64_t place,
				    enum profile_kind kind, size_t *n,
				    uint64_t *sum)
{
	struct profile_value *all = NULL;
	uint64_t known = 0, executions = 0;
	size_t room = 0;

	*n = *sum = 0;
	for (const struct noted_count *c = noted_at(noted, place); c;
	     c = noted_before(noted, c)) {
		uint64_t before = *sum;

		all = add_values(all, n, &room, &c->count, kind, sum);
		executions = profile_sum(executions, c->count.count);
		if (*sum > before)
			known = profile_sum(known, c->count.count);
	}
	if (known < executions / 2)
		*n = 0;
	if (*n == 0)
		return all;
	qsort(all, *n, sizeof(*all), by_value);
	*n = join_same(all, *n);
	qsort(all, *n, sizeof(*all), by_falling_count);
	return all;
}

/* Of sums there may be more than of counts. */
typedef unsigned __int128 wide;

/* Rounded down, so that a sum of parts is not more than the sum's. */
static int64_t scaled(uint64_t part, wide sum, int64_t executions)
{
	return (int64_t)((wide)part * (uint64_t)executions / sum);
}

static bool is_power_of_2(int64_t value)
{
	uint64_t bits = (uint64_t)value;

	return bits != 0 && (bits & (bits - 1)) == 0;
}

/* Of what is not known, that it is larger than all that is, by so many times. */
static const double OTHERS = 4;

/*
 * Sizes that are rare are long ones, where most are short, and code for short ones
 * takes long for these.
 */
static double mean_of(const struct profile_value *all, size_t n, double sum)
{
	double known = 0, count = 0, most = 0;

	for (size_t i = 0; i < n; i++) {
		known += (double)all[i].value * (double)all[i].count;
		count += (double)all[i].count;
		if ((double)all[i].value > most)
			most = (double)all[i].value;
	}
	return sum > 0 ? (known + (sum - count) * OTHERS * most) / sum : 0;
}

/* The profile's sums stay in range: then the counts may be more than their sum. */
static wide at_least_all(const struct profile_value *all, size_t n,
			 uint64_t sum)
{
	wide of_all = 0;

	for (size_t i = 0; i < n; i++)
		of_all += all[i].count;
	return of_all > sum ? of_all : sum;
}

void known_values(const struct noted *noted, uint64_t place,
		  enum profile_kind kind, int64_t executions,
		  struct known_values *ret)
{
	struct profile_value *all;
	uint64_t told;
	size_t n;
	wide sum;

	*ret = (struct known_values){ .n = 0 };
	all = gather(noted, place, kind, &n, &told);
	sum = at_least_all(all, n, told);
	ret->mean = mean_of(all, n, (double)sum);
	for (size_t i = 0; sum && i < n; i++) {
		int64_t count = scaled(all[i].count, sum, executions);

		if (ret->n < KNOWN_MOST)
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
