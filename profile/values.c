/*
 * values.c - values come in any order; sorting adds up those that are the same.
 *
 * Of one recording, a count has few, but a sum of many profiles has those of
 * all: if only the most frequent stayed, the order and grouping in which they
 * were added would be seen.
 */
#include "profile/values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "profile/private.h"
#include "profile/record.h"
#include "profile/words.h"

static const char *const kinds[PROFILE_KINDS] = {
	"divisor", "quotient", "size", "equal", "less",
};

static const char other[] = "other";

void profile_add_value(struct profile_count *count,
		       const struct profile_value *value)
{
	struct profile_value *new;

	count->values = profile_grow(count->values, count->nvalues,
				     sizeof(*count->values));
	new = &count->values[count->nvalues++];
	*new = *value;
	new->count = profile_sum(value->count, 0);
}

static int by_kind(const struct profile_value *a, const struct profile_value *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->other - b->other;
}

static int by_value(const void *a, const void *b)
{
	const struct profile_value *x = a, *y = b;
	int order = by_kind(x, y);

	return order ? order : (x->value > y->value) - (x->value < y->value);
}

static int by_falling_count(const void *a, const void *b)
{
	const struct profile_value *x = a, *y = b;
	int order = by_kind(x, y);

	if (!order && x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return order ? order : by_value(a, b);
}

static void join_same(struct profile_count *count)
{
	struct profile_value *values = count->values;
	uint32_t n = 0;

	qsort(values, count->nvalues, sizeof(*values), by_value);
	for (uint32_t i = 0; i < count->nvalues; i++)
		if (n && by_value(&values[n - 1], &values[i]) == 0)
			values[n - 1].count = profile_sum(values[n - 1].count,
							  values[i].count);
		else
			values[n++] = values[i];
	count->nvalues = n;
}

void values_sort(struct profile_count *count)
{
	if (count->nvalues < 2)
		return;
	join_same(count);
	qsort(count->values, count->nvalues, sizeof(*count->values),
	      by_falling_count);
}

void values_encode(const struct profile_count *count, struct bytes *out)
{
	bytes_uleb(out, count->nvalues);
	for (uint32_t i = 0; i < count->nvalues; i++) {
		const struct profile_value *value = &count->values[i];

		bytes_uleb(out, 2 * value->kind + value->other);
		if (!value->other)
			bytes_uleb(out, record_zigzag(value->value));
		bytes_uleb(out, value->count);
	}
}

static bool decode(struct profile_value *ret, struct cursor *c,
		   struct fdo_error *err)
{
	struct cursor start = *c;
	uint64_t kind = 0, value = 0;

	*ret = (struct profile_value){ 0 };
	if (!cursor_uleb(c, &kind, err))
		return false;
	if (kind >= 2 * PROFILE_KINDS)
		return cursor_fail(&start, err, "no kind of a value");
	ret->kind = kind / 2;
	ret->other = kind % 2;
	if (!ret->other && !cursor_uleb(c, &value, err))
		return false;
	ret->value = record_unzigzag(value);
	start = *c;
	return cursor_uleb(c, &ret->count, err) &&
	       (ret->count <= PROFILE_MAX ||
		cursor_fail(&start, err, "the count of a value is too large"));
}

bool values_decode(struct profile_count *count, struct cursor *c,
		   struct fdo_error *err)
{
	struct cursor first = *c, start = *c;
	uint64_t n = 0;

	if (!cursor_uleb(c, &n, err))
		return false;
	if (n == 0 || n > cursor_left(c) / 2)
		return cursor_fail(&start, err, "%llu values cannot follow",
				   (unsigned long long)n);
	for (uint64_t i = 0; i < n; i++) {
		struct profile_value value;

		start = *c;
		if (!decode(&value, c, err))
			return false;
		if (i && by_falling_count(&count->values[i - 1], &value) >= 0)
			return cursor_fail(&start, err,
					   "values are not sorted");
		profile_add_value(count, &value);
	}
	/* What this order does not show: the same with another count. */
	values_sort(count);
	return count->nvalues == n ||
	       cursor_fail(&first, err, "a value is there twice");
}

void values_print(const struct profile_count *count, FILE *stream)
{
	for (uint32_t i = 0; i < count->nvalues; i++) {
		const struct profile_value *value = &count->values[i];

		fprintf(stream, " %s ", kinds[value->kind]);
		if (value->other)
			fputs(other, stream);
		else
			fprintf(stream, "%" PRId64, value->value);
		fprintf(stream, " %" PRIu64, value->count);
	}
}

bool values_kind(const char *word, enum profile_kind *ret)
{
	for (int i = 0; i < PROFILE_KINDS; i++)
		if (strcmp(word, kinds[i]) == 0) {
			*ret = i;
			return true;
		}
	return false;
}

bool values_value(const char *word, struct profile_value *ret,
		  struct fdo_error *err)
{
	bool negative = *word == '-';
	uint64_t number = 0;

	ret->other = strcmp(word, other) == 0;
	ret->value = 0;
	if (ret->other)
		return true;
	if (!words_number(word + negative, (uint64_t)INT64_MAX + negative,
			  &number, err))
		return false;
	if (negative && number == 0)
		return fdo_fail(err, "'-0' is not a number");
	ret->value = negative ? -(number - 1) - 1 : number;
	return true;
}
