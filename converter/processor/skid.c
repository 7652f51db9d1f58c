#include "converter/processor/skid.h"

#include <string.h>

#include "converter/processor/core.h"

/*
 * The longest is such that all who retired since are in the ring of a core
 * that retires four in a cycle.
 */
const unsigned skid_choices[SKID_CHOICES] = { 0,  3,  6,  10, 15, 20,
					      25, 30, 40, 50, 60, 80 };

void skid_begin(struct skid *s)
{
	memset(s, 0, sizeof(*s));
}

/* Those whose interrupts came before the last step retired. */
static uint32_t pass(const struct core *core, uint32_t passed, unsigned cycles)
{
	while (passed + 1 < core->now.count &&
	       core->ring[passed & WALK_WINDOW] + cycles < core->now.retired)
		passed++;
	return passed;
}

void skid_step(struct skid *s, const struct core *core)
{
	for (unsigned i = 0; i < SKID_CHOICES; i++) {
		uint32_t before = s->passed[i];

		/* No time passes within a cycle. */
		if (core->now.retirees == 1)
			s->passed[i] = pass(core, before, skid_choices[i]);
		s->named[i] = s->passed[i] - before;
	}
}

bool skid_is_known(const struct core *core, unsigned choice)
{
	return core->now.retired > skid_choices[choice];
}
