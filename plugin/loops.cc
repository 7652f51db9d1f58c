/*
 * loops.cc - the current function's loops, and of which GCC knows the rounds,
 * or leaves no loop (gone.cc).
 *
 * Its own number_of_iterations_exit() wants each loop to be entered from a
 * block of its own.  These are made later, and to make them now would change
 * the graph that exact counts are found by.  So this knows less: integers that
 * begin with a constant, have one added each time, and are compared with one.
 */
#include "plugin/samplefdo.h"

#include "cfgloop.h"

/* A variable that a loop counts with: it begins with a constant. */
struct counter {
	int64_t first, step;
};

static bool is_constant(const_tree value, int64_t *ret)
{
	if (!value || TREE_CODE(value) != INTEGER_CST ||
	    !tree_fits_shwi_p(value))
		return false;
	*ret = tree_to_shwi(value);
	return true;
}

/* Also what is the same constant on all ways to where they meet. */
static bool begins_with(tree value, int64_t *ret)
{
	gimple *phi =
		TREE_CODE(value) == SSA_NAME ? SSA_NAME_DEF_STMT(value) : NULL;
	int64_t other;

	if (!phi || gimple_code(phi) != GIMPLE_PHI)
		return is_constant(value, ret);
	for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
		if (!is_constant(gimple_phi_arg_def(phi, i), &other) ||
		    (i && other != *ret))
			return false;
		*ret = other;
	}
	return true;
}

/* What is added to a name of an integer, and to which; NULL: something else. */
static tree without_step(tree name, int64_t *step)
{
	const gimple *def =
		TREE_CODE(name) == SSA_NAME ? SSA_NAME_DEF_STMT(name) : NULL;
	const_tree added;

	if (!def || !is_gimple_assign(def) ||
	    gimple_assign_rhs_code(def) != PLUS_EXPR ||
	    !INTEGRAL_TYPE_P(TREE_TYPE(name)))
		return NULL;
	added = gimple_assign_rhs2(def);
	/* A falling unsigned number has a large one added. */
	if (TREE_CODE(added) != INTEGER_CST ||
	    TYPE_PRECISION(TREE_TYPE(added)) > HOST_BITS_PER_WIDE_INT)
		return NULL;
	*step = wi::to_wide(added).to_shwi();
	return gimple_assign_rhs1(def);
}

/* What a PHI of the header is, if it begins with one constant on all ways. */
static bool is_counter(const class loop *loop, tree name, struct counter *ret)
{
	gimple *phi =
		TREE_CODE(name) == SSA_NAME ? SSA_NAME_DEF_STMT(name) : NULL;
	edge in;
	edge_iterator at;
	bool has_first = false, has_step = false;

	if (!phi || gimple_code(phi) != GIMPLE_PHI ||
	    gimple_bb(phi) != loop->header)
		return false;
	FOR_EACH_EDGE(in, at, loop->header->preds)
	{
		tree value = gimple_phi_arg_def(phi, in->dest_idx);
		bool again = flow_bb_inside_loop_p(loop, in->src);
		bool *has = again ? &has_step : &has_first;
		int64_t old = again ? ret->step : ret->first, found = 0;

		if (again ? without_step(value, &found) != name
			  : !begins_with(value, &found))
			return false;
		if (*has && found != old)
			return false;
		*has = true;
		(again ? ret->step : ret->first) = found;
	}
	return has_first && has_step;
}

static bool is_comparison(enum tree_code code, enum rounds_while *ret)
{
	switch (code) {
	case LT_EXPR:
		*ret = WHILE_LESS;
		return true;
	case LE_EXPR:
		*ret = WHILE_LESS_OR_SAME;
		return true;
	case GT_EXPR:
		*ret = WHILE_MORE;
		return true;
	case GE_EXPR:
		*ret = WHILE_MORE_OR_SAME;
		return true;
	case NE_EXPR:
		*ret = WHILE_OTHER;
		return true;
	default:
		return false;
	}
}

static bool fits(int64_t value, tree type)
{
	return TYPE_PRECISION(type) <= HOST_BITS_PER_WIDE_INT &&
	       int_fits_type_p(
		       build_int_cst(long_long_integer_type_node, value), type);
}

/* What a loop tests is its counter, or that with something added. */
static bool is_counted(const class loop *loop, tree name, struct counter *ret)
{
	int64_t added;

	if (is_counter(loop, name, ret))
		return true;
	name = without_step(name, &added);
	return name && is_counter(loop, name, ret) &&
	       !__builtin_add_overflow(ret->first, added, &ret->first) &&
	       fits(ret->first, TREE_TYPE(name));
}

