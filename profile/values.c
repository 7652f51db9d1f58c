/*
 * values.c - few counts have values, and each has few: they are looked through
 * from the first to the last.
 */
#include "profile/values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "profile/private.h"
#include "profile/words.h"

static const char *const kinds[PROFILE_KINDS] = { "divisor", "quotient",
						  "size" };

static const char other[] = "other";

static bool is_same(const struct profile_value *a,
		    const struct profile_value *b)
{
	return a->kind == b->kind && a->other == b->other &&
	       a->value == b->value;
}

void profile_add_value(struct profile_count *count,
		       const struct profile_value *value)
{
	struct profile_value *new;

	for (uint32_t i = 0; i < count->nvalues; i++) {
		struct profile_value *known = &count->values[i];

		if (is_same(known, value)) {
			known->count = profile_sum(known->count, value->count);
			return;
		}
	}
	count->values = profile_grow(count->values, count->nvalues,
				     sizeof(*count->values));
	new = &count->values[count->nvalues++];
	*new = *value;
	new->count = profile_sum(value->count, 0);
}

static int compare(const void *a, const void *b)
{
	const struct profile_value *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->other != y->other)
		return x->other ? 1 : -1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->value > y->value) - (x->value < y->value);
}

void values_sort(struct profile_count *count)
{
	if (count->nvalues > 1)
		qsort(count->values, count->nvalues, sizeof(*count->values),
		      compare);
}

static uint64_t zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

void values_encode(const struct profile_count *count, struct bytes *out)
{
	bytes_uleb(out, count->nvalues);
	for (uint32_t i = 0; i < count->nvalues; i++) {
		const struct profile_value *value = &count->values[i];

		bytes_uleb(out, 2 * value->kind + value->other);
		if (!value->other)
			bytes_uleb(out, zigzag(value->value));
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
	ret->value = (int64_t)(value >> 1 ^ -(value & 1));
	start = *c;
	return cursor_uleb(c, &ret->count, err) &&
	       (ret->count <= PROFILE_MAX ||
		cursor_fail(&start, err, "the count of a value is too large"));
}

/* What sorting does not show: the same with another count. */
static bool is_there(const struct profile_count *count,
		     const struct profile_value *value)
{
	for (uint32_t i = 0; i < count->nvalues; i++)
		if (is_same(&count->values[i], value))
			return true;
	return false;
}

bool values_decode(struct profile_count *count, struct cursor *c,
		   struct fdo_error *err)
{
	struct cursor start = *c;
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
		if (is_there(count, &value) ||
		    (i && compare(&count->values[i - 1], &value) >= 0))
			return cursor_fail(&start, err,
					   "values are not sorted");
		profile_add_value(count, &value);
	}
	return true;
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
