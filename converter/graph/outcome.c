/*
 * outcome.c - from a sample on along the blocks, as long as it is known where
 * to.
 */
#include "converter/graph/outcome.h"

#include "converter/graph/cfg.h"
#include "converter/graph/outcome_run.h"

/*
 * So many at most; what is known does not last longer, or in a loop only.  And
 * a sample in straight code of many thousand instructions would take longer
 * than all others.
 */
enum { BLOCKS = 16, INSNS = 1000 };

/* The edge of a block to an address, or that to what follows. */
static uint32_t edge_to(const struct cfg *cfg, const struct cfg_block *b,
			bool falls, uint64_t target)
{
	for (uint32_t e = b->first_edge; e < b->first_edge + b->nedges; e++)
		if ((cfg->edges[e].kind == CFG_FALL) == falls &&
		    cfg->edges[e].kind != CFG_EXCEPTION &&
		    (falls || cfg->blocks[cfg->edges[e].to].address == target))
			return e - b->first_edge;
	return b->nedges;
}

/* How a block is left, when all but its last instruction ran. */
static bool decide(const struct cfg *cfg, const struct insn_operands *operands,
		   const struct outcome_state *state, struct outcome *o)
{
	const struct cfg_block *b = &cfg->blocks[o->block];
	uint32_t last = b->first_insn + b->ninsns - 1;
	const struct insn *insn = &cfg->insns[last];
	uint64_t target = insn->target;
	bool taken = true;

	if (insn->class == INSN_JUMP_INDIRECT) {
		if (!outcome_target(state, insn, &operands[last], &target))
			return false;
		o->target = target;
	} else if (insn->class == INSN_BRANCH) {
		if (!outcome_condition(state, insn->opcode, &taken))
			return false;
	} else if (insn->class != INSN_JUMP) {
		taken = false;
	}
	o->address = insn->address;
	o->block = cfg_switch_of(cfg, o->block);
	b = &cfg->blocks[o->block];
	o->edge = edge_to(cfg, b, !taken, target);
	return true;
}

/*
 * Run an instruction; who is called by it, or what came of its condition, if that can
 * be told.
 */
static bool step(const struct cfg *cfg, const struct insn_operands *operands,
		 uint32_t i, struct outcome_state *state, struct outcome *ret)
{
	const struct insn *insn = &cfg->insns[i];
	bool told = false, holds;

	if (insn->class == INSN_CALL_INDIRECT) {
		ret->call = told =
			outcome_target(state, insn, &operands[i], &ret->target);
		ret->address = insn->address;
	}
	if (insn->conditional &&
	    outcome_condition(state, insn->opcode, &holds)) {
		ret->edge = holds;
		ret->address = insn->address;
		told = true;
	}
	outcome_run(state, insn, &operands[i]);
	return told;
}

static bool is_told(enum insn_class class)
{
	return class == INSN_BRANCH || class == INSN_JUMP_INDIRECT;
}

size_t outcome_follow(const struct cfg *cfg,
		      const struct insn_operands *operands, uint32_t insn,
		      struct outcome_state *state, size_t most,
		      struct outcome *ret)
{
	size_t block = cfg_block_at(cfg, cfg->insns[insn].address), n = 0;
	uint32_t left = INSNS;

	for (unsigned blocks = 0; blocks < BLOCKS && n < most; blocks++) {
		const struct cfg_block *b = &cfg->blocks[block];
		uint32_t last = b->first_insn + b->ninsns - 1;
		struct outcome o;

		for (; insn < last && n < most && left > 0; insn++, left--) {
			ret[n] = (struct outcome){ .block = block };
			n += step(cfg, operands, insn, state, &ret[n]);
		}
		o = (struct outcome){ .block = block };
		if (n == most || insn < last ||
		    !decide(cfg, operands, state, &o))
			break;
		if (is_told(cfg->insns[last].class))
			ret[n++] = o;
		if (n < most) {
			ret[n] = (struct outcome){ .block = block };
			n += step(cfg, operands, last, state, &ret[n]);
		}
		b = &cfg->blocks[o.block];
		if (o.edge == b->nedges)
			break;
		block = cfg->edges[b->first_edge + o.edge].to;
		insn = cfg->blocks[block].first_insn;
	}
	return n;
}
