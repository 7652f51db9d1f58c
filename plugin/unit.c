/*
 * unit.c - the profile's inline trees, laid over the compiler's.
 *
 * Each function of the profile that may hold code of ours is walked once
 * from its outermost body.  As long as the calls on the way are inlined in
 * the compiler's tree as well, the two trees are walked together.  At the
 * first call that is not, the walk continues in the called function's own
 * body, whatever was around it.  Copies that then have nothing, since they
 * were calls in the binary, get their part of the called function's own body.
 */
#include "plugin/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "plugin/names.h"
#include "plugin/sources.h"
#include "plugin/targets.h"

/*
 * A function inlined in thousands of others (in a library's header, in a
 * profile of everything) is described well enough by the first of them.
 */
enum { MAX_HOSTS = 500 };

/* Deeper inlining than any compiler does. */
enum { MAX_DEPTH = 500 };

/* Of a constructor: complete, base, and allocating ones. */
enum { MAX_VARIANTS = 4 };

struct unit {
	struct profile *profile;
	struct instance **functions;
	size_t nfunctions, room_functions;
	struct fdo_map *by_name; /* name: last function of it, from 1 */
	size_t *previous;	 /* of the same name, from 1; three for each */
	size_t room_previous;
	struct instance **instances;
	size_t ninstances, room_instances;
	struct fdo_map *places; /* place: count, from 1 */
	struct place_count *counts;
	size_t ncounts, room_counts;
	struct fdo_map *known;		      /* functions of the profile */
	struct fdo_map *loaded;		      /* names of hosts */
	const struct profile_function **read; /* those that are known */
	size_t nread, room_read;
	struct sources *sources;
	struct targets *targets;
};

struct unit *unit_new(struct profile *p)
{
	struct unit *u = fdo_alloc(1, sizeof(*u));

	u->profile = p;
	u->by_name = fdo_map_new();
	u->places = fdo_map_new();
	u->known = fdo_map_new();
	u->loaded = fdo_map_new();
	u->sources = sources_new();
	u->targets = targets_new();
	return u;
}

void unit_free(struct unit *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->ninstances; i++) {
		free(u->instances[i]->inlined);
		free(u->instances[i]);
	}
	free(u->instances);
	free(u->functions);
	free(u->previous);
	free(u->counts);
	fdo_map_free(u->by_name);
	fdo_map_free(u->places);
	fdo_map_free(u->known);
	fdo_map_free(u->loaded);
	free(u->read);
	sources_free(u->sources);
	targets_free(u->targets);
	free(u);
}

static struct instance *add_instance(struct unit *u,
				     const struct function_id *function)
{
	struct instance *in = fdo_alloc(1, sizeof(*in));

	in->id = (uint32_t)u->ninstances;
	in->function = *function;
	in->source = sources_add(u->sources, function);
	u->instances = fdo_grow(u->instances, u->ninstances, &u->room_instances,
				sizeof(*u->instances));
	u->instances[u->ninstances++] = in;
	return in;
}

