/*
 * attribute.h - counts of blocks become counts of places in the source.
 *
 * Each piece of code has a source key: function, inline stack, line, column,
 * discriminator.  Code with one key may be in many blocks:
 *
 *  - Blocks that always run equally often hold one instance of it: one vote.
 *  - Instances of alike code are copies (unrolled, peeled, inlined): their
 *    counts add up.  Different code is different pieces of one statement:
 *    the largest count stands for it.
 *  - One instance may do several rounds of a loop, unrolled or vectorized:
 *    rounds.h.
 *  - Code that was if-converted, or that a block shares with other code by
 *    merged tails, runs at most that often: the flags say so.
 *
 * Units      As in program.h and profile.h.
 * Ownership  The caller has the profile; nothing of the program is kept.
 * Errors     None.
 */
#ifndef CONVERTER_ATTRIBUTE_H
#define CONVERTER_ATTRIBUTE_H

#include <stdint.h>

struct profile;
struct program;
struct usual;

/* Instructions executed, and how much of it has a place. */
struct attribute_result {
	uint64_t executed;
	uint64_t placed;      /* with a function and a line */
	uint64_t with_column; /* of these */
	uint64_t nowhere;     /* with a line, but in no known function */
	uint64_t no_line; /* in a known function, of which no line is known */
	uint64_t keys;
};

/*
 * After the prepass.  Adds functions, binaries, cutoffs and max_count.  usual
 * may be NULL.
 */
void attribute(const struct program *p, const struct usual *usual,
	       struct profile *profile, struct attribute_result *ret);

#endif
