/*
 * bound.c - how far an index can go, from the comparison that guards it.
 *
 * "cmp $9,%eax; ja default" leaves ten values.  Between it and the jump the
 * index may be moved, extended, shifted by a constant or reloaded from where
 * it was compared; all of this is undone step by step while looking back.
 */
#include <Zydis/Mnemonic.h>
#include <string.h>

#include "converter/graph/code.h"
#include "converter/graph/trace.h"

enum { BOUND_STEPS = 1000, BOUND_SEEN = 64 };

/* What is looked for: the selected byte is factor * place + offset. */
struct tracked {
	bool in_memory;
	uint8_t reg;
	struct insn_memory memory;
	int64_t offset;
	uint64_t factor;
	/* The nearest branch that was passed, and which way. */
	uint32_t branch; /* or CODE_NONE */
	bool taken;
};

struct bound_search {
	const struct code *code;
	unsigned steps;
	unsigned nseen;
	struct {
		uint32_t insn;
		struct tracked what;
	} seen[BOUND_SEEN]; /* where ways meet, and what was looked for there */
	bool masked;	    /* by an and: no value need reach the limit */
};

/*
 * Found: *bytes_ret is one more than the highest byte selected, or 0 where
 * nothing more was learned.
 */
static bool look(struct bound_search *s, uint32_t i, struct tracked t,
		 uint64_t *bytes_ret);

static bool same_memory(const struct insn_memory *a,
			const struct insn_memory *b)
{
	return a->base == b->base && a->index == b->index &&
	       a->scale == b->scale && a->segment == b->segment &&
	       a->displacement == b->displacement;
}

static bool is_tracked(const struct tracked *t, const struct operand *o,
		       const struct insn_memory *m)
{
	if (t->in_memory)
		return o->kind == OPERAND_MEMORY && same_memory(&t->memory, m);
	return o->kind == OPERAND_REG && o->reg == t->reg;
}

/* Values of the place below *limit_ret pass the branch; false: no such. */
static bool passes(unsigned opcode, bool taken, int64_t imm,
		   uint64_t *limit_ret)
{
	bool or_equal;

	switch (opcode) {
	case ZYDIS_MNEMONIC_JNBE:
	case ZYDIS_MNEMONIC_JNLE:
		or_equal = true;
		if (taken)
			return false;
		break;
	case ZYDIS_MNEMONIC_JNB:
	case ZYDIS_MNEMONIC_JNL:
		or_equal = false;
		if (taken)
			return false;
		break;
	case ZYDIS_MNEMONIC_JBE:
	case ZYDIS_MNEMONIC_JLE:
		or_equal = true;
		if (!taken)
			return false;
		break;
	case ZYDIS_MNEMONIC_JB:
	case ZYDIS_MNEMONIC_JL:
		or_equal = false;
		if (!taken)
			return false;
		break;
	default:
		return false;
	}
	if (imm < 0)
		return false;
	*limit_ret = (uint64_t)imm + or_equal;
	return true;
}

/* Does the branch say anything about limits?  je does not. */
static bool limits(const struct insn *insn)
{
	uint64_t limit;

	return passes(insn->opcode, false, 0, &limit) ||
	       passes(insn->opcode, true, 0, &limit);
}

/*
 * A branch is passed on the way back.  One that says nothing may stand
 * between the one that does and the comparison of both.
 */
static void pass(const struct bound_search *s, uint32_t i, bool taken,
		 struct tracked *t)
{
	if (s->code->insns[i].class != INSN_BRANCH ||
	    !limits(&s->code->insns[i]))
		return;
	t->branch = i;
	t->taken = taken;
}

/* From a limit of the place to a limit of the selected bytes. */
static bool to_bytes(const struct tracked *t, uint64_t limit,
		     uint64_t *bytes_ret)
{
	int64_t bytes;

	if (!limit || limit > 1u << 24)
		return false;
	bytes = (int64_t)((limit - 1) * t->factor) + t->offset + 1;
	if (bytes <= 0)
		return false;
	*bytes_ret = bytes;
	return true;
}

