/*
 * heuristics.c - each heuristic says of a branch that it is taken, not taken,
 * or nothing.  How often they are right was measured by Ball and Larus, and
 * is taken from Wu and Larus, table 1.
 */
#include "converter/graph/heuristics.h"

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

#include "converter/graph/cfg.h"
#include "converter/graph/decode.h"
#include "converter/graph/dominators.h"

static const double right_back = .88, right_stay = .80, right_enter = .75,
		    right_opcode = .84, right_pointer = .60, right_call = .78,
		    right_return = .72, right_guard = .62;

static bool ends_in_branch(const struct cfg *cfg, size_t block)
{
	const struct insn *last = cfg_last_insn(cfg, block);

	return last && last->class == INSN_BRANCH;
}

/* The block's edge of a kind, or NULL. */
static const struct cfg_edge *edge_of(const struct cfg *cfg, size_t block,
				      enum cfg_edge_kind kind)
{
	const struct cfg_block *b = &cfg->blocks[block];

	for (uint32_t e = 0; e < b->nedges; e++)
		if (cfg->edges[b->first_edge + e].kind == kind)
			return &cfg->edges[b->first_edge + e];
	return NULL;
}

static bool compares_to_zero(const struct insn *insn,
			     const struct insn_operands *o)
{
	if (insn->opcode == ZYDIS_MNEMONIC_TEST)
		return o->operand[0].kind == OPERAND_REG &&
		       o->operand[1].kind == OPERAND_REG &&
		       o->operand[0].reg == o->operand[1].reg;
	return insn->opcode == ZYDIS_MNEMONIC_CMP &&
	       o->operand[1].kind == OPERAND_IMM && o->operand[1].imm == 0;
}

/* A jump if equal, or if not, behind a comparison. */
static unsigned equality(const struct insn *insn, const struct insn_operands *o,
			 bool equal)
{
	bool zero = compares_to_zero(insn, o);

	if (insn->opcode != ZYDIS_MNEMONIC_CMP && !zero)
		return 0;
	if (o->operand[0].bits == 64 &&
	    (zero || o->operand[1].kind != OPERAND_IMM))
		return equal ? HEURISTICS_EQUAL : HEURISTICS_NOT_EQUAL;
	if (!zero && o->operand[1].kind != OPERAND_IMM)
		return 0;
	return equal ? HEURISTICS_SELDOM : HEURISTICS_MOSTLY;
}

static unsigned comparison(const struct insn *branch, const struct insn *insn,
			   const struct insn_operands *o)
{
	switch (branch->opcode) {
	case ZYDIS_MNEMONIC_JZ:
		return equality(insn, o, true);
	case ZYDIS_MNEMONIC_JNZ:
		return equality(insn, o, false);
	case ZYDIS_MNEMONIC_JS:
		return HEURISTICS_SELDOM;
	case ZYDIS_MNEMONIC_JNS:
		return HEURISTICS_MOSTLY;
	case ZYDIS_MNEMONIC_JL:
	case ZYDIS_MNEMONIC_JLE:
		return compares_to_zero(insn, o) ? HEURISTICS_SELDOM : 0;
	case ZYDIS_MNEMONIC_JNL:
	case ZYDIS_MNEMONIC_JNLE:
		return compares_to_zero(insn, o) ? HEURISTICS_MOSTLY : 0;
	default:
		return 0;
	}
}

/* The block reads one of these before it writes it. */
static bool uses(const struct cfg *cfg, const struct decoder *d, size_t block,
		 uint64_t registers)
{
	const struct cfg_block *b = &cfg->blocks[block];

	for (uint32_t i = 0; i < b->ninsns && registers; i++) {
		const struct insn *insn = &cfg->insns[b->first_insn + i];
		struct insn_operands o;

		decode_operands(d, cfg_bytes(cfg, insn), insn, &o);
		if (o.reads & registers)
			return true;
		registers &= ~o.writes;
	}
	return false;
}

static uint64_t general(uint64_t registers)
{
	return registers & (REG_BIT(REG_VECTOR0) - 1) & ~REG_BIT(REG_RSP);
}

static unsigned branch_facts(const struct cfg *cfg, const struct decoder *d,
			     size_t block)
{
	const struct cfg_block *b = &cfg->blocks[block];
	const struct cfg_edge *taken = edge_of(cfg, block, CFG_TAKEN);
	const struct cfg_edge *fall = edge_of(cfg, block, CFG_FALL);
	unsigned facts;

	/* The instruction that the branch depends on. */
	for (uint32_t i = b->ninsns - 1; i-- > 0;) {
		const struct insn *insn = &cfg->insns[b->first_insn + i];
		struct insn_operands o;

		decode_operands(d, cfg_bytes(cfg, insn), insn, &o);
		if (!(o.writes & (REG_BIT(REG_ZF) | REG_BIT(REG_CF))))
			continue;
		facts = comparison(cfg_last_insn(cfg, block), insn, &o);
		if (taken && uses(cfg, d, taken->to, general(o.reads)))
			facts |= HEURISTICS_GUARDS_TAKEN;
		if (fall && uses(cfg, d, fall->to, general(o.reads)))
			facts |= HEURISTICS_GUARDS_NEXT;
		return facts;
	}
	return 0;
}

