#include "converter/count/blend.h"

#include <math.h>
#include <string.h>

#include "converter/count/estimate.h"
#include "converter/count/prepass.h"
#include "converter/count/program.h"

static double moved(const struct prepass_result *result)
{
	return result->measured > 0 ? result->moved / result->measured : 0;
}

bool blend(struct program *p, enum mcf_solver solver, struct progress *progress,
	   struct prepass_result *ret, struct fdo_error *err)
{
	double part[2];

	if (p->without & PROGRAM_BLEND || !program_has(p, "inst") ||
	    !program_has(p, "cycles"))
		return true;
	for (int inst = 0; inst < 2; inst++) {
		p->inst = inst;
		if (!estimate(p, false, err) ||
		    !prepass_alone(p, false, solver, progress, ret, err))
			return false;
		part[inst] = moved(ret);
	}
	p->inst = .5;
	if (part[0] > 0 || part[1] > 0)
		p->inst = pow(part[0], 4) / (pow(part[0], 4) + pow(part[1], 4));
	return estimate(p, false, err) &&
	       prepass(p, solver, progress, ret, err);
}
