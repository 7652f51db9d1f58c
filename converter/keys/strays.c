/*
 * strays.c - from a block, all ways back that pass no beginning.
 *
 * Mostly the statement begins in the block itself or just before it, and the
 * search is short.
 */
#include "converter/keys/strays.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/lines.h"
#include "converter/count/program.h"
#include "converter/graph/dominators.h"
#include "converter/keys/frames.h"

/* Of what copies code is that begins: of one that is known, or of any. */
enum { OF_A_COPY = 1, OF_ANY };

/* Blocks; of copies in a row, each would look through all that is before it. */
enum { FAR = 1000 };

struct strays {
	const struct lines *lines;
	const struct cfg *cfg;
	const struct dominators *dominators;
	struct fdo_map *begun;	/* lines that begin in a block */
	struct fdo_map *within; /* in a copy of a function in a block */
	struct fdo_map *framed; /* in a copy of a function */
	struct fdo_map *known;	/* answers, plus 1 */
	struct frames *frames;
	uint32_t *seen; /* by block: the last search that was there */
	uint32_t *queue;
	uint32_t search;
	bool ready; /* all beginnings are noted */
};

/*
 * Of a line, in a block or in a copy of a function.  Names of files are near
 * each other in memory: they are spread before a line is added to them.
 */
static uint64_t name_of(const char *file, unsigned line, uint64_t in)
{
	uint64_t hash = fdo_hash_mix(fdo_hash_mix(0, (uintptr_t)file), line);

	return fdo_hash_mix(fdo_hash_mix(hash, in), in >> 32);
}

static uint64_t name_within(const char *file, unsigned line, uint32_t block,
			    const struct lines_frame *copy)
{
	return fdo_hash_mix(name_of(file, line, block), (uintptr_t)copy);
}

/* A line begins in a block: in a copy that is known, or in any. */
static void note_line(struct strays *s, const char *file, unsigned line,
		      uint32_t block, bool own)
{
	uint64_t *begun = fdo_map_at(s->begun, name_of(file, line, block));

	if (*begun != OF_ANY)
		*begun = own ? OF_A_COPY : OF_ANY;
}

/* In a copy, and in what that is inlined in. */
static void note_within(struct strays *s, const char *file, unsigned line,
			uint32_t block, const struct lines_frame *copy)
{
	for (const struct lines_frame *f = copy; f; f = f->parent)
		*fdo_map_at(s->within, name_within(file, line, block, f)) = 1;
}

/*
 * What begins in an inlined body, the call of that began as well.  Whether its line
 * begins anywhere is another matter.
 */
static void note_calls(struct strays *s, const struct lines_frame *body,
		       uint32_t block, bool own)
{
	for (const struct lines_frame *f = body; f->parent; f = f->parent) {
		note_line(s, f->call_file, f->call_line, block, own);
		if (own)
			note_within(s, f->call_file, f->call_line, block,
				    f->parent);
	}
}

/*
 * Without code of its own, a line is of the function that begins nearest before
 * it: all its inlined bodies may have begun.
 */
static void note_bodies(struct strays *s, const struct lines_begin *begin,
			uint32_t block)
{
	size_t n;
	const struct lines_frame *const *bodies =
		frames_around(s->frames, begin->file, begin->line, &n);

	for (size_t i = 0; i < n; i++)
		note_calls(s, bodies[i], block, false);
}

/*
 * In all copies that the code at an address is in.  If that is of another line,
 * what begins has no code of its own, and may be of any copy.
 */
static void note_begin(struct strays *s, const struct lines_begin *begin,
		       uint32_t block)
{
	struct lines_place place = { 0 };
	bool known = lines_at(s->lines, begin->address, &place);
	bool own =
		known && place.file == begin->file && place.line == begin->line;

	note_line(s, begin->file, begin->line, block, own);
	note_within(s, begin->file, begin->line, block, place.frame);
	for (const struct lines_frame *f = place.frame; f; f = f->parent)
		*fdo_map_at(s->framed, name_of(begin->file, begin->line,
					       (uintptr_t)f)) = 1;
	if (own && place.frame)
		note_calls(s, place.frame, block, true);
	else
		note_bodies(s, begin, block);
}

static const struct lines_begin *begins_of(const struct strays *s, uint32_t b,
					   size_t *n_ret)
{
	const struct cfg_block *block = &s->cfg->blocks[b];

	return lines_begins(s->lines, block->address,
			    block->address + block->size, n_ret);
}

static void note_block(struct strays *s, uint32_t b)
{
	size_t n;
	const struct lines_begin *begins = begins_of(s, b, &n);

	for (size_t i = 0; i < n; i++)
		note_begin(s, &begins[i], b);
}

struct strays *strays_new(const struct lines *lines,
			  const struct program_function *f,
			  const struct dominators *dominators,
			  struct frames *frames)
{
	struct strays *s = fdo_alloc(1, sizeof(*s));

