/*
 * graph.cc - a function's control-flow graph as counts.h sees it.
 *
 * What GCC will make of it is told along with it, since samples are of that:
 * the test that a loop begins with is moved to its end, and a jump to a test
 * that can only come out one way becomes a jump to where that leads.
 */
#include "plugin/samplefdo.h"

#include "cfgloop.h"

#include "mcf/smooth.h"

uint32_t graph_number(const_basic_block bb)
{
	return bb->index < NUM_FIXED_BLOCKS ? FLOW_OUTSIDE
					    : bb->index - NUM_FIXED_BLOCKS;
}

double graph_guessed_share(const_edge e)
{
	const int64_t one = (int64_t)1 << 30;

	if (!e->probability.initialized_p())
		return 1.0 / EDGE_COUNT(e->src->succs);
	return (double)e->probability.apply(one) / (double)one;
}

bool graph_has_loops(void)
{
	return loops_for_fn(cfun) && !loops_state_satisfies_p(LOOPS_NEED_FIXUP);
}

/* Does an edge leave a loop from the block that it begins with? */
static bool leaves_at_test(const_edge e)
{
	const class loop *loop = e->src->loop_father;

	return graph_has_loops() && loop && loop->header == e->src &&
	       !flow_bb_inside_loop_p(loop, e->dest);
}

/*
 * Does an edge lead back to the test that a loop begins with?  The test will
 * be moved to the loop's end, and so it was in the profiled program.
 */
static bool leads_to_test(const_edge e)
{
	const class loop *loop = e->dest->loop_father;
	edge out;
	edge_iterator at;

	if (!graph_has_loops() || !loop || loop->header != e->dest ||
	    !flow_bb_inside_loop_p(loop, e->src))
		return false;
	FOR_EACH_EDGE(out, at, e->dest->succs)
	if (!flow_bb_inside_loop_p(loop, out->dest))
		return true;
	return false;
}

/* NULL: nothing, or no such PHI is in the block that the edge leads to. */
static gimple *def_on(tree name, const_edge entry)
{
	gimple *phi = SSA_NAME_DEF_STMT(name);

	if (gimple_code(phi) != GIMPLE_PHI || gimple_bb(phi) != entry->dest)
		return NULL;
	return SSA_NAME_DEF_STMT(gimple_phi_arg_def(phi, entry->dest_idx));
}

/*
 * What a load gets if the last store before the edge was one of a constant to
 * the same; NULL: not known.  A variable whose address is taken is in memory,
 * as all are that Fortran passes.  What is volatile is never the same.
 */
static tree stored_on(gimple *load, const_edge entry)
{
	tree memory = gimple_vuse(load); /* NULL: it never changes */
	gimple *store = memory ? def_on(memory, entry) : NULL;

	if (!store || !gimple_assign_single_p(store) ||
	    !is_gimple_min_invariant(gimple_assign_rhs1(store)) ||
	    !operand_equal_p(gimple_assign_lhs(store), gimple_assign_rhs1(load),
			     0))
		return NULL;
	return gimple_assign_rhs1(store);
}

/* What an operand of a test is when its block is entered by this edge. */
static tree value_on(tree operand, const_edge entry)
{
	gimple *def;
	tree stored;

	if (TREE_CODE(operand) != SSA_NAME)
		return operand;
	def = SSA_NAME_DEF_STMT(operand);
	if (gimple_bb(def) != entry->dest)
		return operand;
	if (gimple_code(def) == GIMPLE_PHI)
		return gimple_phi_arg_def(def, entry->dest_idx);
	stored = gimple_assign_load_p(def) ? stored_on(def, entry) : NULL;
	return stored ? stored : operand;
}

gimple *graph_test_of(basic_block bb)
{
	gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);

	if (gsi_end_p(last) || gimple_code(gsi_stmt(last)) != GIMPLE_COND)
		return NULL;
	return gsi_stmt(last);
}

/* What loads that which the test of a block compares; or NULL. */
static gimple *load_of(basic_block bb)
{
	gimple *test = graph_test_of(bb), *def;

	if (!test || TREE_CODE(gimple_cond_lhs(test)) != SSA_NAME)
		return NULL;
	def = SSA_NAME_DEF_STMT(gimple_cond_lhs(test));
	return gimple_assign_load_p(def) ? def : NULL;
}

/* How it goes on behind an edge, if the test there can only come out so. */
static edge decided(edge entry)
{
	gimple *test = graph_test_of(entry->dest);
	edge out;
	edge_iterator at;
	tree holds;

	if (!test)
		return NULL;
	holds = fold_binary(gimple_cond_code(test), boolean_type_node,
			    value_on(gimple_cond_lhs(test), entry),
			    value_on(gimple_cond_rhs(test), entry));
	if (!holds || TREE_CODE(holds) != INTEGER_CST)
		return NULL;
	FOR_EACH_EDGE(out, at, entry->dest->succs)
	if (!!(out->flags & EDGE_TRUE_VALUE) == !integer_zerop(holds))
		return out;
	return NULL;
}

