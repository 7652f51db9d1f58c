/*
 * addresses.h - a set of addresses.
 *
 *	struct addresses tables = { 0 };
 *	addresses_add(&tables, address);
 *	addresses_sort(&tables);
 *	uint64_t end = addresses_next(&tables, address);
 *	addresses_clear(&tables);
 *
 * Range      Who asks comes after addresses_sort(), and who adds before it.
 * Ownership  Whoever has a set clears it.
 * Errors     None.
 */
#ifndef CONVERTER_ADDRESSES_H
#define CONVERTER_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct addresses {
	uint64_t *values; /* ascending, each once */
	size_t n, room;
};

void addresses_add(struct addresses *a, uint64_t value);
void addresses_sort(struct addresses *a);
void addresses_clear(struct addresses *a);

bool addresses_has(const struct addresses *a, uint64_t value);

/* The first that is larger, or UINT64_MAX. */
uint64_t addresses_next(const struct addresses *a, uint64_t value);

#endif
