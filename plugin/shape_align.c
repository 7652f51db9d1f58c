/*
 * shape_align.c - the lines of two shapes, aligned by dynamic programming.
 *
 * best[i][j] is the most that the first i old and the first j new lines are
 * worth; pair[i][j] the same if line i became line j.  An unchanged beginning
 * and end are cut off first, and long stretches between that stayed where they
 * were, so that the tables are as large as the edits; what is too large still is
 * divided by lines that are like no other ones (shape_unique.c).
 */
#include "plugin/shape_private.h"

#include <stdlib.h>

#include "base/alloc.h"

/*
 * Worth of a column that is still there, of a call of the same function, and
 * price of a line that does not move as the one before it did: two columns,
 * or a call, have to speak for it.
 */
enum { COLUMN = 2, CALL = 4, TURN = 3 };

/* How far back the one before it may be, if lines in between are gone. */
enum { LOOK_BACK = 4 };

/* A table for more is divided. */
enum { MAX_CELLS = 1 << 20 };

/* So many lines in a row that stayed where they were are no chance. */
enum { STAYED = 16 };

/* Ways in which all columns of a line may have moved. */
enum { MAX_SHIFTS = 8 };

#define NONE INT32_MIN

static const struct shape_place *at_column(const struct row *row,
					   int64_t column)
{
	for (size_t i = 0; i < row->n; i++)
		if (row->places[i].column == column)
			return &row->places[i];
	return NULL;
}

const struct shape_place *shape_only_call(const struct shape_place *places,
					  size_t n, const char *name)
{
	const struct shape_place *found = NULL;

	for (size_t i = 0; name && i < n; i++) {
		if (places[i].call != name)
			continue;
		if (found)
			return NULL;
		found = &places[i];
	}
	return found;
}

bool shape_is_other_call(const struct shape_place *old,
			 const struct shape_place *there)
{
	return old->call && there->call != old->call &&
	       there->call != shape_several;
}

const struct shape_place *shape_partner(const struct shape_place *old,
					const struct row *row, int64_t shift)
{
	const struct shape_place *there =
		shape_only_call(row->places, row->n, old->call);

	if (!there)
		there = at_column(row, old->column + shift);
	return there && shape_is_other_call(old, there) ? NULL : there;
}

/* What it is worth if a line became another with its columns so shifted. */
static int worth_of(const struct row *old, const struct row *row, int64_t shift)
{
	int worth = 0;
	size_t found = 0, calls = 0;

	for (size_t i = 0; i < old->n; i++) {
		const struct shape_place *there =
			shape_partner(&old->places[i], row, shift);

		if (!there)
			continue;
		found++;
		if (old->places[i].call && there->call == old->places[i].call)
			calls++;
	}
	worth = (int)(COLUMN * found + CALL * calls) - (shift != 0);
	/* Any one column can be shifted to any other. */
	if (shift && !calls && found < 2)
		return 0;
	return calls || 2 * found >= old->n ? worth : 0;
}

/* All ways in which the columns may have moved. */
static size_t shifts_of(const struct row *old, const struct row *row,
			int64_t *shifts)
{
	size_t n = 0;

	shifts[n++] = 0;
	shifts[n++] = (int64_t)row->places[0].column - old->places[0].column;
	shifts[n++] = (int64_t)row->places[row->n - 1].column -
		      old->places[old->n - 1].column;
	for (size_t i = 0; i < old->n && n < MAX_SHIFTS; i++) {
		const struct shape_place *there = shape_only_call(
			row->places, row->n, old->places[i].call);

		if (there)
			shifts[n++] =
				(int64_t)there->column - old->places[i].column;
	}
	return n;
}

static int best_shift(const struct row *old, const struct row *row,
		      int64_t *shift_ret)
{
	int64_t shifts[MAX_SHIFTS];
	size_t n = shifts_of(old, row, shifts);
	int best = 0;

	*shift_ret = 0;
	for (size_t i = 0; i < n; i++) {
		int worth = worth_of(old, row, shifts[i]);

		if (worth > best) {
			best = worth;
			*shift_ret = shifts[i];
		}
	}
	return best;
}

