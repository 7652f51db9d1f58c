/*
 * unit.h - the part of a profile that concerns one translation unit, laid
 * out as the compiler has inlined so far.
 *
 * The profiled binary and this compilation do not inline alike.  The
 * compiler says which functions it has and what is inlined in them; then the
 * counts of the profile are distributed.  What was inlined in the binary and
 * is inlined here stays in its place; what is a call here is merged into the
 * called function's own body, and the call counts as often as that was entered
 * there (entered.h); and what is inlined here and was a call there has
 * a part of that function's own counts, as large as the call's of its entry.
 * What other units inlined of a function that each has for itself is not ours,
 * nor is more of what it did on its own than we call it.
 *
 *	struct unit *u = unit_new(profile);
 *	struct instance *f = unit_add_function(u, &function);
 *	unit_add_inlined(u, f, 3, 9, &callee);
 *	unit_see(u, f, file, 4, 2, NULL);		// for each statement
 *	unit_pass(u, f, &call, &callee, values, n);	// for each call
 *	if (!unit_load(u, err))
 *		...
 *	place = unit_place(f, file, line, column, PROFILE_ANY);
 *	const struct place_count *c = unit_count(u, place);	// or NULL
 *	unit_free(u);
 *
 * Units      As in the profile.  Lines are relative to the function's start.
 * Ownership  The unit owns its instances and counts, and borrows the
 *            profile.  Texts are interned in the profile (profile_text()).
 * Errors     Only unit_load() can fail: the profile is damaged.
 *
 * A function whose source has changed is recognised by its places (shape.h),
 * if these were seen: what the profile says of it is moved to where that is
 * now, in all copies, and left out if it is another function now.
 *
 * A place is a 64-bit hash of where in the inline tree, line, column and
 * discriminator: two that collide once in 2^64 share their counts.
 */
#ifndef PLUGIN_UNIT_H
#define PLUGIN_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/copies.h"
#include "plugin/known.h"
#include "plugin/passed.h"
#include "plugin/targets.h"
#include "profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fdo_error;
struct source;
struct unit;

enum { FUNCTION_NAMES = 3 };

/* How the compiler knows a function. */
struct function_id {
	/* As the assembler has it, then what else it may be called; or NULL */
	const char *names[FUNCTION_NAMES];
	const char *file;
	uint32_t start_line;
	bool is_public; /* its name is unique in the program */
	bool is_shared; /* of a header, and each unit has it for itself; only
			 * calls by name enter it */
};

/* A function's body: its own, or one inlined into another. */
struct instance {
	uint32_t id;
	struct function_id function;
	struct source *source;
	struct instance *outer; /* that it is inlined into; NULL: none */
	bool laid;		/* the profile has it, in this place */
	uint64_t tested;	/* parameters that tests depend on, a bit each;
				 * of a function of its own */
	int32_t call_line;	/* in the body around it */
	uint32_t call_column;
	struct instance **inlined;
	size_t ninlined, room_inlined;

	/* After unit_load(); all but the first for functions of their own */
	const struct profile_function *profile; /* NULL: not in it */
	uint64_t samples;     /* in its code, wherever that was inlined, and
				 of that which it was made one with, its part */
	uint64_t total;	      /* instructions of its own and of merged bodies */
	bool merged;	      /* something was merged into it */
	uint64_t entry;	      /* calls of its own, and of merged bodies */
	bool entry_is_least;  /* of some merged bodies, they are not known */
	struct copies copies; /* all bodies that were laid over it */
	bool has_more_hosts;  /* it was inlined where the unit did not look */
};

struct place_count {
	uint64_t count, error;
	uint64_t sure;	/* of count, what is in copies without flags */
	uint32_t flags; /* enum profile_flags, of any copy */
	bool is_idle;	/* it is in copies only of which nothing ran */
};

struct unit *unit_new(struct profile *p);
void unit_free(struct unit *u);

struct instance *unit_add_function(struct unit *u,
				   const struct function_id *function);

/* Find or add: two copies of one call are one instance. */
struct instance *unit_add_inlined(struct unit *u, struct instance *in,
				  int32_t call_line, uint32_t call_column,
				  const struct function_id *function);

/*
 * There is code of that place in a body; call is the function that is called
 * there, as the assembler has it, or NULL.
 */
void unit_see(struct unit *u, const struct instance *in, const char *file,
	      int32_t line, uint32_t column, const char *call);

/*
 * What the call of a function passes that is made there, in a body or in what
 * is inlined in it: by parameter, without those of which nothing is known.
 */
void unit_pass(struct unit *u, const struct instance *in,
	       const struct profile_key *call, const struct function_id *callee,
	       const struct passed_value *values, size_t n);

/* Read what the profile says of these functions, and distribute it. */
bool unit_load(struct unit *u, struct fdo_error *err);

/* All of a line that has a discriminator, in place of a column. */
#define UNIT_ANY_COLUMN 0xffffffffu

/* Never 0. */
uint64_t unit_place(const struct instance *in, const char *file, int32_t line,
		    uint32_t column, uint32_t discriminator);

/*
 * A call by itself, whatever other code its place has; 0: the profile knows
 * nothing of it.
 */
uint64_t unit_known_call(const struct unit *u, const struct instance *in,
			 const struct profile_key *call,
			 const struct function_id *callee);

/* Instructions executed by what the profile has inlined at such a call. */
uint64_t unit_executed(const struct unit *u, uint64_t call);

const struct place_count *unit_count(const struct unit *u, uint64_t place);

/* The same in copies of one kind. */
const struct place_count *unit_count_in(const struct unit *u, uint64_t place,
					uint64_t kind);

/* Who is called there most, but for others that are called there, too. */
struct likeliest unit_target(const struct unit *u, uint64_t place,
			     const struct others *others);

/* What values there were there, of so many executions. */
void unit_values(const struct unit *u, uint64_t place, enum profile_kind kind,
		 int64_t executions, struct known_values *ret);

/* How a test of a place came out there: see outcome.h. */
bool unit_outcome(const struct unit *u, uint64_t place, enum profile_kind kind,
		  uint64_t least, double *ret);

/*
 * What was inlined in the profiled program at a call in one of its bodies,
 * which is of function in; line and column are of now.  NULL: nothing.
 */
const struct profile_body *unit_inlined_at(struct unit *u,
					   const struct function_id *in,
					   const struct profile_body *body,
					   int32_t line, uint32_t column,
					   const struct function_id *callee);

/* The functions of the profile that were read for it. */
const struct profile_function *const *unit_read(const struct unit *u,
						size_t *n);

/* How much of a function's source is as it was profiled. */
struct unit_fit {
	size_t places; /* that the profile has of it, wherever inlined */
	size_t stay;   /* of these, where they were */
	size_t found;  /* of these, there or elsewhere */
	bool unfit;    /* too few: it is another function now */
};

/* After unit_load(); all 0 if nothing was seen. */
struct unit_fit unit_fit(const struct instance *in);

/* Is what the profile has of it from a file of another name or folder? */
bool unit_is_elsewhere(const struct instance *in);

#ifdef __cplusplus
}
#endif
#endif
