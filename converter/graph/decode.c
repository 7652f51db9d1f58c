/*
 * decode.c - Zydis, reduced to what flow needs.
 *
 * decode() stops after Zydis's first step, which knows the opcode, the
 * prefixes and the raw displacement and immediate, but no operands.  That is
 * enough for the class and the target.  It remembers what came out by the
 * shape of the instruction (shape.h), so that most need not even that.
 */
#include "converter/graph/decode.h"

#include <Zydis/Zydis.h>
#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/graph/latency.h"
#include "converter/graph/packed.h"
#include "converter/graph/shape.h"

enum { MEMORY_BITS = 13 };

/* A number in an instruction: signed, lowest byte first; 0 bytes for none. */
struct number {
	uint8_t at, size;
};

/* All instructions of a shape, but for address, target and displacement. */
struct known {
	uint64_t key; /* 0: none yet */
	struct insn insn;
	struct number displacement;
	struct number immediate; /* or how far it is to the target */
};

struct decoder {
	ZydisDecoder zydis;
	struct known *known; /* by the hash of the shape */
};

struct decoder *decoder_new(void)
{
	struct decoder *d = fdo_alloc(1, sizeof(*d));
	ZyanStatus status = ZydisDecoderInit(
		&d->zydis, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);

	assert(ZYAN_SUCCESS(status));
	(void)status;
	d->known = fdo_alloc((size_t)1 << MEMORY_BITS, sizeof(*d->known));
	return d;
}

void decoder_free(struct decoder *d)
{
	if (!d)
		return;
	free(d->known);
	free(d);
}

/* Calls, jumps: a relative immediate, or a pointer in a register or memory. */
static bool is_direct(const ZydisDecodedInstruction *zi)
{
	return zi->raw.imm[0].is_relative;
}

static enum insn_class class_of(const ZydisDecodedInstruction *zi)
{
	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_ENDBR64:
	case ZYDIS_MNEMONIC_ENDBR32:
		return INSN_NOP;
	case ZYDIS_MNEMONIC_XCHG: /* of ax with itself: 66 90, not 0x90 */
		return INSN_OTHER;
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_INT3:
		return INSN_TRAP;
	case ZYDIS_MNEMONIC_XBEGIN:
		return INSN_BRANCH;
	default:
		break;
	}
	switch (zi->meta.category) {
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
		return INSN_NOP;
	case ZYDIS_CATEGORY_COND_BR:
		return INSN_BRANCH;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return is_direct(zi) ? INSN_JUMP : INSN_JUMP_INDIRECT;
	case ZYDIS_CATEGORY_CALL:
		return is_direct(zi) ? INSN_CALL : INSN_CALL_INDIRECT;
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSRET:
		return INSN_RETURN;
	case ZYDIS_CATEGORY_SYSCALL:
		return INSN_SYSCALL;
	default:
		return INSN_OTHER;
	}
}

static bool is_conditional(const ZydisDecodedInstruction *zi)
{
	switch (zi->meta.category) {
	case ZYDIS_CATEGORY_CMOV:
	case ZYDIS_CATEGORY_FCMOV:
	case ZYDIS_CATEGORY_SETCC:
		return true;
	default:
		return zi->mnemonic == ZYDIS_MNEMONIC_SBB ||
		       zi->mnemonic == ZYDIS_MNEMONIC_ADC;
	}
}

/* Compares and simple arithmetic, but not of memory with a constant. */
static bool can_fuse(const ZydisDecodedInstruction *zi)
{
	bool memory = zi->attributes & ZYDIS_ATTRIB_HAS_MODRM &&
		      zi->raw.modrm.mod != 3;

	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_CMP:
	case ZYDIS_MNEMONIC_TEST:
		return !memory || zi->raw.imm[0].size == 0;
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_AND:
	case ZYDIS_MNEMONIC_DEC:
	case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_SUB:
		return !memory;
	default:
		return false;
	}
}

/* The stack has what the compiler put there, wherever that was best. */
static bool changes_memory(const ZydisDecodedOperand *zo)
{
	return zo->type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       zo->mem.type == ZYDIS_MEMOP_TYPE_MEM &&
	       zo->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
	       zo->mem.base != ZYDIS_REGISTER_RSP;
}

static bool is_assignment(const struct decoder *d,
			  const ZydisDecoderContext *context,
			  const ZydisDecodedInstruction *zi)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

	if (ZYAN_FAILED(ZydisDecoderDecodeOperands(
		    &d->zydis, context, zi, operands, zi->operand_count)))
		return false;
	for (unsigned i = 0; i < zi->operand_count; i++)
		if (changes_memory(&operands[i]))
			return true;
	return false;
}

/* Vectors have names of their own: no other is looked at. */
static void note_packed(struct insn *insn, const ZydisDecodedInstruction *zi)
{
	const char *name;
	unsigned length = 16;

	switch (zi->meta.isa_ext) {
	case ZYDIS_ISA_EXT_BASE:
	case ZYDIS_ISA_EXT_LONGMODE:
	case ZYDIS_ISA_EXT_X87:
		return;
	default:
		break;
	}
	if (zi->avx.vector_length)
		length = zi->avx.vector_length / 8;
	name = ZydisMnemonicGetString(zi->mnemonic);
	insn->element = packed_element(name);
	insn->moved = packed_moved(name, length);
}

