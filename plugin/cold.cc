/*
 * cold.cc - functions that the profiled program had and that were never
 * sampled.
 *
 * They are unlikely to be executed, which makes GCC optimize them for size and
 * put them where no others are.  Their blocks keep GCC's guess: with counts of
 * zero, what is called from here and there as well is inlined elsewhere less
 * often than by -fprofile-use, which knows that it ran once or twice.
 *
 * Nor is there a sample in what was inlined of some functions, in any place.
 * These are not listed as never sampled, since the profile has their places.
 *
 * A function with a loop within a loop is not among them: if another input does
 * run it, it may take most of the time.  So may one with a call within a loop that
 * copies bytes, or looks at them: samples are of what is called, and to be small, GCC
 * would have such calls done byte by byte.  Nor is one through which alone a function
 * can have been called that did run: GCC takes what only such functions call that
 * are unlikely to be executed for unlikely, too.
 */
#include "plugin/samplefdo.h"

#include "attribs.h"
#include "cfgloop.h"

#include "base/map.h"
#include "plugin/unsampled.h"

/*
 * What runs once, at least, what its author knows to be hot, and what a library
 * has for all that is not inlined, which may have run there.  And all that was
 * not trained, where GCC is told that training did not show everything.
 */
static bool is_excepted(const_tree decl)
{
	return opt_for_fn(decl, flag_profile_partial_training) ||
	       MAIN_NAME_P(DECL_NAME(decl)) || DECL_STATIC_CONSTRUCTOR(decl) ||
	       DECL_STATIC_DESTRUCTOR(decl) || DECL_EXTERNAL(decl) ||
	       lookup_attribute("hot", DECL_ATTRIBUTES(decl));
}

bool cold_is(const struct samplefdo *s, const struct cgraph_node *node,
	     const struct instance *in, bool seen)
{
	struct fdo_error err;
	bool found;

	if (!s->options.cold || is_excepted(node->decl))
		return false;
	if (!unsampled_find(s->profile, in, s->has_samples, seen, &found, &err))
		fatal_error(UNKNOWN_LOCATION, "samplefdo: %s", err.text);
	return found;
}

/*
 * That other functions of the unit are listed shows that enough samples were
 * taken of the program.
 */
bool cold_is_inlined(const struct samplefdo *s, const struct cgraph_node *node,
		     const struct instance *in)
{
	return s->cold && s->has_samples && s->options.min_samples &&
	       (in->profile || in->merged) && in->samples == 0 &&
	       !is_excepted(node->decl) && !unit_fit(in).unfit;
}

bool cold_may_have_parts(const struct samplefdo *s, const_tree decl)
{
	return s->options.cold && s->has_samples && !is_excepted(decl);
}

/* Of as many bytes as it takes, which all are gone through elsewhere. */
static bool goes_through_bytes(const gimple *statement)
{
	if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL))
		return false;
	switch (DECL_FUNCTION_CODE(gimple_call_fndecl(statement))) {
	case BUILT_IN_MEMCPY:
	case BUILT_IN_MEMMOVE:
	case BUILT_IN_MEMPCPY:
	case BUILT_IN_MEMSET:
		return TREE_CODE(gimple_call_arg(statement, 2)) != INTEGER_CST;
	case BUILT_IN_STRLEN:
		return true;
	default:
		return false;
	}
}

static bool has_such_call(basic_block bb)
{
	for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at);
	     gsi_next(&at))
		if (goes_through_bytes(gsi_stmt(at)))
			return true;
	return false;
}

bool cold_may_take_long(void)
{
	basic_block bb;

	if (!loops_for_fn(cfun))
		return false;
	FOR_EACH_BB_FN(bb, cfun)
	if (bb->loop_father && loop_depth(bb->loop_father) > 0 &&
	    has_such_call(bb))
		return true;
	for (unsigned i = 1; i < number_of_loops(cfun); i++) {
		const class loop *loop = get_loop(cfun, i);

		if (loop && loop->inner)
			return true;
	}
	return false;
}

static bool has_run(const struct cgraph_node *node, const struct fdo_map *ran)
{
	return node->count.ipa().nonzero_p() ||
	       fdo_map_get(ran, DECL_UID(node->decl));
}

/* Can all that calls it be seen, and is none of that known to have run? */
static bool lacks_callers(const struct cgraph_node *node,
			  const struct fdo_map *ran)
{
	if (!node->definition || TREE_PUBLIC(node->decl) || node->address_taken)
		return false;
	for (const cgraph_edge *e = node->callers; e; e = e->next_caller)
		if (e->caller != node && has_run(e->caller, ran))
			return false;
	return true;
}

bool cold_must_have_run(const struct cgraph_node *node,
			const struct fdo_map *ran)
{
	for (const cgraph_edge *e = node->callees; e; e = e->next_callee) {
		struct cgraph_node *callee = e->callee->ultimate_alias_target();

		if (callee != node && has_run(callee, ran) &&
		    lacks_callers(callee, ran))
			return true;
	}
	return false;
}

void cold_make(const struct samplefdo *s, const struct instance *in)
{
	cgraph_node::get(current_function_decl)->frequency =
		NODE_FREQUENCY_UNLIKELY_EXECUTED;
	if (s->dump)
		fprintf(s->dump, "function %s never sampled\n",
			in->function.names[0]);
}
