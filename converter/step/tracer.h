/*
 * tracer.h - run a program, or join one that runs, and step through bursts of
 * its instructions now and then.
 *
 *	struct tracer_options options = { .per_second = 20, .steps = 1000 };
 *	if (!tracer_run(&options, argv, writer, &totals, &status, err))
 *		...
 *
 * About so often in a second, at random moments, one of the threads that are
 * running is stopped (ptrace(2)), steps through a burst (burst.h) and runs on.
 * Threads that sleep or are in the kernel are left alone, so a program that
 * waits is not disturbed.  One that has its memory for itself runs from branch
 * to branch, to a breakpoint; others make single steps.  All threads and child
 * processes are followed, until the program itself ends.
 *
 * A program notices nothing but the time that it takes, unless it reads its own
 * code, or somebody asks on which processors it may run, during a burst:
 * signals are delivered (but for a SIGTRAP that somebody else sends it while it
 * makes a step), a system call that is stepped over is not interrupted, and a
 * thread is let go if this process ends.  A program that has a tracer already
 * has no room for another.
 *
 * SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2, and SIGINT and SIGQUIT if the program
 * was joined, end the tracing; a program that was run gets them instead.  What
 * is wrong with the writer's stream (SIGPIPE, SIGXFSZ) ends it, too, and the
 * program runs on.  Only SIGKILL leaves a thread in a burst, of which it dies.
 *
 * Units      Bursts a second; instructions.
 * Range      steps: 1 to BURST_MAX.
 * Ownership  The writer is the caller's.
 * Errors     A program that cannot be run or joined.
 */
#ifndef CONVERTER_STEP_TRACER_H
#define CONVERTER_STEP_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct fdo_error;
struct perfwrite;

struct tracer_options {
	double per_second;
	unsigned steps;
	double seconds;	   /* at the longest; 0: as long as the program runs */
	bool takes_output; /* what the program prints goes to stderr */
};

/* What came out. */
struct tracer_totals {
	uint64_t bursts, instructions, branches;
	uint64_t nanoseconds; /* that threads spent in bursts */
};

/* *status is that of waitpid(). */
bool tracer_run(const struct tracer_options *options, char **argv,
		struct perfwrite *writer, struct tracer_totals *totals,
		int *status, struct fdo_error *err);

/* All of these processes, until the last one ends. */
bool tracer_join(const struct tracer_options *options, const pid_t *pids,
		 size_t npids, struct perfwrite *writer,
		 struct tracer_totals *totals, struct fdo_error *err);

#endif
