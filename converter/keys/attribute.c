/*
 * attribute.c - walk all instructions, collect for each key the code that has
 * it, and let pieces.c settle what each key comes to.
 *
 * Two records of a key are kept, with its discriminator and without, and
 * settled apart: see profile.h.
 */
#include "converter/keys/attribute_private.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/lines.h"
#include "converter/count/program.h"
#include "converter/graph/dominators.h"
#include "converter/graph/nests.h"
#include "converter/keys/frames.h"
#include "converter/keys/loop_tests.h"
#include "converter/keys/pieces.h"
#include "converter/keys/steps.h"
#include "converter/keys/strays.h"
#include "converter/keys/tails.h"
#include "converter/keys/vector_blocks.h"
#include "converter/keys/vector_rests.h"

/* Instructions of a block that are of one key are together after this. */
struct located {
	struct profile_body *body;
	struct profile_key key;
	const struct insn *insn;
	bool astray;	 /* it may be another statement's */
	bool goes_round; /* its block's branch leads back to a loop's begin */
};

/* What is known of a function's blocks beside their counts. */
struct looks {
	bool *merged;	 /* NULL: none */
	bool *loops;	 /* by vectors; NULL: none */
	uint32_t *rests; /* of these; NULL: none */
	uint32_t *tests; /* of loops; NULL: none */
	struct nests *nests;
	uint32_t *around; /* room for loops around a block */
	uint8_t *steps;	  /* enum steps_flag */
	struct frames *frames;
	struct strays *strays;
	const struct dominators *dominators;
	struct attribute_sights *sights;
	/* Room for the two records of each instruction of a block. */
	struct located *code;
	uint16_t *opcodes;
};

static int compare_located(const void *a, const void *b)
{
	const struct located *x = a, *y = b;
	int order = pieces_compare_keys(x->body, &x->key, y->body, &y->key);

	if (order)
		return order;
	return (x->insn->opcode > y->insn->opcode) -
	       (x->insn->opcode < y->insn->opcode);
}

/* What one instruction adds to the functions that it is in. */
static void add_totals(const struct lines_frame *frame, struct attribution *a,
		       uint64_t count)
{
	for (; frame; frame = frame->parent) {
		struct profile_body *body = attribute_body(a, frame);

		body->total = profile_sum(body->total, count);
	}
}

/* Does a loop's next round begin where the branch that ends a block leads? */
static bool goes_round(const struct cfg *cfg, const struct cfg_block *block,
		       const struct dominators *dominators)
{
	for (uint32_t i = 0; i < block->nedges; i++) {
		uint32_t e = block->first_edge + i;

		if (cfg->edges[e].kind == CFG_TAKEN &&
		    dominators_back(dominators, e))
			return true;
	}
	return false;
}

/* The two records of each instruction of a block that has a place. */
static size_t locate(struct attribution *a, const struct program_function *f,
		     size_t b, const struct looks *looks, struct located *code)
{
	const struct lines *lines = a->program->binaries[f->binary].lines;
	const struct cfg_block *block = &f->cfg.blocks[b];
	bool round = goes_round(&f->cfg, block, looks->dominators);
	size_t n = 0;

	for (uint32_t i = 0; i < block->ninsns; i++) {
		const struct insn *insn = &f->cfg.insns[block->first_insn + i];
		struct lines_place place;
		struct located *here = &code[n];
		enum strays_kind stray;

		if (insn->class == INSN_NOP)
			continue;
		a->result.executed += f->blocks[b].count;
		if (!lines_at(lines, insn->address, &place))
			continue;
		if (!place.frame && place.line)
			a->result.nowhere += f->blocks[b].count;
		if (!place.line && attribute_frame(&place)) {
			a->result.no_line += f->blocks[b].count;
			add_totals(attribute_frame(&place), a,
				   f->blocks[b].count);
		}
		if (!attribute_has_place(&place))
			continue;
		a->result.placed += f->blocks[b].count;
		attribute_see_frame(looks->sights, place.frame, b);
		if (place.column)
			a->result.with_column += f->blocks[b].count;
		add_totals(place.frame, a, f->blocks[b].count);
		/* What never ran takes nothing from others. */
		stray = f->blocks[b].count > 0
				? strays_of(looks->strays, b, &place)
				: STRAYS_NONE;
		if (stray == STRAYS_ANY)
			continue;
		here->insn = insn;
		here->goes_round = round;
		here->body = attribute_body(a, place.frame);
		here->key = attribute_key(a, &place);
		here->astray = stray == STRAYS_COPY;
		here[1] = here[0];
		here[1].key.discriminator = PROFILE_ANY;
		n += 2;
	}
	return n;
}

/*
 * Copies of code have the same constants; addresses may differ.  The test of a
 * loop is often made before it, and again where each round ends: if the one
 * goes past the loop, the other one goes round where the first would not have.
 * Only branches have an opposite.
 */
static uint16_t what_it_does(const struct located *code)
{
	const struct insn *insn = code->insn;
	uint32_t hash = (uint32_t)insn->immediate * 2654435761u;
	uint16_t opcode =
		code->goes_round ? decode_opposite(insn->opcode) : insn->opcode;

	return opcode ^ hash >> 16;
}

