/*
 * rounds.c - loops with a known number of rounds.
 *
 * Block 0, then a loop of the test 1 and of 2, then 3, another loop that is
 * tested at its end, 4, in it a third one, 5, and 6.
 */
#include "plugin/rounds.h"

#include "base/error.h"
#include "mcf/smooth.h"
#include "plugin/vote.h"
#include "profile/profile.h"
#include "testsuite/lib/tap.h"

enum { BLOCKS = 8 };

static const struct flow_link links[] = {
	{ FLOW_OUTSIDE, 0 },
	{ 0, 1 },
	{ 1, 2 },
	{ 2, 1 },
	{ 1, 3 },
	{ 3, 4 },
	{ 4, 5 },
	{ 5, 5 },
	{ 5, 6 },
	{ 6, 4 },
	{ 6, 7 },
	{ 7, FLOW_OUTSIDE },
};
static const double shares[] = {
	1, 1, 0.9, 1, 0.1, 1, 1, 0.9, 0.1, 0.9, 0.1, 1
};
static const bool again[] = { 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0 };
static const bool leaves[] = { 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 };
static const bool passed[BLOCKS] = { 0, 1 };
static const struct body body = { BLOCKS, links,  shares, again,
				  passed, leaves, 12 };
static const uint32_t classes[BLOCKS] = { 0, 1, 2, 0, 3, 4, 3, 0 };

static uint32_t first_blocks[] = { 1, 2 };
static bool first_behind[] = { false, true };
static bool always[] = { true, true, true };
static const struct rounds first = { 1,	     16, first_blocks, first_behind,
				     always, 2,	 false,	       true };

static uint32_t outer_blocks[] = { 4, 5, 6 };
static bool outer_behind[] = { false, false, false };
static uint32_t inner_blocks[] = { 5 };
static bool inner_behind[] = { false };
static const struct rounds nested[] = {
	{ 4, 3, outer_blocks, outer_behind, always, 3, false, true },
	{ 5, 7, inner_blocks, inner_behind, always, 1, false, true },
};

static struct profile *profile;
static struct unit *unit;
static struct evidence *evidence;

static void begin(const uint64_t counts[BLOCKS])
{
	profile = profile_new();
	unit = unit_new(profile);
	evidence = evidence_new(unit, BLOCKS);
	for (uint32_t b = 0; b < BLOCKS; b++)
		if (counts[b])
			ballot_add(evidence_ballot(evidence, b), counts[b],
				   counts[b] / 10);
}

static void end(void)
{
	evidence_free(evidence);
	unit_free(unit);
	profile_free(profile);
}

static void snap_of(const struct body *b, const struct rounds *loops, size_t n)
{
	struct counts_how how = { .shift = 4 };

	rounds_snap(b, evidence, classes, loops, n, &how);
}

static void snap(const struct rounds *loops, size_t n)
{
	snap_of(&body, loops, n);
}

/* After that, executions of a block. */
static long long solved(uint32_t block)
{
	struct counts_how how = { .shift = 4 };
	struct fdo_error err;
	struct counts *c = counts_new(&body, evidence, &how, &err);
	int64_t count = c ? c->block[block] : -1;

	counts_free(c);
	return count >> 4;
}

static long long vote_of(uint32_t block)
{
	return (long long)ballot_count(evidence_ballot(evidence, block),
				       VOTE_MEDIAN);
}

static void test_unrolled(void)
{
	begin((uint64_t[]){ 100, 100, 100, 100, 0, 0, 0, 100 });
	snap(&first, 1);
	check_int(solved(2), 1600, "what was unrolled goes round");
	check_int(solved(1), 1700, "and is tested once more");
	check_int(vote_of(1), 1700, "by its votes, too");
	check_int(solved(3), 100, "what is behind it is not");
	check_int((long long)ballot_error(evidence_ballot(evidence, 2), 1600),
		  160, "its error is as much larger");
	end();

	begin((uint64_t[]){ 100, 500, 400, 100, 0, 0, 0, 100 });
	snap(&first, 1);
	check_int(solved(2), 1600, "vectors of four have a fourth");
	end();
}

