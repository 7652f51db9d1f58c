/*
 * unit.c - a profile's inline trees laid over those of the compiler.
 *
 * The compiler has f, with g inlined at 2:5, and g and k of their own.  The
 * profiled binary has, in different functions, all ways to inline them.
 */
#include "plugin/unit.h"

#include <string.h>

#include "base/error.h"
#include "profile/profile.h"
#include "testsuite/lib/profiles.h"
#include "testsuite/lib/tap.h"
#include "testsuite/lib/units.h"

static struct profile_key key(int32_t line, uint32_t column)
{
	return (struct profile_key){ NULL, line, column, PROFILE_ANY };
}

static void count(struct profile *p, struct profile_body *body, int32_t line,
		  uint64_t count)
{
	profile_count_at(p, body, key(line, 1))->count = count;
}

static struct profile *inlined_everywhere(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = told_function(p, "f", "a.c", 10);
	struct profile_function *far = told_function(p, "far", "b.c", 1);
	struct profile_body *in;

	told_function(p, "g", "a.c", 20);
	told_function(p, "k", "a.c", 30);
	count(p, &f->body, 1, 100);
	/* Inlined here as well, and k in it is not. */
	in = profile_add_inlined(p, &f->body, key(2, 5), "g", "a.c", 20);
	count(p, in, 1, 200);
	in = profile_add_inlined(p, in, key(3, 5), "k", "a.c", 30);
	count(p, in, 1, 300);
	/* Not inlined here: another call, and a host that is elsewhere. */
	in = profile_add_inlined(p, &f->body, key(4, 5), "g", "a.c", 20);
	count(p, in, 1, 1000);
	in = profile_add_inlined(p, &far->body, key(7, 7), "g", "a.c", 20);
	count(p, in, 1, 2000);
	in = profile_add_inlined(p, in, key(3, 5), "k", "a.c", 30);
	count(p, in, 1, 3000);
	/* By a function that nobody here has. */
	in = profile_add_inlined(p, &far->body, key(8, 8), "other", "b.c", 9);
	in = profile_add_inlined(p, in, key(1, 1), "k", "a.c", 30);
	count(p, in, 1, 40000);
	return reopened(p);
}

static void test_inline_trees(void)
{
	struct profile *p = inlined_everywhere();
	struct unit *u = unit_new(p);
	struct instance *f = compiled_function(u, p, "f", "a.c", 10);
	struct instance *g = compiled_function(u, p, "g", "a.c", 20);
	struct instance *k = compiled_function(u, p, "k", "a.c", 30);
	struct instance *g_in_f = unit_add_inlined(u, f, 2, 5, &g->function);
	struct fdo_error err;

	check(g_in_f == unit_add_inlined(u, f, 2, 5, &g->function),
	      "copies of one call are one instance");
	check(unit_load(u, &err), "the unit loads");
	check_int(count_at(u, f, 1), 100, "f has its own");
	check_int(count_at(u, g_in_f, 1), 200, "what is inlined here stays");
	check_int(count_at(u, g, 1), 1000 + 2000,
		  "what is not is merged, from other files too");
	check_int(count_at(u, k, 1), 300 + 3000 + 40000,
		  "through whatever is around it");
	check_int(count_at(u, f, 9), -1, "nothing is known of other places");
	check(!f->merged && g->merged && k->merged,
	      "it is known who was merged");
	check_int(g->samples, 10, "samples are those of the record");
	unit_free(u);
	profile_free(p);
}

static void add_piece(struct profile *p, struct profile_body *body,
		      uint32_t column, uint32_t discriminator, uint64_t count)
{
	struct profile_key at = { NULL, 5, column, discriminator };

	profile_count_at(p, body, at)->count = count;
}

static uint64_t of_line(const struct unit *u, const struct instance *in,
			int32_t line, uint32_t discriminator)
{
	const struct place_count *c = unit_count(
		u, unit_place(in, NULL, line, UNIT_ANY_COLUMN, discriminator));

	return c ? c->count : UINT64_MAX;
}

