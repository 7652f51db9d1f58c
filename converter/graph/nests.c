/*
 * nests.c - of each block the smallest loop with it, and of each loop's head the next.
 */
#include "converter/graph/nests.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/graph/dominators.h"

/* 1 + the head of a loop, or 0; and how many blocks it has. */
struct smallest {
	uint32_t head;
	size_t size;
};

struct nests {
	struct smallest *of_block;  /* of those that it is in, */
	struct smallest *of_others; /* but for one that it heads */
};

static void offer(struct smallest *to, uint32_t head, size_t size)
{
	if (!to->head || size < to->size)
		*to = (struct smallest){ head + 1, size };
}

struct nests *nests_new(const struct dominators *dominators, size_t nblocks)
{
	struct nests *nests = fdo_alloc(1, sizeof(*nests));
	uint32_t *blocks = fdo_alloc(nblocks + 1, sizeof(*blocks));
	bool *marks = fdo_alloc(nblocks + 1, sizeof(*marks));

	nests->of_block = fdo_alloc(nblocks + 1, sizeof(*nests->of_block));
	nests->of_others = fdo_alloc(nblocks + 1, sizeof(*nests->of_others));
	for (uint32_t head = 0; head < nblocks; head++) {
		size_t n = dominators_heads(dominators, head)
				   ? dominators_loop(dominators, head, blocks,
						     marks)
				   : 0;

		for (size_t i = 0; i < n; i++) {
			offer(&nests->of_block[blocks[i]], head, n);
			if (blocks[i] != head)
				offer(&nests->of_others[blocks[i]], head, n);
		}
	}
	free(blocks);
	free(marks);
	return nests;
}

void nests_free(struct nests *nests)
{
	if (!nests)
		return;
	free(nests->of_block);
	free(nests->of_others);
	free(nests);
}

uint32_t nests_around(const struct nests *nests, uint32_t block,
		      uint32_t *heads)
{
	uint32_t n = 0;

	for (uint32_t head = nests->of_block[block].head; head;
	     head = nests->of_others[head - 1].head)
		heads[n++] = head - 1;
	return n;
}
