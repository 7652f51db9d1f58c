#include "plugin/moves.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

/* Up to so many, other moves than those of the neighbours are tried. */
enum { MAX_TRIED = 200 };

/* Where a function with a name of its own begins. */
struct moves_anchor {
	int64_t then, now;
};

void moves_anchor(struct moves_anchors *a, uint32_t then, uint32_t now)
{
	a->all = fdo_grow(a->all, a->n, &a->room, sizeof(*a->all));
	a->all[a->n++] = (struct moves_anchor){ then, now };
}

void moves_deinit(struct moves_anchors *a)
{
	free(a->all);
	*a = (struct moves_anchors){ 0 };
}

static int by_then(const void *a, const void *b)
{
	const struct moves_anchor *x = a, *y = b;

	return (x->then > y->then) - (x->then < y->then);
}

/* What is being matched. */
struct matched {
	const struct moves_lines *then, *now;
	const struct moves_likeness *likeness;
	size_t *which;
};

/* The first that begins in a line or after it. */
static size_t first_at(const struct moves_lines *l, int64_t line)
{
	size_t low = 0, high = l->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (l->lines[middle] < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool begins_at(const struct moves_lines *l, int64_t line)
{
	size_t i = first_at(l, line);

	return i < l->n && l->lines[i] == line;
}

/* Some of then, that moved by one number and then by another one. */
struct change {
	size_t first, n, at; /* from first + at on by the other */
	int64_t before, after;
	size_t found;
};

static bool is_found(const struct matched *m, size_t then, int64_t move)
{
	return begins_at(m->now, (int64_t)m->then->lines[then] + move);
}

/* What moves less than what is before it must not come before that. */
static bool keeps_order(const struct matched *m, const struct change *c,
			size_t at)
{
	const uint32_t *lines = &m->then->lines[c->first];

	return at == 0 || at == c->n ||
	       lines[at - 1] + c->before < lines[at] + c->after;
}

/* The most that one looks like those that begin where it would be now. */
static double likeness_of(const struct matched *m, size_t then, int64_t move)
{
	int64_t line = (int64_t)m->then->lines[then] + move;
	double most = 0;

	for (size_t i = first_at(m->now, line);
	     i < m->now->n && m->now->lines[i] == line; i++) {
		double likeness =
			m->likeness->of(m->likeness->context, then, i);

		if (likeness > most)
			most = likeness;
	}
	return most;
}

/*
 * Sets at and found: as many as can be, and of these, if it matters, so that they look
 * most alike.
 */
static void find_change(const struct matched *m, struct change *c,
			bool by_likeness)
{
	size_t found = 0;
	double sum = 0, most;

	for (size_t i = 0; i < c->n; i++) {
		found += is_found(m, c->first + i, c->after);
		if (by_likeness)
			sum += likeness_of(m, c->first + i, c->after);
	}
	c->at = 0;
	c->found = found;
	most = sum;
	for (size_t i = 0; i < c->n; i++) {
		found += is_found(m, c->first + i, c->before);
		found -= is_found(m, c->first + i, c->after);
		if (by_likeness)
			sum += likeness_of(m, c->first + i, c->before) -
			       likeness_of(m, c->first + i, c->after);
		if (found < c->found || (found == c->found && sum < most) ||
		    !keeps_order(m, c, i + 1))
			continue;
		c->found = found;
		c->at = i + 1;
		most = sum;
	}
}

/* One more may be chance, but not if all are found by it. */
static bool is_better(const struct change *c, const struct change *best,
		      size_t known)
{
	return c->found > best->found &&
	       (c->found > known + 1 || (c->found == c->n && c->n - c->at > 1));
}

/* After the last function with a name, by how much those at the end moved. */
static void try_others(const struct matched *m, struct change *best)
{
	int64_t last = m->then->lines[best->first + best->n - 1];
	size_t known = best->found;

	if (best->found == best->n || best->n > MAX_TRIED ||
	    m->now->n > MAX_TRIED)
		return;
	for (size_t i = 0; i < m->now->n; i++) {
		struct change c = *best;

		c.after = m->now->lines[i] - last;
		find_change(m, &c, false);
		if (is_better(&c, best, known))
			*best = c;
	}
}

static void take(const struct matched *m, const struct change *c)
{
	for (size_t i = 0; i < c->n; i++) {
		int64_t line = (int64_t)m->then->lines[c->first + i] +
			       (i < c->at ? c->before : c->after);

		for (size_t k = first_at(m->now, line);
		     k < m->now->n && m->now->lines[k] == line; k++)
			m->which[k] = c->first + i;
	}
}

static int64_t move_of(const struct moves_anchors *a, size_t i)
{
	return a->all[i].now - a->all[i].then;
}

/* All between two functions with names of their own at a time. */
static void match_by_moves(const struct matched *m,
			   const struct moves_anchors *a)
{
	const uint32_t *lines = m->then->lines;
	size_t after = 0;

	for (size_t i = 0, next; i < m->then->n; i = next) {
		struct change c = { .first = i };

		while (after < a->n && a->all[after].then <= lines[i])
			after++;
		for (next = i + 1; next < m->then->n; next++)
			if (after < a->n && a->all[after].then <= lines[next])
				break;
		c.n = next - i;
		if (a->n)
			c.before = move_of(a, after ? after - 1 : 0);
		c.after = after < a->n ? move_of(a, after) : c.before;
		find_change(m, &c, false);
		if (after == a->n)
			try_others(m, &c);
		if (m->likeness && c.before != c.after)
			find_change(m, &c, true);
		take(m, &c);
	}
}

/* The next of now that was not found; n: none. */
static size_t next_new(const struct matched *m, size_t i)
{
	while (i < m->now->n && m->which[i] != MOVES_NONE)
		i++;
	return i;
}

/* How many lines those of now that were not found begin in. */
static size_t count_new(const struct matched *m)
{
	uint32_t line = 0;
	size_t lines = 0;

	for (size_t i = next_new(m, 0); i < m->now->n; i = next_new(m, i + 1)) {
		lines += lines == 0 || m->now->lines[i] != line;
		line = m->now->lines[i];
	}
	return lines;
}

/* Variants of a constructor begin in one line. */
static void match_in_order(const struct matched *m)
{
	bool *taken = fdo_alloc(m->then->n, sizeof(*taken));
	size_t left = m->then->n, old = 0;

	for (size_t i = 0; i < m->now->n; i++) {
		if (m->which[i] == MOVES_NONE || taken[m->which[i]])
			continue;
		taken[m->which[i]] = true;
		left--;
	}
	if (left && left == count_new(m))
		for (size_t i = next_new(m, 0), next; i < m->now->n; i = next) {
			while (taken[old])
				old++;
			taken[old] = true;
			for (next = i; next < m->now->n &&
				       m->now->lines[next] == m->now->lines[i];
			     next = next_new(m, next + 1))
				m->which[next] = old;
		}
	free(taken);
}

void moves_match(struct moves_anchors *a, const struct moves_lines *then,
		 const struct moves_lines *now,
		 const struct moves_likeness *likeness, size_t *which)
{
	struct matched m = { then, now, likeness, which };

	for (size_t i = 0; i < now->n; i++)
		which[i] = MOVES_NONE;
	if (a->n)
		qsort(a->all, a->n, sizeof(*a->all), by_then);
	match_by_moves(&m, a);
	match_in_order(&m);
}
