/* Adding up profiles: no order and no grouping can be seen in the sum. */
#include <string.h>
#include <time.h>

#include "profile/profile.h"
#include "testsuite/lib/profiles.h"
#include "testsuite/lib/tap.h"

enum { PROFILES = 4 };

static struct bytes sum_form(struct profile *sum)
{
	struct bytes bytes;

	profile_summarize(sum);
	bytes = binary_form(sum);
	profile_free(sum);
	return bytes;
}

static struct bytes sum_in_order(struct profile **p, const int *order)
{
	struct profile *sum = profile_new();

	for (int i = 0; i < PROFILES; i++)
		profile_merge(sum, p[order[i]], order[i] + 1);
	return sum_form(sum);
}

/* (d + b) + (c + a), with the halves written and read in between. */
static struct bytes sum_of_sums(struct profile **p)
{
	struct profile *sum = profile_new(), *read;
	struct fdo_error err;

	for (int i = 0; i < 2; i++) {
		struct profile *half = profile_new();
		struct bytes bytes;

		profile_merge(half, p[3 - i], 4 - i);
		profile_merge(half, p[1 - i], 2 - i);
		bytes = sum_form(half);
		read = profile_of(&bytes, &err);
		free(bytes.data);
		profile_merge(sum, read, 1);
		profile_free(read);
	}
	return sum_form(sum);
}

static void test_order(void)
{
	static const int orders[][PROFILES] = {
		{ 0, 1, 2, 3 },
		{ 3, 2, 1, 0 },
		{ 2, 0, 3, 1 },
		{ 1, 3, 0, 2 },
	};
	int wrong = 0, wrong_sums = 0;

	for (unsigned int seed = 1; seed <= 10; seed++) {
		struct profile *p[PROFILES];
		struct bytes want, got;

		for (int i = 0; i < PROFILES; i++) {
			p[i] = random_profile(10 * seed + i, 40 * seed, false);
			profile_sort(p[i]);
		}
		want = sum_in_order(p, orders[0]);
		for (int i = 1; i < 4; i++) {
			got = sum_in_order(p, orders[i]);
			wrong += !same_bytes(&want, &got);
			free(got.data);
		}
		got = sum_of_sums(p);
		wrong_sums += !same_bytes(&want, &got);
		free(got.data);
		free(want.data);
		for (int i = 0; i < PROFILES; i++)
			profile_free(p[i]);
	}
	check_int(wrong, 0, "the order is not seen");
	check_int(wrong_sums, 0, "nor is the grouping");
}

static struct profile *one_count(uint64_t count, uint64_t error)
{
	struct profile *p = profile_new();
	struct profile_function *f = profile_add_function(p, "f", "f.c", 1);
	struct profile_event *event = profile_add_event(p, "clock", "cycles");
	struct profile_count *c = profile_count_at(
		p, &f->body, (struct profile_key){ .line = 1 });

	c->count = count;
	c->error = error;
	profile_add_target(p, c, "g", count);
	profile_add_value(c, &(struct profile_value){ .value = 7,
						      .count = count });
	profile_add_value(c,
			  &(struct profile_value){ .other = true, .count = 1 });
	f->samples = 10;
	f->entry = 2;
	f->body.total = 5;
	event->samples = 10;
	event->mapped = 9;
	event->period = count;
	return p;
}

static void test_values(void)
{
	struct profile *sum = one_count(100, 3), *b = one_count(205, 2);
	struct profile_function *f;
	struct profile_count *c;

	profile_merge(sum, b, 2);
	f = sum->functions[0];
	c = &f->body.counts[0];
	check_int(c->count, 510, "counts are added with the weight");
	check_int(c->error, 5, "errors as squares");
	check_int(c->error_rest, 0, "9 and 16 is 25");
	check_int(c->targets[0].count, 510, "call targets as counts");
	check_int(c->nvalues, 2, "values are those of all");
	check_int(c->values[0].count, 510, "and added as counts");
	check_int(c->values[1].count, 3, "others, too");
	check_int(f->samples, 20, "samples without the weight");
	check_int(f->entry, 6, "entries with it");
	check_int(f->body.total, 15, "and totals");
	check_int(sum->events[0].samples, 20, "samples of the event");
	check_int(sum->events[0].mapped, 18, "and those mapped");
	check_int(sum->events[0].period, 152, "the period is the mean");
	check_int(sum->events[0].period_rest, 10, "with its rest");
	profile_free(sum);
	profile_free(b);
}

enum { MANY = 100000 };

/* So many call targets and values of one count, from that number on. */
static struct profile *many_from(int first)
{
	struct profile *p = one_count(1, 1);
	struct profile_count *c = &p->functions[0]->body.counts[0];
	char name[32];

	for (int i = first; i < first + MANY; i++) {
		struct profile_value value = {
			.kind = PROFILE_SIZE,
			.value = i,
			.count = i % 1000,
		};

		snprintf(name, sizeof(name), "f%d", i);
		profile_add_target(p, c, name, i % 1000);
		profile_add_value(c, &value);
	}
	profile_sort(p);
	return p;
}

