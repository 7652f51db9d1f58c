/*
 * renamed.h - what the profile calls functions whose names have numbers.
 *
 * The compiler numbers the lambdas of a function and its regions of OpenMP in the
 * order of the source, and the names of all that is instantiated for a lambda have
 * that number.  With one more before others, these have the names of their
 * neighbours.  Which of them is which tell the lines where they begin (moves.h), and
 * of what was instantiated, which lambda the profile has inlined in it.
 *
 *	struct renamed *r = renamed_new(profile, functions, n, err);
 *	const char *name = renamed_name(r, id.names[1]);
 *	renamed_free(r);
 *
 * Names      Interned in the profile (profile_text()).
 * Errors     renamed_new() fails, with NULL, if the profile is damaged.
 */
#ifndef PLUGIN_RENAMED_H
#define PLUGIN_RENAMED_H

#include "plugin/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct renamed_function {
	const struct function_id *id; /* all of it is used */
	struct source *source; /* with all its places; NULL: it has no number */
};

struct renamed;

/* Of all functions of the unit; they are needed for that only. */
struct renamed *renamed_new(struct profile *p,
			    const struct renamed_function *functions, size_t n,
			    struct fdo_error *err);
void renamed_free(struct renamed *r); /* accepts NULL */

/* The same, if it is none of these; a name that nothing has, if it is new. */
const char *renamed_name(const struct renamed *r, const char *name);

#ifdef __cplusplus
}
#endif
#endif
