/*
 * first_uses.c - a time's number is its highest bits, with how many others it
 * has in front of them: as in a number with a floating point.
 */
#include "plugin/first_uses.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 24 };

static int number_of(uint64_t time)
{
	unsigned int others = 0;

	while (time >> others >> BITS)
		others++;
	return (int)((others << (BITS - 1)) + (time >> others));
}

static int by_time(const void *a, const void *b)
{
	const struct first_use *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return strcmp(x->name, y->name);
}

void first_uses_number(struct first_use *uses, size_t n)
{
	if (n)
		qsort(uses, n, sizeof(*uses), by_time);
	for (size_t i = 0; i < n; i++) {
		uses[i].number = number_of(uses[i].time);
		if (i && uses[i].number < uses[i - 1].number + 2)
			uses[i].number = uses[i - 1].number + 2;
	}
}
