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
 * Nor is a hot block behind such that never run.  From then on, GCC searches what
 * can be reached over edges and blocks with counts, and takes the rest for what never
 * runs, whatever counts it has.  Rounding leaves small counts 0, and a guess that is
 * not one of them may be between.  So a way to each hot block gets zeros that are not
 * precise, which is what GCC looks at.
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

bool may_have_counts(const struct samplefdo *s)
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

/* Blocks in the order of a search, and how each was come to. */
struct search {
	basic_block *blocks;
	int n;
	edge *over; /* by a block's index; NULL: not reached, or the first */
	bool *reached;
};

static void search_begin(struct search *s)
{
	s->blocks = XNEWVEC(basic_block, n_basic_blocks_for_fn(cfun));
	s->n = 0;
	s->over = XCNEWVEC(edge, last_basic_block_for_fn(cfun));
	s->reached = XCNEWVEC(bool, last_basic_block_for_fn(cfun));
}

static void search_end(struct search *s)
{
	XDELETEVEC(s->blocks);
	XDELETEVEC(s->over);
	XDELETEVEC(s->reached);
}

static void come_to(struct search *s, basic_block bb, edge over)
{
	if (s->reached[bb->index])
		return;
	s->reached[bb->index] = true;
	s->over[bb->index] = over;
	s->blocks[s->n++] = bb;
}

/* It has the one 0 that GCC takes for what never runs. */
static bool is_never(profile_count count)
{
	return count == profile_count::zero();
}

/* All that GCC will find: from the first of those that were come to last. */
static void find_reached(struct search *s, int first)
{
	edge out;
	edge_iterator at;

	for (int i = first; i < s->n; i++)
		FOR_EACH_EDGE(out, at, s->blocks[i]->succs)
	if (!is_never(out->count()) && !is_never(out->dest->count))
		come_to(s, out->dest, out);
}

/* Against the edges, to what was reached: that block, or NULL. */
static basic_block find_way(struct search *back, const struct search *s,
			    basic_block from, bool over_never)
{
	edge in;
	edge_iterator at;

	come_to(back, from, NULL);
	for (int i = 0; i < back->n; i++) {
		basic_block bb = back->blocks[i];

		if (s->reached[bb->index])
			return bb;
		FOR_EACH_EDGE(in, at, bb->preds)
		if (over_never ||
		    !(in->probability == profile_probability::never()))
			come_to(back, in->src, in);
	}
	return NULL;
}

/* From a block that was reached, over edges that were found against them. */
static void open_way(const struct search *back, struct search *s,
		     basic_block bb)
{
	int first = s->n;

	for (edge e = back->over[bb->index]; e; e = back->over[bb->index]) {
		if (e->probability == profile_probability::never())
			e->probability = profile_probability::very_unlikely();
		bb = e->dest;
		if (is_never(bb->count))
			bb->count = profile_count::adjusted_zero();
		come_to(s, bb, e);
	}
	find_reached(s, first);
}

/* Rather not over what GCC knows never to be done. */
static bool reach(struct search *s, basic_block hot)
{
	bool found = false;

	for (int over_never = 0; over_never <= 1 && !found; over_never++) {
		struct search back;
		basic_block bb;

		search_begin(&back);
		bb = find_way(&back, s, hot, over_never);
		found = bb != NULL;
		if (found)
			open_way(&back, s, bb);
		search_end(&back);
	}
	return found;
}

static void reach_hot_blocks(const int *order, int n)
{
	struct search s;

	search_begin(&s);
	come_to(&s, ENTRY_BLOCK_PTR_FOR_FN(cfun), NULL);
	find_reached(&s, 0);
	for (int i = 0; i < n; i++) {
		basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);

		if (s.reached[bb->index] || !maybe_hot_bb_p(cfun, bb) ||
		    !reach(&s, bb))
			continue;
		if (dump_file)
			fprintf(dump_file, "block %d is reached\n", bb->index);
	}
	search_end(&s);
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
	if (!is_never(ENTRY_BLOCK_PTR_FOR_FN(cfun)->count))
		reach_hot_blocks(order, n);
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
