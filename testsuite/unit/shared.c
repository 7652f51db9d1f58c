/*
 * shared.c - which part of a header's function is the unit's.
 */
#include "plugin/unit.h"

#include "base/error.h"
#include "profile/profile.h"
#include "testsuite/lib/profiles.h"
#include "testsuite/lib/tap.h"
#include "testsuite/lib/units.h"

static struct profile_key key(int32_t line)
{
	return (struct profile_key){ NULL, line, 1, PROFILE_ANY };
}

static struct profile_count *count(struct profile *p, struct profile_body *body,
				   int32_t line, uint64_t count)
{
	struct profile_count *c = profile_count_at(p, body, key(line));

	c->count = count;
	return c;
}

/* So often it calls that function, and does nothing else there. */
static void target(struct profile *p, struct profile_body *body, int32_t line,
		   const char *name, uint64_t calls)
{
	profile_add_target(p, count(p, body, line, calls), name, calls);
}

/*
 * A header's function g, which ran 1000 times by itself, and passed half of
 * them on to k.  f calls it so often and has a copy of it inlined, which ran
 * 30 times, where h calls it, which has not run.
 */
static struct profile *of_a_header(uint64_t calls, uint64_t again)
{
	struct profile *p = profile_new();
	struct profile_function *f = told_function(p, "f", "a.c", 10), *own;
	struct profile_count *c;

	target(p, &f->body, 2, "g", calls);
	count(p, profile_add_inlined(p, &f->body, key(3), "g", "h.h", 5), 1,
	      30);
	own = told_function(p, "g", "h.h", 5);
	own->entry = 1000;
	c = count(p, &own->body, 1, 1000);
	if (again)
		profile_add_target(p, c, "g", again);
	target(p, &own->body, 2, "k", 500);
	own = told_function(p, "k", "h.h", 20);
	own->entry = 500;
	count(p, &own->body, 1, 500);
	return reopened(p);
}

static struct instance *of_header(struct unit *u, struct profile *p,
				  const char *name, uint32_t line, bool shared)
{
	struct function_id id = { .start_line = line, .is_shared = shared };

	id.names[0] = profile_text(p, name);
	id.file = profile_text(p, "h.h");
	return unit_add_function(u, &id);
}

static void call(struct unit *u, const struct instance *caller, int32_t line,
		 const struct instance *callee)
{
	struct profile_key at = key(line);

	unit_pass(u, caller, &at, &callee->function, NULL, 0);
}

/* What g and k get if f calls g that often, by that line or also another. */
static void check_part(uint64_t calls, uint64_t again, bool shared,
		       int32_t also, long long g, long long k, const char *what)
{
	struct profile *p = of_a_header(calls, again);
	struct unit *u = unit_new(p);
	struct instance *small = of_header(u, p, "k", 20, shared);
	struct instance *large = of_header(u, p, "g", 5, shared);
	struct instance *f = compiled_function(u, p, "f", "a.c", 10);
	struct instance *h = compiled_function(u, p, "h", "a.c", 60);
	struct fdo_error err;

	call(u, f, 2, large);
	call(u, f, 3, large);
	call(u, h, 1, large);
	if (also)
		call(u, f, also, large);
	call(u, large, 1, large);
	call(u, large, 2, small);
	check(unit_load(u, &err) && count_at(u, large, 1) == g, what);
	check_int(count_at(u, small, 1), k, "and what it calls");
	check_int((long long)large->entry, g, "and how often it was entered");
	unit_free(u);
	profile_free(p);
}

static void test_parts(void)
{
	check_part(100, 0, false, 0, 1030, 500, "all, if it has it alone");
	check_part(100, 0, true, 0, 130, 50, "a part as large as of its calls");
	check_part(600, 0, true, 0, 1030, 500, "all, if most calls are here");
	check_part(100, 0, true, 9, 1030, 500, "or some are not known");
	check_part(0, 0, true, 0, 30, 0, "or none");
	check_part(100, 900, true, 0, 1030, 500, "what calls itself");
	check_part(100, 500, true, 0, 230, 100, "of the calls by others");
	check_part(300, 0, true, 2, 330, 150,
		   "two calls of a place have one count");
}

