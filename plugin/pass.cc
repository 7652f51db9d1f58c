/*
 * pass.cc - in the place of GCC's pass "profile".
 *
 * That pass reads or makes instrumented counts; it comes after early inlining
 * and before everything that uses counts.  Ours does the same with a sampled
 * profile: first all functions are looked at, since what is inlined in one
 * decides what is merged into another, then each gets its counts.
 */
#include "plugin/samplefdo.h"

#include "base/map.h"
#include "base/output.h"
#include "plugin/unsampled.h"

namespace
{
const pass_data samplefdo_pass_data = {
	SIMPLE_IPA_PASS,
	"samplefdo",
	OPTGROUP_NONE,
	TV_IPA_PROFILE,
	0,
	0,
	0,
	0,
	0,
};

struct pass_samplefdo : public simple_ipa_opt_pass {
	struct samplefdo *s;

	pass_samplefdo(struct samplefdo *s)
	    : simple_ipa_opt_pass(samplefdo_pass_data, g), s(s)
	{
	}
	bool gate(function *) final override
	{
		return !in_lto_p && !seen_error();
	}
	unsigned int execute(function *) final override;
};
} // namespace

/*
 * Numbers without gaps, on a graph that GCC will not simplify at once.  But
 * exact counts are found by the numbers that the graph had.
 */
static void prepare(const struct samplefdo *s)
{
	if (execute_fixup_cfg() & TODO_cleanup_cfg)
		cleanup_tree_cfg();
	if (!s->comparison)
		compact_blocks();
}

/* Everything that GCC derived from the old counts. */
static void finish(struct cgraph_node *node, bool annotated)
{
	if (annotated) {
		update_max_bb_count();
		compute_function_frequency();
	}
	flags_fit_size(annotated);
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	cgraph_edge::rebuild_edges();
	compute_fn_summary(node, true);
}

/*
 * A static function of a file that is included has the name that another file's has,
 * if two files are called the same: which one was profiled is not known.
 */
static bool may_be_another(const_tree decl)
{
	return !TREE_PUBLIC(decl) &&
	       strcmp(lbasename(DECL_SOURCE_FILE(decl)),
		      lbasename(main_input_filename)) != 0;
}

/* Once of a function in the source, whatever was made of it: target_clones. */
static void warn(const struct samplefdo *s, struct fdo_map *warned,
		 enum annotated result)
{
	tree decl = DECL_ORIGIN(current_function_decl);
	bool is_wrong =
		result == ANNOTATED_UNFIT || result == ANNOTATED_UNSOLVED;

	if (!s->options.warn || !is_wrong ||
	    (result == ANNOTATED_UNFIT && may_be_another(decl)) ||
	    (*fdo_map_at(warned, DECL_UID(decl)))++)
		return;
	if (result == ANNOTATED_UNFIT)
		warning_at(DECL_SOURCE_LOCATION(decl), 0,
			   "the profile %qs does not fit %qD: its source has "
			   "changed since, or its macros were others, or the "
			   "program was not made by GCC",
			   s->options.profile, decl);
	else
		warning_at(DECL_SOURCE_LOCATION(decl), 0,
			   "no consistent counts for %qD in the profile %qs",
			   decl, s->options.profile);
}

/* What became of all functions. */
struct tally {
	unsigned functions;
	unsigned results[ANNOTATED_UNSOLVED + 1];
	unsigned changed; /* of those annotated */
	unsigned values;  /* statements for which they are known */
	size_t places, found;
	struct fdo_map *warned; /* of which functions */
};

static void count_result(struct tally *t, const struct instance *in,
			 enum annotated result)
{
	struct unit_fit fit = unit_fit(in);

	t->functions++;
	t->results[result]++;
	if (result != ANNOTATED || fit.found <= fit.stay)
		return;
	t->changed++;
	t->places += fit.places;
	t->found += fit.found;
}

static void report(const struct tally *t)
{
	const unsigned *results = t->results;

	inform(UNKNOWN_LOCATION,
	       "samplefdo: %u functions, %u annotated, %u not in the profile, "
	       "%u with too few samples, %u that do not fit, %u without "
	       "evidence, %u never sampled",
	       t->functions, results[ANNOTATED], results[ANNOTATED_NOT_KNOWN],
	       results[ANNOTATED_TOO_FEW], results[ANNOTATED_UNFIT],
	       results[ANNOTATED_NO_EVIDENCE] + results[ANNOTATED_UNSOLVED],
	       results[ANNOTATED_COLD]);
	if (t->values)
		inform(UNKNOWN_LOCATION,
		       "samplefdo: %u statements with usual values", t->values);
	if (t->changed)
		inform(UNKNOWN_LOCATION,
		       "samplefdo: %u annotated functions have changed since "
		       "they were profiled; %u of their %u places were found "
		       "again",
		       t->changed, (unsigned)t->found, (unsigned)t->places);
}

