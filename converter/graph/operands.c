/*
 * operands.c - what an instruction reads and writes, by Zydis's second step.
 *
 * That step takes many times as long as the first.  So what comes out of it is
 * remembered by the shape of the instruction (shape.h), and only the numbers
 * in it are read again.
 */
#include <assert.h>

#include "converter/graph/decode_private.h"
#include "converter/graph/latency.h"
#include "converter/graph/shape.h"

/* Zydis's register as the number of a bit, or REG_NONE. */
static uint8_t reg_of(ZydisRegister reg)
{
	ZyanI8 id;

	switch (ZydisRegisterGetClass(reg)) {
	case ZYDIS_REGCLASS_GPR8:
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
		reg = ZydisRegisterGetLargestEnclosing(
			ZYDIS_MACHINE_MODE_LONG_64, reg);
		return REG_RAX + ZydisRegisterGetId(reg);
	case ZYDIS_REGCLASS_XMM:
	case ZYDIS_REGCLASS_YMM:
	case ZYDIS_REGCLASS_ZMM:
		id = ZydisRegisterGetId(reg);
		return REG_VECTOR0 + id;
	case ZYDIS_REGCLASS_MASK:
		return REG_MASK0 + ZydisRegisterGetId(reg);
	case ZYDIS_REGCLASS_X87:
	case ZYDIS_REGCLASS_MMX:
		return REG_X87;
	default:
		return REG_NONE;
	}
}

static uint64_t bit_of(uint8_t reg)
{
	return reg == REG_NONE ? 0 : REG_BIT(reg);
}

static uint64_t flags_of(ZydisAccessedFlagsMask mask)
{
	static const struct {
		ZydisAccessedFlagsMask mask;
		uint8_t reg;
	} flags[] = {
		{ ZYDIS_CPUFLAG_CF, REG_CF }, { ZYDIS_CPUFLAG_PF, REG_PF },
		{ ZYDIS_CPUFLAG_AF, REG_AF }, { ZYDIS_CPUFLAG_ZF, REG_ZF },
		{ ZYDIS_CPUFLAG_SF, REG_SF }, { ZYDIS_CPUFLAG_OF, REG_OF },
		{ ZYDIS_CPUFLAG_DF, REG_DF },
	};
	uint64_t set = 0;

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (mask & flags[i].mask)
			set |= REG_BIT(flags[i].reg);
	return set;
}

/* xor %eax,%eax and the like read nothing, whatever they name. */
static bool is_zeroing(const ZydisDecodedInstruction *zi,
		       const ZydisDecodedOperand *operands)
{
	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_XOR:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_PXOR:
	case ZYDIS_MNEMONIC_XORPS:
	case ZYDIS_MNEMONIC_XORPD:
		break;
	default:
		return false;
	}
	return operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       operands[0].reg.value == operands[1].reg.value;
}

