/*
 * parts.h - rests of functions that were split, of which nothing was sampled.
 *
 *	if (!parts_add(p, err))		// all counts are known
 *		return false;
 *
 * GCC inlines how a function begins and leaves the rest to be called, as
 * "f.part.0".  If the rest has no sample, how often it is called is known all the
 * same, and mostly that is never.  Where it is called, the look of its code says how
 * often each block ran (heuristics.h).
 *
 * Units      Executions, as all counts.
 * Ownership  Functions are the program's; those before them may move.
 * Errors     The code of one cannot be read.
 */
#ifndef CONVERTER_PARTS_H
#define CONVERTER_PARTS_H

#include <stdbool.h>

struct fdo_error;
struct program;

bool parts_add(struct program *p, struct fdo_error *err);

#endif
