/*
 * counts.c - from evidence to consistent counts: scale, entry, connection.
 */
#include "plugin/counts.h"

#include <unistd.h>

#include "base/error.h"
#include "mcf/smooth.h"
#include "plugin/vote.h"
#include "profile/profile.h"
#include "testsuite/lib/tap.h"

static void test_scale(void)
{
	check_int(counts_shift(0), 0, "nothing to scale");
	for (uint64_t max = 1; max < PROFILE_MAX; max *= 10) {
		int shift = counts_shift(max);
		int64_t scaled = counts_scale(max, shift);

		check(scaled >= (1 << 29) && scaled < (1 << 30),
		      "the largest count has 30 bits");
		check(counts_scale(1, shift) >= 1, "no count becomes 0");
	}
	check_int(counts_scale(0, 20), 0, "but 0 stays");
	check(counts_scale(PROFILE_MAX, 29) <= FLOW_MAX,
	      "what is too large is cut");
}

/* 0: entry, 1: loop, 2: rare arm of it, 3: exit. */
static const struct flow_link links[] = {
	{ FLOW_OUTSIDE, 0 }, { 0, 1 }, { 1, 1 }, { 1, 2 }, { 2, 1 }, { 1, 3 },
	{ 3, FLOW_OUTSIDE },
};
static const double shares[] = { 1, 1, 0.8, 0.1, 1, 0.1, 1 };
static const bool never[7];
static const struct body body = { 4, links, shares, never, never, never, 7 };

/* 0: entry, 1 and 2: a loop and its test, 3 and 4: another, 5: exit. */
static const struct flow_link loop_links[] = {
	{ FLOW_OUTSIDE, 0 },
	{ 0, 2 },
	{ 2, 1 },
	{ 1, 2 },
	{ 2, 4 },
	{ 4, 3 },
	{ 3, 4 },
	{ 4, 5 },
	{ 5, FLOW_OUTSIDE },
};
static const double loop_shares[] = { 1, 1, 0.9, 1, 0.1, 0.9, 1, 0.1, 1 };
static const bool loop_again[] = { 0, 0, 0, 1, 0, 0, 1, 0, 0 };
static const bool loop_passed[] = { 0, 0, 0, 0, 1, 0 };
static const bool loop_leaves[] = { 0, 0, 0, 0, 1, 0, 0, 1, 0 };
static const struct body loops = {
	6, loop_links, loop_shares, loop_again, loop_passed, loop_leaves, 9,
};

/* 0: a choice of 1 and 2, 3: both meet. */
static const struct flow_link arm_links[] = {
	{ FLOW_OUTSIDE, 0 }, { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 },
	{ 3, FLOW_OUTSIDE },
};
static const double arm_shares[] = { 1, 0.5, 0.5, 1, 1, 1 };
static const struct body arms = { 4,	 arm_links, arm_shares, never,
				  never, never,	    6 };

/* Evidence that the test says itself, of a profile without anything. */
struct scene {
	struct profile *profile;
	struct unit *unit;
	struct evidence *evidence;
};

static struct scene begin(const struct body *of)
{
	struct scene s = { .profile = profile_new() };

	s.unit = unit_new(s.profile);
	s.evidence = evidence_new(s.unit, of->nblocks);
	return s;
}

static void end(struct scene *s)
{
	evidence_free(s->evidence);
	unit_free(s->unit);
	profile_free(s->profile);
}

static void vote(struct evidence *e, uint32_t block, uint64_t count)
{
	ballot_add(evidence_ballot(e, block), count, 0);
}

static void vote_within(struct evidence *e, uint32_t block, uint64_t count,
			uint64_t error)
{
	ballot_add(evidence_ballot(e, block), count, error);
}

/* The more places say it, the dearer: PRICE * ln(1.7 + n). */
static void vote_often(struct evidence *e, uint32_t block, uint64_t count,
		       unsigned n)
{
	while (n-- > 0)
		vote(e, block, count);
}

/* The end of a scene: how often a block runs by it. */
static int64_t count_in(struct scene *s, const struct body *of, uint32_t block)
{
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c = counts_new(of, s->evidence, &how, &err);
	int64_t count = c->block[block];

	counts_free(c);
	end(s);
	return count;
}

