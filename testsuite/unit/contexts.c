/*
 * contexts.c - which copies of a function do something else.
 */
#include "plugin/contexts.h"

#include "testsuite/lib/tap.h"

static struct profile_key key(int32_t line)
{
	return (struct profile_key){ NULL, line, 1, PROFILE_ANY };
}

static void count(struct profile *p, struct profile_body *body, int32_t line,
		  uint64_t count)
{
	profile_count_at(p, body, key(line))->count = count;
}

static struct profile_body *function(struct profile *p, const char *name)
{
	return &profile_add_function(p, name, "a.c", 1)->body;
}

static struct profile_body *inlined(struct profile *p, struct profile_body *in,
				    int32_t line, const char *name)
{
	return profile_add_inlined(p, in, key(line), name, "a.c", 1);
}

/* g is entered, and goes one way or the other. */
static void ways(struct profile *p, struct profile_body *g, uint64_t one,
		 uint64_t other)
{
	count(p, g, 0, one + other);
	count(p, g, 1, one);
	count(p, g, 2, other);
}

static struct contexts *all(const struct profile *p)
{
	struct contexts *c = contexts_new();

	for (size_t i = 0; i < p->nfunctions; i++)
		contexts_add(c, &p->functions[i]->body);
	return c;
}

/* Of the copy that is inlined at a line of f. */
static long long at(const struct profile *p, const char *name, int32_t line)
{
	struct contexts *c = all(p);
	long long difference = -1;

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct profile_body *f = &p->functions[i]->body;

		if (f->name != name)
			continue;
		f = contexts_whole(c, f);
		for (size_t k = 0; k < f->ninlined; k++)
			if (f->inlined[k]->call.line == line)
				difference = (long long)contexts_difference(
					c, f->inlined[k]);
	}
	contexts_free(c);
	return difference;
}

static void test_ways(void)
{
	struct profile *p = profile_new();
	struct profile_body *f = function(p, "f");

	ways(p, inlined(p, f, 5, "g"), 1000, 0);
	ways(p, inlined(p, f, 6, "g"), 0, 1000);
	check_int(at(p, f->name, 5), 500, "half of them went the other way");
	check_int(at(p, f->name, 6), 500, "and here, too");
	ways(p, function(p, "g"), 0, 2000);
	check_int(at(p, f->name, 6), 250, "its own body counts as well");
	profile_free(p);
}

static void test_alike(void)
{
	struct profile *p = profile_new();
	struct profile_body *f = function(p, "f");

	ways(p, inlined(p, f, 5, "g"), 3000, 1000);
	ways(p, inlined(p, f, 6, "g"), 300, 100);
	check_int(at(p, f->name, 5), 0, "in proportion, all copies are alike");
	ways(p, inlined(p, f, 7, "g"), 310, 90);
	check_int(at(p, f->name, 7), 0, "and nearly so");
	profile_free(p);
}

static void test_chance(void)
{
	struct profile *p = profile_new();
	struct profile_body *f = function(p, "f"), *g;

	g = inlined(p, f, 5, "g");
	ways(p, g, 1000, 0);
	ways(p, inlined(p, f, 6, "g"), 0, 1000);
	for (int line = 0; line < 3; line++)
		profile_count_at(p, g, key(line))->error = 100;
	check_int(at(p, f->name, 5), 300, "not by what may be chance");
	for (int line = 0; line < 3; line++)
		profile_count_at(p, g, key(line))->error = 300;
	check_int(at(p, f->name, 5), 0, "of which there may be enough");
	profile_free(p);
}

/* h is alike for g, but not in all copies of g. */
static void test_nested(void)
{
	struct profile *p = profile_new();
	struct profile_body *f = function(p, "f");
	struct profile_body *one = inlined(p, f, 5, "g");
	struct profile_body *other = inlined(p, f, 6, "g");

	ways(p, one, 500, 500);
	ways(p, other, 500, 500);
	ways(p, inlined(p, one, 1, "h"), 500, 0);
	ways(p, inlined(p, other, 1, "h"), 0, 500);
	check_int(at(p, f->name, 5), 250, "what is inlined in it differs");
	profile_free(p);

	p = profile_new();
	f = function(p, "f");
	one = inlined(p, f, 5, "g");
	other = function(p, "k");
	ways(p, one, 500, 500);
	ways(p, inlined(p, one, 1, "h"), 500, 0);
	ways(p, inlined(p, other, 1, "h"), 0, 500);
	check_int(at(p, f->name, 5), 0, "that of a g which is only here");
	check_int(at(p, profile_text(p, "g"), 1), -1, "g is no function here");
	function(p, "g");
	check_int(at(p, profile_text(p, "g"), 1), 250, "in g, h differs");
	profile_free(p);
}

/* The test at its beginning was inlined, and the rest is called. */
static void test_beginning(void)
{
	struct profile *p = profile_new();
	struct profile_body *f = function(p, "f"), *g = function(p, "g");

	count(p, inlined(p, f, 5, "g"), 0, 1000);
	count(p, g, 1, 600);
	count(p, inlined(p, f, 6, "g"), 0, 50);
	count(p, inlined(p, f, 6, "g"), 3, 900);
	check_int(at(p, f->name, 6), 0, "a beginning is no copy");
	count(p, g, 0, 600);
	check(at(p, f->name, 6) > 0, "unless the rest begins the same");
	profile_free(p);
}

static void test_bounds(void)
{
	struct profile *p = profile_new();
	struct profile_body *f = function(p, "f"), *g;

	g = inlined(p, f, 5, "g");
	ways(p, g, PROFILE_MAX / 4, 0);
	ways(p, inlined(p, f, 6, "g"), 0, PROFILE_MAX / 4);
	check(at(p, f->name, 5) > (long long)(PROFILE_MAX / 16), "huge counts");
	profile_count_at(p, g, key(1))->flags = PROFILE_MERGED;
	profile_count_at(p, g, key(2))->flags = PROFILE_COND;
	check_int(at(p, f->name, 5), 0, "upper bounds say nothing");
	inlined(p, f, 8, "empty");
	check_int(at(p, f->name, 8), 0, "nor does nothing");
	profile_free(p);
}

int main(void)
{
	test_ways();
	test_alike();
	test_chance();
	test_nested();
	test_beginning();
	test_bounds();
	return done();
}
