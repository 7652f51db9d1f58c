/*
 * trace.c - values of registers, backward over instructions.
 *
 * At an instruction to which several lead, each way is followed on its own
 * and the answers are compared.  A place that the same question has already
 * passed adds nothing (TRACE_ANY): so loops end, and a constant set before a
 * loop is still known inside it.  Neither does a place to which nothing is
 * seen to lead: it comes after an indirect jump, and what all other ways
 * agree on held there too, or it is never reached at all.
 */
#include "converter/graph/trace.h"

#include <Zydis/Mnemonic.h>
#include <string.h>

#include "base/map.h"
#include "converter/graph/code.h"

enum {
	STEPS = 20000, /* instructions looked at for one question */
	DEPTH = 3000,  /* questions within questions */
};

struct search {
	const struct code *code;
	unsigned steps, depth;
	/* Meeting places passed: by question, instruction and register. */
	struct fdo_map *seen;
	unsigned question, questions;
};

/*
 * What a call leaves in them is its result.  Any other register that is read
 * after a call without being written has kept its value, or the compiler
 * would not read it.
 */
#define CALL_RESULTS (REG_BIT(REG_RAX) | REG_BIT(REG_RDX))

static const struct trace_value unknown = { .kind = TRACE_UNKNOWN };

static struct trace_value value_of(struct search *s, uint32_t i, uint8_t reg);
static struct trace_value value_after(struct search *s, uint32_t i,
				      uint8_t reg);

static bool same(const struct trace_value *a, const struct trace_value *b)
{
	return a->kind == b->kind && a->constant == b->constant &&
	       a->base == b->base && a->size == b->size;
}

/* What holds on both of two ways. */
static struct trace_value join(struct trace_value a, struct trace_value b)
{
	if (a.kind == TRACE_ANY)
		return b;
	if (b.kind == TRACE_ANY)
		return a;
	if (a.kind == TRACE_LOADED && b.kind == TRACE_LOADED)
		return a;
	if (!same(&a, &b))
		return unknown;
	/* Loaded from one table, but each with its own index. */
	if (a.at != b.at)
		a.at = CODE_NONE;
	return a;
}

/* Were we here with this question?  If not, now we are. */
static bool seen(struct search *s, uint32_t i, uint8_t reg)
{
	uint64_t key = (uint64_t)s->question << 40 ^ (uint64_t)i << 8 ^ reg;
	uint64_t *value = fdo_map_at(s->seen, key);

	return (*value)++;
}

/* A question within a question: what it has passed is its own affair. */
static struct trace_value ask(struct search *s, uint32_t i, uint8_t reg)
{
	unsigned question = s->question;
	struct trace_value v;

	s->question = ++s->questions;
	v = value_of(s, i, reg);
	s->question = question;
	return v;
}

static struct trace_value constant(uint64_t value)
{
	return (struct trace_value){ .kind = TRACE_CONSTANT,
				     .constant = value };
}

static struct trace_value sum(struct trace_value a, struct trace_value b)
{
	/* What one part adds nothing to, the whole adds nothing to. */
	if (a.kind == TRACE_ANY || b.kind == TRACE_ANY)
		return (struct trace_value){ .kind = TRACE_ANY };
	if (a.kind != TRACE_CONSTANT) {
		struct trace_value swapped = a;

		a = b;
		b = swapped;
	}
	if (a.kind != TRACE_CONSTANT)
		return unknown;
	switch (b.kind) {
	case TRACE_CONSTANT:
		return constant(a.constant + b.constant);
	case TRACE_ENTRY:
		b.base += a.constant;
		return b;
	default:
		return unknown;
	}
}

/* The entry that a load takes from table + index * stride. */
static struct trace_value entry(uint32_t i, const struct insn_memory *m,
				uint64_t table, uint8_t index, uint8_t scale)
{
	return (struct trace_value){
		.kind = TRACE_ENTRY,
		.index = index,
		.size = m->size,
		.stride = scale,
		.at = i,
		.constant = table + m->displacement,
	};
}

static struct trace_value load(struct search *s, uint32_t i,
			       const struct insn_memory *m)
{
	struct trace_value loaded = { .kind = TRACE_LOADED };
	struct trace_value base;

	if (m->segment || (m->size != 4 && m->size != 8))
		return unknown;
	if (m->index == REG_NONE)
		return loaded;
	if (m->base == REG_NONE)
		return entry(i, m, 0, m->index, m->scale);
	base = ask(s, i, m->base);
	if (base.kind == TRACE_CONSTANT)
		return entry(i, m, base.constant, m->index, m->scale);
	if (base.kind == TRACE_ANY)
		return base;
	if (m->scale != 1)
		return loaded;
	base = ask(s, i, m->index);
	if (base.kind == TRACE_CONSTANT)
		return entry(i, m, base.constant, m->base, 1);
	return loaded;
}

