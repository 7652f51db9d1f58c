/*
 * hot.cc - from which count on GCC takes code for hot, and below which it is cold.
 *
 * At a link with -flto, GCC's pass "profile_estimate" finds a count of its own by
 * all functions that are linked: that which 99 percent of their time reach, and
 * then much of what runs often is for size.  So what was found for the profile
 * goes along, as an attribute of the functions, and is set again behind that pass.
 * With several profiles, the least one holds.
 */
#include "plugin/samplefdo.h"

#include "plugin/unsampled.h"

static struct gcov_summary summary;

enum {
	SHARE_OF_HOT = 990000,	 /* of all that is executed, in a million */
	PART_OF_HOTTEST = 10000, /* is hot as well, as for GCC alone, */
	MANY_BLOCKS = 2500,	 /* unless so many have that share */
	SHARE_THAT_IS_NOT_COLD = 999900, /* likewise of all */
};

/* No source can spell it. */
#define ATTRIBUTE "samplefdo hot"

/*
 * In a large program much of the time may be spent in code that runs less often
 * than GCC takes as hot by itself; and beside what nearly all of the time is
 * spent in, there is much code that runs as often as that and gains nothing,
 * but takes time to compile.
 */
uint64_t hot_count(const struct profile *p)
{
	uint64_t least = 0, blocks = 0;

	for (size_t i = 0; i < p->ncutoffs; i++)
		if (p->cutoffs[i].share <= SHARE_OF_HOT) {
			least = p->cutoffs[i].min_count;
			blocks = p->cutoffs[i].blocks;
		}
	if (blocks < MANY_BLOCKS && least > p->max_count / PART_OF_HOTTEST)
		least = p->max_count / PART_OF_HOTTEST;
	return least;
}

/* Of those that name a binary, the event that has the most. */
static uint64_t samples_of(const struct profile *p)
{
	uint64_t most = 0;

	for (size_t i = 0; i < p->nevents; i++)
		most = MAX(most, p->events[i].mapped);
	return most;
}

uint64_t hot_cold_count(const struct profile *p)
{
	uint64_t least = 0;

	if (samples_of(p) < WELL_SAMPLED)
		return 0;
	for (size_t i = 0; i < p->ncutoffs; i++)
		if (p->cutoffs[i].share <= SHARE_THAT_IS_NOT_COLD)
			least = p->cutoffs[i].min_count;
	return least;
}

/* For the link, of all functions, since no one of them need be linked. */
static void keep(uint64_t least)
{
	tree number = build_int_cstu(long_long_unsigned_type_node, least);
	tree arguments = build_tree_list(NULL_TREE, number);
	struct cgraph_node *node;

	FOR_EACH_DEFINED_FUNCTION(node)
	DECL_ATTRIBUTES(node->decl) =
		tree_cons(get_identifier(ATTRIBUTE), arguments,
			  DECL_ATTRIBUTES(node->decl));
}

void hot_begin(const struct samplefdo *s)
{
	uint64_t least = counts_scale(hot_count(s->profile), s->shift);

	summary.runs = 1;
	summary.sum_max = counts_scale(s->profile->max_count, s->shift);
	if (summary.sum_max == 0)
		summary.sum_max = 1;
	profile_info = &summary;
	if (!least)
		return;
	set_hot_bb_threshold(least);
	if (flag_lto)
		keep(least);
}

/* 0: no function has any. */
static uint64_t least_kept(void)
{
	uint64_t least = 0;
	struct cgraph_node *node;

	FOR_EACH_FUNCTION(node)
	{
		tree found = lookup_attribute(ATTRIBUTE,
					      DECL_ATTRIBUTES(node->decl));
		uint64_t count =
			found ? tree_to_uhwi(TREE_VALUE(TREE_VALUE(found))) : 0;

		if (count && (!least || count < least))
			least = count;
	}
	return least;
}

namespace
{
const pass_data hot_pass_data = {
	IPA_PASS, "samplefdo_hot", OPTGROUP_NONE, TV_IPA_PROFILE, 0, 0, 0, 0, 0,
};

/* Of the kind that runs when all that is linked is known, and has no summaries. */
struct pass_hot : public ipa_opt_pass_d {
	pass_hot()
	    : ipa_opt_pass_d(hot_pass_data, g, NULL, NULL, NULL, NULL, NULL,
			     NULL, 0, NULL, NULL)
	{
	}
	/* GCC hands it on from there to where code is made. */
	bool gate(function *) final override
	{
		return in_lto_p && !flag_ltrans;
	}
	unsigned int execute(function *) final override;
};
} // namespace

static bool has_hot_call(const struct cgraph_node *node)
{
	for (struct cgraph_edge *e = node->callees; e; e = e->next_callee)
		if (e->maybe_hot_p())
			return true;
	for (struct cgraph_edge *e = node->indirect_calls; e;
	     e = e->next_callee)
		if (e->maybe_hot_p())
			return true;
	return false;
}

/* What that pass took for normal by its own count, as it would have by ours. */
static void set_hot(uint64_t least)
{
	struct cgraph_node *node;

	set_hot_bb_threshold(least);
	FOR_EACH_FUNCTION(node)
	{
		profile_count entered = node->count.ipa();

		if (node->frequency == NODE_FREQUENCY_NORMAL &&
		    entered.initialized_p() &&
		    ((uint64_t)entered.to_gcov_type() >= least ||
		     has_hot_call(node)))
			node->frequency = NODE_FREQUENCY_HOT;
	}
}

unsigned int pass_hot::execute(function *)
{
	uint64_t least = least_kept();

	if (least)
		set_hot(least);
	if (dump_file)
		fprintf(dump_file, "least count of hot code: %" PRIu64 "\n",
			least);
	return 0;
}

ipa_opt_pass_d *hot_pass_new(void)
{
	return new pass_hot();
}
