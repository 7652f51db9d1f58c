/* How often inlined bodies were entered, by the call and by what they do. */
#include "plugin/entered.h"

#include "testsuite/lib/tap.h"

static struct profile *profile;
static struct profile_body *outer, *callee;

static void begin(void)
{
	struct profile_key call = { .line = 5, .column = 7 };

	profile = profile_new();
	outer = &profile_add_function(profile, "f", "a.c", 10)->body;
	callee = profile_add_inlined(profile, outer, call, "g", "a.h", 20);
}

static struct profile_count *count(struct profile_body *body, int32_t line,
				   uint32_t column, uint64_t times)
{
	struct profile_key key = { .line = line,
				   .column = column,
				   .discriminator = PROFILE_ANY };
	struct profile_count *c = profile_count_at(profile, body, key);

	c->count = times;
	c->error = times / 10;
	return c;
}

/* Then the profile is gone; -1: unknown. */
static long long result(void)
{
	struct entered e = entered_by(outer, callee);

	profile_free(profile);
	if (e.is_known && e.error != e.count / 10)
		return -2;
	return e.is_known ? (long long)e.count : -1;
}

static void test_call(void)
{
	struct profile_key elsewhere = { .file = "b.h",
					 .line = 5,
					 .column = 7,
					 .discriminator = PROFILE_ANY };

	begin();
	check_int(result(), -1, "nothing says how often");

	begin();
	count(outer, 5, 7, 100);
	count(outer, 5, 8, 50);
	count(outer, 6, 7, 60);
	check_int(result(), 100, "the call's own code does");

	begin();
	elsewhere.file = profile_text(profile, elsewhere.file);
	profile_count_at(profile, outer, elsewhere)->count = 70;
	check_int(result(), -1, "not that of another file");

	begin();
	count(outer, 5, 7, 100)->flags = PROFILE_MERGED;
	check_int(result(), -1, "nor a bound");
}

static void test_start(void)
{
	begin();
	count(callee, 3, 1, 300);
	count(callee, 2, 9, 30);
	count(callee, 2, 4, 40);
	count(callee, 8, 1, 10);
	check_int(result(), 40, "what a body begins with does");

	begin();
	count(callee, 2, 4, 40)->flags = PROFILE_COND;
	count(callee, -1, 1, 7);
	count(callee, 3, 1, 300);
	check_int(result(), 300, "if that is sure, and of the body");

	begin();
	count(callee, 2, 4, 335)->flags = PROFILE_MERGED;
	count(callee, 3, 1, 300);
	check_int(result(), -1, "not an arm of what may have run more often");

	begin();
	count(callee, 2, 4, 333)->flags = PROFILE_MERGED;
	count(callee, 3, 1, 300);
	check_int(result(), 300, "nearly as often is no more often");

	begin();
	count(callee, 4, 4, 400)->flags = PROFILE_MERGED;
	count(callee, 3, 1, 300);
	check_int(result(), 300, "what comes later is no test before it");
}

static void test_parts(void)
{
	struct profile_key part = { .line = 2,
				    .column = 4,
				    .discriminator = 1 };

	begin();
	profile_count_at(profile, callee, part)->count = 7;
	count(callee, 2, 4, 40);
	check_int(result(), 40, "all that a place did, not a part of it");
}

static void test_nested(void)
{
	struct profile_key call = { .line = 2, .column = 4 };
	struct profile_body *inner;

	begin();
	inner = profile_add_inlined(profile, callee, call, "h", "a.h", 30);
	count(inner, 1, 1, 80);
	check_int(result(), 80, "a body may be nothing but another one");

	begin();
	inner = profile_add_inlined(profile, callee, call, "h", "a.h", 30);
	count(inner, 1, 1, 80);
	count(callee, 2, 5, 90);
	check_int(result(), 80, "a body may begin with another one");

	begin();
	profile_add_inlined(profile, callee, call, "h", "a.h", 30);
	count(callee, 2, 5, 90);
	check_int(result(), 90, "of which something is known");

	begin();
	inner = profile_add_inlined(profile, callee, call, "h", "a.h", 30);
	count(inner, 1, 1, 900)->flags = PROFILE_MERGED;
	count(callee, 2, 5, 90);
	check_int(result(), -1, "unless that may be a test");

	begin();
	inner = profile_add_inlined(profile, callee, call, "h", "a.h", 30);
	count(inner, 1, 1, 900)->flags = PROFILE_MERGED;
	count(inner, 2, 1, 80);
	count(callee, 2, 5, 1000);
	check_int(result(), 1000, "and what follows is no arm");
}

/* Of what a list is asked, by a call there; -1: that is not known. */
static void ask(struct profile_key call, const char *name, long long times)
{
	struct profile_body *asked =
		profile_add_inlined(profile, callee, call, name, "a.h", 30);

	if (times >= 0)
		count(asked, 1, 1, (uint64_t)times);
}

