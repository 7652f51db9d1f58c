/*
 * merge.c - add up profiles, and what follows from the sums.
 *
 * The order in which profiles are added must not be seen in the result, so
 * nothing is rounded on the way: squares of errors and sums of periods are
 * kept whole, each as a number and a rest (profile.h).
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "profile/private.h"
#include "profile/profile.h"
#include "profile/unsampled.h"

typedef unsigned __int128 wide;

static const wide WIDE_MAX = (wide)PROFILE_MAX * PROFILE_MAX;

static uint64_t times(uint64_t value, uint64_t weight)
{
	wide product = (wide)value * weight;

	return product < PROFILE_MAX ? product : PROFILE_MAX;
}

static wide wide_sum(wide a, wide b)
{
	return a >= WIDE_MAX || b >= WIDE_MAX - a ? WIDE_MAX : a + b;
}

static wide wide_times(wide value, uint64_t weight)
{
	return value > WIDE_MAX / weight ? WIDE_MAX : value * weight;
}

/* The largest number whose square is at most the value. */
static uint64_t square_root(wide value)
{
	uint64_t root = 0;

	for (int bit = 60; bit >= 0; bit--) {
		uint64_t larger = root | (uint64_t)1 << bit;

		if ((wide)larger * larger <= value)
			root = larger;
	}
	return root;
}

static wide variance(const struct profile_count *count)
{
	return wide_sum((wide)count->error * count->error, count->error_rest);
}

static void add_count(struct profile *p, struct profile_count *into,
		      const struct profile_count *from, uint64_t weight)
{
	wide added = wide_times(wide_times(variance(from), weight), weight);
	wide sum = wide_sum(variance(into), added);

	into->error = square_root(sum);
	into->error_rest = sum - (wide)into->error * into->error;
	into->count = profile_sum(into->count, times(from->count, weight));
	into->flags |= from->flags;
	for (size_t i = 0; i < from->ntargets; i++)
		profile_add_target(p, into, from->targets[i].name,
				   times(from->targets[i].count, weight));
}

/* Keys without a file mean that of the function, which is the same. */
static void add_body(struct profile *p, struct profile_body *into,
		     const struct profile_body *from, uint64_t weight)
{
	into->total = profile_sum(into->total, times(from->total, weight));
	for (size_t i = 0; i < from->ncounts; i++)
		add_count(p, profile_count_at(p, into, from->counts[i].key),
			  &from->counts[i], weight);
	for (size_t i = 0; i < from->ninlined; i++) {
		const struct profile_body *inlined = from->inlined[i];

		add_body(p,
			 profile_add_inlined(p, into, inlined->call,
					     inlined->name, inlined->file,
					     inlined->start_line),
			 inlined, weight);
	}
}

/*
 * Events of all samples are added, so that the mean period is that of all.
 * The period of an event without samples is only its name, so to speak.
 */
static void add_event(struct profile *p, const struct profile_event *from)
{
	struct profile_event *into =
		profile_add_event(p, from->name, from->role);
	wide events = wide_sum(wide_sum((wide)into->period * into->samples,
					into->period_rest),
			       wide_sum((wide)from->period * from->samples,
					from->period_rest));

	into->samples = profile_sum(into->samples, from->samples);
	into->mapped = profile_sum(into->mapped, from->mapped);
	if (into->samples) {
		into->period = events / into->samples;
		into->period_rest = events % into->samples;
	} else if (into->period < from->period) {
		into->period = from->period;
	}
}

static void add_function(struct profile *p, const struct profile_function *from,
			 uint64_t weight, const uint32_t *binaries)
{
	struct profile_function *into = profile_add_function(
		p, from->body.name, from->body.file, from->body.start_line);

	add_body(p, &into->body, &from->body, weight);
	into->entry = profile_sum(into->entry, times(from->entry, weight));
	into->samples = profile_sum(into->samples, from->samples);
	for (size_t i = 0; i < from->nbinaries; i++)
		profile_add_source(into, binaries[from->binaries[i]]);
}

