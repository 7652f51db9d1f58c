/*
 * minmax.cc - larger or smaller ones of two numbers, which take no jump.
 *
 * For "a > b ? a : b" of floating point there is one instruction, which the compiler
 * finds late, where a branch and its two ways still are what it was written as.  Tail
 * duplication (-ftracer) leaves no such ways, and so a jump that nobody can foresee.
 * Of whole numbers they are found before, and by GCC 14 and later all are.
 *
 * So right before it, when all is inlined, it is turned off in functions of which many
 * executions choose so.
 */
#include "plugin/samplefdo.h"

/* Of all executions of blocks, so many parts are such a branch. */
static const int many_parts = 8;

/* Where a way goes on, past a block that does nothing. */
static basic_block behind(edge e, edge *last)
{
	*last = e;
	if (single_succ_p(e->dest) && single_pred_p(e->dest) &&
	    gsi_end_p(gsi_last_nondebug_bb(e->dest)))
		*last = single_succ_edge(e->dest);
	return (*last)->dest;
}

/* Is one of the two that are compared chosen? */
static bool chooses(const gphi *phi, edge one, edge other, const gcond *test)
{
	tree a = gimple_cond_lhs(test), b = gimple_cond_rhs(test);
	tree x = gimple_phi_arg_def(phi, one->dest_idx);
	tree y = gimple_phi_arg_def(phi, other->dest_idx);

	return (operand_equal_p(x, a) && operand_equal_p(y, b)) ||
	       (operand_equal_p(x, b) && operand_equal_p(y, a));
}

static bool is_minmax(basic_block bb)
{
	gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);
	const gcond *test = gsi_end_p(last)
				    ? NULL
				    : dyn_cast<const gcond *>(gsi_stmt(last));
	edge one, other;
	basic_block join;

	if (!test || EDGE_COUNT(bb->succs) != 2 ||
	    !SCALAR_FLOAT_TYPE_P(TREE_TYPE(gimple_cond_lhs(test))))
		return false;
	join = behind(EDGE_SUCC(bb, 0), &one);
	if (behind(EDGE_SUCC(bb, 1), &other) != join || one == other)
		return false;
	for (gphi_iterator at = gsi_start_phis(join); !gsi_end_p(at);
	     gsi_next(&at))
		if (chooses(at.phi(), one, other, test))
			return true;
	return false;
}

static bool takes_much(void)
{
	double all = 0, minmax = 0;
	basic_block bb;

	FOR_EACH_BB_FN(bb, cfun)
	{
		double count = bb->count.initialized_p()
				       ? (double)bb->count.to_gcov_type()
				       : 0;

		all += count;
		if (count > 0 && is_minmax(bb))
			minmax += count;
	}
	return minmax > 0 && minmax * many_parts >= all;
}

namespace
{
const pass_data minmax_pass_data = {
	GIMPLE_PASS,
	"samplefdo_minmax",
	OPTGROUP_NONE,
	TV_TRACER,
	PROP_cfg,
	0,
	0,
	0,
	0,
};

struct pass_minmax : public gimple_opt_pass {
	const struct samplefdo *s;

	pass_minmax(const struct samplefdo *s)
	    : gimple_opt_pass(minmax_pass_data, g), s(s)
	{
	}
	bool gate(function *) final override
	{
		return flag_tracer && may_have_counts(s) &&
		       profile_status_for_fn(cfun) == PROFILE_READ;
	}
	unsigned int execute(function *) final override;
};
} // namespace

unsigned int pass_minmax::execute(function *)
{
	if (takes_much()) {
		flags_without_traces();
		set_cfun(cfun, true); /* now, too */
	}
	return 0;
}

gimple_opt_pass *minmax_pass_new(const struct samplefdo *s)
{
	return new pass_minmax(s);
}
