/*
 * constants.cc - the constants that calls pass, and the tests they decide.
 */
#include "plugin/samplefdo.h"

#include "gimple-fold.h"
#include "tree-dfa.h"

/* A test depends on a parameter over so many statements at most. */
enum { MAX_STEPS = 4 };

/* The number of a parameter of the current function; -1: it is none. */
static int parameter_of(tree operand)
{
	tree variable;
	int n = 0;

	if (TREE_CODE(operand) != SSA_NAME || !SSA_NAME_IS_DEFAULT_DEF(operand))
		return -1;
	variable = SSA_NAME_VAR(operand);
	for (tree at = DECL_ARGUMENTS(current_function_decl); at;
	     at = DECL_CHAIN(at), n++)
		if (at == variable && n < PASSED_MAX)
			return n;
	return -1;
}

static bool value_of(tree argument, struct passed_value *ret)
{
	int parameter = parameter_of(argument);

	if (parameter >= 0) {
		ret->is_parameter = true;
		ret->value = parameter;
		return true;
	}
	if (TREE_CODE(argument) != INTEGER_CST || !tree_fits_shwi_p(argument))
		return false;
	ret->is_parameter = false;
	ret->value = tree_to_shwi(argument);
	return true;
}

size_t constants_passed(const gimple *call, struct passed_value *values)
{
	size_t n = 0;

	for (unsigned i = 0; i < gimple_call_num_args(call) && i < PASSED_MAX;
	     i++) {
		values[n].parameter = i;
		n += value_of(gimple_call_arg(call, i), &values[n]);
	}
	return n;
}

/* Which parameters an operand is computed from, without memory. */
static uint64_t parameters_in(tree operand, unsigned steps)
{
	int parameter = parameter_of(operand);
	gimple *def;
	uint64_t found = 0;

	if (parameter >= 0)
		return (uint64_t)1 << parameter;
	if (TREE_CODE(operand) != SSA_NAME || steps == MAX_STEPS)
		return 0;
	def = SSA_NAME_DEF_STMT(operand);
	if (!is_gimple_assign(def))
		return 0;
	for (unsigned i = 1; i < gimple_num_ops(def); i++)
		found |= parameters_in(gimple_op(def, i), steps + 1);
	return found;
}

static gimple *last_of(basic_block bb)
{
	gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);

	return gsi_end_p(last) ? NULL : gsi_stmt(last);
}

uint64_t constants_tested(void)
{
	uint64_t found = 0;
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
	{
		gimple *test = last_of(bb);

		if (!test)
			continue;
		if (gimple_code(test) == GIMPLE_COND)
			found |= parameters_in(gimple_cond_lhs(test), 0) |
				 parameters_in(gimple_cond_rhs(test), 0);
		else if (gimple_code(test) == GIMPLE_SWITCH)
			found |= parameters_in(
				gimple_switch_index(as_a<gswitch *>(test)), 0);
	}
	return found;
}

/* What names stand for, by number; GCC asks for it without saying for whom. */
static tree *known;
static unsigned nknown;

static tree valueize(tree operand)
{
	if (TREE_CODE(operand) == SSA_NAME &&
	    SSA_NAME_VERSION(operand) < nknown &&
	    known[SSA_NAME_VERSION(operand)])
		return known[SSA_NAME_VERSION(operand)];
	return operand;
}

static void know(tree name, tree value)
{
	if (name && TREE_CODE(name) == SSA_NAME && value &&
	    TREE_CODE(value) == INTEGER_CST && SSA_NAME_VERSION(name) < nknown)
		known[SSA_NAME_VERSION(name)] = value;
}

static void know_parameters(const struct passed *passed)
{
	tree at = DECL_ARGUMENTS(current_function_decl);
	uint32_t number = 0;

	for (size_t i = 0; i < passed->n; i++) {
		const struct passed_value *value = &passed->values[i];
		tree name;

		for (; at && number < value->parameter; number++)
			at = DECL_CHAIN(at);
		name = at ? ssa_default_def(cfun, at) : NULL;
		if (name && (INTEGRAL_TYPE_P(TREE_TYPE(name)) ||
			     POINTER_TYPE_P(TREE_TYPE(name))))
			know(name,
			     build_int_cst(TREE_TYPE(name), value->value));
	}
}

/* How the only test of a block comes out, if that is known. */
static edge edge_for(basic_block bb, gimple *test)
{
	tree value = NULL;

	if (test && gimple_code(test) == GIMPLE_COND)
		value = fold_binary(gimple_cond_code(test), boolean_type_node,
				    valueize(gimple_cond_lhs(test)),
				    valueize(gimple_cond_rhs(test)));
	else if (test && gimple_code(test) == GIMPLE_SWITCH)
		value = valueize(gimple_switch_index(as_a<gswitch *>(test)));
	return value && TREE_CODE(value) == INTEGER_CST
		       ? find_taken_edge(bb, value)
		       : NULL;
}

/* In an order in which each value is known before it is used. */
static void know_values(void)
{
	int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
	int n = pre_and_rev_post_order_compute(NULL, order, false);

	for (int i = 0; i < n; i++) {
		basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);

		for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at);
		     gsi_next(&at))
			if (is_gimple_assign(gsi_stmt(at)))
				know(gimple_get_lhs(gsi_stmt(at)),
				     gimple_fold_stmt_to_constant_1(
					     gsi_stmt(at), valueize));
	}
	XDELETEVEC(order);
}

void constants_decide(const struct graph *g, const struct passed *passed,
		      double *shares)
{
	nknown = num_ssa_names;
	known = XCNEWVEC(tree, nknown);
	fold_defer_overflow_warnings();
	know_parameters(passed);
	know_values();
	for (uint32_t l = 0; l < g->nlinks; l++) {
		edge e = g->edges[l], taken = NULL;

		if (e)
			taken = edge_for(e->src, last_of(e->src));
		shares[l] = taken ? taken == e : g->shares[l];
	}
	fold_undefer_and_ignore_overflow_warnings();
	XDELETEVEC(known);
	nknown = 0;
}
