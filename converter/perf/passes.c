#include "converter/perf/passes.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "converter/perf/samples.h"

struct passes {
	struct samples_pass *all;
	size_t n, room;
	uint64_t left_out; /* bursts with any of these bits */
};

struct passes *passes_new(void)
{
	return fdo_alloc(1, sizeof(struct passes));
}

void passes_free(struct passes *p)
{
	if (!p)
		return;
	free(p->all);
	free(p);
}

static void leave_out(struct passes *p, uint64_t bits)
{
	size_t kept = 0;

	p->left_out |= bits;
	for (size_t i = 0; i < p->n; i++)
		if (!(p->all[i].burst & p->left_out))
			p->all[kept++] = p->all[i];
	p->n = kept;
}

static void add(struct passes *p, const struct samples_pass *pass)
{
	if (pass->burst & p->left_out)
		return;
	p->all = fdo_grow(p->all, p->n, &p->room, sizeof(*p->all));
	p->all[p->n++] = *pass;
	while (p->n > PASSES_MOST && ~p->left_out)
		leave_out(p, p->left_out << 1 | 1);
}

void passes_begin(struct passes *p, uint64_t burst, uint32_t from)
{
	add(p, &(struct samples_pass){ burst, from, from, true });
}

void passes_add(struct passes *p, uint64_t burst, uint32_t from, uint32_t to)
{
	add(p, &(struct samples_pass){ burst, from, to, false });
}

void passes_add_all(struct passes *p, const struct passes *from)
{
	leave_out(p, from->left_out);
	for (size_t i = 0; i < from->n; i++)
		add(p, &from->all[i]);
}

static int compare(const void *a, const void *b)
{
	const struct samples_pass *x = a, *y = b;

	if (x->burst != y->burst)
		return x->burst < y->burst ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

struct samples_pass *passes_sorted(struct passes *p, size_t *n, uint64_t *part)
{
	struct samples_pass *ret;

	*n = 0;
	*part = 1;
	if (!p)
		return NULL;
	if (p->n)
		qsort(p->all, p->n, sizeof(*p->all), compare);
	*n = p->n;
	*part = p->left_out + 1;
	ret = p->all;
	*p = (struct passes){ .left_out = p->left_out };
	return ret;
}