static unsigned block_facts(const struct cfg *cfg, const struct decoder *d,
			    size_t block)
{
	const struct cfg_block *b = &cfg->blocks[block];
	unsigned facts = 0;

	if (b->ncalls)
		facts |= HEURISTICS_CALL;
	if (b->flags & CFG_RETURNS)
		facts |= HEURISTICS_RETURN;
	if (ends_in_branch(cfg, block))
		facts |= branch_facts(cfg, d, block);
	return facts;
}

void heuristics_facts(const struct cfg *cfg, const struct decoder *d,
		      unsigned *ret)
{
	for (size_t b = 0; b < cfg->nblocks; b++)
		ret[b] = block_facts(cfg, d, b);
}

/* What is said of a branch so far: the probability that it is taken. */
static double combine(double p, double q)
{
	return p * q / (p * q + (1 - p) * (1 - q));
}

/* A heuristic that is right so often is for the branch, against it, or both. */
static void say(double *taken, double right, bool yes, bool no)
{
	if (yes != no)
		*taken = combine(*taken, yes ? right : 1 - right);
}

/* One of the two ways of a branch, as the heuristics see it. */
struct side {
	bool back, leaves, head, enters, call, ret;
};

/* Straight ahead of it is the head of a loop. */
static bool leads_to_head(const struct dominators *d, const struct cfg *cfg,
			  size_t block)
{
	const struct cfg_block *b = &cfg->blocks[block];

	return dominators_heads(d, block) ||
	       (b->nedges == 1 &&
		dominators_heads(d, cfg->edges[b->first_edge].to) &&
		!dominators_back(d, b->first_edge));
}

static struct side look(const struct dominators *d, const struct cfg *cfg,
			const unsigned *facts, const struct cfg_edge *edge)
{
	size_t number;
	bool optional;

	/* It leaves the function by a jump to another. */
	if (!edge)
		return (struct side){ .call = true };
	number = edge - cfg->edges;
	optional = !dominators_behind(d, edge->to, edge->from);
	return (struct side){
		.back = dominators_back(d, number),
		.leaves = dominators_leaves(d, number),
		.head = dominators_heads(d, edge->to),
		.enters = optional && !dominators_back(d, number) &&
			  leads_to_head(d, cfg, edge->to),
		.call = optional && facts[edge->to] & HEURISTICS_CALL,
		.ret = facts[edge->to] & HEURISTICS_RETURN,
	};
}

/* The probability that the branch at a block's end is taken. */
static double branch(const struct cfg *cfg, const struct dominators *d,
		     const unsigned *facts, size_t block)
{
	const struct cfg_edge *to = edge_of(cfg, block, CFG_TAKEN);
	const struct cfg_edge *next = edge_of(cfg, block, CFG_FALL);
	struct side taken = look(d, cfg, facts, to);
	struct side fall = look(d, cfg, facts, next);
	unsigned here = facts[block];
	double p = .5;

	say(&p, right_back, taken.back, fall.back);
	if (!taken.head && !fall.head)
		say(&p, right_stay, fall.leaves, taken.leaves);
	say(&p, right_enter, taken.enters, fall.enters);
	say(&p, right_opcode, here & HEURISTICS_MOSTLY,
	    here & HEURISTICS_SELDOM);
	say(&p, right_pointer, here & HEURISTICS_NOT_EQUAL,
	    here & HEURISTICS_EQUAL);
	say(&p, right_call, fall.call, taken.call);
	say(&p, right_return, fall.ret, taken.ret);
	say(&p, right_guard,
	    here & HEURISTICS_GUARDS_TAKEN && to &&
		    !dominators_behind(d, to->to, block),
	    here & HEURISTICS_GUARDS_NEXT && next &&
		    !dominators_behind(d, next->to, block));
	return p;
}

static void edges_of(const struct cfg *cfg, const struct dominators *d,
		     const unsigned *facts, size_t block, double *ret)
{
	const struct cfg_block *b = &cfg->blocks[block];
	uint32_t ways = 0;
	double taken = 0;

	if (ends_in_branch(cfg, block))
		taken = branch(cfg, d, facts, block);
	for (uint32_t e = b->first_edge; e < b->first_edge + b->nedges; e++)
		ways += cfg->edges[e].kind != CFG_EXCEPTION;
	for (uint32_t e = b->first_edge; e < b->first_edge + b->nedges; e++) {
		enum cfg_edge_kind kind = cfg->edges[e].kind;

		if (kind == CFG_EXCEPTION)
			ret[e] = 0;
		else if (!ends_in_branch(cfg, block))
			ret[e] = 1.0 / ways;
		else
			ret[e] = kind == CFG_TAKEN ? taken : 1 - taken;
	}
}

void heuristics_edges(const struct cfg *cfg, const unsigned *facts, double *ret)
{
	struct dominators *d = dominators_new(cfg);

	for (size_t b = 0; b < cfg->nblocks; b++)
		edges_of(cfg, d, facts, b, ret);
	dominators_free(d);
}
