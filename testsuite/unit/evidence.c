/*
 * evidence.c - which places are believed in which blocks.
 *
 * One function with lines 1 to 9 in the profile, each with the count of 100
 * times its number, and line 5 in two parts with discriminators 1 and 2; lines
 * 21 to 26 with 700, of which 24 and 26 have 0 where they have no discriminator,
 * 25 has 300 there, and 26 was merged; lines 31 to 38 as in firm[]; lines 41
 * and 42 with 0, 71 to 74 with discriminator 3 alone and ten times their number, but
 * 73 with 0, and 74 was merged; and what begins in lines 6, 61 and 62, with 650, 70 and 80.
 */
#include "plugin/evidence.h"

#include "base/error.h"
#include "base/map.h"
#include "mcf/graph.h"
#include "plugin/vote.h"
#include "profile/profile.h"
#include "testsuite/lib/profiles.h"
#include "testsuite/lib/tap.h"

struct scene {
	struct profile *profile;
	struct unit *unit;
	struct instance *function;
	struct evidence *evidence;
};

static void add(struct profile *p, struct profile_function *f, int32_t line,
		uint32_t discriminator, uint64_t count, uint32_t flags)
{
	struct profile_key key = { NULL, line, 1, discriminator };
	struct profile_count *c = profile_count_at(p, &f->body, key);

	c->count = count;
	c->flags = flags;
}

/* Each with its standard error. */
static const uint64_t firm[][2] = {
	{ 10000, 100 }, { 100, 100 }, { 100, 99 },  { 101, 200 },
	{ 65, 100 },	{ 300, 150 }, { 9900, 50 }, { 9899, 50 },
};

static void add_errors(struct profile *p, struct profile_function *f)
{
	for (int32_t i = 0; i < 8; i++) {
		struct profile_key key = { NULL, 31 + i, 1, PROFILE_ANY };
		struct profile_count *c = profile_count_at(p, &f->body, key);

		c->count = firm[i][0];
		c->error = firm[i][1];
	}
}

/*
 * Of two places, both in a copy that is inlined, one of each was merged; of a
 * third one, what is a tenth of all, and of a fourth, what is a little more.
 */
static void add_copies(struct profile *p, struct profile_function *f)
{
	static const struct profile_key call = { NULL, 3, 1, PROFILE_ANY };
	struct profile_function *g = profile_add_function(p, "g", "f.c", 90);
	struct profile_body *inlined =
		profile_add_inlined(p, &g->body, call, "f", "f.c", 10);

	static const uint64_t merged[] = { 300, 300, 100, 101 };

	for (int32_t line = 51; line <= 54; line++) {
		struct profile_key key = { NULL, line, 1, PROFILE_ANY };
		struct profile_count *c = profile_count_at(p, inlined, key);

		add(p, f, line, PROFILE_ANY, 900,
		    line == 52 ? PROFILE_MERGED : 0);
		c->count = merged[line - 51];
		c->flags = line != 52 ? PROFILE_MERGED : 0;
	}
}

static struct profile *make_profile(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = profile_add_function(p, "f", "f.c", 10);

	for (int32_t line = 1; line <= 9; line++)
		add(p, f, line, PROFILE_ANY, (uint64_t)line * 100,
		    line == 8 ? PROFILE_MERGED : 0);
	add(p, f, 5, 1, 120, 0);
	add(p, f, 5, 2, 380, PROFILE_COND);
	add(p, f, 20, PROFILE_ANY, 0, 0);
	for (int32_t line = 21; line <= 26; line++)
		add(p, f, line, PROFILE_ANY, 700,
		    line == 26 ? PROFILE_MERGED : 0);
	add(p, f, 24, 0, 0, 0);
	add(p, f, 25, 0, 300, 0);
	add(p, f, 26, 0, 0, 0);
	for (int32_t line = 71; line <= 74; line++)
		add(p, f, line, 3, line == 73 ? 0 : (uint64_t)line * 10,
		    line == 74 ? PROFILE_MERGED : 0);
	for (int32_t line = 41; line <= 42; line++)
		add(p, f, line, PROFILE_ANY, 0, 0);
	add(p, f, 6, PROFILE_BEGIN, 650, 0);
	add(p, f, 61, PROFILE_BEGIN, 70, 0);
	add(p, f, 62, PROFILE_BEGIN, 80, 0);
	add_errors(p, f);
	add_copies(p, f);
	return reopened(p);
}

static struct scene begin(uint32_t nblocks)
{
	struct scene s = { .profile = make_profile() };
	struct function_id id = { .start_line = 10, .is_public = true };
	struct fdo_error err;