/* In each copy the largest. */
static void test_lines(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = told_function(p, "f", "a.c", 10);
	struct profile_function *g = told_function(p, "g", "a.c", 20);
	struct instance *in;
	struct fdo_error err;
	struct unit *u;

	add_piece(p, &f->body, 1, 2, 30);
	add_piece(p, &f->body, 4, 2, 70);
	add_piece(p, &f->body, 6, 2, 70);
	add_piece(p, &f->body, 8, 2, 60);
	add_piece(p, &f->body, 8, 3, 80);
	add_piece(p, &f->body, 9, 0, 90);
	add_piece(p, &f->body, 9, PROFILE_ANY, 95);
	add_piece(p, &f->body, 9, PROFILE_BEGIN, 96);
	add_piece(p,
		  profile_add_inlined(p, &g->body, key(2, 5), "f", "a.c", 10),
		  1, 2, 7);
	p = reopened(p);
	u = unit_new(p);
	in = compiled_function(u, p, "f", "a.c", 10);
	check(unit_load(u, &err), "a line in pieces");
	check_int((long long)of_line(u, in, 5, 2), 77,
		  "the largest of each copy");
	check_int((long long)of_line(u, in, 5, 3), 80, "of each discriminator");
	check_int((long long)of_line(u, in, 5, 0), -1, "not of none");
	check_int((long long)of_line(u, in, 5, PROFILE_ANY), -1, "nor of any");
	check_int((long long)of_line(u, in, 5, PROFILE_BEGIN), -1,
		  "nor of what begins");
	check_int((long long)of_line(u, in, 6, 2), -1, "nor of other lines");
	unit_free(u);
	profile_free(p);
}

static void test_columns_may_be_unknown(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = told_function(p, "f", "a.c", 10);
	struct profile_body *in =
		profile_add_inlined(p, &f->body, key(2, 0), "g", "a.c", 20);
	struct unit *u;
	struct instance *caller, *callee;
	struct function_id id = { .file = "a.c", .start_line = 20 };
	struct fdo_error err;

	count(p, in, 1, 5);
	p = reopened(p);
	u = unit_new(p);
	caller = compiled_function(u, p, "f", "a.c", 10);
	id.names[0] = profile_text(p, "g");
	callee = unit_add_inlined(u, caller, 2, 5, &id);
	check(unit_load(u, &err) && count_at(u, callee, 1) == 5,
	      "a call without a column is found by its line");
	unit_free(u);
	profile_free(p);
}

static struct instance *static_function(struct unit *u, struct profile *p,
					const char *file, uint32_t line)
{
	struct function_id id = { .start_line = line };

	id.names[0] = profile_text(p, "init");
	id.file = profile_text(p, file);
	return unit_add_function(u, &id);
}

/* What a static function of that file and line gets, or -1. */
static long long lookup(const char *file, uint32_t line)
{
	struct profile *p = profile_new();
	struct unit *u;
	struct instance *in;
	struct fdo_error err;
	long long result;

	count(p, &told_function(p, "init", "src/a/util.c", 10)->body, 1, 1);
	count(p, &told_function(p, "init", "src/b/util.c", 10)->body, 1, 2);
	count(p, &told_function(p, "init", "src/b/util.c", 50)->body, 1, 3);
	p = reopened(p);
	u = unit_new(p);
	in = static_function(u, p, file, line);
	check(unit_load(u, &err), "the unit loads");
	result = count_at(u, in, 1);
	unit_free(u);
	profile_free(p);
	return result;
}

static void test_static_functions(void)
{
	check_int(lookup("/build/src/a/util.c", 10), 1, "by folder");
	check_int(lookup("b/util.c", 10), 2, "by folder, the other");
	check_int(lookup("b/util.c", 50), 3, "and by line");
	check_int(lookup("b/util.c", 51), 3, "a moved one: the nearest");
	check_int(lookup("b/util.c", 12), 2, "from either side");
	check_int(lookup("main.c", 10), -1, "not from another file");
	check_int(lookup("til.c", 10), -1, "nor one whose name ends alike");
}

