/*
 * passed.h - the constants that calls pass.
 *
 *	struct passing *p = passed_new();
 *	passed_note(p, call, values, n);	// for each call there is
 *	const struct passed *here = passed_at(p, call, around);
 *	here = passed_of(p, here, parameters);
 *	... here->values[i] ...
 *	passed_free(p);
 *
 * Where a function was inlined with a constant for a parameter, tests of that
 * were gone, and so mostly was the code of the arms: the profile has no count
 * of them.  But the call is there yet, and says which arm it was.
 *
 * A call is known by a hash of where it is and whom it calls (unit.h).  Of two
 * calls with one hash that pass other values nothing is known.
 *
 * Ownership  All that is returned belongs to the struct; equal lists of values
 *            are one pointer.
 * Errors     None.
 */
#ifndef PLUGIN_PASSED_H
#define PLUGIN_PASSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters from this one on are not looked at. */
enum { PASSED_MAX = 64 };

struct passed_value {
	uint32_t parameter; /* of who is called, from 0 */
	bool is_parameter;  /* value is a parameter of the caller */
	int64_t value;
};

struct passed {
	uint64_t hash;		     /* of all values */
	struct passed_value *values; /* by parameter */
	size_t n;		     /* not 0 */
};

struct passing;

struct passing *passed_new(void);
void passed_free(struct passing *p);

/* The values are by parameter, and those that are not known left out. */
void passed_note(struct passing *p, uint64_t call,
		 const struct passed_value *values, size_t n);

/*
 * What is passed there if the caller got the values around (NULL: none are
 * known); no caller's parameters are left.  NULL: nothing is known.
 */
const struct passed *passed_at(struct passing *p, uint64_t call,
			       const struct passed *around);

/* For these parameters only (a bit each); NULL: nothing is known of them. */
const struct passed *passed_of(struct passing *p, const struct passed *passed,
			       uint64_t parameters);

#ifdef __cplusplus
}
#endif
#endif
