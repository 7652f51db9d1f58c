/*
 * vector_blocks.c - compare a block's code with that of the blocks it leads to.
 */
#include "converter/keys/vector_blocks.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/binary/lines.h"
#include "converter/graph/cfg.h"

/* GCC's "vector_loop" does so many at once. */
enum { VECTORS_OF_COPY = 4 };

/* The next instruction of a block that has to do with vectors, from i on. */
static const struct insn *
next_vector(const struct cfg *cfg, const struct cfg_block *block, uint32_t *i)
{
	while (*i < block->ninsns) {
		const struct insn *insn =
			&cfg->insns[block->first_insn + (*i)++];

		if (insn->element || insn->moved)
			return insn;
	}
	return NULL;
}

static bool is_same_place(const struct lines *lines, uint64_t a, uint64_t b)
{
	struct lines_place x, y;

	return lines_at(lines, a, &x) && lines_at(lines, b, &y) &&
	       x.frame == y.frame && x.file == y.file && x.line == y.line &&
	       x.column == y.column;
}

/* Have both the same code with vectors, and any? */
static bool is_alike(const struct lines *lines, const struct cfg *cfg,
		     const struct cfg_block *a, const struct cfg_block *b)
{
	uint32_t i = 0, j = 0;
	const struct insn *x = next_vector(cfg, a, &i);
	const struct insn *y = next_vector(cfg, b, &j);

	if (!x)
		return false;
	while (x && y && x->opcode == y->opcode &&
	       is_same_place(lines, x->address, y->address)) {
		x = next_vector(cfg, a, &i);
		y = next_vector(cfg, b, &j);
	}
	return !x && !y;
}

/*
 * As a copy of memory that the compiler made a loop: it has one place, computes
 * nothing, and does that many vectors each time.
 */
static bool may_copy_memory(const struct lines *lines, const struct cfg *cfg,
			    const struct cfg_block *block)
{
	const struct insn *insns = &cfg->insns[block->first_insn];
	unsigned moves = 0;

	for (uint32_t i = 0; i < block->ninsns; i++) {
		if (insns[i].element ||
		    !is_same_place(lines, insns->address, insns[i].address))
			return false;
		moves += insns[i].moved > 0;
	}
	return moves >= VECTORS_OF_COPY;
}

/* Does a block only lead from another one back to it? */
static bool leads_back(const struct cfg *cfg, uint32_t block, uint32_t to)
{
	const struct cfg_block *back;

	if (block >= cfg->nblocks)
		return false;
	back = &cfg->blocks[block];
	return back->nin == 1 && back->nedges == 1 &&
	       cfg->edges[back->first_edge].to == to;
}

bool vector_blocks_goes_round(const struct cfg *cfg, uint32_t block)
{
	const struct cfg_block *here = &cfg->blocks[block];

	for (uint32_t i = 0; i < here->nedges; i++) {
		uint32_t to = cfg->edges[here->first_edge + i].to;

		if (to == block || leads_back(cfg, to, block))
			return true;
	}
	return false;
}

/* Note which of the blocks that one leads to go on with what it does. */
static bool look(const struct lines *lines, const struct cfg *cfg, size_t block,
		 bool *found)
{
	const struct cfg_block *here = &cfg->blocks[block];
	uint32_t first = 0;
	bool any = false;

	if (here->nedges < 2 || !next_vector(cfg, here, &first) ||
	    may_copy_memory(lines, cfg, here))
		return false;
	for (uint32_t i = 0; i < here->nedges; i++) {
		size_t to = cfg->edges[here->first_edge + i].to;

		if (leads_back(cfg, to, block))
			found[block] = true;
		else if (to >= cfg->nblocks ||
			 (to != block &&
			  !is_alike(lines, cfg, here, &cfg->blocks[to])))
			continue;
		found[to] = any = true;
	}
	return any;
}

bool *vector_blocks_find(const struct lines *lines, const struct cfg *cfg)
{
	bool *found = fdo_alloc(cfg->nblocks + 1, sizeof(*found));
	bool any = false;

	for (size_t b = 0; b < cfg->nblocks; b++)
		any |= look(lines, cfg, b, found);
	if (any)
		return found;
	free(found);
	return NULL;
}