/* Built in two folders, and now in a third one. */
static void test_functions_of_several_folders(void)
{
	static const uint64_t samples[] = { 5, 50 };

	for (size_t most = 0; most < 2; most++) {
		struct profile *p = profile_new();
		struct profile_function *first =
			told_function(p, "init", "/1/src/util.c", 10);
		struct profile_function *second =
			told_function(p, "init", "/2/src/util.c", 10);
		struct instance *in;
		struct fdo_error err;
		struct unit *u;

		count(p, &first->body, 1, 1);
		count(p, &second->body, 1, 2);
		first->samples = samples[1 - most];
		second->samples = samples[most];
		p = reopened(p);
		u = unit_new(p);
		in = static_function(u, p, "/3/src/util.c", 10);
		check(unit_load(u, &err), "the unit loads");
		check_int(count_at(u, in, 1), 1 + most,
			  "what has most samples is it");
		unit_free(u);
		profile_free(p);
	}
}

static long long calls_at(const struct unit *u, struct instance *in,
			  int32_t line, struct profile *p, const char *callee)
{
	struct function_id id = { .names = { NULL, profile_text(p, callee) } };
	struct profile_key call = { .line = line, .column = 1 };
	uint64_t place = unit_known_call(u, in, &call, &id);

	return place ? (long long)unit_count(u, place)->count : -1;
}

/* f calls g and k on one line; in far, where f is inlined, g is in it. */
static struct profile *called(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = told_function(p, "f", "a.c", 10);
	struct profile_function *far = told_function(p, "far", "b.c", 1);
	struct profile_body *in;
	struct profile_count *c;

	c = profile_count_at(p, &f->body, key(2, 1));
	c->count = 900;
	profile_add_target(p, c, "g", 100);
	profile_add_target(p, c, "k", 20);
	in = profile_add_inlined(p, &far->body, key(5, 5), "f", "a.c", 10);
	count(p, in, 2, 700);
	in = profile_add_inlined(p, in, key(2, 1), "g", "a.c", 20);
	count(p, in, 1, 3000);
	count(p, in, 2, 4000);
	return reopened(p);
}

static void test_calls(void)
{
	struct profile *p = called();
	struct unit *u = unit_new(p);
	struct instance *f = compiled_function(u, p, "f", "a.c", 10);
	struct instance *g = compiled_function(u, p, "g", "a.c", 20);
	struct fdo_error err;

	check(unit_load(u, &err), "the unit loads");
	check_int(count_at(u, f, 2), 1600, "a place has all that it did");
	check_int(calls_at(u, f, 2, p, "k"), 20, "each call what it called");
	check_int(calls_at(u, f, 2, p, "g"), 100 + 700,
		  "and what was inlined there");
	check_int(calls_at(u, f, 2, p, "other"), -1, "unless there is nothing");
	check_int(calls_at(u, f, 3, p, "k"), -1, "as elsewhere");
	check(g->entry == 700 && !g->entry_is_least,
	      "so often was its body entered");
	unit_free(u);
	profile_free(p);
}

/* f with places on lines 1 to 6, and g inlined on the last. */
static struct profile *six_lines(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = told_function(p, "f", "a.c", 10);
	struct profile_body *in;

	for (int32_t line = 1; line <= 6; line++)
		count(p, &f->body, line, 10 * line);
	in = profile_add_inlined(p, &f->body, key(6, 3), "g", "a.c", 20);
	for (int32_t line = 1; line <= 6; line++)
		count(p, in, line, line);
	return reopened(p);
}

static struct instance *see_lines(struct unit *u, struct instance *f,
				  int32_t first, int32_t last)
{
	for (int32_t line = first; line <= last; line++)
		unit_see(u, f, "a.c", line, 1, NULL);
	return f;
}

static void test_fit(void)
{
	struct profile *p = six_lines();
	struct unit *u = unit_new(p);
	struct instance *f = compiled_function(u, p, "f", "a.c", 10);
	struct instance *g = compiled_function(u, p, "g", "a.c", 20);
	struct unit_fit fit;
	struct fdo_error err;

	see_lines(u, f, 1, 2);
	unit_see(u, f, "other.h", 3, 1, NULL);
	see_lines(u, g, 1, 6);
	check(unit_load(u, &err), "the unit loads");
	fit = unit_fit(f);
	check(fit.places == 7 && fit.stay == 2 && fit.unfit,
	      "two of seven places are too few");
	check_int(count_at(u, f, 1), -1, "of which nothing is believed");
	fit = unit_fit(g);
	check(fit.places == 6 && fit.stay == 6 && !fit.unfit,
	      "places of inlined copies count");
	check_int(count_at(u, g, 6), 6, "and are merged as ever");
	unit_free(u);
	profile_free(p);
}