static void test_nested(void)
{
	begin((uint64_t[]){ 100, 200, 100, 100, 100, 100, 100, 100 });
	snap(nested, 2);
	check_int(solved(4), 400, "the outer loop is entered once");
	check_int(solved(5), 3200,
		  "the inner one as often as the outer is run");
	check_int(solved(6), 400, "what comes after that");
	check_int(solved(7), 100, "and after both");
	end();
}

static void test_as_it_was(void)
{
	begin((uint64_t[]){ 100, 1500, 1400, 100, 0, 0, 0, 100 });
	snap(&first, 1);
	check_int(solved(2), 1400, "a few rounds less are by chance");
	end();

	begin((uint64_t[]){ 100, 9000, 8900, 100, 0, 0, 0, 100 });
	snap(&first, 1);
	check_int(solved(2), 8900, "nothing makes more of few");
	end();

	begin((uint64_t[]){ 0, 210, 110, 0, 0, 0, 0, 0 });
	snap(&first, 1);
	check_int(vote_of(2), 110,
		  "who does not know how often it was entered guesses");
	end();

	begin((uint64_t[]){ 0, 210, 110, 0, 0, 0, 0, 0 });
	ballot_add(evidence_ballot(evidence, 0), 100, 48);
	snap(&first, 1);
	check_int(solved(2), 110, "and who is not sure of it as well");
	end();

	begin((uint64_t[]){ 0, 0, 0, 0, 0, 0, 0, 0 });
	snap(&first, 1);
	check_int(solved(2), 0, "what did not run goes not round");
	end();
}

/* So many rounds of 100, by who is not sure how often it was entered. */
static long long rounds_unsure(uint64_t rounds)
{
	long long ret;

	begin((uint64_t[]){ 0, 100 + rounds, rounds, 0, 0, 0, 0, 0 });
	ballot_add(evidence_ballot(evidence, 0), 100, 48);
	snap(&first, 1);
	ret = solved(2);
	end();
	return ret;
}

static void test_by_vectors(void)
{
	check_int(rounds_unsure(800), 1600, "half of the rounds are by pairs");
	check_int(rounds_unsure(400), 1600, "a fourth is by vectors of four");
	check_int(rounds_unsure(200), 1600, "and an eighth");
	check_int(rounds_unsure(410), 410, "not what is nearly a fourth");
	check_int(rounds_unsure(533), 533, "nor a third");
	check_int(rounds_unsure(110), 110, "nor what hardly goes round");
	check_int(rounds_unsure(100), 1600,
		  "one round is all of them, one after the other");
}

/* The first loop, of which none is left. */
static struct rounds gone_as(bool is_string)
{
	struct rounds gone = first;

	gone.rounds = 0;
	gone.is_known = false;
	gone.is_gone = true;
	gone.is_string = is_string;
	gone.guessed = 0.9;
	return gone;
}

static void test_gone(void)
{
	static const bool none[BLOCKS];
	struct rounds gone = gone_as(false);
	struct body doubtful = body;

	doubtful.passed = none;
	begin((uint64_t[]){ 100, 175, 75, 100, 0, 0, 0, 100 });
	snap_of(&doubtful, &gone, 1);
	check_int(solved(2), 300, "three of four go round, and of these again");
	check_int(solved(1), 400, "with a test more");
	end();

	begin((uint64_t[]){ 100, 200, 100, 100, 0, 0, 0, 100 });
	snap_of(&doubtful, &gone, 1);
	check_int(solved(2), 900, "all go round, but not for ever");
	end();

	begin((uint64_t[]){ 100, 250, 150, 100, 0, 0, 0, 100 });
	snap_of(&doubtful, &gone, 1);
	check_int(solved(2), 150, "what goes round more often is a loop");
	end();
}

