/*
 * unit_shared.c - which part of what a function of a header did is this unit's.
 *
 * Each unit that includes it has its own copy of a static function, and the
 * profile has one sum of all that were not inlined.  Of that, the unit's is as
 * much as its calls are of all calls.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "plugin/unit_private.h"

struct shared {
	const struct profile_function *profile;
	struct instance *own;
	size_t waits; /* for so many of the others, which may call it */
	bool laid;
	size_t *callees; /* of the others; more than once, perhaps */
	size_t ncallees, room;
};

static struct instance *shared_one(const struct unit *u,
				   const struct profile_function *f)
{
	struct instance *own[MAX_VARIANTS];

	if (unit_functions_of(u, &f->body, own) != 1 || f->entry == 0)
		return NULL;
	return own[0]->function.is_shared ? own[0] : NULL;
}

/* From 1; 0: it is none. */
static uint64_t number_of(const struct fdo_map *numbers, const char *name)
{
	const uint64_t *found = fdo_map_get(numbers, unit_key(name));

	return found ? *found : 0;
}

static void note_callee(struct shared *all, size_t caller, uint64_t callee)
{
	struct shared *s = &all[caller];

	if (callee == 0 || callee - 1 == caller)
		return;
	s->callees = fdo_grow(s->callees, s->ncallees, &s->room,
			      sizeof(*s->callees));
	s->callees[s->ncallees++] = callee - 1;
	all[callee - 1].waits++;
}

/* What it calls, and what was inlined in it. */
static void note_callees(struct shared *all, size_t caller,
			 const struct fdo_map *numbers,
			 const struct profile_body *body, unsigned depth)
{
	for (size_t i = 0; i < body->ncounts; i++)
		for (size_t k = 0; k < body->counts[i].ntargets; k++)
			note_callee(all, caller,
				    number_of(numbers,
					      body->counts[i].targets[k].name));
	for (size_t i = 0; depth < UNIT_MAX_DEPTH && i < body->ninlined; i++) {
		note_callee(all, caller,
			    number_of(numbers, body->inlined[i]->name));
		note_callees(all, caller, numbers, body->inlined[i], depth + 1);
	}
}

/* The next one that waits for no other; if all call each other, any. */
static struct shared *next_shared(struct shared *all, size_t n)
{
	struct shared *next = NULL;

	for (size_t i = 0; i < n; i++) {
		if (all[i].laid)
			continue;
		if (all[i].waits == 0)
			return &all[i];
		if (!next)
			next = &all[i];
	}
	return next;
}

/* How often a function calls itself. */
static uint64_t calls_of(const struct profile_body *body, const char *name,
			 unsigned depth)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < body->ncounts; i++)
		for (size_t k = 0; k < body->counts[i].ntargets; k++)
			if (body->counts[i].targets[k].name == name)
				sum = profile_sum(
					sum, body->counts[i].targets[k].count);
	for (size_t i = 0; depth < UNIT_MAX_DEPTH && i < body->ninlined; i++)
		sum = profile_sum(sum,
				  calls_of(body->inlined[i], name, depth + 1));
	return sum;
}

static const struct instance *outermost(const struct instance *in)
{
	while (in->outer)
		in = in->outer;
	return in;
}

/*
 * How often the unit calls it; false: of some calls, that is not known.  *unseen:
 * some are of functions that the profile does not have.
 */
static bool called_here(const struct unit *u, const struct instance *own,
			uint64_t *ret, bool *unseen)
{
	bool any = false;
	size_t next;

	*ret = 0;
	*unseen = false;
	for (size_t at = number_of(u->last_site, own->function.names[0]); at;
	     at = next) {
		const struct unit_site *site = &u->sites[at - 1];
		uint64_t place;

		next = site->previous;
		if (outermost(site->in) == own)
			continue;
		any = true;
		place = unit_known_call(u, site->in, &site->call,
					&own->function);
		if (place)
			*ret = profile_sum(*ret, unit_count(u, place)->count);
		else if (outermost(site->in)->profile)
			return false;
		else
			*unseen = true;
	}
	return any;
}

/*
 * Where there are samples, what has none may have run as often as a block does for
 * one.  So may the only caller of a function that takes long each time.
 */
static uint64_t may_be_unseen(const struct profile_function *f)
{
	return f->samples ? f->body.total / f->samples / PROFILE_BLOCK_SIZE : 0;
}

/*
 * Counts of calls and of entries are different estimates: if most are from here
 * all are.  What was inlined here is no part of it, but was called here, too.
 * How often functions enter each other that still wait is not known.
 */
static double part_of(const struct unit *u, const struct shared *s)
{
	const struct instance *own = s->own;
	uint64_t entry = s->profile->entry, again, calls;
	bool unseen;

	if (s->waits || !called_here(u, own, &calls, &unseen))
		return 1;
	again = calls_of(&s->profile->body, s->profile->body.name, 0);
	entry = entry > again ? entry - again : 0;
	calls = calls > own->entry ? calls - own->entry : 0;
	if (unseen &&
	    profile_sum(calls, may_be_unseen(s->profile)) >= entry / 2)
		return 1;
	return calls < entry / 2 ? (double)calls / (double)entry : 1;
}

static void lay(struct unit *u, struct shared *all, struct shared *s)
{
	u->part = part_of(u, s);
	unit_lay(u, s->profile);
	u->part = 1;
	s->laid = true;
	for (size_t i = 0; i < s->ncallees; i++)
		all[s->callees[i]].waits--;
}

bool unit_is_shared(const struct unit *u, const struct profile_function *f)
{
	return shared_one(u, f);
}

void unit_lay_shared(struct unit *u)
{
	struct shared *all = fdo_alloc(u->nread, sizeof(*all)), *s;
	struct fdo_map *numbers = fdo_map_new();
	size_t n = 0;

	for (size_t i = 0; i < u->nread; i++) {
		struct instance *own = shared_one(u, u->read[i]);

		if (!own)
			continue;
		all[n].profile = u->read[i];
		all[n].own = own;
		*fdo_map_at(numbers, unit_key(u->read[i]->body.name)) = ++n;
	}
	for (size_t i = 0; i < n; i++)
		note_callees(all, i, numbers, &all[i].profile->body, 0);
	while ((s = next_shared(all, n)))
		lay(u, all, s);
	for (size_t i = 0; i < n; i++)
		free(all[i].callees);
	fdo_map_free(numbers);
	free(all);
}