static void check_flow(const struct counts *c, const char *what)
{
	int64_t in[4] = { 0 }, out[4] = { 0 };
	bool same = true;

	for (uint32_t l = 0; l < body.nlinks; l++) {
		if (links[l].from != FLOW_OUTSIDE)
			out[links[l].from] += c->link[l];
		if (links[l].to != FLOW_OUTSIDE)
			in[links[l].to] += c->link[l];
	}
	for (int b = 0; b < 4; b++)
		same &= in[b] == out[b] && in[b] == c->block[b];
	check(same, what);
}

static void test_counts_agree(void)
{
	struct scene s = begin(&body);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 10);
	vote(e, 1, 1000);
	vote(e, 2, 100);
	c = counts_new(&body, e, &how, &err);
	check(c != NULL, "there are counts");
	check_flow(c, "what enters a block leaves it");
	check_int(c->block[1], 1000, "what agrees is kept");
	check_int(c->link[3], 100, "a block decides its edges");
	check_int(c->block[3], 10, "and others follow");
	check_int(c->entered, 10, "so does the entry");
	counts_free(c);
	end(&s);
}

static void test_what_ran_was_entered(void)
{
	struct scene s = begin(&body);
	struct evidence *e = s.evidence;
	struct counts_how how = { .shift = 10, .sample = 8 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 0);
	vote(e, 1, 1000);
	vote(e, 3, 0);
	c = counts_new(&body, e, &how, &err);
	check(c && c->entered >= 1 && c->block[3] >= 1,
	      "a loop that ran was entered and left");
	check(c && c->entered <= 4 << 10, "not more than half a sample");
	check_flow(c, "and counts still agree");
	counts_free(c);
	end(&s);
}

static void test_calls_count_as_entries(void)
{
	struct scene s = begin(&body);
	struct evidence *e = s.evidence;
	struct counts_how how = { .entry = 50 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 1, 1000);
	c = counts_new(&body, e, &how, &err);
	check_int(c->entered, 50, "the number of calls is the entry's");
	check_int(c->block[1], 1000, "beside that of the loop");
	counts_free(c);

	vote(e, 0, 80);
	how.entry_is_least = true;
	c = counts_new(&body, e, &how, &err);
	check_int(c->entered, 80, "there may be more than are known");
	counts_free(c);
	end(&s);
}

/*
 * Compiled with their tests at the end, two loops make as many tests as they
 * have rounds, and nothing says that they were entered but their functions'
 * first block.
 */
static void test_tests_fall_short(void)
{
	struct scene s = begin(&loops);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 7);
	vote(e, 1, 42);
	vote(e, 2, 42);
	vote(e, 3, 70);
	vote(e, 4, 70);
	c = counts_new(&loops, e, &how, &err);
	check_int(c->entered, 7, "the entry of two loops is kept");
	check_int(c->block[1], 42, "and so is what goes round");
	check_int(c->block[2], 49, "with one more test each time");
	check_int(c->block[4], 77, "of both");
	check_int(c->link[3], 42, "links keep their numbers");
	check_int(c->link[4], 7, "and the way on is as the way in");
	counts_free(c);
	end(&s);
}

/* Where the first test is elsewhere in the code, they add up to all. */
static void test_tests_are_all_there(void)
{
	struct scene s = begin(&loops);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 7);
	vote(e, 1, 42);
	vote(e, 2, 49);
	c = counts_new(&loops, e, &how, &err);
	check_int(c->block[2], 49, "all tests are counted");
	check_int(c->block[1], 42, "and all rounds");
	counts_free(c);
	end(&s);
	s = begin(&loops);
	e = s.evidence;
	vote(e, 2, 49);
	vote(e, 4, 0);
	c = counts_new(&loops, e, &how, &err);
	check(c && c->block[2] >= 49, "no test is left out");
	check(c && c->link[3] <= 49, "no round is added");
	counts_free(c);
	end(&s);
}

/* The second loop's test passes at first, so it goes round when entered. */
static void test_loops_go_round(void)
{
	struct scene s = begin(&loops);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 7);
	vote(e, 1, 0);
	vote(e, 3, 0);
	c = counts_new(&loops, e, &how, &err);
	check_int(c->block[1], 0, "a loop that may be passed by stays cold");
	check_int(c->block[3], 7, "one that must be run through does not");
	check_int(c->link[6], 7, "and leads back");
	check_int(c->entered, 7, "the way in is as it was");
	counts_free(c);
	end(&s);
}

