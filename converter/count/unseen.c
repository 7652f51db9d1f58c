/*
 * unseen.c - nobody looks into these functions: their graphs are not there, and so
 * their size says how much of them is executed.
 */
#include "converter/count/unseen.h"

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/object.h"
#include "converter/count/program.h"

/*
 * Of one instruction, in bytes, and of a large function, so many are executed at
 * most.  20 to 1000 are nearly as good.
 */
static const double size_of_one = 4, most_of_one_call = 200;

static bool is_seen(const struct program *p,
		    const struct program_binary *binary,
		    const struct object_function *callee)
{
	const uint64_t *number = fdo_map_get(binary->known, (uintptr_t)callee);

	return number && *number && p->functions[*number - 1].samples;
}

static double executed_by(const struct program *p,
			  const struct program_binary *binary,
			  const struct cfg_call *call)
{
	const struct object_function *callee;
	double size;

	if (!call->target || call->external)
		return 0;
	callee = object_whole_function_at(binary->object, call->target);
	if (!callee || is_seen(p, binary, callee))
		return 0;
	size = (double)callee->size / size_of_one;
	return size < most_of_one_call ? size : most_of_one_call;
}

double *unseen_callees(const struct program *p,
		       const struct program_function *f)
{
	double *ret = fdo_alloc(f->cfg.nblocks, sizeof(*ret));

	if (p->without & PROGRAM_UNSEEN)
		return ret;
	for (size_t c = 0; c < f->cfg.ncalls; c++) {
		const struct cfg_call *call = &f->cfg.calls[c];
		const struct program_block *block = &f->blocks[call->block];

		if (!block->samples && !(block->raw > 0) &&
		    !(block->stacks > 0))
			ret[call->block] +=
				executed_by(p, &p->binaries[f->binary], call);
	}
	return ret;
}
