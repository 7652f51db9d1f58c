/*
 * outcome_run.h - what an instruction does to what is known.  For outcome.c.
 *
 * Errors     False: it is not known.
 */
#ifndef CONVERTER_OUTCOME_RUN_H
#define CONVERTER_OUTCOME_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "converter/graph/outcome.h"

/* Whether what an instruction asks for is so, if its flags are known. */
bool outcome_condition(const struct outcome_state *s, unsigned opcode,
		       bool *ret);

/*
 * Where a jump or call by a pointer leads, as an address of the object.  Of its
 * operands, a constant in memory is looked up.
 */
bool outcome_target(const struct outcome_state *s, const struct insn *insn,
		    const struct insn_operands *in_memory, uint64_t *ret);

void outcome_run(struct outcome_state *s, const struct insn *insn,
		 const struct insn_operands *in_memory);

#endif