	s.unit = unit_new(s.profile);
	id.names[0] = profile_text(s.profile, "f");
	id.file = profile_text(s.profile, "f.c");
	s.function = unit_add_function(s.unit, &id);
	if (!unit_load(s.unit, &err))
		printf("# %s\n", err.text);
	s.evidence = evidence_new(s.unit, nblocks);
	return s;
}

static void end(struct scene *s)
{
	evidence_free(s->evidence);
	unit_free(s->unit);
	profile_free(s->profile);
}

static uint64_t place(const struct scene *s, int32_t line,
		      uint32_t discriminator)
{
	return unit_place(s->function, NULL, line, 1, discriminator);
}

static void see(struct scene *s, uint32_t block, int32_t line,
		uint32_t discriminator)
{
	evidence_see(s->evidence, block, place(s, line, PROFILE_ANY),
		     discriminator ? place(s, line, discriminator) : 0);
}

static void see_movable(struct scene *s, uint32_t block, int32_t line,
			uint32_t discriminator)
{
	evidence_see_movable(s->evidence, block, place(s, line, PROFILE_ANY),
			     discriminator ? place(s, line, discriminator) : 0);
}

static void see_advance(struct scene *s, uint32_t block, int32_t line)
{
	evidence_see_advance(s->evidence, block, place(s, line, PROFILE_ANY),
			     0);
}

/* Votes, then the count or the bound. */
static void check_ballot(struct scene *s, uint32_t block, unsigned votes,
			 long long count, const char *what)
{
	struct ballot *b = evidence_ballot(s->evidence, block);

	check_int((long long)b->n, votes, what);
	if (votes && b->n)
		check_int((long long)ballot_count(b, VOTE_MEDIAN), count, what);
	else if (count < 0)
		check(!b->bounded, what);
	else
		check(b->bounded && (long long)b->bound == count, what);
}

static void test_blocks_that_run_equally_often(void)
{
	static const uint32_t class_of[] = { 0, 1, 0, 2 };
	static const struct evidence_shape shape = { .class_of = class_of };
	struct scene s = begin(4);

	see(&s, 0, 3, 0);
	see(&s, 2, 3, 0);
	see(&s, 1, 4, 0);
	see(&s, 1, 4, 0);
	see(&s, 1, 6, 0);
	see(&s, 3, 77, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 1, 300, "a place in one class is believed");
	check_ballot(&s, 2, 1, 300, "in all its blocks");
	check_ballot(&s, 1, 2, 600, "a place has one vote, however often seen");
	check_ballot(&s, 3, 0, -1, "nothing is known of others");
	end(&s);
}

static void test_blocks_that_do_not(void)
{
	static const uint32_t class_of[] = { 0, 1, 2, 3, 4 };
	static const struct evidence_shape shape = { .class_of = class_of };
	struct scene s = begin(5);

	see(&s, 0, 3, 0);
	see(&s, 1, 3, 0);
	see(&s, 0, 20, 0);
	see(&s, 4, 20, 0);
	see(&s, 2, 5, 1);
	see(&s, 3, 5, 2);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 0, 0, "the lowest count is a bound for each");
	check_ballot(&s, 1, 0, 300, "and no vote");
	check_ballot(&s, 2, 1, 120, "discriminators tell them apart");
	check_ballot(&s, 3, 0, 380, "unless the code was if-converted");
	end(&s);
}

static void test_code_that_moves(void)
{
	static const uint32_t class_of[] = { 0, 1, 2, 3, 4, 5, 5 };
	static const struct evidence_shape shape = { .class_of = class_of };
	struct scene s = begin(7);

	see(&s, 0, 3, 0);
	see_movable(&s, 0, 2, 0);
	see_movable(&s, 0, 9, 0);
	see(&s, 1, 21, 0);
	see_movable(&s, 1, 22, 0);
	see_movable(&s, 2, 4, 0);
	see_movable(&s, 2, 6, 0);
	see_movable(&s, 3, 20, 0);
	see_movable(&s, 4, 7, 0);
	see(&s, 4, 7, 0);
	see(&s, 4, 1, 0);
	see_movable(&s, 5, 41, 1);
	see(&s, 5, 41, 2);
	see_movable(&s, 6, 41, 2);
	see(&s, 6, 41, 1);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 1, 300, "it says nothing against what stays");
	check_ballot(&s, 1, 2, 700, "it may say the same");
	check_ballot(&s, 2, 2, 600, "it is believed where all else is silent");
	check_ballot(&s, 3, 0, -1, "but not that it never ran");
	check_ballot(&s, 4, 2, 700, "a statement that stays keeps its place");
	check_ballot(&s, 5, 1, 0, "whatever the discriminator");
	check_ballot(&s, 6, 1, 0, "is looked at first");
	end(&s);
}

