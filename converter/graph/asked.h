/*
 * asked.h - what conditional jumps ask.
 *
 *	struct asked asked;
 *	if (asked_by(insn->opcode, &asked))
 *		... asked.order, asked.holds
 *
 * Compilers turn a test around, and what it compares, as they lay out code.  If
 * something was equal, or one of two was less than the other, whichever, remains the
 * same: "a < b" and "b > a" are true if one is less, "a <= b" and "b >= a" if none is.
 *
 * Errors     None: of parity and overflow, nothing is asked.
 */
#ifndef CONVERTER_ASKED_H
#define CONVERTER_ASKED_H

#include <stdbool.h>

struct asked {
	bool order; /* whether one is less; or else, whether they are equal */
	bool holds; /* the jump is taken if so; or else, if not */
};

/* False: nothing that is known. */
bool asked_by(unsigned opcode, struct asked *ret);

#endif
