/*
 * attribute_entries.c - how often inlined bodies were entered.
 *
 * The debug information has where each of them begins.  What comes first in its
 * source mostly says as much, but that may be in a loop of which the test or
 * the beginning has no code of its own.  If every way to a loop of the body
 * leads through the block in which it begins, and the loop runs more often than
 * that block, the block says how often the body was entered.
 */
#include "converter/keys/attribute_private.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/lines.h"
#include "converter/count/program.h"
#include "converter/graph/dominators.h"

struct attribute_entry {
	struct profile_body *body;
	uint64_t count;
	double error;
	bool has_loop;
};

/* Some code of the frame is in a block, or of what is inlined in it. */
struct attribute_sight {
	const struct lines_frame *frame;
	uint32_t block;
};

/* The same by the name of the function, whichever copy it is. */
struct named_sight {
	const char *name;
	uint32_t block;
};

struct attribute_sights {
	struct attribute_sight *all;
	struct named_sight *named;
	size_t n, room;
	const struct lines_frame *last_frame;
	uint32_t last_block;
	uint32_t *loop; /* of dominators_loop() */
	bool *marks;
};

struct attribute_sights *attribute_sights_new(size_t nblocks)
{
	struct attribute_sights *s = fdo_alloc(1, sizeof(*s));

	s->loop = fdo_alloc(nblocks, sizeof(*s->loop));
	s->marks = fdo_alloc(nblocks, sizeof(*s->marks));
	return s;
}

void attribute_sights_free(struct attribute_sights *s)
{
	free(s->all);
	free(s->named);
	free(s->loop);
	free(s->marks);
	free(s);
}

void attribute_see_frame(struct attribute_sights *s,
			 const struct lines_frame *frame, size_t block)
{
	if (frame == s->last_frame && block == s->last_block)
		return;
	s->last_frame = frame;
	s->last_block = block;
	for (; frame && frame->parent; frame = frame->parent) {
		s->all = fdo_grow(s->all, s->n, &s->room, sizeof(*s->all));
		s->all[s->n++] = (struct attribute_sight){ frame, block };
	}
}

/* Frames are of one array. */
static int compare_sights(const void *a, const void *b)
{
	const struct attribute_sight *x = a, *y = b;

	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	return (x->block > y->block) - (x->block < y->block);
}

static int compare_named(const void *a, const void *b)
{
	const struct named_sight *x = a, *y = b;

	if (x->name != y->name)
		return (uintptr_t)x->name < (uintptr_t)y->name ? -1 : 1;
	return (x->block > y->block) - (x->block < y->block);
}

static void sort_sights(struct attribute_sights *s)
{
	if (!s->n)
		return;
	s->named = fdo_alloc(s->n, sizeof(*s->named));
	for (size_t i = 0; i < s->n; i++)
		s->named[i] = (struct named_sight){ s->all[i].frame->name,
						    s->all[i].block };
	qsort(s->named, s->n, sizeof(*s->named), compare_named);
	qsort(s->all, s->n, sizeof(*s->all), compare_sights);
}

static size_t first_sight(const struct attribute_sights *s,
			  const struct lines_frame *frame)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->all[middle].frame < frame)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Code of that function, in any copy: copies may have merged. */
static bool is_seen(const struct attribute_sights *s, const char *name,
		    uint32_t block)
{
	struct named_sight sight = { name, block };

	return bsearch(&sight, s->named, s->n, sizeof(sight), compare_named);
}

/* A loop of nothing but code of the function. */
static bool heads_own_loop(struct attribute_sights *s,
			   const struct dominators *dominators,
			   const struct lines_frame *frame, uint32_t head)
{
	size_t n = dominators_loop(dominators, head, s->loop, s->marks);

	for (size_t i = 0; i < n; i++)
		if (!is_seen(s, frame->name, s->loop[i]))
			return false;
	return n > 0;
}

/*
 * Behind the block where it begins, a loop of the frame runs more often.  A
 * loop around it does, too, if its test is made by what is inlined, and once
 * before the loop.
 */
static bool has_loop(struct attribute_sights *s,
		     const struct program_function *f,
		     const struct dominators *dominators,
		     const struct lines_frame *frame, size_t begin)
{
	for (size_t i = first_sight(s, frame);
	     i < s->n && s->all[i].frame == frame; i++) {
		uint32_t block = s->all[i].block;

		if (f->blocks[block].count > f->blocks[begin].count &&
		    dominators_before(dominators, begin, block) &&
		    heads_own_loop(s, dominators, frame, block))
			return true;
	}
	return false;
}

static struct attribute_entry *entry_of(struct attribution *a,
					struct profile_body *body)
{
	uint64_t *number = fdo_map_at(a->entries_of, (uintptr_t)body);

	if (*number == 0) {
		a->entries = fdo_grow(a->entries, a->nentries, &a->room_entries,
				      sizeof(*a->entries));
		a->entries[a->nentries] =
			(struct attribute_entry){ .body = body };
		*number = ++a->nentries;
	}
	return &a->entries[*number - 1];
}

void attribute_enter(struct attribution *a, struct attribute_sights *s,
		     const struct program_function *f,
		     const struct dominators *dominators)
{
	const struct lines *lines = a->program->binaries[f->binary].lines;

	sort_sights(s);
	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		const struct cfg_block *block = &f->cfg.blocks[b];
		size_t n;
		const struct lines_entry *entries =
			lines_entries(lines, block->address,
				      block->address + block->size, &n);

		for (size_t i = 0; i < n && f->blocks[b].count; i++) {
			const struct lines_frame *frame = entries[i].frame;
			struct attribute_entry *entry;

			if (!frame->name[0] || frame->is_of_other)
				continue;
			entry = entry_of(a, attribute_body(a, frame));
			entry->count =
				profile_sum(entry->count, f->blocks[b].count);
			entry->error = hypot(entry->error, f->blocks[b].error);
			if (!entry->has_loop)
				entry->has_loop =
					has_loop(s, f, dominators, frame, b);
		}
	}
}

void attribute_entered(struct attribution *a)
{
	for (size_t i = 0; i < a->nentries; i++) {
		const struct attribute_entry *entry = &a->entries[i];
		struct profile_count *count;

		if (!entry->has_loop)
			continue;
		count = profile_count_at(a->profile, entry->body,
					 profile_entry_key());
		count->count = entry->count;
		count->error = llround(entry->error);
	}
	free(a->entries);
	fdo_map_free(a->entries_of);
}