static void test_loop_variables(void)
{
	static const uint32_t class_of[] = { 0, 1, 2, 3, 4 };
	static const struct evidence_shape shape = { .class_of = class_of };
	struct scene s = begin(5);

	see_advance(&s, 0, 20);
	see_advance(&s, 1, 3);
	see_advance(&s, 2, 41);
	see_advance(&s, 3, 41);
	see_advance(&s, 4, 42);
	see(&s, 4, 42, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 0, -1, "what advances one never ran: no vote");
	check_ballot(&s, 1, 1, 300, "it ran: a vote");
	check_ballot(&s, 2, 0, -1, "nor is a place in several blocks a bound");
	check_ballot(&s, 3, 0, -1, "of any of them");
	check_ballot(&s, 4, 1, 0, "more of the place never ran: a vote");
	end(&s);
}

/* 0 before 1 and 2, which are a loop. */
static const uint32_t three_classes[] = { 0, 1, 2 };
static const uint32_t loop_dominator[] = { 0, 0, 1 };
static const double loop_frequency[] = { 1, 9, 8 };
static const struct evidence_shape loop_shape = {
	.class_of = three_classes,
	.dominator = loop_dominator,
	.frequency = loop_frequency,
};

static void test_where_places_begin(void)
{
	struct scene s = begin(3);

	see(&s, 0, 3, 0);
	see(&s, 1, 3, 0);
	see(&s, 1, 4, 0);
	see(&s, 2, 4, 0);
	evidence_judge(s.evidence, &loop_shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 0, 300, "a loop's blocks may have the count");
	check_ballot(&s, 1, 1, 400, "the one before all has it");
	check_ballot(&s, 2, 0, 400, "and the others no more");
	end(&s);
	s = begin(3);
	see(&s, 1, 4, 0);
	see(&s, 2, 4, 0);
	see(&s, 1, 2, 0);
	evidence_judge(s.evidence, &loop_shape, MODEL_DEFAULT);
	check_ballot(&s, 1, 1, 200, "a place of its own says it better");
	end(&s);
	s = begin(3);
	see(&s, 1, 8, 0);
	see(&s, 2, 8, 0);
	evidence_judge(s.evidence, &loop_shape, MODEL_DEFAULT);
	check_ballot(&s, 1, 0, 800, "merged code is no evidence");
	end(&s);
	s = begin(3);
	see(&s, 1, 41, 0);
	see(&s, 2, 41, 0);
	evidence_judge(s.evidence, &loop_shape, MODEL_DEFAULT);
	check_ballot(&s, 1, 0, 0, "nor is what never ran");
	end(&s);
}

/* Blocks 1 and 2 as above; code of the place in 1 has no discriminator. */
static void check_bare(int32_t line, unsigned votes, long long count,
		       const char *what)
{
	struct scene s = begin(3);

	see(&s, 1, line, 0);
	evidence_see_bare(s.evidence, place(&s, line, 0));
	see(&s, 2, line, 1);
	evidence_judge(s.evidence, &loop_shape, MODEL_DEFAULT);
	check_ballot(&s, 1, votes, count, what);
	end(&s);
}

static void test_moved_to_where_places_begin(void)
{
	check_bare(24, 1, 0, "moved code is no evidence of what never began");
	check_bare(25, 1, 700, "what began ran as often as all of it");
	check_bare(26, 0, 700, "merged code may have begun it");
}

