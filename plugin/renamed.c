#include "plugin/renamed.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "plugin/bodies.h"
#include "plugin/moves.h"
#include "plugin/names.h"
#include "plugin/numbers.h"
#include "plugin/sources.h"
#include "plugin/unit_private.h"

/* The profile may have numbers that are higher than all that are here by this. */
enum { MAX_GONE = 16 };

/* More of them in a file are not looked at. */
enum { MAX_OWN = 1000 };

/* Behind the name of a function that the profile does not have. */
static const char none[] = "?";

struct renamed {
	struct fdo_map *names; /* to what the profile has */
};

/* A lambda, or a region. */
struct own {
	const struct renamed_function *function;
	struct number number;
	const char
		*group; /* what all have in common that are matched at once */
	uint32_t line;
	bool is_known; /* which number it had: */
	unsigned then;
	const char *type; /* of a lambda, up to its number; "": unknown */
};

/* What may be one of them in the profile. */
struct candidate {
	struct profile_function *function;
	const struct profile_body *body; /* or NULL */
	uint32_t line;
	const char *pattern; /* its name without its number; NULL: has none */
	unsigned number;
};

/* What has a lambda inlined in it. */
struct host {
	const char *name;
	struct own *lambda;
	size_t previous; /* of the same name but for numbers, from 1 */
};

struct work {
	struct profile *profile;
	const struct renamed_function *functions;
	size_t n;
	struct own *owns;
	size_t nowns, room_owns;
	struct candidate *candidates; /* of one group */
	size_t ncandidates, room_candidates;
	struct host *hosts;
	size_t nhosts, room_hosts;
	struct fdo_map *last_host; /* by name without numbers, from 1 */
	struct fdo_map *names;	   /* to what the profile has */
	struct fdo_map *given;	   /* names of the profile that are some's */
};

/* A text of the caller's to one of the profile's. */
static const char *intern(struct work *w, char *text)
{
	const char *ret = profile_text(w->profile, text);

	free(text);
	return ret;
}

static const char *pattern_of(struct work *w, const char *name,
			      const struct number *number)
{
	return intern(w, numbers_without(name, number, 1));
}

/* Of a region all that comes before its number, of a lambda's call its plain name. */
static const char *group_of(struct work *w, const struct function_id *id,
			    const struct number *number)
{
	return number->is_lambda ? id->names[2]
				 : pattern_of(w, id->names[1], number);
}

static void add_own(struct work *w, const struct renamed_function *function)
{
	const struct function_id *id = function->id;
	struct number number;
	struct own own;

	if (id->is_public || !id->names[1] ||
	    !numbers_own(id->names[1], &number))
		return;
	own = (struct own){
		.function = function,
		.number = number,
		.group = group_of(w, id, &number),
		.line = number.is_lambda ? id->start_line
					 : function->first_line,
		.type = intern(w, numbers_type(id->names[1], &number)),
	};
	if (!own.group || !own.line)
		return;
	w->owns = fdo_grow(w->owns, w->nowns, &w->room_owns, sizeof(own));
	w->owns[w->nowns++] = own;
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

/* Those of a name; more_ret, if not NULL: is there one? */
static bool add_candidates(struct work *w, const struct own *own,
			   const char *name, const char *pattern,
			   unsigned number, bool *more_ret,
			   struct fdo_error *err)
{
	const struct function_id *id = own->function->id;
	struct profile_function **found;
	size_t n;

	if (!profile_load(w->profile, name, &found, &n, err))
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
		if (!bodies_find(w->profile, found[i], &c.body, err))
			return false;
		w->candidates =
			fdo_grow(w->candidates, w->ncandidates,
				 &w->room_candidates, sizeof(*w->candidates));
		w->candidates[w->ncandidates++] = c;
		if (more_ret)
			*more_ret = true;
	}
	return true;
}

/* All numbers that a name may have had. */
static bool add_numbers(struct work *w, const struct own *own, unsigned most,
			struct fdo_error *err)
{
	const char *name = own->function->id->names[1];
	const char *pattern = pattern_of(w, name, &own->number);