/* How many of its samples g has if f calls it so often. */
static void check_samples(uint64_t calls, uint64_t samples, long long want,
			  const char *what)
{
	struct profile *p = profile_new();
	struct profile_function *own = told_function(p, "g", "h.h", 5);
	struct unit *u;
	struct instance *g, *f;
	struct fdo_error err;

	own->entry = 1000;
	own->samples = samples;
	count(p, &own->body, 1, 1000);
	target(p, &told_function(p, "f", "a.c", 10)->body, 2, "g", calls);
	p = reopened(p);
	u = unit_new(p);
	g = of_header(u, p, "g", 5, true);
	f = compiled_function(u, p, "f", "a.c", 10);
	call(u, f, 2, g);
	check(unit_load(u, &err), "the unit loads");
	check_int((long long)g->samples, want, what);
	unit_free(u);
	profile_free(p);
}

static void test_samples(void)
{
	check_samples(100, 40, 4, "of samples it has the same part");
	check_samples(20, 10, 1, "but at least one");
	check_samples(0, 10, 0, "if it has a part");
	check_samples(100, 0, 0, "of any");
}

/*
 * g and k of a header ran 1000 times each, and f calls g 100 times.  Here, x
 * may be inlined in f and in g.
 */
struct scene {
	struct profile *p;
	struct profile_function *f_told, *g_told, *k_told;
	struct unit *u;
	struct instance *f, *g, *k, *x_in_f, *x_in_g;
};

static struct scene begin(void)
{
	struct scene s = { .p = profile_new() };

	s.f_told = told_function(s.p, "f", "a.c", 10);
	s.g_told = told_function(s.p, "g", "h.h", 5);
	s.k_told = told_function(s.p, "k", "h.h", 20);
	s.g_told->entry = s.k_told->entry = 1000;
	count(s.p, &s.g_told->body, 1, 1000);
	count(s.p, &s.k_told->body, 1, 1000);
	target(s.p, &s.f_told->body, 2, "g", 100);
	return s;
}

/* The profile is told: now what the unit has, in one order or the other. */
static void compiled(struct scene *s, bool k_first)
{
	struct function_id x = { .start_line = 50, .is_public = true };

	s->p = reopened(s->p);
	s->u = unit_new(s->p);
	if (k_first)
		s->k = of_header(s->u, s->p, "k", 20, true);
	s->g = of_header(s->u, s->p, "g", 5, true);
	if (!k_first)
		s->k = of_header(s->u, s->p, "k", 20, true);
	s->f = compiled_function(s->u, s->p, "f", "a.c", 10);
	x.names[0] = profile_text(s->p, "x");
	x.file = profile_text(s->p, "a.c");
	s->x_in_f = unit_add_inlined(s->u, s->f, 3, 1, &x);
	s->x_in_g = unit_add_inlined(s->u, s->g, 3, 1, &x);
}

static void end(struct scene *s, long long g, long long k, const char *what)
{
	struct fdo_error err;

	check(unit_load(s->u, &err), "the unit loads");
	check_int(count_at(s->u, s->g, 1), g, what);
	check_int(count_at(s->u, s->k, 1), k, what);
	unit_free(s->u);
	profile_free(s->p);
}

static struct profile_body *inlined(struct scene *s, struct profile_body *in,
				    int32_t line, const char *name,
				    uint32_t start_line)
{
	return profile_add_inlined(s->p, in, key(line), name,
				   *name == 'x' || *name == 'f' ? "a.c" : "h.h",
				   start_line);
}

