/*
 * unit_lay.c - the profile's inline trees, laid over the compiler's.
 *
 * Each function of the profile that may hold code of ours is walked once
 * from its outermost body.  As long as the calls on the way are inlined in
 * the compiler's tree as well, the two trees are walked together.  At the
 * first call that is not, the walk continues in the called function's own
 * body, whatever was around it.  Copies that then have nothing, since they
 * were calls in the binary, get their part of the called function's own body.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "plugin/entered.h"
#include "plugin/names.h"
#include "plugin/noted.h"
#include "plugin/sources.h"
#include "plugin/unit_private.h"

static bool same_call(const struct instance *in, int32_t line, uint32_t column)
{
	return in->call_line == line &&
	       unit_same_column(in->call_column, column);
}

static uint64_t times(uint64_t count, double scale)
{
	double scaled = (double)count * scale;

	if (scale == 1)
		return count;
	return scaled < (double)PROFILE_MAX ? (uint64_t)(scaled + 0.5)
					    : PROFILE_MAX;
}

static void add_to(struct unit *u, uint64_t place, uint64_t count,
		   uint64_t error, uint32_t flags)
{
	struct place_count *sum;
	uint64_t *at = fdo_map_at(u->places, place);

	if (*at == 0) {
		u->counts = fdo_grow(u->counts, u->ncounts, &u->room_counts,
				     sizeof(*u->counts));
		u->counts[u->ncounts++] =
			(struct place_count){ .is_idle = true };
		*at = u->ncounts;
	}
	sum = &u->counts[*at - 1];
	count = times(count, u->part);
	error = times(error, u->part);
	sum->count = profile_sum(sum->count, count);
	sum->error = profile_sum(sum->error, error);
	if (!flags)
		sum->sure = profile_sum(sum->sure, count);
	sum->flags |= flags;
	sum->is_idle &= u->is_idle;
}

static void add_at(struct unit *u, uint64_t place, uint64_t count,
		   uint64_t error, uint32_t flags)
{
	add_to(u, place, count, error, flags);
	if (u->kind)
		add_to(u, unit_place_in(place, u->kind), count, error, flags);
}

/* Of a body that was inlined in another one, which is laid over an instance. */
static struct instance *twin_of_body(const struct unit *u,
				     const struct instance *outer,
				     const struct profile_body *body)
{
	struct profile_key call = body->call;

	return outer && source_move(outer->source, &call)
		       ? unit_twin(u, outer, &call, body->name, body->file,
				   body->start_line)
		       : NULL;
}

/* What is known of a body that is laid. */
enum {
	OURS = 1,  /* this unit's code was compiled into it */
	AGAIN = 2, /* it was laid over another variant of the function */
};

static void lay_function(struct unit *u, const struct profile_body *body,
			 struct instance *own, struct copy copy, unsigned what,
			 unsigned depth);

/*
 * The twin of one that was called so often: by its part of the calls of both, what
 * that one did.
 */
static void lay_twin(struct unit *u, const struct instance *in,
		     const struct profile_key *call, const char *name,
		     uint64_t count)
{
	const struct instance *kept = unit_called(u, name);
	const struct profile_function *f = kept ? kept->profile : NULL;
	struct instance *twin =
		f && f->entry ? unit_twin(u, in, call, name, f->body.file,
					  f->body.start_line)
			      : NULL;
	struct copy copy = { 0 };
	double part = u->part;

	if (!twin || u->is_again)
		return;
	copy.entry = f->entry;
	if (count < f->entry)
		u->part *= (double)count / (double)f->entry;
	twin->merged = true;
	twin->samples = profile_sum(twin->samples, times(f->samples, u->part));
	lay_function(u, &f->body, twin, copy, OURS | AGAIN, 0);
	u->part = part;
}