	for (unsigned i = 0; i <= most + MAX_GONE; i++) {
		const char *there =
			intern(w, numbers_replace(name, &own->number, i));
		bool more = false;

		if (!add_candidates(w, own, there, pattern, i, &more, err))
			return false;
		if (more && i > most)
			most = i;
	}
	return true;
}

static bool gather(struct work *w, const struct own *owns, size_t n,
		   struct fdo_error *err)
{
	struct fdo_map *done = fdo_map_new();
	unsigned most = 0;
	bool good = !owns->number.is_lambda ||
		    add_candidates(w, owns, owns->group, NULL, 0, NULL, err);

	for (size_t i = 0; i < n; i++)
		if (owns[i].number.value > most)
			most = owns[i].number.value;
	for (size_t i = 0; i < n && good; i++) {
		const char *pattern = pattern_of(
			w, owns[i].function->id->names[1], &owns[i].number);
		uint64_t *known = fdo_map_at(done, unit_key(pattern));

		if (!*known)
			good = add_numbers(w, &owns[i], most, err);
		*known = 1;
	}
	fdo_map_free(done);
	if (w->ncandidates)
		qsort(w->candidates, w->ncandidates, sizeof(*w->candidates),
		      compare_candidates);
	return good;
}

/* Functions with names of their own. */
static bool find_anchors(struct work *w, const char *file,
			 struct moves_anchors *a, struct fdo_error *err)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct function_id *id = w->functions[i].id;
		struct profile_function **found;
		struct number number;
		unsigned best = 0;
		uint32_t then = 0;
		size_t n;

		if (id->file != file || !id->start_line || !id->names[1] ||
		    names_is_plain(id, id->names[1]) ||
		    numbers_own(id->names[1], &number))
			continue;
		if (!profile_load(w->profile, id->names[1], &found, &n, err))
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

static void give(struct work *w, const struct function_id *id, const char *name)
{
	*fdo_map_at(w->names, unit_key(id->names[1])) = unit_key(name);
	*fdo_map_at(w->given, unit_key(name)) = 1;
}

static void add_hosts(struct work *w, struct own *lambda,
		      const struct profile_function *f)
{
	for (size_t i = 0; i < f->nhosts; i++) {
		struct number numbers[NUMBERS_MAX];
		size_t n = numbers_of_lambdas(f->hosts[i], numbers);
		uint64_t *last;

		if (!n)
			continue;
		last = fdo_map_at(
			w->last_host,
			unit_key(intern(w, numbers_without(f->hosts[i], numbers,
							   n))));
		w->hosts = fdo_grow(w->hosts, w->nhosts, &w->room_hosts,
				    sizeof(*w->hosts));
		w->hosts[w->nhosts++] =
			(struct host){ f->hosts[i], lambda, *last };
		*last = w->nhosts;
	}
}

/*
 * What began in the same line; several lambdas of one line with the same name but for
 * their numbers are in the order of these.
 */
static void take_line(struct work *w, struct own *own, uint32_t line,
		      size_t rank)
{
	const struct function_id *id = own->function->id;
	const char *pattern = pattern_of(w, id->names[1], &own->number);

	for (size_t i = 0; i < w->ncandidates; i++) {
		const struct candidate *c = &w->candidates[i];

		if (c->line != line)
			continue;
		if (!c->pattern) {
			add_hosts(w, own, c->function);
		} else if (c->pattern == pattern && rank-- == 0) {
			own->is_known = true;
			own->then = c->number;
			give(w, id, c->function->body.name);
			add_hosts(w, own, c->function);
		}
	}
}

static size_t rank_in_line(struct work *w, const struct own *owns, size_t i)
{
	const char *pattern =
		pattern_of(w, owns[i].function->id->names[1], &owns[i].number);
	size_t rank = 0;

	for (size_t k = i; k-- > 0 && owns[k].line == owns[i].line;)
		rank += pattern_of(w, owns[k].function->id->names[1],
				   &owns[k].number) == pattern;
	return rank;
}

