/*
 * lines_folded.c - one function for each piece of code.
 *
 * A linker that folds functions of the same code (--icf) leaves each of them
 * its debug information, or its rows alone (lld), which then are of one and the
 * same code; so does one that keeps what is said of the copies of an inline
 * function that it left out.
 * Rows of one and the name of another would be keys that no compiler finds:
 * the function that was read first gets the code, with all that is inlined
 * there, and of the rows those that come nearest to its declaration.
 */
#include "converter/binary/lines_private.h"

#include <stdlib.h>

#include "base/alloc.h"

/* The function of each body; earlier bodies are the parents. */
static uint32_t *find_roots(const struct lines *l)
{
	uint32_t *roots = fdo_alloc(l->nbodies + 1, sizeof(*roots));

	for (uint32_t i = 0; i < l->nbodies; i++) {
		uint32_t parent = l->bodies[i].parent;

		roots[i] = parent == LINES_NONE ? i : roots[parent];
	}
	return roots;
}

static bool is_function(const struct lines *l, const struct lines_scope *s)
{
	return l->bodies[s->body].parent == LINES_NONE;
}

static const struct lines_entity *entity_of(const struct lines *l,
					    const struct lines_scope *s)
{
	return &l->entities[l->bodies[s->body].entity];
}

/*
 * Scopes are in the order of address, then depth, then body: functions come
 * before what is inlined into them.
 */
static void drop_scopes(struct lines *l)
{
	uint32_t *roots = find_roots(l);
	/* Of which stretch of code, counted from 1, a function was dropped. */
	size_t *dropped = fdo_alloc(l->nbodies + 1, sizeof(*dropped));
	struct lines_scope first = { 0 };
	size_t n = 0, stretch = 0;

	for (size_t i = 0; i < l->nscopes; i++) {
		struct lines_scope s = l->scopes[i];

		if (!is_function(l, &s)) {
			if (stretch && s.address < first.end &&
			    dropped[roots[s.body]] == stretch)
				continue;
		} else if (stretch && s.address == first.address &&
			   s.end == first.end && s.body != first.body) {
			dropped[s.body] = stretch;
			continue;
		} else if (!stretch || s.address != first.address) {
			first = s;
			stretch++;
		}
		l->scopes[n++] = s;
	}
	l->nscopes = n;
	free(dropped);
	free(roots);
}

/* How near rows come to where the function is declared, from behind. */
static uint32_t distance(const struct lines *l, const struct lines_sequence *s,
			 const struct lines_entity *e)
{
	uint32_t least = UINT32_MAX;

	for (size_t i = 0; i < s->n; i++) {
		const struct lines_row *row = &l->rows[s->first + i];

		if (l->files[row->file] == e->file &&
		    row->line >= e->decl_line &&
		    row->line - e->decl_line < least)
			least = row->line - e->decl_line;
	}
	return least;
}

/* Of n sequences that begin at one address, that of the function, or the last. */
static size_t choose(const struct lines *l, const struct lines_sequence *all,
		     size_t n, const struct lines_scope *function)
{
	uint32_t least = UINT32_MAX;
	size_t best = n - 1;

	for (size_t i = 0; function && i < n; i++) {
		uint32_t d = distance(l, &all[i], entity_of(l, function));

		if (d < least) {
			least = d;
			best = i;
		}
	}
	return best;
}

static const struct lines_scope *function_at(const struct lines *l, size_t *i,
					     uint64_t address)
{
	while (*i < l->nscopes && l->scopes[*i].address < address)
		++*i;
	return *i < l->nscopes && l->scopes[*i].address == address &&
			       is_function(l, &l->scopes[*i])
		       ? &l->scopes[*i]
		       : NULL;
}

/* Copies of an inline function begin at the same line, and are one. */
static bool are_one(const struct lines *l, const struct lines_sequence *a,
		    const struct lines_sequence *b)
{
	const struct lines_row *x = &l->rows[a->first], *y = &l->rows[b->first];

	return x->file == y->file && x->line == y->line;
}

static void drop_sequences(struct lines *l)
{
	struct lines_sequence *all = l->sequences, kept;
	size_t n = 0, scope = 0, same;

	for (size_t i = 0; i < l->nsequences; i += same) {
		uint64_t address = all[i].address;

		same = 1;
		while (i + same < l->nsequences &&
		       all[i + same].address == address)
			same++;
		kept = all[i];
		if (same > 1)
			kept = all[i + choose(l, &all[i], same,
					      function_at(l, &scope, address))];
		for (size_t k = 0; k < same; k++)
			l->stats.folded += !are_one(l, &all[i + k], &kept);
		all[n++] = kept;
	}
	l->nsequences = n;
}

void lines_drop_folded(struct lines *l)
{
	drop_scopes(l);
	drop_sequences(l);
}
