/*
 * order.cc - functions in the order in which the program first used them.
 *
 * GCC then compiles what has a number by this number, and before all that has
 * none; a part that is split off comes behind its function.  What is hot, cold
 * or neither stays in its section.
 *
 * It does so only if it is told to by name.  A caller that is compiled before
 * what it calls has to save registers that the other leaves alone, and samples
 * do not tell well which of two functions was first: testsuite/bench/order.
 */
#include "plugin/samplefdo.h"

#include "base/map.h"
#include "plugin/first_uses.h"

static bool is_wanted(const struct cgraph_node *node)
{
	return global_options_set.x_flag_profile_reorder_functions &&
	       opt_for_fn(node->decl, flag_profile_reorder_functions);
}

static uint64_t first_use_of(const struct cgraph_node *node,
			     const struct instance *in)
{
	if (!in->profile || unit_fit(in).unfit || !is_wanted(node))
		return 0;
	return in->profile->first_use;
}

unsigned order_functions(const struct fdo_map *instances)
{
	struct first_use *uses =
		XNEWVEC(struct first_use, symtab->cgraph_count);
	struct cgraph_node *node;
	unsigned n = 0;

	FOR_EACH_DEFINED_FUNCTION(node)
	{
		const uint64_t *at =
			fdo_map_get(instances, DECL_UID(node->decl));
		const struct instance *in =
			at ? (const struct instance *)(uintptr_t)*at : NULL;
		uint64_t time = in ? first_use_of(node, in) : 0;

		if (time)
			uses[n++] = { time, in->function.names[0], node, 0 };
	}
	first_uses_number(uses, n);
	for (unsigned i = 0; i < n; i++)
		((struct cgraph_node *)uses[i].function)->tp_first_run =
			uses[i].number;
	XDELETEVEC(uses);
	return n;
}