/* What few samples leave open leads out of it as well. */
static void test_loops_go_round_in_doubt(void)
{
	struct scene s = begin(&loops);
	struct evidence *e = s.evidence;
	struct counts_how how = { .sample = 1000 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 7);
	vote(e, 1, 0);
	vote(e, 3, 0);
	c = counts_new(&loops, e, &how, &err);
	check(c->block[1] > 0, "a loop may have run that has no sample");
	check(c->entered > 7, "which was entered for that");
	check_int(c->link[6], c->entered, "the other one goes round as often");
	check_int(c->link[7], c->entered, "as it is left");
	counts_free(c);
	end(&s);
}

/* 0: entry, 1: a test, 2: one within its loop, 3: that loop, 4: back, 5: exit. */
static const struct flow_link nested_links[] = {
	{ FLOW_OUTSIDE, 0 },
	{ 0, 1 },
	{ 1, 2 },
	{ 2, 3 },
	{ 3, 2 },
	{ 2, 4 },
	{ 4, 1 },
	{ 1, 5 },
	{ 5, FLOW_OUTSIDE },
};
static const double nested_shares[] = { 1, 1, 0.9, 0.9, 1, 0.1, 1, 0.1, 1 };
static const bool nested_again[] = { 0, 0, 0, 0, 1, 0, 1, 0, 0 };
static const bool nested_passed[] = { 0, 1, 1, 0, 0, 0 };
static const bool nested_leaves[] = { 0, 0, 0, 0, 0, 1, 0, 1, 0 };
static const struct body nested = {
	6,
	nested_links,
	nested_shares,
	nested_again,
	nested_passed,
	nested_leaves,
	9,
};

/* A round of the outer loop leaves the inner one, behind a round of that. */
static void test_nested_loops_go_round(void)
{
	struct scene s = begin(&nested);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 7);
	vote(e, 3, 0);
	vote(e, 4, 0);
	c = counts_new(&nested, e, &how, &err);
	check_int(c->link[6], 7, "a loop around another one leads back");
	check_int(c->link[4], 7, "and so does the other one");
	counts_free(c);
	end(&s);
}

/* Nothing was seen here, but what it calls was. */
static void test_callers_ran(void)
{
	static const struct counts_call calls[] = { { 2, 0, true, 500 } };
	struct scene s = begin(&arms);
	struct evidence *e = s.evidence;
	struct counts_how how = { .calls = calls, .ncalls = 1 };
	struct fdo_error err;
	struct counts *c;

	for (uint32_t b = 0; b < arms.nblocks; b++)
		vote(e, b, 0);
	c = counts_new(&arms, e, &how, &err);
	check_int(c->block[2], 500, "the call ran as often as the callee");
	check_int(c->entered, 500, "and so did its function");
	check_int(c->block[1], 0, "but nothing else");
	counts_free(c);
	how.sample = 100;
	c = counts_new(&arms, e, &how, &err);
	check(c->block[2] >= 50 && c->block[2] < 60,
	      "with samples, half a one is enough");
	counts_free(c);
	end(&s);
}

/* Of several calls, one that ran is enough, likely or not. */
static void test_one_call_is_enough(void)
{
	static const struct counts_call calls[] = {
		{ 1, 0, false, 500 },
		{ 2, 0, true, 500 },
	};
	struct scene s = begin(&arms);
	struct evidence *e = s.evidence;
	struct counts_how how = { .calls = calls, .ncalls = 2 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 500);
	vote(e, 1, 500);
	vote(e, 2, 0);
	c = counts_new(&arms, e, &how, &err);
	check_int(c->block[1], 500, "the call that ran did");
	check_int(c->block[2], 0, "the likelier one need not");
	counts_free(c);
	end(&s);
}