/* Does instruction i, a comparison, settle it? */
static bool compared(const struct bound_search *s, uint32_t i,
		     const struct insn_operands *o, const struct tracked *t,
		     uint64_t *bytes_ret)
{
	uint64_t limit;

	if (t->branch == CODE_NONE ||
	    s->code->insns[i].opcode != ZYDIS_MNEMONIC_CMP ||
	    o->operand[1].kind != OPERAND_IMM ||
	    !is_tracked(t, &o->operand[0], &o->memory))
		return false;
	return passes(s->code->insns[t->branch].opcode, t->taken,
		      o->operand[1].imm, &limit) &&
	       to_bytes(t, limit, bytes_ret);
}

static void track_register(struct tracked *t, uint8_t reg)
{
	t->in_memory = false;
	t->reg = reg;
}

/* mov, movzx, movsx, movsxd: the same value somewhere else. */
static bool undo_move(struct tracked *t, const struct insn_operands *o)
{
	switch (o->operand[1].kind) {
	case OPERAND_REG:
		track_register(t, o->operand[1].reg);
		return o->operand[1].reg != REG_NONE;
	case OPERAND_MEMORY:
		t->in_memory = true;
		t->memory = o->memory;
		return true;
	default:
		return false;
	}
}

/* More than any table has, and no product of two is beyond int64_t. */
#define MOST_BYTES (INT64_C(1) << 31)

/* The place was made by adding a number to what is looked for now. */
static bool undo_add(struct tracked *t, int64_t by)
{
	if (by < -MOST_BYTES || by > MOST_BYTES || t->offset < -MOST_BYTES ||
	    t->offset > MOST_BYTES)
		return false;
	t->offset += (int64_t)t->factor * by;
	return true;
}

/* lea of one register, scaled and displaced. */
static bool undo_lea(struct tracked *t, const struct insn_memory *m)
{
	uint8_t reg = m->base, scale = 1;

	if (m->index != REG_NONE) {
		if (m->base != REG_NONE)
			return false;
		reg = m->index;
		scale = m->scale;
	}
	if (reg == REG_NONE || !undo_add(t, m->displacement) ||
	    t->factor * scale > MOST_BYTES)
		return false;
	track_register(t, reg);
	t->factor *= scale;
	return true;
}

/*
 * The tracked register is written by i: what was it made of?  False: of
 * nothing that helps.  *settled_ret: it is bounded by this itself.
 */
static bool undo(const struct bound_search *s, uint32_t i,
		 const struct insn_operands *o, struct tracked *t,
		 bool *settled_ret, uint64_t *bytes_ret)
{
	const struct operand *from = &o->operand[1];

	*settled_ret = false;
	if (s->code->insns[i].opcode == ZYDIS_MNEMONIC_CDQE)
		return true;
	if (o->operand[0].kind != OPERAND_REG || o->operand[0].reg != t->reg)
		return false;
	switch (s->code->insns[i].opcode) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVZX:
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVSXD:
		return undo_move(t, o);
	case ZYDIS_MNEMONIC_LEA:
		return undo_lea(t, &o->memory);
	case ZYDIS_MNEMONIC_AND:
		*settled_ret = from->kind == OPERAND_IMM && from->imm >= 0 &&
			       to_bytes(t, (uint64_t)from->imm + 1, bytes_ret);
		return *settled_ret;
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
		return from->kind == OPERAND_IMM &&
		       undo_add(t,
				s->code->insns[i].opcode == ZYDIS_MNEMONIC_SUB
					? -from->imm
					: from->imm);
	default:
		return false;
	}
}

/* A store of a register to the tracked place: look for that register. */
static bool undo_store(const struct bound_search *s, uint32_t i,
		       const struct insn_operands *o, struct tracked *t)
{
	if (s->code->insns[i].opcode != ZYDIS_MNEMONIC_MOV ||
	    o->operand[0].kind != OPERAND_MEMORY ||
	    !same_memory(&o->memory, &t->memory))
		return true;
	if (o->operand[1].kind != OPERAND_REG)
		return false;
	track_register(t, o->operand[1].reg);
	return true;
}

/* Is what the place in memory is found by changed? */
static bool moves_place(const struct tracked *t, uint64_t writes)
{
	uint64_t used = 0;

	if (t->memory.base != REG_NONE)
		used |= REG_BIT(t->memory.base);
	if (t->memory.index != REG_NONE)
		used |= REG_BIT(t->memory.index);
	return writes & used;
}