static void test_moved(void)
{
	struct profile *p = six_lines();
	struct unit *u = unit_new(p);
	struct instance *f = compiled_function(u, p, "f", "a.c", 10);
	struct instance *g = compiled_function(u, p, "g", "a.c", 20);
	struct instance *g_in_f = unit_add_inlined(u, f, 9, 3, &g->function);
	struct fdo_error err;

	see_lines(u, f, 4, 9);
	see_lines(u, g, 1, 3);
	see_lines(u, g_in_f, 6, 8);
	check(unit_load(u, &err), "the unit loads");
	check(unit_fit(f).stay == 3 && unit_fit(f).found == 7 &&
		      !unit_fit(f).unfit,
	      "a function that begins with new lines is found");
	check_int(count_at(u, f, 4), 10, "its first count");
	check_int(count_at(u, f, 9), 60, "its last count");
	check_int(count_at(u, f, 1), -1, "what is new has none");
	check_int(count_at(u, g_in_f, 3), 3, "an inlined call moves with it");
	check_int(count_at(u, g_in_f, 7), 5, "and has lines that moved itself");
	check_int(count_at(u, g, 3), -1, "which it does not share");
	unit_free(u);
	profile_free(p);
}

/* g is a call in the profile, and inlined here; k is inlined in both. */
static void test_copies(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = told_function(p, "f", "a.c", 10);
	struct profile_function *g = told_function(p, "g", "a.c", 20);
	struct profile_body *k;
	struct unit *u;
	struct instance *own, *g_in_f, *k_in_g, *unknown;
	struct function_id id = { .file = NULL };
	struct fdo_error err;

	count(p, &f->body, 2, 50);
	g->entry = 200;
	count(p, &g->body, 1, 200);
	count(p, &g->body, 2, 1001);
	k = profile_add_inlined(p, &g->body, key(3, 1), "k", "a.c", 30);
	count(p, k, 1, 40);
	p = reopened(p);
	u = unit_new(p);
	own = compiled_function(u, p, "f", "a.c", 10);
	id.file = profile_text(p, "a.c");
	id.names[0] = profile_text(p, "g");
	g_in_f = unit_add_inlined(u, own, 2, 1, &id);
	unknown = unit_add_inlined(u, own, 7, 1, &id);
	id.names[0] = profile_text(p, "k");
	k_in_g = unit_add_inlined(u, g_in_f, 3, 1, &id);
	check(unit_load(u, &err), "the unit loads");
	check_int(count_at(u, g_in_f, 1), 50, "a copy has its part");
	check_int(count_at(u, g_in_f, 2), 250, "rounded");
	check_int(count_at(u, k_in_g, 1), 10, "with what is inlined in both");
	check_int(count_at(u, unknown, 1), -1, "of an unknown call, nothing");
	unit_free(u);
	profile_free(p);
}

