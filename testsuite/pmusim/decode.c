/*
 * decode.c - Zydis's operands, reduced to register numbers and a class.
 *
 * A register is a dependence as a whole: writing its low byte waits for what
 * was there, which Zydis reports as no read, so that "narrow" adds one.
 */
#include "testsuite/pmusim/decode.h"

#include <Zydis/Zydis.h>

#include "testsuite/pmusim/code.h"
#include "testsuite/pmusim/ports.h"

enum { NO_REGISTER = 255 };

static uint8_t number_of(ZydisRegister reg)
{
	switch (ZydisRegisterGetClass(reg)) {
	case ZYDIS_REGCLASS_GPR8:
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
		return ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(
			ZYDIS_MACHINE_MODE_LONG_64, reg));
	case ZYDIS_REGCLASS_FLAGS:
		return REGISTER_FLAGS;
	case ZYDIS_REGCLASS_XMM:
	case ZYDIS_REGCLASS_YMM:
		return REGISTER_VECTOR + ZydisRegisterGetId(reg);
	case ZYDIS_REGCLASS_X87:
	case ZYDIS_REGCLASS_MMX:
		return REGISTER_X87;
	default:
		return NO_REGISTER;
	}
}

static void add(uint8_t *list, uint8_t *size, int room, uint8_t number)
{
	if (number == NO_REGISTER || *size == room)
		return;
	for (int i = 0; i < *size; i++)
		if (list[i] == number)
			return;
	list[(*size)++] = number;
}

static void add_register(struct insn *ret, const ZydisDecodedOperand *zo)
{
	uint8_t number = number_of(zo->reg.value);
	bool writes = zo->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	bool narrow = writes && number < REGISTER_FLAGS && zo->size < 32;
	bool may_keep = zo->actions & ZYDIS_OPERAND_ACTION_CONDWRITE;

	if (zo->actions & ZYDIS_OPERAND_ACTION_MASK_READ || narrow || may_keep)
		add(ret->reads, &ret->nreads, INSN_READS, number);
	if (writes)
		add(ret->writes, &ret->nwrites, INSN_WRITES, number);
}

static void add_memory(struct insn *ret, const ZydisDecodedOperand *zo)
{
	add(ret->address_regs, &ret->naddress, INSN_READS,
	    number_of(zo->mem.base));
	add(ret->address_regs, &ret->naddress, INSN_READS,
	    number_of(zo->mem.index));
	if (zo->mem.type != ZYDIS_MEMOP_TYPE_MEM)
		return;
	if (zo->size / 8 > ret->bytes)
		ret->bytes =
			zo->size / 8 < ACCESS_MAX ? zo->size / 8 : ACCESS_MAX;
	ret->loads |= (zo->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
	ret->stores |= (zo->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
}

/* The stack pointer of push, pop, call and ret is known ahead of time. */
static bool moves_stack(const ZydisDecodedInstruction *zi)
{
	switch (zi->meta.category) {
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_POP:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
		return true;
	default:
		return false;
	}
}

/* xor %eax,%eax: a new value, whatever was there. */
static bool is_zeroing(const ZydisDecodedInstruction *zi,
		       const ZydisDecodedOperand *zo)
{
	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_XOR:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_PXOR:
	case ZYDIS_MNEMONIC_XORPS:
	case ZYDIS_MNEMONIC_XORPD:
		return zo[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		       zo[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		       zo[0].reg.value == zo[1].reg.value && zo[0].size >= 32;
	default:
		return false;
	}
}

static void add_operands(struct insn *ret, const ZydisDecodedInstruction *zi,
			 const ZydisDecodedOperand *operands)
{
	for (int i = 0; i < zi->operand_count; i++) {
		const ZydisDecodedOperand *zo = &operands[i];

		if (zo->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    zo->reg.value == ZYDIS_REGISTER_RSP && moves_stack(zi))
			continue;
		if (zo->type == ZYDIS_OPERAND_TYPE_REGISTER)
			add_register(ret, zo);
		else if (zo->type == ZYDIS_OPERAND_TYPE_MEMORY)
			add_memory(ret, zo);
	}
	if (is_zeroing(zi, operands))
		ret->nreads = 0;
}

static enum flow flow_of(const ZydisDecodedInstruction *zi)
{
	bool direct = zi->raw.imm[0].is_relative;

	switch (zi->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return FLOW_BRANCH;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return direct ? FLOW_JUMP : FLOW_INDIRECT;
	case ZYDIS_CATEGORY_CALL:
		return direct ? FLOW_CALL : FLOW_CALL_INDIRECT;
	case ZYDIS_CATEGORY_RET:
		return FLOW_RETURN;
	default:
		return FLOW_NEXT;
	}
}

static bool is_float_divide(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_DIVSS:
	case ZYDIS_MNEMONIC_DIVSD:
	case ZYDIS_MNEMONIC_DIVPS:
	case ZYDIS_MNEMONIC_DIVPD:
	case ZYDIS_MNEMONIC_SQRTSS:
	case ZYDIS_MNEMONIC_SQRTSD:
	case ZYDIS_MNEMONIC_SQRTPS:
	case ZYDIS_MNEMONIC_SQRTPD:
	case ZYDIS_MNEMONIC_FDIV:
	case ZYDIS_MNEMONIC_FDIVP:
	case ZYDIS_MNEMONIC_FDIVR:
	case ZYDIS_MNEMONIC_FDIVRP:
	case ZYDIS_MNEMONIC_FSQRT:
		return true;
	default:
		return false;
	}
}

static bool is_float(const ZydisDecodedInstruction *zi,
		     const ZydisDecodedOperand *operands)
{
	for (int i = 0; i < zi->operand_count_visible; i++)
		if (operands[i].element_type >= ZYDIS_ELEMENT_TYPE_FLOAT16 &&
		    operands[i].element_type <= ZYDIS_ELEMENT_TYPE_FLOAT80)
			return true;
	return false;
}

static enum unit unit_of(const struct insn *insn,
			 const ZydisDecodedInstruction *zi,
			 const ZydisDecodedOperand *operands)
{
	if (insn->flow != FLOW_NEXT)
		return UNIT_BRANCH;
	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_IMUL:
	case ZYDIS_MNEMONIC_MUL:
		return UNIT_MULTIPLY;
	case ZYDIS_MNEMONIC_DIV:
	case ZYDIS_MNEMONIC_IDIV:
		return UNIT_DIVIDE;
	case ZYDIS_MNEMONIC_NOP:
	case ZYDIS_MNEMONIC_ENDBR64:
		return UNIT_NONE;
	default:
		break;
	}
	if (is_float_divide(zi->mnemonic))
		return UNIT_FLOAT_DIVIDE;
	return is_float(zi, operands) ? UNIT_FLOAT : UNIT_ALU;
}

static int latency_of(enum unit unit, const ZydisDecodedInstruction *zi)
{
	switch (unit) {
	case UNIT_MULTIPLY:
		return 3;
	case UNIT_DIVIDE:
		return zi->operand_width == 64 ? 40 : 25;
	case UNIT_FLOAT:
		return 4;
	case UNIT_FLOAT_DIVIDE:
		return 15;
	default:
		return 1;
	}
}

/* A plain load or store takes no ALU besides. */
static bool is_move(const ZydisDecodedInstruction *zi)
{
	switch (zi->meta.category) {
	case ZYDIS_CATEGORY_DATAXFER:
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_POP:
		return true;
	default:
		return false;
	}
}

static bool is_string(const ZydisDecodedInstruction *zi)
{
	return zi->meta.category == ZYDIS_CATEGORY_STRINGOP &&
	       zi->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
				 ZYDIS_ATTRIB_HAS_REPNE);
}