/* 0: entry, 1: the test of a loop that passes at first, 2: its body, 3: exit. */
static const struct flow_link guarded_links[] = {
	{ FLOW_OUTSIDE, 0 }, { 0, 1 }, { 0, 3 }, { 1, 2 }, { 2, 1 }, { 1, 3 },
	{ 3, FLOW_OUTSIDE },
};
static const double guarded_shares[] = { 1, 0.2, 0.8, 0.8, 1, 0.2, 1 };
static const bool guarded_again[] = { 0, 0, 0, 0, 1, 0, 0 };
static const bool guarded_passed[] = { 0, 1, 0, 0 };
static const bool guarded_leaves[] = { 0, 0, 0, 0, 0, 1, 0 };
static const struct body guarded = {
	4,
	guarded_links,
	guarded_shares,
	guarded_again,
	guarded_passed,
	guarded_leaves,
	7,
};

/* Who enters a loop goes round it, so a loop that hardly ran is hardly entered. */
static void test_loops_are_entered_to_go_round(void)
{
	struct scene s = begin(&guarded);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 1000);
	vote(e, 2, 4);
	c = counts_new(&guarded, e, &how, &err);
	check_int(c->link[1], 4, "it is entered as often as its code ran");
	check_int(c->block[2], 4, "and that is how often it goes round");
	counts_free(c);
	end(&s);
	s = begin(&guarded);
	e = s.evidence;
	vote(e, 0, 1000);
	vote(e, 2, 4000);
	c = counts_new(&guarded, e, &how, &err);
	check_int(c->link[1], 200, "or by a guess, if it ran oftener");
	check_int(c->block[2], 4000, "and goes round as often as it did");
	counts_free(c);
	end(&s);
}

/* 0: entry, 1: the test of a loop, 2: its body, which may return, 3: exit. */
static const struct flow_link left_links[] = {
	{ FLOW_OUTSIDE, 0 },
	{ 0, 1 },
	{ 1, 2 },
	{ 2, 1 },
	{ 2, FLOW_OUTSIDE },
	{ 1, 3 },
	{ 3, FLOW_OUTSIDE },
};
static const double left_shares[] = { 1, 1, 0.9, 0.9, 0.1, 0.1, 1 };
static const bool left_again[] = { 0, 0, 0, 1, 0, 0, 0 };
static const bool left_passed[] = { 0, 1, 0, 0 };
static const bool left_leaves[] = { 0, 0, 0, 0, 0, 1, 0 };
static const struct body left = {
	4, left_links, left_shares, left_again, left_passed, left_leaves, 7,
};

/* Its test passes at first, but nobody has to come back to it. */
static void test_loops_may_be_left(void)
{
	struct scene s = begin(&left);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 7);
	vote(e, 1, 7);
	vote(e, 2, 7);
	vote(e, 3, 0);
	c = counts_new(&left, e, &how, &err);
	check_int(c->link[3], 0, "a loop that is left from within");
	check_int(c->block[2], 7, "does not go round");
	counts_free(c);
	end(&s);
}

/* A loop's test has its count, where nothing speaks for another. */
static void test_tests_keep_their_counts(void)
{
	struct scene s = begin(&left);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 250);
	vote(e, 1, 370);
	vote(e, 2, 340);
	c = counts_new(&left, e, &how, &err);
	check_int(c->block[1], 370, "not more than it has");
	check_int(c->link[3], 120, "and the rounds that this leaves");
	counts_free(c);
	end(&s);
}

/*
 * 0: a choice of 1, 2 and 3; 3: a test, which ends in 5 for what comes from 1
 * and in 6 for what comes over 4, another test that always goes on to it.
 */
static const struct flow_link decided_links[] = {
	{ FLOW_OUTSIDE, 0 },
	{ 0, 1 },
	{ 0, 2 },
	{ 0, 3 },
	{ 1, 3 },
	{ 2, 4 },
	{ 4, 3 },
	{ 4, 6 },
	{ 3, 5 },
	{ 3, 6 },
	{ 5, FLOW_OUTSIDE },
	{ 6, FLOW_OUTSIDE },
};
static const double decided_shares[] = {
	1, 0.4, 0.4, 0.2, 1, 1, 0.5, 0.5, 0.5, 0.5, 1, 1,
};
static const bool decided_never[12];
static const uint32_t decides[] = { 0, 1, 2, 3, 8, 6, 9, 7, 8, 9, 10, 11 };
static const struct body decided = {
	7,
	decided_links,
	decided_shares,
	decided_never,
	decided_never,
	decided_never,
	12,
	NULL,
	decides,
};

