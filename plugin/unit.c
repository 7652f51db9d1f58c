/*
 * unit.c - the compiler's functions, with what is inlined in them, and places.
 *
 * What the profile has of them is found by unit_find.c and laid over them by
 * unit_lay.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "plugin/bodies.h"
#include "plugin/known.h"
#include "plugin/names.h"
#include "plugin/noted.h"
#include "plugin/outcome.h"
#include "plugin/sources.h"
#include "plugin/targets.h"
#include "plugin/unit_private.h"

struct unit *unit_new(struct profile *p)
{
	struct unit *u = fdo_alloc(1, sizeof(*u));

	u->profile = p;
	u->by_name = fdo_map_new();
	u->places = fdo_map_new();
	u->known = fdo_map_new();
	u->loaded = fdo_map_new();
	u->sources = sources_new();
	u->noted = noted_new();
	u->passing = passed_new();
	u->called = fdo_map_new();
	u->executed = fdo_map_new();
	u->last_callee = fdo_map_new();
	u->last_site = fdo_map_new();
	u->part = 1;
	return u;
}

void unit_free(struct unit *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->ninstances; i++) {
		free(u->instances[i]->inlined);
		copies_deinit(&u->instances[i]->copies);
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
	noted_free(u->noted);
	passed_free(u->passing);
	fdo_map_free(u->called);
	fdo_map_free(u->executed);
	fdo_map_free(u->last_callee);
	free(u->callees);
	fdo_map_free(u->last_site);
	free(u->sites);
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
		last = fdo_map_at(u->by_name, unit_key(function->names[i]));
		u->previous[n * FUNCTION_NAMES + i] = *last;
		*last = n * FUNCTION_NAMES + i + 1;
	}
	return in;
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
	       strcmp(fdo_file_base(file), fdo_file_base(in->function.file)) ==
		       0;
}

void unit_see(struct unit *u, const struct instance *in, const char *file,
	      int32_t line, uint32_t column, const char *call)
{
	(void)u;
	if (is_own_file(in, file))
		source_see(in->source, line, column, call);
}

/* Is the body of the function that an instance has in the profile? */
static bool is_body_of(const struct instance *in,
		       const struct profile_body *body)
{
	return in->profile && bodies_are_same(&in->profile->body, body);
}

size_t unit_functions_of(const struct unit *u, const struct profile_body *body,
			 struct instance **ret)
{
	const uint64_t *last = fdo_map_get(u->by_name, unit_key(body->name));
	size_t n = 0;

	for (size_t at = last ? *last : 0; at; at = u->previous[at - 1]) {
		struct instance *in = u->functions[(at - 1) / FUNCTION_NAMES];

		if (n < MAX_VARIANTS && (n == 0 || ret[n - 1] != in) &&
		    is_body_of(in, body))
			ret[n++] = in;
	}
	return n;
}

uint64_t unit_place(const struct instance *in, const char *file, int32_t line,
		    uint32_t column, uint32_t discriminator)
{
	uint64_t hash = fdo_hash_mix(0x5851f42d4c957f2dULL, in->id);

	/* Folders differ between builds; names of files hardly do. */
	if (!is_own_file(in, file))
		hash = fdo_hash_mix(hash, fdo_hash_text(fdo_file_base(file)));
	hash = fdo_hash_mix(hash, (uint32_t)line);
	hash = fdo_hash_mix(hash, (uint64_t)column << 32 | discriminator);
	hash = fdo_hash_mix(hash, hash >> 31);
	return hash ? hash : 1;
}

uint64_t unit_call(const struct instance *in, const struct profile_key *call,
		   const char *callee)
{
	uint64_t hash = unit_place(in, call->file, call->line, call->column,
				   PROFILE_ANY);

	hash = fdo_hash_mix(hash, fdo_hash_text(callee));
	return hash ? hash : 1;
}

uint64_t unit_known_call(const struct unit *u, const struct instance *in,
			 const struct profile_key *call,
			 const struct function_id *callee)
{
	for (size_t i = 0; i < FUNCTION_NAMES; i++) {
		uint64_t place;

		if (!callee->names[i])
			continue;
		place = unit_call(in, call, callee->names[i]);
		if (unit_count(u, place))
			return place;
	}
	return 0;
}

uint64_t unit_executed(const struct unit *u, uint64_t call)
{
	const uint64_t *executed = fdo_map_get(u->executed, call);

	return executed ? *executed : 0;
}

static void add_site(struct unit *u, const struct instance *in,
		     const struct profile_key *call, const char *callee)
{
	uint64_t *last = fdo_map_at(u->last_site, unit_key(callee));

	u->sites = fdo_grow(u->sites, u->nsites, &u->room_sites,
			    sizeof(*u->sites));
	u->sites[u->nsites++] = (struct unit_site){ in, *call, *last };
	*last = u->nsites;
}

