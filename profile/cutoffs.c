/*
 * cutoffs.c - how many counts there are, and their sum, by their leading bits.
 *
 * That tells of each cutoff within which of these ranges it is.  The second
 * time, only the counts in such a range are looked at, each value once: they
 * differ by a part in 500 at most, so there are few.
 */
#include "profile/cutoffs.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "profile/private.h"
#include "profile/profile.h"

typedef unsigned __int128 wide;

const uint32_t profile_cutoff_shares[PROFILE_CUTOFFS] = {
	10000,	100000, 200000, 300000, 400000, 500000, 600000, 700000,
	800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999,
};

enum {
	BITS = 9, /* after the first, in one range */
	RANGES = (64 - BITS + 1) << BITS,
};

struct range {
	uint64_t n;
	wide sum;
	bool wanted; /* a cutoff is within it */
};

struct cutoffs {
	struct range ranges[RANGES];
	uint64_t largest;
	wide total;
	struct fdo_map *values; /* in wanted ranges, how often */
};

struct cutoffs *cutoffs_new(void)
{
	struct cutoffs *s = fdo_alloc(1, sizeof(*s));

	s->values = fdo_map_new();
	return s;
}

void cutoffs_free(struct cutoffs *s)
{
	if (!s)
		return;
	fdo_map_free(s->values);
	free(s);
}

/* Ranges are in the order of their counts. */
static size_t range_of(uint64_t count)
{
	int shift;

	if (count >> BITS == 0)
		return count;
	shift = 63 - BITS - __builtin_clzll(count);
	return ((size_t)shift << BITS) + (count >> shift);
}

/* Equal but for the discriminator, of which PROFILE_ANY is the largest. */
static bool same_column(const struct profile_count *a,
			const struct profile_count *b)
{
	return a->key.line == b->key.line && a->key.column == b->key.column &&
	       profile_compare_texts(a->key.file, b->key.file) == 0;
}

static bool speaks(const struct profile_body *body, size_t i, size_t last)
{
	const struct profile_count *count = &body->counts[i];

	return count->count && !count->flags &&
	       (i == last ||
		body->counts[last].key.discriminator != PROFILE_ANY);
}

void cutoffs_each(const struct profile_body *body,
		  void (*take)(void *context, uint64_t count), void *context)
{
	size_t last = 0;

	for (size_t i = 0; i < body->ncounts; i++) {
		if (last < i || i == 0)
			for (last = i; last + 1 < body->ncounts &&
				       same_column(&body->counts[i],
						   &body->counts[last + 1]);)
				last++;
		if (speaks(body, i, last) &&
		    profile_is_code_key(&body->counts[i].key))
			take(context, body->counts[i].count);
	}
	for (size_t i = 0; i < body->ninlined; i++)
		cutoffs_each(body->inlined[i], take, context);
}

void cutoffs_take(void *cutoffs, uint64_t count)
{
	struct cutoffs *s = cutoffs;
	struct range *range = &s->ranges[range_of(count)];

	range->n++;
	range->sum += count;
	s->total += count;
	if (s->largest < count)
		s->largest = count;
}

/* What a sum times a million must reach. */
static wide goal(const struct cutoffs *s, size_t share)
{
	return s->total * profile_cutoff_shares[share];
}

void cutoffs_choose(struct cutoffs *s)
{
	size_t share = 0;
	wide sum = 0;

	for (size_t i = RANGES; i-- > 0;) {
		sum += s->ranges[i].sum;
		for (;
		     share < PROFILE_CUTOFFS && sum * 1000000 >= goal(s, share);
		     share++)
			s->ranges[i].wanted = true;
	}
}

void cutoffs_look(void *cutoffs, uint64_t count)
{
	struct cutoffs *s = cutoffs;

	if (s->ranges[range_of(count)].wanted)
		++*fdo_map_at(s->values, count);
}

/* How far down the cutoffs go: some counts, their number and sum. */
struct descent {
	struct profile *p;
	uint64_t n;
	wide sum;
};

/* n equal counts; as few of them as reach the next cutoffs. */
static void descend(const struct cutoffs *s, struct descent *d, uint64_t count,
		    uint64_t n)
{
	struct profile *p = d->p;

	for (; p->ncutoffs < PROFILE_CUTOFFS; p->ncutoffs++) {
		wide left = goal(s, p->ncutoffs) - d->sum * 1000000;
		wide each = (wide)count * 1000000;

		if (left > each * n)
			break;
		p->cutoffs[p->ncutoffs] = (struct profile_cutoff){
			.share = profile_cutoff_shares[p->ncutoffs],
			.min_count = count,
			.blocks = d->n + (left + each - 1) / each,
		};
	}
	d->n += n;
	d->sum += (wide)count * n;
}

static void descend_range(const struct cutoffs *s, struct descent *d,
			  const uint64_t *values, size_t *nvalues, size_t range)
{
	while (*nvalues && range_of(values[*nvalues - 1]) == range) {
		uint64_t value = values[--*nvalues];

		descend(s, d, value, *fdo_map_get(s->values, value));
	}
}

void cutoffs_finish(const struct cutoffs *s, struct profile *p)
{
	size_t nvalues = fdo_map_size(s->values);
	uint64_t *values = fdo_map_keys(s->values);
	struct descent d = { .p = p };

	free(p->cutoffs);
	p->cutoffs = fdo_alloc(s->largest ? PROFILE_CUTOFFS : 0,
			       sizeof(*p->cutoffs));
	p->ncutoffs = 0;
	p->max_count = s->largest;
	for (size_t i = RANGES; s->largest && i-- > 0;) {
		const struct range *range = &s->ranges[i];

		if (range->wanted) {
			descend_range(s, &d, values, &nvalues, i);
		} else {
			d.n += range->n;
			d.sum += range->sum;
		}
	}
	free(values);
}

void profile_summarize(struct profile *p)
{
	struct cutoffs *s = cutoffs_new();

	profile_sort(p);
	for (size_t i = 0; i < p->nfunctions; i++)
		cutoffs_each(&p->functions[i]->body, cutoffs_take, s);
	cutoffs_choose(s);
	for (size_t i = 0; i < p->nfunctions; i++)
		cutoffs_each(&p->functions[i]->body, cutoffs_look, s);
	cutoffs_finish(s, p);
	cutoffs_free(s);
}