/* -1: that depends. */
static int64_t rounds_until(const class loop *loop, const_edge exit)
{
	gimple_stmt_iterator last = gsi_last_nondebug_bb(exit->src);
	const gimple *test = gsi_end_p(last) ? NULL : gsi_stmt(last);
	struct counter counter = {};
	enum tree_code code;
	enum rounds_while how;
	int64_t limit, rounds, end;

	if (!test || gimple_code(test) != GIMPLE_COND ||
	    !dominated_by_p(CDI_DOMINATORS, loop->latch, exit->src) ||
	    !is_constant(gimple_cond_rhs(test), &limit) ||
	    !is_counted(loop, gimple_cond_lhs(test), &counter))
		return -1;
	code = gimple_cond_code(test);
	if (exit->flags & EDGE_TRUE_VALUE)
		code = invert_tree_comparison(code, false);
	if (!is_comparison(code, &how))
		return -1;
	rounds = rounds_while(how, counter.first, counter.step, limit);
	/* Or else it begins again with the smallest number. */
	if (rounds < 0 || __builtin_mul_overflow(rounds, counter.step, &end) ||
	    __builtin_add_overflow(end, counter.first, &end) ||
	    !fits(end, TREE_TYPE(gimple_cond_lhs(test))))
		return -1;
	return rounds;
}

static void take_blocks(struct rounds *r, const basic_block *blocks,
			const class loop *loop)
{
	r->header = graph_number(loop->header);
	r->nblocks = loop->num_nodes;
	r->blocks = XNEWVEC(uint32_t, r->nblocks);
	r->behind = XCNEWVEC(bool, r->nblocks);
	r->always = XCNEWVEC(bool, r->nblocks);
	for (unsigned i = 0; i < r->nblocks; i++) {
		r->blocks[i] = graph_number(blocks[i]);
		r->always[i] =
			loop->latch &&
			dominated_by_p(CDI_DOMINATORS, loop->latch, blocks[i]);
	}
}

/* The exit that counts a loop's rounds, or the only one of a loop that is gone. */
static void take_exit(struct rounds *r, const basic_block *blocks,
		      const_edge exit)
{
	r->from = graph_number(exit->src);
	r->to = graph_number(exit->dest);
	r->guessed = 1 - graph_guessed_share(exit);
	for (unsigned i = 0; i < r->nblocks; i++)
		r->behind[i] =
			blocks[i] != exit->src &&
			dominated_by_p(CDI_DOMINATORS, blocks[i], exit->src);
}

/* Where a loop is left. */
struct ways_out {
	unsigned n;	   /* also by calls that do not return */
	edge any, counted; /* counted: after the least known rounds; or NULL */
	int64_t rounds;
	bool tests_first;
};

static void find_ways_out(const basic_block *blocks, const class loop *loop,
			  struct ways_out *ret)
{
	edge e;
	edge_iterator at;

	for (unsigned i = 0; i < loop->num_nodes; i++) {
		ret->n += EDGE_COUNT(blocks[i]->succs) == 0;
		FOR_EACH_EDGE(e, at, blocks[i]->succs)
		{
			int64_t rounds;

			if (flow_bb_inside_loop_p(loop, e->dest))
				continue;
			ret->n++;
			ret->any = e;
			ret->tests_first |= e->src == loop->header;
			rounds = rounds_until(loop, e);
			if (rounds < 0 ||
			    (ret->counted && rounds >= ret->rounds))
				continue;
			ret->counted = e;
			ret->rounds = rounds;
		}
	}
}

static void find_rounds(class loop *loop, struct rounds *r)
{
	basic_block *blocks = get_loop_body(loop);
	struct ways_out out = {};
	enum gone gone = GONE_NOT;

	take_blocks(r, blocks, loop);
	if (loop->latch)
		find_ways_out(blocks, loop, &out);
	r->tests_first = out.tests_first;
	r->has_others = out.n > 1;
	r->is_known = out.counted != NULL;
	r->rounds = out.rounds;
	if (!out.counted && out.n == 1 && out.any)
		gone = gone_as(loop, blocks);
	r->is_gone = gone != GONE_NOT;
	r->is_string = gone == GONE_STRING;
	if (r->is_known || r->is_gone)
		take_exit(r, blocks, r->is_gone ? out.any : out.counted);
	free(blocks);
}

struct known_loops loops_known(void)
{
	struct known_loops known = {};

	if (!graph_has_loops() || number_of_loops(cfun) < 2)
		return known;
	known.all = XCNEWVEC(struct rounds, number_of_loops(cfun));
	calculate_dominance_info(CDI_DOMINATORS);
	for (unsigned i = 1; i < number_of_loops(cfun); i++) {
		class loop *loop = get_loop(cfun, i);

		if (loop && loop->header)
			find_rounds(loop, &known.all[known.n++]);
	}
	return known;
}

void loops_free(struct known_loops *known)
{
	for (size_t i = 0; i < known->n; i++) {
		XDELETEVEC(known->all[i].blocks);
		XDELETEVEC(known->all[i].behind);
		XDELETEVEC(known->all[i].always);
	}
	XDELETEVEC(known->all);
}
