/* simplex_check.h - is the tree that the network simplex left a good one? */
#ifndef TESTSUITE_SIMPLEX_CHECK_H
#define TESTSUITE_SIMPLEX_CHECK_H

#include "mcf/simplex.h"

/*
 * Whether each node can send something to the root: then no sequence of empty
 * pushes returns to its beginning.
 */
static inline bool is_strongly_feasible(const struct simplex *s)
{
	for (uint32_t u = 0; s && u < s->root; u++)
		if (room(&s->tree[u], true) <= 0)
			return false;
	return true;
}

#endif
