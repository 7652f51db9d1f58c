/*
 * progress.h - one line on a terminal that says how far a long job is.
 *
 *	struct progress progress = progress_new(!quiet);
 *	for (i = 0; i < n; i++)
 *		progress_show(&progress, "graphs", i, n), ...
 *	progress_end(&progress);
 *
 * Nothing is shown where stderr is no terminal, nor in the first second.
 *
 * Ownership  A plain value.
 * Errors     None.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct progress {
	bool wanted;
	bool shown;
	struct timespec begin, last;
};

struct progress progress_new(bool wanted);
void progress_show(struct progress *p, const char *what, size_t done,
		   size_t total);

/* Leave the line empty for what comes next. */
void progress_end(struct progress *p);

#endif
