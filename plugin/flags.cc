/*
 * flags.cc - the optimizations that profile feedback turns on.
 *
 * GCC's own handler of -fprofile-use sets them, so that the list is that of
 * this GCC, and an explicit -fno-... wins.  They are a loss in code of which
 * the profile says nothing, so they are turned on function by function, in
 * those that it knows: in their optimization nodes, when all functions have
 * been parsed and no pass has run.  One that costs time where it saves space,
 * cross-jumping, is turned off.
 */
#include "plugin/samplefdo.h"

#include "attribs.h"

#include "base/map.h"

/* -fprofile-generate sets the flag, too, but does not say it was given. */
static bool has_asked_for_arcs(void)
{
	return profile_arc_flag && global_options_set.x_profile_arc_flag;
}

const char *flags_conflict(const struct options *o)
{
	if (flag_profile_use && !o->compare)
		return "-fprofile-use";
	if (flag_branch_probabilities && !o->compare &&
	    global_options_set.x_flag_branch_probabilities)
		return "-fbranch-probabilities";
	if (flag_auto_profile)
		return "-fauto-profile";
	if (flag_test_coverage)
		return has_asked_for_arcs() ? "--coverage" : "-ftest-coverage";
	if (profile_arc_flag && !o->only_inlines)
		return has_asked_for_arcs() ? "-fprofile-arcs"
					    : "-fprofile-generate";
	return NULL;
}

bool flags_refuse_counts(void)
{
	return global_options_set.x_flag_branch_probabilities &&
	       !flag_branch_probabilities;
}

/* The last -f[no-]tree-vectorize of the command line: 1, 0, or -1: none. */
static int asked_to_vectorize(void)
{
	int asked = -1;

	for (unsigned i = 0; i < save_decoded_options_count; i++)
		if (save_decoded_options[i].opt_index == OPT_ftree_vectorize)
			asked = save_decoded_options[i].value != 0;
	return asked;
}

/*
 * What GCC does when it has read all options, which it had before we turned
 * these on.  An explicit option is not known as such for the two that
 * -ftree-vectorize stands for.
 */
static void finish_options_again(void)
{
	int vectorize = asked_to_vectorize();

	if (flag_live_patching)
		flag_ipa_bit_cp = 0;
	if (!global_options_set.x_flag_cunroll_grow_size &&
	    (flag_unroll_loops || flag_peel_loops))
		flag_cunroll_grow_size = 1;
	if (vectorize >= 0 && !global_options_set.x_flag_tree_loop_vectorize)
		flag_tree_loop_vectorize = vectorize;
	if (vectorize >= 0 && !global_options_set.x_flag_tree_slp_vectorize)
		flag_tree_slp_vectorize = vectorize;
}

/*
 * Acts on global_options, whichever function's they are at the moment.  With
 * instrumented counts, GCC has the targets of all indirect calls, and no longer
 * guesses those of virtual ones; we have those that samples show, and for
 * others its guess is better than nothing.
 */
static void turn_on(void)
{
	struct cl_option_handlers handlers;
	int devirtualize = flag_devirtualize_speculatively;

	set_default_handlers(&handlers, NULL);
	handle_generated_option(&global_options, &global_options_set,
				OPT_fprofile_use, NULL, 1, CL_COMMON,
				DK_UNSPECIFIED, UNKNOWN_LOCATION, &handlers,
				true, global_dc);
	flag_devirtualize_speculatively = devirtualize;
	finish_options_again();
}

/* What a function gets; with none of these, no more than counts need. */
enum feedback {
	FEEDBACK_ON = 1,    /* what feedback turns on */
	FEEDBACK_RAN = 2,   /* and turns off, in what was executed */
	FEEDBACK_WHOLE = 4, /* all in one section */
	FEEDBACK_ROUGH = 8, /* counts are by samples */
	FEEDBACK_KINDS = 16,
	FEEDBACK_SHARED = 16 /* of an old node: what all with it get */
};

/*
 * Cross-jumping saves space, and costs a jump wherever tails were made one.  In
 * an interpreter it also makes one indirect jump of those of all its opcodes,
 * if they are no more than --param max-crossjump-edges, and such a jump is
 * hard to predict.
 */
static void leave_tails(void)
{
	if (!global_options_set.x_flag_crossjumping && !optimize_size)
		flag_crossjumping = 0;
}

/*
 * Of a loop that goes round so often or more, GCC would begin with a copy of
 * each round, up to 15 of them.  How often it goes round samples tell roughly;
 * many copies gain little, and where there are fewer than rounds, they may well
 * take more instructions than the loop.  6 and 12 are worse, by
 * testsuite/bench/speedup.
 */
static const int peel_times = 8;

