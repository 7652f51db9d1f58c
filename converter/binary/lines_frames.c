/*
 * lines_frames.c - one frame for all bodies that mean the same.
 *
 * The same function is described in every unit that includes it, and its
 * copies in clones of one function are called from the same place: all of
 * them become one frame.  A body within a body of the same function is what
 * GCC makes when it splits a function and then inlines the rest back: it
 * becomes its parent's frame.
 */
#include "converter/binary/lines_private.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/search.h"

/* Items with equal hashes are chained; next[] holds number + 1. */
struct index {
	struct fdo_map *first;
	uint32_t *next;
};

static struct index index_new(size_t n)
{
	return (struct index){ fdo_map_new(), fdo_alloc(n + 1, 4) };
}

static void index_free(struct index *x)
{
	fdo_map_free(x->first);
	free(x->next);
}

static bool same_entity(const struct lines_entity *a,
			const struct lines_entity *b)
{
	return a->name == b->name && a->file == b->file &&
	       a->decl_line == b->decl_line;
}

/* For each entity, the first that is equal. */
static uint32_t *unique_entities(const struct lines *l)
{
	uint32_t *same = fdo_alloc(l->nentities + 1, sizeof(*same));
	struct index x = index_new(l->nentities);

	for (size_t i = 0; i < l->nentities; i++) {
		struct lines_entity *e = &l->entities[i];
		uint64_t hash =
			fdo_hash_mix((uintptr_t)e->name, (uintptr_t)e->file);
		uint64_t *first =
			fdo_map_at(x.first, fdo_hash_mix(hash, e->decl_line));
		uint32_t other = *first;

		while (other && !same_entity(e, &l->entities[other - 1]))
			other = x.next[other - 1];
		if (other) {
			same[i] = other - 1;
			continue;
		}
		same[i] = i;
		x.next[i] = *first;
		*first = i + 1;
	}
	index_free(&x);
	return same;
}

/*
 * A call that has no place is given that of the function's declaration.  No
 * source has such calls, but where a rest was split off a function it has, and
 * where that is not of the same function it is of one whose rest was equal.
 * Functions that one macro makes are all declared, and called, where it stands.
 */
static bool is_of_other(const struct lines *l, const struct lines_body *b,
			const struct lines_entity *e,
			const struct lines_frame *parent)
{
	if (!parent || parent->is_of_other)
		return parent != NULL;
	return e->decl_line && b->call_line == e->decl_line &&
	       b->call_column == e->decl_column &&
	       l->files[b->call_file] == e->file &&
	       (parent->decl_line != e->decl_line || parent->file != e->file);
}

/* Is it a rest that was split off the function that it is in? */
static bool is_part(const struct lines *l, size_t body,
		    const uint32_t *frame_of)
{
	const struct lines_body *b = &l->bodies[body];
	const struct lines_entity *e = &l->entities[b->entity];

	return b->entry && b->parent != LINES_NONE &&
	       frame_of[body] == frame_of[b->parent] && e->decl_line &&
	       b->call_line == e->decl_line &&
	       b->call_column == e->decl_column &&
	       l->files[b->call_file] == e->file;
}

static bool begins_with(const struct lines_begin *begin,
			const struct lines_entity *e)
{
	return begin->line == e->decl_line && begin->column == e->decl_column &&
	       begin->file == e->file;
}

/* One mark: the function itself may begin there, too. */
static void drop_begin(struct lines *l, const struct lines_body *b)
{
	const struct lines_entity *e = &l->entities[b->entity];
	size_t i = fdo_lower_bound(l->begins, l->nbegins, sizeof(*l->begins),
				   b->entry);

	while (i < l->nbegins && l->begins[i].address == b->entry &&
	       !begins_with(&l->begins[i], e))
		i++;
	if (i < l->nbegins && l->begins[i].address == b->entry)
		l->begins[i].line = 0;
}

void lines_drop_parts(struct lines *l, const uint32_t *frame_of)
{
	size_t left = 0;

	for (size_t i = 0; i < l->nbodies; i++)
		if (is_part(l, i, frame_of))
			drop_begin(l, &l->bodies[i]);
	for (size_t i = 0; i < l->nbegins; i++)
		if (l->begins[i].line)
			l->begins[left++] = l->begins[i];
	l->nbegins = left;
}

static struct lines_frame make_frame(const struct lines *l,
				     const struct lines_body *b,
				     const struct lines_entity *e,
				     const struct lines_frame *parent)
{
	return (struct lines_frame){
		.parent = parent,
		.name = e->name,
		.file = e->file,
		.decl_line = e->decl_line,
		.call_file = l->files[b->call_file],
		.call_line = b->call_line,
		.call_column = b->call_column,
		.call_discriminator = b->call_discriminator,
		.is_of_other = is_of_other(l, b, e, parent),
		.folder = b->folder,
		.no_crossjumping = b->no_crossjumping,
	};
}

static bool same_frame(const struct lines_frame *a, const struct lines_frame *b)
{
	return a->parent == b->parent && a->name == b->name &&
	       a->file == b->file && a->decl_line == b->decl_line &&
	       a->call_file == b->call_file && a->call_line == b->call_line &&
	       a->call_column == b->call_column &&
	       a->call_discriminator == b->call_discriminator &&
	       a->no_crossjumping == b->no_crossjumping;
}

static uint64_t hash_frame(const struct lines_frame *f)
{
	uint64_t hash = fdo_hash_mix((uintptr_t)f->parent, (uintptr_t)f->name);

	hash = fdo_hash_mix(hash, (uintptr_t)f->file);
	hash = fdo_hash_mix(hash, f->decl_line);
	hash = fdo_hash_mix(hash, f->call_line);
	hash = fdo_hash_mix(hash, f->call_column);
	return fdo_hash_mix(hash, f->call_discriminator);
}

/* The number of the frame, which is added unless it is there. */
static uint32_t intern_frame(struct lines *l, struct index *x,
			     const struct lines_frame *frame)
{
	uint64_t *first = fdo_map_at(x->first, hash_frame(frame));
	uint32_t other = *first;

	while (other && !same_frame(frame, &l->frames[other - 1]))
		other = x->next[other - 1];
	if (other)
		return other - 1;
	x->next[l->nframes] = *first;
	l->frames[l->nframes] = *frame;
	return (*first = ++l->nframes) - 1;
}

uint32_t *lines_make_frames(struct lines *l)
{
	uint32_t *entity = unique_entities(l);
	uint32_t *frame_of = fdo_alloc(l->nbodies + 1, sizeof(*frame_of));
	struct index x = index_new(l->nbodies);

	l->frames = fdo_alloc(l->nbodies + 1, sizeof(*l->frames));
	for (size_t i = 0; i < l->nbodies; i++) {
		const struct lines_body *b = &l->bodies[i];
		const struct lines_entity *e = &l->entities[entity[b->entity]];
		const struct lines_frame *parent = NULL;
		struct lines_frame frame;

		if (b->parent != LINES_NONE)
			parent = &l->frames[frame_of[b->parent]];
		if (parent && parent->name == e->name &&
		    parent->file == e->file &&
		    parent->decl_line == e->decl_line) {
			frame_of[i] = frame_of[b->parent];
			continue;
		}
		frame = make_frame(l, b, e, parent);
		frame_of[i] = intern_frame(l, &x, &frame);
	}
	index_free(&x);
	free(entity);
	return frame_of;
}
