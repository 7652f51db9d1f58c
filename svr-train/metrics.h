/*
 * metrics.h - how well predictions fit, and how alike events are.
 *
 *	struct metrics m = metrics_of(predicted, truth, n);
 *
 * Range      At least one value, but for the overlap.  What cannot be said (no
 *            variance, nothing executed) is 0.
 * Ownership  Arrays are borrowed.
 * Errors     None.
 */
#ifndef SVR_TRAIN_METRICS_H
#define SVR_TRAIN_METRICS_H

#include <stddef.h>

struct metrics {
	double error;	 /* mean absolute */
	double r2;	 /* 1 - squared error / variance */
	double spearman; /* rank correlation; ties have their mean rank */
	double overlap;	 /* sum of the smaller shares; below 0 counts as 0 */
};

struct metrics metrics_of(const double *predicted, const double *truth,
			  size_t n);

double metrics_shared(const double *predicted, const double *truth, size_t n);
double metrics_correlation(const double *a, const double *b, size_t n);

/*
 * Of n columns with the correlation matrix r (n * n): how many times the
 * variance of each weight is what it would be if the columns were
 * independent.  INFINITY for a column that others make up.
 */
void metrics_inflation(const double *r, size_t n, double *ret);

/* The root of the largest over the smallest eigenvalue; may be INFINITY. */
double metrics_condition(const double *r, size_t n);

#endif
