/*
 * apart.c - a function's copies counted apart, and added up.
 *
 * The function is a choice of two arms, which meet again: lines 1 and 5, then 2
 * or 3, then 4.  It was inlined in others, and may have code of its own.
 */
#include "plugin/apart.h"

#include "base/error.h"
#include "mcf/smooth.h"
#include "plugin/vote.h"
#include "profile/profile.h"
#include "testsuite/lib/profiles.h"
#include "testsuite/lib/tap.h"

enum { BLOCKS = 4, LINES = 5 };

static const struct flow_link links[] = {
	{ FLOW_OUTSIDE, 0 }, { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 },
	{ 3, FLOW_OUTSIDE },
};
static const double shares[] = { 1, 0.5, 0.5, 1, 1, 1 };
static const bool never[6];
static const struct body body = {
	BLOCKS, links, shares, never, never, never, 6
};
static const uint32_t classes[BLOCKS] = { 0, 1, 2, 0 };
static const uint32_t block_of[LINES] = { 0, 1, 2, 3, 0 };
static const struct evidence_shape shape = { .class_of = classes };

/* What of the first parameter is passed says which arm it is. */
static const double first_arm[] = { 1, 1, 0, 1, 1, 1 };
static const double second_arm[] = { 1, 0, 1, 1, 1, 1 };

static const double *choose(void *data, const struct passed *passed)
{
	(void)data;
	return passed->values[0].value == 1 ? first_arm : second_arm;
}

static const struct copy_shares chosen = { .of = choose };

struct scene {
	struct profile *profile;
	struct unit *unit;
	struct instance *function;
	struct evidence *evidence;
};

/* A copy that a function has; of each line its count, -1: nothing is left. */
static void copy(struct profile *p, const char *outer, const int count[LINES])
{
	struct profile_function *f = profile_add_function(p, outer, "a.c", 50);
	struct profile_key call = { .line = 7, .column = 7 };
	struct profile_body *in =
		profile_add_inlined(p, &f->body, call, "f", "a.c", 10);

	for (int i = 0; i < LINES; i++) {
		struct profile_key key = { NULL, i + 1, 1, PROFILE_ANY };
		struct profile_count *c;

		if (count[i] < 0)
			continue;
		c = profile_count_at(p, in, key);
		c->count = (uint64_t)count[i];
		c->error = (uint64_t)count[i] / 10;
		in->total += c->count;
	}
	f->samples = 100;
}

static void see(struct scene *s, uint32_t block, int32_t line)
{
	evidence_see(s->evidence, block,
		     unit_place(s->function, NULL, line, 1, PROFILE_ANY), 0);
}

/* A function that calls it, and what it passes. */
static void pass(struct scene *s, const char *name, int64_t value)
{
	struct passed_value first = { .value = value };
	struct profile_key call = { .line = 7, .column = 7 };
	struct function_id id = { .start_line = 50, .is_public = true };

	id.names[0] = profile_text(s->profile, name);
	id.file = profile_text(s->profile, "a.c");
	unit_pass(s->unit, unit_add_function(s->unit, &id), &call,
		  &s->function->function, &first, 1);
}

/* All lines are seen, each in its block; and what a and b pass, if not 0. */
static struct scene begin_passing(struct profile *p, int64_t a, int64_t b)
{
	struct scene s = { .profile = reopened(p) };
	struct function_id id = { .start_line = 10, .is_public = true };
	struct fdo_error err;

	s.unit = unit_new(s.profile);
	id.names[0] = profile_text(s.profile, "f");
	id.file = profile_text(s.profile, "a.c");
	s.function = unit_add_function(s.unit, &id);
	s.function->tested = 1;
	if (a)
		pass(&s, "a", a);
	if (b)
		pass(&s, "b", b);
	if (!unit_load(s.unit, &err))
		printf("# %s\n", err.text);
	s.evidence = evidence_new(s.unit, BLOCKS);
	if (s.function->copies.n)
		evidence_ran(s.evidence);
	for (int32_t line = 1; line <= LINES; line++)
		see(&s, block_of[line - 1], line);
	return s;
}

static struct scene begin(struct profile *p)
{
	return begin_passing(p, 0, 0);
}

static void end(struct scene *s)
{
	evidence_free(s->evidence);
	unit_free(s->unit);
	profile_free(s->profile);
}

static void judge_by(struct scene *s, enum vote vote)
{
	struct counts_how how = { .shift = 4, .vote = vote };

	evidence_judge(s->evidence, &shape, MODEL_DEFAULT);
	apart_count(&body, s->evidence, &shape, &s->function->copies, &how,
		    &chosen);
}

