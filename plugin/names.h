/*
 * names.h - is that function of the profile this one?  By names and files.
 */
#ifndef PLUGIN_NAMES_H
#define PLUGIN_NAMES_H

#include "plugin/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Texts are interned. */
bool names_has(const struct function_id *function, const char *name);

/*
 * How well a body of the profile suits a function; 0: not at all.  A static
 * function must be from a file of the same name, and so must a function that
 * is only known by a name that others may have as well, as overloads and
 * lambdas have: that must also begin in the same line.
 */
unsigned names_likeness(const struct function_id *f,
			const struct profile_body *body);

/* Is one of its names also that of its overloads?  Lambdas have all the same. */
bool names_is_plain(const struct function_id *function, const char *name);

/* How many of the last parts of their files' paths are the same. */
unsigned names_common_parts(const struct function_id *function,
			    const struct profile_body *body);

/* Of two with a name in common: has no other function of the file that? */
bool names_are_sure(const struct function_id *function,
		    const struct profile_body *body);

/*
 * Are they from the same file, and have nothing else in common but a name that
 * is not sure?  If no other function is like that, this one has moved.
 */
bool names_may_have_moved(const struct function_id *function,
			  const struct profile_body *body);

#ifdef __cplusplus
}
#endif
#endif
