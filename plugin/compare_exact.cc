/*
 * compare_exact.cc - GCC's exact counts on the graph that ours counted in.
 *
 * The pass that reads them also splits blocks, adds some for values that it
 * has seen, and tidies up.  So counts go from one block of before to the
 * next, over whatever is between them by now.
 */
#include "plugin/samplefdo.h"

#include "base/map.h"
#include "plugin/compared.h"

/* A value transformation adds a few blocks in a row. */
enum { MAX_NEW_BLOCKS = 50 };

static double exact(profile_count count)
{
	return count.ipa().initialized_p() ? (double)count.ipa().to_gcov_type()
					   : 0;
}

/*
 * GCC does not count edges that are abnormal.  They have what their target
 * has, and no other edge brings there; of several, by the blocks they leave.
 */
static double exact_edge(const_edge e)
{
	double rest = exact(e->dest->count), sources = 0;
	edge in;
	edge_iterator at;

	if (!(e->flags & EDGE_ABNORMAL) || e->dest->index == EXIT_BLOCK)
		return exact(e->count());
	FOR_EACH_EDGE(in, at, e->dest->preds)
	{
		if (in->flags & EDGE_ABNORMAL)
			sources += exact(in->src->count);
		else
			rest -= exact(in->count());
	}
	if (rest <= 0 || sources <= 0)
		return 0;
	return rest * exact(e->src->count) / sources;
}

/* The blocks of now that were there before, by number; and where from. */
struct exact_reader {
	struct compared_function *f;
	struct fdo_map *numbers; /* block: number + 1 */
};

/* Executions of an edge that come from a block of before. */
static void follow(struct exact_reader *r, uint32_t from, const_edge e,
		   double amount, unsigned depth)
{
	const uint64_t *to =
		fdo_map_get(r->numbers, (uint64_t)(uintptr_t)e->dest);
	double sum = 0;
	edge out;
	edge_iterator at;

	if (to) {
		if (!compared_flow(r->f, from, (uint32_t)(*to - 1), amount))
			r->f->astray += amount;
		return;
	}
	FOR_EACH_EDGE(out, at, e->dest->succs)
	sum += exact_edge(out);
	if (sum <= 0 || depth > MAX_NEW_BLOCKS)
		return;
	FOR_EACH_EDGE(out, at, e->dest->succs)
	follow(r, from, out, amount * exact_edge(out) / sum, depth + 1);
}

static void number_blocks(struct exact_reader *r, basic_block *blocks)
{
	for (uint32_t b = 0; b < r->f->nblocks; b++) {
		basic_block bb = blocks[b];

		r->f->blocks[b].is_gone = true;
		if (!bb || bb->index < 0 ||
		    bb->index >= last_basic_block_for_fn(cfun) ||
		    BASIC_BLOCK_FOR_FN(cfun, bb->index) != bb)
			continue;
		r->f->blocks[b].is_gone = false;
		*fdo_map_at(r->numbers, (uint64_t)(uintptr_t)bb) = b + 1;
	}
}

/* A new block may have become what one was that is gone. */
static void find_successors(struct exact_reader *r, basic_block *blocks,
			    const struct fdo_map *statements)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
	{
		gimple_stmt_iterator at;

		if (fdo_map_get(r->numbers, (uint64_t)(uintptr_t)bb))
			continue;
		for (at = gsi_start_nondebug_after_labels_bb(bb);
		     !gsi_end_p(at); gsi_next_nondebug(&at)) {
			const uint64_t *b = fdo_map_get(
				statements, (uint64_t)(uintptr_t)gsi_stmt(at));

			if (!b || !r->f->blocks[*b].is_gone)
				continue;
			r->f->blocks[*b].is_gone = false;
			blocks[*b] = bb;
			*fdo_map_at(r->numbers, (uint64_t)(uintptr_t)bb) =
				*b + 1;
			break;
		}
	}
}

void compare_read_exact(struct compared_function *f, basic_block *blocks,
			const struct fdo_map *statements)
{
	struct exact_reader r = { f, fdo_map_new() };
	edge e;
	edge_iterator at;

	number_blocks(&r, blocks);
	find_successors(&r, blocks, statements);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		if (f->blocks[b].is_gone)
			continue;
		f->blocks[b].exact = exact(blocks[b]->count);
		FOR_EACH_EDGE(e, at, blocks[b]->succs)
		follow(&r, b, e, exact_edge(e), 0);
	}
	/* The entry block's own has computed jumps as well. */
	for (size_t i = 0; i < f->nedges; i++)
		if (f->edges[i].from == ENTRY_BLOCK)
			f->exact_entry += f->edges[i].exact;
	fdo_map_free(r.numbers);
}
