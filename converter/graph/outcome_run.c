/*
 * outcome_run.c - instructions run on as much of the registers as is known.
 *
 * Of memory only constants are known.  What an instruction writes is not known
 * afterwards unless it is one of the few that tests are made of, and all that
 * it reads is known.
 */
#include "converter/graph/outcome_run.h"

#include <Zydis/Zydis.h>
#include <string.h>

#include "converter/binary/object.h"

static uint64_t mask_of(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static int64_t extended(uint64_t value, unsigned bits)
{
	unsigned unused = 64 - bits;

	return (int64_t)(value << unused) >> unused;
}

static void set_flag(struct outcome_state *s, unsigned flag, bool value)
{
	s->known |= REG_BIT(flag);
	s->flags &= ~REG_BIT(flag);
	s->flags |= (uint64_t)value << flag;
}

void outcome_set_flags(struct outcome_state *s, uint64_t eflags)
{
	static const struct {
		uint8_t flag, bit;
	} bits[] = { { REG_CF, 0 },
		     { REG_PF, 2 },
		     { REG_ZF, 6 },
		     { REG_SF, 7 },
		     { REG_OF, 11 } };

	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		set_flag(s, bits[i].flag, eflags >> bits[i].bit & 1);
}

static bool has_register(const struct outcome_state *s, uint8_t number)
{
	return number <= REG_R15 && s->known >> number & 1;
}

/* Of a register as much as is meant; a constant has all its signs. */
static bool read_operand(const struct outcome_state *s, const struct operand *o,
			 uint64_t *ret)
{
	*ret = o->imm;
	if (o->kind == OPERAND_IMM)
		return true;
	if (o->kind != OPERAND_REG || !has_register(s, o->reg))
		return false;
	*ret = s->registers[o->reg] >> (o->high ? 8 : 0) & mask_of(o->bits);
	return true;
}

/* What an instruction asks of the flags, or the opposite of that. */
struct condition {
	uint64_t flags; /* 0: it asks for nothing */
	bool opposite;
};

static struct condition condition(uint64_t flags, bool opposite)
{
	return (struct condition){ flags, opposite };
}

#define CONDITION(name, not_name, flags)        \
	case ZYDIS_MNEMONIC_J##name:            \
	case ZYDIS_MNEMONIC_CMOV##name:         \
	case ZYDIS_MNEMONIC_SET##name:          \
		return condition(flags, false); \
	case ZYDIS_MNEMONIC_J##not_name:        \
	case ZYDIS_MNEMONIC_CMOV##not_name:     \
	case ZYDIS_MNEMONIC_SET##not_name:      \
		return condition(flags, true)

static struct condition condition_of(unsigned opcode)
{
	const uint64_t carry = REG_BIT(REG_CF), zero = REG_BIT(REG_ZF);
	const uint64_t sign = REG_BIT(REG_SF), overflow = REG_BIT(REG_OF);

	switch (opcode) {
		CONDITION(B, NB, carry);
		CONDITION(Z, NZ, zero);
		CONDITION(S, NS, sign);
		CONDITION(O, NO, overflow);
		CONDITION(P, NP, REG_BIT(REG_PF));
		CONDITION(BE, NBE, carry | zero);
		CONDITION(L, NL, sign | overflow);
		CONDITION(LE, NLE, zero | sign | overflow);
	case ZYDIS_MNEMONIC_ADC:
	case ZYDIS_MNEMONIC_SBB:
		return condition(carry, false);
	default:
		return condition(0, false);
	}
}

/* By the flags that a condition is about: signs differ, or any is set. */
static bool is_met(const struct condition *c, uint64_t flags)
{
	const uint64_t signs = REG_BIT(REG_SF) | REG_BIT(REG_OF);

	flags &= c->flags;
	if ((c->flags & signs) != signs)
		return flags;
	return flags & REG_BIT(REG_ZF) || __builtin_parityll(flags & signs);
}

bool outcome_condition(const struct outcome_state *s, unsigned opcode,
		       bool *ret)
{
	struct condition c = condition_of(opcode);

	*ret = is_met(&c, s->flags) != c.opposite;
	return c.flags && (s->known & c.flags) == c.flags;
}

/* Where a lea leads. */
static bool read_address(const struct outcome_state *s, const struct insn *insn,
			 const struct insn_memory *m, uint64_t *ret)
{
	*ret = m->displacement;
	if (m->segment)
		return false;
	if (insn->rip_relative) {
		*ret += s->load;
		return true;
	}
	if ((m->base != REG_NONE && !has_register(s, m->base)) ||
	    (m->index != REG_NONE && !has_register(s, m->index)))
		return false;
	if (m->base != REG_NONE)
		*ret += s->registers[m->base];
	if (m->index != REG_NONE)
		*ret += s->registers[m->index] * m->scale;
	return true;
}

static bool is_constant(const struct object_section *section)
{
	return !section->writable ||
	       strncmp(section->name, ".data.rel.ro", 12) == 0;
}

/* What is read from an address of the object, if nothing can write there. */
static bool read_constant(const struct outcome_state *s, uint64_t address,
			  unsigned size, uint64_t *ret)
{
	const struct object_section *section =
		object_section_at(s->object, address);
	const unsigned char *bytes;
	size_t left;

	if (!section || !is_constant(section))
		return false;
	if (section->writable) {
		if (size != 8 || !object_pointer(s->object, address, ret))
			return false;
		if (object_section_at(s->object, *ret))
			*ret += s->load;
		return true;
	}
	bytes = object_bytes(s->object, address, &left);
	if (!bytes || size > left || size > sizeof(*ret))
		return false;
	*ret = 0;
	for (unsigned i = 0; i < size; i++)
		*ret |= (uint64_t)bytes[i] << 8 * i;
	return true;
}

/* The same operands, with the value in place of a constant in memory. */
static const struct insn_operands *with_constant(const struct outcome_state *s,
						 const struct insn *insn,
						 const struct insn_operands *o,
						 struct insn_operands *room)
{
	/* What a call stores is not what it loads. */
	bool stores = o->stores && insn->class != INSN_CALL_INDIRECT;
	uint64_t address, value;

	if (!s->object || !o->loads || stores ||
	    !read_address(s, insn, &o->memory, &address) ||
	    !read_constant(s, address - s->load, o->memory.size, &value))
		return o;
	*room = *o;
	for (size_t i = 0; i < 3; i++)
		if (room->operand[i].kind == OPERAND_MEMORY) {
			room->operand[i].kind = OPERAND_IMM;
			room->operand[i].imm = (int64_t)value;
		}
	return room;
}

/* What an instruction leaves behind. */
struct result {
	const struct operand *to; /* NULL: no register */
	uint64_t value;
	uint64_t known, flags; /* as in the state, flags only */
};

static void give_flag(struct result *r, unsigned flag, bool value)
{
	r->known |= REG_BIT(flag);
	r->flags |= (uint64_t)value << flag;
}

static void give_signs(struct result *r, uint64_t value, unsigned bits)
{
	value &= mask_of(bits);
	give_flag(r, REG_ZF, value == 0);
	give_flag(r, REG_SF, value >> (bits - 1) & 1);
	give_flag(r, REG_PF, !__builtin_parity(value & 0xff));
}

static uint64_t give_sum(struct result *r, uint64_t a, uint64_t b,
			 unsigned bits)
{
	uint64_t sum = (a + b) & mask_of(bits);

	give_signs(r, sum, bits);
	give_flag(r, REG_CF, sum < a);
	give_flag(r, REG_OF, (~(a ^ b) & (a ^ sum)) >> (bits - 1) & 1);
	return sum;
}

static uint64_t give_difference(struct result *r, uint64_t a, uint64_t b,
				unsigned bits)
{
	uint64_t difference = (a - b) & mask_of(bits);

	give_signs(r, difference, bits);
	give_flag(r, REG_CF, a < b);
	give_flag(r, REG_OF, ((a ^ b) & (a ^ difference)) >> (bits - 1) & 1);
	return difference;
}

static uint64_t give_bits(struct result *r, uint64_t value, unsigned bits)
{
	give_signs(r, value, bits);
	give_flag(r, REG_CF, false);
	give_flag(r, REG_OF, false);
	return value;
}

/* By a constant, not 0; what becomes of the overflow flag is not looked at. */
static uint64_t give_shifted(struct result *r, unsigned opcode, uint64_t a,
			     unsigned by, unsigned bits)
{
	int64_t whole =
		opcode == ZYDIS_MNEMONIC_SAR ? extended(a, bits) : (int64_t)a;
	uint64_t value;

	if (opcode == ZYDIS_MNEMONIC_SHL) {
		value = a << by & mask_of(bits);
		give_flag(r, REG_CF, a >> (bits - by) & 1);
	} else {
		value = (opcode == ZYDIS_MNEMONIC_SAR ? (uint64_t)(whole >> by)
						      : a >> by) &
			mask_of(bits);
		give_flag(r, REG_CF, whole >> (by - 1) & 1);
	}
	give_signs(r, value, bits);
	return value;
}

static bool is_same(const struct operand *a, const struct operand *b)
{
	return a->kind == OPERAND_REG && b->kind == OPERAND_REG &&
	       a->reg == b->reg && a->high == b->high;
}

/* Those with one operand that is read. */
static bool run_one(const struct outcome_state *s, unsigned opcode,
		    const struct operand *to, struct result *r)
{
	uint64_t a;

	if (!read_operand(s, to, &a))
		return false;
	switch (opcode) {
	case ZYDIS_MNEMONIC_INC:
		r->value = give_sum(r, a, 1, to->bits);
		break;
	case ZYDIS_MNEMONIC_DEC:
		r->value = give_difference(r, a, 1, to->bits);
		break;
	case ZYDIS_MNEMONIC_NEG:
		r->value = give_difference(r, 0, a, to->bits);
		return true;
	case ZYDIS_MNEMONIC_NOT:
		r->value = ~a & mask_of(to->bits);
		return true;
	default:
		return false;
	}
	r->known &= ~REG_BIT(REG_CF);
	return true;
}

/* Those that read both; to is NULL in the end if they only compare. */
static bool run_two(const struct outcome_state *s, unsigned opcode,
		    const struct operand *o, struct result *r)
{
	unsigned bits = o[0].bits;
	uint64_t a, b;

	if ((opcode == ZYDIS_MNEMONIC_XOR || opcode == ZYDIS_MNEMONIC_SUB) &&
	    is_same(&o[0], &o[1])) {
		r->value = give_bits(r, 0, bits);
		return true;
	}
	if (!read_operand(s, &o[0], &a) || !read_operand(s, &o[1], &b))
		return false;
	b &= mask_of(bits);
	switch (opcode) {
	case ZYDIS_MNEMONIC_CMP:
		r->to = NULL;
		give_difference(r, a, b, bits);
		return true;
	case ZYDIS_MNEMONIC_TEST:
		r->to = NULL;
		give_bits(r, a & b, bits);
		return true;
	case ZYDIS_MNEMONIC_BT:
		r->to = NULL;
		give_flag(r, REG_CF, a >> (b & (bits - 1)) & 1);
		return true;
	case ZYDIS_MNEMONIC_ADD:
		r->value = give_sum(r, a, b, bits);
		return true;
	case ZYDIS_MNEMONIC_SUB:
		r->value = give_difference(r, a, b, bits);
		return true;
	case ZYDIS_MNEMONIC_AND:
		r->value = give_bits(r, a & b, bits);
		return true;
	case ZYDIS_MNEMONIC_OR:
		r->value = give_bits(r, a | b, bits);
		return true;
	case ZYDIS_MNEMONIC_XOR:
		r->value = give_bits(r, a ^ b, bits);
		return true;
	case ZYDIS_MNEMONIC_ROL:
	case ZYDIS_MNEMONIC_ROR:
		b &= bits - 1;
		if (o[1].kind != OPERAND_IMM || b == 0)
			return false;
		if (opcode == ZYDIS_MNEMONIC_ROR)
			b = bits - b;
		r->value = a << b | a >> (bits - b);
		return true;
	case ZYDIS_MNEMONIC_SHL:
	case ZYDIS_MNEMONIC_SHR:
	case ZYDIS_MNEMONIC_SAR:
		b &= bits == 64 ? 63 : 31;
		if (o[1].kind != OPERAND_IMM || b == 0 || b >= bits)
			return false;
		r->value = give_shifted(r, opcode, a, b, bits);
		return true;
	default:
		return false;
	}
}

/* Conditional moves, and what is 0 or 1. */
static bool run_condition(const struct outcome_state *s, unsigned opcode,
			  const struct operand *o, struct result *r)
{
	bool holds;

	if (opcode == ZYDIS_MNEMONIC_ADC || opcode == ZYDIS_MNEMONIC_SBB ||
	    !outcome_condition(s, opcode, &holds))
		return false;
	if (o[1].kind == OPERAND_NONE) {
		r->value = holds;
		return true;
	}
	return read_operand(s, &o[holds ? 1 : 0], &r->value);
}

/* A product by two or three operands; its flags are of no use. */
static bool run_product(const struct outcome_state *s, const struct operand *o,
			struct result *r)
{
	const struct operand *by = o[2].kind == OPERAND_IMM ? &o[2] : &o[0];
	uint64_t a, b;

	if (o[1].kind == OPERAND_NONE || !read_operand(s, &o[1], &a) ||
	    !read_operand(s, by, &b))
		return false;
	r->value = a * b;
	return true;
}

/* Those that write without having read what was there. */
static bool run_move(const struct outcome_state *s, const struct insn *insn,
		     const struct insn_operands *o, struct result *r)
{
	switch (insn->opcode) {
	case ZYDIS_MNEMONIC_IMUL:
		return run_product(s, o->operand, r);
	case ZYDIS_MNEMONIC_LEA:
		return read_address(s, insn, &o->memory, &r->value);
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVZX:
		return read_operand(s, &o->operand[1], &r->value);
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVSXD:
		if (!read_operand(s, &o->operand[1], &r->value))
			return false;
		r->value = extended(r->value, o->operand[1].bits);
		return true;
	default:
		return false;
	}
}

static void write_register(struct outcome_state *s, const struct operand *to,
			   uint64_t value, bool was_known)
{
	uint64_t mask = mask_of(to->bits), *reg = &s->registers[to->reg];
	unsigned shift = to->high ? 8 : 0;

	if (to->bits < 32 && !was_known)
		return;
	s->known |= REG_BIT(to->reg);
	if (to->bits >= 32)
		*reg = value & mask;
	else
		*reg = (*reg & ~(mask << shift)) | (value & mask) << shift;
}

void outcome_run(struct outcome_state *s, const struct insn *insn,
		 const struct insn_operands *in_memory)
{
	struct insn_operands room;
	const struct insn_operands *o =
		with_constant(s, insn, in_memory, &room);
	struct result r = { .to = &o->operand[0] };
	const struct operand *to = r.to;
	bool was_known = to->kind == OPERAND_REG && has_register(s, to->reg);
	bool done = run_move(s, insn, o, &r) ||
		    run_condition(s, insn->opcode, o->operand, &r) ||
		    run_two(s, insn->opcode, o->operand, &r) ||
		    run_one(s, insn->opcode, to, &r);

	s->known &= ~insn_changes(insn, o);
	if (!done)
		return;
	s->known |= r.known;
	s->flags = (s->flags & ~r.known) | r.flags;
	if (r.to && to->kind == OPERAND_REG && to->reg <= REG_R15)
		write_register(s, to, r.value, was_known);
}

bool outcome_target(const struct outcome_state *s, const struct insn *insn,
		    const struct insn_operands *in_memory, uint64_t *ret)
{
	struct insn_operands room;

	if (!read_operand(s,
			  &with_constant(s, insn, in_memory, &room)->operand[0],
			  ret))
		return false;
	*ret -= s->load;
	return true;
}
