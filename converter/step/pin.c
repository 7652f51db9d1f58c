#include "converter/step/pin.h"

#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* None, where there are more processors than a set has room for. */
cpu_set_t pin_own(void)
{
	cpu_set_t own;

	if (sched_getaffinity(0, sizeof(own), &own) < 0)
		CPU_ZERO(&own);
	return own;
}

/* As sched_setattr(2) has it, whose header does not go with <sched.h>. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period; /* nanoseconds */
};

void pin_hurry(void)
{
	/* A short slice of time; before Linux 6.12 it says nothing. */
	struct attributes attributes = {
		.size = sizeof(attributes),
		.policy = SCHED_OTHER,
		.nice = getpriority(PRIO_PROCESS, 0),
		.runtime = 100000,
	};

	syscall(SYS_sched_setattr, 0, &attributes, 0);
}

/* To one of those processors. */
static bool put(pid_t tid, const cpu_set_t *of, int processor)
{
	cpu_set_t one;

	if (processor < 0 || processor >= CPU_SETSIZE ||
	    !CPU_ISSET(processor, of))
		return false;
	CPU_ZERO(&one);
	CPU_SET(processor, &one);
	return sched_setaffinity(tid, sizeof(one), &one) == 0;
}

bool pin_beside(const cpu_set_t *own, int processor)
{
	return put(0, own, processor);
}

void pin_down(struct pin *pin, pid_t tid, int processor)
{
	pin->tid = 0;
	if (sched_getaffinity(tid, sizeof(pin->thread), &pin->thread) == 0 &&
	    put(tid, &pin->thread, processor))
		pin->tid = tid;
}

void pin_release(struct pin *pin)
{
	if (pin->tid)
		sched_setaffinity(pin->tid, sizeof(pin->thread), &pin->thread);
	pin->tid = 0;
}
