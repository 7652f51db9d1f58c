#include "converter/graph/asked.h"

#include <Zydis/Zydis.h>

#include "converter/graph/decode.h"

/* As a jump, a conditional move, or what sets a byte asks it. */
#define ASKS(condition)                                                   \
	ZYDIS_MNEMONIC_J##condition : case ZYDIS_MNEMONIC_CMOV##condition \
	    : case ZYDIS_MNEMONIC_SET##condition

bool asked_by(unsigned opcode, struct asked *ret)
{
	switch (opcode) {
	case ASKS(Z):
		*ret = (struct asked){ .holds = true };
		return true;
	case ASKS(NZ):
		*ret = (struct asked){ .holds = false };
		return true;
	case ASKS(L):
	case ASKS(NLE):
	case ASKS(B):
	case ASKS(NBE):
	case ASKS(S):
		*ret = (struct asked){ .order = true, .holds = true };
		return true;
	case ASKS(LE):
	case ASKS(NL):
	case ASKS(BE):
	case ASKS(NB):
	case ASKS(NS):
		*ret = (struct asked){ .order = true, .holds = false };
		return true;
	default:
		return false;
	}
}

/*
 * "cmp $1" leaves a carry if something is 0, "neg" if it is not: by that, adc and sbb
 * count what one of them has found.
 */
static bool asked_by_carry(const struct insn *insns, uint32_t i,
			   struct asked *ret)
{
	enum { NEAR = 8 };

	for (uint32_t back = 1; back <= i && back <= NEAR; back++) {
		const struct insn *insn = &insns[i - back];

		if (insn->opcode == ZYDIS_MNEMONIC_CMP) {
			*ret = (struct asked){ .order = insn->immediate != 1,
					       .holds = true };
			return true;
		}
		if (insn->opcode == ZYDIS_MNEMONIC_NEG) {
			*ret = (struct asked){ .holds = false };
			return true;
		}
		if (insn->opcode != ZYDIS_MNEMONIC_MOV &&
		    insn->opcode != ZYDIS_MNEMONIC_LEA)
			return false;
	}
	return false;
}

bool asked_by_insn(const struct insn *insns, uint32_t i, struct asked *ret)
{
	if (insns[i].opcode == ZYDIS_MNEMONIC_ADC ||
	    insns[i].opcode == ZYDIS_MNEMONIC_SBB)
		return asked_by_carry(insns, i, ret);
	return asked_by(insns[i].opcode, ret);
}