/* Of a loop that is gone, but bounds; executions of what goes round. */
static long long bounded(uint64_t test, uint64_t round, bool is_string)
{
	static const bool none[BLOCKS];
	struct rounds gone = gone_as(is_string);
	struct body doubtful = body;
	long long result;

	doubtful.passed = none;
	begin((uint64_t[]){ 100, 0, 0, 100, 0, 0, 0, 100 });
	if (test)
		ballot_add_bound(evidence_ballot(evidence, 1), test);
	if (round)
		ballot_add_bound(evidence_ballot(evidence, 2), round);
	snap_of(&doubtful, &gone, 1);
	result = solved(2);
	end();
	return result;
}

static void test_gone_in_a_macro(void)
{
	check_int(bounded(100, 100, false), 900,
		  "a bound for all of a macro: what is left stands for all");
	check_int(bounded(100, 30, false), 100, "not if it ran less often");
	check_int(bounded(30, 100, false), 100, "nor if the test did");
	check_int(bounded(100, 0, false), 100, "or of what goes round is none");
	check_int(bounded(100, 100, true), 100,
		  "a string's characters are read");
}

static void test_string(void)
{
	static const bool none[BLOCKS];
	struct rounds gone = gone_as(true);
	struct body doubtful = body;
	long long before;

	doubtful.passed = none;
	begin((uint64_t[]){ 100, 100, 0, 100, 0, 0, 0, 100 });
	snap_of(&doubtful, &gone, 1);
	check_int(solved(2), 900, "what is guessed, if only the test is known");
	end();

	begin((uint64_t[]){ 100, 175, 75, 100, 0, 0, 0, 100 });
	before = solved(2);
	snap_of(&doubtful, &gone, 1);
	check_int(solved(2), before, "short strings, character by character");
	end();
}

/* A loop of 0 and 1, at once one of 2 and 3, then 4. */
static void test_beside_another(void)
{
	static const struct flow_link two_links[] = {
		{ FLOW_OUTSIDE, 0 },
		{ 0, 1 },
		{ 1, 0 },
		{ 0, 2 },
		{ 2, 3 },
		{ 3, 2 },
		{ 2, 4 },
		{ 4, FLOW_OUTSIDE },
	};
	static const double two_shares[] = { 1, 0.9, 1, 0.1, 0.9, 1, 0.1, 1 };
	static const bool no[8];
	static const struct body two = {
		5, two_links, two_shares, no, no, no, 8
	};
	static const uint32_t own[] = { 0, 1, 2, 3, 4 };
	uint32_t blocks[] = { 2, 3 };
	struct rounds loop = { 2,      1000, blocks, (bool[]){ false, true },
			       always, 2,    false,  true };
	struct counts_how how = { .shift = 4 };
	struct ballot *again;

	begin((uint64_t[]){ 4000, 4000, 500, 480, 0, 0, 0, 0 });
	ballot_add(evidence_ballot(evidence, 4), 20, 20);
	again = evidence_ballot(evidence, 3);
	rounds_snap(&two, evidence, own, &loop, 1, &how);
	check_int(
		(long long)ballot_count(again, VOTE_MEDIAN), 480,
		"how often a loop went round before is not how often it came");
	end();

	begin((uint64_t[]){ 4000, 4000, 500, 480, 20, 0, 0, 0 });
	again = evidence_ballot(evidence, 3);
	rounds_snap(&two, evidence, own, &loop, 1, &how);
	check((long long)ballot_count(again, VOTE_MEDIAN) >= 15000,
	      "what comes behind a loop may say it");
	end();
}

/*
 * Block 0, a loop of the test 1, of 2, which leaves it for 5, of 3, which is
 * not in each round, and of 4; and 6 behind it.
 */