static void judge(struct scene *s)
{
	judge_by(s, VOTE_MEDIAN);
}

/* -1: no vote. */
static long long outcome(struct scene *s, uint32_t block)
{
	struct ballot *b = evidence_ballot(s->evidence, block);

	return b->n ? (long long)ballot_count(b, VOTE_MEDIAN) : -1;
}

static struct profile *two_kinds(void)
{
	struct profile *p = profile_new();

	profile_add_function(p, "f", "a.c", 10);
	copy(p, "a", (int[]){ 100, 70, 30, 100, -1 });
	copy(p, "b", (int[]){ -1, -1, -1, 900, -1 });
	return p;
}

static void test_what_is_missing(void)
{
	struct scene s = begin(two_kinds());
	struct ballot *first = evidence_ballot(s.evidence, 0);

	judge(&s);
	check_int(outcome(&s, 0), 1000,
		  "what came before was executed in both copies");
	check_int(outcome(&s, 3), 1000, "as was what says so");
	check_int(outcome(&s, 1) + outcome(&s, 2), 1000,
		  "one arm or the other, each time");
	check_int((long long)ballot_error(first, 1000), 10,
		  "errors are those of the copies that speak");
	end(&s);
}

static void test_arms(void)
{
	struct profile *p = profile_new();
	struct scene s;

	profile_add_function(p, "f", "a.c", 10);
	copy(p, "a", (int[]){ 100, 100, -1, 100, -1 });
	copy(p, "b", (int[]){ 50, -1, 50, 50, -1 });
	s = begin(p);
	judge(&s);
	check_int(outcome(&s, 1), 100,
		  "an arm that a copy has not is not taken there");
	check_int(outcome(&s, 2), 50, "nor the other one");
	end(&s);
}

/* What was computed in any case in one copy may be so in another. */
static void test_bounds(void)
{
	struct profile *p = profile_new();
	struct profile_function *host;
	struct scene s;

	profile_add_function(p, "f", "a.c", 10);
	copy(p, "a", (int[]){ 100, 100, -1, 100, -1 });
	copy(p, "b", (int[]){ 50, 50, -1, -1, -1 });
	host = profile_add_function(p, "b", "a.c", 50);
	host->body.inlined[0]->counts[1].flags = PROFILE_COND;
	s = begin(p);
	judge(&s);
	check_int(outcome(&s, 0), 150, "they are counted apart");
	check_int(outcome(&s, 1), -1, "a bound in one is a bound in all");
	end(&s);
}

static void test_parts_of_a_place(void)
{
	struct profile *p = profile_new();
	struct scene s;

	profile_add_function(p, "f", "a.c", 10);
	copy(p, "a", (int[]){ 100, -1, -1, 100, -1 });
	copy(p, "b", (int[]){ 20, -1, -1, 50, 20 });
	s = begin(p);
	see(&s, 0, 4);
	judge(&s);
	check_int(outcome(&s, 0), 150, "what is left may be a part of it");
	end(&s);

	p = profile_new();
	profile_add_function(p, "f", "a.c", 10);
	copy(p, "a", (int[]){ 100, -1, -1, 100, -1 });
	copy(p, "b", (int[]){ 20, -1, -1, 50, 20 });
	s = begin(p);
	see(&s, 0, 4);
	judge_by(&s, VOTE_AVERAGE);
	check_int(outcome(&s, 0), 130, "who asks for the average gets it");
	end(&s);
}

/* Of a copy whose places do not agree, its entry is heard as well. */
static void test_entries(void)
{
	struct profile *p = profile_new();
	struct scene s;

	profile_add_function(p, "f", "a.c", 10);
	copy(p, "a", (int[]){ 900, -1, -1, 100, -1 });
	copy(p, "b", (int[]){ 50, 50, -1, 50, -1 });
	s = begin(p);
	judge(&s);
	check_int(outcome(&s, 0), 950, "as often as it was entered");
	check_int(outcome(&s, 3), 950, "to its end");
	end(&s);
}

static void check_as_judged(struct scene *s, const char *what)
{
	judge(s);
	check_int(outcome(s, 0), 100, what);
	check_int(outcome(s, 3), 1000, what);
}

