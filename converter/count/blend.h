/*
 * blend.h - how much each of two events counts in their mean.
 *
 *	... estimate(), prepass() ...
 *	if (!blend(p, solver, &progress, &result, err))
 *		return false;	// fills raw, count and so on, once more
 *	... prepass() ...
 *
 * Counts that samples of instructions say, and those that samples of cycles
 * say, are wrong for different reasons, and by how much depends on the
 * program.  The flow tells without knowing the truth: from the estimate that
 * is worse it has to move the counts further.  With the parts of the counts
 * that it moves, m, of each estimate alone, instructions count
 *
 *	1 / (1 + (m_inst / m_cycles)^4)
 *
 * in the mean, and cycles the rest.  As both have some errors in common, m is
 * not so different as what is wrong: hence the 4 (bzip2, lua and mawk choose
 * it).
 *
 * Errors     Those of the solver.
 */
#ifndef CONVERTER_BLEND_H
#define CONVERTER_BLEND_H

#include <stdbool.h>

#include "mcf/mcf.h"

struct fdo_error;
struct prepass_result;
struct program;
struct progress;

/* Nothing is changed where there are not both. */
bool blend(struct program *p, enum mcf_solver solver, struct progress *progress,
	   struct prepass_result *ret, struct fdo_error *err);

#endif
