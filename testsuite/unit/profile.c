/* The model of a profile in memory: finding, adding, sorting. */
#include <string.h>

#include "profile/format.h"
#include "profile/profile.h"
#include "testsuite/lib/profiles.h"
#include "testsuite/lib/tap.h"

static const struct profile_key key = { "main.c", 3, 1, 0 };

static void test_found_again(void)
{
	struct profile *p = profile_new();
	struct profile_function *f =
		profile_add_function(p, "main", "main.c", 10);
	struct profile_body *body =
		profile_add_inlined(p, &f->body, key, "step", "util.c", 4);
	char name[] = "main";

	check(profile_text(p, name) == f->body.name, "texts are interned");
	check(profile_add_function(p, name, "main.c", 10) == f,
	      "a function is found again");
	check(profile_add_function(p, name, "main.c", 11) != f,
	      "one at another line is another one");
	check(profile_add_function(p, name, NULL, 10) != f,
	      "so is one without a file");
	check(profile_add_inlined(p, &f->body, key, "step", "util.c", 4) ==
		      body,
	      "an inlined body is found again");
	check(profile_add_inlined(p, body, key, "step", "util.c", 4) != body,
	      "but not in another body");
	profile_count_at(p, body, key)->count = 7;
	profile_count_at(p, &f->body, key)->count = 8;
	check_int(profile_count_at(p, body, key)->count, 7,
		  "a count is found again");
	check(body->counts[0].key.file && !f->body.counts[0].key.file,
	      "a key's file is left out where it is that of the function");
	profile_sort(p);
	check_int(profile_count_at(p, body, key)->count, 7,
		  "also after sorting");
	check_int(profile_count_at(p, &f->body, key)->count, 8,
		  "each in its body");
	profile_free(p);
}

static void test_many_counts_in_one_body(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = profile_add_function(p, "f", NULL, 0);
	enum { N = 20000 };
	int wrong = 0;

	for (int i = 0; i < N; i++)
		profile_count_at(p, &f->body,
				 (struct profile_key){
					 .line = i * 7919 % N,
				 })
			->count = i;
	profile_sort(p);
	for (int i = 0; i < N; i++)
		wrong += f->body.counts[i].key.line != i;
	check_int(wrong, 0, "all are there, sorted");
	profile_free(p);
}

static void test_saturation(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = profile_add_function(p, "f", NULL, 0);

	check(profile_sum(PROFILE_MAX - 1, 1) == PROFILE_MAX, "up to there");
	check(profile_sum(PROFILE_MAX, PROFILE_MAX) == PROFILE_MAX,
	      "but not over it");
	check(profile_sum(UINT64_MAX, 1) == PROFILE_MAX,
	      "nor from over it around zero");
	f->entry = UINT64_MAX;
	profile_count_at(p, &f->body, key)->count = UINT64_MAX;
	profile_sort(p);
	check(f->entry == PROFILE_MAX && f->body.counts[0].count == PROFILE_MAX,
	      "what is written stays in range");
	profile_free(p);
}

static void test_hosts(void)
{
	struct profile *p = profile_new();
	struct profile_function *b = profile_add_function(p, "b", "x.c", 1);
	struct profile_function *a = profile_add_function(p, "a", "x.c", 1);
	struct profile_function *c;
	struct profile_body *in_b =
		profile_add_inlined(p, &b->body, key, "c", "x.c", 9);

	profile_add_inlined(p, in_b, key, "d", "x.c", 20);
	profile_add_inlined(p, &a->body, key, "c", "x.c", 9);
	profile_add_inlined(p, &b->body, key, "b", "x.c", 1);
	profile_sort(p);
	check_int(p->nfunctions, 4, "what is only inlined gets a record");
	c = p->functions[2];
	check(strcmp(c->body.name, "c") == 0 && c->nhosts == 2 &&
		      strcmp(c->hosts[0], "a") == 0 &&
		      strcmp(c->hosts[1], "b") == 0,
	      "which names all its hosts");
	check(p->functions[3]->nhosts == 1 &&
		      strcmp(p->functions[3]->hosts[0], "b") == 0,
	      "at any depth");
	check(b->nhosts == 1 && strcmp(b->hosts[0], "b") == 0, "also itself");
	profile_sort(p);
	check(p->nfunctions == 4 && c->nhosts == 2,
	      "sorting again changes nothing");
	profile_free(p);
}

static void test_order_of_insertion(void)
{
	int wrong = 0;

	for (unsigned int seed = 1; seed <= 40; seed++) {
		struct profile *a = random_profile(seed, 5 * seed, false);
		struct profile *b = random_profile(seed, 5 * seed, true);
		struct bytes x = binary_form(a), y = binary_form(b);

		wrong += !same_bytes(&x, &y);
		free(x.data);
		free(y.data);
		profile_free(a);
		profile_free(b);
	}
	check_int(wrong, 0, "the order of insertion is not seen in the file");
}

static void test_cutoffs(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = profile_add_function(p, "f", "x.c", 1);
	struct profile_key any = { .line = 1, .discriminator = PROFILE_ANY };
	struct profile_key one = { .line = 1, .discriminator = 1 };

	profile_count_at(p, &f->body, any)->count = 60;
	profile_count_at(p, &f->body, one)->count = 50;
	one.line = 2;
	profile_count_at(p, &f->body, one)->count = 39;
	one.line = 3;
	profile_count_at(p, &f->body, one)->count = 1;
	one.line = 4;
	profile_count_at(p, &f->body, one)->count = 1000;
	profile_count_at(p, &f->body, one)->flags = PROFILE_COND;
	one.line = 5;
	one.discriminator = PROFILE_BEGIN;
	profile_count_at(p, &f->body, one)->count = 700;
	profile_summarize(p);
	check_int(p->max_count, 60,
		  "upper bounds are no largest count, nor what began");
	check_int(p->ncutoffs, 16, "there are sixteen cutoffs");
	check(p->cutoffs[6].share == 600000 && p->cutoffs[6].min_count == 60 &&
		      p->cutoffs[6].blocks == 1,
	      "60 % are in the one with 60 of 100");
	check(p->cutoffs[11].share == 990000 &&
		      p->cutoffs[11].min_count == 39 &&
		      p->cutoffs[11].blocks == 2,
	      "99 % in two");
	check(p->cutoffs[15].blocks == 3, "and almost all in all three");
	profile_free(p);
}

int main(void)
{
	check(profile_crc("123456789", 9) == 0xe3069283, "CRC-32C");
	test_found_again();
	test_many_counts_in_one_body();
	test_saturation();
	test_hosts();
	test_order_of_insertion();
	test_cutoffs();
	return done();
}
