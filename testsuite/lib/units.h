/*
 * units.h - functions of a profile and of a unit, for tests.
 *
 *	struct profile_function *f = told_function(p, "f", "a.c", 10);
 *	struct instance *in = compiled_function(u, p, "f", "a.c", 10);
 *	...
 *	check_int(count_at(u, in, 3), 100, "what line 13 has");
 */
#ifndef TESTSUITE_UNITS_H
#define TESTSUITE_UNITS_H

#include "plugin/unit.h"
#include "profile/profile.h"

/* Of the profile; it has ten samples. */
static inline struct profile_function *told_function(struct profile *p,
						     const char *name,
						     const char *file,
						     uint32_t line)
{
	struct profile_function *f = profile_add_function(p, name, file, line);

	f->samples = 10;
	return f;
}

/* Of the unit, and public. */
static inline struct instance *
compiled_function(struct unit *u, struct profile *p, const char *name,
		  const char *file, uint32_t line)
{
	struct function_id id = { .start_line = line, .is_public = true };

	id.names[0] = profile_text(p, name);
	id.file = profile_text(p, file);
	return unit_add_function(u, &id);
}

/* Of a line's column 1; -1: nothing. */
static inline long long count_at(const struct unit *u,
				 const struct instance *in, int32_t line)
{
	const struct place_count *c =
		unit_count(u, unit_place(in, NULL, line, 1, PROFILE_ANY));

	return c ? (long long)c->count : -1;
}

#endif
