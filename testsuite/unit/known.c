/*
 * known.c - what values there were at a place, of what several bodies say.
 */
#include "plugin/known.h"

#include <math.h>

#include "plugin/noted.h"
#include "testsuite/lib/tap.h"

enum { HERE = 7, THERE = 8, NOWHERE = 9 };

static void add(struct noted *k, uint64_t place, struct profile_value *values,
		size_t n)
{
	struct profile_count count = { .values = values, .nvalues = n };

	noted_add(k, place, &count);
}

static void is(const struct known_values *v, unsigned i, int64_t value,
	       int64_t count)
{
	check(i < v->n && v->most[i].value == value &&
		      v->most[i].count == count,
	      "a value and its count");
}

static void one_list(void)
{
	struct profile_value list[] = {
		{ 8, 60, PROFILE_DIVISOR, false },
		{ 3, 20, PROFILE_DIVISOR, false },
		{ 0, 20, PROFILE_DIVISOR, true },
		{ 16, 5, PROFILE_SIZE, false },
	};
	struct noted *k = noted_new();
	struct known_values v;

	add(k, HERE, list, 4);
	add(k, THERE, NULL, 0);
	known_values(k, HERE, PROFILE_DIVISOR, 1000, &v);
	check_int(v.n, 2, "the values of a kind");
	is(&v, 0, 8, 600);
	is(&v, 1, 3, 200);
	check_int(v.known, 800, "how often it was these");
	check_int(v.powers_of_2, 600, "of these, powers of 2");
	check(fabs(v.mean - (540 + 20 * 32) / 100.) < 1e-9,
	      "their mean, and others are long");
	check_int(known_count(&v, 3), 200, "the count of one");
	check_int(known_count(&v, 4), 0, "and of another one");
	known_values(k, HERE, PROFILE_SIZE, 7, &v);
	is(&v, 0, 16, 7);
	known_values(k, HERE, PROFILE_QUOTIENT, 7, &v);
	check_int(v.n, 0, "nothing of another kind");
	known_values(k, THERE, PROFILE_SIZE, 7, &v);
	check_int(v.n, 0, "nor of another place");
	known_values(k, NOWHERE, PROFILE_SIZE, 7, &v);
	check_int(v.n, 0, "nor of one that nobody told of");
	noted_free(k);
}

static void several_lists(void)
{
	struct profile_value a[] = { { 8, 60, PROFILE_SIZE, false },
				     { 0, 40, PROFILE_SIZE, true } };
	struct profile_value b[] = { { 3, 80, PROFILE_SIZE, false },
				     { 8, 20, PROFILE_SIZE, false } };
	struct noted *k = noted_new();
	struct known_values v;

	add(k, HERE, a, 2);
	add(k, HERE, b, 2);
	known_values(k, HERE, PROFILE_SIZE, 100, &v);
	is(&v, 0, 3, 40);
	is(&v, 1, 8, 40);
	noted_free(k);
	noted_free(NULL);
}

/* Of more than are given one by one, all have the mean. */
static void a_mean_of_many(void)
{
	struct profile_value many[20];
	struct noted *k = noted_new();
	struct known_values v;

	for (int i = 0; i < 19; i++)
		many[i] = (struct profile_value){ i + 1, i < 8 ? 10 : 1,
						  PROFILE_SIZE, false };
	many[19] = (struct profile_value){ 0, 9, PROFILE_SIZE, true };
	add(k, HERE, many, 20);
	known_values(k, HERE, PROFILE_SIZE, 1000, &v);
	check_int(v.n, KNOWN_MOST, "the most frequent");
	check(fabs(v.mean - (360 + 154 + 9 * 76) / 100.) < 1e-9,
	      "the mean of all");
	check_int(v.known, 910, "how often it was any of them");
	noted_free(k);
}

/* However wild: what is more than all would be an error to GCC. */
static void sums_fit(void)
{
	struct profile_value many[20], none[] = { { 1, 0, 0, false } };
	struct noted *k = noted_new();
	struct known_values v;
	int64_t sum = 0;

	for (int i = 0; i < 20; i++)
		many[i] =
			(struct profile_value){ i - 3, PROFILE_MAX, 0, false };
	add(k, HERE, many, 20);
	add(k, THERE, none, 1);
	known_values(k, HERE, 0, 1001, &v);
	check_int(v.n, KNOWN_MOST, "no more than that");
	for (unsigned i = 0; i < v.n; i++)
		sum += v.most[i].count;
	check(sum > 350 && sum <= 1001 * 8 / 20, "their part of all");
	check(v.known > 900 && v.known <= 1001, "together at most all");
	check(v.powers_of_2 <= v.known, "and so are powers of 2");
	known_values(k, HERE, 0, (int64_t)PROFILE_MAX, &v);
	check(v.n && v.most[0].count <= (int64_t)PROFILE_MAX / 20,
	      "of as many as there can be");
	known_values(k, THERE, 0, 1001, &v);
	check_int(v.n, 0, "what never was is not known");
	noted_free(k);
}

int main(void)
{
	one_list();
	several_lists();
	a_mean_of_many();
	sums_fit();
	return done();
}
