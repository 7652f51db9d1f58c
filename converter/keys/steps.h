/*
 * steps.h - tests that the compiler made in several steps.
 *
 *	uint8_t *steps = steps_find(lines, function, dominators);
 *	if (steps[b] & STEPS_PLACE)
 *		...	// the test that ends block b began before
 *	free(steps);
 *
 * A switch may be a row of compares, and "a && b" in a macro is of one place,
 * too.  Each time it is executed, some of its steps are, all of which may look
 * alike; but they are no copies, and only the first is executed each time.
 *
 * Range      One for each block of the function; 0 where another test begins,
 *            or a loop: its test at the end is a copy of that before it.
 * Ownership  The caller frees the array.
 * Errors     None.
 */
#ifndef CONVERTER_STEPS_H
#define CONVERTER_STEPS_H

#include <stdint.h>

struct dominators;
struct lines;
struct program_function;

/* All code of the block only goes on with a test. */
enum steps_flag {
	STEPS_PLACE = 1 << 0, /* of its place, */
	STEPS_KEY = 1 << 1,   /* and of its discriminator as well */
};

uint8_t *steps_find(const struct lines *lines, const struct program_function *f,
		    const struct dominators *dominators);

#endif
