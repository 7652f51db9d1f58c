/*
 * merge.c - add up profiles, and what follows from the sums.
 *
 * The order in which profiles are added must not be seen in the result, so
 * nothing is rounded on the way: squares of errors and sums of periods are
 * kept whole, each as a number and a rest (profile.h).
 *
 * Lists of both are sorted, so of each thing that is added, the place is behind
 * that of the last one.  What is not there yet goes to the end, and the list is
 * sorted when all is added.  Only what "samplefdo remap" has moved may be there
 * twice in what is added, one after the other.  Call targets and values are not
 * sorted by what they are: all go to the end, and sorting joins the same.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "profile/private.h"
#include "profile/profile.h"
#include "profile/unsampled.h"
#include "profile/values.h"

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
	uint64_t root = sqrtl((long double)value);

	while ((wide)root * root > value)
		root--;
	while ((wide)(root + 1) * (root + 1) <= value)
		root++;
	return root;
}

static wide variance(const struct profile_count *count)
{
	return wide_sum((wide)count->error * count->error, count->error_rest);
}

/* How much one is added to another, and whose the texts of the sum are. */
struct addition {
	uint64_t weight;
	struct fdo_strings *strings; /* NULL: those of what is added */
};

static const char *own_text(const struct addition *a, const char *text)
{
	return a->strings ? fdo_intern(a->strings, text) : text;
}

static void add_error(const struct addition *a, struct profile_count *into,
		      const struct profile_count *from)
{
	wide added =
		wide_times(wide_times(variance(from), a->weight), a->weight);
	wide sum = wide_sum(variance(into), added);

	into->error = square_root(sum);
	into->error_rest = sum - (wide)into->error * into->error;
}

static void add_target(const struct addition *a, struct profile_count *into,
		       const struct profile_target *from)
{
	into->targets = profile_grow(into->targets, into->ntargets,
				     sizeof(*into->targets));
	into->targets[into->ntargets++] = (struct profile_target){
		.name = own_text(a, from->name),
		.count = times(from->count, a->weight),
	};
}

static void add_count(const struct addition *a, struct profile_count *into,
		      const struct profile_count *from)
{
	into->count = profile_sum(into->count, times(from->count, a->weight));
	into->flags |= from->flags;
	if (from->error || from->error_rest)
		add_error(a, into, from);
	for (size_t i = 0; i < from->ntargets; i++)
		add_target(a, into, &from->targets[i]);
	if (from->ntargets)
		profile_sort_targets(into);
	for (uint32_t i = 0; i < from->nvalues; i++) {
		struct profile_value value = from->values[i];

		value.count = times(value.count, a->weight);
		profile_add_value(into, &value);
	}
	if (from->nvalues)
		values_sort(into);
}

/*
 * Where the key is among the first n, looked for from *at on, or else at the
 * end, if what was added last is it; NULL: nowhere.
 */
static struct profile_count *find_count(const struct profile_body *body,
					const struct profile_key *key, size_t n,
					size_t *at)
{
	int order = 1;

	while (*at < n &&
	       (order = profile_compare_keys(&body->counts[*at].key, key)) < 0)
		++*at;
	if (order == 0)
		return &body->counts[*at];
	if (body->ncounts == n ||
	    profile_compare_keys(&body->counts[body->ncounts - 1].key, key))
		return NULL;
	return &body->counts[body->ncounts - 1];
}

/* Keys without a file mean that of the function, which is the same. */
static void add_counts(const struct addition *a, struct profile_body *into,
		       const struct profile_body *from)
{
	size_t n = into->ncounts, at = 0;

	for (size_t i = 0; i < from->ncounts; i++) {
		const struct profile_key *key = &from->counts[i].key;
		struct profile_count *count = find_count(into, key, n, &at);

		if (!count) {
			count = profile_append_count(into);
			count->key = *key;
			count->key.file = own_text(a, key->file);
		}
		add_count(a, count, &from->counts[i]);
	}
	if (n && into->ncounts > n)
		profile_sort_counts(into);
}

/* As find_count(). */
static struct profile_body *find_inlined(const struct profile_body *body,
					 const struct profile_body *wanted,
					 size_t n, size_t *at)
{
	int order = 1;

	while (*at < n && (order = profile_compare_inlined(body->inlined[*at],
							   wanted)) < 0)
		++*at;
	if (order == 0)
		return body->inlined[*at];
	if (body->ninlined == n ||
	    profile_compare_inlined(body->inlined[body->ninlined - 1], wanted))
		return NULL;
	return body->inlined[body->ninlined - 1];
}

/* The same function, of which nothing is known. */
static void name_body(const struct addition *a, struct profile_body *body,
		      const struct profile_body *like)
{
	body->name = own_text(a, like->name);
	body->file = own_text(a, like->file);
	body->start_line = like->start_line;
	body->call = like->call;
	body->call.file = own_text(a, like->call.file);
}

static struct profile_count *entry_of(const struct profile_body *body)
{
	for (size_t i = 0; i < body->ncounts; i++)
		if (profile_is_entry_key(&body->counts[i].key))
			return &body->counts[i];
	return NULL;
}

/* What never ran was not entered. */
static bool tells_entries(const struct profile_body *body)
{
	return body->total == 0 || entry_of(body);
}

