/*
 * renamed_lines.c - lambdas and regions by the lines where they begin.
 *
 * Those of one name, or of one function, are matched at once.  In the profile they have
 * a name with some number, or, of lambdas, the plain name that all have.
 */
#include "plugin/renamed_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "plugin/bodies.h"
#include "plugin/moves.h"
#include "plugin/names.h"
#include "plugin/sources.h"
#include "plugin/unit_private.h"

/* The profile may have numbers that are higher than all that are here by this. */
enum { MAX_GONE = 16 };

/* More of them in a file are not looked at. */
enum { MAX_OWN = 1000 };

/* What may be one of them in the profile. */
struct candidate {
	struct profile_function *function;
	const struct profile_body *body; /* or NULL */
	uint32_t line;
	const char *pattern; /* its name without its number; NULL: has none */
	unsigned number;
};

static const char *pattern_of(struct renaming *r, const char *name,
			      const struct number *number)
{
	return renaming_intern(r, numbers_without(name, number, 1));
}

/* Of a region all that comes before its number, of a lambda's call its plain name. */
static const char *group_of(struct renaming *r, const struct function_id *id,
			    const struct number *number)
{
	return number->is_lambda ? id->names[2]
				 : pattern_of(r, id->names[1], number);
}

/* A region begins with its code; 0: unknown. */
static uint32_t begins_at(const struct renamed_function *function,
			  const struct number *number)
{
	uint32_t start = function->id->start_line;
	int32_t first;

	if (number->is_lambda || !function->source)
		return start;
	first = source_first_line(function->source);
	return first == INT32_MAX ? 0 : start + first;
}

static void add_own(struct renaming *r, const struct renamed_function *function)
{
	const struct function_id *id = function->id;
	struct number number;
	struct own own;

	if (!id->file || !id->names[1] || !numbers_own(id->names[1], &number))
		return;
	own = (struct own){
		.function = function,
		.number = number,
		.pattern = pattern_of(r, id->names[1], &number),
		.group = group_of(r, id, &number),
		.line = begins_at(function, &number),
		.type = renaming_intern(r, numbers_type(id->names[1], &number)),
	};
	if (!own.group || !own.line)
		return;
	r->owns = fdo_grow(r->owns, r->nowns, &r->room_owns, sizeof(own));
	r->owns[r->nowns++] = own;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* All of a group beside each other, and of those the first line first. */
static int compare_owns(const void *a, const void *b)
{
	const struct own *x = a, *y = b;
	const struct function_id *f = x->function->id, *g = y->function->id;
	int order = strcmp(f->file, g->file);

	if (!order)
		order = strcmp(x->group, y->group);
	if (!order)
		order = compare(x->line, y->line);
	if (!order)
		order = compare(x->number.value, y->number.value);
	return order ? order : strcmp(f->names[1], g->names[1]);
}

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = compare(x->line, y->line);

	return order ? order : compare(x->number, y->number);
}

/* Where a function begins, a region with its code. */
static uint32_t line_of(const struct profile_body *body, bool is_lambda)
{
	uint32_t first = 0;

	if (is_lambda || !body->start_line)
		return body->start_line;
	for (size_t i = 0; i < body->ncounts; i++) {
		const struct profile_key *key = &body->counts[i].key;

		if (!key->file && key->line > 0 && profile_is_code_key(key) &&
		    (!first || (uint32_t)key->line < first))
			first = (uint32_t)key->line;
	}
	return first ? body->start_line + first : 0;
}

/* Those of a name. */
static bool add_candidates(struct renaming *r, const struct own *own,
			   const char *name, const char *pattern,
			   unsigned number, struct fdo_error *err)
{
	const struct function_id *id = own->function->id;
	struct profile_function **found;
	size_t n;

	if (!profile_load(r->profile, name, &found, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct profile_body *body = &found[i]->body;
		struct candidate c = {
			.function = found[i],
			.line = line_of(body, own->number.is_lambda),
			.pattern = pattern,
			.number = number,
		};

		if (!c.line || !names_common_parts(id, body))
			continue;
		if (!bodies_find(r->profile, found[i], &c.body, err))
			return false;
		r->candidates =
			fdo_grow(r->candidates, r->ncandidates,
				 &r->room_candidates, sizeof(*r->candidates));
		r->candidates[r->ncandidates++] = c;
	}
	return true;
}

/* All numbers that a name may have had. */
static bool add_numbers(struct renaming *r, const struct own *own,
			unsigned most, struct fdo_error *err)
{
	const char *name = own->function->id->names[1];

	for (unsigned i = 0; i <= most + MAX_GONE; i++) {
		const char *there = renaming_intern(
			r, numbers_replace(name, &own->number, i));
		size_t known = r->ncandidates;

		if (!add_candidates(r, own, there, own->pattern, i, err))
			return false;
		if (r->ncandidates > known && i > most)
			most = i;
	}
	return true;
}

/* Each name once, up to the highest number that it has here, and some more. */
static bool gather(struct renaming *r, const struct own *owns, size_t n,
		   struct fdo_error *err)
{
	struct fdo_map *most = fdo_map_new();
	bool good = !owns->number.is_lambda ||
		    add_candidates(r, owns, owns->group, NULL, 0, err);

	for (size_t i = 0; i < n; i++) {
		uint64_t *at = fdo_map_at(most, unit_key(owns[i].pattern));

		if (*at < owns[i].number.value + 1)
			*at = owns[i].number.value + 1;
	}
	for (size_t i = 0; i < n && good; i++) {
		uint64_t *at = fdo_map_at(most, unit_key(owns[i].pattern));

		if (*at)
			good = add_numbers(r, &owns[i], (unsigned)*at - 1, err);
		*at = 0;
	}
	fdo_map_free(most);
	if (r->ncandidates)
		qsort(r->candidates, r->ncandidates, sizeof(*r->candidates),
		      compare_candidates);
	return good;
}

/* Functions with names of their own. */
static bool find_anchors(struct renaming *r, const char *file,
			 struct moves_anchors *a, struct fdo_error *err)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct function_id *id = r->functions[i].id;
		struct profile_function **found;
		struct number number;
		unsigned best = 0;
		uint32_t then = 0;
		size_t n;

		if (id->file != file || !id->start_line || !id->names[1] ||
		    names_is_plain(id, id->names[1]) ||
		    numbers_own(id->names[1], &number))
			continue;
		if (!profile_load(r->profile, id->names[1], &found, &n, err))
			return false;
		for (size_t k = 0; k < n; k++) {
			unsigned likely = names_likeness(id, &found[k]->body);

			if (likely <= best)
				continue;
			best = likely;
			then = found[k]->body.start_line;
		}
		if (then)
			moves_anchor(a, then, id->start_line);
	}
	return true;
}