/* Which way led to a test says how it ends; its own count is of any of them. */
static void test_decided_tests(void)
{
	struct scene s = begin(&decided);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 1100);
	vote(e, 1, 700);
	vote(e, 2, 300);
	vote(e, 3, 50);
	c = counts_new(&decided, e, &how, &err);
	check_int(c->link[4], 700, "a way to a test");
	check(c->link[8] >= 700 && c->link[8] <= 800, "decides how it ends");
	check_int(c->link[6], 300, "as does a way over another test");
	check(c->link[9] >= 300 && c->link[9] <= 400, "which it decides, too");
	check_int(c->link[7], 0, "so that nothing ends there");
	check_int(c->link[8] + c->link[9], 1100, "all that came to the test");
	check_int(c->block[3], 1100, "is in its count");
	check_int(c->block[4], 300, "and in that of the other");
	check_int(c->block[5], c->link[8], "what follows has what is left");
	counts_free(c);
	end(&s);
}

/* All ways to 4 decide it, and what comes behind is believed to run more often. */
static void test_nothing_from_nowhere(void)
{
	struct scene s = begin(&decided);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 0);
	vote(e, 1, 0);
	vote(e, 2, 0);
	vote(e, 6, 900);
	c = counts_new(&decided, e, &how, &err);
	check_int(c->entered, c->link[10] + c->link[11],
		  "what leaves was entered");
	check_int(c->block[4], c->link[5], "nothing arrives from nowhere");
	counts_free(c);
	end(&s);
}

/* That an arm has no samples means nothing if few are expected. */
static void test_unseen_arms(void)
{
	struct scene s = begin(&arms);
	struct evidence *e = s.evidence;
	struct counts_how how = { .sample = 100 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 400);
	vote(e, 1, 400);
	vote(e, 2, 0);
	c = counts_new(&arms, e, &how, &err);
	check(c->block[2] > 0 && c->block[2] < 10, "of four samples, no arm");
	counts_free(c);
	how.sample = 10;
	c = counts_new(&arms, e, &how, &err);
	check(c->block[2] > 0 && c->block[2] < 10, "of forty, neither");
	counts_free(c);
	how.sample = 5;
	c = counts_new(&arms, e, &how, &err);
	check_int(c->block[2], 0, "of eighty, one");
	counts_free(c);
	how.sample = 0;
	c = counts_new(&arms, e, &how, &err);
	check_int(c->block[2], 0, "and exact counts are exact");
	counts_free(c);
	end(&s);
}

/* The error of 0 says what a sample of that code stands for. */
static void test_error_of_nothing(void)
{
	struct scene s = begin(&arms);
	struct evidence *e = s.evidence;
	struct counts_how how = { .sample = 100 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 4000);
	vote(e, 1, 4000);
	ballot_add(evidence_ballot(e, 2), 0, 250);
	c = counts_new(&arms, e, &how, &err);
	check(c->block[2] > 0 && c->block[2] < 100, "of eight samples, no arm");
	counts_free(c);
	ballot_add(evidence_ballot(e, 2), 0, 150);
	c = counts_new(&arms, e, &how, &err);
	check(c->block[2] > 0, "the largest error tells");
	counts_free(c);
	ballot_clear(evidence_ballot(e, 2));
	ballot_add(evidence_ballot(e, 2), 0, 150);
	c = counts_new(&arms, e, &how, &err);
	check_int(c->block[2], 0, "of thirteen, one");
	counts_free(c);
	how.sample = 5;
	ballot_clear(evidence_ballot(e, 2));
	ballot_add(evidence_ballot(e, 2), 0, 250);
	c = counts_new(&arms, e, &how, &err);
	check(c->block[2] > 0, "whatever a sample stands for elsewhere");
	counts_free(c);
	end(&s);
}

static struct counts *vote_on_arms(const uint64_t *one, size_t n,
				   uint64_t other, enum vote how_to)
{
	struct scene s = begin(&arms);
	struct evidence *e = s.evidence;
	struct counts_how how = { .vote = how_to };
	struct fdo_error err;
	struct counts *c;

	vote(e, 0, 1000);
	for (size_t i = 0; i < n; i++)
		vote(e, 1, one[i]);
	if (other)
		vote(e, 2, other);
	c = counts_new(&arms, e, &how, &err);
	end(&s);
	return c;
}

