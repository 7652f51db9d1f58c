/*
 * metrics.h - how alike two sets of counts are.
 *
 * All take two arrays of n counts for the same n things: a is what is judged,
 * b what it is judged by.  Counts need no common scale: shares of the sum
 * are compared.
 *
 * Range      Counts are 0 or more.  Results are shares, 0 .. 1, unless said
 *            otherwise; of nothing at all, 0.
 * Errors     None.
 */
#ifndef CONVERTER_METRICS_H
#define CONVERTER_METRICS_H

#include <stddef.h>

/*
 * Overlap (CGO 2010, section 5.1): the sum over all things of the smaller of
 * their two shares.  Of edges, blocks or functions alike.
 */
double metrics_overlap(const double *a, const double *b, size_t n);

/*
 * Overlap of the hottest (HPS, section 5): of each side only the top things
 * count that make up share (0.9) of its sum together.
 */
double metrics_top_overlap(const double *a, const double *b, size_t n,
			   double share);

/*
 * Normalized root mean square error of shares, weighted by a (Wu and Mencer,
 * section 3.2); things that a has not are not looked at.  0 is best.
 */
double metrics_nrmse(const double *a, const double *b, size_t n);

/* Sample coverage (ibid.): the share of b that is of things which a has. */
double metrics_coverage(const double *a, const double *b, size_t n);

/*
 * Order deviation (ibid.): by how many places things stand elsewhere in the
 * list sorted by a than in the one sorted by b; root of the mean square,
 * weighted by a, over the number of things that a has.  Equal counts share a
 * place.  0 is best; no upper limit.
 */
double metrics_order_deviation(const double *a, const double *b, size_t n);

/*
 * Branch match: edges first[i] .. first[i + 1] - 1 leave the i-th branch;
 * the share of branches, weighted by their executions in b, whose every edge
 * is as likely in a as in b within 20 points.  A branch that a does not have
 * matches nothing.
 */
double metrics_branch_match(const double *a, const double *b,
			    const size_t *first, size_t nbranches);

/*
 * Loop match: the share of loops, weighted, whose rounds in a are more or fewer by a
 * factor of no more than 1.5 than in b.  More than a thousand are a thousand.
 */
double metrics_loop_match(const double *a, const double *b,
			  const double *weights, size_t n);

#endif