/* Does the loop that begins with this test always go on when entered? */
static bool is_passed_at_first(basic_block bb)
{
	edge in, out;
	edge_iterator at;

	if (!graph_test_of(bb))
		return false;
	FOR_EACH_EDGE(in, at, bb->preds)
	{
		if (flow_bb_inside_loop_p(bb->loop_father, in->src))
			continue;
		out = decided(in);
		if (!out || !flow_bb_inside_loop_p(bb->loop_father, out->dest))
			return false;
	}
	return true;
}

/*
 * Will a jump by this edge be one to where it leads behind the next test?  Not
 * around the beginning of a loop, nor where the test's block does more.
 */
static bool is_threaded(const_edge e)
{
	return graph_has_loops() && e->dest->loop_father &&
	       e->dest->loop_father->header != e->dest &&
	       !gimple_seq_empty_p(phi_nodes(e->dest)) &&
	       tests_is_idle(e->dest, load_of(e->dest));
}

static void add_link(struct graph *g, uint32_t from, uint32_t to, edge e)
{
	g->links[g->nlinks].from = from;
	g->links[g->nlinks].to = to;
	g->shares[g->nlinks] = e ? graph_guessed_share(e) : 1;
	g->again[g->nlinks] = e && leads_to_test(e);
	g->leaves[g->nlinks] = e && leaves_at_test(e);
	if (g->again[g->nlinks])
		g->passed[to] = is_passed_at_first(e->dest);
	g->edges[g->nlinks++] = e;
}

/*
 * The part that a block has of the instructions that a sample is counted for.
 * Larger ones get no more: of theirs, most may wait for nothing.
 */
static double size_of(basic_block bb)
{
	int n = 0;

	for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at);
	     gsi_next(&at))
		n += estimate_num_insns(gsi_stmt(at), &eni_size_weights);
	return (double)MIN(MAX(n, 1), PROFILE_BLOCK_SIZE) / PROFILE_BLOCK_SIZE;
}

static uint32_t find_link(const struct graph *g, uint32_t first, const_edge e)
{
	while (g->edges[first] != e)
		first++;
	return first;
}

/* Of each link the one that follows, where that is certain. */
static void find_decided(struct graph *g, const uint32_t *first)
{
	for (uint32_t l = 0; l < g->nlinks; l++) {
		edge e = g->edges[l], out = NULL;

		if (e && g->links[l].to != FLOW_OUTSIDE && is_threaded(e))
			out = decided(e);
		g->decides[l] =
			out ? find_link(g, first[g->links[l].to], out) : l;
	}
}

void graph_init(struct graph *g)
{
	size_t room = n_edges_for_fn(cfun) + n_basic_blocks_for_fn(cfun);
	size_t numbers = last_basic_block_for_fn(cfun);
	uint32_t *first = XCNEWVEC(uint32_t, numbers);
	basic_block bb;
	edge e;
	edge_iterator at;

	g->nlinks = 0;
	g->links = XNEWVEC(struct flow_link, room);
	g->shares = XNEWVEC(double, room);
	g->sizes = XNEWVEC(double, numbers);
	g->again = XNEWVEC(bool, room);
	g->leaves = XNEWVEC(bool, room);
	g->passed = XCNEWVEC(bool, numbers);
	g->decides = XNEWVEC(uint32_t, room);
	g->edges = XNEWVEC(edge, room);
	g->ends = XCNEWVEC(bool, numbers);
	for (size_t b = 0; b < numbers; b++)
		g->sizes[b] = 1; /* numbers of no block */
	FOR_EACH_EDGE(e, at, ENTRY_BLOCK_PTR_FOR_FN(cfun)->succs)
	add_link(g, FLOW_OUTSIDE, graph_number(e->dest), e);
	FOR_EACH_BB_FN(bb, cfun)
	{
		g->sizes[graph_number(bb)] = size_of(bb);
		first[graph_number(bb)] = g->nlinks;
		FOR_EACH_EDGE(e, at, bb->succs)
		add_link(g, graph_number(bb), graph_number(e->dest), e);
		if (EDGE_COUNT(bb->succs) > 0)
			continue;
		add_link(g, graph_number(bb), FLOW_OUTSIDE, NULL);
		g->ends[graph_number(bb)] =
			EDGE_COUNT(EXIT_BLOCK_PTR_FOR_FN(cfun)->preds) > 0;
	}
	g->body.nblocks = numbers - NUM_FIXED_BLOCKS;
	g->body.links = g->links;
	g->body.shares = g->shares;
	g->body.again = g->again;
	g->body.leaves = g->leaves;
	g->body.passed = g->passed;
	g->body.decides = g->decides;
	g->body.nlinks = g->nlinks;
	g->body.sizes = g->sizes;
	g->body.ends = g->ends;
	find_decided(g, first);
	XDELETEVEC(first);
}

void graph_deinit(struct graph *g)
{
	XDELETEVEC(g->links);
	XDELETEVEC(g->shares);
	XDELETEVEC(g->sizes);
	XDELETEVEC(g->again);
	XDELETEVEC(g->leaves);
	XDELETEVEC(g->passed);
	XDELETEVEC(g->decides);
	XDELETEVEC(g->ends);
	XDELETEVEC(g->edges);
}