/* Whom it calls, by name. */
static void add_calls(struct unit *u, const struct instance *in,
		      const struct profile_key *key,
		      const struct profile_count *c, double scale)
{
	for (size_t i = 0; i < c->ntargets; i++) {
		uint64_t count = times(c->targets[i].count, scale);

		add_at(u, unit_call(in, key, c->targets[i].name), count,
		       times(c->error, scale), c->flags);
		lay_twin(u, in, key, c->targets[i].name, count);
	}
}

/*
 * Scaled; whom it calls most is a matter of shares.  One of each line and
 * discriminator is for all of that.
 */
static void add_count(struct unit *u, struct instance *in,
		      const struct profile_count *c, double scale,
		      bool is_for_line)
{
	uint64_t count = times(c->count, scale), error = times(c->error, scale);
	struct profile_key key = c->key;
	uint64_t place;

	if (!source_move(in->source, &key))
		return;
	place = unit_place(in, key.file, key.line, key.column,
			   key.discriminator);
	noted_add(u->noted, place, c);
	add_at(u, place, count, error, c->flags);
	if (is_for_line)
		add_at(u,
		       unit_place(in, key.file, key.line, UNIT_ANY_COLUMN,
				  key.discriminator),
		       count, error, c->flags);
	if (key.discriminator == PROFILE_ANY)
		add_calls(u, in, &key, c, scale);
}

/* All that a body has itself. */
static void add_counts(struct unit *u, struct instance *in,
		       const struct profile_body *body, double scale)
{
	bool *is_largest = unit_largest_of_lines(body);

	for (size_t i = 0; i < body->ncounts; i++)
		add_count(u, in, &body->counts[i], scale, is_largest[i]);
	free(is_largest);
}

/* What was inlined there is a call here. */
static void add_entered(struct unit *u, const struct instance *in,
			const struct profile_body *callee,
			const struct entered *e, double scale)
{
	struct profile_key call = callee->call;
	uint64_t place, *executed;

	if (!e->is_known || !source_move_call(in->source, &call, callee->name))
		return;
	place = unit_call(in, &call, callee->name);
	add_at(u, place, times(e->count, scale), times(e->error, scale), 0);
	executed = fdo_map_at(u->executed, place);
	*executed = profile_sum(*executed, times(callee->total, scale));
}

/* Is what was inlined there at the place of one body rather another one? */
static bool has_surer(const struct profile_body *outer,
		      const struct profile_body *body,
		      const struct function_id *f)
{
	for (size_t i = 0; i < outer->ninlined; i++) {
		const struct profile_body *other = outer->inlined[i];

		if (other != body && names_has(f, other->name) &&
		    names_are_sure(f, other) &&
		    profile_compare_keys(&other->call, &body->call) == 0)
			return true;
	}
	return false;
}

/* Of a body that is inlined in another one, which is laid over an instance. */
static struct instance *inlined_here(const struct instance *in,
				     const struct profile_body *outer,
				     const struct profile_body *body)
{
	struct profile_key call = body->call;
	struct instance *maybe = NULL;

	if (!source_move_call(in->source, &call, body->name))
		return NULL;
	for (size_t i = 0; i < in->ninlined; i++) {
		struct instance *candidate = in->inlined[i];

		if (!same_call(candidate, call.line, call.column) ||
		    !names_has(&candidate->function, body->name))
			continue;
		if (names_are_sure(&candidate->function, body))
			return candidate;
		if (!maybe && !has_surer(outer, body, &candidate->function))
			maybe = candidate;
	}
	return maybe;
}

/* Of a body, by the places that it has over an instance. */
static uint64_t kind_of(const struct profile_body *body,
			const struct instance *in, unsigned depth)
{
	uint64_t kind = 1;

	for (size_t i = 0; i < body->ncounts; i++) {
		struct profile_key key = body->counts[i].key;

		if (key.discriminator == PROFILE_ANY &&
		    source_move(in->source, &key))
			kind = unit_place_in(unit_place(in, key.file, key.line,
							key.column,
							PROFILE_ANY),
					     kind);
	}
	for (size_t i = 0; depth < UNIT_MAX_DEPTH && i < body->ninlined; i++) {
		const struct instance *here =
			inlined_here(in, body, body->inlined[i]);

		if (here)
			kind = unit_place_in(kind_of(body->inlined[i], here,
						     depth + 1),
					     kind);
	}
	return kind;
}

