/*
 * attribute_begins.c - how often statements began, whatever code is left of
 * them.
 *
 * Where jumps were threaded or expressions are computed once, a statement may
 * have no code in a copy of it, but the debug information still marks where it
 * begins.  Compilers lose such marks, and never invent one: in all copies
 * together, it began at least that often.
 *
 * Of two arms that were made one without a branch, or ends of code that were
 * merged, the mark of either may be left, and what begins at the end of a block is
 * shown where the next one begins: such marks say nothing.
 */
#include "converter/keys/attribute_private.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/lines.h"
#include "converter/count/program.h"
#include "converter/keys/frames.h"
#include "converter/keys/pieces.h"

struct attribute_begin {
	struct profile_body *body;
	struct profile_key key;
	size_t function;
	uint32_t class;
	uint64_t count;
	double error;
};

/* A statement's function; NULL: it may be in any of several copies. */
static const struct lines_frame *frame_of(struct frames *frames,
					  const struct lines_begin *begin,
					  const struct lines_frame *here)
{
	size_t n;
	const struct lines_frame *const *copies =
		frames_around(frames, begin->file, begin->line, &n);

	for (; n && here; here = here->parent)
		if (here->file == copies[0]->file &&
		    here->decl_line == copies[0]->decl_line)
			return here;
	return n == 1 ? copies[0] : NULL;
}

static bool is_conditional(const struct cfg *cfg, const struct cfg_block *block)
{
	for (uint32_t i = 0; i < block->ninsns; i++)
		if (cfg->insns[block->first_insn + i].conditional)
			return true;
	return false;
}

/* Some block goes on to this one without a jump, and others lead here. */
static bool is_gone_on_to(const struct cfg *cfg, const struct cfg_block *block)
{
	for (uint32_t i = 0; block->nin > 1 && i < block->nin; i++) {
		const struct cfg_edge *e =
			&cfg->edges[cfg->in[block->first_in + i]];
		const struct cfg_block *from = &cfg->blocks[e->from];
		uint32_t last = from->first_insn + from->ninsns - 1;

		if (e->kind == CFG_FALL && from->ninsns &&
		    cfg->insns[last].class != INSN_BRANCH)
			return true;
	}
	return false;
}

static void add_begin(struct attribution *a, const struct lines_begin *begin,
		      const struct lines_frame *frame, size_t function,
		      size_t b)
{
	const struct program_block *block =
		&a->program->functions[function].blocks[b];
	struct lines_place place = {
		.frame = frame,
		.file = begin->file,
		.line = begin->line,
		.column = begin->column,
		.discriminator = PROFILE_BEGIN,
	};

	if (!attribute_has_place(&place))
		return;
	a->begins = fdo_grow(a->begins, a->nbegins, &a->room_begins,
			     sizeof(*a->begins));
	a->begins[a->nbegins++] = (struct attribute_begin){
		.body = attribute_body(a, frame),
		.key = attribute_key(a, &place),
		.function = function,
		.class = block->group,
		.count = block->count,
		.error = block->error,
	};
}

static void add_block(struct attribution *a, size_t function, size_t b,
		      struct frames *frames)
{
	const struct program_function *f = &a->program->functions[function];
	const struct lines *lines = a->program->binaries[f->binary].lines;
	const struct cfg_block *block = &f->cfg.blocks[b];
	bool gone_on_to = is_gone_on_to(&f->cfg, block);
	size_t n;
	const struct lines_begin *begins = lines_begins(
		lines, block->address, block->address + block->size, &n);

	for (size_t i = 0; i < n; i++) {
		const struct lines_frame *frame;
		struct lines_place place;

		if ((gone_on_to && begins[i].address == block->address) ||
		    !lines_at(lines, begins[i].address, &place))
			continue;
		frame = frame_of(frames, &begins[i], place.frame);
		if (frame)
			add_begin(a, &begins[i], frame, function, b);
	}
}

void attribute_begins(struct attribution *a, size_t function,
		      struct frames *frames, const bool *merged)
{
	const struct program_function *f = &a->program->functions[function];

	for (size_t b = 0; b < f->cfg.nblocks; b++)
		if (f->blocks[b].count && !(merged && merged[b]) &&
		    !is_conditional(&f->cfg, &f->cfg.blocks[b]))
			add_block(a, function, b, frames);
}

static int compare_keys(const struct attribute_begin *a,
			const struct attribute_begin *b)
{
	return pieces_compare_keys(a->body, &a->key, b->body, &b->key);
}

/* The largest of a class first. */
static int compare(const void *va, const void *vb)
{
	const struct attribute_begin *a = va, *b = vb;
	int order = compare_keys(a, b);

	if (order)
		return order;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->error > b->error) - (a->error < b->error);
}

/* Statements of a macro are all of one place: in a class, they are one. */
static bool is_same(const struct attribute_begin *a,
		    const struct attribute_begin *b)
{
	return a->function == b->function && a->class == b->class;
}

/*
 * Where code of the line has the count, marks would only repeat it, and there are
 * many.
 */
static bool tells_more(uint64_t marked, uint64_t most_of_code)
{
	return marked - marked / 5 > most_of_code;
}

/* Some copies of a statement; the first one's place is that of all. */
static struct attribute_begin sum_of(const struct attribute_begin *copies,
				     size_t n)
{
	struct attribute_begin sum = *copies;

	for (size_t i = 1; i < n; i++) {
		if (is_same(&copies[i - 1], &copies[i]))
			continue;
		sum.count = profile_sum(sum.count, copies[i].count);
		sum.error = hypot(sum.error, copies[i].error);
	}
	return sum;
}

static uint64_t line_of(const struct profile_body *body,
			const struct profile_key *key)
{
	uint64_t hash = fdo_hash_mix(0, (uintptr_t)body);

	return fdo_hash_mix(fdo_hash_mix(hash, (uintptr_t)key->file),
			    (uint64_t)key->line);
}

/* Of each line of a body, the largest count of code. */
static void note_lines(struct fdo_map *lines, const struct profile_body *body)
{
	for (size_t i = 0; i < body->ncounts; i++) {
		const struct profile_count *c = &body->counts[i];
		uint64_t *most = fdo_map_at(lines, line_of(body, &c->key));

		if (c->count > *most)
			*most = c->count;
	}
}

static void record(struct attribution *a, const struct attribute_begin *sum)
{
	struct profile_count *count =
		profile_count_at(a->profile, sum->body, sum->key);

	count->count = sum->count;
	count->error = llround(sum->error);
}

void attribute_begun(struct attribution *a)
{
	const struct attribute_begin *all = a->begins;
	const struct profile_body *body = NULL;
	struct fdo_map *lines = fdo_map_new();

	if (a->nbegins)
		qsort(a->begins, a->nbegins, sizeof(*a->begins), compare);
	for (size_t i = 0, next; i < a->nbegins; i = next) {
		struct attribute_begin sum;

		for (next = i + 1; next < a->nbegins &&
				   compare_keys(&all[i], &all[next]) == 0;)
			next++;
		sum = sum_of(&all[i], next - i);
		if (sum.body != body)
			note_lines(lines, sum.body);
		body = sum.body;
		if (tells_more(sum.count,
			       *fdo_map_at(lines, line_of(body, &sum.key))))
			record(a, &sum);
	}
	fdo_map_free(lines);
	free(a->begins);
}