static void add_callee(struct unit *u, const struct instance *in,
		       const struct profile_key *call,
		       const struct function_id *callee)
{
	uint64_t *last = fdo_map_at(u->last_callee,
				    unit_place(in, call->file, call->line,
					       call->column, PROFILE_ANY));

	u->callees = fdo_grow(u->callees, u->ncallees, &u->room_callees,
			      sizeof(*u->callees));
	u->callees[u->ncallees++] = (struct unit_callee){ *callee, *last };
	*last = u->ncallees;
}

void unit_pass(struct unit *u, const struct instance *in,
	       const struct profile_key *call, const struct function_id *callee,
	       const struct passed_value *values, size_t n)
{
	uint64_t *called =
		fdo_map_at(u->called, unit_call(in, call, callee->names[0]));

	if (!*called)
		add_callee(u, in, call, callee);
	/* Two calls of one place, as in a macro, have one count. */
	if (callee->is_shared && !*called)
		add_site(u, in, call, callee->names[0]);
	*called = true;
	for (size_t i = 0; i < FUNCTION_NAMES; i++)
		if (callee->names[i] &&
		    (i == 0 || callee->names[i] != callee->names[i - 1]))
			passed_note(u->passing,
				    unit_call(in, call, callee->names[i]),
				    values, n);
}

const struct place_count *unit_count(const struct unit *u, uint64_t place)
{
	const uint64_t *at = fdo_map_get(u->places, place);

	return at ? &u->counts[*at - 1] : NULL;
}

uint64_t unit_place_in(uint64_t place, uint64_t kind)
{
	uint64_t hash = fdo_hash_mix(fdo_hash_mix(place, kind), kind >> 32);

	return hash ? hash : 1;
}

const struct place_count *unit_count_in(const struct unit *u, uint64_t place,
					uint64_t kind)
{
	return unit_count(u, unit_place_in(place, kind));
}

struct likeliest unit_target(const struct unit *u, uint64_t place,
			     const struct others *others)
{
	return targets_likeliest(u->noted, place, others);
}

void unit_values(const struct unit *u, uint64_t place, enum profile_kind kind,
		 int64_t executions, struct known_values *ret)
{
	known_values(u->noted, place, kind, executions, ret);
}

bool unit_outcome(const struct unit *u, uint64_t place, enum profile_kind kind,
		  uint64_t least, double *ret)
{
	return outcome_share(u->noted, place, kind, least, ret);
}

/* Which function of ours a body of the profile is, inlined or not. */
static unsigned source_likeness(const struct function_id *function,
				const struct instance *own,
				const struct profile_body *body)
{
	unsigned likely;

	if (own && own->profile)
		return is_body_of(own, body) ? SOURCE_SURE : 0;
	likely = names_likeness(function, body);
	if (likely)
		return SOURCE_IF_ALONE + likely;
	return names_may_have_moved(function, body) ? SOURCE_IF_ALONE : 0;
}

bool unit_load(struct unit *u, struct fdo_error *err)
{
	if (!unit_find(u, err))
		return false;
	for (size_t i = 0; i < u->nfunctions; i++)
		source_own(u->functions[i]->source, u->functions[i]);
	sources_match(u->sources, u->read, u->nread, source_likeness);
	for (size_t i = 0; i < u->nread; i++)
		if (!unit_is_shared(u, u->read[i]))
			unit_lay(u, u->read[i]);
	unit_lay_shared(u);
	/* What is around a copy comes before it. */
	for (size_t i = 0; i < u->ninstances; i++)
		if (u->instances[i]->outer &&
		    !unit_lay_copy(u, u->instances[i], err))
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
	const struct profile_body *found = NULL;

	for (size_t i = 0; i < body->ninlined; i++) {
		struct profile_key call = body->inlined[i]->call;

		/* The body may be of a profile that has names of its own. */
		if (!source_move(source, &call) || call.line != line ||
		    !unit_same_column(call.column, column) ||
		    !names_has(callee, profile_text(u->profile,
						    body->inlined[i]->name)))
			continue;
		if (!found ||
		    callee->start_line == body->inlined[i]->start_line)
			found = body->inlined[i];
	}
	return found;
}

struct unit_fit unit_fit(const struct instance *in)
{
	return source_fit(in->source);
}

/* A folder is not seen where the compiler was called in it. */
bool unit_is_elsewhere(const struct instance *in)
{
	const struct profile_body *body;
	unsigned common;

	if (!in->profile)
		return false;
	body = &in->profile->body;
	common = names_common_parts(&in->function, body);
	return common == 0 || (common == 1 && strchr(in->function.file, '/') &&
			       strchr(body->file, '/'));
}
