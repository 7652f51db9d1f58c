/*
 * tests.cc - "a && b" and "a || b", which GCC may compute at once.
 *
 * Its pass "ifcombine" makes one test of two, if the second is reached by the
 * first alone, both lead to one block, and nothing between them is lost if it
 * is computed in vain.  Counts are read before that pass, and samples are of
 * what it left.
 */
#include "plugin/samplefdo.h"

static bool is_idle(gimple *statement)
{
	switch (gimple_code(statement)) {
	case GIMPLE_ASSIGN:
		return !gimple_has_side_effects(statement) &&
		       !gimple_could_trap_p(statement) &&
		       !gimple_vuse(statement);
	case GIMPLE_COND:
	case GIMPLE_DEBUG:
	case GIMPLE_NOP:
	case GIMPLE_PREDICT:
		return true;
	default:
		return false;
	}
}

bool tests_is_idle(basic_block bb, const gimple *but)
{
	gimple_stmt_iterator at;

	for (at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
		if (gsi_stmt(at) != but && !is_idle(gsi_stmt(at)))
			return false;
	return true;
}

static bool ends_in_test(basic_block bb)
{
	gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);

	return !gsi_end_p(last) && gimple_code(gsi_stmt(last)) == GIMPLE_COND;
}

basic_block tests_first(basic_block second)
{
	basic_block first;
	edge e;
	edge_iterator at;

	if (!single_pred_p(second) || !ends_in_test(second) ||
	    !tests_is_idle(second, NULL))
		return second;
	first = single_pred(second);
	if (!ends_in_test(first))
		return second;
	FOR_EACH_EDGE(e, at, second->succs)
	if (find_edge(first, e->dest))
		return first;
	return second;
}