static void test_other_exits(void)
{
	static const struct flow_link early_links[] = {
		{ FLOW_OUTSIDE, 0 },
		{ 0, 1 },
		{ 1, 2 },
		{ 2, 3 },
		{ 2, 4 },
		{ 3, 4 },
		{ 4, 1 },
		{ 2, 5 },
		{ 1, 6 },
		{ 5, FLOW_OUTSIDE },
		{ 6, FLOW_OUTSIDE },
	};
	static const double early_shares[] = { 1, 1,   0.9, 0.4, 0.5, 1,
					       1, 0.1, 0.1, 1,	 1 };
	static const bool no[11];
	static const struct body early = { 7,  early_links, early_shares,
					   no, no,	    no,
					   11 };
	static const uint32_t own[] = { 0, 1, 2, 3, 4, 5, 6 };
	uint32_t blocks[] = { 1, 2, 3, 4 };
	struct rounds loop = {
		.header = 1,
		.rounds = 8,
		.blocks = blocks,
		.behind = (bool[]){ false, true, true, true },
		.always = (bool[]){ true, true, false, true },
		.nblocks = 4,
		.is_known = true,
		.has_others = true,
		.from = 1,
		.to = 6,
	};
	struct counts_how how = { .shift = 4 };
	uint64_t counts[BLOCKS] = { 100, 120, 120, 30, 80, 40, 60 };

	begin(counts);
	rounds_snap(&early, evidence, own, &loop, 1, &how);
	check_int(vote_of(1), 8 * 60 + 60, "the test is made in all rounds");
	check_int(vote_of(2), 8 * 60, "of those that went round to the end");
	check_int(vote_of(4), 8 * 60, "which all lead over it");
	check_int(vote_of(3), 30, "but not over an arm");
	end();

	counts[2] = 400;
	begin(counts);
	rounds_snap(&early, evidence, own, &loop, 1, &how);
	check_int(vote_of(2), 400, "a vote for little less is kept");
	check_int(vote_of(4), 8 * 60, "where others are not");
	end();

	counts[1] = counts[2] = counts[4] = 600;
	begin(counts);
	rounds_snap(&early, evidence, own, &loop, 1, &how);
	check_int(vote_of(2), 600, "the others have rounds, too");
	end();

	counts[1] = counts[2] = 100;
	counts[4] = counts[6] = 0;
	counts[5] = 100;
	begin(counts);
	rounds_snap(&early, evidence, own, &loop, 1, &how);
	check_int(vote_of(2), 100, "if all leave early, nothing is known");
	end();

	begin((uint64_t[BLOCKS]){ 100, 200, 140, 30, 100, 40, 0 });
	ballot_clear(evidence_ballot(evidence, 6));
	ballot_add(evidence_ballot(evidence, 6), 60, 48);
	rounds_snap(&early, evidence, own, &loop, 1, &how);
	check_int(vote_of(2), 140,
		  "nor by one round each, if some leave early");
	end();
}

static void test_steps(void)
{
	check_int(rounds_while(WHILE_LESS, 0, 1, 16), 16, "i < 16");
	check_int(rounds_while(WHILE_LESS, 0, 3, 16), 6, "i < 16; i += 3");
	check_int(rounds_while(WHILE_LESS, 16, 1, 16), 0, "none");
	check_int(rounds_while(WHILE_LESS, 0, -1, 16), -1, "away from it");
	check_int(rounds_while(WHILE_LESS, 15, -2, 16), -1, "beside it, away");
	check_int(rounds_while(WHILE_LESS, 0, 0, 16), -1, "nowhere");
	check_int(rounds_while(WHILE_LESS_OR_SAME, 1, 1, 16), 16, "i <= 16");
	check_int(rounds_while(WHILE_MORE, 16, -1, 0), 16, "i > 0");
	check_int(rounds_while(WHILE_MORE, 16, 1, 0), -1, "upwards");
	check_int(rounds_while(WHILE_MORE_OR_SAME, 15, -2, 0), 8, "i >= 0");
	check_int(rounds_while(WHILE_OTHER, 2, 2, 16), 7, "i != 16");
	check_int(rounds_while(WHILE_OTHER, 16, -2, 2), 7, "i != 2");
	check_int(rounds_while(WHILE_OTHER, 1, 2, 16), -1, "passed by");
	check_int(rounds_while(WHILE_OTHER, 16, 2, 2), -1, "the other way");
	check_int(rounds_while(WHILE_OTHER, 2, 0, 2), 0, "there already");
	check_int(rounds_while(WHILE_LESS, INT64_MIN, 1, INT64_MAX), -1,
		  "more than can be counted");
}

