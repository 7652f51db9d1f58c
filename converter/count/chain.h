/*
 * chain.h - how often each block runs, from how likely each way out of it is.
 *
 *	chain_solve(&cfg, likely, entered, counts);
 *
 * The Markov chain of a flow graph: what comes to a block by its edges and from
 * outside runs it, and what does not go on by an edge leaves the function.
 *
 * Units      Probabilities by edge; entries and counts by block, in any unit.
 * Range      The probabilities of a block's edges make up at most about 1.
 * Ownership  All is the caller's.
 * Errors     None: what nobody could ever leave is left at some time.  Where
 *            thousands of blocks lead to any other, counts are right to a part of
 *            some 1e-7, or to what a second allows.
 */
#ifndef CONVERTER_CHAIN_H
#define CONVERTER_CHAIN_H

struct cfg;

void chain_solve(const struct cfg *cfg, const double *likely,
		 const double *entered, double *counts_ret);

#endif
