/*
 * clones.cc - the counts of clones whose callers have none.
 *
 * GCC's interprocedural constant propagation ("cp") makes a clone of a function for
 * the constants that some of its calls pass, and gives it what the calls have of the
 * counts that hold for the whole program.  A caller that had too few samples has
 * none, only a guess, and by that the clone never runs: it is optimized for size,
 * though all samples of the function are its.
 *
 * So behind that pass a clone with such callers gets what no other call of the
 * function accounts for.  And where calls that have a clone now are more than the
 * function was entered, by counts that do not agree, GCC 13 and later leave it as one
 * that never runs, whatever calls it still: it gets what these have.
 */
#include "plugin/samplefdo.h"

namespace
{
const pass_data clones_pass_data = {
	IPA_PASS, "samplefdo_clones", OPTGROUP_NONE, TV_IPA_PROFILE, 0, 0, 0, 0,
	0,
};

/* Of the kind that runs when the whole unit is known, or all that is linked. */
struct pass_clones : public ipa_opt_pass_d {
	const struct samplefdo *s;

	pass_clones(const struct samplefdo *s)
	    : ipa_opt_pass_d(clones_pass_data, g, NULL, NULL, NULL, NULL, NULL,
			     NULL, 0, NULL, NULL),
	      s(s)
	{
	}
	bool gate(function *) final override
	{
		return !flag_ltrans && (in_lto_p || s->known);
	}
	unsigned int execute(function *) final override;
};
} // namespace

/* Is it 0 in the program for GCC, and known in its function only? */
static bool is_lost(profile_count count)
{
	return count.initialized_p() && count.to_gcov_type() > 0 &&
	       count.ipa().initialized_p() && !count.ipa().nonzero_p();
}

static int64_t in_program(profile_count count)
{
	return count.ipa().initialized_p() ? count.ipa().to_gcov_type() : 0;
}

struct callers {
	int64_t known;	/* the sum of their counts */
	bool has_guess; /* one that has none */
};

static bool add_callers(struct cgraph_node *node, void *data)
{
	struct callers *callers = (struct callers *)data;

	for (const cgraph_edge *e = node->callers; e; e = e->next_caller) {
		if (e->caller == node || e->caller->thunk)
			continue;
		callers->known += in_program(e->count);
		callers->has_guess |= !e->count.ipa().initialized_p();
	}
	return false;
}

static struct callers callers_of(struct cgraph_node *node)
{
	struct callers callers = {};

	node->call_for_symbol_thunks_and_aliases(add_callers, &callers, true);
	return callers;
}

/*
 * What a function has beside the calls of it that are known, for each of those that
 * are called by guesses: clones, and itself.
 */
static int64_t share_of_rest(struct cgraph_node *original)
{
	struct callers callers = callers_of(original);
	int64_t rest = in_program(original->count) - callers.known;
	int takers = callers.has_guess || original->address_taken ||
		     original->externally_visible;

	for (struct cgraph_node *c = original->clones; c;
	     c = c->next_sibling_clone)
		takers += callers_of(c).has_guess;
	return rest > 0 ? rest / takers : 0;
}

static void set_counts(struct cgraph_edge *edges, int64_t count, int64_t whole)
{
	for (struct cgraph_edge *e = edges; e; e = e->next_callee)
		if (is_lost(e->count))
			e->count = compat_precise_count(e->count.to_gcov_type())
					   .apply_scale(count, whole);
}

static void count_node(struct cgraph_node *node)
{
	struct callers callers = callers_of(node);
	int64_t whole = node->count.to_gcov_type();
	int64_t count = callers.known;

	if (callers.has_guess && node->clone_of)
		count += share_of_rest(node->clone_of);
	if (count <= 0)
		return;
	if (dump_file)
		fprintf(dump_file, "%s: %" PRId64 " of %" PRId64 "\n",
			node->dump_name(), count, whole);
	node->count = compat_precise_count(count);
	set_counts(node->callees, count, whole);
	set_counts(node->indirect_calls, count, whole);
}

/* What calls comes before what is called, as far as that can be. */
unsigned int pass_clones::execute(function *)
{
	struct cgraph_node **order =
		XNEWVEC(struct cgraph_node *, symtab->cgraph_count);
	int n = ipa_reverse_postorder(order);

	for (int i = 0; i < n; i++)
		if ((order[i]->clone_of || order[i]->clones) &&
		    !order[i]->inlined_to && is_lost(order[i]->count))
			count_node(order[i]);
	XDELETEVEC(order);
	return 0;
}

ipa_opt_pass_d *clones_pass_new(const struct samplefdo *s)
{
	return new pass_clones(s);
}
