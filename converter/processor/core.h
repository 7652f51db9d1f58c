/*
 * core.h - a small model of an out-of-order core: in what cycle each
 * instruction of a stream retires.
 *
 *	struct core core;
 *	core_begin(&core);
 *	core_steps(&core, steps, n, &options, waited);
 *	core_group_ends(&core);		// after a taken jump
 *	core_redirect(&core, &options); // after one that was mispredicted
 *
 * Instructions are dispatched in order, a few in a cycle; each starts when
 * what it reads is there; they retire in order, a few in a cycle.  There are
 * no ports, and loads always hit the first cache.
 *
 * Ownership  A plain value.
 * Errors     None.
 */
#ifndef CONVERTER_PROCESSOR_CORE_H
#define CONVERTER_PROCESSOR_CORE_H

#include <stdint.h>

#include "converter/processor/walk.h"

/* All times are cycles since core_begin(). */
struct core_now {
	uint32_t cycle;	     /* that dispatches */
	unsigned dispatched; /* in it */
	uint32_t done;	     /* the last step's result */
	uint32_t retired;    /* the last step */
	unsigned retirees;   /* in that cycle */
	uint32_t count;	     /* of steps */
};

struct core {
	struct core_now now;
	uint32_t ready[WALK_REGISTERS];
	uint32_t ring[WALK_WINDOW + 1]; /* when the last of them retired */
};

/* Empty; all registers are ready. */
void core_begin(struct core *c);

/* waited[i]: cycles that step i stood at the head, waiting to retire. */
void core_steps(struct core *c, const struct walk_step *steps, unsigned n,
		const struct walk_options *options, uint32_t *waited);

/* What follows is dispatched in another cycle. */
void core_group_ends(struct core *c);

/* What follows had to wait until the last step was done. */
void core_redirect(struct core *c, const struct walk_options *options);

/* Unknown code ran: all is retired, all registers are ready. */
void core_drain(struct core *c);

#endif