/* g and k call each other; what f inlined of k called g as well. */
static void each_other(uint64_t k_entry, long long g, const char *what)
{
	struct scene s = begin();
	struct profile_body *in = inlined(&s, &s.f_told->body, 4, "k", 20);

	s.k_told->entry = k_entry;
	count(s.p, in, 1, 30);
	target(s.p, in, 2, "g", 10);
	target(s.p, &s.g_told->body, 2, "k", 500);
	target(s.p, &s.k_told->body, 2, "g", 100);
	compiled(&s, false);
	call(s.u, s.f, 2, s.g);
	call(s.u, s.f, 4, s.k);
	call(s.u, s.g, 2, s.k);
	call(s.u, s.k, 2, s.g);
	end(&s, g, 1030, what);
}

static void test_each_other(void)
{
	each_other(1000, 1000, "how often others call it that wait is unknown");
	each_other(0, 210, "what nobody enters does not wait");
}

static void test_callers(void)
{
	struct scene s = begin();

	compiled(&s, false);
	call(s.u, s.g, 2, s.g);
	end(&s, 1000, 1000, "all, if nobody is known to call it");

	s = begin();
	compiled(&s, false);
	call(s.u, s.f, 2, s.g);
	call(s.u, s.x_in_f, 1, s.g);
	end(&s, 1000, 1000, "nor how often what is inlined in f does");

	s = begin();
	target(s.p, inlined(&s, &s.g_told->body, 3, "x", 50), 1, "g", 900);
	compiled(&s, false);
	call(s.u, s.f, 2, s.g);
	end(&s, 1000, 1000, "what is inlined in it may call it again");
}

static void test_inlined_callers(void)
{
	struct scene s = begin();

	target(s.p, inlined(&s, &s.g_told->body, 3, "x", 50), 1, "k", 1000);
	compiled(&s, true);
	call(s.u, s.f, 2, s.g);
	call(s.u, s.x_in_g, 1, s.k);
	end(&s, 100, 100, "what calls it from within another comes first");

	s = begin();
	count(s.p, inlined(&s, &s.g_told->body, 4, "k", 20), 1, 500);
	compiled(&s, true);
	call(s.u, s.f, 2, s.g);
	call(s.u, s.g, 4, s.k);
	end(&s, 100, 50, "so does what had it inlined");
}

/* Of two copies of f, one calls g and one has it inlined, no matter how often. */
static void test_unknown_entries(void)
{
	struct scene s = begin();
	struct profile_body *in;

	in = inlined(&s, &s.f_told->body, 4, "g", 5);
	count(s.p, in, 2, 70)->flags = PROFILE_MERGED;
	in = inlined(&s, &told_function(s.p, "far", "b.c", 1)->body, 5, "f",
		     10);
	target(s.p, in, 4, "g", 10);
	compiled(&s, false);
	call(s.u, s.f, 2, s.g);
	call(s.u, s.f, 4, s.g);
	end(&s, 110, 1000, "calls are those that were not inlined");
}

/* h, which the profile does not have, calls g, which has samples. */
static void unseen_caller(uint64_t samples, uint64_t total, long long g,
			  const char *what)
{
	struct scene s = begin();
	struct instance *h;

	s.g_told->samples = samples;
	s.g_told->body.total = total;
	compiled(&s, false);
	h = compiled_function(s.u, s.p, "h", "a.c", 90);
	call(s.u, h, 1, s.g);
	end(&s, g, 1000, what);
}

static void test_unseen_callers(void)
{
	uint64_t half = 500 * PROFILE_BLOCK_SIZE;

	unseen_caller(10, 10 * half, 1000,
		      "who was not sampled may have called it so often");
	unseen_caller(10, 10 * half - 10, 0, "but no more often");
	unseen_caller(0, 10 * half, 0, "and never by exact counts");
}

int main(void)
{
	test_parts();
	test_samples();
	test_each_other();
	test_callers();
	test_inlined_callers();
	test_unknown_entries();
	test_unseen_callers();
	return done();
}
