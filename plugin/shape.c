/*
 * shape.c - places of two shapes, by the alignment of their lines.
 */
#include "plugin/shape_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

void shape_deinit(struct shape *s)
{
	free(s->places);
	*s = (struct shape){ 0 };
}

void shape_add(struct shape *s, int32_t line, uint32_t column, const char *call)
{
	s->places = fdo_grow(s->places, s->n, &s->room, sizeof(*s->places));
	s->places[s->n++] = (struct shape_place){ line, column, call, 1 };
}

static int compare_places(const void *a, const void *b)
{
	const struct shape_place *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->column > y->column) - (x->column < y->column);
}

const char shape_several[] = "";

static void sort(struct shape *s)
{
	size_t n = 0;

	if (s->n)
		qsort(s->places, s->n, sizeof(*s->places), compare_places);
	for (size_t i = 0, next; i < s->n; i = next) {
		struct shape_place place = s->places[i];

		for (next = i + 1;
		     next < s->n && !compare_places(&place, &s->places[next]);
		     next++) {
			const char *call = s->places[next].call;

			place.seen += s->places[next].seen;
			if (call && place.call && call != place.call)
				place.call = shape_several;
			else if (call)
				place.call = call;
		}
		s->places[n++] = place;
	}
	s->n = n;
}

static struct row *rows_of(const struct shape *s, size_t *n_ret)
{
	struct row *rows = fdo_alloc(s->n, sizeof(*rows));
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (i == 0 || s->places[i].line != s->places[i - 1].line)
			rows[n++].places = &s->places[i];
		rows[n - 1].n++;
	}
	*n_ret = n;
	return rows;
}

static int compare_moved(const void *a, const void *b)
{
	const struct shape_moved *x = a, *y = b;

	return compare_places(&x->from, &y->from);
}

/* No two places are one now: calls, which are sure, come first. */
static void take_row(struct shape_match *m, const struct row *old,
		     const struct row *row, int64_t shift, bool calls)
{
	size_t first = m->found;

	while (first && m->moved[first - 1].to.line == row->places->line)
		first--;
	for (size_t i = 0; i < old->n; i++) {
		const struct shape_place *there =
			shape_partner(&old->places[i], row, shift);
		bool taken = false;

		if (!there ||
		    (there == shape_only_call(row->places, row->n,
					      old->places[i].call)) != calls)
			continue;
		for (size_t k = first; k < m->found; k++)
			taken |= m->moved[k].to.column == there->column;
		if (!taken)
			m->moved[m->found++] =
				(struct shape_moved){ old->places[i], *there };
	}
}

/* Write down where each place is that was found. */
static void take(struct shape_match *m, const struct alignment *a)
{
	for (size_t i = 0; i < a->nold; i++) {
		const struct row *row = &a->new_[a->row[i] < 0 ? 0 : a->row[i]];

		if (a->row[i] < 0)
			continue;
		take_row(m, &a->old[i], row, a->shift[i], true);
		take_row(m, &a->old[i], row, a->shift[i], false);
	}
	if (m->found)
		qsort(m->moved, m->found, sizeof(*m->moved), compare_moved);
}

/* How often the places were seen that are still there. */
static size_t stay(struct shape_match *m, const struct shape *then,
		   const struct shape *now)
{
	size_t seen = 0;

	for (size_t i = 0; now->n && i < then->n; i++) {
		const struct shape_place *there =
			bsearch(&then->places[i], now->places, now->n,
				sizeof(*now->places), compare_places);

		if (!there || shape_is_other_call(&then->places[i], there))
			continue;
		m->stay++;
		seen += then->places[i].seen;
	}
	return seen;
}

/*
 * Calls by names that are nowhere in the other say nothing: the compiler knows
 * some functions by other names than the linker.
 */
static void forget_names(struct shape *of, const struct shape *other)
{
	struct fdo_map *names = fdo_map_new();

	for (size_t i = 0; i < other->n; i++)
		fdo_map_at(names, (uint64_t)(uintptr_t)other->places[i].call);
	for (size_t i = 0; i < of->n; i++)
		if (of->places[i].call == shape_several ||
		    !fdo_map_get(names,
				 (uint64_t)(uintptr_t)of->places[i].call))
			of->places[i].call = NULL;
	fdo_map_free(names);
}

struct shape_match *shape_match_still(struct shape *then, struct shape *now)
{
	struct shape_match *m = fdo_alloc(1, sizeof(*m));

	sort(then);
	sort(now);
	m->places = then->n;
	m->moved = fdo_alloc(then->n, sizeof(*m->moved));
	for (size_t i = 0; i < then->n; i++)
		m->seen += then->places[i].seen;
	forget_names(then, now);
	m->seen_found = stay(m, then, now);
	m->found = m->stay;
	return m;
}

struct shape_match *shape_match(struct shape *then, struct shape *now)
{
	struct shape_match *m = shape_match_still(then, now);
	struct alignment a = { 0 };
	size_t seen = m->seen_found;

	m->found = m->seen_found = 0;
	/* One place more may be chance. */
	if (m->stay + 1 < m->places && now->n) {
		a.old = rows_of(then, &a.nold);
		a.new_ = rows_of(now, &a.nnew);
		a.row = fdo_alloc(a.nold, sizeof(*a.row));
		a.shift = fdo_alloc(a.nold, sizeof(*a.shift));
		for (size_t i = 0; i < a.nold; i++)
			a.row[i] = -1;
		shape_align(&a);
		take(m, &a);
		free((void *)a.old);
		free((void *)a.new_);
		free(a.row);
		free(a.shift);
	}
	if (m->found <= m->stay + 1) {
		m->found = m->stay;
		m->seen_found = seen;
		return m;
	}
	for (size_t i = 0; i < m->found; i++)
		m->seen_found += m->moved[i].from.seen;
	return m;
}

void shape_match_free(struct shape_match *m)
{
	if (!m)
		return;
	free(m->moved);
	free(m);
}

bool shape_move(const struct shape_match *m, int32_t *line, uint32_t *column)
{
	struct shape_moved key = { .from = { *line, *column, NULL } };
	const struct shape_moved *found =
		m->found > m->stay ? bsearch(&key, m->moved, m->found,
					     sizeof(key), compare_moved)
				   : NULL;

	if (!found)
		return m->found <= m->stay;
	*line = found->to.line;
	*column = found->to.column;
	return true;
}
