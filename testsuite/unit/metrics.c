/* Each metric on a case that can be done by hand. */
#include <math.h>

#include "converter/compare/metrics.h"
#include "testsuite/lib/tap.h"

static void check_near(double got, double want, const char *what)
{
	if (!check(fabs(got - want) < 1e-9, what))
		printf("# got %.12g, want %.12g\n", got, want);
}

static void test_overlap(void)
{
	/* Shares .5 .5 0 and .25 .25 .5: .25 + .25 + 0. */
	check_near(metrics_overlap((double[]){ 1, 1, 0 },
				   (double[]){ 10, 10, 20 }, 3),
		   0.5, "overlap: the smaller shares");
	check_near(metrics_overlap((double[]){ 3, 1 }, (double[]){ 300, 100 },
				   2),
		   1, "overlap: scale does not matter");
	check_near(metrics_overlap((double[]){ 0, 0 }, (double[]){ 1, 2 }, 2),
		   0, "overlap: of nothing there is none");
}

static void test_top_overlap(void)
{
	/* Tops: {90, 10} (of 101, 90.9 wanted) and {60, 40} as they are. */
	check_near(metrics_top_overlap((double[]){ 90, 10, 1 },
				       (double[]){ 60, 40, 0 }, 3, 0.9),
		   0.7, "top overlap: .6 + .1");
	/* {80, 15} against {1, 0, 99}: nothing in common. */
	check_near(metrics_top_overlap((double[]){ 80, 15, 5 },
				       (double[]){ 1, 0, 99 }, 3, 0.9),
		   0, "top overlap: the tail is left out");
}

static void test_nrmse(void)
{
	/*
	 * Shares .5 .5 against .2 .8: the root of .5 * .09 + .5 * .09 is .3,
	 * the range .8 - .2.
	 */
	check_near(metrics_nrmse((double[]){ 5, 5 }, (double[]){ 2, 8 }, 2),
		   0.5, "nrmse");
	check_near(metrics_nrmse((double[]){ 1, 3 }, (double[]){ 2, 6 }, 2), 0,
		   "nrmse: of the same shares");
	/* The third has no sample: shares of the others stay, 1/3 .. */
	check_near(metrics_nrmse((double[]){ 1, 0 }, (double[]){ 1, 1 }, 2), 1,
		   "nrmse: only what was sampled counts");
}

static void test_coverage(void)
{
	check_near(metrics_coverage((double[]){ 1, 0, 7 },
				    (double[]){ 30, 50, 20 }, 3),
		   0.5, "coverage: .3 + .2");
}

static void test_order_deviation(void)
{
	/* Places 0 1 2 against 2 1 0: .5 * 4 + .3 * 0 + .2 * 4 = 2.8. */
	check_near(metrics_order_deviation((double[]){ 5, 3, 2 },
					   (double[]){ 1, 2, 3 }, 3),
		   sqrt(2.8) / 3, "order deviation: reversed");
	/* Places 0 0 1 against 0 0 1. */
	check_near(metrics_order_deviation((double[]){ 4, 4, 2 },
					   (double[]){ 9, 9, 1 }, 3),
		   0, "order deviation: equal counts share a place");
}

static void test_branch_match(void)
{
	/* 70 % against 80 %: near; 10 % against 90 %: not; the third is new. */
	static const double a[] = { 7, 3, 1, 9, 0, 0, 5 };
	static const double b[] = { 80, 20, 45, 5, 25, 25, 1000 };
	static const size_t first[] = { 0, 2, 4, 6, 7 };

	check_near(metrics_branch_match(a, b, first, 4), 0.5,
		   "branch match: 100 of 200; one way is no branch");
}

static void test_loop_match(void)
{
	static const double a[] = { 15, 16, 10, 1e6, 9e9, INFINITY, 10 };
	static const double b[] = { 10, 10, 16, 1500, INFINITY, 1100, 900 };
	static const double weights[] = { 1, 20, 4, 8, 16, 32, 64 };

	check_near(metrics_loop_match(a, b, weights, 7), 57. / 145,
		   "loop match: within a factor of 1.5, or more than 1000");
	check_near(metrics_loop_match((double[]){ 10 }, (double[]){ 15 },
				      weights, 1),
		   1, "loop match: fewer, too");
	check_near(metrics_loop_match(a, b, weights, 0), 0,
		   "loop match: no loops");
}

int main(void)
{
	test_overlap();
	test_top_overlap();
	test_nrmse();
	test_coverage();
	test_order_deviation();
	test_branch_match();
	test_loop_match();
	return done();
}
