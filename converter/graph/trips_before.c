#include "converter/graph/trips_before.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/graph/cfg.h"
#include "converter/graph/decode.h"
#include "converter/graph/dominators.h"
#include "converter/graph/outcome_run.h"

/* Blocks that are looked at, and instructions that a loop around may have. */
enum { BLOCKS_BEFORE = 6, AROUND_MOST = 500 };

enum { REGISTERS = REG_R15 + 1 };

/* What a loop does to registers. */
struct around {
	uint64_t written; /* set of them */
	uint64_t added; /* of these, what only a constant is added to, once, */
	uint64_t by[REGISTERS];	   /* which is that, */
	uint32_t block[REGISTERS]; /* in this block */
};

/* A block on the way. */
struct step {
	uint32_t block;
	struct insn_operands *operands;
	struct around *around; /* a loop that begins with it; NULL: none */
};

struct trips_before {
	const struct trips_code *code;
	struct step steps[BLOCKS_BEFORE]; /* the last one first */
	unsigned n;
};

struct insn_operands *trips_decode(const struct trips_code *code,
				   uint32_t block)
{
	const struct cfg_block *b = &code->cfg->blocks[block];
	const struct insn *insn = &code->cfg->insns[b->first_insn];
	struct insn_operands *all = fdo_alloc(b->ninsns, sizeof(*all));

	for (uint32_t i = 0; i < b->ninsns; i++)
		decode_operands(code->decoder, cfg_bytes(code->cfg, &insn[i]),
				&insn[i], &all[i]);
	return all;
}

void trips_run(const struct trips_code *code, uint32_t block,
	       const struct insn_operands *operands,
	       struct outcome_state *state)
{
	const struct cfg_block *b = &code->cfg->blocks[block];

	for (uint32_t i = 0; i < b->ninsns; i++)
		outcome_run(state, &code->cfg->insns[b->first_insn + i],
			    &operands[i]);
}

/* Of pointers, small and large numbers, and negative ones. */
static uint64_t guess_value(unsigned guess, uint64_t address, unsigned reg)
{
	static const unsigned bits[TRIPS_GUESSES] = { 8,  46, 16, 31,
						      40, 24, 44, 64 };
	uint64_t value = fdo_hash_mix(fdo_hash_mix(guess, address), reg);

	value = fdo_hash_mix(value, guess) >> (64 - bits[guess]);
	return reg == REG_RSP ? value & ~UINT64_C(15) : value;
}

/* What is not known of registers. */
static void guess_unknown(struct outcome_state *state, unsigned guess,
			  uint64_t address)
{
	for (unsigned r = 0; r < REGISTERS; r++)
		if (!(state->known & REG_BIT(r)))
			state->registers[r] = guess_value(guess, address, r);
	state->known |= REG_BIT(REGISTERS) - 1;
}

/* What it adds to a register; false: it does something else to it. */
static bool adds(const struct insn *insn, const struct insn_operands *operands,
		 unsigned reg, uint64_t *by)
{
	struct outcome_state a = { .known = 0 }, b = { .known = 0 };
	uint64_t before_a, before_b;

	guess_unknown(&a, 1, 0);
	guess_unknown(&b, 4, 0);
	before_a = a.registers[reg];
	before_b = b.registers[reg];
	outcome_run(&a, insn, operands);
	outcome_run(&b, insn, operands);
	*by = a.registers[reg] - before_a;
	return a.known & b.known & REG_BIT(reg) &&
	       *by == b.registers[reg] - before_b;
}

static void note_block(const struct trips_code *code, uint32_t block,
		       struct around *around)
{
	const struct cfg_block *b = &code->cfg->blocks[block];
	struct insn_operands *operands = trips_decode(code, block);

	for (uint32_t i = 0; i < b->ninsns; i++) {
		const struct insn *insn = &code->cfg->insns[b->first_insn + i];
		uint64_t writes = insn_changes(insn, &operands[i]);

		for (unsigned r = 0; r < REGISTERS; r++) {
			if (!(writes >> r & 1))
				continue;
			if (around->written >> r & 1 ||
			    !adds(insn, &operands[i], r, &around->by[r]))
				around->added &= ~REG_BIT(r);
			else
				around->added |= REG_BIT(r);
			around->written |= REG_BIT(r);
			around->block[r] = block;
		}
	}
	free(operands);
}

