/*
 * unit_plain.c - overloads, lambdas and the like, which have one name.
 *
 * What no other unit sees and is inlined everywhere has no other name in the
 * debug information than all of its overloads.  The line where it begins tells
 * which it is, as long as nothing was edited before it.  Functions with names
 * of their own show by how many lines the source has moved, before and after;
 * where these differ, it was edited in between, and the place that explains
 * most is taken.  What is left over is taken to have kept its order, if there
 * are as many here and there.  Whether these look alike is asked later, as of
 * all.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "plugin/names.h"
#include "plugin/unit_private.h"

/* Up to so many, other moves than those of the neighbours are tried. */
enum { MAX_TRIED = 200 };

/* Where a function with a name of its own begins. */
struct anchor {
	int64_t then, now;
};

struct anchors {
	struct anchor *all; /* by then */
	size_t n, room;
};

/* Those of one name in one file that are not known yet, by their lines. */
struct plain {
	struct instance **here;
	struct profile_function **there;
	size_t nhere, nthere;
	size_t room_here, room_there;
};

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_then(const void *a, const void *b)
{
	const struct anchor *x = a, *y = b;

	return compare(x->then, y->then);
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

static struct anchors anchors_of(const struct unit *u, const char *file)
{
	struct anchors a = { 0 };

	for (size_t i = 0; i < u->nfunctions; i++) {
		const struct instance *in = u->functions[i];

		if (!in->profile || in->function.file != file ||
		    !in->profile->body.start_line || !in->function.start_line ||
		    !names_common_parts(&in->function, &in->profile->body) ||
		    names_is_plain(&in->function, in->profile->body.name))
			continue;
		a.all = fdo_grow(a.all, a.n, &a.room, sizeof(*a.all));
		a.all[a.n++] = (struct anchor){ in->profile->body.start_line,
						in->function.start_line };
	}
	if (a.n)
		qsort(a.all, a.n, sizeof(*a.all), by_then);
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

static int64_t line_here(const struct plain *p, size_t i)
{
	return p->here[i]->function.start_line;
}

/* The first that begins in a line or after it. */
static size_t first_at(const struct plain *p, int64_t line)
{
	size_t low = 0, high = p->nhere;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (line_here(p, middle) < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool begins_at(const struct plain *p, int64_t line)
{
	size_t i = first_at(p, line);

	return i < p->nhere && line_here(p, i) == line;
}

/* Some of the profile's, that moved by one number and then by another one. */
struct moves {
	size_t first, n, change; /* from first + change on by the other */
	int64_t before, after;
	size_t found;
};

static bool is_found(const struct plain *p, size_t there, int64_t move)
{
	return begins_at(p, (int64_t)p->there[there]->body.start_line + move);
}

/* Sets change and found: as many as can be. */
static void find_change(const struct plain *p, struct moves *m)
{
	size_t found = 0;

	for (size_t i = 0; i < m->n; i++)
		found += is_found(p, m->first + i, m->after);
	m->change = 0;
	m->found = found;
	for (size_t i = 0; i < m->n; i++) {
		found += is_found(p, m->first + i, m->before);
		found -= is_found(p, m->first + i, m->after);
		if (found < m->found)
			continue;
		m->found = found;
		m->change = i + 1;
	}
}

/* After the last function with a name, by how much those at the end moved. */
static void try_others(const struct plain *p, struct moves *best)
{
	const struct profile_body *last =
		&p->there[best->first + best->n - 1]->body;
	size_t known = best->found;

	if (best->found == best->n || best->n > MAX_TRIED ||
	    p->nhere > MAX_TRIED)
		return;
	for (size_t i = 0; i < p->nhere; i++) {
		struct moves m = *best;

		m.after = line_here(p, i) - (int64_t)last->start_line;
		find_change(p, &m);
		/* One more may be chance. */
		if (m.found > best->found && m.found > known + 1)
			*best = m;
	}
}

static void take(struct plain *p, const struct moves *m)
{
	for (size_t i = 0; i < m->n; i++) {
		struct profile_function *f = p->there[m->first + i];
		int64_t line = (int64_t)f->body.start_line +
			       (i < m->change ? m->before : m->after);

		for (size_t k = first_at(p, line);
		     k < p->nhere && line_here(p, k) == line; k++)
			p->here[k]->profile = f;
	}
}

static int64_t move_of(const struct anchors *a, size_t i)
{
	return a->all[i].now - a->all[i].then;
}

/* All between two functions with names of their own at a time. */
static void choose_by_line(struct plain *p, const struct anchors *a)
{
	size_t after = 0;

	for (size_t i = 0, next; i < p->nthere; i = next) {
		struct moves m = { .first = i };

		while (after < a->n &&
		       a->all[after].then <= p->there[i]->body.start_line)
			after++;
		for (next = i + 1; next < p->nthere; next++)
			if (after < a->n &&
			    a->all[after].then <=
				    p->there[next]->body.start_line)
				break;
		m.n = next - i;
		if (a->n)
			m.before = move_of(a, after ? after - 1 : 0);
		m.after = after < a->n ? move_of(a, after) : m.before;
		find_change(p, &m);
		if (after == a->n)
			try_others(p, &m);
		take(p, &m);
	}
}

/* What was found goes. */
static void leave_the_rest(struct plain *p)
{
	struct fdo_map *taken = fdo_map_new();
	size_t here = 0, there = 0;

	for (size_t i = 0; i < p->nhere; i++)
		if (p->here[i]->profile)
			fdo_map_at(taken, unit_key(p->here[i]->profile));
		else
			p->here[here++] = p->here[i];
	for (size_t i = 0; i < p->nthere; i++)
		if (!fdo_map_get(taken, unit_key(p->there[i])))
			p->there[there++] = p->there[i];
	p->nhere = here;
	p->nthere = there;
	fdo_map_free(taken);
}

/* Variants of a constructor begin in one line. */
static void choose_in_order(struct plain *p)
{
	size_t lines = p->nhere > 0;

	for (size_t i = 1; i < p->nhere; i++)
		lines += line_here(p, i) != line_here(p, i - 1);
	if (lines != p->nthere)
		return;
	for (size_t i = 0, line = 0; i < p->nhere; i++) {
		line += i && line_here(p, i) != line_here(p, i - 1);
		p->here[i]->profile = p->there[line];
	}
}

static bool choose(struct unit *u, const struct function_id *f,
		   const struct anchors *anchors, struct fdo_error *err)
{
	struct plain p = { 0 };
	bool good = gather_there(&p, u, f, err);

	if (good && p.nthere) {
		gather_here(&p, u, f);
		choose_by_line(&p, anchors);
		leave_the_rest(&p);
		choose_in_order(&p);
	}
	free(p.here);
	free(p.there);
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
	struct anchors anchors = anchors_of(u, file);
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
	free(anchors.all);
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
