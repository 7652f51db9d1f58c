/*
 * evidence_shape.cc - what of a function's body tells which statements to believe.
 */
#include "plugin/samplefdo.h"

#include "cfgloop.h"

#include "mcf/graph.h"

/* The nearest dominator that is in no loop without the block; NULL: none. */
static basic_block block_around(basic_block bb)
{
	basic_block above = get_immediate_dominator(CDI_DOMINATORS, bb);

	while (above && graph_has_loops() &&
	       !flow_bb_inside_loop_p(above->loop_father, bb))
		above = get_immediate_dominator(CDI_DOMINATORS, above);
	return above;
}

/* A block's number, or that of another one where that is none of the body. */
static uint32_t number_or(basic_block bb, basic_block other)
{
	uint32_t number = bb ? graph_number(bb) : FLOW_OUTSIDE;

	return number == FLOW_OUTSIDE ? graph_number(other) : number;
}

/* Do all ways out of a loop begin at its header? */
static bool is_left_at_header(const class loop *loop)
{
	auto_vec<edge> exits = get_loop_exit_edges(loop);

	for (unsigned i = 0; i < exits.length(); i++)
		if (exits[i]->src != loop->header)
			return false;
	return exits.length() > 0;
}

/*
 * If a block's test alone leaves the loop that it begins: what comes next in the
 * loop, where nothing else leads there; else the block.
 */
static basic_block round_of(basic_block bb)
{
	const class loop *loop = bb->loop_father;
	basic_block next = NULL;
	edge out;
	edge_iterator at;

	if (!graph_has_loops() || !loop || loop->header != bb)
		return bb;
	FOR_EACH_EDGE(out, at, bb->succs)
	{
		if (!flow_bb_inside_loop_p(loop, out->dest))
			continue;
		if (next || !single_pred_p(out->dest))
			return bb;
		next = out->dest;
	}
	return next && is_left_at_header(loop) ? next : bb;
}

/* Where the innermost loop begins that a block is in. */
static uint32_t header_of(const_basic_block bb)
{
	const class loop *loop = bb->loop_father;

	return graph_has_loops() && loop && loop_depth(loop)
		       ? graph_number(loop->header)
		       : FLOW_OUTSIDE;
}

/* Does each round of its loop lead over a block, but not the end of the last one? */
static bool is_in_each_round(basic_block bb)
{
	const class loop *loop = bb->loop_father;
	edge out;
	edge_iterator at;

	if (!loop->latch || !dominated_by_p(CDI_DOMINATORS, loop->latch, bb))
		return false;
	FOR_EACH_EDGE(out, at, loop->header->succs)
	if (!flow_bb_inside_loop_p(loop, out->dest))
		return bb != loop->header;
	return true;
}

struct evidence_shape evidence_shape_new(const struct graph *g,
					 const uint32_t *classes)
{
	uint32_t *dominator = XCNEWVEC(uint32_t, g->body.nblocks);
	double *frequency = XCNEWVEC(double, g->body.nblocks);
	uint32_t *around = XCNEWVEC(uint32_t, g->body.nblocks);
	uint32_t *test_of = XCNEWVEC(uint32_t, g->body.nblocks);
	bool *heads = XCNEWVEC(bool, g->body.nblocks);
	uint32_t *rounds = XCNEWVEC(uint32_t, g->body.nblocks);
	uint32_t *headers = XCNEWVEC(uint32_t, g->body.nblocks);
	uint32_t *depth = XCNEWVEC(uint32_t, g->body.nblocks);
	bool *in_rounds = XCNEWVEC(bool, g->body.nblocks);
	struct evidence_shape shape = {};
	basic_block bb;

	calculate_dominance_info(CDI_DOMINATORS);
	FOR_EACH_BB_FN(bb, cfun)
	{
		uint32_t b = graph_number(bb);

		dominator[b] = number_or(
			get_immediate_dominator(CDI_DOMINATORS, bb), bb);
		around[b] = number_or(block_around(bb), bb);
		test_of[b] = graph_number(tests_first(bb));
		rounds[b] = graph_number(round_of(bb));
		headers[b] = header_of(bb);
		if (headers[b] != FLOW_OUTSIDE) {
			depth[b] = loop_depth(bb->loop_father);
			in_rounds[b] = is_in_each_round(bb);
		}
		frequency[b] = bb->count.initialized_p()
				       ? (double)bb->count.to_gcov_type()
				       : 0;
	}
	for (uint32_t l = 0; l < g->nlinks; l++)
		if (g->leaves[l])
			heads[g->links[l].from] = true;
	shape.class_of = classes;
	shape.dominator = dominator;
	shape.around = around;
	shape.frequency = frequency;
	shape.test_of = test_of;
	shape.heads = heads;
	shape.round_of = rounds;
	shape.header_of = headers;
	shape.depth = depth;
	shape.in_rounds = in_rounds;
	return shape;
}

void evidence_shape_free(struct evidence_shape *shape)
{
	XDELETEVEC(CONST_CAST(uint32_t *, shape->dominator));
	XDELETEVEC(CONST_CAST(uint32_t *, shape->around));
	XDELETEVEC(CONST_CAST(double *, shape->frequency));
	XDELETEVEC(CONST_CAST(uint32_t *, shape->test_of));
	XDELETEVEC(CONST_CAST(bool *, shape->heads));
	XDELETEVEC(CONST_CAST(uint32_t *, shape->round_of));
	XDELETEVEC(CONST_CAST(uint32_t *, shape->header_of));
	XDELETEVEC(CONST_CAST(uint32_t *, shape->depth));
	XDELETEVEC(CONST_CAST(bool *, shape->in_rounds));
}