/* Each line once. */
static size_t candidate_lines(const struct work *w, uint32_t *lines)
{
	size_t n = 0;

	for (size_t i = 0; i < w->ncandidates; i++)
		if (n == 0 || lines[n - 1] != w->candidates[i].line)
			lines[n++] = w->candidates[i].line;
	return n;
}

/* Lines of a group. */
struct group {
	const struct work *work;
	const struct own *owns;
	const uint32_t *then;
};

static double likeness(void *context, size_t then, size_t now)
{
	const struct group *g = context;
	struct source *source = g->owns[now].function->source;
	double most = 0;

	for (size_t i = 0; source && i < g->work->ncandidates; i++) {
		const struct candidate *c = &g->work->candidates[i];
		double part = c->line == g->then[then] && c->body
				      ? source_part(source, c->body)
				      : 0;

		if (part > most)
			most = part;
	}
	return most;
}

static void match_lines(struct work *w, struct own *owns, size_t n,
			struct moves_anchors *anchors)
{
	uint32_t *then = fdo_alloc(w->ncandidates, sizeof(*then));
	uint32_t *now = fdo_alloc(n, sizeof(*now));
	size_t *which = fdo_alloc(n, sizeof(*which));
	size_t nthen = candidate_lines(w, then);
	struct group group = { w, owns, then };
	struct moves_likeness looks = { likeness, &group };

	for (size_t i = 0; i < n; i++)
		now[i] = owns[i].line;
	moves_match(anchors, &(struct moves_lines){ then, nthen },
		    &(struct moves_lines){ now, n }, &looks, which);
	for (size_t i = 0; i < n; i++)
		if (which[i] != MOVES_NONE)
			take_line(w, &owns[i], then[which[i]],
				  rank_in_line(w, owns, i));
	free(then);
	free(now);
	free(which);
}

static bool match_group(struct work *w, struct own *owns, size_t n,
			struct fdo_error *err)
{
	struct moves_anchors anchors = { 0 };
	bool good;

	w->ncandidates = 0;
	if (n > MAX_OWN)
		return true;
	good = gather(w, owns, n, err) &&
	       (w->ncandidates == 0 ||
		find_anchors(w, owns->function->id->file, &anchors, err));
	if (good && w->ncandidates)
		match_lines(w, owns, n, &anchors);
	moves_deinit(&anchors);
	return good;
}

static bool match_groups(struct work *w, struct fdo_error *err)
{
	if (w->nowns)
		qsort(w->owns, w->nowns, sizeof(*w->owns), compare_owns);
	for (size_t i = 0, next; i < w->nowns; i = next) {
		for (next = i + 1; next < w->nowns &&
				   w->owns[next].group == w->owns[i].group &&
				   w->owns[next].function->id->file ==
					   w->owns[i].function->id->file;
		     next++)
			;
		if (!match_group(w, &w->owns[i], next - i, err))
			return false;
	}
	return true;
}

/*
 * Was a function that one, which had a lambda inlined?  Then it has that lambda's
 * number of now wherever the numbers differ.
 */