static bool is_serial(const ZydisDecodedInstruction *zi)
{
	return zi->mnemonic == ZYDIS_MNEMONIC_CPUID ||
	       zi->meta.category == ZYDIS_CATEGORY_SYSCALL;
}

/* An exchange with memory needs no prefix. */
static bool is_locked(const struct insn *insn,
		      const ZydisDecodedInstruction *zi)
{
	return zi->attributes & ZYDIS_ATTRIB_HAS_LOCK ||
	       zi->mnemonic == ZYDIS_MNEMONIC_MFENCE ||
	       (zi->mnemonic == ZYDIS_MNEMONIC_XCHG && insn->loads);
}

static unsigned ports_of(const struct insn *insn)
{
	static const unsigned ports[UNITS] = {
		[UNIT_ALU] = PORTS_ALU,
		[UNIT_MULTIPLY] = PORTS_MULTIPLY,
		[UNIT_DIVIDE] = PORTS_DIVIDE,
		[UNIT_FLOAT] = PORTS_FLOAT,
		[UNIT_FLOAT_DIVIDE] = PORTS_DIVIDE,
		[UNIT_BRANCH] = PORTS_BRANCH,
	};

	return insn->computes ? ports[insn->unit] : 0;
}

static enum kind kind_of(const struct insn *insn)
{
	if (insn->repeats || insn->serial || insn->locked ||
	    insn->unit == UNIT_DIVIDE || insn->unit == UNIT_FLOAT_DIVIDE ||
	    insn->naddress > USUAL_ADDRESS || insn->nreads > USUAL_READS ||
	    insn->nwrites > USUAL_WRITES)
		return KIND_RARE;
	if (insn->loads || insn->stores || insn->nwrites == USUAL_WRITES)
		return KIND_MEMORY;
	return KIND_REGISTERS;
}

/* An address that is only computed is made of operands like others. */
static void read_addresses(struct insn *ret)
{
	for (int i = 0; i < ret->naddress; i++)
		add(ret->reads, &ret->nreads, INSN_READS, ret->address_regs[i]);
	ret->naddress = 0;
}

/* So that the core need not count. */
static void pad(struct insn *ret)
{
	for (int i = ret->naddress; i < INSN_READS; i++)
		ret->address_regs[i] = REGISTER_READY;
	for (int i = ret->nreads; i < INSN_READS; i++)
		ret->reads[i] = REGISTER_READY;
	for (int i = ret->nwrites; i < INSN_WRITES; i++)
		ret->writes[i] = REGISTER_UNREAD;
}

bool decode_insn(const void *zydis, const unsigned char *bytes, size_t size,
		 uint64_t address, struct insn *ret)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

	if (ZYAN_FAILED(ZydisDecoderDecodeFull(zydis, bytes, size, &zi,
					       operands)) ||
	    zi.length != size)
		return false;
	*ret = (struct insn){
		.address = address,
		.length = size,
		.flow = flow_of(&zi),
		.repeats = is_string(&zi),
		.serial = is_serial(&zi),
	};
	add_operands(ret, &zi, operands);
	ret->locked = is_locked(ret, &zi);
	ret->unit = unit_of(ret, &zi, operands);
	ret->latency = latency_of(ret->unit, &zi);
	ret->computes = !((ret->loads || ret->stores) && is_move(&zi));
	ret->ports = ports_of(ret);
	if (!ret->loads && !ret->stores)
		read_addresses(ret);
	ret->kind = kind_of(ret);
	pad(ret);
	if (zi.raw.imm[0].is_relative)
		ret->target = address + size + zi.raw.imm[0].value.s;
	return true;
}
