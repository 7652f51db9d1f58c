/*
 * trust.h - whether those blocks were distrusted whose counts are wrong, and
 * whether counts are as near to the truth as their errors say.
 *
 *	struct trust t = trust_check(judged, truth);
 *	... trust_precision(&t.over), trust_recall(&t.over), t.covered ...
 *
 * A block has the instructions executed in it as weight: by the truth, or by
 * the raw count where that is more.
 *
 * Range      Shares, 0 .. 1; of nothing at all, 0.
 * Errors     None.
 */
#ifndef CONVERTER_TRUST_H
#define CONVERTER_TRUST_H

struct program;

/* Weights of one class. */
struct trust_class {
	double said;	/* has the class */
	double is;	/* should have it: classify_oracle() */
	double correct; /* both */
};

struct trust {
	struct trust_class over, under;
	double covered; /* true executions, of blocks within their errors */
};

/*
 * The scale of the judged counts is brought to that of the truth.  Blocks
 * are found again by their address.
 */
struct trust trust_check(const struct program *judged,
			 const struct program *truth);

double trust_precision(const struct trust_class *class);
double trust_recall(const struct trust_class *class);

#endif