static bool has_target(enum insn_class class)
{
	return class == INSN_BRANCH || class == INSN_JUMP || class == INSN_CALL;
}

static struct insn insn_of(const ZydisDecodedInstruction *zi)
{
	return (struct insn){
		.opcode = zi->mnemonic,
		.length = zi->length,
		.class = class_of(zi),
		.rip_relative = zi->attributes & ZYDIS_ATTRIB_IS_RELATIVE &&
				!is_direct(zi),
		.lea = zi->mnemonic == ZYDIS_MNEMONIC_LEA,
		.repeated = zi->attributes &
			    (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
			     ZYDIS_ATTRIB_HAS_REPNE),
		.conditional = is_conditional(zi),
		.fuses = can_fuse(zi),
		.int3 = zi->mnemonic == ZYDIS_MNEMONIC_INT3,
		.xbegin = zi->mnemonic == ZYDIS_MNEMONIC_XBEGIN,
		.divides = zi->mnemonic == ZYDIS_MNEMONIC_DIV ||
			   zi->mnemonic == ZYDIS_MNEMONIC_IDIV,
		.divides_signed = zi->mnemonic == ZYDIS_MNEMONIC_IDIV,
	};
}

static bool learn(const struct decoder *d, const void *bytes, size_t size,
		  uint64_t key, struct known *ret)
{
	ZydisDecodedInstruction zi;
	ZydisDecoderContext context;

	if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&d->zydis, &context,
						      bytes, size, &zi)))
		return false;
	*ret = (struct known){
		.key = key,
		.insn = insn_of(&zi),
		.displacement = { zi.raw.disp.offset, zi.raw.disp.size / 8 },
		.immediate = { zi.raw.imm[0].offset, zi.raw.imm[0].size / 8 },
	};
	note_packed(&ret->insn, &zi);
	ret->insn.assigns = is_assignment(d, &context, &zi);
	return true;
}

static int64_t read_number(const uint8_t *bytes, struct number number)
{
	uint64_t value = 0;
	unsigned unused = 64 - 8 * number.size;

	if (number.size == 0)
		return 0;
	for (unsigned i = 0; i < number.size; i++)
		value |= (uint64_t)bytes[number.at + i] << 8 * i;
	return (int64_t)(value << unused) >> unused;
}

static struct known *remembered(const struct decoder *d, uint64_t key)
{
	return &d->known[key * UINT64_C(0x9e3779b97f4a7c15) >>
			 (64 - MEMORY_BITS)];
}

bool decode(const struct decoder *d, const void *bytes, size_t size,
	    uint64_t address, struct insn *ret)
{
	uint64_t key = shape_key(bytes, size);
	struct known once, *known = key ? remembered(d, key) : &once;
	int64_t immediate;

	if ((key == 0 || known->key != key) &&
	    !learn(d, bytes, size, key, known))
		return false;
	*ret = known->insn;
	ret->address = address;
	ret->displacement = read_number(bytes, known->displacement);
	immediate = read_number(bytes, known->immediate);
	if (has_target(ret->class))
		ret->target = insn_end(ret) + immediate;
	else
		ret->immediate = immediate;
	return true;
}

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

void decode_operands(const struct decoder *d, const void *bytes,
		     const struct insn *insn, struct insn_operands *ret)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZyanStatus status = ZydisDecoderDecodeFull(&d->zydis, bytes,
						   insn->length, &zi, operands);

	assert(ZYAN_SUCCESS(status));
	(void)status;
	*ret = (struct insn_operands){
		.memory = { .base = REG_NONE, .index = REG_NONE },
	};
	for (unsigned i = 0; i < zi.operand_count; i++) {
		if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
			note_register(ret, &operands[i]);
		else if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			note_memory(ret, insn, &operands[i]);
		if (i < 3 && i < zi.operand_count_visible)
			ret->operand[i] = visible(&operands[i]);
	}
	if (zi.cpu_flags) {
		ret->reads |= flags_of(zi.cpu_flags->tested);
		ret->writes |=
			flags_of(zi.cpu_flags->modified | zi.cpu_flags->set_0 |
				 zi.cpu_flags->set_1 | zi.cpu_flags->undefined);
	}
	if (is_zeroing(&zi, operands))
		ret->reads = 0;
	ret->latency = latency_of(&zi, operands);
}

const char *insn_class_name(enum insn_class class)
{
	static const char *const names[] = {
		[INSN_OTHER] = "other",
		[INSN_NOP] = "nop",
		[INSN_BRANCH] = "branch",
		[INSN_JUMP] = "jump",
		[INSN_JUMP_INDIRECT] = "jump-indirect",
		[INSN_CALL] = "call",
		[INSN_CALL_INDIRECT] = "call-indirect",
		[INSN_RETURN] = "return",
		[INSN_TRAP] = "trap",
		[INSN_SYSCALL] = "syscall",
	};

	return names[class];
}

const char *insn_opcode_name(unsigned opcode)
{
	return ZydisMnemonicGetString(opcode);
}
