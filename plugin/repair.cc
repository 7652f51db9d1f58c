/*
 * repair.cc - zeros that GCC's own passes make of the counts.
 *
 * No block that is reached is left for code that never runs.  Where two tests
 * of a function depend on each other and their counts do not agree, jump
 * threading takes more from a block than it had, and leaves it 0 though others
 * lead there.  When the statements become instructions, GCC gives what follows
 * the counts that such edges have, and moves hot loops to .cold.  So at the
 * very end of the passes on statements, a block with 0 gets what enters it.
 *
 * And the vectorizer gets no 0 that it divides by.  Where a function is inlined
 * that runs less often there, its counts are scaled, and small ones rounded to
 * a 0 that is not precise any more, but better than a guess.  To what is left
 * of a loop beside vectors, GCC 11 and 12 give its count by that count and what
 * is left of it by a guessed probability: two zeros of which only one is a
 * guess, so that one is divided by the other.  Of equal ones it keeps the
 * count.  So before it comes, such a 0 becomes a guess, which changes nothing
 * else: neither is taken for code that never runs.
 */
#include "plugin/samplefdo.h"

/* At a link, they come with the object files. */
static bool may_have_counts(const struct samplefdo *s)
{
	return in_lto_p || s->known;
}

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
	const struct samplefdo *s;

	pass_repair(const struct samplefdo *s)
	    : gimple_opt_pass(repair_pass_data, g), s(s)
	{
	}
	bool gate(function *) final override
	{
		return may_have_counts(s) &&
		       profile_status_for_fn(cfun) == PROFILE_READ;
	}
	unsigned int execute(function *) final override;
};

const pass_data zeros_pass_data = {
	GIMPLE_PASS,
	"samplefdo_zeros",
	OPTGROUP_NONE,
	TV_IPA_PROFILE,
	PROP_cfg,
	0,
	0,
	0,
	0,
};

/* A function that is not known may have inlined one that is. */
struct pass_zeros : public gimple_opt_pass {
	const struct samplefdo *s;

	pass_zeros(const struct samplefdo *s)
	    : gimple_opt_pass(zeros_pass_data, g), s(s)
	{
	}
	bool gate(function *) final override
	{
		return may_have_counts(s);
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

unsigned int pass_zeros::execute(function *)
{
	basic_block bb;

	FOR_ALL_BB_FN(bb, cfun)
	if (is_zero(bb->count) && !bb->count.precise_p())
		bb->count = bb->count.guessed();
	return 0;
}

gimple_opt_pass *repair_pass_new(const struct samplefdo *s)
{
	return new pass_repair(s);
}

gimple_opt_pass *zeros_pass_new(const struct samplefdo *s)
{
	return new pass_zeros(s);
}
