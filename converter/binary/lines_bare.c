/*
 * lines_bare.c - functions of which the debug information has no more than a row for
 * the line where they are declared.
 *
 * GCC makes such: thunks, by which a virtual function is called for a base class, and
 * functions that only call another one, which was found to be equal (-fipa-icf).
 * Where that is inlined, they are a copy of it, but nothing says of which lines their
 * code is, unless it is the very code (lines_copied.c).  At least it is known which
 * function of the source runs.
 */
#include "converter/binary/lines_private.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/object.h"

/* The two sweeps over what is sorted by address. */
struct sweep {
	struct lines *l;
	size_t nscopes; /* without those that are added */
	size_t scope, sequence;
	uint64_t end;		/* of functions so far */
	struct fdo_map *bodies; /* of functions, by name: number + 1 */
	struct fdo_map *scopes; /* of such a body: the first, + 1 */
	struct lines_copied *copies;
	size_t ncopies, room;
};

static bool is_known(struct sweep *w, uint64_t address)
{
	const struct lines *l = w->l;

	for (; w->scope < w->nscopes && l->scopes[w->scope].address <= address;
	     w->scope++)
		if (l->scopes[w->scope].end > w->end)
			w->end = l->scopes[w->scope].end;
	return w->end > address;
}

/* The rows that begin in a function are all of one line: the first; or NULL. */
static const struct lines_row *only_row(struct sweep *w, uint64_t from,
					uint64_t to)
{
	const struct lines *l = w->l;
	const struct lines_sequence *s;
	const struct lines_row *ret = NULL;

	while (w->sequence < l->nsequences &&
	       l->sequences[w->sequence].end <= from)
		w->sequence++;
	s = &l->sequences[w->sequence];
	if (w->sequence == l->nsequences || s->address > from)
		return NULL;
	for (size_t i = 0; i < s->n; i++) {
		const struct lines_row *row = &l->rows[s->first + i];

		if (row->address < from || row->address >= to)
			continue;
		if (ret && (row->file != ret->file || row->line != ret->line))
			return NULL;
		ret = row;
	}
	return ret && ret->line ? ret : NULL;
}

static void note_bodies(struct sweep *w)
{
	const struct lines *l = w->l;

	for (size_t i = 0; i < l->nbodies; i++) {
		const struct lines_body *b = &l->bodies[i];
		uint64_t *first;

		if (b->parent != LINES_NONE)
			continue;
		first = fdo_map_at(w->bodies,
				   (uintptr_t)l->entities[b->entity].name);
		if (!*first)
			*first = i + 1;
	}
}

static void note_scopes(struct sweep *w)
{
	for (size_t i = 0; i < w->nscopes; i++) {
		const struct lines_scope *s = &w->l->scopes[i];
		uint64_t *first;

		if (s->depth)
			continue;
		first = fdo_map_at(w->scopes, s->body + (uint64_t)1);
		if (!*first)
			*first = i + 1;
	}
}

/* Is its code that of a function that has lines? */
static bool add_copy(struct sweep *w, const struct object_function *f,
		     uint32_t body)
{
	const uint64_t *scope = fdo_map_get(w->scopes, body + (uint64_t)1);
	const struct lines_scope *s = scope ? &w->l->scopes[*scope - 1] : NULL;
	struct lines_copied copy;

	if (!s || s->end - s->address != f->size)
		return false;
	copy = (struct lines_copied){ s->address, f->address, f->size };
	if (!lines_is_copy(w->l, &copy))
		return false;
	w->copies =
		fdo_grow(w->copies, w->ncopies, &w->room, sizeof(*w->copies));
	w->copies[w->ncopies++] = copy;
	return true;
}

static void add_function(struct sweep *w, const struct object_function *f,
			 const struct lines_row *row)
{
	struct lines *l = w->l;
	const char *name = lines_name_in_source(l, f->name);
	const uint64_t *known = fdo_map_get(w->bodies, (uintptr_t)name);
	struct lines_body body = { .parent = LINES_NONE };
	struct lines_entity entity = {
		.name = name,
		.file = l->files[row->file],
		.decl_line = row->line,
		.decl_column = row->column,
		.linkage = true,
	};

	if (known && add_copy(w, f, *known - 1))
		return;
	if (known)
		body = l->bodies[*known - 1];
	else
		body.entity = lines_add_entity(l, &entity);
	body.is_bare = true;
	lines_add_scope(l, &(struct lines_scope){
				   .address = f->address,
				   .end = f->address + f->size,
				   .body = lines_add_body(l, &body),
			   });
}

void lines_add_bare(struct lines *l)
{
	struct sweep w = {
		.l = l,
		.nscopes = l->nscopes,
		.bodies = fdo_map_new(),
		.scopes = fdo_map_new(),
	};

	note_bodies(&w);
	note_scopes(&w);
	for (size_t i = 0; i < l->object->nfunctions; i++) {
		const struct object_function *f = &l->object->functions[i];
		const struct lines_row *row;

		if (f->cold_of || f->size_guessed || is_known(&w, f->address))
			continue;
		row = only_row(&w, f->address, f->address + f->size);
		if (row)
			add_function(&w, f, row);
	}
	lines_copy(l, w.copies, w.ncopies, w.nscopes);
	free(w.copies);
	fdo_map_free(w.bodies);
	fdo_map_free(w.scopes);
}