static void peel_short_loops(void)
{
	if (!global_options_set.x_param_max_peel_times)
		param_max_peel_times = peel_times;
}

static tree node_with(tree node, unsigned feedback)
{
	cl_optimization_restore(&global_options, &global_options_set,
				TREE_OPTIMIZATION(node));
	if (flags_refuse_counts())
		return node;
	if (feedback & FEEDBACK_ON)
		turn_on();
	else
		flag_branch_probabilities = 1;
	if (feedback & FEEDBACK_ROUGH)
		peel_short_loops();
	if (feedback & FEEDBACK_RAN)
		leave_tails();
	if (feedback & FEEDBACK_WHOLE)
		flag_reorder_blocks_and_partition = 0;
	return build_optimization_node(&global_options, &global_options_set);
}

/* One new node for each old one; most functions have the default. */
static tree replaced(struct fdo_map *nodes, tree node, unsigned feedback)
{
	uint64_t *made = fdo_map_at(
		nodes, (uint64_t)(uintptr_t)node * FEEDBACK_KINDS + feedback);

	if (*made == 0)
		*made = (uint64_t)(uintptr_t)node_with(node, feedback);
	return (tree)(uintptr_t)*made;
}

static tree note_label(tree *where, int *, void *whole)
{
	if (TREE_CODE(*where) == LABEL_DECL)
		*fdo_map_at((struct fdo_map *)whole,
			    DECL_UID(DECL_CONTEXT(*where))) = 1;
	return NULL;
}

static tree note_difference(tree *where, int *, void *whole)
{
	if (TREE_CODE(*where) == MINUS_EXPR ||
	    TREE_CODE(*where) == POINTER_DIFF_EXPR)
		walk_tree(where, note_label, whole, NULL);
	return NULL;
}

/* A large table without any need not be walked. */
static bool has_labels(tree variable)
{
	tree scope = DECL_CONTEXT(variable);

	return DECL_INITIAL(variable) && scope &&
	       TREE_CODE(scope) == FUNCTION_DECL &&
	       DECL_STRUCT_FUNCTION(scope) &&
	       DECL_STRUCT_FUNCTION(scope)->has_forced_label_in_static;
}

/*
 * The functions of whose labels a table has differences.  The assembler cannot
 * make them of code in two sections, and GCC does not see to it.
 */
static struct fdo_map *whole_functions(void)
{
	struct fdo_map *whole = fdo_map_new();
	varpool_node *variable;

	FOR_EACH_VARIABLE(variable)
	if (has_labels(variable->decl))
		walk_tree(&DECL_INITIAL(variable->decl), note_difference, whole,
			  NULL);
	return whole;
}

static tree node_of(const_tree decl)
{
	tree node = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl);

	return node ? node : optimization_default_node;
}

static void set_function(struct fdo_map *nodes, tree decl, unsigned feedback)
{
	if (!DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl) && !feedback)
		return; /* has the default */
	DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl) =
		replaced(nodes, node_of(decl), feedback);
}

static bool is_known(const struct samplefdo *s, const struct instance *in)
{
	if (!in->profile && !in->merged)
		return false;
	return !s->has_samples || in->samples >= s->options.min_samples;
}

/* NULL if it is not for us. */
static struct instance *instance_of(const struct fdo_map *instances,
				    const struct cgraph_node *node)
{
	const uint64_t *in = fdo_map_get(instances, DECL_UID(node->decl));

	return in ? (struct instance *)*in : NULL;
}

static unsigned feedback_of(const struct samplefdo *s,
			    const struct cgraph_node *node,
			    const struct fdo_map *instances,
			    const struct fdo_map *whole)
{
	const struct instance *in = instance_of(instances, node);

	/* That of one which the profile does not fit is a guess, too. */
	if (!in || !is_known(s, in) || unit_fit(in).unfit)
		return 0;
	return FEEDBACK_ON | (in->total ? FEEDBACK_RAN : 0) |
	       (s->has_samples ? FEEDBACK_ROUGH : 0) |
	       (fdo_map_get(whole, DECL_UID(node->decl)) ? FEEDBACK_WHOLE : 0);
}

/*
 * What those with one node get together.  A function that has the attribute
 * "optimize", as all have below a pragma, GCC inlines only where the caller has
 * the very same node.  So one that the profile does not know for having no code
 * of its own, such as an accessor, has to get what its callers get.
 */
static struct fdo_map *feedback_of_nodes(const struct samplefdo *s,
					 const struct fdo_map *instances,
					 const struct fdo_map *whole)
{
	struct fdo_map *all = fdo_map_new();
	struct cgraph_node *node;

	FOR_EACH_DEFINED_FUNCTION(node)
	{
		uint64_t *feedback = fdo_map_at(
			all, (uint64_t)(uintptr_t)node_of(node->decl));

		if (node->alias)
			continue;
		*feedback |= feedback_of(s, node, instances, whole);
		if (lookup_attribute("optimize", DECL_ATTRIBUTES(node->decl)))
			*feedback |= FEEDBACK_SHARED;
	}
	return all;
}

