/*
 * passed.c - the constants that calls pass.
 */
#include "plugin/passed.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

/* In the map of calls: what two of them pass differs. */
enum { SEVERAL = 0xffffffffu };

struct passing {
	struct passed **lists;
	size_t n, room;
	struct fdo_map *by_hash; /* number of the list, from 1 */
	struct fdo_map *calls;	 /* likewise, or SEVERAL */
};

struct passing *passed_new(void)
{
	struct passing *p = fdo_alloc(1, sizeof(*p));

	p->by_hash = fdo_map_new();
	p->calls = fdo_map_new();
	return p;
}

void passed_free(struct passing *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++) {
		free(p->lists[i]->values);
		free(p->lists[i]);
	}
	free(p->lists);
	fdo_map_free(p->by_hash);
	fdo_map_free(p->calls);
	free(p);
}

static uint64_t hash_of(const struct passed_value *values, size_t n)
{
	uint64_t hash = fdo_hash_mix(0x5851f42d4c957f2dULL, n);

	for (size_t i = 0; i < n; i++) {
		hash = fdo_hash_mix(hash, (uint64_t)values[i].parameter << 1 |
						  values[i].is_parameter);
		hash = fdo_hash_mix(hash, (uint64_t)values[i].value);
	}
	return hash ? hash : 1;
}

/* The number of the list that has these values, from 1. */
static uint64_t find_or_add(struct passing *p,
			    const struct passed_value *values, size_t n)
{
	uint64_t hash = hash_of(values, n);
	uint64_t *at = fdo_map_at(p->by_hash, hash);
	struct passed *list;

	if (*at)
		return *at;
	list = fdo_alloc(1, sizeof(*list));
	list->hash = hash;
	list->n = n;
	list->values = fdo_alloc(n, sizeof(*values));
	memcpy(list->values, values, n * sizeof(*values));
	p->lists = fdo_grow(p->lists, p->n, &p->room, sizeof(*p->lists));
	p->lists[p->n++] = list;
	return *at = p->n;
}

void passed_note(struct passing *p, uint64_t call,
		 const struct passed_value *values, size_t n)
{
	uint64_t *at = fdo_map_at(p->calls, call);
	uint64_t number = n ? find_or_add(p, values, n) : SEVERAL;

	*at = *at == 0 || *at == number ? number : SEVERAL;
}

static const struct passed *list_of(struct passing *p,
				    const struct passed_value *values, size_t n)
{
	uint64_t number = n ? find_or_add(p, values, n) : 0;

	return number ? p->lists[number - 1] : NULL;
}

/* False: the caller did not get it as a constant. */
static bool resolve(struct passed_value *value, const struct passed *around)
{
	if (!value->is_parameter)
		return true;
	for (size_t i = 0; around && i < around->n; i++)
		if (around->values[i].parameter == (uint64_t)value->value) {
			value->is_parameter = false;
			value->value = around->values[i].value;
			return true;
		}
	return false;
}

const struct passed *passed_at(struct passing *p, uint64_t call,
			       const struct passed *around)
{
	const uint64_t *at = fdo_map_get(p->calls, call);
	struct passed_value values[PASSED_MAX];
	const struct passed *list;
	size_t n = 0;

	if (!at || *at == SEVERAL)
		return NULL;
	list = p->lists[*at - 1];
	for (size_t i = 0; i < list->n; i++) {
		values[n] = list->values[i];
		n += resolve(&values[n], around);
	}
	return list_of(p, values, n);
}

const struct passed *passed_of(struct passing *p, const struct passed *passed,
			       uint64_t parameters)
{
	struct passed_value values[PASSED_MAX];
	size_t n = 0;

	for (size_t i = 0; passed && i < passed->n; i++)
		if (parameters >> passed->values[i].parameter & 1)
			values[n++] = passed->values[i];
	return list_of(p, values, n);
}
