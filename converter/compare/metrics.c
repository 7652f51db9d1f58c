#include "converter/compare/metrics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

static const double tolerance = 0.2, factor = 1.5, many_rounds = 1000;

static double sum_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

double metrics_overlap(const double *a, const double *b, size_t n)
{
	double sum_a = sum_of(a, n), sum_b = sum_of(b, n), overlap = 0;

	if (sum_a <= 0 || sum_b <= 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		overlap += fmin(a[i] / sum_a, b[i] / sum_b);
	return overlap;
}

struct ranked {
	double count;
	size_t thing;
};

/* Largest first; equal ones by number, so that the order is one. */
static int compare_ranked(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->thing > b->thing) - (a->thing < b->thing);
}

static struct ranked *rank(const double *x, size_t n)
{
	struct ranked *order = fdo_alloc(n, sizeof(*order));

	for (size_t i = 0; i < n; i++)
		order[i] = (struct ranked){ x[i], i };
	qsort(order, n, sizeof(*order), compare_ranked);
	return order;
}

/* The counts of the top things that make up a share; 0 for the others. */
static double *top_of(const double *x, size_t n, double share)
{
	struct ranked *order = rank(x, n);
	double *top = fdo_alloc(n, sizeof(*top));
	double wanted = share * sum_of(x, n), sum = 0;

	for (size_t i = 0; i < n && sum < wanted; i++) {
		top[order[i].thing] = order[i].count;
		sum += order[i].count;
	}
	free(order);
	return top;
}

double metrics_top_overlap(const double *a, const double *b, size_t n,
			   double share)
{
	double *top_a = top_of(a, n, share), *top_b = top_of(b, n, share);
	double overlap = metrics_overlap(top_a, top_b, n);

	free(top_a);
	free(top_b);
	return overlap;
}

double metrics_nrmse(const double *a, const double *b, size_t n)
{
	double sum_a = sum_of(a, n), sum_b = sum_of(b, n);
	double error = 0, most = 0, least = INFINITY;

	if (sum_a <= 0 || sum_b <= 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		double x = a[i] / sum_a, y = b[i] / sum_b;

		if (a[i] <= 0)
			continue;
		error += x * (x - y) * (x - y);
		most = fmax(most, fmax(x, y));
		least = fmin(least, fmin(x, y));
	}
	return most > least ? sqrt(error) / (most - least) : 0;
}

double metrics_coverage(const double *a, const double *b, size_t n)
{
	double sum = sum_of(b, n), covered = 0;

	for (size_t i = 0; i < n; i++)
		if (a[i] > 0)
			covered += b[i];
	return sum > 0 ? covered / sum : 0;
}

/* The place of each thing in the list sorted by count, from 0. */
static double *levels(const double *x, size_t n)
{
	struct ranked *order = rank(x, n);
	double *level = fdo_alloc(n, sizeof(*level));
	double at = 0;

	for (size_t i = 0; i < n; i++) {
		if (i > 0 && order[i].count != order[i - 1].count)
			at++;
		level[order[i].thing] = at;
	}
	free(order);
	return level;
}

double metrics_order_deviation(const double *a, const double *b, size_t n)
{
	double *level_a = levels(a, n), *level_b = levels(b, n);
	double sum = sum_of(a, n), deviation = 0;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		double places = level_a[i] - level_b[i];

		if (a[i] <= 0)
			continue;
		deviation += a[i] / sum * places * places;
		m++;
	}
	free(level_a);
	free(level_b);
	return m ? sqrt(deviation) / m : 0;
}

static bool matches(const double *a, const double *b, size_t n)
{
	double sum_a = sum_of(a, n), sum_b = sum_of(b, n);

	for (size_t i = 0; i < n; i++)
		if (sum_a <= 0 || fabs(a[i] / sum_a - b[i] / sum_b) > tolerance)
			return false;
	return true;
}

double metrics_branch_match(const double *a, const double *b,
			    const size_t *first, size_t nbranches)
{
	double all = 0, matching = 0;

	for (size_t i = 0; i < nbranches; i++) {
		size_t n = first[i + 1] - first[i];
		double weight = sum_of(&b[first[i]], n);

		if (n < 2 || weight <= 0)
			continue;
		all += weight;
		if (matches(&a[first[i]], &b[first[i]], n))
			matching += weight;
	}
	return all > 0 ? matching / all : 0;
}

double metrics_loop_match(const double *a, const double *b,
			  const double *weights, size_t n)
{
	double all = 0, matching = 0;

	for (size_t i = 0; i < n; i++) {
		double x = fmin(a[i], many_rounds), y = fmin(b[i], many_rounds);

		all += weights[i];
		if (x <= y * factor && y <= x * factor)
			matching += weights[i];
	}
	return all > 0 ? matching / all : 0;
}