/* Besides the target and the two values that each count has here. */
static bool has_many(const struct profile *p, int n)
{
	const struct profile_count *c = &p->functions[0]->body.counts[0];

	return c->ntargets == (size_t)n + 1 && c->nvalues == (uint32_t)n + 2;
}

static void test_many(void)
{
	clock_t began = clock();
	struct profile *sum = many_from(0), *b = many_from(MANY / 2);
	struct profile *from_file, *from_text;
	struct bytes file, text;
	struct fdo_error err;

	profile_merge(sum, b, 1);
	check(has_many(sum, MANY + MANY / 2), "lists may be long");
	file = binary_form(sum);
	text = text_form(sum);
	from_file = profile_of(&file, &err);
	from_text = profile_of(&text, &err);
	check(from_file && has_many(from_file, MANY + MANY / 2) && from_text &&
		      has_many(from_text, MANY + MANY / 2),
	      "in files, too");
	check((clock() - began) / CLOCKS_PER_SEC < 3, "and take short time");
	profile_free(sum);
	profile_free(b);
	profile_free(from_file);
	profile_free(from_text);
	free(file.data);
	free(text.data);
}

static void test_first_use(void)
{
	static const int times[] = { 30, 0, 20, 40 };
	struct profile *sum = profile_new();
	struct profile_function *f;

	for (int i = 0; i < 4; i++) {
		struct profile *p = one_count(1, 1);

		profile_use(p->functions[0], times[i]);
		profile_merge(sum, p, 3);
		profile_free(p);
	}
	f = sum->functions[0];
	check_int(f->first_use, 20, "of first uses, the least that is known");
	profile_use(f, 0);
	check_int(f->first_use, 20, "whatever comes then");
	profile_free(sum);
}

static void test_saturation(void)
{
	struct profile *sum = one_count(PROFILE_MAX - 5, PROFILE_MAX - 5);
	struct profile *b = one_count(10, PROFILE_MAX - 5);

	profile_merge(sum, b, PROFILE_MAX);
	check(sum->functions[0]->body.counts[0].count == PROFILE_MAX,
	      "counts stay at their largest");
	check(sum->functions[0]->body.counts[0].error == PROFILE_MAX &&
		      sum->functions[0]->body.counts[0].error_rest == 0,
	      "so do errors");
	profile_free(sum);
	profile_free(b);
}

static void test_models(void)
{
	struct profile *sum = one_count(1, 1), *b = one_count(1, 1);

	sum->model = profile_text(sum, "default");
	profile_merge(sum, b, 1);
	check(strcmp(sum->model, "default") == 0, "no model changes nothing");
	b->model = profile_text(b, "default");
	profile_merge(sum, b, 1);
	check(strcmp(sum->model, "default") == 0, "nor does the same");
	b->model = profile_text(b, "cgo10");
	profile_merge(sum, b, 1);
	check(strcmp(sum->model, "mixed") == 0, "another makes it mixed");
	profile_free(sum);
	profile_free(b);
}

static void test_binaries(void)
{
	static const struct profile_binary binaries[] = {
		{ "b", "\1\2", 2, false },
		{ "b", "\1\3", 2, false },
		{ "a", "\1\2", 2, false },
	};
	struct profile *sum = one_count(1, 1), *b = one_count(1, 1);

	profile_add_source(sum->functions[0],
			   profile_add_binary(sum, &binaries[0]));
	profile_add_source(b->functions[0],
			   profile_add_binary(b, &binaries[1]));
	profile_add_source(b->functions[0],
			   profile_add_binary(b, &binaries[2]));
	profile_merge(sum, b, 1);
	profile_sort(sum);
	check_int(sum->nbinaries, 3, "binaries of both are there");
	check(strcmp(sum->binaries[0].name, "a") == 0 &&
		      sum->binaries[2].build_id[1] == 3,
	      "sorted");
	check_int(sum->functions[0]->nbinaries, 3, "the function is of all");
	profile_free(sum);
	profile_free(b);
}

/* A body that was inlined, which ran, and was entered so often; 0: unknown. */
static struct profile *entered(uint64_t times)
{
	struct profile *p = profile_new();
	struct profile_key call = { .line = 2, .column = 3 };
	struct profile_body *body = profile_add_inlined(
		p, &profile_add_function(p, "f", "a.c", 1)->body, call, "g",
		"a.h", 5);

	body->total = 400;
	if (times)
		profile_count_at(p, body, profile_entry_key())->count = times;
	return p;
}

/* What is known of the sum of two. */
static void check_entries(uint64_t a, uint64_t b, size_t n, const char *what)
{
	struct profile *sum = profile_new(), *first = entered(a),
		       *second = entered(b);
	const struct profile_body *body;

	profile_merge(sum, first, 1);
	profile_merge(sum, second, 1);
	body = sum->functions[0]->body.inlined[0];
	check(body->ncounts == n && (n == 0 || body->counts->count == a + b),
	      what);
	profile_free(sum);
	profile_free(first);
	profile_free(second);
}

int main(void)
{
	check_entries(10, 30, 1, "how often bodies were entered adds up");
	check_entries(10, 0, 0, "but not where one of them does not tell");
	check_entries(0, 10, 0, "in whichever order");
	test_order();
	test_values();
	test_many();
	test_first_use();
	test_saturation();
	test_models();
	test_binaries();
	return done();
}
