/*
 * names.h - is that function of the profile this one?  By names and files.
 */
#ifndef PLUGIN_NAMES_H
#define PLUGIN_NAMES_H

#include "plugin/unit.h"

/* Texts are interned. */
bool names_has(const struct function_id *function, const char *name);

/* The last part of a path. */
const char *names_base(const char *path);

/*
 * How well a body of the profile suits a function; 0: not at all.  A static
 * function must be from a file of the same name, and so must a function that
 * is only known by a name that others may have as well.
 */
unsigned names_likeness(const struct function_id *f,
			const struct profile_body *body);

#endif
