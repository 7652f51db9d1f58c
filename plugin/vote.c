/*
 * vote.c - the statements of a block should agree, and do not.
 *
 * The median is the default: one statement that was moved to another block,
 * or that carries the counts of another, then does no harm.  What the others
 * are worth beside it is said in counts.c.
 */
#include "plugin/vote.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "profile/profile.h"

bool vote_by_name(const char *name, enum vote *ret)
{
	static const char *const names[] = {
		[VOTE_MEDIAN] = "median",
		[VOTE_MAX] = "max",
		[VOTE_AVERAGE] = "average",
		[VOTE_WEIGHTED] = "weighted",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(names[i], name) == 0) {
			*ret = (enum vote)i;
			return true;
		}
	}
	return false;
}

void ballot_add(struct ballot *b, uint64_t count, uint64_t error)
{
	b->cast = fdo_grow(b->cast, b->n, &b->room, sizeof(*b->cast));
	b->cast[b->n++] = (struct vote_cast){ count, error };
}

void ballot_add_bound(struct ballot *b, uint64_t bound)
{
	if (!b->bounded || bound < b->bound)
		b->bound = bound;
	b->bounded = true;
}

static int by_count(const void *a, const void *b)
{
	const struct vote_cast *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? -1 : 1;
	return (x->error > y->error) - (x->error < y->error);
}

/* Counts are below 2^60 and doubles good to 2^53: close enough for a mean. */
static uint64_t mean(const struct ballot *b, bool weighted)
{
	double sum = 0, weights = 0;

	for (size_t i = 0; i < b->n; i++) {
		double error = (double)b->cast[i].error;
		double weight = weighted ? 1 / (1 + error * error) : 1;

		sum += weight * (double)b->cast[i].count;
		weights += weight;
	}
	return (uint64_t)(sum / weights + 0.5);
}

uint64_t ballot_count(struct ballot *b, enum vote how)
{
	assert(b->n > 0);
	qsort(b->cast, b->n, sizeof(*b->cast), by_count);
	switch (how) {
	case VOTE_MAX:
		return b->cast[b->n - 1].count;
	case VOTE_AVERAGE:
		return mean(b, false);
	case VOTE_WEIGHTED:
		return mean(b, true);
	case VOTE_MEDIAN:
		break;
	}
	return b->cast[b->n / 2].count;
}

uint64_t ballot_error(const struct ballot *b, uint64_t outcome)
{
	uint64_t error = 0;

	for (size_t i = 0; i < b->n; i++)
		if (b->cast[i].count == outcome && b->cast[i].error > error)
			error = b->cast[i].error;
	return error;
}

void ballot_add_least(struct ballot *b, uint64_t least)
{
	if (least > b->least)
		b->least = least;
}

static uint64_t scaled(uint64_t count, double factor)
{
	double product = (double)count * factor;

	if (count == 0)
		return 0;
	if (product >= (double)PROFILE_MAX)
		return PROFILE_MAX;
	return product < 1 ? 1 : (uint64_t)(product + 0.5);
}

void ballot_scale(struct ballot *b, double factor)
{
	for (size_t i = 0; i < b->n; i++) {
		b->cast[i].count = scaled(b->cast[i].count, factor);
		b->cast[i].error = scaled(b->cast[i].error, factor);
	}
	b->bound = scaled(b->bound, factor);
	b->least = scaled(b->least, factor);
}

void ballot_clear(struct ballot *b)
{
	b->n = 0;
	b->bounded = false;
}

void ballot_free(struct ballot *b)
{
	free(b->cast);
	*b = (struct ballot){ 0 };
}
