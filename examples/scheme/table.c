/*
 * Hash tables by equal?.  Entries stay in the order in which they were made,
 * in a vector, so that a program prints the same on every run; the slots are
 * an open-addressed index into it.  A removed entry's key is UNDEFINED.
 */
#include "scheme.h"

#define FIRST_ROOM 8

static uint32_t mix(uint32_t hash, uint64_t word)
{
	uint64_t h = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(h >> 32);
}

static uint32_t hash_value(value v, int depth)
{
	uint32_t hash = 17;
	if (!is_object(v))
		return mix(hash, v);
	switch ((enum type)object_of(v)->type) {
	case SYMBOL:
		return symbol_of(v)->hash;
	case STRING:
		for (size_t i = 0; i < string_of(v)->length; i++)
			hash = hash * 31 +
			       (unsigned char)string_of(v)->bytes[i];
		return mix(hash, string_of(v)->length);
	case FLONUM: {
		double number = flonum(v);
		return mix(hash, (uint64_t)(int64_t)(number * 1024));
	}
	case PAIR:
		for (; is_pair(v) && depth > 0; v = cdr(v), depth--)
			hash = mix(hash, hash_value(car(v), depth - 1));
		return hash;
	case VECTOR:
		return mix(hash, vector_of(v)->length);
	default:
		return mix(hash, object_of(v)->type);
	}
}

static uint32_t *slots_of(const struct table *t)
{
	return (uint32_t *)string_of(t->slots)->bytes;
}

static size_t n_slots(const struct table *t)
{
	return string_of(t->slots)->length / sizeof(uint32_t);
}

static value *entry(const struct table *t, size_t i)
{
	return vector_of(t->entries)->items + 2 * i;
}

/* The slot where the key is, or would go. */
static uint32_t *find_slot(const struct table *t, value key)
{
	size_t mask = n_slots(t) - 1;
	for (size_t i = hash_value(key, 8);; i++) {
		uint32_t *slot = &slots_of(t)[i & mask];
		if (!*slot || is_equal(entry(t, *slot - 1)[0], key))
			return slot;
	}
}

/* Room for `room` entries, without the removed ones. */
static void resize(struct scheme *s, struct table *t, size_t room)
{
	struct vector *old = vector_of(t->entries);
	size_t used = t->used, bytes = 2 * room * sizeof(uint32_t);
	t->entries = make_vector(s, VECTOR, 2 * room, NIL);
	t->slots = make_string(s, NULL, bytes);
	t->used = 0;
	for (size_t i = 0; i < used; i++) {
		if (old->items[2 * i] == UNDEFINED)
			continue;
		entry(t, t->used)[0] = old->items[2 * i];
		entry(t, t->used)[1] = old->items[2 * i + 1];
		*find_slot(t, old->items[2 * i]) = (uint32_t)++t->used;
	}
}

static struct table *want_table(struct scheme *s, const char *who, value v)
{
	return (struct table *)want(s, who, v, TABLE, "not a hash table");
}

static value make_table(struct scheme *s, int argc, value *argv)
{
	(void)argc, (void)argv;
	struct table *t = heap_new(s, TABLE, sizeof(*t));
	t->entries = make_vector(s, VECTOR, 0, NIL);
	resize(s, t, FIRST_ROOM);
	return (value)t;
}

static value table_set(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	struct table *t = want_table(s, "hash-table-set!", argv[0]);
	uint32_t *slot = find_slot(t, argv[1]);
	if (!*slot) {
		if (2 * t->used == vector_of(t->entries)->length) {
			resize(s, t,
			       t->live * 2 > FIRST_ROOM ? t->live * 2
							: FIRST_ROOM);
			slot = find_slot(t, argv[1]);
		}
		entry(t, t->used)[0] = argv[1];
		*slot = (uint32_t)++t->used;
		t->live++;
	}
	entry(t, *slot - 1)[1] = argv[2];
	return UNSPECIFIED;
}

static value table_ref_default(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	struct table *t = want_table(s, "hash-table-ref", argv[0]);
	uint32_t slot = *find_slot(t, argv[1]);
	return slot ? entry(t, slot - 1)[1] : argv[2];
}

static value table_contains(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	struct table *t = want_table(s, "hash-table-contains?", argv[0]);
	return from_bool(*find_slot(t, argv[1]) != 0);
}

/* The slot keeps pointing at the entry, so that others are still found. */
static value table_delete(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	struct table *t = want_table(s, "hash-table-delete!", argv[0]);
	uint32_t slot = *find_slot(t, argv[1]);
	if (slot) {
		entry(t, slot - 1)[0] = UNDEFINED;
		entry(t, slot - 1)[1] = UNDEFINED;
		t->live--;
	}
	return UNSPECIFIED;
}

static value table_count(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	struct table *t = want_table(s, "hash-table-count", argv[0]);
	return from_fixnum((int64_t)t->live);
}

enum part { KEYS, CONTENTS, BOTH };

static value collect(struct scheme *s, const char *who, value table,
		     enum part part)
{
	struct table *t = want_table(s, who, table);
	value result = NIL;
	for (size_t i = t->used; i-- > 0;) {
		value *e = entry(t, i);
		if (e[0] == UNDEFINED)
			continue;
		value item = part == KEYS	? e[0]
			     : part == CONTENTS ? e[1]
						: cons(s, e[0], e[1]);
		result = cons(s, item, result);
	}
	return result;
}

static value table_keys(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return collect(s, "hash-table-keys", argv[0], KEYS);
}

static value table_values(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return collect(s, "hash-table-values", argv[0], CONTENTS);
}

static value table_to_list(struct scheme *s, int argc, value *argv)
{
	(void)argc;
	return collect(s, "hash-table->alist", argv[0], BOTH);
}

static value is_table(struct scheme *s, int argc, value *argv)
{
	(void)s, (void)argc;
	return from_bool(has_type(argv[0], TABLE));
}

const struct definition table_primitives[] = {
	{ "make-hash-table", make_table, 0, -1 },
	{ "make-equal-hash-table", make_table, 0, 0 },
	{ "hash-table?", is_table, 1, 1 },
	{ "hash-table-set!", table_set, 3, 3 },
	{ "hash-table-ref/default", table_ref_default, 3, 3 },
	{ "hash-table-contains?", table_contains, 2, 2 },
	{ "hash-table-delete!", table_delete, 2, 2 },
	{ "hash-table-count", table_count, 1, 1 },
	{ "hash-table-keys", table_keys, 1, 1 },
	{ "hash-table-values", table_values, 1, 1 },
	{ "hash-table->alist", table_to_list, 1, 1 },
	{ NULL, NULL, 0, 0 },
};
