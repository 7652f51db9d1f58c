/*
 * repair.cc - no block that is reached is left for code that never runs.
 *
 * Where two tests of a function depend on each other and their counts do not
 * agree, jump threading takes more from a block than it had, and leaves it 0
 * though others lead there.  When the statements become instructions, GCC
 * gives what follows the counts that such edges have, and moves hot loops to
 * .cold.  So at the very end of the passes on statements, a block with 0 gets
 * what enters it.
 */
#include "plugin/samplefdo.h"

namespace
{
const pass_data repair_pass_data = {
	GIMPLE_PASS,
	"samplefdo_repair",
	OPTGROUP_NONE,
	TV_IPA_PROFILE,
	PROP_cfg,
	0,
	0,
	0,
	0,
};

struct pass_repair : public gimple_opt_pass {
	struct samplefdo *s;

	pass_repair(struct samplefdo *s)
	    : gimple_opt_pass(repair_pass_data, g), s(s)
	{
	}
	bool gate(function *) final override
	{
		return s->known && profile_status_for_fn(cfun) == PROFILE_READ;
	}
	unsigned int execute(function *) final override;
};
} // namespace

static bool is_zero(profile_count count)
{
	return count.initialized_p() && !count.nonzero_p();
}

/* Did it have 0 though something enters it? */
static bool repair(basic_block bb)
{
	profile_count entering = profile_count::zero();
	edge in;
	edge_iterator at;

	if (!is_zero(bb->count))
		return false;
	FOR_EACH_EDGE(in, at, bb->preds)
	if (in->count().initialized_p() && in->count().nonzero_p())
		entering += in->count();
	if (!entering.nonzero_p())
		return false;
	bb->count = entering;
	return true;
}

/* What is repaired enters others; in this order, most of them come later. */
unsigned int pass_repair::execute(function *)
{
	int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
	int n = pre_and_rev_post_order_compute(NULL, order, false);
	bool again = true;

	while (again) {
		again = false;
		for (int i = 0; i < n; i++)
			again |= repair(BASIC_BLOCK_FOR_FN(cfun, order[i]));
	}
	XDELETEVEC(order);
	return 0;
}

gimple_opt_pass *repair_pass_new(struct samplefdo *s)
{
	return new pass_repair(s);
}
