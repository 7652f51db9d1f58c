/*
 * simplex_refresh.c - the potentials after a pivot.
 *
 * Only differences of potentials matter, so of the parts into which the arcs
 * whose prices changed divide the tree, the largest stays as it is.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "mcf/simplex_pivot.h"

#define DRIFT_MAX ((int64_t)1 << 58)

/*
 * Add to the potentials of a part of the tree but for what hangs on either of
 * two nodes (or NONE).
 */
static void shift(struct simplex *s, uint32_t top, uint32_t but, uint32_t other,
		  int64_t change)
{
	struct rank *line = s->line;
	uint32_t end = line[line[top].last].next, moved = 0;

	for (uint32_t u = top; u != end; u = line[u].next) {
		if (u == but || u == other) {
			u = line[u].last;
			continue;
		}
		line[u].potential += change;
		moved++;
	}
	s->moved += moved;
}

/* The root's potential has a limit. */
static void limit_drift(struct simplex *s)
{
	int64_t drift = simplex_potential(s, s->root);

	if (llabs(drift) > DRIFT_MAX)
		for (uint32_t u = 0; u <= s->root; u++)
			s->line[u].potential -= drift;
}

void simplex_refresh(struct simplex *s, uint32_t top, int64_t change)
{
	bool below = s->up[top].size <= s->root / 2;

	if (s->lift) {
		struct tour_step steps[] = {
			{ s->tree[top].edge, below ? change : 0 },
			{ s->tree[top].edge ^ 1, below ? 0 : -change },
		};

		simplex_tour_raise(s, steps, 2);
	} else if (below) {
		shift(s, top, NONE, NONE, change);
	} else {
		shift(s, s->root, top, NONE, -change);
	}
	if (!below)
		limit_drift(s);
}

/*
 * The arcs of one side of a cycle that rose, from the entering arc to the
 * apex, and how the potentials between each and the one before have changed.
 */
static size_t find_parts(struct simplex *s, uint32_t u, uint32_t apex, int sign,
			 struct part *parts)
{
	int64_t change = 0;
	size_t n = 0;

	for (; u != apex; u = s->up[u].parent) {
		if (s->excess[u] == 0)
			continue;
		parts[n++] = (struct part){ u, sign * s->excess[u] };
		s->excess[u] = 0;
	}
	for (size_t i = n; i-- > 0;) {
		change += parts[i].change;
		parts[i].change = change;
	}
	return n;
}

static uint32_t size_of(const struct simplex *s, uint32_t u)
{
	return u == NONE ? 0 : s->up[u].size;
}

/* The largest part's change, if it is larger than the most. */
static int64_t stays(const struct simplex *s, const struct part *parts,
		     size_t n, uint32_t *most, int64_t best)
{
	uint32_t below = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t whole = s->up[parts[i].top].size;

		if (whole - below > *most) {
			*most = whole - below;
			best = parts[i].change;
		}
		below = whole;
	}
	return best;
}

static void shift_parts(struct simplex *s, const struct part *parts, size_t n,
			int64_t less)
{
	for (size_t i = 0; i < n; i++)
		if (parts[i].change != less)
			shift(s, parts[i].top, i ? parts[i - 1].top : NONE,
			      NONE, parts[i].change - less);
}

/* The way around one side; what comes behind it has not changed. */
static struct tour_step *add_steps(const struct simplex *s,
				   struct tour_step *steps,
				   const struct part *parts, size_t n,
				   int64_t less)
{
	for (size_t i = n; i-- > 0;)
		*steps++ = (struct tour_step){ s->tree[parts[i].top].edge,
					       parts[i].change - less };
	for (size_t i = 0; i < n; i++)
		*steps++ = (struct tour_step){
			s->tree[parts[i].top].edge ^ 1,
			(i + 1 < n ? parts[i + 1].change : 0) - less,
		};
	return steps;
}

static void reserve_parts(struct simplex *s)
{
	if (s->part_room >= s->stop_room)
		return;
	s->part_room = s->stop_room;
	free(s->parts);
	s->parts = fdo_alloc(s->part_room, sizeof(*s->parts));
}

static void reserve_steps(struct simplex *s, size_t n)
{
	if (n <= s->step_room)
		return;
	s->step_room = n + n / 2;
	free(s->steps);
	s->steps = fdo_alloc(s->step_room, sizeof(*s->steps));
}

void simplex_refresh_walk(struct simplex *s, const struct pivot *p)
{
	struct part *one, *other;
	size_t n, m;
	uint32_t top[2], most;
	int64_t less;

	reserve_parts(s);
	one = s->parts;
	n = find_parts(s, p->from, p->apex, 1, one);
	other = one + n;
	m = find_parts(s, p->to, p->apex, -1, other);
	top[0] = n ? one[n - 1].top : NONE;
	top[1] = m ? other[m - 1].top : NONE;
	if (n + m == 0)
		return;
	most = s->root + 1 - size_of(s, top[0]) - size_of(s, top[1]);
	less = stays(s, one, n, &most, 0);
	less = stays(s, other, m, &most, less);
	if (s->lift) {
		struct tour_step *end;

		reserve_steps(s, 2 * (n + m));
		end = add_steps(s, s->steps, one, n, less);
		end = add_steps(s, end, other, m, less);
		simplex_tour_raise(s, s->steps, end - s->steps);
	} else {
		shift_parts(s, one, n, less);
		shift_parts(s, other, m, less);
		if (less)
			shift(s, s->root, top[0], top[1], -less);
	}
	limit_drift(s);
}
