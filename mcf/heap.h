/*
 * heap.h - numbers by distance, the nearest first.  Private to mcf/.
 *
 * Of equal distances the smaller number is first.  {0} is an empty heap, and
 * its owner frees "entries".
 */
#ifndef MCF_HEAP_H
#define MCF_HEAP_H

#include <stddef.h>

struct heap_entry {
	double distance;
	unsigned node;
};

struct heap {
	struct heap_entry *entries;
	size_t n, room;
};

void heap_push(struct heap *heap, double distance, unsigned node);

/* Take out the first; there must be one. */
struct heap_entry heap_pop(struct heap *heap);

#endif
