/*
 * perf_story.h - one recording with all that can happen in it.
 *
 * Two events; a shell forks, the child execs a PIE and maps a library, a
 * thread, a second mapping over the first, a JIT, the kernel, a lost and a
 * throttle record, and rounds whose records are not in order.
 */
#ifndef TESTSUITE_PERF_STORY_H
#define TESTSUITE_PERF_STORY_H

#include "testsuite/lib/perf_writer.h"

void perf_story(struct perf_writer *w);
/* The end of it once more, as a part of a directory. */
void perf_story_part(struct perf_writer *w);

/* What samples_print() must say of it. */
extern const char perf_story_samples[];

#endif