/* Three blocks that hold a place: which votes? */
static void check_first(const uint32_t *dominator, const double *frequency,
			uint32_t votes, const char *what)
{
	static const uint32_t class_of[] = { 0, 1, 2, 3 };
	const struct evidence_shape shape = { .class_of = class_of,
					      .dominator = dominator,
					      .frequency = frequency };
	struct scene s = begin(4);

	for (uint32_t b = 1; b < 4; b++)
		see(&s, b, 4, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	for (uint32_t b = 1; b < 4; b++)
		check_ballot(&s, b, b == votes, 400, what);
	end(&s);
}

static void test_first_of_many(void)
{
	static const uint32_t falling[] = { 0, 2, 3, 0 };
	static const uint32_t beside[] = { 0, 0, 0, 2 };
	static const double once[] = { 1, 1, 1, 1 };
	static const double rarer[] = { 1, 3, 2, 1 };

	check_first(falling, once, 3, "a place begins before the others");
	check_first(falling, rarer, 0, "unless that runs less often");
	check_first(beside, once, 0, "of two that are apart, neither is it");
}

/* Each block's test may be made at once with that of the block before. */
static void test_tests_made_at_once(void)
{
	static const uint32_t class_of[] = { 0, 1, 2, 3, 4 };
	static const uint32_t test_of[] = { 0, 0, 1, 2, 4 };
	static const struct evidence_shape shape = { .class_of = class_of,
						     .test_of = test_of };
	struct scene s = begin(5);

	see(&s, 0, 21, 0);
	see(&s, 1, 22, 0);
	see(&s, 2, 23, 0);
	see(&s, 3, 6, 0);
	see(&s, 4, 24, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 1, 700, "the first test has its count");
	check_ballot(&s, 1, 0, 700,
		     "a second with that count, no more than it");
	check_ballot(&s, 2, 0, 700, "nor a third");
	check_ballot(&s, 3, 1, 600, "one with another count has it");
	check_ballot(&s, 4, 1, 700, "and one that stands alone");
	end(&s);
	s = begin(2);
	see(&s, 0, 21, 0);
	see(&s, 1, 22, 0);
	evidence_judge(s.evidence, &shape, MODEL_CGO10);
	check_ballot(&s, 1, 1, 700, "cgo10 does not ask");
	end(&s);
}

/* 0 before 1, 2 and 3, which are arms, and 4 behind 1; 5 as often as 0. */
static void test_chance(void)
{
	static const uint32_t class_of[] = { 0, 1, 2, 3, 4, 0 };
	static const uint32_t dominator[] = { 0, 0, 0, 0, 1, 0 };
	static const double frequency[] = { 1, 1, 1, 1, 1, 1 };
	static const struct evidence_shape shape = { .class_of = class_of,
						     .dominator = dominator,
						     .around = dominator,
						     .frequency = frequency };
	static const uint32_t nothing[] = { 0, 1, 0, 0, 4, 0 };
	static const struct evidence_shape behind = { .class_of = class_of,
						      .dominator = dominator,
						      .around = nothing,
						      .frequency = frequency };
	static const struct evidence_shape alone = { .class_of = class_of,
						     .around = dominator,
						     .frequency = frequency };
	struct scene s = begin(6);

	see(&s, 0, 31, 0);
	for (uint32_t b = 1; b < 5; b++)
		see(&s, b, 31 + (int32_t)b, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 1, 10000, "what is certain stays");
	check_ballot(&s, 1, 1, 100 / 64 + 1, "an arm that ran by chance");
	check_ballot(&s, 2, 1, 100, "one with less of an error stays");
	check_ballot(&s, 3, 1, 101, "and one of more than one in a hundred");
	check_ballot(&s, 4, 1, 65 / 64 + 1,
		     "an arm of an arm is held to it all");
	end(&s);
	s = begin(6);
	see(&s, 0, 31, 0);
	see(&s, 5, 32, 0);
	evidence_judge(s.evidence, &alone, MODEL_DEFAULT);
	check_ballot(&s, 5, 1, 100, "what runs as often is no arm");
	end(&s);
	s = begin(6);
	see(&s, 0, 31, 0);
	see(&s, 1, 32, 0);
	evidence_judge(s.evidence, &shape, MODEL_CGO10);
	check_ballot(&s, 1, 1, 100, "cgo10 does not ask");
	end(&s);
	s = begin(6);
	see(&s, 0, 31, 0);
	see(&s, 1, 32, 0);
	see(&s, 2, 35, 0);
	evidence_judge(s.evidence, &behind, MODEL_DEFAULT);
	check_ballot(&s, 1, 1, 100, "nor is what only comes after a loop");
	check_ballot(&s, 2, 1, 65 / 64 + 1, "others are");
	end(&s);
	s = begin(6);
	see(&s, 0, 31, 0);
	see(&s, 1, 32, 0);
	see(&s, 2, 37, 0);
	see(&s, 3, 38, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 2, 1, 10000, "the way beside it gets what it lost");
	check_ballot(&s, 3, 1, 9899, "but not one that lacks more");
	check_ballot(&s, 0, 1, 10000, "and what is before them has enough");
	end(&s);
	s = begin(6);
	see(&s, 0, 31, 0);
	see(&s, 1, 33, 0);
	see(&s, 2, 37, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 2, 1, 9900, "if the arm stays, so does the way");
	end(&s);
}

/*
 * Of the arms above, 1 and 4 execute 165 instructions together, as votes have it; 100
 * more if the first one has two.
 */
static void check_sampled(double per_sample, unsigned votes, uint64_t behind,
			  long long first, long long second, const char *what)
{
	static const uint32_t class_of[] = { 0, 1, 2, 3, 4, 0 };
	static const uint32_t dominator[] = { 0, 0, 0, 0, 1, 0 };
	static const double frequency[] = { 1, 1, 1, 1, 1, 1 };
	const struct evidence_shape shape = { .class_of = class_of,
					      .dominator = dominator,
					      .around = dominator,
					      .frequency = frequency,
					      .per_sample = per_sample };
	struct scene s = begin(6);

	see(&s, 0, 31, 0);
	see(&s, 1, 32, 0);
	if (votes > 1)
		see(&s, 1, 34, 0);
	see(&s, 4, 35, 0);
	evidence_see_behind(s.evidence, 1, behind);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 1, votes, first, what);
	check_ballot(&s, 4, 1, second, what);
	end(&s);
}

