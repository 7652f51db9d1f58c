/*
 * tracer_private.h - what tracer.c, which follows threads, tracer_burst.c,
 * which leads them through bursts, and tracer_start.c, which finds them, have
 * in common.
 */
#ifndef CONVERTER_STEP_TRACER_PRIVATE_H
#define CONVERTER_STEP_TRACER_PRIVATE_H

#include "converter/step/threads.h"
#include "converter/step/tracer.h"

struct tracer {
	const struct tracer_options *options;
	struct perfwrite *writer;
	struct tracer_totals *totals;
	struct threads threads;
	unsigned int seed;
	cpu_set_t own;	   /* processors */
	int processor;	   /* where we are; -1: anywhere */
	bool moved;	   /* to where a thread was running */
	uint64_t deadline; /* 0: none */
	pid_t program;	   /* that was run; 0: joined */
	int status;	   /* the program's, once it ended */
	bool ended;
};

/* With the options and, if it is to be run, the program. */
void tracer_begin(struct tracer *t);

/* From the threads that there are to the end. */
void tracer_trace(struct tracer *t);

/* All threads go on without us. */
void tracer_let_go(struct tracer *t);

/* Nanoseconds of the clock that perf's times are of. */
uint64_t tracer_now(void);

/* The thread stopped as it was asked to. */
void tracer_begin_burst(struct tracer *t, struct thread *thread);

/* What was seen counts, even if it is less than was wanted. */
void tracer_end_burst(struct tracer *t, struct thread *thread);

/*
 * A thread has got a SIGTRAP: if that is its burst's, it is ready to go on, and
 * this is true.
 */
bool tracer_go_on(struct tracer *t, struct thread *thread);

/* Likewise of one that is let go: it is put to where it would be without. */
bool tracer_is_step(const struct thread *thread);

#endif
