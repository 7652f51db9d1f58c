/*
 * addresses.c - a sorted array.
 */
#include "converter/graph/addresses.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/search.h"

void addresses_add(struct addresses *a, uint64_t value)
{
	a->values = fdo_grow(a->values, a->n, &a->room, sizeof(*a->values));
	a->values[a->n++] = value;
}

static int compare_values(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

void addresses_sort(struct addresses *a)
{
	size_t n = 0;

	if (!a->n)
		return;
	qsort(a->values, a->n, sizeof(*a->values), compare_values);
	for (size_t i = 0; i < a->n; i++)
		if (!n || a->values[n - 1] != a->values[i])
			a->values[n++] = a->values[i];
	a->n = n;
}

void addresses_clear(struct addresses *a)
{
	free(a->values);
	*a = (struct addresses){ 0 };
}

static size_t first_from(const struct addresses *a, uint64_t value)
{
	return fdo_lower_bound(a->values, a->n, sizeof(*a->values), value);
}

bool addresses_has(const struct addresses *a, uint64_t value)
{
	size_t i = first_from(a, value);

	return i < a->n && a->values[i] == value;
}

uint64_t addresses_next(const struct addresses *a, uint64_t value)
{
	size_t i = first_from(a, value + 1);

	return value < UINT64_MAX && i < a->n ? a->values[i] : UINT64_MAX;
}
