/*
 * decode.h - one x86-64 instruction, as much of it as flow needs.
 *
 *	struct decoder *d = decoder_new();
 *	struct insn insn;
 *	if (!decode(d, bytes, size, address, &insn))
 *		...	// these bytes are no instruction
 *	decoder_free(d);
 *
 * Finding out how long an instruction is and where it goes is fast; what it
 * reads and writes takes many times as long, and is asked for on its own,
 * with decode_operands(), where it is needed.
 *
 * Units      Addresses are the caller's; latencies are CPU cycles.
 * Ownership  All but the decoder are plain values.
 * Errors     Bytes that are no instruction, or are cut off: false.
 * Threads    A decoder remembers what it has seen: one for each thread.
 */
#ifndef CONVERTER_DECODE_H
#define CONVERTER_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where control goes after an instruction. */
enum insn_class {
	INSN_OTHER,  /* on to the next */
	INSN_NOP,    /* likewise, having done nothing: nop, endbr */
	INSN_BRANCH, /* to the target or to the next */
	INSN_JUMP,   /* to the target */
	INSN_JUMP_INDIRECT,
	INSN_CALL, /* to the target, and mostly back */
	INSN_CALL_INDIRECT,
	INSN_RETURN,
	INSN_TRAP,    /* nowhere: ud2, hlt, int3 */
	INSN_SYSCALL, /* on to the next */
};

/* The instruction itself: what decode() finds out. */
struct insn {
	uint64_t address;
	uint64_t target;       /* of a direct jump or call, or 0 */
	uint16_t opcode;       /* Zydis's number of the mnemonic */
	uint8_t length;	       /* bytes */
	uint8_t class;	       /* enum insn_class */
	int32_t displacement;  /* of its memory operand */
	int32_t immediate;     /* the low bits, but of no jump or call */
	bool rip_relative : 1; /* the displacement counts from the end */
	bool lea : 1;	       /* takes the address only */
	bool repeated : 1;     /* a string instruction with rep */
	bool conditional : 1;  /* cmovcc, setcc, sbb, adc: a branch undone */
	bool fuses : 1;	       /* with a branch after it, into one operation */
	bool int3 : 1;	       /* the linker's padding looks like this */
	bool assigns : 1;      /* to memory, but not beside the stack pointer */
	bool xbegin : 1;  /* a transaction: the target is where it aborts */
	bool divides : 1; /* whole numbers ... */
	bool divides_signed : 1; /* ... with a sign */
	bool by_thunk : 1; /* rewrites.h; immediate: REG_... with the target */
	bool packed : 1;   /* computes with vectors, or moves one */
	uint8_t accessed : 4; /* bytes of memory, not what was spilled, if no
				 vector and at most 8; or 0 */
	uint8_t element;      /* bytes of each of the numbers that it computes
			    with at once, or 0 */
	uint8_t moved;	      /* bytes of a vector of memory, or 0 */
};

/* Sets of registers and flags: one bit for each. */
enum {
	REG_RAX,
	REG_RCX,
	REG_RDX,
	REG_RBX,
	REG_RSP,
	REG_RBP,
	REG_RSI,
	REG_RDI,
	REG_R8,
	REG_R15 = REG_R8 + 7,
	REG_VECTOR0, /* xmm, ymm and zmm of a number are one */
	REG_VECTOR31 = REG_VECTOR0 + 31,
	REG_MASK0,
	REG_MASK7 = REG_MASK0 + 7,
	REG_X87, /* all of the x87 and MMX registers */
	REG_CF,
	REG_PF,
	REG_AF,
	REG_ZF,
	REG_SF,
	REG_OF,
	REG_DF,
	REG_COUNT,
	REG_NONE = 255,
};

#define REG_BIT(reg) (UINT64_C(1) << (reg))

/* What a call leaves as it was, beside the stack pointer. */
#define REG_KEPT_BY_CALLS                                            \
	(REG_BIT(REG_RBX) | REG_BIT(REG_RBP) | REG_BIT(REG_R8 + 4) | \
	 REG_BIT(REG_R8 + 5) | REG_BIT(REG_R8 + 6) | REG_BIT(REG_R15))

/* A place in memory: base + index * scale + displacement. */
struct insn_memory {
	uint8_t base, index; /* REG_..., or REG_NONE */
	uint8_t scale;
	uint8_t size; /* bytes read or written; 0: only its address is used */
	bool segment; /* of fs or gs */
	int64_t displacement; /* the address itself when it is rip-relative */
};

/* One of the operands that assembly shows. */
enum operand_kind { OPERAND_NONE, OPERAND_REG, OPERAND_MEMORY, OPERAND_IMM };

struct operand {
	uint8_t kind; /* enum operand_kind */
	uint8_t reg;  /* REG_..., or REG_NONE for those that have no bit */
	uint8_t bits; /* width of the register or of the data */
	bool high;    /* ah, ch, dh, bh: the second byte of the register */
	int64_t imm;
};

struct insn_operands {
	uint64_t reads; /* including those that form addresses */
	uint64_t writes;
	uint64_t address_reads; /* those that form addresses */
	bool loads, stores;
	uint8_t latency; /* from operands to result, without the load */
	struct operand operand[3]; /* in Intel's order: result first */
	struct insn_memory memory; /* of the operand of that kind */
};

struct decoder;

struct decoder *decoder_new(void);
void decoder_free(struct decoder *d);

/* The instruction at the beginning of the bytes. */
bool decode(const struct decoder *d, const void *bytes, size_t size,
	    uint64_t address, struct insn *ret);

/* Of a jump on a condition, the opcode of that on its opposite; or the same. */
uint16_t decode_opposite(uint16_t opcode);

/*
 * What an instruction that decode() has seen works on; the same bytes.  One that
 * goes by a thunk works on the register.
 */
void decode_operands(const struct decoder *d, const void *bytes,
		     const struct insn *insn, struct insn_operands *ret);

static inline uint64_t insn_end(const struct insn *insn)
{
	return insn->address + insn->length;
}

/* The address of what a rip_relative instruction refers to. */
static inline uint64_t insn_data(const struct insn *insn)
{
	return insn_end(insn) + insn->displacement;
}

/* To an address or by a pointer; no tail call. */
static inline bool insn_is_call(const struct insn *insn)
{
	return insn->class == INSN_CALL || insn->class == INSN_CALL_INDIRECT;
}

/* What may be another behind it and all that it calls: a set of registers and flags. */
static inline uint64_t insn_changes(const struct insn *insn,
				    const struct insn_operands *operands)
{
	if (insn_is_call(insn) || insn->class == INSN_SYSCALL)
		return ~(REG_KEPT_BY_CALLS | REG_BIT(REG_RSP));
	return operands->writes;
}

/* Does it ever go on to the next instruction?  Calls do. */
static inline bool insn_falls_through(const struct insn *insn)
{
	switch (insn->class) {
	case INSN_JUMP:
	case INSN_JUMP_INDIRECT:
	case INSN_RETURN:
	case INSN_TRAP:
		return false;
	default:
		return true;
	}
}

#endif
