#include "plugin/sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "plugin/shape.h"

/*
 * A function is the one that was profiled if half of its places are there; of
 * fewer than these one cannot tell.
 */
enum { PLACES_TO_JUDGE_BY = 4 };

/* One that only has the same name has to have more in common. */
enum { PLACES_TO_KNOW_BY = 8 };

struct source {
	struct function_id function;
	const struct instance *own; /* NULL: only inlined */
	struct shape then, now;
	struct shape_match *match; /* NULL: not known, or the same */
	struct unit_fit fit;
	bool is_shared; /* then is of others as well */
	/*
	 * With -g1 a lambda is declared nowhere, and its lines are those of the
	 * file: so much is to be taken from them.
	 */
	int32_t excess;
};

/* A name of a source, and the one before that has it, from 1. */
struct named {
	struct source *source;
	size_t previous;
};

struct sources {
	struct source **all;
	size_t n, room;
	struct fdo_map *by_name; /* the last one of a name, from 1 */
	struct named *names;
	size_t nnames, room_names;
};

struct sources *sources_new(void)
{
	struct sources *all = fdo_alloc(1, sizeof(*all));

	all->by_name = fdo_map_new();
	return all;
}

void sources_free(struct sources *all)
{
	if (!all)
		return;
	for (size_t i = 0; i < all->n; i++) {
		shape_deinit(&all->all[i]->then);
		shape_deinit(&all->all[i]->now);
		shape_match_free(all->all[i]->match);
		free(all->all[i]);
	}
	free(all->all);
	free(all->names);
	fdo_map_free(all->by_name);
	free(all);
}

const char *source_name(const struct function_id *function)
{
	for (size_t i = 1; i < FUNCTION_NAMES; i++)
		if (function->names[i])
			return function->names[i];
	return function->names[0];
}

static size_t last_of(const struct sources *all, const char *name)
{
	const uint64_t *last =
		fdo_map_get(all->by_name, (uint64_t)(uintptr_t)name);

	return last ? *last : 0;
}

static struct source *find(const struct sources *all,
			   const struct function_id *function)
{
	const char *name = source_name(function);

	for (size_t at = last_of(all, name); at;
	     at = all->names[at - 1].previous) {
		struct source *s = all->names[at - 1].source;

		if (s->function.file == function->file &&
		    s->function.start_line == function->start_line &&
		    source_name(&s->function) == name)
			return s;
	}
	return NULL;
}

static void add_name(struct sources *all, struct source *s, const char *name)
{
	size_t last = last_of(all, name);

	if (!name || (last && all->names[last - 1].source == s))
		return;
	all->names = fdo_grow(all->names, all->nnames, &all->room_names,
			      sizeof(*all->names));
	all->names[all->nnames++] = (struct named){ s, last };
	*fdo_map_at(all->by_name, (uint64_t)(uintptr_t)name) = all->nnames;
}

struct source *sources_add(struct sources *all,
			   const struct function_id *function)
{
	struct source *s = find(all, function);

	if (s)
		return s;
	s = fdo_alloc(1, sizeof(*s));
	s->function = *function;
	all->all = fdo_grow(all->all, all->n, &all->room, sizeof(*all->all));
	all->all[all->n++] = s;
	for (size_t i = 0; i < FUNCTION_NAMES; i++)
		add_name(all, s, function->names[i]);
	return s;
}

void source_own(struct source *s, const struct instance *in)
{
	if (!s->own)
		s->own = in;
}

void source_see(struct source *s, int32_t line, uint32_t column,
		const char *call)
{
	shape_add(&s->now, line, column, call);
}

struct learner {
	const struct sources *all;
	unsigned (*likeness)(const struct function_id *function,
			     const struct instance *own,
			     const struct profile_body *body);
};

/* Two lambdas in one line, say, cannot be told apart. */
enum { MAX_ALIKE = 8 };

/* The sources that a body suits best; at most MAX_ALIKE. */
static size_t sources_of(const struct learner *l,
			 const struct profile_body *body, struct source **ret)
{
	unsigned most = 0;
	size_t n = 0;

	for (size_t at = last_of(l->all, body->name); at;
	     at = l->all->names[at - 1].previous) {
		struct source *s = l->all->names[at - 1].source;
		unsigned likely = l->likeness(&s->function, s->own, body);

		if (likely < most || likely == 0)
			continue;
		if (likely > most)
			n = 0;
		most = likely;
		if (n < MAX_ALIKE)
			ret[n++] = s;
	}
	return most == SOURCE_IF_ALONE && n > 1 ? 0 : n;
}

/* A body that is declared nowhere has no file of its own. */
static bool is_own(const struct source *s, const struct profile_key *key)
{
	return !key->file || (s->excess && s->function.file &&
			      strcmp(fdo_file_base(key->file),
				     fdo_file_base(s->function.file)) == 0);
}

