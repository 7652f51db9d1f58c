/*
 * estimate.h - how often each block ran, by the samples in it.
 *
 * A sample of "inst" stands for period instructions: a block with n of them
 * ran samples * period / n times (CGO 2010, section 2.1).  A sample of
 * "cycles" stands for period cycles, of which one execution takes those that
 * timing.h put into the block.  Where a program has both events, the two
 * estimates are brought to one scale and averaged, with the weights that
 * blend.h found.  Samples of instructions that gather where branches lead
 * count in part (gather.h), but where outcomes tell of branches and there are no
 * samples of cycles.  Of blocks that call, some of the samples are in what they call:
 * what part, the counts of blocks tell, if there are any yet from a flow before.
 *
 * Units      Executions.  Of events that count nanoseconds, executions on a
 *            CPU of 1 GHz: only ratios mean something then.
 * Errors     Samples of neither event: there is nothing to count by.
 */
#ifndef CONVERTER_ESTIMATE_H
#define CONVERTER_ESTIMATE_H

#include <stdbool.h>

struct fdo_error;
struct program;
struct weights;

/*
 * Fill raw, unit and weight of all blocks.  base: take "inst" alone where
 * there is any, as the literature does.
 */
bool estimate(struct program *p, bool base, struct fdo_error *err);

/*
 * The same by what svr-train has learnt; on the scale of the base event.
 * The weights are bound to the program's samples.
 */
void estimate_by_weights(struct program *p, const struct weights *w);

/* Where raw is exact: fill unit and weight of all blocks. */
void estimate_known(struct program *p);

/*
 * After the prepass: how far the samples are from those that the counts
 * predict, as Poisson deviance for each sample.  0 is perfect.  It needs no
 * truth, and mostly orders the assumptions behind two estimates of the same
 * samples as the truth would.  NaN: there is none of an event that counts are
 * from.
 */
double estimate_misfit(const struct program *p);

/* What the size of a block makes of its price, beside that of one instruction. */
double estimate_size(double instructions);

#endif
