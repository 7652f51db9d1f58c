/*
 * sources.h - the functions of a unit as they are written: one for all copies
 * of a function, with its shape in the profile and its shape now.
 *
 *	struct sources *all = sources_new();
 *	struct source *s = sources_add(all, &function);
 *	source_see(s, 3, 9, NULL);		// for each place that it has
 *	sources_match(all, functions, n, likeness);
 *	if (source_move(s, &key))
 *		...
 *
 * Units      As in unit.h.
 * Ownership  All sources belong to the struct; names are borrowed.
 * Errors     None.
 */
#ifndef PLUGIN_SOURCES_H
#define PLUGIN_SOURCES_H

#include <limits.h>

#include "plugin/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sources;

struct sources *sources_new(void);
void sources_free(struct sources *all);

/* Find or add. */
struct source *sources_add(struct sources *all,
			   const struct function_id *function);

/* Its name in the source's debug information. */
const char *source_name(const struct function_id *function);

/* It also is a function of its own. */
void source_own(struct source *s, const struct instance *in);

/* It has code of that place now. */
void source_see(struct source *s, int32_t line, uint32_t column,
		const char *call);

/*
 * What part of a body's places is just where it was, from 0 to 1; 0 if these
 * are too few to know it by.
 */
double source_resemblance(struct source *s, const struct profile_body *body);

/* The same, however few they are. */
double source_part(struct source *s, const struct profile_body *body);

/* Are nearly all of them? */
bool source_looks_like(struct source *s, const struct profile_body *body);

/* How well a body suits a source; in between, more is better; 0: not at all. */
enum source_likeness {
	SOURCE_IF_ALONE = 1, /* if it suits no other source, too */
	SOURCE_SURE = INT_MAX
};

/*
 * Learn the shapes of the profile's functions, and match them.  likeness says
 * how well a body suits a source, own being its own function or NULL.
 */
void sources_match(struct sources *all,
		   const struct profile_function *const *functions, size_t n,
		   unsigned (*likeness)(const struct function_id *function,
					const struct instance *own,
					const struct profile_body *body));

/* A key of the profile as it is now; false: gone. */
bool source_move(const struct source *s, struct profile_key *key);

/*
 * The same of a call of that function.  What is another function now may still have
 * one call of it, as it had, in which most of its time may be.
 */
bool source_move_call(const struct source *s, struct profile_key *call,
		      const char *name);

struct unit_fit source_fit(const struct source *s);

/* The first line that it has code on now; INT32_MAX: none. */
int32_t source_first_line(const struct source *s);

/* The last line that it has code on now; 0: none, or the first. */
int32_t source_last_line(const struct source *s);

#ifdef __cplusplus
}
#endif
#endif