/* All functions as instances of the unit, by the function's number. */
static struct fdo_map *add_functions(struct samplefdo *s, struct unit *u)
{
	struct fdo_map *instances = fdo_map_new();
	struct cgraph_node *node;

	FOR_EACH_DEFINED_FUNCTION(node)
	{
		if (!match_is_wanted(node))
			continue;
		push_cfun(DECL_STRUCT_FUNCTION(node->decl));
		prepare(s);
		*fdo_map_at(instances, DECL_UID(node->decl)) =
			(uint64_t)(uintptr_t)match_add_function(s, u);
		pop_cfun();
	}
	return instances;
}

static enum annotated annotate_one(struct samplefdo *s, struct unit *u,
				   struct calls *calls, struct instance *in,
				   struct tally *tally,
				   struct annotation **kept)
{
	enum annotated result;

	if (s->comparison)
		comparison_begin(s->comparison);
	result = annotate(s, u, calls, in, kept);
	warn(s, tally->warned, result);
	calls_know(calls, result == ANNOTATED, annotation_sample(s, in));
	if (!s->comparison && result == ANNOTATED) {
		unsigned given = specialize(s, u, in);

		/* Its graph is another one now. */
		if (given && *kept) {
			annotation_free(*kept);
			*kept = NULL;
		}
		tally->values += given;
	}
	if (s->comparison)
		comparison_end(s->comparison, in, result);
	else
		finish(cgraph_node::get(current_function_decl),
		       result == ANNOTATED);
	return result;
}

/* Those that were called more often than what is left of their copies ran. */
static void annotate_once_more(const struct samplefdo *s, struct calls *calls,
			       const struct instance *in,
			       struct annotation **kept)
{
	if (annotate_by_calls(s, calls, in, *kept))
		finish(cgraph_node::get(current_function_decl), true);
	annotation_free(*kept);
	*kept = NULL;
}

static bool may_be_cold(const struct samplefdo *s,
			const struct cgraph_node *node,
			const struct instance *in)
{
	return opt_for_fn(node->decl, flag_branch_probabilities) &&
	       (cold_is(s, node, in, true) || cold_is_inlined(s, node, in));
}

/*
 * When all that have counts have got them.  What is called by these did run, as
 * far as they can tell, and may run more often with another input.
 */
static enum annotated make_cold(struct samplefdo *s, const struct calls *calls,
				struct fdo_map *ran, struct instance *in)
{
	const struct cgraph_node *node =
		cgraph_node::get(current_function_decl);
	bool must_have_run = cold_must_have_run(node, ran);
	bool cold = !must_have_run && !cold_may_take_long() &&
		    calls_expected(calls, current_function_decl) < PROFILE_RAN;

	if (must_have_run)
		*fdo_map_at(ran, DECL_UID(node->decl)) = 1;
	if (cold)
		cold_make(s, in);
	finish(cgraph_node::get(current_function_decl), false);
	if (cold)
		return ANNOTATED_COLD;
	return in->profile ? ANNOTATED_TOO_FEW : ANNOTATED_NOT_KNOWN;
}

/* The functions of the unit that are to be annotated, in their order. */
struct functions {
	struct cgraph_node **nodes;
	struct instance **instances;
	int n;
};

/* What is called comes before what calls it, where that can be. */
static struct functions functions_in_order(const struct fdo_map *instances)
{
	struct cgraph_node **order =
		XNEWVEC(struct cgraph_node *, symtab->cgraph_count);
	int n = ipa_reverse_postorder(order);
	struct functions f = {};

	f.nodes = XNEWVEC(struct cgraph_node *, n);
	f.instances = XNEWVEC(struct instance *, n);
	while (n-- > 0) {
		const uint64_t *in =
			fdo_map_get(instances, DECL_UID(order[n]->decl));

		if (!in || !order[n]->definition || order[n]->alias)
			continue;
		f.nodes[f.n] = order[n];
		f.instances[f.n++] = (struct instance *)(uintptr_t)*in;
	}
	XDELETEVEC(order);
	return f;
}

