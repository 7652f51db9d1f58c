#include "converter/keys/steps.h"

#include "base/alloc.h"
#include "converter/binary/lines.h"
#include "converter/count/program.h"
#include "converter/graph/dominators.h"

/* Where the test is from that ends a block; false: none does. */
static bool test_of(const struct lines *lines, const struct cfg *cfg,
		    size_t block, struct lines_place *ret)
{
	const struct insn *last = cfg_last_insn(cfg, block);

	return last && last->class == INSN_BRANCH &&
	       lines_at(lines, last->address, ret);
}

static unsigned same(const struct lines_place *x, const struct lines_place *y)
{
	if (x->frame != y->frame || x->file != y->file || x->line != y->line ||
	    x->column != y->column)
		return 0;
	return x->discriminator == y->discriminator ? STEPS_PLACE | STEPS_KEY
						    : STEPS_PLACE;
}

/* Is the test the same at the end of all blocks that this one comes after? */
static unsigned began_before(const struct lines *lines, const struct cfg *cfg,
			     const struct dominators *dominators,
			     const struct cfg_block *block,
			     const struct lines_place *test)
{
	unsigned ret = STEPS_PLACE | STEPS_KEY;

	for (uint32_t i = 0; i < block->nin; i++) {
		uint32_t e = cfg->in[block->first_in + i];
		struct lines_place before;

		if (dominators_leaves(dominators, e) ||
		    !test_of(lines, cfg, cfg->edges[e].from, &before))
			return 0;
		ret &= same(test, &before);
	}
	return ret;
}

/* Has the block no code of anything else? */
static unsigned only_tests(const struct lines *lines, const struct cfg *cfg,
			   const struct cfg_block *block,
			   const struct lines_place *test)
{
	unsigned ret = STEPS_PLACE | STEPS_KEY;

	for (uint32_t i = 0; ret && i < block->ninsns; i++) {
		const struct insn *insn = &cfg->insns[block->first_insn + i];
		struct lines_place place;

		if (insn->class == INSN_NOP)
			continue;
		if (!lines_at(lines, insn->address, &place))
			return 0;
		ret &= same(test, &place);
	}
	return ret;
}

static unsigned step(const struct lines *lines, const struct cfg *cfg,
		     const struct dominators *dominators, size_t b)
{
	const struct cfg_block *block = &cfg->blocks[b];
	struct lines_place test;
	unsigned ret;

	if (block->flags & (CFG_ENTRY | CFG_ENTERED | CFG_ORPHAN) ||
	    block->nin == 0 || dominators_heads(dominators, b) ||
	    !test_of(lines, cfg, b, &test))
		return 0;
	ret = began_before(lines, cfg, dominators, block, &test);
	return ret ? ret & only_tests(lines, cfg, block, &test) : 0;
}

uint8_t *steps_find(const struct lines *lines, const struct program_function *f,
		    const struct dominators *dominators)
{
	uint8_t *ret = fdo_alloc(f->cfg.nblocks, sizeof(*ret));

	for (size_t b = 0; b < f->cfg.nblocks; b++)
		ret[b] = step(lines, &f->cfg, dominators, b);
	return ret;
}