static void test_sampled(void)
{
	check_sampled(55, 1, 0, 100, 65,
		      "three samples in an arm are no chance");
	check_sampled(21, 1, 0, 100, 65, "nor in what is in it");
	check_sampled(56, 1, 0, 100 / 64 + 1, 65 / 64 + 1, "fewer are");
	check_sampled(88, 2, 0, 101, 65, "code of two places has more of them");
	check_sampled(70, 1, 50, 100, 65, "and so has what is inlined there");
}

/* So many blocks with code of one place, and others with code of their own. */
static void check_one_place(uint32_t n, uint32_t others, bool expected,
			    const char *what)
{
	struct scene s = begin(n + others);

	for (uint32_t b = 0; b < n; b++) {
		see(&s, b, 4, 0);
		see(&s, b, 4, 0);
	}
	for (uint32_t b = n; b < n + others; b++)
		see(&s, b, 31 + (int32_t)b, 0);
	check(evidence_is_of_one_place(s.evidence) == expected, what);
	end(&s);
}

/* All blocks are of one place, and so many of the others have votes. */
static void check_voted(uint32_t voted, bool expected, const char *what)
{
	struct scene s = begin(20);

	for (uint32_t b = 0; b < 20; b++)
		see(&s, b, 4, 0);
	for (uint32_t b = 0; b < voted; b++)
		ballot_add(evidence_ballot(s.evidence, b), 100, 10);
	check(evidence_is_of_one_place(s.evidence) == expected, what);
	end(&s);
}

/* Two thirds of the blocks with these discriminators of the place. */
static void check_apart(uint32_t a, uint32_t b, bool expected, const char *what)
{
	struct scene s = begin(18);

	for (uint32_t i = 0; i < 18; i++)
		see(&s, i, 5, i % 3 == 0 ? 0 : i % 3 == 1 ? a : b);
	check(evidence_is_of_one_place(s.evidence) == expected, what);
	end(&s);
}

static void test_one_place(void)
{
	check_apart(1, 2, false, "discriminators tell its code apart");
	check_apart(3, 4, true, "but not such as the profile does not have");
	check_apart(1, 1, false, "two thirds with one are not all");
	check_one_place(16, 0, true, "all blocks are of one place");
	check_one_place(15, 0, false, "not of so few blocks");
	check_one_place(18, 6, true, "three fourths are");
	check_one_place(18, 7, false, "less are not");
	check_one_place(0, 16, false, "nor is each by itself");
	check_voted(1, true,
		    "one block with votes tells nothing of the others");
	check_voted(2, false, "but two do");
}

/* Blocks of one class, each after the one before. */
static void test_ends(void)
{
	static const uint32_t class_of[] = { 0, 0, 0, 0, 0 };
	static const uint32_t dominator[] = { 0, 0, 1, 4, 2 };
	static const double frequency[] = { 1, 1, 1, 1, 1 };
	static const struct evidence_shape shape = { .class_of = class_of,
						     .dominator = dominator,
						     .frequency = frequency };
	struct scene s = begin(5);

	see(&s, 0, 2, 0);
	see(&s, 0, 3, 0);
	see(&s, 1, 7, 0);
	see(&s, 2, 1, 0);
	see(&s, 4, 4, 0);
	see(&s, 4, 6, 0);
	see(&s, 3, 9, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 2, 300, "where they begin, two places speak");
	check_ballot(&s, 1, 1, 300, "one behind them says more, and is theirs");
	check_ballot(&s, 2, 0, -1, "one that says less says nothing");
	check_ballot(&s, 4, 2, 600, "and two that say more");
	check_ballot(&s, 3, 1, 300, "the first with the most places counts");
	end(&s);
	s = begin(5);
	see(&s, 0, 32, 0);
	see(&s, 0, 33, 0);
	see(&s, 1, 34, 0);
	see(&s, 2, 6, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 1, 1, 101, "more by no more than the errors");
	check_ballot(&s, 2, 1, 100, "more than by those");
	end(&s);
	s = begin(5);
	see(&s, 0, 32, 0);
	see(&s, 0, 33, 0);
	see(&s, 1, 36, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 1, 1, 300, "nor by both errors");
	end(&s);
	s = begin(5);
	see(&s, 0, 41, 0);
	see(&s, 0, 42, 0);
	see(&s, 1, 7, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 1, 1, 700, "places that never ran say nothing of it");
	end(&s);
	s = begin(5);
	see(&s, 0, 2, 0);
	see(&s, 0, 3, 0);
	see(&s, 1, 7, 0);
	evidence_judge(s.evidence, &shape, MODEL_CGO10);
	check_ballot(&s, 1, 1, 700, "cgo10 does not ask for ends");
	end(&s);
}

