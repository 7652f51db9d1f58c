/*
 * gather.h - samples that gather where branches lead.
 *
 * After a mispredicted branch nothing retires until its target comes through
 * the pipeline.  That instruction waits longest of its block, and gets the
 * samples of all that retired some cycles before: more than the block earned.
 * So in blocks that a conditional branch leads to, the first instruction has
 * at most twice the samples of any other one, where these are of retired
 * instructions.
 *
 *	bool gathers = gather_happens(p, "inst");
 *	double share = gather_share(p, f, block, "inst");
 *	... share * samples
 *
 * Samples that name the instruction after the one that waited, as those of
 * timers do, gather at the second one, and behind loads: they are late.  On
 * some processors they gather at the first one nevertheless, and are late
 * elsewhere: until something retires where a branch leads, a timer names that.
 *
 * Errors     None.
 */
#ifndef CONVERTER_GATHER_H
#define CONVERTER_GATHER_H

#include <stdbool.h>
#include <stddef.h>

struct program;
struct program_function;

/* Do samples of a role name the instruction that waits? */
bool gather_happens(const struct program *p, const char *role);

/* What they name when an instruction waits. */
enum gather_named {
	GATHER_ITSELF,
	GATHER_NEXT, /* the one after it */
	GATHER_LED,  /* likewise, but the first one where a branch led */
};

/*
 * The latter two are not said of too few, or of precise ones.  Loads are known
 * after timing_static().
 */
enum gather_named gather_named(const struct program *p, const char *role);

/* The part of the samples of a role in a block that counts, above 0 to 1. */
double gather_share(const struct program *p, const struct program_function *f,
		    size_t block, const char *role);

#endif