/* The loop that a block heads; NULL: it has too many instructions. */
static struct around *look_around(const struct trips_code *code, uint32_t head)
{
	size_t n = dominators_loop(code->dominators, head, code->around,
				   code->scratch);
	struct around *ret;
	size_t ninsns = 0;

	for (size_t i = 0; i < n; i++)
		ninsns += code->cfg->blocks[code->around[i]].ninsns;
	if (ninsns > AROUND_MOST)
		return NULL;
	ret = fdo_alloc(1, sizeof(*ret));
	for (size_t i = 0; i < n; i++)
		note_block(code, code->around[i], ret);
	return ret;
}

/* The one block that leads to a block, but for its own loop; UINT32_MAX: none. */
static uint32_t only_before(const struct trips_code *code, uint32_t block)
{
	const struct cfg *cfg = code->cfg;
	const struct cfg_block *b = &cfg->blocks[block];
	uint32_t from = UINT32_MAX;

	if (b->flags & (CFG_ENTRY | CFG_ENTERED | CFG_HUB))
		return UINT32_MAX;
	for (uint32_t i = 0; i < b->nin; i++) {
		uint32_t e = cfg->in[b->first_in + i];

		if (dominators_back(code->dominators, e))
			continue;
		if (from != UINT32_MAX || cfg->edges[e].kind == CFG_EXCEPTION)
			return UINT32_MAX;
		from = cfg->edges[e].from;
	}
	return from;
}

struct trips_before *trips_before_new(const struct trips_code *code,
				      uint32_t block)
{
	struct trips_before *before = fdo_alloc(1, sizeof(*before));

	before->code = code;
	while (block != UINT32_MAX && before->n < BLOCKS_BEFORE) {
		struct step *step = &before->steps[before->n++];

		*step = (struct step){ block, trips_decode(code, block), NULL };
		block = only_before(code, block);
		if (block == UINT32_MAX ||
		    !dominators_heads(code->dominators, step->block))
			continue;
		step->around = look_around(code, step->block);
		if (!step->around)
			break;
	}
	return before;
}

void trips_before_free(struct trips_before *before)
{
	for (unsigned i = 0; i < before->n; i++) {
		free(before->steps[i].operands);
		free(before->steps[i].around);
	}
	free(before);
}

/* As if blocks of the loop had run so often, each another number of times. */
static void go_round(const struct around *around, unsigned guess,
		     struct outcome_state *state)
{
	state->known &= ~(around->written & ~around->added);
	for (unsigned r = 0; r < REGISTERS; r++)
		if (around->added >> r & 1)
			state->registers[r] +=
				around->by[r] *
				(guess_value(0, guess, around->block[r]) & 63);
}

struct outcome_state trips_before_known(const struct trips_before *before)
{
	struct outcome_state state = { .known = 0 };

	for (unsigned i = before->n; i-- > 0;) {
		const struct step *step = &before->steps[i];

		if (step->around)
			state.known &= ~step->around->written;
		trips_run(before->code, step->block, step->operands, &state);
	}
	state.known &= REG_BIT(REGISTERS) - 1;
	return state;
}

struct outcome_state trips_before_guessed(const struct trips_before *before,
					  unsigned guess)
{
	const struct cfg *cfg = before->code->cfg;
	struct outcome_state state = { .known = 0 };

	guess_unknown(&state, guess, 0);
	for (unsigned i = before->n; i-- > 0;) {
		const struct step *step = &before->steps[i];
		const struct cfg_block *b = &cfg->blocks[step->block];

		if (step->around) {
			go_round(step->around, guess, &state);
			guess_unknown(&state, guess, b->address);
		}
		for (uint32_t j = 0; j < b->ninsns; j++) {
			const struct insn *insn =
				&cfg->insns[b->first_insn + j];

			outcome_run(&state, insn, &step->operands[j]);
			guess_unknown(&state, guess, insn->address + 1);
		}
	}
	state.known &= REG_BIT(REGISTERS) - 1;
	return state;
}
