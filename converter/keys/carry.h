/*
 * carry.h - a profile carried over a change of the source.
 *
 *	struct carry_report report;
 *	struct profile *new = carry(profile, patch, &report);
 *
 * Lines of functions and of keys move with their source, and keys of lines
 * that are gone are dropped.  The counts of a call that was inlined and whose
 * line is gone stay with the called function.  A function whose declaration is
 * gone stays as it was, since it may be in another file now: the compiler
 * finds it by its name, or nobody asks for it.
 *
 * An unsampled function that the patch touches is no longer one: who knows what
 * it does now.
 *
 * Ownership  The profile that is returned is the caller's; the old one
 *            is changed and good for nothing but profile_free().
 * Errors     None.
 */
#ifndef CONVERTER_CARRY_H
#define CONVERTER_CARRY_H

#include <stdint.h>

struct patch;
struct profile;

struct carry_report {
	uint64_t files;	    /* of the profile that are in the patch */
	uint64_t renamed;   /* of these */
	uint64_t ambiguous; /* of the profile: two in the patch fit */
	const char *one;    /* of these, the first; NULL: none */
	uint64_t functions; /* of which anything moved or was dropped */
	uint64_t gone;	    /* whose declarations are */
	uint64_t unsampled; /* that may run now: they have changed */
	uint64_t stay, moved, dropped; /* keys */
	uint64_t calls;		       /* inlined ones whose places are gone */
};

/* report->one belongs to the patch. */
struct profile *carry(struct profile *p, const struct patch *patch,
		      struct carry_report *report);

#endif