static bool was_host(const struct number *now, size_t n,
		     const struct host *host, unsigned *then_ret)
{
	struct number then[NUMBERS_MAX];
	bool has = false;

	if (numbers_of_lambdas(host->name, then) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (now[i].value == host->lambda->number.value) {
			*then_ret = then[i].value;
			has = true;
		} else if (now[i].value != then[i].value) {
			return false;
		}
	return has;
}

/* The only one that it can have been; its lambda's number is known then. */
static const char *name_by_hosts(struct work *w, const char *name,
				 const struct number *numbers, size_t n)
{
	const uint64_t *last = fdo_map_get(
		w->last_host,
		unit_key(intern(w, numbers_without(name, numbers, n))));
	const struct host *found = NULL;
	unsigned then, found_then = 0;

	for (size_t at = last ? *last : 0; at; at = w->hosts[at - 1].previous) {
		const struct host *host = &w->hosts[at - 1];

		if (!was_host(numbers, n, host, &then))
			continue;
		if (found && found->name != host->name)
			return NULL;
		found = host;
		found_then = then;
	}
	if (!found)
		return NULL;
	if (!found->lambda->is_known) {
		found->lambda->is_known = true;
		found->lambda->then = found_then;
	}
	return found->name;
}

/* The lambda that a name has at a number; NULL: none that is known. */
static const struct own *lambda_at(const struct work *w, const char *name,
				   const struct number *number)
{
	for (size_t i = 0; i < w->nowns; i++) {
		const struct own *own = &w->owns[i];
		size_t length = strlen(own->type);

		if (own->is_known && length && length <= number->at &&
		    own->number.value == number->value &&
		    strncmp(name + number->at - length, own->type, length) == 0)
			return own;
	}
	return NULL;
}

/* With the numbers that lambdas had which it names. */
static const char *name_by_types(struct work *w, const char *name,
				 const struct number *numbers, size_t n)
{
	char *text = fdo_copy(name);
	bool changed = false;

	for (size_t i = n; i-- > 0;) {
		const struct own *own = lambda_at(w, name, &numbers[i]);
		char *other;

		if (!own)
			continue;
		changed = true;
		other = numbers_replace(text, &numbers[i], own->then);
		free(text);
		text = other;
	}
	if (changed)
		return intern(w, text);
	free(text);
	return NULL;
}

typedef const char *find_name(struct work *w, const char *name,
			      const struct number *numbers, size_t n);

/* All functions of this unit alone that name a lambda, but for those done. */
static void find_names(struct work *w, find_name *find)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct function_id *id = w->functions[i].id;
		struct number numbers[NUMBERS_MAX];
		const char *name;
		size_t n;

		if (id->is_public || !id->names[1] ||
		    fdo_map_get(w->names, unit_key(id->names[1])))
			continue;
		n = numbers_of_lambdas(id->names[1], numbers);
		name = n ? find(w, id->names[1], numbers, n) : NULL;
		if (name)
			give(w, id, name);
	}
}

/* What has the name of another one's record is new. */
static void rename_new(struct work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		const char *name = w->functions[i].id->names[1];
		char *other;

		if (!name || fdo_map_get(w->names, unit_key(name)) ||
		    !fdo_map_get(w->given, unit_key(name)))
			continue;
		other = fdo_alloc(strlen(name) + sizeof(none), 1);
		strcpy(other, name);
		strcat(other, none);
		*fdo_map_at(w->names, unit_key(name)) =
			unit_key(intern(w, other));
	}
}

struct renamed *renamed_new(struct profile *p,
			    const struct renamed_function *functions, size_t n,
			    struct fdo_error *err)
{
	struct work w = { .profile = p, .functions = functions, .n = n };
	struct renamed *ret = NULL;

	w.last_host = fdo_map_new();
	w.names = fdo_map_new();
	w.given = fdo_map_new();
	for (size_t i = 0; i < n; i++)
		add_own(&w, &functions[i]);
	if (match_groups(&w, err)) {
		find_names(&w, name_by_hosts);
		find_names(&w, name_by_types);
		rename_new(&w);
		ret = fdo_alloc(1, sizeof(*ret));
		ret->names = w.names;
	} else {
		fdo_map_free(w.names);
	}
	fdo_map_free(w.last_host);
	fdo_map_free(w.given);
	free(w.owns);
	free(w.candidates);
	free(w.hosts);
	return ret;
}

void renamed_free(struct renamed *r)
{
	if (!r)
		return;
	fdo_map_free(r->names);
	free(r);
}

const char *renamed_name(const struct renamed *r, const char *name)
{
	const uint64_t *found = fdo_map_get(r->names, unit_key(name));

	return found ? (const char *)(uintptr_t)*found : name;
}
