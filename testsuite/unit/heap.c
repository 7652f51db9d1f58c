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

/* Distances of few kinds, so that many are equal; some go in meanwhile. */
static int count_wrong(unsigned n, uint64_t random)
{
	struct heap heap = { 0 };
	struct heap_entry last, entry;
	int wrong = 0;

	for (unsigned i = 0; i < n; i++)
		heap_push(&heap, random_below(&random, 10),
			  random_below(&random, 100));
	last = heap_pop(&heap);
	while (heap.n) {
		entry = heap_pop(&heap);
		wrong += !in_order(last, entry);
		last = entry;
		if (random_below(&random, 4) == 0)
			heap_push(&heap, last.distance + 1, last.node);
	}
	free(heap.entries);
	return wrong;
}

int main(void)
{
	int wrong = 0;

	for (unsigned n = 1; n < 200; n++)
		wrong += count_wrong(n, n);
	check_int(wrong, 0, "the nearest first, then the smaller number");
	return done();
}
