/*
 * bursts.h - how blocks are left, and how much of what a program executes is in
 * each function, and in each of its blocks, by bursts of steps.
 *
 *	bursts_tell(p);		// outcomes
 *	... counts of samples are known ...
 *	bursts_weigh(p);	// anchors.passed, blocks, edges
 *
 * Wherever a burst begins, of the executions of a block that it passes it is a fair
 * choice: so how often each way was taken are outcomes, as registers of samples tell
 * them (outcomes.h).
 *
 * A burst begins at a moment of time: so there are the more of them, the longer
 * instructions take there, or the more often the kernel is called from there.
 * Both can be put right.  Samples tell in which function how many ought to
 * begin: a burst counts so many times as that is of how many did.  And samples
 * and counts together tell how long the instructions that it passed take: it
 * counts one over that.  What samples alone have wrong of a single function,
 * since it waits for memory or mispredicts branches, is wrong of all functions
 * beside it in bursts alike, so that it does not matter for how these compare.
 *
 * Units      Instructions executed; only ratios matter.
 * Errors     None.
 */
#ifndef CONVERTER_BURSTS_H
#define CONVERTER_BURSTS_H

struct program;

/* There are bursts, and functions have all other outcomes. */
void bursts_tell(struct program *p);

/* Once; there are bursts, and samples of cycles. */
void bursts_weigh(struct program *p);

#endif
