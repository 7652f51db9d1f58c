/*
 * gone.cc - loops of which the compiler leaves no loop.
 *
 * What a loop of sums leaves behind is a formula, what clears or copies an array
 * is a call, memset(), memcpy() or memmove(), and what counts the characters of
 * a string is one of strlen().  That code is executed once for each time that
 * such a loop is entered.
 */
#include "plugin/samplefdo.h"

#include "cfgloop.h"
#include "ssa-iterators.h"

/* What has more is no loop of a line or two. */
enum { MAX_ACCESSES = 8 };

static bool is_made_inside(const class loop *loop, const_tree value)
{
	const gimple *def = value && TREE_CODE(value) == SSA_NAME
				    ? SSA_NAME_DEF_STMT(value)
				    : NULL;

	return def && gimple_bb(def) &&
	       flow_bb_inside_loop_p(loop, gimple_bb(def));
}

static tree find_inside(tree *at, int *, void *loop)
{
	return is_made_inside((const class loop *)loop, *at) ? *at : NULL;
}

/* Is a place in memory another one in each round? */
static bool moves(const class loop *loop, tree place)
{
	return walk_tree(&place, find_inside, CONST_CAST(class loop *, loop),
			 NULL) != NULL;
}

static bool is_load(const gimple *s)
{
	return gimple_assign_single_p(s) && gimple_vuse(s) && !gimple_vdef(s);
}

/* What is loaded from an array is only stored. */
static bool is_only_stored(tree name)
{
	use_operand_p use;
	imm_use_iterator at;

	FOR_EACH_IMM_USE_FAST(use, at, name)
	{
		const gimple *s = USE_STMT(use);

		if (is_gimple_debug(s))
			continue;
		if (!gimple_assign_single_p(s) || !gimple_vdef(s) ||
		    gimple_assign_rhs1(s) != name)
			return false;
	}
	return true;
}

/* Does it go on where what is tested is not 0? */
static bool goes_on_if_not_0(const class loop *loop, gimple *test)
{
	enum tree_code code = gimple_cond_code(test);
	edge yes, no;

	if ((code != NE_EXPR && code != EQ_EXPR) ||
	    !integer_zerop(gimple_cond_rhs(test)))
		return false;
	extract_true_false_edges_from_block(gimple_bb(test), &yes, &no);
	return flow_bb_inside_loop_p(loop, (code == NE_EXPR ? yes : no)->dest);
}

/* A character that is only asked whether it ends a string. */
static bool is_only_tested(const class loop *loop, tree name)
{
	use_operand_p use;
	gimple *test;

	return INTEGRAL_TYPE_P(TREE_TYPE(name)) &&
	       integer_onep(TYPE_SIZE_UNIT(TREE_TYPE(name))) &&
	       single_imm_use(name, &use, &test) &&
	       gimple_code(test) == GIMPLE_COND &&
	       gimple_cond_lhs(test) == name && goes_on_if_not_0(loop, test);
}

static bool is_clear(const_tree value)
{
	return integer_zerop(value) || integer_all_onesp(value) ||
	       real_zerop(value) ||
	       (TREE_CODE(value) == CONSTRUCTOR &&
		CONSTRUCTOR_NELTS(value) == 0);
}

/* A byte, or what all bytes of are alike, or what was loaded; or aggregates. */
static bool fills(const class loop *loop, tree value)
{
	const gimple *def;

	if (is_clear(value) || !is_gimple_reg_type(TREE_TYPE(value)))
		return true;
	if (TREE_CODE(value) != SSA_NAME || !is_made_inside(loop, value))
		return integer_onep(TYPE_SIZE_UNIT(TREE_TYPE(value)));
	def = SSA_NAME_DEF_STMT(value);
	return is_gimple_assign(def) && is_load(def) &&
	       moves(loop, gimple_assign_rhs1(def));
}

static bool is_sum(const gimple *s)
{
	tree type = TREE_TYPE(gimple_assign_lhs(s));

	if (!INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type))
		return false;
	switch (gimple_assign_rhs_code(s)) {
	case PLUS_EXPR:
	case MINUS_EXPR:
	case POINTER_PLUS_EXPR:
	case MULT_EXPR:
	case LSHIFT_EXPR:
	case SSA_NAME:
CASE_CONVERT:
		return true;
	default:
		return false;
	}
}

