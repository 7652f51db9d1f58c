#include "converter/count/expect.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/count/program.h"
#include "converter/graph/heuristics.h"

void expect(struct program *p)
{
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];
		unsigned *facts = fdo_alloc(f->cfg.nblocks, sizeof(*facts));

		if (!f->expected)
			f->expected = fdo_alloc(f->cfg.nedges + 1,
						sizeof(*f->expected));
		heuristics_facts(&f->cfg, facts);
		heuristics_edges(&f->cfg, facts, f->expected);
		free(facts);
	}
}

bool expect_is_branch(const struct cfg *cfg, size_t block)
{
	const struct cfg_block *b = &cfg->blocks[block];
	unsigned ways = 0;

	for (uint32_t e = b->first_edge; e < b->first_edge + b->nedges; e++)
		ways += cfg->edges[e].kind != CFG_EXCEPTION;
	return ways == 2;
}