static void set_functions(const struct samplefdo *s, struct fdo_map *nodes,
			  const struct fdo_map *instances)
{
	struct fdo_map *whole = whole_functions();
	struct fdo_map *all = feedback_of_nodes(s, instances, whole);
	struct cgraph_node *node;

	FOR_EACH_DEFINED_FUNCTION(node)
	{
		unsigned feedback = *fdo_map_at(
			all, (uint64_t)(uintptr_t)node_of(node->decl));

		if (node->alias)
			continue;
		/* A node with the options of the unit is that of all others. */
		if (feedback & FEEDBACK_SHARED &&
		    lookup_attribute("optimize", DECL_ATTRIBUTES(node->decl)))
			feedback &= ~FEEDBACK_SHARED;
		else
			feedback = feedback_of(s, node, instances, whole);
		set_function(nodes, node->decl, feedback);
	}
	fdo_map_free(all);
	fdo_map_free(whole);
}

/* Once: which functions, each with its instance, in the unit's order. */
static struct unit *look_up(struct samplefdo *s, struct fdo_map *instances)
{
	struct unit *u = unit_new(s->profile);
	struct cgraph_node *node;
	struct instance *in;
	struct fdo_error err;

	s->declared = declared_new(s->profile);
	FOR_EACH_DEFINED_FUNCTION(node)
	{
		if (!match_is_wanted(node))
			continue;
		push_cfun(DECL_STRUCT_FUNCTION(node->decl));
		in = match_add_function(s, u);
		if (!flags_refuse_counts())
			*fdo_map_at(instances, DECL_UID(node->decl)) =
				(uint64_t)(uintptr_t)in;
		pop_cfun();
	}
	if (!unit_load(u, &err))
		fatal_error(UNKNOWN_LOCATION, "samplefdo: %s", err.text);
	return u;
}

void flags_decide(void *gcc_data, void *samplefdo)
{
	struct samplefdo *s = (struct samplefdo *)samplefdo;
	struct fdo_map *instances = fdo_map_new();
	struct fdo_map *nodes = fdo_map_new();
	struct unit *u = look_up(s, instances);
	struct cgraph_node *node;
	tree default_node;

	(void)gcc_data;
	s->known = 0;
	s->cold = 0;
	FOR_EACH_DEFINED_FUNCTION(node)
	{
		struct instance *in = instance_of(instances, node);

		if (!in)
			continue;
		s->known += is_known(s, in);
		s->cold += cold_is(s, node, in, false);
	}
	if (s->known || s->cold) {
		set_functions(s, nodes, instances);
		default_node = replaced(nodes, optimization_default_node, 0);
		cl_optimization_restore(&global_options, &global_options_set,
					TREE_OPTIMIZATION(default_node));
		optimization_default_node = default_node;
		optimization_current_node = default_node;
	}
	fdo_map_free(nodes);
	s->inliner = inliner_new(s, u, instances);
}

/*
 * Tail duplication makes one trace of all blocks that are likely in a row, and
 * what then looks for redundant values takes time by the square of its length.
 * Samples make more of them likely than exact counts do, and by a guess it takes long
 * from fewer blocks on.
 */
static const int blocks_for_traces = 4000, blocks_if_guessed = 1000;

void flags_fit_size(bool annotated)
{
	if (n_basic_blocks_for_fn(cfun) >=
	    (annotated ? blocks_for_traces : blocks_if_guessed))
		flags_without_traces();
}

void flags_without_traces(void)
{
	tree decl = current_function_decl;

	if (!flag_tracer || global_options_set.x_flag_tracer)
		return;
	flag_tracer = 0;
	DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl) =
		build_optimization_node(&global_options, &global_options_set);
	flag_tracer = 1;
}

void flags_guess_no_virtual(void)
{
	tree decl = current_function_decl;

	if (!flag_devirtualize_speculatively ||
	    global_options_set.x_flag_devirtualize_speculatively ||
	    lookup_attribute("optimize", DECL_ATTRIBUTES(decl)))
		return;
	flag_devirtualize_speculatively = 0;
	DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl) =
		build_optimization_node(&global_options, &global_options_set);
	flag_devirtualize_speculatively = 1;
}

void flags_look_up(void *gcc_data, void *samplefdo)
{
	struct samplefdo *s = (struct samplefdo *)samplefdo;
	struct fdo_map *instances = fdo_map_new();
	struct unit *u = look_up(s, instances);

	(void)gcc_data;
	s->inliner = inliner_new(s, u, instances);
}