static void note_register(struct insn_operands *ret,
			  const ZydisDecodedOperand *zo)
{
	uint64_t bit = bit_of(reg_of(zo->reg.value));

	/* push, pop, call: the stack pointer is kept up while decoding. */
	if (zo->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
	    bit == REG_BIT(REG_RSP))
		return;
	if (zo->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		ret->reads |= bit;
	if (zo->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		ret->writes |= bit;
	/* What is left of a byte or a word stays, and must be waited for. */
	if (zo->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE && zo->size < 32)
		ret->reads |= bit;
}

static void note_memory(struct insn_operands *ret, const struct insn *insn,
			const ZydisDecodedOperand *zo)
{
	uint8_t base = reg_of(zo->mem.base), index = reg_of(zo->mem.index);
	bool agen = zo->mem.type == ZYDIS_MEMOP_TYPE_AGEN;

	if (zo->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN ||
	    base != REG_RSP)
		ret->address_reads |= bit_of(base) | bit_of(index);
	ret->reads |= ret->address_reads;
	if (!agen && zo->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		ret->loads = true;
	if (!agen && zo->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		ret->stores = true;
	/* The stack of a push is memory too, but not the one meant here. */
	if (zo->visibility != ZYDIS_OPERAND_VISIBILITY_EXPLICIT)
		return;
	ret->memory = (struct insn_memory){
		.base = base,
		.index = index,
		.scale = zo->mem.scale,
		.size = agen ? 0 : zo->size / 8,
		.segment = zo->mem.segment == ZYDIS_REGISTER_FS ||
			   zo->mem.segment == ZYDIS_REGISTER_GS,
		.displacement = zo->mem.disp.value,
	};
	if (zo->mem.base == ZYDIS_REGISTER_RIP)
		ret->memory.displacement += insn_end(insn);
}

static struct operand visible(const ZydisDecodedOperand *zo)
{
	struct operand ret = { .reg = REG_NONE, .bits = zo->size };

	switch (zo->type) {
	case ZYDIS_OPERAND_TYPE_REGISTER:
		ret.kind = OPERAND_REG;
		ret.reg = reg_of(zo->reg.value);
		ret.high = zo->reg.value >= ZYDIS_REGISTER_AH &&
			   zo->reg.value <= ZYDIS_REGISTER_BH;
		break;
	case ZYDIS_OPERAND_TYPE_MEMORY:
		ret.kind = OPERAND_MEMORY;
		break;
	case ZYDIS_OPERAND_TYPE_IMMEDIATE:
		ret.kind = OPERAND_IMM;
		ret.imm = zo->imm.value.s;
		break;
	default:
		break;
	}
	return ret;
}

static void note_operands(const ZydisDecodedInstruction *zi,
			  const ZydisDecodedOperand *operands,
			  const struct insn *insn, struct insn_operands *ret)
{
	*ret = (struct insn_operands){
		.memory = { .base = REG_NONE, .index = REG_NONE },
	};
	for (unsigned i = 0; i < zi->operand_count; i++) {
		if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
			note_register(ret, &operands[i]);
		else if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			note_memory(ret, insn, &operands[i]);
		if (i < OPERANDS && i < zi->operand_count_visible)
			ret->operand[i] = visible(&operands[i]);
	}
	if (zi->cpu_flags) {
		ret->reads |= flags_of(zi->cpu_flags->tested);
		ret->writes |= flags_of(
			zi->cpu_flags->modified | zi->cpu_flags->set_0 |
			zi->cpu_flags->set_1 | zi->cpu_flags->undefined);
	}
	if (is_zeroing(zi, operands))
		ret->reads = 0;
	ret->latency = latency_of(zi, operands);
}

/* Which operand has a constant of its own; false: more than one. */
static bool find_constant(const ZydisDecodedInstruction *zi,
			  const ZydisDecodedOperand *operands,
			  struct known_operands *known)
{
	known->constant = OPERANDS;
	/* A shift by 1 may have it in its opcode. */
	if (!zi->raw.imm[0].size)
		return true;
	for (unsigned i = 0; i < zi->operand_count_visible; i++) {
		if (operands[i].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
			continue;
		if (known->constant < OPERANDS || i >= OPERANDS)
			return false;
		known->constant = i;
		known->is_signed = operands[i].imm.is_signed;
	}
	return true;
}

/* Where its numbers are, for others of its shape; unless that is too much. */
static void remember(struct known_operands *known, uint64_t key,
		     const ZydisDecodedInstruction *zi,
		     const ZydisDecodedOperand *operands,
		     const struct insn_operands *found)
{
	known->key = find_constant(zi, operands, known) ? key : 0;
	known->operands = *found;
	known->displacement =
		(struct number){ zi->raw.disp.offset, zi->raw.disp.size / 8 };
	known->immediate = (struct number){ zi->raw.imm[0].offset,
					    zi->raw.imm[0].size / 8 };
	known->rip_relative = false;
	for (unsigned i = 0; i < zi->operand_count_visible; i++)
		known->rip_relative |=
			operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			operands[i].mem.base == ZYDIS_REGISTER_RIP;
}

static int64_t constant_of(const uint8_t *bytes,
			   const struct known_operands *known)
{
	int64_t value = decode_number(bytes, known->immediate);
	unsigned unused = 64 - 8 * known->immediate.size;

	return known->is_signed
		       ? value
		       : (int64_t)((uint64_t)value << unused >> unused);
}

/* With the numbers of this one of their shape. */
static void recall(const struct known_operands *known, const uint8_t *bytes,
		   const struct insn *insn, struct insn_operands *ret)
{
	*ret = known->operands;
	ret->memory.displacement = decode_number(bytes, known->displacement);
	if (known->rip_relative)
		ret->memory.displacement += insn_end(insn);
	if (known->constant < OPERANDS)
		ret->operand[known->constant].imm = constant_of(bytes, known);
}

static void look_up(const struct decoder *d, const void *bytes,
		    const struct insn *insn, struct insn_operands *ret)
{
	uint64_t key = shape_operands(bytes, insn->length);
	struct known_operands *known =
		&d->operands[decode_slot(key, OPERANDS_BITS)];
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction zi;
	ZyanStatus status;

	if (key && known->key == key) {
		recall(known, bytes, insn, ret);
		return;
	}
	status = ZydisDecoderDecodeFull(&d->zydis, bytes, insn->length, &zi,
					operands);
	assert(ZYAN_SUCCESS(status));
	(void)status;
	note_operands(&zi, operands, insn, ret);
	if (key)
		remember(known, key, &zi, operands, ret);
}

void decode_operands(const struct decoder *d, const void *bytes,
		     const struct insn *insn, struct insn_operands *ret)
{
	look_up(d, bytes, insn, ret);
	if (!insn->by_thunk)
		return;
	ret->reads |= REG_BIT(insn->immediate);
	ret->operand[0] = (struct operand){
		.kind = OPERAND_REG,
		.reg = insn->immediate,
		.bits = 64,
	};
}
