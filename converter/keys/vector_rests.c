/*
 * vector_rests.c - for each loop by vectors, what it leads to and what leads to it.
 *
 * Ways back to the first block of a loop do not count: what is before a loop within
 * another one does not come behind it, though the next time around it does.
 */
#include "converter/keys/vector_rests.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "converter/binary/lines.h"
#include "converter/graph/cfg.h"
#include "converter/graph/dominators.h"
#include "converter/keys/vector_blocks.h"

struct rests {
	const struct lines *lines;
	const struct cfg *cfg;
	const struct dominators *dominators;
	uint32_t *stack;
	bool *behind, *before; /* of one loop */
	uint32_t *ret;
};

static void push(bool *marks, uint32_t *stack, size_t *n, uint32_t block)
{
	if (marks[block])
		return;
	marks[block] = true;
	stack[(*n)++] = block;
}

/* The blocks that a loop leads to, or those that lead to it, and itself. */
static void mark(const struct rests *r, bool *marks, uint32_t loop,
		 bool forward)
{
	const struct cfg *cfg = r->cfg;
	size_t n = 0;

	push(marks, r->stack, &n, loop);
	while (n) {
		const struct cfg_block *block = &cfg->blocks[r->stack[--n]];

		for (uint32_t i = 0; i < (forward ? block->nedges : block->nin);
		     i++) {
			uint32_t e = forward ? block->first_edge + i
					     : cfg->in[block->first_in + i];
			uint32_t to =
				forward ? cfg->edges[e].to : cfg->edges[e].from;

			if (to < cfg->nblocks &&
			    !dominators_back(r->dominators, e))
				push(marks, r->stack, &n, to);
		}
	}
}

static bool is_same_line(const struct lines_place *a,
			 const struct lines_place *b)
{
	return a->frame == b->frame && a->file == b->file && a->line == b->line;
}

/* Is any code with vectors of the loop of that line? */
static bool has_line(const struct rests *r, uint32_t loop,
		     const struct lines_place *place)
{
	const struct cfg_block *block = &r->cfg->blocks[loop];

	for (uint32_t i = 0; i < block->ninsns; i++) {
		const struct insn *insn = &r->cfg->insns[block->first_insn + i];
		struct lines_place other;

		if (insn->packed && lines_at(r->lines, insn->address, &other) &&
		    is_same_line(place, &other))
			return true;
	}
	return false;
}

/* One by one, as by vectors, it is from memory that numbers come. */
static bool does_alike(const struct rests *r, uint32_t b, uint32_t loop)
{
	const struct cfg_block *block = &r->cfg->blocks[b];

	for (uint32_t i = 0; i < block->ninsns; i++) {
		const struct insn *insn = &r->cfg->insns[block->first_insn + i];
		struct lines_place place;

		if ((insn->accessed || insn->moved) &&
		    lines_at(r->lines, insn->address, &place) && place.line &&
		    has_line(r, loop, &place))
			return true;
	}
	return false;
}

/* Of loops one behind the other, the last. */
static void look(const struct rests *r, uint32_t loop)
{
	for (uint32_t b = 0; b < r->cfg->nblocks; b++)
		r->behind[b] = r->before[b] = false;
	mark(r, r->behind, loop, true);
	mark(r, r->before, loop, false);
	for (uint32_t b = 0; b < r->cfg->nblocks; b++)
		if (r->behind[b] && !r->before[b] &&
		    (!r->ret[b] || r->before[r->ret[b] - 1]) &&
		    does_alike(r, b, loop))
			r->ret[b] = loop + 1;
}

uint32_t *vector_rests_find(const struct lines *lines, const struct cfg *cfg,
			    const struct dominators *dominators,
			    const bool *loops)
{
	struct rests r = {
		.lines = lines,
		.cfg = cfg,
		.dominators = dominators,
	};

	for (uint32_t b = 0; loops && b < cfg->nblocks; b++) {
		if (!loops[b] || !vector_blocks_goes_round(cfg, b))
			continue;
		if (!r.ret) {
			r.ret = fdo_alloc(cfg->nblocks, sizeof(*r.ret));
			r.stack = fdo_alloc(cfg->nblocks, sizeof(*r.stack));
			r.behind = fdo_alloc(cfg->nblocks, sizeof(*r.behind));
			r.before = fdo_alloc(cfg->nblocks, sizeof(*r.before));
		}
		look(&r, b);
	}
	free(r.before);
	free(r.behind);
	free(r.stack);
	return r.ret;
}
