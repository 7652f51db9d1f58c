#include "svr-train/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static double mean(const double *a, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i];
	return sum / n;
}

double metrics_correlation(const double *a, const double *b, size_t n)
{
	double ma = mean(a, n), mb = mean(b, n), aa = 0, bb = 0, ab = 0;

	for (size_t i = 0; i < n; i++) {
		aa += (a[i] - ma) * (a[i] - ma);
		bb += (b[i] - mb) * (b[i] - mb);
		ab += (a[i] - ma) * (b[i] - mb);
	}
	return aa > 0 && bb > 0 ? ab / sqrt(aa) / sqrt(bb) : 0;
}

struct ranked {
	double value;
	size_t index;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return (a->value > b->value) - (a->value < b->value);
}

static double *ranks(const double *a, size_t n)
{
	struct ranked *sorted = fdo_alloc(n, sizeof(*sorted));
	double *ret = fdo_alloc(n, sizeof(*ret));

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct ranked){ a[i], i };
	qsort(sorted, n, sizeof(*sorted), compare_ranked);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && sorted[end].value == sorted[i].value;)
			end++;
		for (size_t j = i; j < end; j++)
			ret[sorted[j].index] = (i + end - 1) / 2.0;
	}
	free(sorted);
	return ret;
}

static double spearman(const double *a, const double *b, size_t n)
{
	double *ra = ranks(a, n), *rb = ranks(b, n);
	double ret = metrics_correlation(ra, rb, n);

	free(ra);
	free(rb);
	return ret;
}

double metrics_shared(const double *a, const double *b, size_t n)
{
	double sum_a = 0, sum_b = 0, ret = 0;

	for (size_t i = 0; i < n; i++) {
		sum_a += fmax(a[i], 0);
		sum_b += fmax(b[i], 0);
	}
	if (sum_a <= 0 || sum_b <= 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		ret += fmin(fmax(a[i], 0) / sum_a, fmax(b[i], 0) / sum_b);
	return ret;
}

struct metrics metrics_of(const double *predicted, const double *truth,
			  size_t n)
{
	double m = mean(truth, n), squares = 0, variance = 0, error = 0;

	for (size_t i = 0; i < n; i++) {
		double d = predicted[i] - truth[i];

		error += fabs(d);
		squares += d * d;
		variance += (truth[i] - m) * (truth[i] - m);
	}
	return (struct metrics){
		.error = error / n,
		.r2 = variance > 0 ? 1 - squares / variance : 0,
		.spearman = spearman(predicted, truth, n),
		.overlap = metrics_shared(predicted, truth, n),
	};
}

/* Of a symmetric matrix, in place, by Jacobi's rotations. */
static void rotate(double *a, size_t n, size_t p, size_t q)
{
	double theta, t, c, s;

	if (a[p * n + q] == 0)
		return;
	theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
	t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
	c = 1 / sqrt(t * t + 1);
	s = t * c;
	for (size_t k = 0; k < n; k++) {
		double kp = a[k * n + p], kq = a[k * n + q];

		a[k * n + p] = c * kp - s * kq;
		a[k * n + q] = s * kp + c * kq;
	}
	for (size_t k = 0; k < n; k++) {
		double pk = a[p * n + k], qk = a[q * n + k];

		a[p * n + k] = c * pk - s * qk;
		a[q * n + k] = s * pk + c * qk;
	}
}

double metrics_condition(const double *r, size_t n)
{
	enum { SWEEPS = 30 }; /* it converges quadratically: ten would do */
	double *a = fdo_alloc(n * n, sizeof(*a));
	double least = INFINITY, most = 0;

	memcpy(a, r, n * n * sizeof(*a));
	for (int sweep = 0; sweep < SWEEPS; sweep++)
		for (size_t p = 0; p < n; p++)
			for (size_t q = p + 1; q < n; q++)
				rotate(a, n, p, q);
	for (size_t i = 0; i < n; i++) {
		least = fmin(least, a[i * n + i]);
		most = fmax(most, a[i * n + i]);
	}
	free(a);
	return least > 1e-12 ? sqrt(most / least) : INFINITY;
}

static void swap_rows(double *a, size_t width, size_t i, size_t j)
{
	for (size_t k = 0; k < width; k++) {
		double keep = a[i * width + k];

		a[i * width + k] = a[j * width + k];
		a[j * width + k] = keep;
	}
}

/*
 * The part of column "target" that the others leave unexplained, by
 * elimination in the matrix with the target moved to the end.  A column that
 * those before it make up has no pivot and is stepped over, so that it does
 * not hide which columns are dependent.
 */
static double unexplained(const double *r, size_t n, size_t target)
{
	double *a = fdo_alloc(n * n, sizeof(*a)), ret;
	size_t last = n - 1;

	memcpy(a, r, n * n * sizeof(*a));
	swap_rows(a, n, target, last);
	for (size_t i = 0; i < n; i++) {
		double keep = a[i * n + target];

		a[i * n + target] = a[i * n + last];
		a[i * n + last] = keep;
	}
	for (size_t p = 0; p < last; p++) {
		if (a[p * n + p] < 1e-9)
			continue;
		for (size_t i = p + 1; i < n; i++) {
			double factor = a[i * n + p] / a[p * n + p];

			for (size_t k = p; k < n; k++)
				a[i * n + k] -= factor * a[p * n + k];
		}
	}
	ret = a[last * n + last];
	free(a);
	return ret;
}

void metrics_inflation(const double *r, size_t n, double *ret)
{
	for (size_t i = 0; i < n; i++) {
		double rest = unexplained(r, n, i);

		ret[i] = rest > 1e-9 ? 1 / rest : INFINITY;
	}
}