static bool leaves_nothing(const class loop *loop, const gimple *s)
{
	switch (gimple_code(s)) {
	case GIMPLE_COND:
	case GIMPLE_NOP:
	case GIMPLE_PREDICT:
		return true;
	default:
		break;
	}
	if (gimple_clobber_p(s))
		return true;
	if (!is_gimple_assign(s) || gimple_has_volatile_ops(s))
		return false;
	if (gimple_vdef(s))
		return gimple_assign_single_p(s) &&
		       (!moves(loop, gimple_assign_lhs(s)) ||
			fills(loop, gimple_assign_rhs1(s)));
	if (is_load(s))
		return !moves(loop, gimple_assign_rhs1(s)) ||
		       is_only_stored(gimple_assign_lhs(s)) ||
		       is_only_tested(loop, gimple_assign_lhs(s));
	return is_sum(s);
}

/* What a statement reads or writes in memory; NULL: nothing. */
static tree place_of(const gimple *s)
{
	if (!is_gimple_assign(s) || gimple_clobber_p(s))
		return NULL;
	if (gimple_vdef(s))
		return gimple_assign_lhs(s);
	return is_load(s) ? gimple_assign_rhs1(s) : NULL;
}

/* Where an array begins, or the pointer to it: what its elements are far from. */
static tree array_of(const class loop *loop, tree place)
{
	tree base = get_base_address(place);
	const gimple *def;

	if (!base || TREE_CODE(base) != MEM_REF)
		return base;
	base = TREE_OPERAND(base, 0);
	while (is_made_inside(loop, base)) {
		def = SSA_NAME_DEF_STMT(base);
		if (!is_gimple_assign(def))
			break;
		base = gimple_assign_rhs1(def);
	}
	return base;
}

/* Of one array, which way it is copied is known. */
static bool is_of_same(const class loop *loop, tree a, tree b)
{
	tree array = array_of(loop, a), other = array_of(loop, b);

	return array && other && operand_equal_p(array, other, 0);
}

/* May what a statement stores along an array be what another one asks for? */
static bool is_in_the_way(const class loop *loop, gimple *store, tree place)
{
	return gimple_vdef(store) && moves(loop, gimple_assign_lhs(store)) &&
	       gimple_assign_lhs(store) != place &&
	       !(moves(loop, place) &&
		 is_of_same(loop, gimple_assign_lhs(store), place)) &&
	       stmt_may_clobber_ref_p(store, place);
}

/* All statements of a loop that read memory or write it. */
struct accesses {
	gimple *all[MAX_ACCESSES];
	unsigned n;
};

static bool are_apart(const class loop *loop, const struct accesses *a)
{
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned k = 0; k < a->n; k++)
			if (is_in_the_way(loop, a->all[i], place_of(a->all[k])))
				return false;
	return true;
}

static bool add_access(struct accesses *a, gimple *s)
{
	if (!place_of(s))
		return true;
	if (a->n == MAX_ACCESSES)
		return false;
	a->all[a->n++] = s;
	return true;
}

static bool any_tested(const class loop *loop, const struct accesses *a)
{
	for (unsigned i = 0; i < a->n; i++) {
		const gimple *s = a->all[i];

		if (is_load(s) && moves(loop, gimple_assign_rhs1(s)) &&
		    is_only_tested(loop, gimple_assign_lhs(s)))
			return true;
	}
	return false;
}

enum gone gone_as(const class loop *loop, const basic_block *blocks)
{
	struct accesses accesses = {};

	if (loop->inner)
		return GONE_NOT;
	for (unsigned i = 0; i < loop->num_nodes; i++) {
		gimple_stmt_iterator at =
			gsi_start_nondebug_after_labels_bb(blocks[i]);

		if (blocks[i] != loop->header && !single_succ_p(blocks[i]))
			return GONE_NOT;
		for (; !gsi_end_p(at); gsi_next_nondebug(&at))
			if (!leaves_nothing(loop, gsi_stmt(at)) ||
			    !add_access(&accesses, gsi_stmt(at)))
				return GONE_NOT;
	}
	if (loop->latch == loop->header || !are_apart(loop, &accesses))
		return GONE_NOT;
	return any_tested(loop, &accesses) ? GONE_STRING : GONE_ARRAY;
}
