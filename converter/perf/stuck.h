/*
 * stuck.h - samples of a clock that say nothing of what code takes, since the
 * thread has not got on.
 *
 *	struct stuck *s = stuck_new();
 *	stuck_fault(s, tid, &fault);
 *	if (!stuck_sample(s, tid, event, &sample))
 *		... count it ...
 *	stuck_free(s);
 *
 * A clock goes on while a page is brought in, while the machine below a virtual
 * one is busy with its page tables or runs another one, and while the kernel
 * takes the sample itself.  All samples from then are of one instruction, which
 * may be in code that hardly ever runs.  They are known by their registers: if
 * these and the address are what they were when the thread's last sample was
 * taken, or when it had a page fault, no time of the program's own has passed.
 * Nor has it where only the instruction that had the fault is done by now, which
 * is seen of one that changes no register: which comes first, the interrupt or
 * that, depends on the machine.
 *
 * A loop of few instructions whose variables are in memory comes back to the
 * same registers: what is seen now and again, not only in a row, counts as
 * often as it is to be expected from that.
 *
 * Units      The period of a fault says how many there were: what is stuck
 *            after it stands for as many.
 * Range      Only samples with a state (perfdata.h).  Memory depends on how
 *            many threads there are, beside 2 MB.
 * Ownership  stuck_free() accepts NULL.
 * Errors     None.
 */
#ifndef CONVERTER_STUCK_H
#define CONVERTER_STUCK_H

#include <stdbool.h>
#include <stdint.h>

struct perfdata_sample;
struct stuck;

struct stuck *stuck_new(void);
void stuck_free(struct stuck *s);

/* A page fault: samples of all events that come next may be of it. */
void stuck_fault(struct stuck *s, int32_t tid,
		 const struct perfdata_sample *fault);

/*
 * A sample of a clock, the event with that number: how many at its address are
 * to be left out, with this one; or 0.
 */
uint64_t stuck_sample(struct stuck *s, int32_t tid, uint32_t event,
		      const struct perfdata_sample *sample);

#endif