/* far, of another unit, inlined it, and so did g, of this one, within far. */
static void test_copied_by_each_unit(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = told_function(p, "f", "a.c", 10);
	struct profile_function *far = told_function(p, "far", "b.c", 1);
	struct profile_body *in;
	struct unit *u;
	struct instance *small, *plain, *g;
	struct function_id id = { .start_line = 5 };
	struct fdo_error err;

	told_function(p, "g", "a.c", 20);
	told_function(p, "small", "a.h", 5);
	told_function(p, "plain", "a.h", 9);
	in = profile_add_inlined(p, &f->body, key(2, 5), "small", "a.h", 5);
	count(p, in, 1, 100);
	in = profile_add_inlined(p, &far->body, key(2, 5), "small", "a.h", 5);
	count(p, in, 1, 2000);
	in = profile_add_inlined(p, &far->body, key(3, 5), "plain", "a.h", 9);
	count(p, in, 1, 2000);
	in = profile_add_inlined(p, &far->body, key(4, 5), "g", "a.c", 20);
	count(p, in, 1, 7);
	in = profile_add_inlined(p, in, key(4, 5), "small", "a.h", 5);
	count(p, in, 1, 30000);
	in = profile_add_inlined(p, &far->body, key(5, 5), "small", "a.h", 5);
	in = profile_add_inlined(p, in, key(2, 5), "plain", "a.h", 9);
	count(p, in, 1, 400);
	p = reopened(p);
	u = unit_new(p);
	compiled_function(u, p, "f", "a.c", 10);
	g = compiled_function(u, p, "g", "a.c", 20);
	plain = compiled_function(u, p, "plain", "a.h", 9);
	id.names[0] = profile_text(p, "small");
	id.file = profile_text(p, "a.h");
	small = unit_add_function(u, &id);
	check(unit_load(u, &err), "the unit loads");
	check_int(count_at(u, small, 1), 100 + 30000,
		  "a static function is what this unit inlined");
	check_int(count_at(u, plain, 1), 2400, "one for all, what any did");
	check_int(count_at(u, g, 1), 7, "also if it is of a unit's source");
	unit_free(u);
	profile_free(p);
}

/* Both variants of a destructor are one body, which inlined g, and that h. */
static void test_variants(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = told_function(p, "D4", "a.c", 10);
	struct profile_body *in;
	struct unit *u;
	struct instance *variants[2], *g, *h;
	struct function_id id = { .start_line = 10, .is_public = true };
	struct fdo_error err;

	told_function(p, "g", "a.c", 20);
	count(p, &f->body, 1, 50);
	in = profile_add_inlined(p, &f->body, key(2, 5), "g", "a.c", 20);
	count(p, in, 1, 100);
	in = profile_add_inlined(p, in, key(2, 5), "h", "a.c", 30);
	count(p, in, 1, 300);
	p = reopened(p);
	u = unit_new(p);
	id.file = profile_text(p, "a.c");
	id.names[1] = profile_text(p, "D4");
	for (int i = 0; i < 2; i++) {
		id.names[0] = profile_text(p, i ? "D2" : "D0");
		variants[i] = unit_add_function(u, &id);
	}
	g = compiled_function(u, p, "g", "a.c", 20);
	h = compiled_function(u, p, "h", "a.c", 30);
	check(unit_load(u, &err), "the unit loads");
	for (int i = 0; i < 2; i++)
		check_int(count_at(u, variants[i], 1), 50,
			  "each variant has the counts");
	check_int(count_at(u, g, 1), 100, "what is called, once");
	check_int(count_at(u, h, 1), 300, "and what that calls");
	unit_free(u);
	profile_free(p);
}

/* Of f's copy are also the places of h in it, behind g, which is a call here. */
static void test_kinds(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = told_function(p, "f", "a.c", 10);
	struct profile_body *in;
	struct unit *u;
	struct instance *own, *h_in_f;
	struct function_id h = { .start_line = 30, .is_public = true };
	const struct place_count *c;
	struct fdo_error err;

	told_function(p, "g", "a.c", 20);
	f->body.total = 300;
	count(p, &f->body, 1, 100);
	in = profile_add_inlined(p, &f->body, key(2, 5), "g", "a.c", 20);
	in->total = 100;
	count(p, in, 1, 100);
	in = profile_add_inlined(p, &f->body, key(3, 5), "h", "a.c", 30);
	count(p, in, 1, 200);
	p = reopened(p);
	u = unit_new(p);
	own = compiled_function(u, p, "f", "a.c", 10);
	compiled_function(u, p, "g", "a.c", 20);
	h.names[0] = profile_text(p, "h");
	h.file = profile_text(p, "a.c");
	h_in_f = unit_add_inlined(u, own, 3, 5, &h);
	check(unit_load(u, &err), "the unit loads");
	check_int((long long)own->copies.n, 1, "f is a copy of itself");
	c = unit_count_in(u, unit_place(h_in_f, NULL, 1, 1, PROFILE_ANY),
			  own->copies.all[0].kind);
	check_int(c ? (long long)c->count : -1, 200,
		  "what is inlined in it belongs to it");
	unit_free(u);
	profile_free(p);
}

