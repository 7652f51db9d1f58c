/*
 * contexts.c - the profile once more, in which each function has all bodies
 * of it as one, so that any of them can be held against that.
 */
#include "plugin/contexts.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"

/* Standard errors that a count may be off by chance. */
static const double chance = 2;

/* Of what a body executes, so much has to be told apart. */
static const double least_share = .1;

struct contexts {
	struct profile *all;
	struct fdo_map *own; /* of a function of all: its body in the profile */
};

struct contexts *contexts_new(void)
{
	struct contexts *c = fdo_alloc(1, sizeof(*c));

	c->all = profile_new();
	c->own = fdo_map_new();
	return c;
}

void contexts_free(struct contexts *c)
{
	if (!c)
		return;
	profile_free(c->all);
	fdo_map_free(c->own);
	free(c);
}

static bool is_whole(const struct profile_count *c)
{
	return c->key.discriminator == PROFILE_ANY && !c->flags;
}

static void add_count(struct contexts *c, struct profile_body *to,
		      const struct profile_count *count)
{
	struct profile_count *sum = profile_count_at(c->all, to, count->key);

	sum->count = profile_sum(sum->count, count->count);
	sum->error = (uint64_t)hypot((double)sum->error, (double)count->error);
	sum->flags |= count->flags;
}

static struct profile_body *inlined(struct contexts *c, struct profile_body *in,
				    const struct profile_body *body)
{
	return profile_add_inlined(c->all, in, body->call, body->name,
				   body->file, body->start_line);
}

static void add_body(struct contexts *c, struct profile_body *to,
		     const struct profile_body *body)
{
	for (size_t i = 0; i < body->ncounts; i++)
		if (body->counts[i].key.discriminator == PROFILE_ANY)
			add_count(c, to, &body->counts[i]);
	for (size_t i = 0; i < body->ninlined; i++)
		add_body(c, inlined(c, to, body->inlined[i]), body->inlined[i]);
}

static struct profile_body *whole(struct contexts *c,
				  const struct profile_body *body)
{
	return &profile_add_function(c->all, body->name, body->file,
				     body->start_line)
			->body;
}

static void add_all(struct contexts *c, const struct profile_body *body)
{
	add_body(c, whole(c, body), body);
	for (size_t i = 0; i < body->ninlined; i++)
		add_all(c, body->inlined[i]);
}

static uint64_t key_of(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

void contexts_add(struct contexts *c, const struct profile_body *body)
{
	add_all(c, body);
	*fdo_map_at(c->own, key_of(whole(c, body))) = key_of(body);
}

const struct profile_body *contexts_whole(struct contexts *c,
					  const struct profile_body *body)
{
	return whole(c, body);
}

/* What is first in the source; NULL: nothing. */
static const struct profile_count *first_of(const struct profile_body *body)
{
	const struct profile_count *first = NULL;

	for (size_t i = 0; i < body->ncounts; i++) {
		const struct profile_count *c = &body->counts[i];

		if (!is_whole(c) || c->key.file || c->key.line < 0)
			continue;
		if (!first || profile_compare_keys(&c->key, &first->key) < 0)
			first = c;
	}
	return first;
}

static const struct profile_count *count_at(const struct profile_body *body,
					    const struct profile_key *key)
{
	for (size_t i = 0; i < body->ncounts; i++)
		if (body->counts[i].key.line == key->line &&
		    body->counts[i].key.column == key->column &&
		    body->counts[i].key.discriminator == PROFILE_ANY)
			return &body->counts[i];
	return NULL;
}

/*
 * Was only the beginning of a function inlined, and the rest made a function
 * that is called?  Then that one begins elsewhere, and has what is not here.
 */
static bool is_beginning(struct contexts *c, const struct profile_body *body)
{
	const uint64_t *at = fdo_map_get(c->own, key_of(whole(c, body)));
	const struct profile_body *own =
		at ? (const struct profile_body *)(uintptr_t)*at : NULL;
	const struct profile_count *first = first_of(body);

	if (!own || !first || count_at(own, &first->key))
		return false;
	for (size_t i = 0; i < own->ncounts; i++)
		if (own->counts[i].count && is_whole(&own->counts[i]) &&
		    !count_at(body, &own->counts[i].key))
			return true;
	return false;
}

/* How much of a body's executions is expected to be elsewhere. */
static double own_difference(struct contexts *c,
			     const struct profile_body *body,
			     struct profile_body *other)
{
	const struct profile_count *first = first_of(body),
				   *first_other = first_of(other);
	double scale, worst = 0, all = 0, wrong = 0;

	if (!first || !first_other || first_other->count == 0)
		return 0;
	scale = (double)first->count / (double)first_other->count;
	for (size_t i = 0; i < body->ncounts; i++) {
		const struct profile_count *count = &body->counts[i];
		double expected, off;

		if (!is_whole(count))
			continue;
		expected = scale *
			   (double)profile_count_at(c->all, other, count->key)
				   ->count;
		off = fmax(fabs(expected - (double)count->count) -
				   chance * (double)count->error,
			   0);
		all += (double)count->count + expected;
		wrong += off;
		worst = fmax(worst, off);
	}
	return wrong < all * least_share ? 0 : worst;
}

static double difference(struct contexts *c, const struct profile_body *body,
			 struct profile_body *other)
{
	double most = own_difference(c, body, other);

	for (size_t i = 0; i < body->ninlined; i++)
		most = fmax(most,
			    difference(c, body->inlined[i],
				       inlined(c, other, body->inlined[i])));
	return most;
}

uint64_t contexts_difference(struct contexts *c,
			     const struct profile_body *body)
{
	double most = 0;

	if (!is_beginning(c, body))
		most = difference(c, body, whole(c, body));
	return most < (double)PROFILE_MAX ? (uint64_t)most : PROFILE_MAX;
}
