/*
 * loop_tests.c - the branches that lead to the first block of a loop.
 */
#include "converter/keys/loop_tests.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/graph/cfg.h"
#include "converter/graph/dominators.h"

/* Blocks between the test before a loop and its first block: what was moved out. */
enum { MOST_BETWEEN = 4 };

/* 1 + the head of a loop that an edge leads to, at once or with no way aside. */
static uint32_t head_behind(const struct cfg *cfg,
			    const struct dominators *dominators, uint32_t edge)
{
	uint32_t to = cfg->edges[edge].to;

	for (unsigned i = 0; i < MOST_BETWEEN && to < cfg->nblocks; i++) {
		const struct cfg_block *block = &cfg->blocks[to];

		if (dominators_heads(dominators, to))
			return to + 1;
		if (block->nedges != 1 || block->nin != 1)
			return 0;
		to = cfg->edges[block->first_edge].to;
	}
	return 0;
}

/* One that goes back is a test whatever the other does; two heads are none. */
static uint32_t test_of(const struct cfg *cfg,
			const struct dominators *dominators, size_t b)
{
	const struct cfg_block *block = &cfg->blocks[b];
	uint32_t found = 0;

	if (block->nedges != 2)
		return 0;
	for (uint32_t i = 0; i < 2; i++)
		if (dominators_back(dominators, block->first_edge + i))
			return cfg->edges[block->first_edge + i].to + 1;
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t head =
			head_behind(cfg, dominators, block->first_edge + i);

		if (head && found)
			return 0;
		found += head;
	}
	return found;
}

uint32_t *loop_tests_find(const struct cfg *cfg,
			  const struct dominators *dominators)
{
	uint32_t *tests = fdo_alloc(cfg->nblocks + 1, sizeof(*tests));
	bool any = false;

	for (size_t b = 0; b < cfg->nblocks; b++) {
		tests[b] = test_of(cfg, dominators, b);
		any |= tests[b] != 0;
	}
	if (any)
		return tests;
	free(tests);
	return NULL;
}