/* Three blocks of one class and one of its own, one after the other: which votes? */
static void check_between(const int32_t *lines, uint32_t votes,
			  const char *what)
{
	static const uint32_t class_of[] = { 0, 0, 2, 0 };
	static const uint32_t dominator[] = { 0, 0, 1, 2 };
	static const double frequency[] = { 1, 1, 1, 1 };
	static const struct evidence_shape shape = { .class_of = class_of,
						     .dominator = dominator,
						     .frequency = frequency };
	struct scene s = begin(4);

	for (uint32_t b = 0; b < 4; b++)
		if (lines[b])
			see(&s, b, lines[b], 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_int((long long)evidence_ballot(s.evidence, 1)->n, votes, what);
	end(&s);
}

static void test_between(void)
{
	static const int32_t both[] = { 2, 41, 0, 7 };
	static const int32_t before[] = { 2, 41, 0, 42 };
	static const int32_t after[] = { 41, 42, 0, 7 };
	static const int32_t arm[] = { 2, 41, 7, 0 };
	static const int32_t ran[] = { 2, 3, 0, 7 };

	check_between(both, 0, "what never ran between what did says nothing");
	check_between(before, 1, "unless nothing behind it ran");
	check_between(after, 1, "or nothing before it");
	check_between(arm, 1, "or what is behind it runs less often");
	check_between(ran, 1, "and what ran stays");
}

static void test_flags(void)
{
	static const uint32_t class_of[] = { 0 };
	static const struct evidence_shape shape = { .class_of = class_of };
	struct scene s = begin(1);

	see(&s, 0, 8, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 0, 800, "merged code is a bound");
	end(&s);
}

static void test_flags_of_some_copies(void)
{
	static const uint32_t class_of[] = { 0, 1 };
	static const struct evidence_shape shape = { .class_of = class_of };
	struct scene s = begin(2);

	see(&s, 0, 51, 0);
	see(&s, 1, 52, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 1, 1050, "merged in one copy: half of it counts");
	check_ballot(&s, 1, 0, 1200, "merged in most: all of it is a bound");
	end(&s);
	s = begin(2);
	see(&s, 0, 51, 0);
	see(&s, 1, 1, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 0, 1200, "a bound, where others vote");
	end(&s);
	s = begin(2);
	see(&s, 0, 53, 0);
	see(&s, 1, 54, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 1, 1000, "a tenth too high at most: a count");
	check_ballot(&s, 1, 0, 1001, "more than that: a bound");
	end(&s);
}

static void see_begin(struct scene *s, uint32_t block, int32_t line)
{
	evidence_see_begin(s->evidence, block, place(s, line, PROFILE_BEGIN));
}

static uint64_t least(struct scene *s, uint32_t block)
{
	return evidence_ballot(s->evidence, block)->least;
}

/* Code of a line and discriminator whose column the profile does not have. */
static void see_line(struct scene *s, uint32_t block, int32_t line,
		     void (*see)(struct evidence *, uint32_t, uint64_t,
				 uint64_t))
{
	see(s->evidence, block,
	    unit_place(s->function, NULL, line, 7, PROFILE_ANY),
	    unit_place(s->function, NULL, line, 7, 3));
	evidence_see_line(s->evidence, unit_place(s->function, NULL, line,
						  UNIT_ANY_COLUMN, 3));
}

static void test_lines(void)
{
	static const uint32_t class_of[] = { 0, 1, 2, 3, 4, 5, 6 };
	static const struct evidence_shape shape = { .class_of = class_of };
	struct scene s = begin(7);

	see_line(&s, 0, 71, evidence_see);
	evidence_see(s.evidence, 0, place(&s, 70, PROFILE_ANY),
		     place(&s, 70, 3));
	evidence_see_line(s.evidence,
			  unit_place(s.function, NULL, 71, UNIT_ANY_COLUMN, 3));
	see(&s, 1, 3, 0);
	see_line(&s, 1, 72, evidence_see);
	see_line(&s, 2, 73, evidence_see_advance);
	see_line(&s, 3, 74, evidence_see);
	see_line(&s, 4, 75, evidence_see);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 1, 710, "what a line's discriminator has, once");
	check_ballot(&s, 1, 1, 300, "not where a place says more");
	check_ballot(&s, 2, 0, -1, "never is nothing, of what moves");
	check_ballot(&s, 3, 0, 740, "a bound is one");
	check_ballot(&s, 4, 0, -1, "nothing of other lines");
	end(&s);
	s = begin(7);
	see_line(&s, 0, 71, evidence_see);
	see_line(&s, 1, 71, evidence_see);
	see_line(&s, 2, 73, evidence_see);
	see_line(&s, 3, 72, evidence_see_movable);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 0, -1, "two blocks that do not run equally often");
	check_ballot(&s, 2, 1, 0, "never");
	check_ballot(&s, 3, 1, 720, "what moves, too, if it ran");
	end(&s);
	s = begin(7);
	see_line(&s, 0, 71, evidence_see);
	evidence_judge(s.evidence, &shape, MODEL_CGO10);
	check_ballot(&s, 0, 0, -1, "cgo10: it knows of no lines");
	end(&s);
}

