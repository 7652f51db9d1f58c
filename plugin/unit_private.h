/*
 * unit_private.h - what the parts of unit.h share.  Private to unit*.c.
 */
#ifndef PLUGIN_UNIT_PRIVATE_H
#define PLUGIN_UNIT_PRIVATE_H

#include "plugin/unit.h"

/* Of a constructor: complete, base, and allocating ones. */
enum { MAX_VARIANTS = 32 };

/* Deeper inlining than any compiler does. */
enum { UNIT_MAX_DEPTH = 500 };

/* Where a function of the unit that is_shared is called. */
struct unit_site {
	const struct instance *in;
	struct profile_key call;
	size_t previous; /* of the same function, from 1 */
};

/* Who is called at a place. */
struct unit_callee {
	struct function_id function;
	size_t previous; /* at the same place, from 1 */
};

struct unit {
	struct profile *profile;
	struct instance **functions;
	size_t nfunctions, room_functions;
	struct fdo_map *by_name; /* name: last function of it, from 1 */
	size_t *previous;	 /* of the same name, from 1; three for each */
	size_t room_previous;
	struct instance **instances;
	size_t ninstances, room_instances;
	struct fdo_map *places; /* place: count, from 1 */
	struct place_count *counts;
	size_t ncounts, room_counts;
	struct fdo_map *known;		      /* functions of the profile */
	struct fdo_map *loaded;		      /* names of hosts */
	const struct profile_function **read; /* those that are known */
	size_t nread, room_read;
	struct sources *sources;
	struct noted *noted;
	struct passing *passing;
	struct fdo_map *called;	  /* unit_call() of all calls of the unit */
	struct fdo_map *executed; /* likewise, what is inlined there executed */
	struct unit_callee *callees;
	size_t ncallees, room_callees;
	struct fdo_map *last_callee; /* of unit_place() of a call, from 1 */
	const struct passed *passed; /* to the copy that is being laid */
	uint64_t kind; /* of the copy that is being laid; 0: of none */
	bool is_idle;  /* nothing of that copy ran */
	bool is_again; /* what is laid was before: twins have their part */
	double part;   /* of what that function did, this unit's */
	const struct profile_function *host; /* that is being laid */
	struct unit_site *sites;
	size_t nsites, room_sites;
	struct fdo_map *last_site; /* of a function's name, from 1 */
};

static inline uint64_t unit_key(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

/* Unknown columns are like any other. */
static inline bool unit_same_column(uint32_t a, uint32_t b)
{
	return a == b || a == 0 || b == 0;
}

/*
 * The functions that a body belongs to where it is not inlined: one, none,
 * or, of a C++ constructor or destructor, each of its variants, which are
 * one function in the source.  Returns how many, at most MAX_VARIANTS.
 */
size_t unit_functions_of(const struct unit *u, const struct profile_body *body,
			 struct instance **ret);

/* The place of a call to the function of that name only; never 0. */
uint64_t unit_call(const struct instance *in, const struct profile_key *call,
		   const char *callee);

/* A place in copies of one kind; never 0. */
uint64_t unit_place_in(uint64_t place, uint64_t kind);

/* unit_find.c */

/* For all functions, their own, and in u->read all that may concern them. */
bool unit_find(struct unit *u, struct fdo_error *err);

/* Of all functions of that name, take the most alike, of equals the first. */
bool unit_choose(struct unit *u, struct instance *in, const char *name,
		 struct fdo_error *err);

/* unit_plain.c */

/* For all that have only a plain name in the debug information. */
bool unit_choose_plain(struct unit *u, struct fdo_error *err);

/* unit_twins.c */

/* The function that is called by that name; NULL: none. */
struct instance *unit_called(const struct unit *u, const char *name);

/*
 * The one that is called where the profiled program called or inlined one of that
 * name, which begins in that line, had it been made one with that; or NULL.  The
 * call is where it is now.
 */
struct instance *unit_twin(const struct unit *u, const struct instance *in,
			   const struct profile_key *call, const char *name,
			   const char *file, uint32_t line);

/* unit_lay.c */

/* A function of the profile, wherever it belongs. */
void unit_lay(struct unit *u, const struct profile_function *f);

/*
 * A copy of what was a call in the profiled binary: as often as that call was
 * made, of the times that the function was entered, it did what that does.
 */
bool unit_lay_copy(struct unit *u, struct instance *in, struct fdo_error *err);

/* unit_lines.c */

/*
 * For each count of a body: is it the largest of its line and discriminator, of
 * equals the first?  The caller's to free().
 */
bool *unit_largest_of_lines(const struct profile_body *body);

/* unit_shared.c */

/* Is the function's own body one of which each unit has a part? */
bool unit_is_shared(const struct unit *u, const struct profile_function *f);

/* Those, after all others. */
void unit_lay_shared(struct unit *u);

#endif