static void add_model(struct profile *p, const char *model)
{
	if (!p->model)
		p->model = profile_text(p, model);
	else if (model && strcmp(p->model, model) != 0)
		p->model = profile_text(p, "mixed");
}

void profile_merge(struct profile *into, const struct profile *from,
		   uint64_t weight)
{
	uint32_t *binaries = fdo_alloc(from->nbinaries, sizeof(*binaries));

	assert(weight > 0 && into != from);
	if (profile_compare_texts(into->tool, from->tool) < 0)
		into->tool = profile_text(into, from->tool);
	add_model(into, from->model);
	for (size_t i = 0; i < from->nevents; i++)
		add_event(into, &from->events[i]);
	for (size_t i = 0; i < from->nbinaries; i++)
		binaries[i] = profile_add_binary(into, &from->binaries[i]);
	for (size_t i = 0; i < from->nfunctions; i++)
		add_function(into, from->functions[i], weight, binaries);
	free(binaries);
	for (size_t i = 0; i < from->nunsampled; i++)
		profile_add_unsampled(into, &from->unsampled[i]);
	unsampled_sort(into);

	free(into->cutoffs);
	into->cutoffs = NULL;
	into->ncutoffs = 0;
	into->max_count = 0;
}

/* Numbers in an array that grows. */
struct numbers {
	uint64_t *number;
	size_t count, room;
};

/* Equal but for the discriminator, of which PROFILE_ANY is the largest. */
static bool same_column(const struct profile_count *a,
			const struct profile_count *b)
{
	return a->key.file == b->key.file && a->key.line == b->key.line &&
	       a->key.column == b->key.column;
}

static bool speaks(const struct profile_body *body, size_t i, size_t last)
{
	const struct profile_count *count = &body->counts[i];

	return count->count && !count->flags &&
	       (i == last ||
		body->counts[last].key.discriminator != PROFILE_ANY);
}

static void collect(const struct profile_body *body, struct numbers *counts)
{
	size_t last = 0;

	for (size_t i = 0; i < body->ncounts; i++) {
		if (last < i || i == 0)
			for (last = i; last + 1 < body->ncounts &&
				       same_column(&body->counts[i],
						   &body->counts[last + 1]);)
				last++;
		if (!speaks(body, i, last))
			continue;
		counts->number = fdo_grow(counts->number, counts->count,
					  &counts->room, sizeof(uint64_t));
		counts->number[counts->count++] = body->counts[i].count;
	}
	for (size_t i = 0; i < body->ninlined; i++)
		collect(body->inlined[i], counts);
}

static int by_falling(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x < y) - (x > y);
}

void profile_summarize(struct profile *p)
{
	static const uint32_t shares[] = {
		10000,	100000, 200000, 300000, 400000, 500000, 600000, 700000,
		800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999,
	};
	enum { SHARES = sizeof(shares) / sizeof(shares[0]) };
	struct numbers counts = { 0 };
	wide total = 0, sum = 0;
	size_t at = 0;

	profile_sort(p);
	for (size_t i = 0; i < p->nfunctions; i++)
		collect(&p->functions[i]->body, &counts);
	if (counts.count)
		qsort(counts.number, counts.count, sizeof(uint64_t),
		      by_falling);
	for (size_t i = 0; i < counts.count; i++)
		total += counts.number[i];

	free(p->cutoffs);
	p->ncutoffs = counts.count ? SHARES : 0;
	p->cutoffs = fdo_alloc(p->ncutoffs, sizeof(*p->cutoffs));
	p->max_count = counts.count ? counts.number[0] : 0;
	for (size_t i = 0; i < p->ncutoffs; i++) {
		while (sum * 1000000 < total * shares[i])
			sum += counts.number[at++];
		p->cutoffs[i] = (struct profile_cutoff){
			.share = shares[i],
			.min_count = counts.number[at - 1],
			.blocks = at,
		};
	}
	free(counts.number);
}
