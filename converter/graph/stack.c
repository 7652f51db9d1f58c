/*
 * stack.c - has the function given up its frame?
 *
 * A jump through a pointer that leaves the function does so with the stack
 * as it was at the entry; one that stays mostly has a frame.  Compilers keep
 * one depth for each instruction, so what is known of one is known of those
 * before it and after it, and of code behind a jump that is not understood
 * from where it joins the rest.
 */
#include <Zydis/Mnemonic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/graph/code.h"
#include "converter/graph/trace.h"

/* What an instruction does to the stack pointer. */
struct effect {
	enum { MOVES, SETS, CONFUSES } kind;
	int64_t by; /* bytes, or the depth that it sets */
};

struct stack {
	const struct code *code;
	int32_t *depths; /* before each instruction, <= 0 */
	uint32_t *pending;
	size_t npending, room;
};

static struct effect effect_on_pointer(const struct code *code, uint32_t i)
{
	struct insn_operands o;
	bool from_frame;

	code_operands(code, i, &o);
	if (!(o.writes & REG_BIT(REG_RSP)))
		return (struct effect){ MOVES, 0 };
	from_frame = o.operand[1].reg == REG_RBP || o.memory.base == REG_RBP;
	switch (code->insns[i].opcode) {
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
		if (o.operand[1].kind != OPERAND_IMM)
			break;
		if (code->insns[i].opcode == ZYDIS_MNEMONIC_ADD)
			return (struct effect){ MOVES, o.operand[1].imm };
		return (struct effect){ MOVES, -o.operand[1].imm };
	case ZYDIS_MNEMONIC_LEA:
		if (o.memory.index != REG_NONE)
			break;
		if (o.memory.base == REG_RSP)
			return (struct effect){ MOVES, o.memory.displacement };
		/* rbp points to where it was saved itself, below the entry. */
		if (from_frame)
			return (struct effect){ SETS,
						o.memory.displacement - 8 };
		/* A realigned stack: r10 was set to above the entry. */
		return (struct effect){ SETS, o.memory.displacement + 8 };
	case ZYDIS_MNEMONIC_MOV:
		if (from_frame && o.operand[1].kind == OPERAND_REG)
			return (struct effect){ SETS, -8 };
		break;
	default:
		break;
	}
	return (struct effect){ CONFUSES, 0 };
}

static struct effect effect_of(const struct code *code, uint32_t i)
{
	switch (code->insns[i].opcode) {
	case ZYDIS_MNEMONIC_PUSH:
		return (struct effect){ MOVES, -8 };
	case ZYDIS_MNEMONIC_POP:
		return (struct effect){ MOVES, 8 };
	case ZYDIS_MNEMONIC_LEAVE:
		return (struct effect){ SETS, 0 };
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_LEA:
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_AND:
	case ZYDIS_MNEMONIC_XCHG:
		return effect_on_pointer(code, i);
	default:
		return (struct effect){ MOVES, 0 };
	}
}

/* No frame is larger, and no sum of a depth and an effect leaves int32_t. */
enum { DEEPEST = -(1 << 30) };

static void learn(struct stack *s, uint32_t i, int64_t depth)
{
	if (i == CODE_NONE || s->depths[i] != TRACE_DEPTH_UNKNOWN ||
	    depth < DEEPEST || depth > -DEEPEST)
		return;
	s->depths[i] = depth;
	s->pending = fdo_grow(s->pending, s->npending, &s->room,
			      sizeof(*s->pending));
	s->pending[s->npending++] = i;
}

/* The depth before i is known: what of those that follow? */
static void learn_next(struct stack *s, uint32_t i, struct effect effect)
{
	const struct insn *insn = &s->code->insns[i];
	int64_t after = effect.kind == SETS ? effect.by
					    : (int64_t)s->depths[i] + effect.by;

	if (effect.kind == CONFUSES)
		return;
	if (insn->class == INSN_BRANCH || insn->class == INSN_JUMP)
		learn(s, code_at(s->code, insn->target), after);
	if (code_goes_on(s->code, i))
		learn(s, code_at(s->code, insn_end(insn)), after);
}

/* And of one that comes before it? */
static void learn_before(struct stack *s, uint32_t i, uint32_t before)
{
	struct effect effect = effect_of(s->code, before);

	if (effect.kind == MOVES)
		learn(s, before, (int64_t)s->depths[i] - effect.by);
}

static void spread(struct stack *s)
{
	while (s->npending) {
		uint32_t i = s->pending[--s->npending];
		uint32_t before = code_before(s->code, i);
		size_t n;
		const struct code_jump *jumps = code_jumps_to(s->code, i, &n);

		learn_next(s, i, effect_of(s->code, i));
		if (before != CODE_NONE)
			learn_before(s, i, before);
		for (size_t j = 0; j < n; j++)
			learn_before(s, i, jumps[j].from);
	}
}

/* Has what runs straight to i given back a register that calls keep? */
static bool ends_frame(const struct code *code, uint32_t i)
{
	struct insn_operands o;
	size_t n;

	for (;;) {
		code_jumps_to(code, i, &n);
		i = code_before(code, i);
		if (n || i == CODE_NONE)
			return false;
		code_operands(code, i, &o);
		if (code->insns[i].opcode == ZYDIS_MNEMONIC_POP)
			return o.writes & REG_KEPT_BY_CALLS;
		if (o.writes & REG_BIT(REG_RSP))
			return false;
	}
}

/* Where a function ends, the stack is as it was, whatever is known before. */
static bool is_end(const struct code *code, uint32_t i)
{
	uint8_t class = code->insns[i].class;

	return class == INSN_RETURN ||
	       (class == INSN_JUMP_INDIRECT && ends_frame(code, i));
}

/*
 * What nothing leads to: behind a call that the compiler did not know never
 * comes back, or with the stack pointer taken from the frame pointer.
 */
static void learn_unreached(struct stack *s, uint32_t i)
{
	struct effect effect = effect_of(s->code, i);

	if (i > 0 && s->code->marks[i - 1] & CODE_NORETURN &&
	    s->depths[i - 1] != TRACE_DEPTH_UNKNOWN)
		learn(s, i, s->depths[i - 1]);
	else if (effect.kind == SETS)
		learn_next(s, i, effect);
	spread(s);
}

int32_t *trace_stack(const struct code *code)
{
	struct stack s = { .code = code };

	s.depths = fdo_alloc(code->ninsns, sizeof(*s.depths));
	for (uint32_t i = 0; i < code->ninsns; i++)
		s.depths[i] = TRACE_DEPTH_UNKNOWN;
	for (uint32_t i = 0; i < code->ninsns; i++)
		if (is_end(code, i))
			learn(&s, i, 0);
	spread(&s);
	learn(&s, code_at(code, code->parts[0].address), 0);
	spread(&s);
	for (uint32_t i = 0; i < code->ninsns; i++)
		if (s.depths[i] == TRACE_DEPTH_UNKNOWN)
			learn_unreached(&s, i);
	free(s.pending);
	return s.depths;
}
