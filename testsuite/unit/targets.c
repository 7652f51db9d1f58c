/*
 * targets.c - who is called from a place, of what several bodies say.
 */
#include "plugin/targets.h"

#include <math.h>
#include <string.h>

#include "plugin/noted.h"
#include "testsuite/lib/tap.h"

enum { HERE = 7, THERE = 8, NOWHERE = 9 };

static void add(struct noted *t, uint64_t place, uint64_t executions,
		struct profile_target *targets, size_t n)
{
	struct profile_count count = {
		.count = executions,
		.targets = targets,
		.ntargets = n,
	};

	noted_add(t, place, &count);
}

static void is(const struct noted *t, uint64_t place, const char *name,
	       double share, const char *what)
{
	struct others nobody = {};
	struct likeliest found = targets_likeliest(t, place, &nobody);

	check(name ? found.name && strcmp(found.name, name) == 0 : !found.name,
	      what);
	check(fabs(found.share - share) < 1e-9, what);
}

static void one_list(void)
{
	struct profile_target most[] = { { "f", 60 }, { "g", 30 } };
	struct profile_target equal[] = { { "g", 50 }, { "f", 50 } };
	struct profile_target none[] = { { "f", 0 } };
	struct others nobody = {};
	struct noted *t = noted_new();

	add(t, HERE, 100, most, 2);
	is(t, HERE, "f", .6, "of all executions");
	check(fabs(targets_likeliest(t, HERE, &nobody).told - .9) < 1e-9,
	      "with others that are known");
	is(t, NOWHERE, NULL, 0, "a place that nobody told of");
	add(t, NOWHERE, 100, NULL, 0);
	is(t, NOWHERE, NULL, 0, "a place of which nothing is known");
	add(t, THERE, 40, equal, 2);
	is(t, THERE, "f", .5, "more calls than executions, the first by name");
	add(t, NOWHERE, 0, none, 1);
	is(t, NOWHERE, NULL, 0, "no calls at all");
	noted_free(t);
}

static void several_lists(void)
{
	struct profile_target a[] = { { "f", 60 }, { "g", 40 } };
	struct profile_target b[] = { { "g", 300 } };
	struct profile_target c[] = { { "h", UINT64_MAX / 2 } };
	struct profile_value size = { 8, 500, PROFILE_SIZE, false };
	struct profile_count sizes = {
		.count = 500,
		.values = &size,
		.nvalues = 1,
	};
	struct noted *t = noted_new();

	add(t, HERE, 100, a, 2);
	add(t, THERE, 100, a, 2);
	add(t, HERE, 300, b, 1);
	is(t, HERE, "g", .85, "two bodies");
	is(t, THERE, "f", .6, "another place");
	add(t, HERE, 1, c, 1);
	is(t, HERE, "h", 1, "sums stay in range");
	noted_add(t, THERE, &sizes);
	is(t, THERE, "f", .6, "what only has values says nothing of calls");
	noted_free(t);
	noted_free(NULL);
}

/* write(text, strlen(text)), in a body where the length was known and not. */
static void several_calls(void)
{
	const char *const names[] = { "elsewhere", "strlen" };
	struct profile_target both[] = { { "strlen", 100 }, { "write", 80 } };
	struct profile_target length[] = { { "strlen", 300 } };
	struct profile_target one[] = { { "write", 50 } };
	struct noted *t = noted_new();
	struct likeliest found;

	add(t, HERE, 100, both, 2);
	is(t, HERE, "strlen", 100. / 180, "two calls, of which one is meant");
	found = targets_likeliest(t, HERE, &(struct others){ names, 2 });
	check(strcmp(found.name, "write") == 0, "without what has a name");
	check(fabs(found.share - .8) < 1e-9, "of all executions");
	check(fabs(found.told - .8) < 1e-9, "of which nothing else was told");
	add(t, HERE, 50, one, 1);
	add(t, HERE, 300, length, 1);
	found = targets_likeliest(t, HERE, &(struct others){ names, 2 });
	check(fabs(found.share - 130. / 150) < 1e-9,
	      "but of those where nobody else is told of");
	check(fabs(found.told - 130. / 150) < 1e-9, "which is all of it");
	add(t, THERE, 300, length, 1);
	found = targets_likeliest(t, THERE, &(struct others){ names, 2 });
	check(!found.name && found.share == 0, "or of nobody");
	noted_free(t);
}

int main(void)
{
	one_list();
	several_lists();
	several_calls();
	return done();
}
