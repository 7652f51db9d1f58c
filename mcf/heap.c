/* heap.c - a binary heap in an array: two children follow each entry. */
#include "mcf/heap.h"

#include <stdbool.h>

#include "base/alloc.h"

static bool before(const struct heap_entry *a, const struct heap_entry *b)
{
	if (a->distance != b->distance)
		return a->distance < b->distance;
	return a->node < b->node;
}

void heap_push(struct heap *heap, double distance, unsigned node)
{
	struct heap_entry new = { distance, node };
	size_t at = heap->n;

	heap->entries = fdo_grow(heap->entries, heap->n, &heap->room,
				 sizeof(*heap->entries));
	heap->n++;
	while (at > 0 && before(&new, &heap->entries[(at - 1) / 2])) {
		heap->entries[at] = heap->entries[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap->entries[at] = new;
}

struct heap_entry heap_pop(struct heap *heap)
{
	struct heap_entry *entries = heap->entries;
	struct heap_entry top = entries[0], last = entries[--heap->n];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= heap->n)
			break;
		if (child + 1 < heap->n &&
		    before(&entries[child + 1], &entries[child]))
			child++;
		if (!before(&entries[child], &last))
			break;
		entries[at] = entries[child];
		at = child;
	}
	entries[at] = last;
	return top;
}