static void drop_entry(struct profile_body *body)
{
	struct profile_count *entry = entry_of(body);

	if (!entry)
		return;
	profile_count_deinit(entry);
	memmove(entry, entry + 1,
		(size_t)(body->counts + body->ncounts - (entry + 1)) *
			sizeof(*entry));
	body->ncounts--;
}

static void add_body(const struct addition *a, struct profile_body *into,
		     const struct profile_body *from)
{
	bool known = tells_entries(into) && tells_entries(from);
	size_t n = into->ninlined, at = 0;

	into->total = profile_sum(into->total, times(from->total, a->weight));
	add_counts(a, into, from);
	/* One of them would be taken for both. */
	if (!known)
		drop_entry(into);
	for (size_t i = 0; i < from->ninlined; i++) {
		const struct profile_body *added = from->inlined[i];
		struct profile_body *body = find_inlined(into, added, n, &at);

		if (!body) {
			body = profile_append_inlined(into);
			name_body(a, body, added);
		}
		add_body(a, body, added);
	}
	if (n && into->ninlined > n)
		profile_sort_inlined(into);
}

static void add_hosts(const struct addition *a, struct profile_function *into,
		      const struct profile_function *from)
{
	size_t n = into->nhosts, at = 0;

	for (size_t i = 0; i < from->nhosts; i++) {
		int order = 1;

		while (at < n && (order = profile_compare_texts(
					  into->hosts[at], from->hosts[i])) < 0)
			at++;
		if (order == 0)
			continue;
		into->hosts = profile_grow(into->hosts, into->nhosts,
					   sizeof(*into->hosts));
		into->hosts[into->nhosts++] = own_text(a, from->hosts[i]);
	}
	if (n && into->nhosts > n)
		profile_sort_hosts(into);
}

/* binaries: those of the sum, by number in what is added. */
static void add_function(const struct addition *a,
			 struct profile_function *into,
			 const struct profile_function *from,
			 const uint32_t *binaries)
{
	add_body(a, &into->body, &from->body);
	into->entry = profile_sum(into->entry, times(from->entry, a->weight));
	into->samples = profile_sum(into->samples, from->samples);
	profile_use(into, from->first_use);
	for (size_t i = 0; i < from->nbinaries; i++)
		profile_add_source(into, binaries[from->binaries[i]]);
	add_hosts(a, into, from);
}

void profile_add_to_function(struct profile_function *into,
			     const struct profile_function *from,
			     uint64_t weight, const uint32_t *binaries)
{
	struct addition a = { .weight = weight };

	if (!into->body.name)
		name_body(&a, &into->body, &from->body);
	add_function(&a, into, from, binaries);
	profile_sort_sources(into);
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

/* As find_count(). */
static struct profile_function *find_function(const struct profile *p,
					      const struct profile_body *wanted,
					      size_t n, size_t *at)
{
	struct profile_function *last = NULL;
	int order = 1;

	while (*at < n && (order = profile_compare_bodies(
				   &p->functions[*at]->body, wanted)) < 0)
		++*at;
	if (order == 0)
		return p->functions[*at];
	if (p->nfunctions > n)
		last = p->functions[p->nfunctions - 1];
	return last && profile_compare_bodies(&last->body, wanted) == 0 ? last
									: NULL;
}

static void add_functions(const struct addition *a, struct profile *into,
			  const struct profile *from, const uint32_t *binaries)
{
	size_t n = into->nfunctions, at = 0;

	profile_forget_places(into);
	for (size_t i = 0; i < from->nfunctions; i++) {
		const struct profile_function *added = from->functions[i];
		struct profile_function *f =
			find_function(into, &added->body, n, &at);

		if (!f) {
			f = fdo_alloc(1, sizeof(*f));
			name_body(a, &f->body, &added->body);
			profile_append_function(into, f);
		}
		add_function(a, f, added, binaries);
	}
	if (into->nfunctions > n)
		profile_sort_functions(into);
}

static void add_model(struct profile *p, const char *model)
{
	if (!p->model)
		p->model = profile_text(p, model);
	else if (model && strcmp(p->model, model) != 0)
		p->model = profile_text(p, "mixed");
}

uint32_t *profile_add_binaries(struct profile *into, const struct profile *from)
{
	uint32_t *binaries = fdo_alloc(from->nbinaries, sizeof(*binaries));

	for (size_t i = 0; i < from->nbinaries; i++)
		binaries[i] = profile_add_binary(into, &from->binaries[i]);
	return binaries;
}

void profile_merge_whole(struct profile *into, const struct profile *from)
{
	if (profile_compare_texts(into->tool, from->tool) < 0)
		into->tool = profile_text(into, from->tool);
	add_model(into, from->model);
	for (size_t i = 0; i < from->nevents; i++)
		add_event(into, &from->events[i]);
	free(into->cutoffs);
	into->cutoffs = NULL;
	into->ncutoffs = 0;
	into->max_count = 0;
}

void profile_merge(struct profile *into, const struct profile *from,
		   uint64_t weight)
{
	struct addition a = {
		.weight = weight,
		.strings = into->private_->strings,
	};
	uint32_t *binaries;

	assert(weight > 0 && into != from);
	profile_merge_whole(into, from);
	binaries = profile_add_binaries(into, from);
	add_functions(&a, into, from, binaries);
	free(binaries);
	for (size_t i = 0; i < from->nunsampled; i++)
		profile_add_unsampled(into, &from->unsampled[i]);
	unsampled_sort(into);
}
