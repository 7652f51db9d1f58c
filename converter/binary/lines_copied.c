/*
 * lines_copied.c - code that is a copy of a function's, of which the debug information
 * says nothing.
 *
 * GCC inlines a virtual function into the thunk by which it is called for a second base
 * class.  That is the same code but for how far data is from the object that it gets,
 * and perhaps for registers, and so has the function's rows and scopes, at its own
 * addresses.
 */
#include "converter/binary/lines_private.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/search.h"
#include "converter/binary/object.h"

/*
 * Code of other instructions has next to no byte in the same place, and the same ones
 * with other registers more than half of all.
 */
static const double LEAST_EQUAL = .5;

static void copy_scopes(struct lines *l, const struct lines_copied *c,
			size_t nscopes)
{
	size_t i = fdo_lower_bound(l->scopes, nscopes, sizeof(*l->scopes),
				   c->from);

	for (; i < nscopes && l->scopes[i].address < c->from + c->size; i++) {
		struct lines_scope scope = l->scopes[i];

		scope.address += c->to - c->from;
		scope.end += c->to - c->from;
		lines_add_scope(l, &scope);
	}
}

/* The sequence around an address; those behind the first n are in no order. */
static size_t sequence_at(const struct lines *l, size_t n, uint64_t address)
{
	size_t i;

	for (i = l->nsequences; i-- > n;)
		if (l->sequences[i].address <= address &&
		    address < l->sequences[i].end)
			return i;
	i = fdo_lower_bound(l->sequences, n, sizeof(*l->sequences),
			    address + 1);
	return i && address < l->sequences[i - 1].end ? i - 1 : SIZE_MAX;
}

/* Of n things in order of address, the first from one on. */
static size_t row_from(const struct lines *l, const struct lines_sequence *s,
		       uint64_t address)
{
	return fdo_lower_bound(&l->rows[s->first], s->n, sizeof(*l->rows),
			       address);
}

static bool has_alike_bytes(const struct lines *l, const struct lines_copied *c)
{
	size_t a_size = 0, b_size = 0;
	const unsigned char *a = object_bytes(l->object, c->from, &a_size);
	const unsigned char *b = object_bytes(l->object, c->to, &b_size);
	uint64_t equal = 0;

	if (!a || !b || a_size < c->size || b_size < c->size)
		return false;
	for (uint64_t i = 0; i < c->size; i++)
		equal += a[i] == b[i];
	return (double)equal >= LEAST_EQUAL * (double)c->size;
}

/* While sequences are sorted.  A function begins with a row. */
bool lines_is_copy(const struct lines *l, const struct lines_copied *c)
{
	size_t i = sequence_at(l, l->nsequences, c->from);
	const struct lines_sequence *s;
	size_t row;

	if (i == SIZE_MAX || !has_alike_bytes(l, c))
		return false;
	s = &l->sequences[i];
	row = row_from(l, s, c->from);
	return row < s->n && l->rows[s->first + row].address == c->from;
}

static size_t begin_from(const struct lines *l, const struct lines_sequence *s,
			 uint64_t address)
{
	size_t i = 0;

	while (i < s->nbegins &&
	       l->begins[s->first_begin + i].address < address)
		i++;
	return i;
}

/* A sequence's part from one address to another; its rows stay where they are. */
static struct lines_sequence part(const struct lines *l,
				  const struct lines_sequence *s, uint64_t from,
				  uint64_t to)
{
	size_t row = row_from(l, s, from), begin = begin_from(l, s, from);

	return (struct lines_sequence){
		.address = from,
		.end = to,
		.first = s->first + row,
		.n = row_from(l, s, to) - row,
		.first_begin = s->first_begin + begin,
		.nbegins = begin_from(l, s, to) - begin,
	};
}

static void add_sequence(struct lines *l, struct lines_sequence s)
{
	if (!s.n || s.address >= s.end)
		return;
	/* Rows begin where their sequence does. */
	s.address = l->rows[s.first].address;
	l->sequences = fdo_grow(l->sequences, l->nsequences, &l->room_sequences,
				sizeof(*l->sequences));
	l->sequences[l->nsequences++] = s;
}

static struct lines_sequence moved(struct lines *l, struct lines_sequence s,
				   uint64_t by)
{
	struct lines_sequence ret = s;

	ret.address += by;
	ret.end += by;
	ret.first = l->nrows;
	ret.first_begin = l->nbegins;
	for (size_t i = 0; i < s.n; i++) {
		l->rows = fdo_grow(l->rows, l->nrows, &l->room_rows,
				   sizeof(*l->rows));
		l->rows[l->nrows] = l->rows[s.first + i];
		l->rows[l->nrows++].address += by;
	}
	for (size_t i = 0; i < s.nbegins; i++) {
		l->begins = fdo_grow(l->begins, l->nbegins, &l->room_begins,
				     sizeof(*l->begins));
		l->begins[l->nbegins] = l->begins[s.first_begin + i];
		l->begins[l->nbegins++].address += by;
	}
	return ret;
}

void lines_copy(struct lines *l, const struct lines_copied *copies, size_t n,
		size_t nscopes)
{
	size_t sorted = l->nsequences;

	for (size_t i = 0; i < n; i++) {
		const struct lines_copied *c = &copies[i];
		size_t from = sequence_at(l, sorted, c->from);
		size_t to = sequence_at(l, sorted, c->to);
		struct lines_sequence source, around;

		assert(from != SIZE_MAX && to != SIZE_MAX);
		source = part(l, &l->sequences[from], c->from,
			      c->from + c->size);
		around = l->sequences[to];
		copy_scopes(l, c, nscopes);
		source = moved(l, source, c->to - c->from);
		l->sequences[to] = source;
		add_sequence(l, part(l, &around, around.address, c->to));
		add_sequence(l, part(l, &around, c->to + c->size, around.end));
	}
}