/* One key's code in a block; opcodes has room for it. */
static void add_piece(struct attribution *a, const struct located *code,
		      size_t n, struct piece piece, uint16_t *opcodes)
{
	bool branches = false;

	piece.body = code->body;
	piece.key = code->key;
	piece.movable = true;
	piece.astray = true;
	for (size_t i = 0; i < n; i++) {
		opcodes[i] = what_it_does(&code[i]);
		piece.assigns |= code[i].insn->assigns;
		piece.astray &= code[i].astray;
		piece.movable &= code[i].insn->class == INSN_OTHER &&
				 !code[i].insn->assigns;
		piece.conditional |= code[i].insn->conditional;
		branches |= code[i].insn->class == INSN_BRANCH;
		vectors_see(&piece.look, &(struct vectors_look){
						 code[i].insn->packed,
						 code[i].insn->element,
						 code[i].insn->moved,
						 code[i].insn->accessed,
					 });
	}
	/* Without columns, what a line repeats is not told from its test. */
	if (!branches || !piece.key.column)
		piece.test = 0;
	pieces_add(a->pieces, &piece, opcodes, n);
}

static void add_block(struct attribution *a, size_t function, size_t b,
		      const struct looks *looks)
{
	const struct program_function *f = &a->program->functions[function];
	struct located *code = looks->code;
	size_t n = locate(a, f, b, looks, code);
	struct piece piece = {
		.function = function,
		.class = f->blocks[b].group,
		.block = b,
		.count = f->blocks[b].count,
		.error = f->blocks[b].error,
		.merged = looks->merged && looks->merged[b],
		.loop = looks->loops && looks->loops[b],
		.rest = looks->rests ? looks->rests[b] : 0,
		.test = looks->tests ? looks->tests[b] : 0,
	};

	piece.around = looks->around;
	piece.naround = nests_around(looks->nests, b, looks->around);
	qsort(code, n, sizeof(*code), compare_located);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n; next++)
			if (pieces_compare_keys(code[i].body, &code[i].key,
						code[next].body,
						&code[next].key) != 0)
				break;
		piece.goes_on =
			looks->steps[b] &
			(code[i].key.discriminator == PROFILE_ANY ? STEPS_PLACE
								  : STEPS_KEY);
		add_piece(a, &code[i], next - i, piece, looks->opcodes);
	}
}

static uint32_t longest_block(const struct cfg *cfg)
{
	uint32_t longest = 0;

	for (size_t b = 0; b < cfg->nblocks; b++)
		if (cfg->blocks[b].ninsns > longest)
			longest = cfg->blocks[b].ninsns;
	return longest;
}

static void add_blocks(struct attribution *a, size_t function)
{
	const struct program_function *f = &a->program->functions[function];
	const struct lines *lines = a->program->binaries[f->binary].lines;
	struct dominators *dominators = dominators_new(&f->cfg);
	size_t room = 2 * (longest_block(&f->cfg) + 1);
	struct looks looks = {
		.merged = tails_find(lines, f, dominators),
		.loops = vector_blocks_find(lines, &f->cfg),
		.tests = loop_tests_find(&f->cfg, dominators),
		.steps = steps_find(lines, f, dominators),
		.frames = frames_new(lines, f),
		.dominators = dominators,
		.sights = attribute_sights_new(f->cfg.nblocks),
		.code = fdo_alloc(room, sizeof(*looks.code)),
		.opcodes = fdo_alloc(room, sizeof(*looks.opcodes)),
		.nests = nests_new(dominators, f->cfg.nblocks),
		.around = fdo_alloc(f->cfg.nblocks + 1, sizeof(*looks.around)),
	};

	looks.rests =
		vector_rests_find(lines, &f->cfg, dominators, looks.loops);
	looks.strays = strays_new(lines, f, dominators, looks.frames);
	for (size_t b = 0; b < f->cfg.nblocks; b++)
		add_block(a, function, b, &looks);
	attribute_begins(a, function, looks.frames, looks.merged);
	attribute_enter(a, looks.sights, f, dominators);
	attribute_sights_free(looks.sights);
	free(looks.opcodes);
	nests_free(looks.nests);
	free(looks.around);
	free(looks.code);
	strays_free(looks.strays);
	frames_free(looks.frames);
	free(looks.steps);
	free(looks.tests);
	free(looks.rests);
	free(looks.loops);
	free(looks.merged);
	dominators_free(dominators);
}

void attribute(const struct program *p, const struct usual *usual,
	       struct profile *profile, struct attribute_result *ret)
{
	struct attribution a = {
		.program = p,
		.profile = profile,
		.functions = fdo_map_new(),
		.bodies = fdo_map_new(),
		.entries_of = fdo_map_new(),
		.pieces = pieces_new(),
	};

	attribute_origins(&a);
	for (size_t f = 0; f < p->nfunctions; f++) {
		attribute_entry(&a, &p->functions[f]);
		add_blocks(&a, f);
	}
	for (size_t i = 0; i < p->nbinaries; i++) {
		attribute_samples(&a, i);
		attribute_first_uses(&a, i);
	}
	a.result.keys = pieces_settle(a.pieces, profile);
	attribute_begun(&a);
	attribute_entered(&a);
	for (size_t f = 0; f < p->nfunctions; f++) {
		attribute_calls(&a, &p->functions[f]);
		attribute_tests(&a, &p->functions[f]);
	}
	for (size_t f = 0; usual && f < p->nfunctions; f++)
		attribute_values(&a, usual, &p->functions[f]);
	attribute_cutoffs(&a);
	*ret = a.result;
	free(a.binaries);
	pieces_free(a.pieces);
	fdo_map_free(a.bodies);
	fdo_map_free(a.functions);
}