static void annotate_functions(struct samplefdo *s, struct unit *u,
			       const struct fdo_map *instances)
{
	struct functions f = functions_in_order(instances);
	struct tally tally = {};
	struct calls *calls = calls_new();
	bool *cold = XCNEWVEC(bool, f.n);
	struct annotation **kept = XCNEWVEC(struct annotation *, f.n);
	struct fdo_map *ran = fdo_map_new();

	tally.warned = fdo_map_new();
	for (int i = 0; i < f.n; i++) {
		cold[i] = s->cold && !s->comparison &&
			  may_be_cold(s, f.nodes[i], f.instances[i]);
		push_cfun(DECL_STRUCT_FUNCTION(f.nodes[i]->decl));
		if (cold[i])
			calls_know(calls, false, 0);
		else
			count_result(&tally, f.instances[i],
				     annotate_one(s, u, calls, f.instances[i],
						  &tally, &kept[i]));
		pop_cfun();
	}
	for (int i = f.n; i-- > 0;) {
		if (!kept[i])
			continue;
		push_cfun(DECL_STRUCT_FUNCTION(f.nodes[i]->decl));
		annotate_once_more(s, calls, f.instances[i], &kept[i]);
		pop_cfun();
	}
	for (int i = 0; i < f.n; i++) {
		if (!cold[i])
			continue;
		push_cfun(DECL_STRUCT_FUNCTION(f.nodes[i]->decl));
		count_result(&tally, f.instances[i],
			     make_cold(s, calls, ran, f.instances[i]));
		pop_cfun();
	}
	if (s->options.verbose) {
		report(&tally);
		inliner_report(s->inliner);
	}
	calls_free(calls);
	fdo_map_free(tally.warned);
	fdo_map_free(ran);
	XDELETEVEC(cold);
	XDELETEVEC(kept);
	XDELETEVEC(f.nodes);
	XDELETEVEC(f.instances);
}

static void guess_calls(const struct samplefdo *s, struct unit *u,
			const struct fdo_map *instances)
{
	unsigned guessed = indirect_guess(s, u, instances);

	if (s->options.verbose && guessed)
		inform(UNKNOWN_LOCATION,
		       "samplefdo: %u indirect calls mostly of one function",
		       guessed);
}

static void order(const struct samplefdo *s, const struct fdo_map *instances)
{
	unsigned ordered = order_functions(instances);

	if (s->options.verbose && ordered)
		inform(UNKNOWN_LOCATION,
		       "samplefdo: %u functions in the order of their first "
		       "use",
		       ordered);
}

static void count_all(struct samplefdo *s)
{
	struct unit *u = unit_new(s->profile);
	struct fdo_map *instances = add_functions(s, u);
	struct fdo_error err;

	if (!unit_load(u, &err))
		fatal_error(UNKNOWN_LOCATION, "samplefdo: %s", err.text);
	if (!s->comparison)
		hot_begin(s);
	annotate_functions(s, u, instances);
	if (!s->comparison) {
		/* Copies for transactions lack what a guess refers to. */
		if (!flag_tm)
			guess_calls(s, u, instances);
		order(s, instances);
	}
	fdo_map_free(instances);
	unit_free(u);
}

static void open_dump(struct samplefdo *s, struct fdo_output *dump)
{
	const char *name = s->options.dump;
	struct fdo_error err;

	if (fdo_file_same(main_input_filename, name) ||
	    fdo_file_same(s->options.profile, name))
		fatal_error(UNKNOWN_LOCATION,
			    "samplefdo: %s: an input, and no dump goes there",
			    name);
	if (!fdo_output_open(dump, name, &err))
		fatal_error(UNKNOWN_LOCATION, "samplefdo: %s", err.text);
	s->dump = dump->stream;
}

/* Where the profile knows nothing, only the dump is made, an empty one. */
void pass_count(struct samplefdo *s)
{
	struct fdo_output dump;
	struct fdo_error err;

	if (s->options.dump)
		open_dump(s, &dump);
	if (s->known || s->cold || s->comparison)
		count_all(s);
	else if (s->options.verbose)
		inform(UNKNOWN_LOCATION,
		       "samplefdo: no function is in the profile");
	if (s->dump && !fdo_output_close(&dump, &err))
		fatal_error(UNKNOWN_LOCATION, "samplefdo: %s", err.text);
	s->dump = NULL;
}

unsigned int pass_samplefdo::execute(function *)
{
	pass_count(s);
	frontiers_drop();
	return 0;
}

simple_ipa_opt_pass *pass_new(struct samplefdo *s)
{
	return new pass_samplefdo(s);
}
