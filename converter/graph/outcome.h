/*
 * outcome.h - by which edges blocks are left, and who is called by a pointer,
 * from what is in registers at an instruction.
 *
 * A sample names an instruction that has not run yet, and may say what is in
 * registers and flags.  What decides the branch at the end of the block is
 * often there by then, or follows from it: so a sample tells which way the
 * program went on, as a branch record would.
 *
 *	struct outcome_state state = { .known = REG_BIT(REG_ZF), ... };
 *	struct outcome found[8];
 *	size_t n = outcome_follow(&cfg, operands, insn, &state, 8, found);
 *	for (size_t i = 0; i < n; i++)
 *		...	// found[i].block, .edge
 *
 * Units      Addresses are the object's; those in registers are that much
 *            higher: load.
 * Ownership  All are the caller's.
 * Errors     None: what cannot be told is left out.
 */
#ifndef CONVERTER_OUTCOME_H
#define CONVERTER_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/graph/decode.h"

struct cfg;
struct object;

/* Before an instruction. */
struct outcome_state {
	const struct object *object; /* its constants are known; NULL: none */
	uint64_t known; /* set of registers up to REG_R15, and of flags */
	uint64_t flags; /* of the known ones, those that are set */
	uint64_t load;
	uint64_t registers[REG_R15 + 1];
};

/* EFLAGS as the processor has them. */
void outcome_set_flags(struct outcome_state *state, uint64_t eflags);

/*
 * How a block is left, whom it calls by a pointer, or what came of a condition without
 * a branch (cmovcc, setcc).
 */
struct outcome {
	uint64_t address; /* of the branch, jump, call or condition */
	uint32_t block;	  /* or the hub that it leads to */
	/* - first_edge; nedges: it leaves the function.  Or 1 if a condition holds */
	uint32_t edge;
	uint64_t target; /* of a call or a jump by a pointer, or 0 */
	bool call;
};

/*
 * Go on from an instruction as long as it is known where to, and tell of each
 * branch on the way how it comes out, and of each call by a pointer where it
 * leads: at most that many, in a few blocks and a thousand instructions.
 * operands[i] are those of cfg.insns[i].  The state is of no use afterwards.
 */
size_t outcome_follow(const struct cfg *cfg,
		      const struct insn_operands *operands, uint32_t insn,
		      struct outcome_state *state, size_t most,
		      struct outcome *ret);

#endif
