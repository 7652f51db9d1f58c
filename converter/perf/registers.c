/*
 * registers.c - one table from offset, register and value to a count.
 *
 * A value that comes when there are too many already is one of the others.  If
 * it is there often, it is most likely among the first: so nothing is lost
 * that would be used.
 */
#include "converter/perf/registers.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/perf/perfdata.h"
#include "converter/perf/samples.h"
#include "converter/perf/tally.h"

struct registers {
	struct fdo_map *asked;	   /* offset: a set, plus 1 << 32 */
	struct fdo_map *different; /* offset and register: how many values */
	struct fdo_map *places;	   /* hash to 1 + a place in the values */
	struct samples_value *values;
	size_t n, room;
};

struct registers *registers_new(void)
{
	struct registers *r = fdo_alloc(1, sizeof(*r));

	r->asked = fdo_map_new();
	r->different = fdo_map_new();
	r->places = fdo_map_new();
	return r;
}

void registers_free(struct registers *r)
{
	if (!r)
		return;
	fdo_map_free(r->asked);
	fdo_map_free(r->different);
	fdo_map_free(r->places);
	free(r->values);
	free(r);
}

bool registers_asked(const struct registers *r, uint64_t offset)
{
	return fdo_map_get(r->asked, offset);
}

void registers_ask(struct registers *r, uint64_t offset, uint32_t set)
{
	*fdo_map_at(r->asked, offset) = UINT64_C(1) << 32 | set;
}

static bool is_same(const struct samples_value *a,
		    const struct samples_value *b)
{
	return a->offset == b->offset && a->number == b->number &&
	       a->other == b->other && a->value == b->value;
}

static uint64_t hash(const struct samples_value *v)
{
	uint64_t hash = v->offset * SAMPLES_NUMBERS + v->number;

	hash = hash * UINT64_C(0x9e3779b97f4a7c15) ^ v->value;
	hash = hash * UINT64_C(0x9e3779b97f4a7c15) + v->other;
	return hash ^ hash >> 29;
}

/* Its slot, which is 0 if it is not there. */
static uint64_t *slot_of(struct registers *r, const struct samples_value *v)
{
	for (uint64_t key = hash(v);; key++) {
		uint64_t *slot = fdo_map_at(r->places, key);

		if (!*slot || is_same(&r->values[*slot - 1], v))
			return slot;
	}
}

static void add(struct registers *r, const struct samples_value *v)
{
	uint64_t *slot = slot_of(r, v);

	if (!*slot) {
		r->values =
			fdo_grow(r->values, r->n, &r->room, sizeof(*r->values));
		r->values[r->n++] = *v;
		*slot = r->n;
		return;
	}
	r->values[*slot - 1].samples =
		tally_sum(r->values[*slot - 1].samples, v->samples);
}

/* The others, unless there is room for one more. */
static void make_room(struct registers *r, struct samples_value *v)
{
	uint64_t *different;

	if (*slot_of(r, v))
		return;
	different = fdo_map_at(r->different,
			       v->offset * SAMPLES_NUMBERS + v->number);
	if (*different < REGISTERS_VALUES) {
		++*different;
		return;
	}
	v->other = true;
	v->value = 0;
}

void registers_add_value(struct registers *r, uint64_t offset, uint8_t number,
			 uint64_t value)
{
	struct samples_value v = {
		.offset = offset,
		.number = number,
		.value = value,
		.samples = 1,
	};

	make_room(r, &v);
	add(r, &v);
}

void registers_add(struct registers *r, uint64_t offset, uint32_t known,
		   const uint64_t *registers)
{
	const uint64_t *asked = fdo_map_get(r->asked, offset);

	for (int i = 0; asked && i < PERFDATA_REGISTERS; i++)
		if ((*asked & known) >> i & 1)
			registers_add_value(r, offset, i, registers[i]);
}

void registers_add_all(struct registers *r, const struct registers *from)
{
	for (size_t i = 0; i < from->n; i++)
		add(r, &from->values[i]);
}

static int compare(const void *a, const void *b)
{
	const struct samples_value *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->other != y->other)
		return x->other ? 1 : -1;
	return (x->value > y->value) - (x->value < y->value);
}

struct samples_value *registers_sorted(const struct registers *r, size_t *n_ret)
{
	struct samples_value *values;

	*n_ret = r ? r->n : 0;
	if (!*n_ret)
		return NULL;
	values = fdo_alloc(*n_ret, sizeof(*values));
	for (size_t i = 0; i < r->n; i++)
		values[i] = r->values[i];
	qsort(values, *n_ret, sizeof(*values), compare);
	return values;
}
