/*
 * frontiers.cc - the same discriminators as in the profiled binary.
 *
 * GCC tells apart what stands in one line by where statements begin.  Of that
 * it has marks (-gstatement-frontiers) for debug information only, from -g2 on:
 * without them, other code would have the discriminators that the profile says.
 */
#include "plugin/samplefdo.h"

/* Do most of the profiled binaries lack statement frontiers? */
static bool lacks_frontiers(const struct profile *p)
{
	size_t lacking = 0;

	for (size_t i = 0; i < p->nbinaries; i++)
		lacking += p->binaries[i].no_frontiers;
	return 2 * lacking > p->nbinaries;
}

/* Neither selective scheduling nor OpenACC can go with marks. */
void frontiers_as_profiled(const struct profile *p)
{
	if (!global_options_set.x_debug_nonbind_markers_p &&
	    !flag_selective_scheduling && !flag_selective_scheduling2 &&
	    !flag_openacc)
		debug_nonbind_markers_p = !lacks_frontiers(p);
}

static void drop_marks(function *f)
{
	gimple_stmt_iterator at;
	basic_block bb;

	FOR_EACH_BB_FN(bb, f)
	for (at = gsi_start_bb(bb); !gsi_end_p(at);)
		if (gimple_debug_nonbind_marker_p(gsi_stmt(at)))
			gsi_remove(&at, true);
		else
			gsi_next(&at);
	f->debug_nonbind_markers = false;
}

/* Nobody else asked for them: debug_info_level is what -gtoggle made of it. */
void frontiers_drop(void)
{
	struct cgraph_node *node;

	if (global_options_set.x_debug_nonbind_markers_p ||
	    debug_info_level >= DINFO_LEVEL_NORMAL)
		return;
	FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
	{
		push_cfun(DECL_STRUCT_FUNCTION(node->decl));
		drop_marks(cfun);
		pop_cfun();
	}
}
