/*
 * waits.h - how much longer than the model of a core says a block takes.
 *
 * The model (core.h) knows neither caches nor which branches are hard to
 * predict.  What it lacks shows in the samples themselves: where a block waits
 * for memory, most of them are at one instruction, mostly behind a load; where
 * it waits for what led there, they are at its first one.  And long times that
 * the model has for a block are mostly too long, short ones too short.  How much
 * each of these says was learnt from programs whose counts are known, from
 * samples of a timer (testsuite/bench/waits) and from simulated ones that name
 * the instruction that waits (testsuite/bench/figures/waits-itself).
 *
 *	struct waits *w = waits_new(p, named);
 *	... timing_walk() ...
 *	waits_add(w, p);	// to the cycles of all blocks
 *	waits_free(w);
 *
 * With k instructions, c cycles by the model, s samples, of them m at the
 * instruction that has most, f at the first, e at the last and l behind loads, a
 * block takes
 *
 *	c * exp(.7 * (a0 + a1 ln(c / k + .05) + a2 ln k + a3 m / s + a4 l / s +
 *		      a5 e / s + a6 ln((s - m) / s) + a7 f / s))
 *
 * cycles, where the sum is at least -1.5 and at most 1.5, and shares are drawn
 * to what so few samples say by chance.  Each of what samples may name (gather.h)
 * has terms of its own.
 *
 * By a timer, where a function begins, it also takes what a call and the way
 * back cost: more if it is called by pointers alone, which are hard to predict.
 *
 * Units      CPU cycles; only ratios matter.
 * Ownership  waits_new() gives, waits_free() takes back and accepts NULL; the
 *            program's functions may not change between.
 * Errors     None.
 */
#ifndef CONVERTER_WAITS_H
#define CONVERTER_WAITS_H

#include <stddef.h>

#include "converter/count/gather.h"

struct program;
struct waits;

enum { WAITS_TERMS = 8 };

/* What there is to see of a block, for ln(how much longer). */
struct waits_look {
	double term[WAITS_TERMS]; /* of a0 to a7; that of a1 lacks c */
	double instructions;	  /* k; 0: there is nothing to see */
};

/* Looks at the samples of cycles of all blocks. */
struct waits *waits_new(const struct program *p, enum gather_named named);
void waits_free(struct waits *w);

/* Of a block, with the cycles that the model has now. */
struct waits_look waits_look(const struct waits *w, size_t function,
			     size_t block, double cycles);

void waits_add(const struct waits *w, struct program *p);

#endif