/* What of an arm was merged with the other has the count of both. */
static void test_contradicting_votes(void)
{
	static const uint64_t two[] = { 100, 1000 }, three[] = { 0, 970, 1000 },
			      most[] = { 100, 1000, 1000, 1000 };
	struct counts *c = vote_on_arms(two, 2, 900, VOTE_MEDIAN);

	check_int(c->block[1], 100, "of two votes the one that fits is right");
	check_int(c->block[2], 900, "whatever the other says of another block");
	counts_free(c);
	c = vote_on_arms(two, 2, 700, VOTE_MEDIAN);
	check_int(c->block[1], 300, "what is between them as well");
	counts_free(c);
	c = vote_on_arms(two, 2, 0, VOTE_MEDIAN);
	check_int(c->block[1], 1000, "where nothing else speaks, the median");
	counts_free(c);
	c = vote_on_arms(three, 3, 1000, VOTE_MEDIAN);
	check_int(c->block[1], 970, "two of three outweigh one elsewhere");
	counts_free(c);
	c = vote_on_arms(most, 4, 900, VOTE_MEDIAN);
	check_int(c->block[1], 1000, "but most of many are right");
	counts_free(c);
	c = vote_on_arms(two, 2, 900, VOTE_MAX);
	check_int(c->block[1], 1000, "the largest vote is all that there is");
	counts_free(c);
}

/* Above what it has at most, a block is dearer than others with a vote. */
static void test_bounds_beside_votes(void)
{
	struct scene s = begin(&arms);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	for (unsigned i = 0; i < 9; i++)
		vote(e, 0, 1000);
	vote(e, 1, 100);
	vote(e, 1, 100);
	ballot_add_bound(evidence_ballot(e, 1), 150);
	for (unsigned i = 0; i < 3; i++)
		vote(e, 2, 700);
	c = counts_new(&arms, e, &how, &err);
	check_int(c->block[1], 150, "a bound counts beside votes");
	check_int(c->block[2], 850, "and the rest goes where there is none");
	counts_free(c);
	end(&s);
}

/* A block that did not run is more certain than how often another did. */
static void test_zeroes(void)
{
	struct scene s = begin(&arms);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	for (unsigned i = 0; i < 5; i++)
		vote(e, 0, 1000);
	vote(e, 1, 0);
	for (unsigned i = 0; i < 4; i++)
		vote(e, 2, 500);
	c = counts_new(&arms, e, &how, &err);
	check_int(c->block[1], 0, "one 0 outweighs");
	check_int(c->block[2], 1000, "what four places have");
	counts_free(c);
	end(&s);
}

/* More than a price can have steps. */
static void test_many_votes(void)
{
	uint64_t votes[101];
	struct counts *c;

	for (unsigned i = 0; i < 101; i++)
		votes[i] = 100 + i;
	c = vote_on_arms(votes, 101, 500, VOTE_MEDIAN);
	check_int(c->block[1], 150, "of very many votes, the median");
	counts_free(c);
}

/*
 * The block where all ways end has code of a special case only, which never ran;
 * but the function was entered.
 */
static void test_what_always_runs_ran(void)
{
	struct scene s = begin(&arms);
	struct counts_how how = { .entry = 50 };
	struct fdo_error err;
	struct counts *c;

	vote(s.evidence, 1, 20);
	vote(s.evidence, 3, 0);
	c = counts_new(&arms, s.evidence, &how, &err);
	check_int(c->entered, 50, "that it never left is no reason to doubt");
	check_int(c->block[3], 50, "that a function was entered");
	check_int(c->block[2], 30, "where nothing speaks, the rest runs");
	counts_free(c);
	vote(s.evidence, 2, 0);
	c = counts_new(&arms, s.evidence, &how, &err);
	check_int(c->block[2], 0, "what need not run may have no count");
	counts_free(c);
	how.model = MODEL_CGO10;
	c = counts_new(&arms, s.evidence, &how, &err);
	check_int(c->block[3], 20, "the paper believes all votes alike");
	counts_free(c);
	how = (struct counts_how){ 0 };
	c = counts_new(&arms, s.evidence, &how, &err);
	check_int(c->entered, 0, "nor does it matter without an entry");
	counts_free(c);
	end(&s);
}

