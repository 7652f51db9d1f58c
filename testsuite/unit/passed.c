/* What calls pass, and what that is in a copy of the caller. */
#include "plugin/passed.h"

#include "testsuite/lib/tap.h"

enum { CALL = 77, OTHER = 78 };

static const struct passed_value two_and_minus[] = {
	{ .parameter = 0, .value = 2 },
	{ .parameter = 3, .value = -1 },
};

static void test_values(void)
{
	struct passing *p = passed_new();
	const struct passed *here;

	check(!passed_at(p, CALL, NULL), "of an unknown call nothing is known");
	passed_note(p, CALL, two_and_minus, 2);
	here = passed_at(p, CALL, NULL);
	check(here && here->n == 2, "what is passed is known");
	check_int(here->values[1].parameter, 3, "for which parameter");
	check_int(here->values[1].value, -1, "and its value");
	passed_note(p, OTHER, two_and_minus, 2);
	check(passed_at(p, OTHER, NULL) == here, "equal values are one list");
	check(passed_of(p, here, 1u << 2) == NULL, "of others nothing is");
	check(passed_of(p, here, ~(uint64_t)0) == here, "all are all");
	here = passed_of(p, here, 1u << 3 | 1u << 5);
	check(here && here->n == 1, "those that are asked for");
	check_int(here->values[0].value, -1, "with their values");
	check(passed_of(p, NULL, 1) == NULL, "nothing of nothing");
	passed_free(p);
	passed_free(NULL);
}

static void test_doubt(void)
{
	struct passing *p = passed_new();

	passed_note(p, CALL, two_and_minus, 2);
	passed_note(p, CALL, two_and_minus, 2);
	check(passed_at(p, CALL, NULL) != NULL, "the same call twice");
	passed_note(p, CALL, two_and_minus, 1);
	check(!passed_at(p, CALL, NULL), "of two that differ nothing is");
	passed_note(p, CALL, two_and_minus, 1);
	check(!passed_at(p, CALL, NULL), "whatever comes then");
	passed_note(p, OTHER, two_and_minus, 0);
	passed_note(p, OTHER, two_and_minus, 2);
	check(!passed_at(p, OTHER, NULL), "nor if one passes nothing known");
	passed_free(p);
}

static void test_parameters(void)
{
	struct passed_value handed_on[] = {
		{ .parameter = 0, .is_parameter = true, .value = 3 },
		{ .parameter = 1, .is_parameter = true, .value = 7 },
		{ .parameter = 2, .value = 5 },
	};
	struct passing *p = passed_new();
	const struct passed *outer, *here;

	passed_note(p, CALL, two_and_minus, 2);
	outer = passed_at(p, CALL, NULL);
	passed_note(p, OTHER, handed_on, 3);
	here = passed_at(p, OTHER, NULL);
	check(here && here->n == 1 && here->values[0].value == 5,
	      "what a caller hands on is not known by itself");
	here = passed_at(p, OTHER, outer);
	check(here && here->n == 2, "but if it got that as a constant");
	check_int(here->values[0].parameter, 0, "for the one");
	check_int(here->values[0].value, -1, "what the caller got");
	check_int(here->values[1].value, 5, "beside what it passes itself");
	passed_free(p);
}

/* The lists grow while they are asked for. */
static void test_many(void)
{
	struct passing *p = passed_new();
	bool good = true;

	for (int64_t i = 0; i < 1000; i++) {
		struct passed_value value = { .value = i };

		passed_note(p, (uint64_t)i + 1, &value, 1);
	}
	for (int64_t i = 0; i < 1000; i++) {
		const struct passed *here = passed_at(p, (uint64_t)i + 1, NULL);

		good &= here && here->values[0].value == i;
		good &= passed_of(p, here, 1) == here;
	}
	check(good, "a thousand calls have their own");
	passed_free(p);
}

int main(void)
{
	test_values();
	test_doubt();
	test_parameters();
	test_many();
	return done();
}