/*
 * f calls g, which is inlined here, and both variants of that call kept, where the
 * source has twin.
 */
static void test_twins(void)
{
	struct profile *p = profile_new();
	struct profile_function *f = told_function(p, "f", "a.c", 10);
	struct profile_function *g = told_function(p, "g", "a.c", 20);
	struct profile_function *kept = told_function(p, "kept", "t.h", 5);
	struct function_id g_id = { .start_line = 20, .is_public = true };
	struct function_id id = { .start_line = 5, .is_public = true };
	struct instance *own, *twin, *g_in_f, *variants[2];
	struct profile_key call = key(3, 1);
	struct profile_count *c;
	struct unit *u;
	struct fdo_error err;

	count(p, &f->body, 2, 50);
	g->entry = 200;
	c = profile_count_at(p, &g->body, call);
	c->count = 200;
	profile_add_target(p, c, "kept", 200);
	kept->entry = 400;
	kept->samples = 30;
	count(p, &kept->body, 1, 4000);
	p = reopened(p);
	u = unit_new(p);
	own = compiled_function(u, p, "f", "a.c", 10);
	g_id.file = profile_text(p, "a.c");
	g_id.names[1] = profile_text(p, "g");
	for (int i = 0; i < 2; i++) {
		g_id.names[0] = profile_text(p, i ? "g2" : "g0");
		variants[i] = unit_add_function(u, &g_id);
	}
	compiled_function(u, p, "kept", "t.h", 5);
	twin = compiled_function(u, p, "twin", "t.h", 5);
	g_in_f = unit_add_inlined(u, own, 2, 1, &g_id);
	id.names[0] = profile_text(p, "twin");
	id.file = profile_text(p, "folder/t.h");
	for (int i = 0; i < 2; i++)
		unit_pass(u, variants[i], &call, &id, NULL, 0);
	unit_pass(u, g_in_f, &call, &id, NULL, 0);
	check(unit_load(u, &err), "the unit loads");
	check_int((long long)twin->entry, 200, "a twin was called, once");
	check_int(count_at(u, twin, 1), 2000, "and did its part");
	check_int((long long)twin->samples, 15, "of the samples as well");
	check_int(count_at(u, variants[1], 3), 200, "by either variant");
	check_int(count_at(u, g_in_f, 3), 50, "or by a copy");
	unit_free(u);
	profile_free(p);
}

/* Of a function that was inlined in so many, are some not looked at? */
static bool lacks_hosts(unsigned hosts)
{
	struct profile *p = profile_new();
	struct instance *shared;
	struct fdo_error err;
	struct unit *u;
	bool ret;

	told_function(p, "shared", "a.h", 5);
	for (unsigned i = 0; i < hosts; i++) {
		struct profile_function *f;
		struct profile_body *in;
		char name[16];

		snprintf(name, sizeof(name), "host%u", i);
		f = told_function(p, name, "b.c", 10 * i + 1);
		in = profile_add_inlined(p, &f->body, key(2, 5), "shared",
					 "a.h", 5);
		count(p, in, 1, 1);
	}
	p = reopened(p);
	u = unit_new(p);
	shared = compiled_function(u, p, "shared", "a.h", 5);
	check(unit_load(u, &err), "the unit loads");
	ret = shared->has_more_hosts;
	unit_free(u);
	profile_free(p);
	return ret;
}

static void test_hosts(void)
{
	check(!lacks_hosts(2000), "all of many hosts are looked at");
	check(lacks_hosts(2001), "of more, it is known that there are others");
}

int main(void)
{
	test_kinds();
	test_hosts();
	test_variants();
	test_copied_by_each_unit();
	test_inline_trees();
	test_lines();
	test_columns_may_be_unknown();
	test_static_functions();
	test_functions_of_several_folders();
	test_calls();
	test_fit();
	test_moved();
	test_copies();
	test_twins();
	return done();
}