/* How often it does if it has this vote, of that error. */
static int64_t always_runs(uint64_t count, uint64_t error,
			   const struct counts_how *how)
{
	struct scene s = begin(&arms);
	struct fdo_error err;
	struct counts *c;
	int64_t ret;

	for (unsigned i = 0; i < 5; i++)
		vote_within(s.evidence, 3, count, error);
	vote(s.evidence, 1, 2);
	c = counts_new(&arms, s.evidence, how, &err);
	ret = c->block[3];
	counts_free(c);
	end(&s);
	return ret;
}

static void test_what_always_runs_ran_as_often(void)
{
	struct counts_how how = { .entry = 50 };

	check_int(always_runs(20, 29, &how), 20, "a vote of little error");
	check_int(always_runs(20, 30, &how), 50,
		  "one whose error reaches the entry says nothing");
	check_int(always_runs(70, 0, &how), 70, "what is more does");
	how.entry_is_least = true;
	check_int(always_runs(70, 60, &how), 70,
		  "there may be more entries than that");
	how = (struct counts_how){ .entry = 50, .entry_is_exact = true };
	check_int(always_runs(20, 0, &how), 50, "no less than exact entries");
	check_int(always_runs(70, 0, &how), 50, "and no more");
}

/* 0: a test, 1: the program ends, 2: the function does. */
static const struct flow_link end_links[] = {
	{ FLOW_OUTSIDE, 0 }, { 0, 1 }, { 0, 2 }, { 1, FLOW_OUTSIDE },
	{ 2, FLOW_OUTSIDE },
};
static const double end_shares[] = { 1, 0.5, 0.5, 1, 1 };

static void test_programs_end_once(void)
{
	static const bool ends[] = { false, true, false };
	struct body body = { 3, end_links, end_shares, never, never, never, 5 };
	struct scene s = begin(&body);
	struct counts_how how = { .entry = 100 };
	struct fdo_error err;
	struct counts *c;

	vote(s.evidence, 0, 100);
	ballot_add_bound(evidence_ballot(s.evidence, 1), 100);
	ballot_add_bound(evidence_ballot(s.evidence, 2), 0);
	c = counts_new(&body, s.evidence, &how, &err);
	check_int(c->block[1], 100, "a bound of one arm: the other runs");
	counts_free(c);
	body.ends = ends;
	c = counts_new(&body, s.evidence, &how, &err);
	check_int(c->block[1], 0, "but not if the program ends there");
	check_int(c->block[2], 100, "and the function could return");
	counts_free(c);
	how.model = MODEL_CGO10;
	c = counts_new(&body, s.evidence, &how, &err);
	check_int(c->block[1], 100, "the paper does not ask for that");
	counts_free(c);
	how.model = MODEL_DEFAULT;
	vote(s.evidence, 1, 100);
	c = counts_new(&body, s.evidence, &how, &err);
	check_int(c->block[1], 100, "what has a place of its own is believed");
	counts_free(c);
	end(&s);
}

/* What goes to the end, where a function is entered more often than it returns. */
static int64_t count_ends(unsigned places)
{
	static const bool ends[] = { false, true, false };
	const struct body body = { 3,	  end_links, end_shares, never, never,
				   never, 5,	     NULL,	 NULL,	ends };
	struct scene s = begin(&body);

	vote_often(s.evidence, 0, 100, places);
	vote_often(s.evidence, 2, 40, places);
	return count_in(&s, &body, 1);
}

static void test_price_of_end(void)
{
	check_int(count_ends(20), 0, "the end is dearer than 20 places");
	check_int(count_ends(80), 60, "and cheaper than 80");
}

/* How often a loop goes round for which one place has 100 rounds. */
static int64_t count_rounds(unsigned places)
{
	struct scene s = begin(&loops);

	vote(s.evidence, 1, 100);
	vote_often(s.evidence, 2, 49, places);
	return count_in(&s, &loops, 1);
}

