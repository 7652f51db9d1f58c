#include "base/progress.h"

#include <stdio.h>
#include <unistd.h>

enum { WIDTH = 40 };

/* Long enough that a job which is done at once shows nothing. */
static const double patience = 1, interval = 0.1;

static double seconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) +
	       (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

struct progress progress_new(bool wanted)
{
	struct progress p = { .wanted = wanted && isatty(STDERR_FILENO) };

	clock_gettime(CLOCK_MONOTONIC, &p.begin);
	p.last = p.begin;
	return p;
}

void progress_show(struct progress *p, const char *what, size_t done,
		   size_t total)
{
	int filled = total ? (int)(WIDTH * done / total) : WIDTH;

	if (!p->wanted || seconds_since(&p->begin) < patience ||
	    (p->shown && seconds_since(&p->last) < interval))
		return;
	clock_gettime(CLOCK_MONOTONIC, &p->last);
	p->shown = true;
	fprintf(stderr, "\r%-10s [%.*s%*s] %3d %%", what, filled,
		"########################################", WIDTH - filled, "",
		total ? (int)(100 * done / total) : 100);
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r%*s\r", WIDTH + 20, "");
	p->shown = false;
}
