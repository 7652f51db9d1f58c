/*
 * hoisted.c - votes of what was moved out of a loop.
 *
 * Block 0, then a loop of the test 1, of 2, of the arm 3 and of 4, then 5.
 */
#include "plugin/hoisted.h"

#include "mcf/smooth.h"
#include "plugin/vote.h"
#include "profile/profile.h"
#include "testsuite/lib/tap.h"

enum { BLOCKS = 6 };

static const struct flow_link links[] = {
	{ FLOW_OUTSIDE, 0 },
	{ 0, 1 },
	{ 1, 2 },
	{ 2, 3 },
	{ 2, 4 },
	{ 3, 4 },
	{ 4, 1 },
	{ 1, 5 },
	{ 5, FLOW_OUTSIDE },
};
static const double shares[] = { 1, 1, 0.9, 0.5, 0.5, 1, 1, 0.1, 1 };
static const bool no[9];
static const struct body body = { BLOCKS, links, shares, no, no, no, 9 };

static uint32_t blocks[] = { 1, 2, 3, 4 };
static bool behind[] = { false, false, false, false };
static bool always[] = { true, true, false, true };
static const struct rounds first = {
	.header = 1,
	.blocks = blocks,
	.behind = behind,
	.always = always,
	.nblocks = 4,
	.tests_first = true,
};

/* Block 0, then a loop of 1, in which is one of 2 and 3, then 4. */
static const struct flow_link outer_links[] = {
	{ FLOW_OUTSIDE, 0 },
	{ 0, 1 },
	{ 1, 2 },
	{ 2, 3 },
	{ 3, 2 },
	{ 2, 1 },
	{ 1, 4 },
	{ 4, FLOW_OUTSIDE },
};
static const double outer_shares[] = { 1, 1, 0.5, 0.9, 1, 0.1, 0.5, 1 };
static const struct body outer = {
	5, outer_links, outer_shares, no, no, no, 8,
};
static uint32_t inner_blocks[] = { 2, 3 };
static bool inner_behind[] = { false, false };
static bool inner_always[] = { true, true };
static const struct rounds inner = {
	.header = 2,
	.blocks = inner_blocks,
	.behind = inner_behind,
	.always = inner_always,
	.nblocks = 2,
	.tests_first = true,
};

static struct profile *profile;
static struct unit *unit;
static struct evidence *evidence;

static void begin(const uint64_t counts[BLOCKS], unsigned one_error_in)
{
	profile = profile_new();
	unit = unit_new(profile);
	evidence = evidence_new(unit, BLOCKS);
	for (uint32_t b = 0; b < BLOCKS; b++)
		ballot_add(evidence_ballot(evidence, b), counts[b],
			   counts[b] / one_error_in);
}

static void doubt(const struct rounds *loop)
{
	struct counts_how how = { .shift = 4 };

	hoisted_doubt(&body, evidence, loop, 1, &how);
}

/* -1: nothing is said of the block any more. */
static long long vote(uint32_t block)
{
	struct ballot *ballot = evidence_ballot(evidence, block);
	long long count =
		ballot->n ? (long long)ballot_count(ballot, VOTE_MEDIAN) : -1;

	return count;
}

static void end(void)
{
	evidence_free(evidence);
	unit_free(unit);
	profile_free(profile);
}

/* Nothing is said of the outer loop's test, whose rounds make up for what lacks. */
static void test_outer(void)
{
	struct counts_how how = { .shift = 4 };

	begin((uint64_t[]){ 100, 0, 1000, 100, 100, 0 }, 100);
	ballot_clear(evidence_ballot(evidence, 1));
	hoisted_doubt(&outer, evidence, &inner, 1, &how);
	check_int(vote(3), -1, "what is from before an inner loop is");
	check_int(vote(2), 1000, "but not its test");
	end();
}

static void test_begun(void)
{
	begin((uint64_t[]){ 100, 190, 100, 0, 100, 100 }, 100);
	ballot_add_least(evidence_ballot(evidence, 2), 409);
	ballot_add_least(evidence_ballot(evidence, 4), 407);
	doubt(&first);
	check_int(vote(2), -1, "statements began that have no code there");
	check_int(vote(4), 100, "not if they may have by its error");
	end();
}

int main(void)
{
	struct rounds last = first;

	begin((uint64_t[]){ 100, 1000, 100, 90, 900, 100 }, 100);
	doubt(&first);
	check_int(vote(2), -1, "as often as the loop is entered is before it");
	check_int(vote(4), 900, "what goes round is not");
	check_int(vote(3), 90, "nor what not all rounds lead over");
	check_int(vote(1), 1000, "nor the test");
	end();

	begin((uint64_t[]){ 100, 1000, 0, 0, 20, 100 }, 100);
	doubt(&first);
	check_int(vote(2), 0, "what never ran did not run before it, either");
	check_int(vote(4), 20, "nor what is less than that");
	end();

	begin((uint64_t[]){ 100, 190, 100, 0, 100, 100 }, 100);
	doubt(&first);
	check_int(vote(2), 100, "of few rounds, it is as often as entered");
	end();

	begin((uint64_t[]){ 100, 1000, 100, 90, 900, 100 }, 2);
	doubt(&first);
	check_int(vote(2), 100, "a test that may be wrong says nothing");
	end();

	last.tests_first = false;
	begin((uint64_t[]){ 100, 1000, 100, 90, 900, 100 }, 100);
	doubt(&last);
	check_int(vote(2), 100, "nor a loop that begins without a test");
	end();
	test_outer();
	test_begun();
	return done();
}