/* Half and an eighth of the price of three places is less than that of one. */
static void test_price_of_round(void)
{
	check_int(count_rounds(3), 100, "a round outweighs three of its tests");
	check_int(count_rounds(4), 49, "but not four");
}

/*
 * 0, 1: lead to a test, 2, and decide it, so that it goes on in 6; behind its
 * other end are 3, 4 and 5 in a row.
 */
static const struct flow_link spare_links[] = {
	{ FLOW_OUTSIDE, 0 },
	{ 0, 1 },
	{ 1, 2 },
	{ 2, 3 },
	{ 3, 4 },
	{ 4, 5 },
	{ 2, 6 },
	{ 5, FLOW_OUTSIDE },
	{ 6, FLOW_OUTSIDE },
};
static const double spare_shares[] = { 1, 1, 1, 0.5, 1, 1, 0.5, 1, 1 };
static const bool spare_never[9];
static const uint32_t spare_decides[] = { 0, 1, 6, 3, 4, 5, 6, 7, 8 };

/* What goes where the test cannot end, if so many blocks there have a count. */
static int64_t count_spares(unsigned blocks)
{
	const struct body body = { 7,		spare_links, spare_shares,
				   spare_never, spare_never, spare_never,
				   9,		NULL,	     spare_decides };
	struct scene s = begin(&body);

	vote(s.evidence, 0, 100);
	for (unsigned b = 0; b < blocks; b++)
		vote_often(s.evidence, 3 + b, 100, 20);
	return count_in(&s, &body, 3);
}

static void test_price_of_spare(void)
{
	check_int(count_spares(2), 0, "what a test decides outweighs two");
	check_int(count_spares(3), 100, "but not three of 20 places");
}

static void test_bounds_bound(void)
{
	struct scene s = begin(&body);
	struct evidence *e = s.evidence;
	struct counts_how how = { 0 };
	struct fdo_error err;
	struct counts *c;

	vote(e, 1, 1000);
	vote(e, 3, 10);
	ballot_add_bound(evidence_ballot(e, 2), 30);
	c = counts_new(&body, e, &how, &err);
	check(c && c->block[2] <= 30, "a bound is not passed");
	check_int(c->block[1], 1000, "for the sake of a guess");
	counts_free(c);
	end(&s);
}

/* Of two arms, by what began in the one and what the other one's code says. */
static int64_t began(uint64_t least, uint64_t code, size_t ncode)
{
	struct scene s = begin(&arms);
	struct counts_how how = { .entry = 100 };
	struct fdo_error err;
	struct counts *c;
	int64_t count;

	for (size_t i = 0; i < ncode; i++)
		ballot_add(evidence_ballot(s.evidence, 2), code, 0);
	ballot_add_least(evidence_ballot(s.evidence, 1), least);
	c = counts_new(&arms, s.evidence, &how, &err);
	count = c->block[1];
	counts_free(c);
	end(&s);
	return count;
}

static void test_what_began_ran(void)
{
	check_int(began(0, 0, 0), 50, "nothing is known of either");
	check_int(began(90, 0, 0), 90, "what began ran at least that often");
	check_int(began(10, 0, 0), 50, "and perhaps more often");
	check_int(began(90, 70, 1), 30, "less than code says of another arm");
}

int main(void)
{
	test_scale();
	test_counts_agree();
	test_what_ran_was_entered();
	test_calls_count_as_entries();
	test_tests_fall_short();
	test_tests_are_all_there();
	test_loops_go_round();
	test_loops_go_round_in_doubt();
	test_nested_loops_go_round();
	test_loops_are_entered_to_go_round();
	test_callers_ran();
	test_one_call_is_enough();
	test_loops_may_be_left();
	test_tests_keep_their_counts();
	test_decided_tests();
	test_nothing_from_nowhere();
	test_unseen_arms();
	test_error_of_nothing();
	test_contradicting_votes();
	test_bounds_beside_votes();
	test_zeroes();
	test_many_votes();
	test_what_always_runs_ran();
	test_what_always_runs_ran_as_often();
	test_programs_end_once();
	test_price_of_end();
	test_price_of_round();
	test_price_of_spare();
	test_bounds_bound();
	test_what_began_ran();
	return done();
}
