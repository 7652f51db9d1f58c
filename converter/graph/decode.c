/*
 * decode.c - Zydis, reduced to what flow needs.
 *
 * decode() stops after Zydis's first step, which knows the opcode, the
 * prefixes and the raw displacement and immediate, but no operands.  That is
 * enough for the class and the target.  It remembers what came out by the
 * shape of the instruction (shape.h), so that most need not even that.
 */
#include "converter/graph/decode.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/graph/decode_private.h"
#include "converter/graph/packed.h"
#include "converter/graph/shape.h"

struct decoder *decoder_new(void)
{
	struct decoder *d = fdo_alloc(1, sizeof(*d));
	ZyanStatus status = ZydisDecoderInit(
		&d->zydis, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);

	assert(ZYAN_SUCCESS(status));
	(void)status;
	d->known = fdo_alloc((size_t)1 << KNOWN_BITS, sizeof(*d->known));
	d->operands =
		fdo_alloc((size_t)1 << OPERANDS_BITS, sizeof(*d->operands));
	return d;
}

void decoder_free(struct decoder *d)
{
	if (!d)
		return;
	free(d->known);
	free(d->operands);
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

/* No single number that was spilled. */
static bool is_access(const ZydisDecodedOperand *zo)
{
	return zo->type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       zo->mem.type == ZYDIS_MEMOP_TYPE_MEM &&
	       (zo->mem.base != ZYDIS_REGISTER_RSP ||
		zo->size / 8 >= PACKED_VECTOR);
}

static void note_access(struct insn *insn, const char *name, unsigned bytes)
{
	unsigned moved = packed_moved(name, bytes);

	if (!moved && packed_computes(name) && bytes >= PACKED_VECTOR)
		moved = bytes;
	if (moved)
		insn->moved = moved;
	else if (insn->class == INSN_OTHER && bytes <= sizeof(uint64_t))
		insn->accessed = bytes;
}

/* What it does with memory, as its operands say. */
static void note_memory(const struct decoder *d,
			const ZydisDecoderContext *context,
			const ZydisDecodedInstruction *zi, struct insn *insn)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

	if (ZYAN_FAILED(ZydisDecoderDecodeOperands(
		    &d->zydis, context, zi, operands, zi->operand_count)))
		return;
	for (unsigned i = 0; i < zi->operand_count; i++) {
		insn->assigns |= changes_memory(&operands[i]);
		if (is_access(&operands[i]))
			note_access(insn, ZydisMnemonicGetString(zi->mnemonic),
				    operands[i].size / 8);
	}
}

/* Vectors have names of their own: no other is looked at. */
static void note_packed(struct insn *insn, const ZydisDecodedInstruction *zi)
{
	const char *name = ZydisMnemonicGetString(zi->mnemonic);

	switch (zi->meta.isa_ext) {
	case ZYDIS_ISA_EXT_BASE:
	case ZYDIS_ISA_EXT_LONGMODE:
	case ZYDIS_ISA_EXT_X87:
		return;
	default:
		insn->packed = packed_computes(name) ||
			       packed_moved(name, PACKED_VECTOR);
		insn->element = packed_element(name);
	}
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
	note_memory(d, &context, &zi, &ret->insn);
	return true;
}

static struct known *remembered(const struct decoder *d, uint64_t key)
{
	return &d->known[decode_slot(key, KNOWN_BITS)];
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
	ret->displacement = decode_number(bytes, known->displacement);
	immediate = decode_number(bytes, known->immediate);
	if (has_target(ret->class))
		ret->target = insn_end(ret) + immediate;
	else
		ret->immediate = immediate;
	return true;
}

uint16_t decode_opposite(uint16_t opcode)
{
	static const uint16_t opposites[][2] = {
		{ ZYDIS_MNEMONIC_JZ, ZYDIS_MNEMONIC_JNZ },
		{ ZYDIS_MNEMONIC_JB, ZYDIS_MNEMONIC_JNB },
		{ ZYDIS_MNEMONIC_JBE, ZYDIS_MNEMONIC_JNBE },
		{ ZYDIS_MNEMONIC_JL, ZYDIS_MNEMONIC_JNL },
		{ ZYDIS_MNEMONIC_JLE, ZYDIS_MNEMONIC_JNLE },
		{ ZYDIS_MNEMONIC_JS, ZYDIS_MNEMONIC_JNS },
		{ ZYDIS_MNEMONIC_JO, ZYDIS_MNEMONIC_JNO },
		{ ZYDIS_MNEMONIC_JP, ZYDIS_MNEMONIC_JNP },
	};

	for (size_t i = 0; i < sizeof(opposites) / sizeof(*opposites); i++)
		for (unsigned k = 0; k < 2; k++)
			if (opposites[i][k] == opcode)
				return opposites[i][!k];
	return opcode;
}
