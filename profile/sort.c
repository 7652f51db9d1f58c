/*
 * sort.c - the one order of everything, and what follows from the rest.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "profile/private.h"
#include "profile/profile.h"
#include "profile/unsampled.h"
#include "profile/values.h"

static uint64_t at_most(uint64_t value, uint64_t most)
{
	return value < most ? value : most;
}

static int by_name_and_role(const void *a, const void *b)
{
	const struct profile_event *x = a, *y = b;
	int order = profile_compare_texts(x->name, y->name);

	return order ? order : profile_compare_texts(x->role, y->role);
}

static void sort_events(struct profile *p)
{
	for (size_t i = 0; i < p->nevents; i++) {
		struct profile_event *event = &p->events[i];

		event->period = at_most(event->period, PROFILE_MAX);
		event->samples = at_most(event->samples, PROFILE_MAX);
		event->mapped = at_most(event->mapped, PROFILE_MAX);
		if (event->period_rest >= event->samples)
			event->period_rest = 0;
	}
	if (p->nevents)
		qsort(p->events, p->nevents, sizeof(*p->events),
		      by_name_and_role);
}

/* A binary and the place where it was before. */
struct placed {
	struct profile_binary binary;
	uint32_t place;
};

static int by_binary(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return profile_compare_binaries(&x->binary, &y->binary);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void profile_sort_sources(struct profile_function *f)
{
	if (f->nbinaries > 1)
		qsort(f->binaries, f->nbinaries, sizeof(*f->binaries),
		      by_number);
}

static void renumber(struct profile_function *f, const uint32_t *now, size_t n)
{
	for (size_t i = 0; i < f->nbinaries; i++) {
		assert(f->binaries[i] < n);
		f->binaries[i] = now[f->binaries[i]];
	}
	profile_sort_sources(f);
}

static void sort_binaries(struct profile *p)
{
	size_t n = p->nbinaries;
	struct placed *placed = fdo_alloc(n, sizeof(*placed));
	uint32_t *now = fdo_alloc(n, sizeof(*now));

	for (size_t i = 0; i < n; i++)
		placed[i] = (struct placed){ p->binaries[i], i };
	qsort(placed, n, sizeof(*placed), by_binary);
	for (size_t i = 0; i < n; i++) {
		p->binaries[i] = placed[i].binary;
		now[placed[i].place] = i;
	}
	for (size_t i = 0; i < p->nfunctions; i++)
		renumber(p->functions[i], now, n);
	free(placed);
	free(now);
}

static int by_share(const void *a, const void *b)
{
	const struct profile_cutoff *x = a, *y = b;

	return (x->share > y->share) - (x->share < y->share);
}

static void sort_cutoffs(struct profile *p)
{
	p->max_count = at_most(p->max_count, PROFILE_MAX);
	for (size_t i = 0; i < p->ncutoffs; i++) {
		struct profile_cutoff *cutoff = &p->cutoffs[i];

		cutoff->min_count = at_most(cutoff->min_count, PROFILE_MAX);
		cutoff->blocks = at_most(cutoff->blocks, PROFILE_MAX);
	}
	if (p->ncutoffs)
		qsort(p->cutoffs, p->ncutoffs, sizeof(*p->cutoffs), by_share);
}

static int by_falling_count(const void *a, const void *b)
{
	const struct profile_target *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return profile_compare_texts(x->name, y->name);
}

static int by_name(const void *a, const void *b)
{
	const struct profile_target *x = a, *y = b;

	return profile_compare_texts(x->name, y->name);
}

static int by_key(const void *a, const void *b)
{
	const struct profile_count *x = a, *y = b;

	return profile_compare_keys(&x->key, &y->key);
}

static int by_call(const void *a, const void *b)
{
	return profile_compare_inlined(*(struct profile_body *const *)a,
				       *(struct profile_body *const *)b);
}

static int by_text(const void *a, const void *b)
{
	return profile_compare_texts(*(const char *const *)a,
				     *(const char *const *)b);
}

void profile_sort_hosts(struct profile_function *f)
{
	if (f->nhosts > 1)
		qsort(f->hosts, f->nhosts, sizeof(*f->hosts), by_text);
}

static void join_targets(struct profile_count *count)
{
	struct profile_target *targets = count->targets;
	size_t n = 0;

	qsort(targets, count->ntargets, sizeof(*targets), by_name);
	for (size_t i = 0; i < count->ntargets; i++)
		if (n && by_name(&targets[n - 1], &targets[i]) == 0)
			targets[n - 1].count = profile_sum(targets[n - 1].count,
							   targets[i].count);
		else
			targets[n++] = targets[i];
	count->ntargets = n;
}

void profile_sort_targets(struct profile_count *count)
{
	if (count->ntargets < 2)
		return;
	join_targets(count);
	qsort(count->targets, count->ntargets, sizeof(*count->targets),
	      by_falling_count);
}

void profile_sort_counts(struct profile_body *body)
{
	if (body->ncounts > 1)
		qsort(body->counts, body->ncounts, sizeof(*body->counts),
		      by_key);
}

void profile_sort_inlined(struct profile_body *body)
{
	if (body->ninlined > 1)
		qsort(body->inlined, body->ninlined, sizeof(*body->inlined),
		      by_call);
}

static void sort_count(struct profile_count *count)
{
	count->count = at_most(count->count, PROFILE_MAX);
	count->error = at_most(count->error, PROFILE_MAX);
	if (count->error_rest > 2 * count->error || count->error == PROFILE_MAX)
		count->error_rest = 0;
	profile_sort_targets(count);
	values_sort(count);
}

static void sort_body(struct profile_body *body)
{
	body->total = at_most(body->total, PROFILE_MAX);
	for (size_t i = 0; i < body->ncounts; i++)
		sort_count(&body->counts[i]);
	profile_sort_counts(body);
	for (size_t i = 0; i < body->ninlined; i++)
		sort_body(body->inlined[i]);
	profile_sort_inlined(body);
}

static int by_body(const void *a, const void *b)
{
	const struct profile_function *const *x = a, *const *y = b;

	return profile_compare_bodies(&(*x)->body, &(*y)->body);
}

void profile_sort_functions(struct profile *p)
{
	if (p->nfunctions > 1)
		qsort(p->functions, p->nfunctions, sizeof(*p->functions),
		      by_body);
}

struct ordered profile_ordered(struct profile_function *f)
{
	return (struct ordered){
		.hash = fdo_hash_text(f->body.name),
		.function = f,
	};
}

int profile_compare_ordered(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return profile_compare_bodies(&x->function->body, &y->function->body);
}

struct ordered *profile_order(const struct profile *p)
{
	struct ordered *order = fdo_alloc(p->nfunctions, sizeof(*order));

	for (size_t i = 0; i < p->nfunctions; i++)
		order[i] = profile_ordered(p->functions[i]);
	qsort(order, p->nfunctions, sizeof(*order), profile_compare_ordered);
	return order;
}

/*
 * Tell the functions inlined in the body about the host.  Hosts come in
 * order, so that a name that is there already is the last one.
 */
static void add_host(struct profile *p, const struct profile_body *body,
		     const char *host)
{
	for (size_t i = 0; i < body->ninlined; i++) {
		const struct profile_body *inlined = body->inlined[i];
		struct profile_function *f = profile_add_function(
			p, inlined->name, inlined->file, inlined->start_line);

		if (!f->nhosts || f->hosts[f->nhosts - 1] != host) {
			f->hosts = profile_grow(f->hosts, f->nhosts,
						sizeof(*f->hosts));
			f->hosts[f->nhosts++] = host;
		}
		add_host(p, inlined, host);
	}
}

static void find_hosts(struct profile *p)
{
	size_t n = p->nfunctions;

	for (size_t i = 0; i < n; i++)
		p->functions[i]->nhosts = 0;
	/* Those that are added for their hosts alone come after n. */
	for (size_t i = 0; i < n; i++)
		add_host(p, &p->functions[i]->body, p->functions[i]->body.name);
}

void profile_sort(struct profile *p)
{
	assert(!p->private_->file);
	sort_events(p);
	sort_binaries(p);
	sort_cutoffs(p);
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct profile_function *f = p->functions[i];

		f->entry = at_most(f->entry, PROFILE_MAX);
		f->samples = at_most(f->samples, PROFILE_MAX);
		f->first_use = at_most(f->first_use, PROFILE_MAX);
		sort_body(&f->body);
	}
	profile_forget_places(p);
	profile_sort_functions(p);
	find_hosts(p);
	profile_sort_functions(p);
	unsampled_sort(p);
}