static void lay_own(struct unit *u, const struct instance *outer,
		    const struct profile_body *body,
		    const struct entered *entered, const struct passed *passed,
		    unsigned what, unsigned depth);

/* What a body that was inlined there got. */
static const struct passed *passed_to(struct unit *u, const struct instance *in,
				      const struct profile_body *callee)
{
	struct profile_key call = callee->call;

	if (!source_move_call(in->source, &call, callee->name))
		return NULL;
	return passed_at(u->passing, unit_call(in, &call, callee->name),
			 u->passed);
}

/* Lay a body over an instance, which may be NULL: not compiled here. */
static void lay(struct unit *u, const struct profile_body *body,
		struct instance *in, unsigned what, unsigned depth)
{
	if (depth > UNIT_MAX_DEPTH)
		return;
	if (in)
		in->laid = true;
	if (in)
		add_counts(u, in, body, 1);
	for (size_t i = 0; i < body->ninlined; i++) {
		const struct profile_body *callee = body->inlined[i];
		struct instance *here =
			in ? inlined_here(in, body, callee) : NULL;
		const struct passed *passed;
		struct entered entered;

		if (here) {
			lay(u, callee, here, what, depth + 1);
			continue;
		}
		entered = entered_by(body, callee);
		passed = in ? passed_to(u, in, callee) : NULL;
		if (in)
			add_entered(u, in, callee, &entered, 1);
		if (!(what & AGAIN))
			lay_own(u, in, callee, &entered, passed, what,
				depth + 1);
	}
}

/* A copy of a function, with all that is inlined in it. */
static void lay_function(struct unit *u, const struct profile_body *body,
			 struct instance *own, struct copy copy, unsigned what,
			 unsigned depth)
{
	const struct passed *passed = u->passed;
	uint64_t outer = u->kind;
	bool is_idle = u->is_idle, is_again = u->is_again;

	u->passed = copy.passed;
	copy.passed = passed_of(u->passing, copy.passed, own->tested);
	copy.kind = kind_of(body, own, depth);
	if (copy.passed)
		copy.kind = unit_place_in(copy.kind, copy.passed->hash);
	copy.total = times(body->total, u->part);
	copy.entry = times(copy.entry, u->part);
	copies_add(&own->copies, &copy);
	own->total = profile_sum(own->total, copy.total);
	own->entry = profile_sum(own->entry, copy.entry);
	own->entry_is_least |= copy.entry_is_least;
	u->kind = copy.kind;
	u->is_idle = copy.total == 0;
	u->is_again |= (what & AGAIN) != 0;
	lay(u, body, own, what, depth);
	u->is_idle = is_idle;
	u->is_again = is_again;
	u->kind = outer;
	u->passed = passed;
}

static bool is_called(const struct unit *u, const struct instance *in,
		      const struct profile_key *call,
		      const struct instance *callee)
{
	return fdo_map_get(u->called,
			   unit_call(in, call, callee->function.names[0]));
}

/*
 * Instances of a template for two lambdas are called alike, and begin in the
 * same line, as do two lambdas there: then it is the one that is called where
 * the body was.  Variants of a constructor are one.
 */
static size_t choose_called(const struct unit *u, const struct instance *in,
			    const struct profile_body *body,
			    struct instance **own, size_t n)
{
	struct profile_key call = body->call;
	const char *name = NULL;
	size_t chosen = 0;

	if (n < 2 || !in || !source_move(in->source, &call))
		return n;
	for (size_t i = 0; i < n && !name; i++)
		if (is_called(u, in, &call, own[i]))
			name = own[i]->function.names[1];
	for (size_t i = 0; name && i < n; i++)
		if (own[i]->function.names[1] == name)
			own[chosen++] = own[i];
	return name ? chosen : n;
}

