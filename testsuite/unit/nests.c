/*
 * nests.c - loops around blocks: 1 to 4 are a loop, in which 2 and 3 are one, and 3 by
 * itself another; 5 is a loop behind them, and 0 and 6 are in none.
 */
#include "converter/graph/nests.h"

#include "converter/graph/cfg.h"
#include "converter/graph/dominators.h"
#include "testsuite/lib/tap.h"

enum { BLOCKS = 7, EDGES = 11 };

static struct cfg_edge edges[EDGES] = {
	{ 0, 1, CFG_FALL },  { 1, 2, CFG_FALL },  { 2, 3, CFG_FALL },
	{ 3, 3, CFG_TAKEN }, { 3, 2, CFG_TAKEN }, { 3, 4, CFG_FALL },
	{ 4, 1, CFG_TAKEN }, { 4, 5, CFG_FALL },  { 5, 5, CFG_TAKEN },
	{ 5, 6, CFG_FALL },  { 2, 4, CFG_TAKEN },
};
static uint32_t in[EDGES];
static struct cfg_block blocks[BLOCKS];

/* Edges lie in order of the blocks that they leave. */
static void lay_out(void)
{
	struct cfg_edge sorted[EDGES];
	uint32_t n = 0, nin = 0;

	blocks[0].flags = CFG_ENTRY;
	for (uint32_t b = 0; b < BLOCKS; b++) {
		blocks[b].first_edge = n;
		for (uint32_t e = 0; e < EDGES; e++)
			if (edges[e].from == b)
				sorted[n++] = edges[e];
		blocks[b].nedges = n - blocks[b].first_edge;
	}
	for (uint32_t e = 0; e < EDGES; e++)
		edges[e] = sorted[e];
	for (uint32_t b = 0; b < BLOCKS; b++) {
		blocks[b].first_in = nin;
		for (uint32_t e = 0; e < EDGES; e++)
			if (edges[e].to == b)
				in[nin++] = e;
		blocks[b].nin = nin - blocks[b].first_in;
	}
}

/* The heads around a block, one digit each, the innermost first. */
static long long around(const struct nests *nests, uint32_t block)
{
	uint32_t heads[BLOCKS];
	long long ret = 0;
	uint32_t n = nests_around(nests, block, heads);

	for (uint32_t i = 0; i < n; i++)
		ret = ret * 10 + heads[i];
	return ret;
}

int main(void)
{
	struct cfg cfg = { .blocks = blocks,
			   .nblocks = BLOCKS,
			   .edges = edges,
			   .nedges = EDGES,
			   .in = in };
	struct dominators *dominators;
	struct nests *nests;

	lay_out();
	dominators = dominators_new(&cfg);
	nests = nests_new(dominators, BLOCKS);
	check_int(around(nests, 0), 0, "before all loops");
	check_int(around(nests, 1), 1, "the head of one is in it");
	check_int(around(nests, 2), 21, "a loop in a loop");
	check_int(around(nests, 3), 321, "one of a single block");
	check_int(around(nests, 4), 1, "behind it, but in the first");
	check_int(around(nests, 5), 5, "another one");
	check_int(around(nests, 6), 0, "behind all loops");
	nests_free(nests);
	nests_free(NULL);
	dominators_free(dominators);
	return done();
}