static void add_hosts(struct renaming *r, struct own *lambda,
		      const struct profile_function *f)
{
	for (size_t i = 0; i < f->nhosts; i++) {
		struct number numbers[NUMBERS_MAX];
		size_t n = numbers_of_lambdas(f->hosts[i], numbers);
		uint64_t *last;

		if (!n)
			continue;
		last = fdo_map_at(
			r->last_host,
			unit_key(renaming_intern(
				r, numbers_without(f->hosts[i], numbers, n))));
		r->hosts = fdo_grow(r->hosts, r->nhosts, &r->room_hosts,
				    sizeof(*r->hosts));
		r->hosts[r->nhosts++] =
			(struct host){ f->hosts[i], lambda, *last };
		*last = r->nhosts;
	}
}

/*
 * What began in the same line; several lambdas of one line with the same name but for
 * their numbers are in the order of these.
 */
static void take_line(struct renaming *r, struct own *own, uint32_t line,
		      size_t rank)
{
	const struct function_id *id = own->function->id;

	for (size_t i = 0; i < r->ncandidates; i++) {
		const struct candidate *c = &r->candidates[i];

		if (c->line != line)
			continue;
		if (!c->pattern) {
			add_hosts(r, own, c->function);
		} else if (c->pattern == own->pattern && rank-- == 0) {
			own->is_known = true;
			own->then = c->number;
			renaming_give(r, id, c->function->body.name);
			add_hosts(r, own, c->function);
		}
	}
}

static size_t rank_in_line(const struct own *owns, size_t i)
{
	size_t rank = 0;

	for (size_t k = i; k-- > 0 && owns[k].line == owns[i].line;)
		rank += owns[k].pattern == owns[i].pattern;
	return rank;
}

/* Each line once. */
static size_t candidate_lines(const struct renaming *r, uint32_t *lines)
{
	size_t n = 0;

	for (size_t i = 0; i < r->ncandidates; i++)
		if (n == 0 || lines[n - 1] != r->candidates[i].line)
			lines[n++] = r->candidates[i].line;
	return n;
}

/* Lines of a group. */
struct group {
	const struct renaming *renaming;
	const struct own *owns;
	const uint32_t *then;
};

static double likeness(void *context, size_t then, size_t now)
{
	const struct group *g = context;
	struct source *source = g->owns[now].function->source;
	double most = 0;

	for (size_t i = 0; source && i < g->renaming->ncandidates; i++) {
		const struct candidate *c = &g->renaming->candidates[i];
		double part = c->line == g->then[then] && c->body
				      ? source_part(source, c->body)
				      : 0;

		if (part > most)
			most = part;
	}
	return most;
}

static void match_lines(struct renaming *r, struct own *owns, size_t n,
			struct moves_anchors *anchors)
{
	uint32_t *then = fdo_alloc(r->ncandidates, sizeof(*then));
	uint32_t *now = fdo_alloc(n, sizeof(*now));
	size_t *which = fdo_alloc(n, sizeof(*which));
	size_t nthen = candidate_lines(r, then);
	struct group group = { r, owns, then };
	struct moves_likeness looks = { likeness, &group };

	for (size_t i = 0; i < n; i++)
		now[i] = owns[i].line;
	moves_match(anchors, &(struct moves_lines){ then, nthen },
		    &(struct moves_lines){ now, n }, &looks, which);
	for (size_t i = 0; i < n; i++)
		if (which[i] != MOVES_NONE)
			take_line(r, &owns[i], then[which[i]],
				  rank_in_line(owns, i));
	free(then);
	free(now);
	free(which);
}

static bool match_group(struct renaming *r, struct own *owns, size_t n,
			struct fdo_error *err)
{
	struct moves_anchors anchors = { 0 };
	bool good;

	r->ncandidates = 0;
	if (n > MAX_OWN)
		return true;
	good = gather(r, owns, n, err) &&
	       (r->ncandidates == 0 ||
		find_anchors(r, owns->function->id->file, &anchors, err));
	if (good && r->ncandidates)
		match_lines(r, owns, n, &anchors);
	moves_deinit(&anchors);
	return good;
}

bool renaming_match_lines(struct renaming *r, struct fdo_error *err)
{
	for (size_t i = 0; i < r->n; i++)
		add_own(r, &r->functions[i]);
	if (r->nowns)
		qsort(r->owns, r->nowns, sizeof(*r->owns), compare_owns);
	for (size_t i = 0, next; i < r->nowns; i = next) {
		for (next = i + 1; next < r->nowns &&
				   r->owns[next].group == r->owns[i].group &&
				   r->owns[next].function->id->file ==
					   r->owns[i].function->id->file;
		     next++)
			;
		if (!match_group(r, &r->owns[i], next - i, err))
			return false;
	}
	return true;
}
