/*
 * unit_find.c - which functions of the profile concern the unit.
 *
 * Those that the unit has; and for each of them those that it was inlined in,
 * wherever these are, since that is where its code ran.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "plugin/names.h"
#include "plugin/sources.h"
#include "plugin/unit_private.h"

/*
 * A function inlined in thousands of others (in a library's header, in a
 * profile of everything) is described well enough by the first of them, but for
 * what these did not execute.
 */
enum { MAX_HOSTS = 2000 };

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
	uint64_t *known = fdo_map_at(u->known, unit_key(f));

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
	uint64_t *done = fdo_map_at(u->loaded, unit_key(name));
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
		size_t nown = unit_functions_of(u, &functions[i]->body, own);

		know(u, functions[i]);
		if (!with_hosts || nown == 0)
			continue;
		good = load_hosts(u, functions[i], err);
		for (size_t k = 0; k < nown; k++)
			own[k]->has_more_hosts |=
				functions[i]->nhosts > MAX_HOSTS;
	}
	free(functions);
	return good;
}

static uint32_t distance(const struct instance *in,
			 const struct profile_body *body)
{
	uint32_t now = in->function.start_line, then = body->start_line;

	return now > then ? now - then : then - now;
}

/*
 * Programs have a function main() each, and folders that are compiled by
 * themselves files of the same name: of functions that names do not tell apart
 * it is the one that looks like this one, or else begins near it.  A function
 * that was built in several folders is the one with most samples.
 */
static bool is_nearer(const struct instance *in,
		      const struct profile_function *f,
		      const struct profile_function *other)
{
	double here = source_resemblance(in->source, &f->body),
	       there = source_resemblance(in->source, &other->body);
	uint32_t far = distance(in, &f->body),
		 other_far = distance(in, &other->body);

	if (here > there || here < there)
		return here > there;
	return far < other_far ||
	       (far == other_far && f->samples > other->samples);
}

bool unit_choose(struct unit *u, struct instance *in, const char *name,
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

		if (likely == 0 || likely < best ||
		    (likely == best && in->profile &&
		     !is_nearer(in, found[i], in->profile)))
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

/* Those that names do not tell apart are chosen all at once. */
static bool is_for_itself(const struct function_id *f, size_t name)
{
	return f->names[name] &&
	       (f->is_public || !names_is_plain(f, f->names[name]));
}

bool unit_find(struct unit *u, struct fdo_error *err)
{
	for (size_t i = 0; i < u->nfunctions; i++) {
		struct instance *in = u->functions[i];

		for (size_t k = 0; k < FUNCTION_NAMES; k++)
			if (is_for_itself(&in->function, k) &&
			    !unit_choose(u, in, in->function.names[k], err))
				return false;
	}
	if (!unit_choose_plain(u, err))
		return false;
	for (size_t i = 0; i < u->nfunctions; i++)
		if (!choose_moved(u, u->functions[i], err))
			return false;
	for (size_t i = 0; i < u->nfunctions; i++) {
		const struct function_id *f = &u->functions[i]->function;

		for (size_t k = 0; k < FUNCTION_NAMES; k++)
			if (f->names[k] && !load(u, f->names[k], true, err))
				return false;
	}
	return true;
}
