/* The heap of mcf/: whatever goes in comes out in order. */
#include <stdlib.h>

#include "mcf/heap.h"
#include "testsuite/lib/random_cfg.h"
#include "testsuite/lib/tap.h"

static bool in_order(struct heap_entry a, struct heap_entry b)
{
	return a.distance < b.distance ||
	       (a.distance == b.distance && a.node <= b.node);
}

/* How many went in and have not come out, and the sums of what they have. */
struct balance {
	int64_t entries, distances, nodes;
};

static void push(struct heap *heap, struct balance *b, int64_t distance,
		 unsigned node)
{
	heap_push(heap, distance, node);
	b->entries++;
	b->distances += distance;
	b->nodes += node;
}

static struct heap_entry pop(struct heap *heap, struct balance *b)
{
	struct heap_entry entry = heap_pop(heap);

	b->entries--;
	b->distances -= entry.distance;
	b->nodes -= entry.node;
	return entry;
}

/* Distances of few kinds, so that many are equal; some go in meanwhile. */
static int count_wrong(unsigned n, uint64_t random)
{
	struct heap heap = { 0 };
	struct balance b = { 0 };
	struct heap_entry last, entry;
	int wrong = 0;

	for (unsigned i = 0; i < n; i++)
		push(&heap, &b, random_below(&random, 10),
		     random_below(&random, 100));
	last = pop(&heap, &b);
	while (heap.n) {
		entry = pop(&heap, &b);
		wrong += !in_order(last, entry);
		last = entry;
		if (random_below(&random, 4) == 0)
			push(&heap, &b, last.distance + 1, last.node);
	}
	free(heap.entries);
	return wrong + (b.entries || b.distances || b.nodes);
}

int main(void)
{
	int wrong = 0;

	for (unsigned n = 1; n < 200; n++)
		wrong += count_wrong(n, n);
	check_int(wrong, 0,
		  "all of them, the nearest first, then the smaller number");
	return done();
}
