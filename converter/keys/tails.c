/*
 * tails.c - a tail begins where several pieces of code jump to, and goes on
 * in the blocks behind, of which more may be shared.
 */
#include "converter/keys/tails.h"

#include "base/alloc.h"
#include "converter/binary/lines.h"
#include "converter/count/program.h"
#include "converter/graph/dominators.h"

/* The line of an instruction; 0: none. */
static uint32_t line_at(const struct lines *lines, uint64_t address)
{
	struct lines_place place;

	return lines_at(lines, address, &place) ? place.line : 0;
}

/* Does a loop begin or end its rounds in a block? */
static bool joins_rounds(const struct cfg *cfg,
			 const struct dominators *dominators, size_t b)
{
	const struct cfg_block *block = &cfg->blocks[b];

	if (dominators_heads(dominators, b))
		return true;
	for (uint32_t i = 0; i < block->nedges; i++)
		if (dominators_back(dominators, block->first_edge + i))
			return true;
	return false;
}

/*
 * A tail that several pieces of code jump to, from other lines, may have
 * been theirs each before the compiler merged it.  To where a loop's rounds
 * meet, each "continue" jumps, too: back, from lines behind.
 */
static bool is_tail(const struct lines *lines, const struct program_function *f,
		    const struct dominators *dominators, size_t b)
{
	const struct cfg *cfg = &f->cfg;
	const struct cfg_block *block = &cfg->blocks[b];
	uint32_t line = line_at(lines, block->address);
	bool joins = joins_rounds(cfg, dominators, b);
	unsigned jumps = 0;

	for (uint32_t i = 0; i < block->nin; i++) {
		uint32_t e = cfg->in[block->first_in + i], there;

		if (cfg->edges[e].kind != CFG_JUMP || f->edges[e] == 0)
			continue;
		there = line_at(lines,
				cfg_last_address(cfg, cfg->edges[e].from));
		jumps += there && (joins ? there < line : there != line);
	}
	return jumps >= 2;
}

/* Does a statement of that place's line begin at a block? */
static bool begins_at(const struct lines *lines, const struct cfg_block *block,
		      const struct lines_place *place)
{
	size_t n;
	const struct lines_begin *begins =
		lines_begins(lines, block->address, block->address + 1, &n);

	for (size_t i = 0; i < n; i++)
		if (begins[i].line == place->line &&
		    begins[i].file == place->file)
			return true;
	return false;
}

/* Does nothing but an edge lead on from its block? */
static bool is_only_way(const struct cfg *cfg, const struct cfg_edge *edge)
{
	return edge->kind == CFG_JUMP ||
	       (edge->kind == CFG_FALL && cfg->blocks[edge->from].nedges == 1);
}

/*
 * A statement that others of its line lead to, as of a macro that has several,
 * may have been that of another line, too, from which code comes there.
 */
static bool is_shared(const struct lines *lines,
		      const struct program_function *f,
		      const struct dominators *dominators, size_t b)
{
	const struct cfg *cfg = &f->cfg;
	const struct cfg_block *block = &cfg->blocks[b];
	struct lines_place here, there;
	bool same = false, other = false;

	if (joins_rounds(cfg, dominators, b) ||
	    !lines_at(lines, block->address, &here) ||
	    !begins_at(lines, block, &here))
		return false;
	for (uint32_t i = 0; i < block->nin; i++) {
		uint32_t e = cfg->in[block->first_in + i];
		const struct cfg_edge *edge = &cfg->edges[e];

		if (f->edges[e] == 0 ||
		    !lines_at(lines, cfg_last_address(cfg, edge->from),
			      &there) ||
		    there.frame != here.frame)
			continue;
		same |= there.line == here.line;
		other |= there.line != here.line && is_only_way(cfg, edge);
	}
	return same && other;
}

/*
 * Does more than a tenth of what enters a block come from merged code that ends
 * in the block's line?
 */
static bool goes_on(const struct lines *lines, const struct program_function *f,
		    size_t b, const bool *merged)
{
	const struct cfg *cfg = &f->cfg;
	const struct cfg_block *block = &cfg->blocks[b];
	uint32_t line = line_at(lines, block->address);
	uint64_t sum = 0, from_merged = 0;

	for (uint32_t i = 0; i < block->nin; i++) {
		uint32_t e = cfg->in[block->first_in + i];
		uint32_t from = cfg->edges[e].from;

		sum += f->edges[e];
		if (merged[from] && f->edges[e] &&
		    line_at(lines, cfg_last_address(cfg, from)) == line)
			from_merged += f->edges[e];
	}
	return from_merged > sum / 10;
}

bool *tails_find(const struct lines *lines, const struct program_function *f,
		 const struct dominators *dominators)
{
	struct lines_place start;
	bool *merged, changed = true;

	if (!lines_at(lines, f->cfg.parts[0].address, &start) || !start.frame ||
	    start.frame->no_crossjumping)
		return NULL;
	merged = fdo_alloc(f->cfg.nblocks, sizeof(*merged));
	for (size_t b = 0; b < f->cfg.nblocks; b++)
		merged[b] = is_tail(lines, f, dominators, b) ||
			    is_shared(lines, f, dominators, b);
	while (changed) {
		changed = false;
		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			if (merged[b] || !goes_on(lines, f, b, merged))
				continue;
			merged[b] = changed = true;
		}
	}
	return merged;
}
