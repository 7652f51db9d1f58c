/*
 * renamed_private.h - what the parts of renamed.h share.  Private to renamed*.c.
 */
#ifndef PLUGIN_RENAMED_PRIVATE_H
#define PLUGIN_RENAMED_PRIVATE_H

#include "plugin/numbers.h"
#include "plugin/renamed.h"

/* A lambda, or a region. */
struct own {
	const struct renamed_function *function;
	struct number number;
	const char *pattern; /* its name without its number */
	const char *group;   /* what those matched at once have in common */
	uint32_t line;
	bool is_known; /* which number it had: */
	unsigned then;
	const char *type; /* of a lambda, up to its number; "": unknown */
};

struct candidate;

/* What has a lambda inlined in it. */
struct host {
	const char *name;
	struct own *lambda;
	size_t previous; /* of the same name but for numbers, from 1 */
};

struct renaming {
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
const char *renaming_intern(struct renaming *r, char *text);

/* That is what the profile calls the function. */
void renaming_give(struct renaming *r, const struct function_id *id,
		   const char *name);

/* renamed_lines.c */

/*
 * Lambdas and regions by the lines where they begin: names of those that the profile
 * has a record of, and hosts of lambdas.
 */
bool renaming_match_lines(struct renaming *r, struct fdo_error *err);

#endif