/* Back over instruction i. */
static bool look_through(struct bound_search *s, uint32_t i, struct tracked t,
			 uint64_t *bytes_ret)
{
	const struct insn *insn = &s->code->insns[i];
	uint64_t flags = REG_BIT(REG_CF) | REG_BIT(REG_ZF);
	struct insn_operands o;
	bool settled;

	if (insn->class == INSN_CALL || insn->class == INSN_CALL_INDIRECT)
		t.branch = CODE_NONE;
	code_operands(s->code, i, &o);
	if (compared(s, i, &o, &t, bytes_ret))
		return true;
	if (o.writes & flags)
		t.branch = CODE_NONE;
	if (t.in_memory) {
		if (!undo_store(s, i, &o, &t) || moves_place(&t, o.writes))
			return false;
	} else if (o.writes & REG_BIT(t.reg)) {
		if (!undo(s, i, &o, &t, &settled, bytes_ret))
			return false;
		if (settled) {
			s->masked = true;
			return true;
		}
	}
	return look(s, i, t, bytes_ret);
}

static bool look_before(struct bound_search *s, uint32_t before,
			struct tracked t, uint64_t *bytes_ret)
{
	if (s->code->insns[before].class != INSN_BRANCH)
		return look_through(s, before, t, bytes_ret);
	pass(s, before, false, &t);
	return look(s, before, t, bytes_ret);
}

static bool same_tracked(const struct tracked *a, const struct tracked *b)
{
	return a->in_memory == b->in_memory &&
	       (a->in_memory ? same_memory(&a->memory, &b->memory)
			     : a->reg == b->reg) &&
	       a->offset == b->offset && a->factor == b->factor &&
	       a->branch == b->branch &&
	       (a->branch == CODE_NONE || a->taken == b->taken);
}

/* All ways that meet here must be bounded; the widest counts. */
static bool look_all_ways(struct bound_search *s, uint32_t i, uint32_t before,
			  struct tracked t, uint64_t *bytes_ret)
{
	size_t n;
	const struct code_jump *jumps = code_jumps_to(s->code, i, &n);
	uint64_t widest = 0, bytes;

	*bytes_ret = 0;
	/* Around a loop, or by another way: nothing new. */
	for (unsigned k = 0; k < s->nseen; k++)
		if (s->seen[k].insn == i && same_tracked(&s->seen[k].what, &t))
			return true;
	if (s->nseen == BOUND_SEEN)
		return false;
	s->seen[s->nseen].insn = i;
	s->seen[s->nseen++].what = t;
	if (before != CODE_NONE) {
		if (!look_before(s, before, t, &bytes))
			return false;
		widest = bytes;
	}
	for (size_t j = 0; j < n; j++) {
		struct tracked way = t;

		pass(s, jumps[j].from, true, &way);
		if (!look(s, jumps[j].from, way, &bytes))
			return false;
		if (bytes > widest)
			widest = bytes;
	}
	*bytes_ret = widest;
	return true;
}

static bool look(struct bound_search *s, uint32_t i, struct tracked t,
		 uint64_t *bytes_ret)
{
	uint32_t before = code_before(s->code, i);
	size_t n;

	if (s->steps++ >= BOUND_STEPS)
		return false;
	code_jumps_to(s->code, i, &n);
	if (n)
		return look_all_ways(s, i, before, t, bytes_ret);
	*bytes_ret = 0;
	if (before == CODE_NONE)
		return !code_entered(s->code, i);
	return look_before(s, before, t, bytes_ret);
}

uint64_t trace_bound(const struct code *code, const struct trace_value *entry,
		     bool *exact_ret)
{
	struct bound_search s = { .code = code };
	struct tracked t = { .reg = entry->index,
			     .factor = entry->stride,
			     .branch = CODE_NONE };
	uint64_t bytes;

	if (entry->at == CODE_NONE || !look(&s, entry->at, t, &bytes) || !bytes)
		return 0;
	*exact_ret = !s.masked;
	return (bytes - 1) / entry->size + 1;
}