/* 0: entered, 1 and 2 to 5: a loop, 3 and 4: one in it, 6: behind. */
static const struct flow_link whole_links[] = {
	{ FLOW_OUTSIDE, 0 },
	{ 0, 1 },
	{ 1, 2 },
	{ 2, 3 },
	{ 3, 4 },
	{ 4, 3 },
	{ 3, 5 },
	{ 5, 1 },
	{ 1, 6 },
	{ 6, 7 },
	{ 7, FLOW_OUTSIDE },
};
static const struct body whole_body = { .nblocks = BLOCKS,
					.links = whole_links,
					.nlinks = 11 };
static const uint32_t whole_classes[BLOCKS] = { 0, 1, 2, 3, 4, 2, 0, 0 };
static uint32_t whole_outer[] = { 1, 2, 3, 4, 5 }, whole_inner[] = { 3, 4 };

/* So many rounds of the inner one, of that alone or both.  Were they unrolled? */
static bool unrolled_as_a_whole(uint64_t rounds, bool alone)
{
	const struct rounds loops[] = {
		{ .header = 1,
		  .rounds = 2,
		  .blocks = whole_outer,
		  .nblocks = 5,
		  .tests_first = true,
		  .is_known = true,
		  .from = 1,
		  .to = 6 },
		{ .header = 3,
		  .rounds = rounds,
		  .blocks = whole_inner,
		  .nblocks = 2,
		  .tests_first = true,
		  .is_known = rounds > 0,
		  .from = 3,
		  .to = 5 },
	};

	return rounds_unroll(&whole_body, evidence, whole_classes,
			     &loops[alone], alone ? 1 : 2, VOTE_MEDIAN);
}

static void test_unrolled_as_a_whole(void)
{
	begin((uint64_t[]){ 0, 0, 0, 0, 100, 0, 0, 0 });
	check(unrolled_as_a_whole(3, false), "loops of which no test is left");
	check_int(vote_of(0), 100, "are entered as often as their code ran");
	check_int(vote_of(2), 200, "and go round");
	check_int(vote_of(4), 600, "in each other");
	check_int(vote_of(3), 800, "with their tests");
	end();
	begin((uint64_t[]){ 0, 0, 0, 0, 100, 0, 0, 0 });
	check(!unrolled_as_a_whole(0, false), "not if rounds are not known");
	end();
	begin((uint64_t[]){ 0, 0, 0, 200, 100, 0, 0, 0 });
	check(!unrolled_as_a_whole(3, false), "nor if one still has code");
	end();
	begin((uint64_t[]){ 50, 0, 0, 0, 100, 0, 0, 0 });
	check(!unrolled_as_a_whole(3, false),
	      "or it is known how they are entered");
	check_int(vote_of(4), 100, "all is as it was");
	end();
	begin((uint64_t[]){ 0, 0, 0, 0, 100, 0, 0, 0 });
	check(!unrolled_as_a_whole(3, true),
	      "and a single loop may have copies that were added up");
	end();
}

int main(void)
{
	test_unrolled();
	test_unrolled_as_a_whole();
	test_nested();
	test_as_it_was();
	test_by_vectors();
	test_gone();
	test_gone_in_a_macro();
	test_string();
	test_beside_another();
	test_other_exits();
	test_steps();
	return done();
}