static void test_not_apart(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = profile_add_function(p, "f", "a.c", 10);
	struct profile_key first = { NULL, 1, 1, PROFILE_ANY };
	struct profile_key last = { NULL, 4, 1, PROFILE_ANY };
	struct profile_function *host;
	struct scene s;

	copy(p, "a", (int[]){ 60, -1, -1, 600, -1 });
	copy(p, "b", (int[]){ 40, -1, -1, 400, -1 });
	first.discriminator = 2;
	host = profile_add_function(p, "b", "a.c", 50);
	profile_count_at(p, host->body.inlined[0], first)->count = 40;
	first.discriminator = PROFILE_ANY;
	s = begin(p);
	check_as_judged(&s, "copies of one kind are added up");
	end(&s);

	p = profile_new();
	f = profile_add_function(p, "f", "a.c", 10);
	profile_count_at(p, &f->body, last)->count = 900;
	f->body.total = 900;
	copy(p, "a", (int[]){ 100, -1, -1, 100, -1 });
	s = begin(p);
	check_as_judged(&s, "a beginning and the rest are one execution");
	end(&s);

	p = profile_new();
	f = profile_add_function(p, "f", "a.c", 10);
	f->entry = 100;
	profile_count_at(p, &f->body, first)->count = 100;
	profile_count_at(p, &f->body, last)->count = 1000;
	f->body.total = 1100;
	copy(p, "a", (int[]){ -1, -1, -1, 0, -1 });
	s = begin(p);
	check_as_judged(&s, "what never ran is no kind");
	end(&s);
}

/* -1: no bound. */
static long long bound(struct scene *s, uint32_t block)
{
	struct ballot *b = evidence_ballot(s->evidence, block);

	return b->bounded ? (long long)b->bound : -1;
}

static void test_idle(void)
{
	struct profile *p = profile_new();
	struct scene s;

	profile_add_function(p, "f", "a.c", 10);
	copy(p, "a", (int[]){ 100, 100, 0, -1, -1 });
	copy(p, "b", (int[]){ 0, -1, 0, 0, -1 });
	s = begin(p);
	judge(&s);
	check_int(outcome(&s, 0), 100, "a copy that never ran adds nothing");
	check_int(outcome(&s, 2), 0, "what another one has did not run");
	check_int(outcome(&s, 3), -1, "what it has alone says little");
	check_int(bound(&s, 3), 0, "that it never ran, if nothing else does");
	end(&s);

	p = profile_new();
	profile_add_function(p, "f", "a.c", 10);
	copy(p, "a", (int[]){ 0, 0, -1, 0, -1 });
	s = begin(p);
	judge(&s);
	check_int(outcome(&s, 3), 0, "a function that never ran is sure of it");
	end(&s);
}

/* An arm is in the code of one copy; what the others pass says they took it. */
static void test_constants(void)
{
	static const int open[LINES] = { 100, 100, -1, 100, -1 };
	static const int shut[LINES] = { 50, -1, -1, 50, -1 };
	struct profile *p = profile_new();
	struct scene s;

	profile_add_function(p, "f", "a.c", 10);
	copy(p, "a", open);
	copy(p, "b", shut);
	s = begin_passing(p, 0, 1);
	judge(&s);
	check_int(outcome(&s, 1), 150, "a test comes out as what is passed");
	end(&s);

	p = profile_new();
	profile_add_function(p, "f", "a.c", 10);
	copy(p, "a", open);
	copy(p, "b", shut);
	copy(p, "c", shut);
	s = begin_passing(p, 1, 2);
	judge(&s);
	check_int((long long)s.function->copies.n, 3,
		  "what got other values is another kind");
	check_int(outcome(&s, 1), 125, "each as its own, or as guessed");
	end(&s);
}

/*
 * The fifteen largest are counted apart, and the others together: these have
 * line 1, and not all of them the others.
 */
static void test_many_kinds(void)
{
	static const int line_of[] = { 1, 2, 3, 4, 0 };
	struct profile *p = profile_new();
	struct scene s;
	char name[] = "A";
	int all = 0;

	profile_add_function(p, "f", "a.c", 10);
	for (int kind = 1; kind < 1 << LINES; kind++, name[0]++) {
		int count[LINES] = { -1, -1, -1, -1, -1 };
		int lines = __builtin_popcount(kind) - ((kind & 3) == 3);
		int each = 60 * (32 - kind) / lines;

		for (int i = 0; i < LINES; i++)
			if (kind & 1 << i)
				count[line_of[i]] = each;
		if (count[1] > 0 && count[2] > 0)
			count[2] = 0;
		copy(p, name, count);
		all += each;
	}
	s = begin(p);
	judge(&s);
	check_int((long long)s.function->copies.n, 31, "so many are kinds");
	check_int(outcome(&s, 0), all, "each is in the sum");
	check_int(outcome(&s, 3), all, "to the end");
	end(&s);
}

int main(void)
{
	test_what_is_missing();
	test_arms();
	test_bounds();
	test_parts_of_a_place();
	test_entries();
	test_not_apart();
	test_idle();
	test_constants();
	test_many_kinds();
	return done();
}
