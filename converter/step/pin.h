/*
 * pin.h - on which processors a thread and the one that traces it run.
 *
 * To stop a thread that runs on another processor takes so long that it has
 * often called the kernel by itself by then, or waits for a page: that is where
 * it stops, and not at a moment of time.  So the one that traces waits beside
 * it, where a timer interrupts both.  And to wake another processor up takes
 * longer than all else that a step does.
 *
 *	cpu_set_t own = pin_own();
 *	pin_hurry();
 *	pin_beside(&own, processor);
 *	...
 *	struct pin pin;
 *	pin_down(&pin, tid, processor);
 *	...
 *	pin_release(&pin);
 *
 * own is where the one that traces may run.
 *
 * Errors     Where it may not be, everything stays as it is.
 */
#ifndef CONVERTER_STEP_PIN_H
#define CONVERTER_STEP_PIN_H

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

struct pin {
	pid_t tid;	  /* 0: none is pinned */
	cpu_set_t thread; /* where it may run otherwise */
};

cpu_set_t pin_own(void);

/* When the caller wakes up, it does not wait until others had their time. */
void pin_hurry(void);

/* The caller runs there, and nowhere else, from now on. */
bool pin_beside(const cpu_set_t *own, int processor);

void pin_down(struct pin *pin, pid_t tid, int processor);
void pin_release(struct pin *pin);

#endif
