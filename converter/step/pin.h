/*
 * pin.h - keep a thread and the one that traces it on the same processor for a
 * while: to wake another one up takes longer than all else that a step does.
 *
 *	cpu_set_t own = pin_own();
 *	struct pin pin;
 *	pin_down(&pin, &own, tid, processor);
 *	...
 *	pin_release(&pin, &own);
 *
 * own is where the one that traces may run otherwise.
 *
 * Errors     Where it may not be, everything stays as it is.
 */
#ifndef CONVERTER_STEP_PIN_H
#define CONVERTER_STEP_PIN_H

#include <sched.h>
#include <sys/types.h>

struct pin {
	pid_t tid;	  /* 0: none is pinned */
	cpu_set_t thread; /* where it may run otherwise */
};

cpu_set_t pin_own(void);

void pin_down(struct pin *pin, const cpu_set_t *own, pid_t tid, int processor);
void pin_release(struct pin *pin, const cpu_set_t *own);

#endif
