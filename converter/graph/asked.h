/*
 * asked.h - what conditional jumps ask, and what is done in place of one.
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
#include <stdint.h>

struct insn;

struct asked {
	bool order; /* whether one is less; or else, whether they are equal */
	bool holds; /* the jump is taken if so, or the move done; or else, if not */
};

/* False: nothing that is known. */
bool asked_by(unsigned opcode, struct asked *ret);

/* By the i-th instruction of a block, also if that adds or takes away a carry. */
bool asked_by_insn(const struct insn *insns, uint32_t i, struct asked *ret);

#endif
