/*
 * vote.c - the outcome of each kind of vote.
 */
#include "plugin/vote.h"

#include "profile/profile.h"
#include "testsuite/lib/tap.h"

static uint64_t count_of(const uint64_t *counts, size_t n, enum vote how)
{
	struct ballot b = { 0 };
	uint64_t count;

	for (size_t i = 0; i < n; i++)
		ballot_add(&b, counts[i], 0);
	count = ballot_count(&b, how);
	ballot_free(&b);
	return count;
}

static void test_each_way(void)
{
	static const uint64_t odd[] = { 900, 100, 200 };
	static const uint64_t even[] = { 900, 100, 200, 300 };
	static const uint64_t one[] = { 7 }, two[] = { 1, 2 };
	static const uint64_t large[] = { (uint64_t)1 << 60,
					  (uint64_t)1 << 60 };

	check_int(count_of(odd, 3, VOTE_MEDIAN), 200, "the middle one");
	check_int(count_of(even, 4, VOTE_MEDIAN), 300, "the upper of two");
	check_int(count_of(odd, 3, VOTE_MAX), 900, "the largest");
	check_int(count_of(odd, 3, VOTE_AVERAGE), 400, "the mean");
	check_int(count_of(two, 2, VOTE_AVERAGE), 2, "which is rounded");
	check_int(count_of(even, 4, VOTE_WEIGHTED), 375,
		  "without errors all weigh the same");
	check_int(count_of(one, 1, VOTE_MEDIAN), 7, "one vote decides");
	check(count_of(large, 2, VOTE_AVERAGE) == (uint64_t)1 << 60,
	      "the largest counts have a mean");
}

static void test_errors_weigh(void)
{
	struct ballot b = { 0 };

	ballot_add(&b, 1000, 1000);
	ballot_add(&b, 100, 1);
	check_int(ballot_count(&b, VOTE_WEIGHTED), 100,
		  "a sure count outweighs a doubtful one");
	ballot_clear(&b);
	check(b.n == 0 && !b.bounded, "cleared, nobody has voted");
	ballot_free(&b);
}

static void test_error_of_the_outcome(void)
{
	struct ballot b = { 0 };

	ballot_add(&b, 100, 9);
	ballot_add(&b, 100, 5);
	ballot_add(&b, 200, 20);
	check_int(ballot_error(&b, 100), 9, "the largest of those who said so");
	check_int(ballot_error(&b, 150), 0, "nobody did");
	ballot_free(&b);
}

static void test_scale(void)
{
	struct ballot b = { 0 };

	ballot_add(&b, 3, 1);
	ballot_add(&b, 0, 0);
	ballot_add(&b, 1000, 10);
	ballot_add_bound(&b, 500);
	ballot_scale(&b, .25);
	check(b.cast[0].count == 1 && b.cast[0].error == 1,
	      "what ran still did");
	check(b.cast[1].count == 0 && b.cast[1].error == 0,
	      "and what did not, did not");
	check(b.cast[2].count == 250 && b.cast[2].error == 3 && b.bound == 125,
	      "errors and bounds are scaled as counts are");
	ballot_scale(&b, 0x1p60);
	check(b.cast[2].count == PROFILE_MAX, "up to the largest count");
	ballot_free(&b);
}

static void test_the_lowest_bound_holds(void)
{
	struct ballot b = { 0 };

	ballot_add_bound(&b, 500);
	ballot_add_bound(&b, 300);
	ballot_add_bound(&b, 400);
	check(b.bounded && b.bound == 300 && b.n == 0,
	      "bounds are no votes, the lowest holds");
	ballot_free(&b);
}

static void test_the_highest_least_holds(void)
{
	struct ballot b = { 0 };

	ballot_add_least(&b, 300);
	ballot_add_least(&b, 500);
	ballot_add_least(&b, 400);
	check(b.least == 500 && b.n == 0 && !b.bounded,
	      "the highest is what is certain");
	ballot_clear(&b);
	check(b.least == 500, "whoever votes for what");
	ballot_scale(&b, .5);
	check(b.least == 250, "it is scaled as votes are");
	ballot_free(&b);
	check(b.least == 0, "and goes with the ballot");
}

static void test_names(void)
{
	enum vote how = VOTE_MAX;

	check(vote_by_name("weighted", &how) && how == VOTE_WEIGHTED,
	      "a way has a name");
	check(!vote_by_name("", &how) && !vote_by_name("Max", &how) &&
		      how == VOTE_WEIGHTED,
	      "other names change nothing");
}

int main(void)
{
	test_each_way();
	test_errors_weigh();
	test_error_of_the_outcome();
	test_scale();
	test_the_lowest_bound_holds();
	test_the_highest_least_holds();
	test_names();
	return done();
}