static struct trace_value address(struct search *s, uint32_t i,
				  const struct insn_memory *m)
{
	struct trace_value v = constant(m->displacement);

	if (m->base != REG_NONE)
		v = sum(v, ask(s, i, m->base));
	if (m->index != REG_NONE) {
		if (m->scale != 1)
			return unknown;
		v = sum(v, ask(s, i, m->index));
	}
	return v;
}

static struct trace_value moved(struct search *s, uint32_t i,
				const struct insn_operands *o)
{
	const struct operand *from = &o->operand[1];

	switch (from->kind) {
	case OPERAND_REG:
		if (from->bits < 32 || from->reg == REG_NONE)
			return unknown;
		return value_of(s, i, from->reg);
	case OPERAND_IMM:
		return constant(o->operand[0].bits == 32 ? (uint32_t)from->imm
							 : (uint64_t)from->imm);
	case OPERAND_MEMORY:
		return load(s, i, &o->memory);
	default:
		return unknown;
	}
}

static struct trace_value added(struct search *s, uint32_t i,
				const struct insn_operands *o)
{
	struct trace_value v;

	if (o->operand[0].bits != 64)
		return unknown;
	v = ask(s, i, o->operand[0].reg);
	if (v.kind == TRACE_UNKNOWN)
		return unknown;
	if (o->operand[1].kind == OPERAND_REG)
		return sum(v, ask(s, i, o->operand[1].reg));
	return sum(v, moved(s, i, o));
}

/* What instruction i leaves in the register that it writes. */
static struct trace_value written(struct search *s, uint32_t i, uint8_t reg,
				  const struct insn_operands *o)
{
	const struct operand *to = &o->operand[0];

	if (s->code->insns[i].opcode == ZYDIS_MNEMONIC_CDQE)
		return value_of(s, i, REG_RAX);
	if (to->kind != OPERAND_REG || to->reg != reg || to->bits < 32)
		return unknown;
	switch (s->code->insns[i].opcode) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVSXD:
		return moved(s, i, o);
	case ZYDIS_MNEMONIC_LEA:
		return address(s, i, &o->memory);
	case ZYDIS_MNEMONIC_ADD:
		return added(s, i, o);
	default:
		return unknown;
	}
}

/* Many roads lead here. */
static struct trace_value meeting(struct search *s, uint32_t i, uint8_t reg,
				  uint32_t before)
{
	struct trace_value v = { .kind = TRACE_ANY };
	size_t n;
	const struct code_jump *jumps = code_jumps_to(s->code, i, &n);

	if (seen(s, i, reg))
		return v;
	if (before != CODE_NONE)
		v = value_after(s, before, reg);
	for (size_t j = 0; j < n && v.kind != TRACE_UNKNOWN; j++)
		v = join(v, value_of(s, jumps[j].from, reg));
	return v;
}

/* What is in the register after instruction i. */
static struct trace_value value_after(struct search *s, uint32_t i, uint8_t reg)
{
	const struct code *code = s->code;

	while (s->steps++ < STEPS && reg != REG_NONE) {
		const struct insn *insn = &code->insns[i];
		struct insn_operands o;
		uint32_t before;
		size_t n;

		if (insn_is_call(insn)) {
			if (CALL_RESULTS & REG_BIT(reg))
				return unknown;
		} else {
			code_operands(code, i, &o);
			if (o.writes & REG_BIT(reg))
				return written(s, i, reg, &o);
		}
		code_jumps_to(code, i, &n);
		before = code_before(code, i);
		if (n || before == CODE_NONE)
			return value_of(s, i, reg);
		i = before;
	}
	return unknown;
}

static struct trace_value value_before(struct search *s, uint32_t i,
				       uint8_t reg)
{
	uint32_t before = code_before(s->code, i);
	size_t n;

	if (reg == REG_NONE)
		return unknown;
	code_jumps_to(s->code, i, &n);
	if (n)
		return meeting(s, i, reg, before);
	if (before != CODE_NONE)
		return value_after(s, before, reg);
	if (code_entered(s->code, i))
		return unknown;
	return (struct trace_value){ .kind = TRACE_ANY };
}

/* What is in the register before instruction i; all that asks comes by here. */
static struct trace_value value_of(struct search *s, uint32_t i, uint8_t reg)
{
	struct trace_value v = unknown;

	if (s->depth < DEPTH) {
		s->depth++;
		v = value_before(s, i, reg);
		s->depth--;
	}
	return v;
}

struct trace_value trace_jump(const struct code *code, uint32_t i)
{
	struct search s = { .code = code, .seen = fdo_map_new() };
	struct trace_value v;
	struct insn_operands o;

	code_operands(code, i, &o);
	if (o.operand[0].kind == OPERAND_MEMORY)
		v = load(&s, i, &o.memory);
	else
		v = value_of(&s, i, o.operand[0].reg);
	fdo_map_free(s.seen);
	return v;
}