/* for (x : list) */
static void list(uint32_t column, long long begins, long long ends)
{
	struct profile_key call = { .line = 2, .column = column };

	begin();
	count(callee, 2, column, 900);
	ask(call, "begin", begins);
	ask(call, "end", ends);
}

/* Two bodies that were inlined elsewhere. */
static void test_no_list(void)
{
	struct profile_key call = { .line = 3, .column = 4 };

	begin();
	count(callee, 2, 4, 900);
	ask(call, "begin", 80);
	ask(call, "end", 79);
	check_int(result(), 900, "what a later line asks for is no list's");

	begin();
	count(callee, 2, 4, 900);
	call.line = 2;
	call.file = profile_text(profile, "b.h");
	ask(call, "begin", 80);
	ask(call, "end", 79);
	check_int(result(), 900, "nor is what that line of another file does");
}

static void test_list(void)
{
	list(4, 80, 79);
	check_int(result(), 80, "a loop is entered as often as its list");

	list(4, 79, 80);
	check_int(result(), 80, "by what was asked for most often");

	list(4, 80, -1);
	check_int(result(), 900, "one call may be an arm of a macro's test");

	list(4, 0, 0);
	check_int(result(), 900, "what ran was asked for");

	list(4, 1000, 999);
	check_int(result(), 900, "a test is made no less often than that");

	list(0, 80, 79);
	check_int(result(), 900, "without columns, so may two be");

	list(4, 80, 79);
	count(callee, 2, 3, 950);
	check_int(result(), 950, "what comes before it is none of it");

	list(4, 80, 79);
	ask((struct profile_key){ .line = 2, .column = 3 }, "before", 950);
	check_int(result(), 950, "nor is a body that does");
}

static void told(struct profile_body *body, uint64_t times)
{
	struct profile_count *c =
		profile_count_at(profile, body, profile_entry_key());

	c->count = times;
	c->error = times / 10;
}

static void test_told(void)
{
	struct profile_key call = { .line = 2, .column = 4 };
	struct profile_body *inner;

	begin();
	count(callee, 3, 1, 300);
	told(callee, 40);
	check_int(result(), 40, "what comes first is in a loop");

	begin();
	count(callee, 3, 1, 300);
	told(callee, 400);
	check_int(result(), 300, "at most as often as that");

	begin();
	told(callee, 40);
	check_int(result(), 40, "and if nothing else is known");

	begin();
	inner = profile_add_inlined(profile, callee, call, "h", "a.h", 40);
	count(inner, 1, 1, 300);
	told(inner, 50);
	count(callee, 6, 1, 30);
	check_int(result(), 50, "also of what it begins with");

	begin();
	count(callee, 0, 0, 300);
	count(callee, 1, 0, 40);
	check_int(result(), 300, "code without columns tells nothing");
}

static void mark(int32_t line, uint32_t column, uint64_t times)
{
	struct profile_key key = { .line = line,
				   .column = column,
				   .discriminator = PROFILE_BEGIN };
	struct profile_count *c = profile_count_at(profile, callee, key);

	c->count = times;
	c->error = times / 10;
}

static void test_marked(void)
{
	begin();
	count(callee, 4, 5, 7);
	mark(3, 9, 90);
	mark(2, 9, 80);
	check_int(result(), 80, "what begins first did, without its code");

	begin();
	count(callee, 4, 5, 100);
	mark(2, 9, 80);
	check_int(result(), 100, "marks may be missing");

	begin();
	count(callee, 2, 5, 7);
	mark(2, 9, 80);
	check_int(result(), 7, "not what begins later");

	begin();
	count(callee, 2, 9, 7);
	mark(2, 9, 80);
	check_int(result(), 80, "but in the same place");

	begin();
	mark(0, 9, 80);
	check_int(result(), 80, "where no code is left at all");

	begin();
	count(outer, 5, 7, 10);
	count(callee, 3, 1, 100);
	mark(0, 9, 80);
	check_int(result(), 80, "what is left of the call may be an arm's");

	begin();
	count(outer, 5, 7, 10);
	count(callee, 3, 1, 100);
	mark(1, 9, 80);
	check_int(result(), 10, "but what the body begins with, a loop");

	begin();
	mark(2, 9, 80);
	told(callee, 40);
	check_int(result(), 40, "if it is told how often it was entered");
}

static void test_both(void)
{
	begin();
	count(outer, 5, 7, 100);
	count(callee, 1, 1, 40);
	check_int(result(), 40, "a macro's place has other code");

	begin();
	count(outer, 5, 7, 100);
	count(callee, 1, 1, 400);
	check_int(result(), 100, "a body may begin with a loop");

	begin();
	count(outer, 5, 7, 0);
	count(callee, 1, 1, 40);
	check_int(result(), 40, "what ran was entered");

	begin();
	count(outer, 5, 7, 0);
	check_int(result(), 0, "if nothing is known to have run, it was not");
}

int main(void)
{
	test_call();
	test_start();
	test_parts();
	test_nested();
	test_list();
	test_no_list();
	test_told();
	test_marked();
	test_both();
	return done();
}
