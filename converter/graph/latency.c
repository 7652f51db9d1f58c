/* latency.c - a table in code: what is not in it takes one cycle. */
#include "converter/graph/latency.h"

#include <stdbool.h>

/* Integer division waits for all bits of the quotient. */
static unsigned divide_latency(const ZydisDecodedInstruction *zi)
{
	return zi->operand_width == 64 ? 18 : 12;
}

/* Is it arithmetic on floating-point numbers?  Logic and moves are not. */
static bool is_float(const ZydisDecodedInstruction *zi,
		     const ZydisDecodedOperand *operands)
{
	for (unsigned i = 0; i < zi->operand_count_visible; i++)
		switch (operands[i].element_type) {
		case ZYDIS_ELEMENT_TYPE_FLOAT16:
		case ZYDIS_ELEMENT_TYPE_FLOAT32:
		case ZYDIS_ELEMENT_TYPE_FLOAT64:
		case ZYDIS_ELEMENT_TYPE_FLOAT80:
			return true;
		default:
			break;
		}
	return false;
}

static unsigned float_latency(const ZydisDecodedInstruction *zi)
{
	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_DIVSS:
	case ZYDIS_MNEMONIC_DIVPS:
	case ZYDIS_MNEMONIC_VDIVSS:
	case ZYDIS_MNEMONIC_VDIVPS:
		return 11;
	case ZYDIS_MNEMONIC_DIVSD:
	case ZYDIS_MNEMONIC_DIVPD:
	case ZYDIS_MNEMONIC_VDIVSD:
	case ZYDIS_MNEMONIC_VDIVPD:
	case ZYDIS_MNEMONIC_FDIV:
	case ZYDIS_MNEMONIC_FDIVP:
	case ZYDIS_MNEMONIC_FDIVR:
	case ZYDIS_MNEMONIC_FDIVRP:
		return 14;
	case ZYDIS_MNEMONIC_SQRTSS:
	case ZYDIS_MNEMONIC_SQRTPS:
	case ZYDIS_MNEMONIC_VSQRTSS:
	case ZYDIS_MNEMONIC_VSQRTPS:
		return 15;
	case ZYDIS_MNEMONIC_SQRTSD:
	case ZYDIS_MNEMONIC_SQRTPD:
	case ZYDIS_MNEMONIC_VSQRTSD:
	case ZYDIS_MNEMONIC_VSQRTPD:
	case ZYDIS_MNEMONIC_FSQRT:
		return 20;
	default:
		return 4;
	}
}

/* Moves between registers and of constants cost nothing: renaming does it. */
static bool is_free_move(const ZydisDecodedInstruction *zi,
			 const ZydisDecodedOperand *operands)
{
	if (zi->mnemonic != ZYDIS_MNEMONIC_MOV || zi->operand_width < 32)
		return false;
	return operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       operands[1].type != ZYDIS_OPERAND_TYPE_MEMORY;
}

static unsigned vector_latency(const ZydisDecodedInstruction *zi,
			       const ZydisDecodedOperand *operands)
{
	switch (zi->meta.category) {
	case ZYDIS_CATEGORY_DATAXFER:
	case ZYDIS_CATEGORY_LOGICAL_FP:
	case ZYDIS_CATEGORY_LOGICAL:
	case ZYDIS_CATEGORY_BLEND:
	case ZYDIS_CATEGORY_BROADCAST:
		return 1;
	default:
		return is_float(zi, operands) ? float_latency(zi) : 1;
	}
}

/* Figures of current cores, from operands to result. */
unsigned latency_of(const ZydisDecodedInstruction *zi,
		    const ZydisDecodedOperand *operands)
{
	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_DIV:
	case ZYDIS_MNEMONIC_IDIV:
		return divide_latency(zi);
	case ZYDIS_MNEMONIC_IMUL:
	case ZYDIS_MNEMONIC_MULX:
		return 3;
	case ZYDIS_MNEMONIC_MUL:
		return zi->operand_width == 64 ? 4 : 3;
	case ZYDIS_MNEMONIC_PMULLD:
	case ZYDIS_MNEMONIC_VPMULLD:
		return 5;
	case ZYDIS_MNEMONIC_PMULLW:
	case ZYDIS_MNEMONIC_PMULUDQ:
	case ZYDIS_MNEMONIC_PMADDWD:
	case ZYDIS_MNEMONIC_VPMULLW:
	case ZYDIS_MNEMONIC_VPMULUDQ:
	case ZYDIS_MNEMONIC_VPMADDWD:
	case ZYDIS_MNEMONIC_CRC32:
	case ZYDIS_MNEMONIC_PCLMULQDQ:
		return 3;
	case ZYDIS_MNEMONIC_ADC:
	case ZYDIS_MNEMONIC_SBB:
		return 2;
	default:
		break;
	}
	if (zi->meta.category == ZYDIS_CATEGORY_CMOV)
		return 2;
	if (is_free_move(zi, operands))
		return 0;
	return vector_latency(zi, operands);
}
