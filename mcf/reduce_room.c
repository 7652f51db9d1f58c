/*
 * reduce_room.c - the memory of a reduction.
 *
 * What a caller solves again and again is built in the memory that is there.
 * Large networks are solved once: theirs is no more than it has to be, and
 * what is only needed until the core is there is given back then.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mcf/reduction.h"

enum {
	LONG = 4096, /* a pool of so many segments is worth some care */
	CROWDED = 4, /* and has some to lose if so many times the input */
};

void reduction_free_lists(struct reduction *r)
{
	free(r->first);
	free(r->stack);
	free(r->waits);
	free(r->place);
	free(r->ends);
	r->first = r->stack = r->place = r->ends = NULL;
	r->waits = NULL;
	r->list_nodes = r->list_arcs = 0;
}

void reduction_free(struct reduction *r)
{
	if (!r)
		return;
	free(r->core.arcs);
	reduction_free_lists(r);
	free(r->mark);
	free(r->degree);
	free(r->steps);
	free(r->before);
	free(r->bundles);
	free(r->node);
	free(r);
}

/* Exactly so many at first, and some more if that was not enough. */
static size_t room_for(size_t room, size_t n)
{
	return room ? n + n / 8 : n;
}

static void *replace(void *old, size_t n, size_t size)
{
	free(old);
	return fdo_resize(NULL, n, size);
}

static void reserve_lists(struct reduction *r, size_t nodes, size_t narcs)
{
	if (nodes > r->list_nodes) {
		size_t n = r->list_nodes = room_for(r->list_nodes, nodes);

		r->first = replace(r->first, n, sizeof(*r->first));
		r->stack = replace(r->stack, n, sizeof(*r->stack));
		r->waits = replace(r->waits, n, sizeof(*r->waits));
	}
	if (narcs > r->list_arcs) {
		size_t n = r->list_arcs = room_for(r->list_arcs, narcs);

		r->place = replace(r->place, n, 2 * sizeof(*r->place));
		r->ends = replace(r->ends, n, 2 * sizeof(*r->ends));
	}
}

void reduction_grow(struct reduction *r, size_t nodes, size_t narcs)
{
	reserve_lists(r, nodes, narcs);
	if (nodes > r->node_room) {
		size_t n = r->node_room = room_for(r->node_room, nodes);

		r->degree = replace(r->degree, n, sizeof(*r->degree));
		r->mark = replace(r->mark, n, sizeof(*r->mark));
	}
	if (narcs > r->arc_room) {
		size_t n = r->arc_room = room_for(r->arc_room, narcs);

		r->node = replace(r->node, n, 2 * sizeof(*r->node));
		r->bundles = replace(r->bundles, n, sizeof(*r->bundles));
	}
}

/* Put away as number i, a bundle of the list or what one was before. */
static struct bundle *bundle_of(struct reduction *r, uint32_t i)
{
	return i < r->narcs ? &r->bundles[i] : &r->before[i - r->narcs];
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Take out of the pool what was put into a sum and is not needed to go back.
 * The others keep their order, and each is one bundle's only.
 */
static void compact(struct reduction *r)
{
	struct mcf_segment *segments = r->pool.segments;
	uint64_t *runs = fdo_alloc(r->narcs + r->nbefore, sizeof(*runs));
	size_t n = 0, end = r->own;

	for (uint32_t i = 0; i < r->narcs + r->nbefore; i++) {
		const struct bundle *b = bundle_of(r, i);

		if (b->n && b->first >= r->own)
			runs[n++] = (uint64_t)b->first << 32 | i;
	}
	qsort(runs, n, sizeof(*runs), by_number);
	for (size_t k = 0; k < n; k++) {
		struct bundle *b = bundle_of(r, (uint32_t)runs[k]);

		memmove(segments + end, segments + b->first,
			b->n * sizeof(*segments));
		b->first = end;
		end += b->n;
	}
	r->gone += r->pool.n - end;
	r->pool.n = end;
	free(runs);
}

void reduction_reserve(struct reduction *r, size_t n)
{
	struct bundle_pool *pool = &r->pool;

	if (pool->n + n <= pool->room)
		return;
	if (pool->n > LONG && pool->n > CROWDED * r->own)
		compact(r);
	if (pool->n + n > pool->room / 8 * 7) {
		pool->room = (pool->n + n) / 8 * 9 + 8;
		pool->segments = fdo_resize(pool->segments, pool->room,
					    sizeof(*pool->segments));
	}
}