static int64_t move_of(const struct alignment *a, size_t i, size_t j)
{
	return (int64_t)a->new_[j].places->line - a->old[i].places->line;
}

/* Every place of the old line is on the new one. */
static bool is_whole(const struct row *old, const struct row *row)
{
	for (size_t i = 0; i < old->n; i++) {
		const struct shape_place *there =
			at_column(row, old->places[i].column);

		if (!there || shape_is_other_call(&old->places[i], there))
			return false;
	}
	return true;
}

/* The new row of a line, from a hint on; nnew: none. */
static size_t row_at(const struct alignment *a, int64_t line)
{
	size_t low = 0, high = a->nnew;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (a->new_[middle].places->line < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low < a->nnew && a->new_[low].places->line == line ? low
								  : a->nnew;
}

/* Lines at both ends that are as they were. */
static struct shape_range trim(struct alignment *a)
{
	struct shape_range r = { 0, a->nold, 0, a->nnew };
	int64_t move = move_of(a, a->nold - 1, a->nnew - 1);

	for (; r.i0 < r.i1; r.i0++) {
		size_t j = row_at(a, a->old[r.i0].places->line);

		if (j == a->nnew || !is_whole(&a->old[r.i0], &a->new_[j]))
			break;
		a->row[r.i0] = (int64_t)j;
		r.j0 = j + 1;
	}
	for (; r.i1 > r.i0; r.i1--) {
		size_t j = row_at(a, a->old[r.i1 - 1].places->line + move);

		if (j < r.j0 || j == a->nnew ||
		    !is_whole(&a->old[r.i1 - 1], &a->new_[j]))
			break;
		a->row[r.i1 - 1] = (int64_t)j;
		r.j1 = j;
	}
	return r;
}

struct cell {
	int best;
	int pair;
	uint32_t back; /* the cell of the pair before, if alike; 0: turns */
	int64_t shift;
};

struct table {
	struct alignment *a;
	struct shape_range r;
	int64_t head, tail; /* how far lines around the range moved */
	size_t width;
	struct cell *cells;
};

static struct cell *cell(const struct table *t, size_t i, size_t j)
{
	return &t->cells[(i - t->r.i0) * t->width + (j - t->r.j0)];
}

/* The best pair before this one that moved alike; NULL: none. */
static struct cell *chained(const struct table *t, size_t i, size_t j)
{
	int64_t move = move_of(t->a, i, j);
	struct cell *best = NULL;

	for (size_t k = i; k-- > t->r.i0 && i - k <= LOOK_BACK;) {
		size_t before = row_at(t->a, t->a->old[k].places->line + move);
		struct cell *c;

		if (before == t->a->nnew || before < t->r.j0 || before >= j)
			continue;
		c = cell(t, k + 1, before + 1);
		if (c->pair != NONE && (!best || c->pair > best->pair))
			best = c;
	}
	return best;
}

/* What lies around the range moved in one of two ways, which cost nothing. */
static int turned(const struct table *t, size_t i, size_t j)
{
	int64_t move = move_of(t->a, i, j);
	int before = cell(t, i, j)->best;

	return move == t->head || move == t->tail ? before : before - TURN;
}

static void fill_cell(struct table *t, size_t i, size_t j)
{
	struct cell *c = cell(t, i + 1, j + 1), *chain;
	int worth = best_shift(&t->a->old[i], &t->a->new_[j], &c->shift);
	int above = cell(t, i, j + 1)->best, left = cell(t, i + 1, j)->best;

	c->pair = NONE;
	if (worth > 0) {
		chain = chained(t, i, j);
		c->pair = turned(t, i, j);
		if (chain && chain->pair >= c->pair) {
			c->pair = chain->pair;
			c->back = (uint32_t)(chain - t->cells);
		}
		c->pair += worth;
	}
	c->best = above > left ? above : left;
	if (c->pair > c->best)
		c->best = c->pair;
}

/* From the last cell to the first, along what each was reckoned from. */
static void read_back(struct table *t)
{
	size_t i = t->r.i1, j = t->r.j1;
	bool paired = false;

	while (i > t->r.i0 && j > t->r.j0) {
		const struct cell *c = cell(t, i, j);

		if (!paired && cell(t, i - 1, j)->best == c->best) {
			i--;
			continue;
		}
		if (!paired && cell(t, i, j - 1)->best == c->best) {
			j--;
			continue;
		}
		t->a->row[i - 1] = (int64_t)j - 1;
		t->a->shift[i - 1] = c->shift;
		paired = c->back != 0;
		if (paired) {
			i = t->r.i0 + c->back / t->width;
			j = t->r.j0 + c->back % t->width;
		} else {
			i--;
			j--;
		}
	}
}

static void align_range(struct alignment *a, struct shape_range r, int64_t head,
			int64_t tail);

/* What is too large, by its lines that cannot be taken for others. */
static void divide(struct alignment *a, struct shape_range r, int64_t head,
		   int64_t tail)
{
	struct shape_pair *pairs;
	size_t n = shape_unique(a, &r, &pairs);

	for (size_t k = 0; k < n; k++) {
		struct shape_range part = { r.i0, pairs[k].old, r.j0,
					    pairs[k].new_ };
		int64_t move = move_of(a, pairs[k].old, pairs[k].new_);

		align_range(a, part, head, move);
		a->row[pairs[k].old] = (int64_t)pairs[k].new_;
		r.i0 = pairs[k].old + 1;
		r.j0 = pairs[k].new_ + 1;
		head = move;
	}
	if (n)
		align_range(a, r, head, tail);
	free(pairs);
}

static void align_range(struct alignment *a, struct shape_range r, int64_t head,
			int64_t tail)
{
	struct table t = { .a = a, .r = r, .head = head, .tail = tail };
	size_t n = r.i1 - r.i0, m = r.j1 - r.j0;

	if (n == 0 || m == 0)
		return;
	if (n > MAX_CELLS / (m + 1)) {
		divide(a, r, head, tail);
		return;
	}
	t.width = m + 1;
	t.cells = fdo_alloc((n + 1) * (m + 1), sizeof(*t.cells));
	for (size_t i = r.i0; i < r.i1; i++)
		for (size_t j = r.j0; j < r.j1; j++)
			fill_cell(&t, i, j);
	read_back(&t);
	free(t.cells);
}

/* How many lines from the beginning of a range stayed where they were. */
static size_t stayed(const struct alignment *a, struct shape_range r)
{
	size_t n = 0;

	for (; r.i0 + n < r.i1; n++) {
		const struct row *old = &a->old[r.i0 + n];
		size_t j = row_at(a, old->places->line);

		if (j < r.j0 || j >= r.j1 || !is_whole(old, &a->new_[j]))
			break;
	}
	return n;
}

void shape_align(struct alignment *a)
{
	struct shape_range r = trim(a);
	int64_t tail =
		r.i1 < a->nold ? move_of(a, a->nold - 1, a->nnew - 1) : 0;
	struct shape_range rest = r;

	while (rest.i0 < r.i1) {
		size_t n = stayed(a, rest);

		if (n >= STAYED) {
			r.j1 = row_at(a, a->old[rest.i0].places->line);
			align_range(a,
				    (struct shape_range){ r.i0, rest.i0, r.j0,
							  r.j1 },
				    0, tail);
			for (size_t i = rest.i0; i < rest.i0 + n; i++)
				a->row[i] = (int64_t)row_at(
					a, a->old[i].places->line);
			r.i0 = rest.i0 + n;
			r.j0 = rest.j0 = (size_t)a->row[r.i0 - 1] + 1;
			r.j1 = rest.j1;
		}
		rest.i0 += n ? n : 1;
	}
	align_range(a, r, 0, tail);
}
