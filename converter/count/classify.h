/*
 * classify.h - which blocks have too many or too few samples for how often
 * they ran, and what it costs to move their counts (CGO 2010, section 4.2).
 *
 * For each block, A is the number of cycles that it stalled by what the stall
 * events say: the sum over events of stall duration times events.  S, the
 * shadow, is its cycles less its retired instructions.  A block with S - A
 * above twice its instructions is under-sampled; one with A above S and above
 * half of its cycles is over-sampled.
 *
 * Prices are those of Levin, Haber and Newman as GCC has them: with a count w,
 * raising costs k / ln(w + 2) and lowering 50 times as much.  An over-sampled
 * block costs the most of all blocks of its function to raise and the least
 * to lower; an under-sampled one the other way round.  The paper has 0 for
 * the least; here it is the smallest price there is, since a free loop would
 * carry any count.
 *
 * Units      As in program.h.
 * Errors     Samples without instructions retired, or without cycles.
 */
#ifndef CONVERTER_CLASSIFY_H
#define CONVERTER_CLASSIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "converter/count/program.h"

struct fdo_error;
struct machine;
struct program;
struct truth;
struct weights;

/* Trust all blocks, at Levin's prices. */
void classify_none(struct program *p);

/* By the events, as above. */
bool classify_events(struct program *p, const struct machine *machine,
		     struct fdo_error *err);

/*
 * With the limits, stalls and prices that svr-train has learnt; a price is
 * for each instruction of a block.  The weights are bound.
 */
void classify_by_weights(struct program *p, const struct weights *w);

/*
 * As only an oracle can: by a raw count that is, on the scale of the program
 * as a whole, above 5/4 or below 4/5 of the truth (one for each binary).
 */
void classify_truth(struct program *p, struct truth *const *truths);

/* The class that a raw count, on the scale of the truth, should have. */
enum program_class classify_oracle(double raw, double exact);

const char *classify_name(enum program_class class);

/* Back from its name; false: there is no such class. */
bool classify_named(const char *name, enum program_class *ret);

#endif