static void test_begins(void)
{
	static const uint32_t class_of[] = { 0, 1, 0, 2, 3 };
	static const struct evidence_shape shape = { .class_of = class_of };
	struct scene s = begin(5);

	see(&s, 0, 6, 0);
	see_begin(&s, 0, 6);
	see_begin(&s, 0, 61);
	see_begin(&s, 1, 61);
	see_begin(&s, 2, 62);
	see_begin(&s, 0, 62);
	see_begin(&s, 3, 7);
	see_begin(&s, 4, 61);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 1, 600, "what begins is no vote");
	check_int((long long)least(&s, 0), 650, "but known to have begun");
	check_int((long long)least(&s, 1), 0, "where is not, in two classes");
	check_int((long long)least(&s, 2), 80, "in one it is");
	check_int((long long)least(&s, 3), 0, "code does not say so");
	check_int((long long)evidence_places(s.evidence, 1), 0,
		  "no place is added");
	end(&s);
	s = begin(5);
	see_begin(&s, 0, 6);
	evidence_judge(s.evidence, &shape, MODEL_CGO10);
	check_int((long long)least(&s, 0), 0, "cgo10: it knows of no marks");
	end(&s);
}

static void test_begins_of_loops(void)
{
	static const uint32_t class_of[] = { 0, 1, 2 };
	static const bool heads[] = { true, true, false };
	static const struct evidence_shape shape = { .class_of = class_of,
						     .heads = heads };
	struct scene s = begin(3);

	see(&s, 0, 6, 0);
	see_begin(&s, 0, 6);
	see(&s, 1, 7, 0);
	see_begin(&s, 1, 62);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 0, -1, "a test that lost code");
	check_int((long long)least(&s, 0), 650, "is known by its marks");
	check_ballot(&s, 1, 1, 700, "where there are fewer, it is not");
	end(&s);
	s = begin(3);
	see(&s, 2, 6, 0);
	see_begin(&s, 2, 6);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 2, 1, 600, "nor where no loop begins");
	end(&s);
}

static void test_rounds_of_loops(void)
{
	static const uint32_t class_of[] = { 0, 1, 2 };
	static const uint32_t round_of[] = { 0, 2, 2 };
	static const struct evidence_shape shape = { .class_of = class_of,
						     .round_of = round_of };
	struct scene s = begin(3);

	see(&s, 1, 6, 0);
	see(&s, 2, 7, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 1, 0, -1, "a test as rare as rounds is at their end");
	check_ballot(&s, 2, 1, 700, "rounds are known by theirs");
	end(&s);
	s = begin(3);
	see(&s, 1, 7, 0);
	see(&s, 2, 6, 0);
	see(&s, 0, 5, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 1, 1, 700, "one that runs more often is whole");
	check_ballot(&s, 0, 1, 500, "and one of no such loop");
	end(&s);
}

