/*
 * tracer_private.h - what tracer.c, which follows threads, and
 * tracer_start.c, which finds them, have in common.
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

#endif
