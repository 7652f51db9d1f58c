#include "plugin/renamed_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "plugin/unit_private.h"

/* Behind the name of a function that the profile does not have. */
static const char none[] = "?";

struct renamed {
	struct fdo_map *names; /* to what the profile has */
};

/* A text of the caller's to one of the profile's. */
const char *renaming_intern(struct renaming *r, char *text)
{
	const char *ret = profile_text(r->profile, text);

	free(text);
	return ret;
}

void renaming_give(struct renaming *r, const struct function_id *id,
		   const char *name)
{
	*fdo_map_at(r->names, unit_key(id->names[1])) = unit_key(name);
	*fdo_map_at(r->given, unit_key(name)) = 1;
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
			if (has && *then_ret != then[i].value)
				return false;
			*then_ret = then[i].value;
			has = true;
		} else if (now[i].value != then[i].value) {
			return false;
		}
	return has;
}

/* The only one that it can have been; its lambda's number is known then. */
static const char *name_by_hosts(struct renaming *r, const char *name,
				 const struct number *numbers, size_t n)
{
	const uint64_t *last = fdo_map_get(
		r->last_host, unit_key(renaming_intern(
				      r, numbers_without(name, numbers, n))));
	const struct host *found = NULL;
	unsigned then, found_then = 0;

	for (size_t at = last ? *last : 0; at; at = r->hosts[at - 1].previous) {
		const struct host *host = &r->hosts[at - 1];

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
static const struct own *lambda_at(const struct renaming *r, const char *name,
				   const struct number *number)
{
	for (size_t i = 0; i < r->nowns; i++) {
		const struct own *own = &r->owns[i];
		size_t length = strlen(own->type);

		if (own->is_known && length && length <= number->at &&
		    own->number.value == number->value &&
		    strncmp(name + number->at - length, own->type, length) == 0)
			return own;
	}
	return NULL;
}

/* With the numbers that lambdas had which it names. */
static const char *name_by_types(struct renaming *r, const char *name,
				 const struct number *numbers, size_t n)
{
	char *text = fdo_copy(name);
	bool changed = false;

	for (size_t i = n; i-- > 0;) {
		const struct own *own = lambda_at(r, name, &numbers[i]);
		char *other;

		if (!own)
			continue;
		changed = true;
		other = numbers_replace(text, &numbers[i], own->then);
		free(text);
		text = other;
	}
	if (changed)
		return renaming_intern(r, text);
	free(text);
	return NULL;
}

typedef const char *find_name(struct renaming *r, const char *name,
			      const struct number *numbers, size_t n);

/* All functions that name a lambda, but for those done. */
static void find_names(struct renaming *r, find_name *find)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct function_id *id = r->functions[i].id;
		struct number numbers[NUMBERS_MAX];
		const char *name;
		size_t n;

		if (!id->names[1] ||
		    fdo_map_get(r->names, unit_key(id->names[1])))
			continue;
		n = numbers_of_lambdas(id->names[1], numbers);
		name = n ? find(r, id->names[1], numbers, n) : NULL;
		if (name)
			renaming_give(r, id, name);
	}
}

static bool has_other_numbers(const struct renaming *r)
{
	for (size_t i = 0; i < r->nowns; i++)
		if (r->owns[i].is_known &&
		    r->owns[i].then != r->owns[i].number.value)
			return true;
	return false;
}

/* What has the name of another one's record is new. */
static void rename_new(struct renaming *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const char *name = r->functions[i].id->names[1];
		char *other;

		if (!name || fdo_map_get(r->names, unit_key(name)) ||
		    !fdo_map_get(r->given, unit_key(name)))
			continue;
		other = fdo_alloc(strlen(name) + sizeof(none), 1);
		strcpy(other, name);
		strcat(other, none);
		*fdo_map_at(r->names, unit_key(name)) =
			unit_key(renaming_intern(r, other));
	}
}

struct renamed *renamed_new(struct profile *p,
			    const struct renamed_function *functions, size_t n,
			    struct fdo_error *err)
{
	struct renaming r = { .profile = p, .functions = functions, .n = n };
	struct renamed *ret = NULL;

	r.last_host = fdo_map_new();
	r.names = fdo_map_new();
	r.given = fdo_map_new();
	if (renaming_match_lines(&r, err)) {
		find_names(&r, name_by_hosts);
		if (has_other_numbers(&r))
			find_names(&r, name_by_types);
		rename_new(&r);
		ret = fdo_alloc(1, sizeof(*ret));
		ret->names = r.names;
	} else {
		fdo_map_free(r.names);
	}
	fdo_map_free(r.last_host);
	fdo_map_free(r.given);
	free(r.owns);
	free(r.candidates);
	free(r.hosts);
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
