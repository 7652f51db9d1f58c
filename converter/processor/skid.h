/*
 * skid.h - which instructions are named for those that retired some cycles
 * before.
 *
 * A counter of retired instructions overflows when one of them retires; the
 * interrupt comes some cycles later (the skid), and names the oldest that has
 * not retired by then.  So of those that retire in the same cycle the first
 * one is named for all, and one that waits long is named for all that retired
 * in as long a time.
 *
 *	struct skid skid;
 *	skid_begin(&skid);
 *	core_steps(&core, step, 1, &options, &waited);
 *	skid_step(&skid, &core);
 *	... skid.named[i]	// with skid_choices[i] cycles of skid
 *
 * Ownership  A plain value.
 * Errors     None.
 */
#ifndef CONVERTER_PROCESSOR_SKID_H
#define CONVERTER_PROCESSOR_SKID_H

#include <stdbool.h>
#include <stdint.h>

struct core;

enum { SKID_CHOICES = 12 };

/* In cycles, ascending. */
extern const unsigned skid_choices[SKID_CHOICES];

struct skid {
	/* Steps for which one has been named, all before that number. */
	uint32_t passed[SKID_CHOICES];
	/* For how many of them it was the last step. */
	uint32_t named[SKID_CHOICES];
};

/* With an empty core. */
void skid_begin(struct skid *s);

/* After each step of the core. */
void skid_step(struct skid *s, const struct core *core);

/* Has the core run for that long, so that nothing from before is missing? */
bool skid_is_known(const struct core *core, unsigned choice);

#endif
