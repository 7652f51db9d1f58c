#include "plugin/copies.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "profile/profile.h"

static struct copy *find(struct copies *c, uint64_t kind)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->all[i].kind == kind)
			return &c->all[i];
	c->all = fdo_grow(c->all, c->n, &c->room, sizeof(*c->all));
	c->all[c->n] = (struct copy){ .kind = kind };
	return &c->all[c->n++];
}

void copies_add(struct copies *c, const struct copy *copy)
{
	struct copy *sum;

	if (copy->total == 0)
		return;
	sum = find(c, copy->kind);
	sum->passed = copy->passed;
	sum->total = profile_sum(sum->total, copy->total);
	sum->entry = profile_sum(sum->entry, copy->entry);
	sum->entry_is_least |= copy->entry_is_least;
	sum->is_rest |= copy->is_rest;
}

void copies_deinit(struct copies *c)
{
	free(c->all);
	*c = (struct copies){ 0 };
}

static int by_falling_total(const void *a, const void *b)
{
	const struct copy *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

size_t copies_apart(struct copies *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->all[i].is_rest)
			return 0;
	if (c->n == 0 || (c->n == 1 && !c->all[0].passed))
		return 0;
	qsort(c->all, c->n, sizeof(*c->all), by_falling_total);
	return c->n;
}