static uint64_t key_of(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

struct instance *unit_add_function(struct unit *u,
				   const struct function_id *function)
{
	struct instance *in = add_instance(u, function);
	size_t n = u->nfunctions;

	u->functions = fdo_grow(u->functions, n, &u->room_functions,
				sizeof(*u->functions));
	u->functions[u->nfunctions++] = in;
	for (size_t i = 0; i < FUNCTION_NAMES; i++) {
		uint64_t *last;

		u->previous = fdo_grow(u->previous, n * FUNCTION_NAMES + i,
				       &u->room_previous, sizeof(*u->previous));
		u->previous[n * FUNCTION_NAMES + i] = 0;
		if (!function->names[i])
			continue;
		last = fdo_map_at(u->by_name, key_of(function->names[i]));
		u->previous[n * FUNCTION_NAMES + i] = *last;
		*last = n * FUNCTION_NAMES + i + 1;
	}
	return in;
}

/* Unknown columns are like any other. */
static bool same_column(uint32_t a, uint32_t b)
{
	return a == b || a == 0 || b == 0;
}

static bool same_call(const struct instance *in, int32_t line, uint32_t column)
{
	return in->call_line == line && same_column(in->call_column, column);
}

struct instance *unit_add_inlined(struct unit *u, struct instance *in,
				  int32_t call_line, uint32_t call_column,
				  const struct function_id *function)
{
	struct instance *new;

	for (size_t i = 0; i < in->ninlined; i++) {
		const struct instance *old = in->inlined[i];

		if (old->call_line == call_line &&
		    old->call_column == call_column &&
		    names_has(&old->function, function->names[0]))
			return in->inlined[i];
	}
	new = add_instance(u, function);
	new->outer = in;
	new->call_line = call_line;
	new->call_column = call_column;
	in->inlined = fdo_grow(in->inlined, in->ninlined, &in->room_inlined,
			       sizeof(*in->inlined));
	in->inlined[in->ninlined++] = new;
	source_see(in->source, call_line, call_column, source_name(function));
	return new;
}

/* Code of another file, of a macro's say, is no part of the shape. */
static bool is_own_file(const struct instance *in, const char *file)
{
	return !file || !in->function.file ||
	       strcmp(names_base(file), names_base(in->function.file)) == 0;
}

void unit_see(struct unit *u, const struct instance *in, const char *file,
	      int32_t line, uint32_t column, const char *call)
{
	(void)u;
	if (is_own_file(in, file))
		source_see(in->source, line, column, call);
}

static bool is_body_of(const struct instance *in,
		       const struct profile_body *body)
{
	const struct profile_body *own =
		in->profile ? &in->profile->body : NULL;

	return own && own->name == body->name && own->file == body->file &&
	       own->start_line == body->start_line;
}

/*
 * The functions that a body belongs to where it is not inlined: one, none,
 * or, of a C++ constructor or destructor, each of its variants, which are
 * one function in the source.  Returns how many.
 */
static size_t functions_of(const struct unit *u,
			   const struct profile_body *body,
			   struct instance **ret)
{
	const uint64_t *last = fdo_map_get(u->by_name, key_of(body->name));
	size_t n = 0;

	for (size_t at = last ? *last : 0; at; at = u->previous[at - 1]) {
		struct instance *in = u->functions[(at - 1) / FUNCTION_NAMES];

		if (n < MAX_VARIANTS && (n == 0 || ret[n - 1] != in) &&
		    is_body_of(in, body))
			ret[n++] = in;
	}
	return n;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

uint64_t unit_place(const struct instance *in, const char *file, int32_t line,
		    uint32_t column, uint32_t discriminator)
{
	uint64_t hash = mix(0x5851f42d4c957f2dULL, in->id);

	/* Folders differ between builds; names of files hardly do. */
	if (!is_own_file(in, file))
		hash = mix(hash, fdo_hash_text(names_base(file)));
	hash = mix(hash, (uint32_t)line);
	hash = mix(hash, (uint64_t)column << 32 | discriminator);
	hash = mix(hash, hash >> 31);
	return hash ? hash : 1;
}

const struct place_count *unit_count(const struct unit *u, uint64_t place)
{
	const uint64_t *at = fdo_map_get(u->places, place);

	return at ? &u->counts[*at - 1] : NULL;
}

struct likeliest unit_target(const struct unit *u, uint64_t place)
{
	return targets_likeliest(u->targets, place);
}

/* Scaled, as count and error are; who is called is a matter of shares. */
static void add_count(struct unit *u, struct instance *in,
		      const struct profile_count *c, uint64_t count,
		      uint64_t error)
{
	struct profile_key key = c->key;
	struct place_count *sum;
	uint64_t place, *at;

	if (!source_move(in->source, &key))
		return;
	place = unit_place(in, key.file, key.line, key.column,
			   key.discriminator);
	targets_add(u->targets, place, c);
	at = fdo_map_at(u->places, place);
	if (*at == 0) {
		u->counts = fdo_grow(u->counts, u->ncounts, &u->room_counts,
				     sizeof(*u->counts));
		u->counts[u->ncounts++] = (struct place_count){ 0 };
		*at = u->ncounts;
	}
	sum = &u->counts[*at - 1];
	sum->count = profile_sum(sum->count, count);
	sum->error = profile_sum(sum->error, error);
	sum->flags |= c->flags;
}

static struct instance *inlined_here(const struct instance *in,
				     const struct profile_body *body)
{
	struct profile_key call = body->call;

	if (!source_move(in->source, &call))
		return NULL;
	for (size_t i = 0; i < in->ninlined; i++) {
		struct instance *candidate = in->inlined[i];

		if (same_call(candidate, call.line, call.column) &&
		    names_has(&candidate->function, body->name))
			return candidate;
	}
	return NULL;
}

/*
 * How often an inlined body was entered, if there is code of the call itself.
 * NULL: that is not known.
 */
static const struct profile_count *call_of(const struct profile_body *body,
					   const struct profile_body *callee)
{
	const struct profile_key *call = &callee->call;

	for (size_t i = 0; i < body->ncounts; i++) {
		const struct profile_key *key = &body->counts[i].key;

		if (key->line == call->line && key->column == call->column &&
		    key->discriminator == PROFILE_ANY &&
		    key->file == call->file)
			return body->counts[i].flags ? NULL : &body->counts[i];
	}
	return NULL;
}

static void lay_own(struct unit *u, const struct profile_body *body,
		    const struct profile_count *call, bool ours,
		    unsigned depth);

/*
 * Lay a body over an instance, which may be NULL: not compiled here.  It is
 * ours if this unit's code was compiled into it.
 */
static void lay(struct unit *u, const struct profile_body *body,
		struct instance *in, bool ours, unsigned depth)
{
	if (depth > MAX_DEPTH)
		return;
	if (in)
		in->laid = true;
	for (size_t i = 0; in && i < body->ncounts; i++)
		add_count(u, in, &body->counts[i], body->counts[i].count,
			  body->counts[i].error);
	for (size_t i = 0; i < body->ninlined; i++) {
		const struct profile_body *callee = body->inlined[i];
		struct instance *here = in ? inlined_here(in, callee) : NULL;

		if (here)
			lay(u, callee, here, ours, depth + 1);
		else
			lay_own(u, callee, call_of(body, callee), ours,
				depth + 1);
	}
}

/*
 * The same over the function itself, wherever the body was inlined.  But each
 * unit has its own copy of a header's static function: what others inlined
 * was theirs.
 */
static void lay_own(struct unit *u, const struct profile_body *body,
		    const struct profile_count *call, bool ours, unsigned depth)
{
	struct instance *own[MAX_VARIANTS];
	size_t n = functions_of(u, body, own);

	for (size_t i = 0; i < n; i++) {
		if (own[i]->function.is_copied && !ours)
			continue;
		own[i]->total = profile_sum(own[i]->total, body->total);
		own[i]->merged = true;
		own[i]->entry_is_least |= !call;
		if (call)
			own[i]->entry = profile_sum(own[i]->entry, call->count);
		lay(u, body, own[i], true, depth);
	}
	if (n == 0)
		lay(u, body, NULL, ours, depth);
}

static void lay_function(struct unit *u, const struct profile_function *f)
{
	struct instance *functions[MAX_VARIANTS];
	size_t n = functions_of(u, &f->body, functions);

	for (size_t i = 0; i < n; i++) {
		struct instance *own = functions[i];

		lay(u, &f->body, own, true, 0);
		own->total = profile_sum(own->total, f->body.total);
		own->samples = profile_sum(own->samples, f->samples);
		own->entry = profile_sum(own->entry, f->entry);
	}
	if (n == 0)
		lay(u, &f->body, NULL, false, 0);
}

static bool load(struct unit *u, const char *name, bool with_hosts,
		 struct fdo_error *err);

static bool load_hosts(struct unit *u, const struct profile_function *f,
		       struct fdo_error *err)
{
	for (size_t i = 0; i < f->nhosts && i < MAX_HOSTS; i++)
		if (!load(u, f->hosts[i], false, err))
			return false;
	return true;
}

/* Of the profile, to be laid out when all are there. */
static void know(struct unit *u, const struct profile_function *f)
{
	uint64_t *known = fdo_map_at(u->known, key_of(f));

	if (*known)
		return;
	*known = 1;
	u->read = fdo_grow(u->read, u->nread, &u->room_read, sizeof(*u->read));
	u->read[u->nread++] = f;
}

/*
 * All functions of a name, and those that have them inlined.  What
 * profile_load() returns lives until its next call only, so the hosts come
 * after a copy of it was made.
 */
static bool load(struct unit *u, const char *name, bool with_hosts,
		 struct fdo_error *err)
{
	uint64_t *done = fdo_map_at(u->loaded, key_of(name));
	struct profile_function **found, **functions;
	struct instance *own[MAX_VARIANTS];
	size_t n;
	bool good = true;

	if (*done == 2 || (*done == 1 && !with_hosts))
		return true;
	*done = with_hosts ? 2 : 1;
	if (!profile_load(u->profile, name, &found, &n, err))
		return false;
	functions = fdo_alloc(n, sizeof(*functions));
	if (n)
		memcpy(functions, found, n * sizeof(*functions));
	for (size_t i = 0; i < n && good; i++) {
		know(u, functions[i]);
		if (with_hosts && functions_of(u, &functions[i]->body, own))
			good = load_hosts(u, functions[i], err);
	}
	free(functions);
	return good;
}

/* Of all functions of that name, take the most alike, of equals the first. */
static bool choose(struct unit *u, struct instance *in, const char *name,
		   struct fdo_error *err)
{
	struct profile_function **found;
	size_t n;
	unsigned best = 0;

	if (in->profile)
		best = names_likeness(&in->function, &in->profile->body);
	if (!profile_load(u->profile, name, &found, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned likely =
			names_likeness(&in->function, &found[i]->body);

		if (likely <= best)
			continue;
		in->profile = found[i];
		best = likely;
	}
	return true;
}

/*
 * A static function that the profile does not have of its file may have been
 * in another one: the only one of that name, if it looks the same.
 */
static bool choose_moved(struct unit *u, struct instance *in,
			 struct fdo_error *err)
{
	struct profile_function **found;
	size_t n;

	if (in->profile || in->function.is_public)
		return true;
	if (!profile_load(u->profile, source_name(&in->function), &found, &n,
			  err))
		return false;
	if (n == 1 && source_looks_like(in->source, &found[0]->body))
		in->profile = found[0];
	return true;
}

/* Which function of ours a body of the profile is, inlined or not. */
static unsigned source_likeness(const struct function_id *function,
				const struct instance *own,
				const struct profile_body *body)
{
	if (own && own->profile)
		return is_body_of(own, body);
	return names_likeness(function, body);
}

static bool load_all(struct unit *u, struct fdo_error *err)
{
	for (size_t i = 0; i < u->nfunctions; i++) {
		struct instance *in = u->functions[i];

		for (size_t k = 0; k < FUNCTION_NAMES; k++)
			if (in->function.names[k] &&
			    !choose(u, in, in->function.names[k], err))
				return false;
		if (!choose_moved(u, in, err))
			return false;
	}
	for (size_t i = 0; i < u->nfunctions; i++) {
		const struct function_id *f = &u->functions[i]->function;

		for (size_t k = 0; k < FUNCTION_NAMES; k++)
			if (f->names[k] && !load(u, f->names[k], true, err))
				return false;
	}
	return true;
}

static uint64_t times(uint64_t count, double scale)
{
	double scaled = (double)count * scale;

	return scaled < (double)PROFILE_MAX ? (uint64_t)(scaled + 0.5)
					    : PROFILE_MAX;
}

/* A part of what a function did on its own, over a copy of it. */
static void lay_part(struct unit *u, const struct profile_body *body,
		     struct instance *in, double scale)
{
	in->laid = true;
	for (size_t i = 0; i < body->ncounts; i++) {
		const struct profile_count *c = &body->counts[i];

		add_count(u, in, c, times(c->count, scale),
			  times(c->error, scale));
	}
	for (size_t i = 0; i < body->ninlined; i++) {
		struct instance *here = inlined_here(in, body->inlined[i]);

		if (here)
			lay_part(u, body->inlined[i], here, scale);
	}
}

/*
 * A copy of what was a call in the profiled binary: as often as that call was
 * made, of the times that the function was entered, it did what that does.
 */
static bool lay_copy(struct unit *u, struct instance *in, struct fdo_error *err)
{
	const struct place_count *calls =
		unit_count(u, unit_place(in->outer, NULL, in->call_line,
					 in->call_column, PROFILE_ANY));

	if (in->laid || !calls || calls->flags)
		return true;
	for (size_t k = 0; k < FUNCTION_NAMES; k++)
		if (in->function.names[k] &&
		    !choose(u, in, in->function.names[k], err))
			return false;
	if (in->profile && in->profile->entry)
		lay_part(u, &in->profile->body, in,
			 (double)calls->count / (double)in->profile->entry);
	return true;
}

bool unit_load(struct unit *u, struct fdo_error *err)
{
	if (!load_all(u, err))
		return false;
	for (size_t i = 0; i < u->nfunctions; i++)
		source_own(u->functions[i]->source, u->functions[i]);
	sources_match(u->sources, u->read, u->nread, source_likeness);
	for (size_t i = 0; i < u->nread; i++)
		lay_function(u, u->read[i]);
	/* What is around a copy comes before it. */
	for (size_t i = 0; i < u->ninstances; i++)
		if (u->instances[i]->outer &&
		    !lay_copy(u, u->instances[i], err))
			return false;
	return true;
}

const struct profile_function *const *unit_read(const struct unit *u, size_t *n)
{
	*n = u->nread;
	return u->read;
}

const struct profile_body *unit_inlined_at(struct unit *u,
					   const struct function_id *in,
					   const struct profile_body *body,
					   int32_t line, uint32_t column,
					   const struct function_id *callee)
{
	const struct source *source = sources_add(u->sources, in);

	for (size_t i = 0; i < body->ninlined; i++) {
		struct profile_key call = body->inlined[i]->call;

		/* The body may be of a profile that has names of its own. */
		if (source_move(source, &call) && call.line == line &&
		    same_column(call.column, column) &&
		    names_has(callee,
			      profile_text(u->profile, body->inlined[i]->name)))
			return body->inlined[i];
	}
	return NULL;
}

struct unit_fit unit_fit(const struct instance *in)
{
	return source_fit(in->source);
}
