#include "plugin/outcome.h"

#include <math.h>

#include "plugin/noted.h"

/* Of executions of a place's code, how far those of its tests may be from them. */
static const double SLACK = .1;

struct outcome {
	double executed, held, failed;
	bool asks_else;
};

static void add(struct outcome *o, const struct profile_count *count,
		enum profile_kind kind)
{
	bool any = false;

	for (uint32_t i = 0; i < count->nvalues; i++) {
		const struct profile_value *value = &count->values[i];

		if (value->kind != PROFILE_EQUAL && value->kind != PROFILE_LESS)
			continue;
		any = true;
		if (value->kind != kind || value->other)
			o->asks_else = true;
		else if (value->value)
			o->held += (double)value->count;
		else
			o->failed += (double)value->count;
	}
	if (any)
		o->executed += (double)count->count;
}

bool outcome_share(const struct noted *noted, uint64_t place,
		   enum profile_kind kind, uint64_t least, double *ret)
{
	struct outcome o = { 0 };
	double all;

	for (const struct noted_count *c = noted_at(noted, place); c;
	     c = noted_before(noted, c))
		add(&o, &c->count, kind);
	all = o.held + o.failed;
	if (o.asks_else || all <= 0 || all < (double)least ||
	    fabs(all - o.executed) > SLACK * o.executed)
		return false;
	*ret = o.held / all;
	return true;
}
