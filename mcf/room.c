/*
 * room.c - one block of memory for arrays that are of use in turn.
 *
 * It is as large as was asked for, or an eighth larger than it was before:
 * thousands of small networks come one after the other.
 */
#include "mcf/room.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"

/* A line of the caches: no two arrays share one, nor what is 32 bytes two. */
enum { LINE = 64 };

static size_t rounded(size_t n, size_t size)
{
	return (n * size + LINE - 1) / LINE * LINE;
}

void room_open(struct room *r, size_t bytes)
{
	r->front = r->back = 0;
	if (bytes <= r->size)
		return;
	free(r->block);
	r->size += r->size / 8;
	r->size = rounded(bytes > r->size ? bytes : r->size, 1);
	r->block = fdo_alloc(r->size + LINE, 1);
	r->memory = (char *)r->block + LINE - (uintptr_t)r->block % LINE;
}

void *room_take(struct room *r, size_t n, size_t size)
{
	size_t at = r->front;

	r->front += rounded(n, size);
	if (!r->memory)
		return NULL;
	assert(r->front + r->back <= r->size);
	return r->memory + at;
}

void *room_keep(struct room *r, size_t n, size_t size)
{
	r->back += rounded(n, size);
	if (!r->memory)
		return NULL;
	assert(r->front + r->back <= r->size);
	return r->memory + r->size - r->back;
}

void room_free(struct room *r)
{
	free(r->block);
	*r = (struct room){ 0 };
}