	s->lines = lines;
	s->cfg = &f->cfg;
	s->dominators = dominators;
	s->frames = frames;
	s->begun = fdo_map_new();
	s->within = fdo_map_new();
	s->framed = fdo_map_new();
	s->known = fdo_map_new();
	s->seen = fdo_alloc(f->cfg.nblocks, sizeof(*s->seen));
	s->queue = fdo_alloc(f->cfg.nblocks, sizeof(*s->queue));
	return s;
}

void strays_free(struct strays *s)
{
	if (!s)
		return;
	fdo_map_free(s->begun);
	fdo_map_free(s->within);
	fdo_map_free(s->framed);
	fdo_map_free(s->known);
	free(s->seen);
	free(s->queue);
	free(s);
}

/* The line of a place, in a block: in its copy, or in any. */
static bool begins_in(const struct strays *s, uint32_t block,
		      const struct lines_place *place, bool in_copy)
{
	const uint64_t *begun =
		fdo_map_get(s->begun, name_of(place->file, place->line, block));

	if (!begun || !in_copy || *begun == OF_ANY)
		return begun;
	return fdo_map_get(s->within, name_within(place->file, place->line,
						  block, place->frame));
}

/*
 * Is there a way to a block from where the function is entered on which it does
 * not begin?  In a copy, or from so far away that it hardly begins there.
 */
static bool come_from_outside(struct strays *s, uint32_t to,
			      const struct lines_place *place, bool in_copy)
{
	size_t n = 0, passed = 0;

	if (begins_in(s, to, place, in_copy))
		return false;
	s->search++;
	s->seen[to] = s->search;
	s->queue[n++] = to;
	while (n) {
		const struct cfg_block *block = &s->cfg->blocks[s->queue[--n]];

		if (block->flags & (CFG_ENTRY | CFG_ENTERED | CFG_ORPHAN) ||
		    (in_copy && ++passed > FAR))
			return true;
		for (uint32_t i = 0; i < block->nin; i++) {
			uint32_t e = s->cfg->in[block->first_in + i];
			uint32_t from = s->cfg->edges[e].from;

			if (s->seen[from] == s->search ||
			    begins_in(s, from, place, in_copy))
				continue;
			s->seen[from] = s->search;
			s->queue[n++] = from;
		}
	}
	return false;
}

/* Its last instruction is a conditional jump of that place. */
static bool is_test_of(const struct strays *s, const struct cfg_block *block,
		       const struct lines_place *place)
{
	const struct insn *last = cfg_last_insn(s->cfg, block - s->cfg->blocks);
	struct lines_place at;

	return last && last->class == INSN_BRANCH &&
	       lines_at(s->lines, last->address, &at) &&
	       at.file == place->file && at.line == place->line &&
	       at.frame == place->frame;
}

/* Not only over the other block, it leads to where the line of a place begins. */
static bool leads_to_beginning(const struct strays *s, uint32_t from,
			       uint32_t other, const struct lines_place *place)
{
	for (uint32_t b = 0; b < s->cfg->nblocks; b++)
		if (begins_in(s, b, place, false) &&
		    dominators_before(s->dominators, from, b) &&
		    !dominators_before(s->dominators, other, b))
			return true;
	return false;
}

/*
 * A way that comes from another test was threaded past the first part of this
 * one, which is known there, and so past its beginning; other ways from there
 * lead over it.  What was merged comes from code that has nothing to do with
 * it.
 */
static bool was_threaded(struct strays *s, uint32_t b,
			 const struct lines_place *place)
{
	const struct cfg_block *block = &s->cfg->blocks[b];

	if (!is_test_of(s, block, place))
		return false;
	for (uint32_t i = 0; i < block->nin; i++) {
		uint32_t e = s->cfg->in[block->first_in + i];
		uint32_t from = s->cfg->edges[e].from;

		if (come_from_outside(s, from, place, false) &&
		    !leads_to_beginning(s, from, b, place))
			return false;
	}
	return true;
}

static enum strays_kind kind_of(struct strays *s, uint32_t block,
				const struct lines_place *place)
{
	if (come_from_outside(s, block, place, false))
		return was_threaded(s, block, place) ? STRAYS_NONE : STRAYS_ANY;
	return come_from_outside(s, block, place, true) ? STRAYS_COPY
							: STRAYS_NONE;
}

/* Many functions are never asked about. */
static void make_ready(struct strays *s)
{
	if (s->ready)
		return;
	for (uint32_t b = 0; b < s->cfg->nblocks; b++)
		note_block(s, b);
	s->ready = true;
}

enum strays_kind strays_of(struct strays *s, size_t block,
			   const struct lines_place *place)
{
	uint64_t *known;

	make_ready(s);
	if (!fdo_map_get(s->framed, name_of(place->file, place->line,
					    (uintptr_t)place->frame)))
		return STRAYS_NONE;
	known = fdo_map_at(s->known, name_within(place->file, place->line,
						 block, place->frame));
	if (!*known)
		*known = 1 + kind_of(s, block, place);
	return *known - 1;
}
