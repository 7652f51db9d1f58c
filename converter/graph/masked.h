/*
 * masked.h - where interrupts of Linux come in that had to wait.
 *
 *	struct masked *masked = masked_new(object);
 *	if (masked_ends(masked, address))
 *		...	// a timer's sample there may be of code before
 *	masked_free(masked);
 *
 * Linux runs some code with interrupts masked, and a timer that goes off then gets
 * its sample where they are let in again: behind sti, popf, or a call of a function
 * that does that last.  What is seen there is of all that ran since they were masked,
 * in any function, which itself is never seen.  Counters' samples come by an interrupt
 * that cannot be masked.
 *
 * Units      Addresses are the object's.
 * Ownership  Nothing of the object is kept.
 * Errors     None.
 */
#ifndef CONVERTER_MASKED_H
#define CONVERTER_MASKED_H

#include <stdbool.h>
#include <stdint.h>

struct masked;
struct object;

struct masked *masked_new(const struct object *o);
void masked_free(struct masked *masked);

bool masked_ends(const struct masked *masked, uint64_t address);

#endif
