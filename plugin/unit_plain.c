/*
 * unit_plain.c - overloads, lambdas and the like, which have one name.
 *
 * What no other unit sees and is inlined everywhere has no other name in the
 * debug information than all of its overloads.  The line where it begins tells
 * which it is, as moves.h has it.  Whether these look alike is asked later, as of
 * all.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "plugin/bodies.h"
#include "plugin/moves.h"
#include "plugin/names.h"
#include "plugin/sources.h"
#include "plugin/unit_private.h"

/* Those of one name in one file that are not known yet, by their lines. */
struct plain {
	struct instance **here;
	struct profile_function **there;
	size_t nhere, nthere;
	size_t room_here, room_there;
	const struct profile_body **bodies; /* of there, or NULL */
};

static int compare(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_line_here(const void *a, const void *b)
{
	const struct instance *const *x = a, *const *y = b;

	return compare((*x)->function.start_line, (*y)->function.start_line);
}

static int by_line_there(const void *a, const void *b)
{
	const struct profile_function *const *x = a, *const *y = b;

	return compare((*x)->body.start_line, (*y)->body.start_line);
}

static struct moves_anchors anchors_of(const struct unit *u, const char *file)
{
	struct moves_anchors a = { 0 };

	for (size_t i = 0; i < u->nfunctions; i++) {
		const struct instance *in = u->functions[i];

		if (in->profile && in->function.file == file &&
		    in->profile->body.start_line && in->function.start_line &&
		    names_common_parts(&in->function, &in->profile->body) &&
		    !names_is_plain(&in->function, in->profile->body.name))
			moves_anchor(&a, in->profile->body.start_line,
				     in->function.start_line);
	}
	return a;
}

static void gather_here(struct plain *p, const struct unit *u,
			const struct function_id *f)
{
	const uint64_t *last = fdo_map_get(u->by_name, unit_key(f->names[2]));

	for (size_t at = last ? *last : 0; at; at = u->previous[at - 1]) {
		struct instance *in = u->functions[(at - 1) / FUNCTION_NAMES];

		if (in->profile || in->function.is_public ||
		    in->function.file != f->file)
			continue;
		p->here = fdo_grow(p->here, p->nhere, &p->room_here,
				   sizeof(*p->here));
		p->here[p->nhere++] = in;
	}
	if (p->nhere)
		qsort(p->here, p->nhere, sizeof(*p->here), by_line_here);
}

static bool gather_there(struct plain *p, struct unit *u,
			 const struct function_id *f, struct fdo_error *err)
{
	struct profile_function **found;
	unsigned most = 1;
	size_t n;

	if (!profile_load(u->profile, f->names[2], &found, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned common = names_common_parts(f, &found[i]->body);

		/* Files of other folders may have the same name. */
		if (common < most)
			continue;
		if (common > most)
			p->nthere = 0;
		most = common;
		p->there = fdo_grow(p->there, p->nthere, &p->room_there,
				    sizeof(*p->there));
		p->there[p->nthere++] = found[i];
	}
	if (p->nthere)
		qsort(p->there, p->nthere, sizeof(*p->there), by_line_there);
	return true;
}

static double likeness(void *context, size_t then, size_t now)
{
	const struct plain *p = context;

	return p->bodies[then]
		       ? source_part(p->here[now]->source, p->bodies[then])
		       : 0;
}

static void match(struct plain *p, struct moves_anchors *anchors)
{
	struct moves_likeness looks = { likeness, p };
	uint32_t *then = fdo_alloc(p->nthere, sizeof(*then));
	uint32_t *now = fdo_alloc(p->nhere, sizeof(*now));
	size_t *which = fdo_alloc(p->nhere, sizeof(*which));

	for (size_t i = 0; i < p->nthere; i++)
		then[i] = p->there[i]->body.start_line;
	for (size_t i = 0; i < p->nhere; i++)
		now[i] = p->here[i]->function.start_line;
	moves_match(anchors, &(struct moves_lines){ then, p->nthere },
		    &(struct moves_lines){ now, p->nhere }, &looks, which);
	for (size_t i = 0; i < p->nhere; i++)
		if (which[i] != MOVES_NONE)
			p->here[i]->profile = p->there[which[i]];
	free(then);
	free(now);
	free(which);
}

static bool find_bodies(struct plain *p, struct unit *u, struct fdo_error *err)
{
	p->bodies = fdo_alloc(p->nthere, sizeof(*p->bodies));
	for (size_t i = 0; i < p->nthere; i++)
		if (!bodies_find(u->profile, p->there[i], &p->bodies[i], err))
			return false;
	return true;
}

static bool choose(struct unit *u, const struct function_id *f,
		   struct moves_anchors *anchors, struct fdo_error *err)
{
	struct plain p = { 0 };
	bool good = gather_there(&p, u, f, err);

	if (good && p.nthere) {
		gather_here(&p, u, f);
		good = find_bodies(&p, u, err);
		if (good)
			match(&p, anchors);
	}
	free(p.here);
	free(p.there);
	free(p.bodies);
	return good;
}

static bool is_wanted(const struct instance *in)
{
	const struct function_id *f = &in->function;

	return !in->profile && !f->is_public && f->names[2] &&
	       names_is_plain(f, f->names[2]);
}

/* All names of a file; first: a function of it. */
static bool choose_in_file(struct unit *u, size_t first, struct fdo_error *err)
{
	const char *file = u->functions[first]->function.file;
	struct moves_anchors anchors = anchors_of(u, file);
	struct fdo_map *done = fdo_map_new();
	bool good = true;

	for (size_t i = first; i < u->nfunctions && good; i++) {
		const struct function_id *f = &u->functions[i]->function;
		uint64_t *known;

		if (f->file != file || !is_wanted(u->functions[i]))
			continue;
		known = fdo_map_at(done, unit_key(f->names[2]));
		if (!*known)
			good = choose(u, f, &anchors, err);
		*known = 1;
	}
	fdo_map_free(done);
	moves_deinit(&anchors);
	return good;
}

bool unit_choose_plain(struct unit *u, struct fdo_error *err)
{
	struct fdo_map *done = fdo_map_new();
	bool good = true;

	for (size_t i = 0; i < u->nfunctions && good; i++) {
		uint64_t *known;

		if (!is_wanted(u->functions[i]))
			continue;
		known = fdo_map_at(done,
				   unit_key(u->functions[i]->function.file));
		if (!*known)
			good = choose_in_file(u, i, err);
		*known = 1;
	}
	fdo_map_free(done);
	return good;
}
