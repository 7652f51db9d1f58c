/*
 * heuristics.h - how likely each edge of a flow graph is, by nothing but the
 * look of the code (Ball and Larus, PLDI 1993; Wu and Larus, MICRO 1994).
 *
 *	unsigned *facts = fdo_alloc(cfg.nblocks, sizeof(*facts));
 *	double *likely = fdo_alloc(cfg.nedges, sizeof(*likely));
 *	heuristics_facts(&cfg, decoder, facts);
 *	heuristics_edges(&cfg, facts, likely);
 *
 * What several heuristics say of one branch is combined by Dempster and
 * Shafer's rule.  All targets of a switch are equally likely, an exception is
 * not.  From a block that may also leave the function by a branch, the sum of
 * its edges is below 1.  Stores, which say next to nothing (.55), are left out.
 *
 * Range      Facts are one set of enum heuristics_fact for each block, and
 *            probabilities, 0 to 1, one for each edge.
 * Errors     None.
 */
#ifndef CONVERTER_HEURISTICS_H
#define CONVERTER_HEURISTICS_H

struct cfg;
struct decoder;

enum heuristics_fact {
	HEURISTICS_CALL = 1 << 0, /* it calls */
	HEURISTICS_RETURN = 1 << 1,

	/* Of the branch at its end. */
	HEURISTICS_SELDOM = 1 << 2, /* taken if negative, or one number */
	HEURISTICS_MOSTLY = 1 << 3, /* the other way round */
	HEURISTICS_EQUAL = 1 << 4,  /* taken if two pointers are equal */
	HEURISTICS_NOT_EQUAL = 1 << 5,
	HEURISTICS_GUARDS_NEXT = 1 << 6, /* what it compares is used there */
	HEURISTICS_GUARDS_TAKEN = 1 << 7,
};

/* What the instructions show. */
void heuristics_facts(const struct cfg *cfg, const struct decoder *d,
		      unsigned *ret);

void heuristics_edges(const struct cfg *cfg, const unsigned *facts,
		      double *ret);

#endif