/* 0: a test, 1: a loop is entered, which is 2 and 3, 4: it is left, 5: an arm. */
static struct scene loop_entered(const uint32_t *header_of, uint32_t ran,
				 int32_t line)
{
	static const uint32_t class_of[] = { 0, 1, 2, 3, 1, 4 };
	static const uint32_t dominator[] = { 0, 0, 1, 2, 2, 0 };
	static const double frequency[] = { 100, 90, 200, 110, 90, 10 };
	struct evidence_shape shape = { .class_of = class_of,
					.dominator = dominator,
					.frequency = frequency,
					.header_of = header_of };
	struct scene s = begin(6);

	see(&s, 1, 41, 0);
	see(&s, 4, 42, 0);
	see(&s, 5, 20, 0);
	see(&s, ran, line, 0);
	ballot_add_bound(evidence_ballot(s.evidence, 0), 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	return s;
}

static void test_entries_of_loops(void)
{
	static const uint32_t loop[] = { FLOW_OUTSIDE, FLOW_OUTSIDE, 2, 2,
					 FLOW_OUTSIDE, FLOW_OUTSIDE };
	static const uint32_t none[] = { FLOW_OUTSIDE, FLOW_OUTSIDE,
					 FLOW_OUTSIDE, FLOW_OUTSIDE,
					 FLOW_OUTSIDE, FLOW_OUTSIDE };
	struct scene s = loop_entered(loop, 3, 7);

	check_ballot(&s, 1, 0, -1, "a loop that ran was entered");
	check_ballot(&s, 4, 0, -1, "and left");
	check(!evidence_ballot(s.evidence, 0)->bounded,
	      "whatever bounds what comes before");
	check_ballot(&s, 5, 1, 0, "but an arm beside it need not run");
	check_ballot(&s, 3, 1, 700, "and it ran");
	end(&s);
	s = loop_entered(loop, 0, 7);
	check_ballot(&s, 1, 1, 0, "one that need not have run was not entered");
	end(&s);
	s = loop_entered(none, 3, 7);
	check_ballot(&s, 1, 1, 0, "what is no loop may be another's code");
	end(&s);
	s = loop_entered(loop, 3, 32);
	check_ballot(&s, 1, 1, 0, "and what may not have run says nothing");
	end(&s);
}

/* 0, then a loop of 1 and 2, and 3 in a loop of its own. */
static struct scene inner_loop(uint32_t line, const uint32_t *depth,
			       bool entered)
{
	static const uint32_t class_of[] = { 0, 1, 2, 3 };
	static const uint32_t header_of[] = { FLOW_OUTSIDE, 1, 1, 3 };
	static const bool in_rounds[] = { false, false, true, true };
	struct evidence_shape shape = { .class_of = class_of,
					.header_of = header_of,
					.dominator = (uint32_t[]){ 0, 0, 1, 0 },
					.frequency =
						(double[]){ 10, 90, 90, 10 },
					.depth = depth,
					.in_rounds = in_rounds };
	struct scene s = begin(4);

	if (entered)
		see(&s, 0, 1, 0);
	see(&s, 1, line, 0);
	see(&s, 2, line, 0);
	see(&s, 3, line, line == 5 ? 2 : 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	return s;
}

static void test_inner_loops(void)
{
	struct scene s = inner_loop(7, (uint32_t[]){ 0, 1, 1, 1 }, true);

	check_ballot(&s, 2, 0, 700, "two loops of a place: neither is known");
	end(&s);
	s = inner_loop(7, (uint32_t[]){ 0, 2, 2, 1 }, true);
	check_ballot(&s, 2, 1, 600,
		     "the innermost has what is more than entries");
	check_ballot(&s, 3, 0, 700, "but no other");
	end(&s);
	s = inner_loop(7, (uint32_t[]){ 0, 2, 2, 1 }, false);
	check_ballot(&s, 2, 0, 700, "not where these are not known");
	end(&s);
	s = inner_loop(5, (uint32_t[]){ 0, 2, 2, 1 }, true);
	check_ballot(&s, 2, 0, 500, "nor of a place that has discriminators");
	end(&s);
	s = inner_loop(20, (uint32_t[]){ 0, 2, 2, 1 }, true);
	check_ballot(&s, 2, 0, 0, "unless it never ran");
	end(&s);
}

static void test_more_copies(void)
{
	static const uint32_t class_of[] = { 0 };
	static const struct evidence_shape shape = { .class_of = class_of };
	struct scene s = begin(1);

	see(&s, 0, 7, 0);
	evidence_has_more(s.evidence);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 1, 700,
		     "of some copies, what these execute is told");
	end(&s);
	s = begin(1);
	see(&s, 0, 20, 0);
	evidence_has_more(s.evidence);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 0, 0, "but that they do not is only a bound");
	end(&s);
	s = begin(1);
	see(&s, 0, 20, 0);
	evidence_judge(s.evidence, &shape, MODEL_DEFAULT);
	check_ballot(&s, 0, 1, 0, "of all copies, it never ran");
	end(&s);
}

static void test_cgo10_believes_all(void)
{
	static const uint32_t class_of[] = { 0, 1 };
	static const struct evidence_shape shape = { .class_of = class_of };
	struct scene s = begin(2);

	see(&s, 0, 8, 0);
	see(&s, 1, 8, 0);
	see(&s, 1, 5, 1);
	evidence_judge(s.evidence, &shape, MODEL_CGO10);
	check_ballot(&s, 0, 1, 800, "cgo10: whatever there is");
	check_ballot(&s, 1, 2, 800, "cgo10: the discriminator first");
	end(&s);
}

int main(void)
{
	test_blocks_that_run_equally_often();
	test_blocks_that_do_not();
	test_code_that_moves();
	test_loop_variables();
	test_where_places_begin();
	test_moved_to_where_places_begin();
	test_first_of_many();
	test_tests_made_at_once();
	test_chance();
	test_sampled();
	test_one_place();
	test_ends();
	test_between();
	test_flags();
	test_flags_of_some_copies();
	test_lines();
	test_begins();
	test_begins_of_loops();
	test_rounds_of_loops();
	test_entries_of_loops();
	test_inner_loops();
	test_more_copies();
	test_cgo10_believes_all();
	return done();
}