/* What a body inlined in the function that is being laid has of its samples. */
static uint64_t samples_in(const struct unit *u,
			   const struct profile_body *body)
{
	const struct profile_function *host = u->host;

	if (!host->body.total)
		return 0;
	return times(host->samples,
		     u->part * (double)body->total / (double)host->body.total);
}

/*
 * The same over the function itself, wherever the body was inlined.  But each
 * unit has its own copy of a static function, of a header or of a source that
 * it includes: what others inlined was theirs.
 */
static void lay_own(struct unit *u, const struct instance *outer,
		    const struct profile_body *body,
		    const struct entered *entered, const struct passed *passed,
		    unsigned what, unsigned depth)
{
	struct instance *own[MAX_VARIANTS];
	size_t n = choose_called(u, outer, body, own,
				 unit_functions_of(u, body, own));
	struct instance *twin = twin_of_body(u, outer, body);
	unsigned again = 0;
	struct copy copy = { .passed = passed,
			     .entry = entered->count,
			     .entry_is_least = !entered->is_known };

	if (twin) {
		own[0] = twin;
		n = 1;
	}
	for (size_t i = 0; i < n; i++) {
		if (!own[i]->function.is_public && !(what & OURS))
			continue;
		if (twin)
			twin->samples =
				profile_sum(twin->samples, samples_in(u, body));
		own[i]->merged = true;
		lay_function(u, body, own[i], copy, OURS | again, depth);
		again = AGAIN;
	}
	if (!again)
		lay(u, body, NULL, what, depth);
}

/* Of any part at least one: none would mean that it was never sampled. */
static uint64_t samples_of(const struct unit *u,
			   const struct profile_function *f)
{
	uint64_t samples = times(f->samples, u->part);

	return samples == 0 && f->samples && u->part > 0 ? 1 : samples;
}

void unit_lay(struct unit *u, const struct profile_function *f)
{
	struct instance *functions[MAX_VARIANTS];
	size_t n = unit_functions_of(u, &f->body, functions);
	struct copy copy = { .entry = f->entry, .is_rest = f->entry == 0 };

	u->host = f;
	for (size_t i = 0; i < n; i++) {
		struct instance *own = functions[i];

		lay_function(u, &f->body, own, copy, i ? OURS | AGAIN : OURS,
			     0);
		own->samples = profile_sum(own->samples, samples_of(u, f));
	}
	if (n == 0)
		lay(u, &f->body, NULL, 0, 0);
}

/* A part of what a function did on its own, over a copy of it. */
static void lay_part(struct unit *u, const struct profile_body *body,
		     struct instance *in, double scale)
{
	in->laid = true;
	add_counts(u, in, body, scale);
	for (size_t i = 0; i < body->ninlined; i++) {
		const struct profile_body *callee = body->inlined[i];
		struct instance *here = inlined_here(in, body, callee);
		struct entered entered = entered_by(body, callee);

		if (here)
			lay_part(u, callee, here, scale);
		else
			add_entered(u, in, callee, &entered, scale);
	}
}

bool unit_lay_copy(struct unit *u, struct instance *in, struct fdo_error *err)
{
	const struct place_count *calls =
		unit_count(u, unit_place(in->outer, NULL, in->call_line,
					 in->call_column, PROFILE_ANY));

	if (in->laid || !calls || calls->flags)
		return true;
	for (size_t k = 0; k < FUNCTION_NAMES; k++)
		if (in->function.names[k] &&
		    !unit_choose(u, in, in->function.names[k], err))
			return false;
	if (!in->profile || !in->profile->entry)
		return true;
	u->is_again = true;
	lay_part(u, &in->profile->body, in,
		 (double)calls->count / (double)in->profile->entry);
	u->is_again = false;
	return true;
}
