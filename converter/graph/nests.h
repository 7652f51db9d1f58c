/*
 * nests.h - the loops that each block of a function is in.
 *
 *	struct nests *nests = nests_new(dominators, nblocks);
 *	n = nests_around(nests, block, heads);	// the innermost first
 *	nests_free(nests);
 *
 * Range      A loop is known by its head (dominators.h): what has one head is one
 *            loop, and what is entered in several places is none.
 * Ownership  nests_new() gives, nests_free() takes back and accepts NULL.
 *            Nothing is kept of the dominators.
 * Errors     None.
 */
#ifndef CONVERTER_NESTS_H
#define CONVERTER_NESTS_H

#include <stddef.h>
#include <stdint.h>

struct dominators;
struct nests;

struct nests *nests_new(const struct dominators *dominators, size_t nblocks);
void nests_free(struct nests *nests);

/* Returns how many there are; heads has room for as many as blocks. */
uint32_t nests_around(const struct nests *nests, uint32_t block,
		      uint32_t *heads);

#endif