static void learn_counts(const struct source *s, struct shape *then,
			 const struct profile_body *body)
{
	for (size_t i = 0; i < body->ncounts; i++) {
		const struct profile_count *c = &body->counts[i];

		if (c->key.discriminator != PROFILE_ANY || !is_own(s, &c->key))
			continue;
		shape_add(then, c->key.line - s->excess, c->key.column,
			  c->ntargets == 1 ? c->targets->name : NULL);
	}
}

/* How many of a body's places are where they were; *places_ret: of how many. */
static size_t count_still(struct source *s, const struct profile_body *body,
			  size_t *places_ret)
{
	struct shape then = { 0 };
	struct shape_match *m;
	size_t stay;

	learn_counts(s, &then, body);
	m = shape_match_still(&then, &s->now);
	*places_ret = m->places;
	stay = m->stay;
	shape_match_free(m);
	shape_deinit(&then);
	return stay;
}

double source_resemblance(struct source *s, const struct profile_body *body)
{
	size_t places, stay = count_still(s, body, &places);

	return places < PLACES_TO_KNOW_BY ? 0 : (double)stay / (double)places;
}

double source_part(struct source *s, const struct profile_body *body)
{
	size_t places, stay = count_still(s, body, &places);

	return places ? (double)stay / (double)places : 0;
}

bool source_looks_like(struct source *s, const struct profile_body *body)
{
	return source_resemblance(s, body) >= 0.9;
}

static void learn_body(struct source *s, const struct profile_body *body)
{
	if (!s->now.n)
		return;
	if (!body->start_line)
		s->excess = (int32_t)s->function.start_line;
	learn_counts(s, &s->then, body);
	for (size_t i = 0; i < body->ninlined; i++) {
		const struct profile_body *callee = body->inlined[i];

		if (is_own(s, &callee->call))
			shape_add(&s->then, callee->call.line - s->excess,
				  callee->call.column, callee->name);
	}
}

static void learn(const struct learner *l, const struct profile_body *body)
{
	struct source *alike[MAX_ALIKE];
	size_t n = sources_of(l, body, alike);

	for (size_t i = 0; i < n; i++) {
		learn_body(alike[i], body);
		alike[i]->is_shared |= n > 1;
	}
	for (size_t i = 0; i < body->ninlined; i++)
		learn(l, body->inlined[i]);
}

/* What is known of several may have places that one of them never had. */
static size_t places_of(const struct source *s, const struct shape_match *m)
{
	return s->is_shared && s->now.n < m->places ? s->now.n : m->places;
}

/*
 * Some copy may have a place in another function, by code that both need; what
 * the function has is in most of them.
 */
static void match(struct source *s)
{
	struct shape_match *m = shape_match(&s->then, &s->now);

	s->fit.places = places_of(s, m);
	s->fit.stay = m->stay;
	s->fit.found = m->found;
	s->fit.unfit = s->fit.places >= PLACES_TO_JUDGE_BY &&
		       2 * m->found < s->fit.places &&
		       2 * m->seen_found < m->seen;
	if (m->found > m->stay)
		s->match = m;
	else
		shape_match_free(m);
}

void sources_match(struct sources *all,
		   const struct profile_function *const *functions, size_t n,
		   unsigned (*likeness)(const struct function_id *function,
					const struct instance *own,
					const struct profile_body *body))
{
	struct learner l = { all, likeness };

	for (size_t i = 0; i < n; i++)
		learn(&l, &functions[i]->body);
	for (size_t i = 0; i < all->n; i++)
		if (all->all[i]->then.n && all->all[i]->now.n)
			match(all->all[i]);
}

bool source_move(const struct source *s, struct profile_key *key)
{
	if (s->fit.unfit)
		return false;
	if (!is_own(s, key))
		return true;
	key->line -= s->excess;
	if (!s->match)
		return true;
	return shape_move(s->match, &key->line, &key->column);
}

bool source_move_call(const struct source *s, struct profile_key *call,
		      const char *name)
{
	const struct shape_place *now;

	if (!s->fit.unfit)
		return source_move(s, call);
	now = shape_only_call(s->now.places, s->now.n, name);
	if (!now || !is_own(s, call) ||
	    !shape_only_call(s->then.places, s->then.n, name))
		return false;
	call->line = now->line;
	call->column = now->column;
	return true;
}

int32_t source_first_line(const struct source *s)
{
	int32_t first = INT32_MAX;

	for (size_t i = 0; i < s->now.n; i++)
		if (s->now.places[i].line < first)
			first = s->now.places[i].line;
	return first;
}

int32_t source_last_line(const struct source *s)
{
	int32_t last = 0;

	for (size_t i = 0; i < s->now.n; i++)
		if (s->now.places[i].line > last)
			last = s->now.places[i].line;
	return last;
}

struct unit_fit source_fit(const struct source *s)
{
	return s->fit;
}
