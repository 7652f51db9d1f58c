#include "converter/step/pin.h"

#include <stdbool.h>

static bool put(pid_t tid, const cpu_set_t *where)
{
	return sched_setaffinity(tid, sizeof(*where), where) == 0;
}

/* None, where there are more processors than a set has room for. */
cpu_set_t pin_own(void)
{
	cpu_set_t own;

	if (sched_getaffinity(0, sizeof(own), &own) < 0)
		CPU_ZERO(&own);
	return own;
}

void pin_down(struct pin *pin, const cpu_set_t *own, pid_t tid, int processor)
{
	cpu_set_t one;

	pin->tid = 0;
	if (processor < 0 || processor >= CPU_SETSIZE ||
	    !CPU_ISSET(processor, own) ||
	    sched_getaffinity(tid, sizeof(pin->thread), &pin->thread) < 0 ||
	    !CPU_ISSET(processor, &pin->thread))
		return;
	CPU_ZERO(&one);
	CPU_SET(processor, &one);
	if (!put(tid, &one))
		return;
	pin->tid = tid;
	put(0, &one);
}

void pin_release(struct pin *pin, const cpu_set_t *own)
{
	if (!pin->tid)
		return;
	put(pin->tid, &pin->thread);
	put(0, own);
	pin->tid = 0;
}
