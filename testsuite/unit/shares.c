/*
 * shares.c - of what several bodies say of a test, how often it held.
 */
#include "plugin/outcome.h"

#include <math.h>

#include "plugin/noted.h"
#include "testsuite/lib/tap.h"

enum { HERE = 7, NOWHERE = 9 };

static struct noted *noted;

static void note(uint64_t executed, struct profile_value *values, size_t n)
{
	struct profile_count count = {
		.count = executed,
		.values = values,
		.nvalues = n,
	};

	noted_add(noted, HERE, &count);
}

static void is(enum profile_kind kind, uint64_t least, double expected,
	       const char *what)
{
	double share = -1;
	bool known = outcome_share(noted, HERE, kind, least, &share);

	check(known == (expected >= 0) &&
		      (!known || fabs(share - expected) < 1e-9),
	      what);
}

static void begin(void)
{
	noted_free(noted);
	noted = noted_new();
}

static void test_sums(void)
{
	struct profile_value first[] = { { 0, 60, PROFILE_EQUAL, false },
					 { 1, 40, PROFILE_EQUAL, false } };
	struct profile_value second[] = { { 1, 100, PROFILE_EQUAL, false },
					  { 8, 3, PROFILE_SIZE, false } };
	double share;

	begin();
	note(100, first, 2);
	is(PROFILE_EQUAL, 0, .4, "how often it held");
	is(PROFILE_LESS, 0, -1, "nothing is asked else");
	note(100, second, 2);
	is(PROFILE_EQUAL, 0, .7, "in all bodies");
	is(PROFILE_EQUAL, 200, .7, "of enough executions");
	is(PROFILE_EQUAL, 201, -1, "but not of fewer");
	check(!outcome_share(noted, NOWHERE, PROFILE_EQUAL, 0, &share),
	      "nothing of a place that nobody told of");
}

/* What has no test in one body says nothing of the others. */
static void test_fits(void)
{
	struct profile_value most[] = { { 0, 90, PROFILE_LESS, false } };
	struct profile_value more[] = { { 0, 90, PROFILE_LESS, false },
					{ 1, 20, PROFILE_LESS, false } };
	struct profile_value size[] = { { 8, 500, PROFILE_SIZE, false } };

	begin();
	note(100, most, 1);
	is(PROFILE_LESS, 0, 0, "nine tenths are enough");
	note(500, size, 1);
	is(PROFILE_LESS, 0, 0, "whatever was executed without a test");
	begin();
	note(101, most, 1);
	is(PROFILE_LESS, 0, -1, "less are not, as where jumps were threaded");
	begin();
	note(100, more, 2);
	is(PROFILE_LESS, 0, 20 / 110., "a tenth more is allowed");
	begin();
	note(99, more, 2);
	is(PROFILE_LESS, 0, -1, "not more, as of several tests");
}

static void test_asks_else(void)
{
	struct profile_value both[] = { { 0, 90, PROFILE_LESS, false },
					{ 1, 10, PROFILE_EQUAL, false } };

	begin();
	note(100, both, 2);
	is(PROFILE_LESS, 0, -1, "branches that ask for something else");
	is(PROFILE_EQUAL, 0, -1, "make neither known");
	both[1] = (struct profile_value){ 0, 10, PROFILE_LESS, true };
	begin();
	note(100, both, 2);
	is(PROFILE_LESS, 0, -1, "nor does what is neither 0 nor 1");
}

int main(void)
{
	test_sums();
	test_fits();
	test_asks_else();
	noted_free(noted);
	return done();
}
