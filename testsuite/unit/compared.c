/*
 * compared.c - exact counts over blocks that are gone, and what a count is
 * said to suffer from.
 */
#include "plugin/compared.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "plugin/vote.h"
#include "testsuite/lib/tap.h"

enum { ENTRY, EXIT, A, B, C, D, BLOCKS };

/* entry -> A -> B -> C -> D -> exit, and A -> C, and C -> C. */
static struct compared_function *make(struct compared *c)
{
	static const uint32_t edges[][2] = {
		{ ENTRY, A }, { A, B }, { B, C },    { A, C },
		{ C, C },     { C, D }, { D, EXIT },
	};
	struct compared_function *f = compared_add(c, "f", 3, BLOCKS);

	f->is_exact = f->is_annotated = true;
	for (size_t i = 0; i < sizeof(edges) / sizeof(*edges); i++)
		compared_add_edge(f, edges[i][0], edges[i][1]);
	for (uint32_t b = A; b < BLOCKS; b++)
		f->blocks[b].is_here = true;
	return f;
}

static void test_flow_goes_over_what_is_gone(void)
{
	struct compared *c = compared_new();
	struct compared_function *f = make(c);

	check(compared_flow(f, A, C, 5) && compared_edge(f, A, C)->exact == 5,
	      "an edge that is there has it");
	check(!compared_flow(f, B, D, 1), "no way but over what is there");
	f->blocks[C].is_gone = true;
	check(compared_flow(f, B, D, 7) && compared_edge(f, B, C)->exact == 7 &&
		      compared_edge(f, C, D)->exact == 7 &&
		      f->blocks[C].exact == 7,
	      "a block that is gone is gone through");
	check(!compared_flow(f, D, A, 1), "there is no way back");
	f->blocks[D].is_gone = true;
	check(compared_flow(f, B, EXIT, 2) && f->blocks[D].exact == 2 &&
		      f->blocks[C].exact == 9 &&
		      compared_edge(f, D, EXIT)->exact == 2,
	      "several, to the exit");
	check(compared_flow(f, C, C, 4) && compared_edge(f, C, C)->exact == 4,
	      "round a loop of one block");
	compared_free(c);
}

static void vote(struct compared_block *b, double ours, double exact,
		 const uint64_t *counts, size_t n)
{
	struct ballot ballot = { 0 };

	for (size_t i = 0; i < n; i++)
		ballot_add(&ballot, counts[i], 0);
	b->places = 1;
	b->ours = ours;
	b->exact = exact;
	compared_set_votes(b, &ballot,
			   n ? ballot_count(&ballot, VOTE_MEDIAN) : 0);
	ballot_free(&ballot);
}

/* The cause of a count of 100, found as 1000 executions. */
static enum cause cause(const uint64_t *counts, size_t n, uint64_t bound)
{
	struct compared *c = compared_new();
	struct compared_function *f = make(c);
	enum cause result;

	vote(&f->blocks[A], 100, 1000, counts, n);
	f->blocks[A].bounded = bound > 0;
	f->blocks[A].bound = bound;
	compared_find_causes(c, 10);
	result = f->blocks[A].cause;
	compared_free(c);
	return result;
}

#define CAUSE(...)                               \
	cause((const uint64_t[]){ __VA_ARGS__ }, \
	      sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), 0)

static void test_causes(void)
{
	struct compared *c = compared_new();
	struct compared_function *f = make(c);

	check(cause(NULL, 0, 0) == CAUSE_KEY, "no vote: no key");
	check(cause(NULL, 0, 50) == CAUSE_COPY, "a bound: copies");
	check(CAUSE(95, 105, 105) == CAUSE_FLOW, "near enough is right");
	check(CAUSE(50, 50, 50) == CAUSE_COPY, "too low");
	check(CAUSE(200, 300, 200) == CAUSE_COPY, "too high");
	check(CAUSE(0, 0, 50) == CAUSE_ZERO, "never, says the vote");
	check(CAUSE(0, 0, 100) == CAUSE_VOTE, "one was right");
	check(CAUSE(100, 100, 0) == CAUSE_FLOW, "one was wrong");
	f->is_annotated = false;
	compared_find_causes(c, 1);
	check(f->blocks[A].cause == CAUSE_KEY, "a function that is unknown");
	f->is_annotated = true;
	compared_find_causes(c, 1);
	check(f->blocks[B].cause == CAUSE_FLOW, "a block without places");
	compared_free(c);
}

static void test_scale_is_that_of_most(void)
{
	struct compared *c = compared_new();
	struct compared_function *f = make(c);

	check(compared_scale(c) == 1, "of nothing, 1");
	vote(&f->blocks[A], 100, 1000, NULL, 0);
	vote(&f->blocks[B], 10, 100, NULL, 0);
	vote(&f->blocks[C], 7, 900, NULL, 0);
	check(compared_scale(c) == 10, "the median by weight");
	compared_free(c);
}

static void test_units_are_added(void)
{
	struct compared *c = compared_new();
	struct compared_function *f = make(c);
	struct fdo_file file;
	struct fdo_error err;
	char *text;

	vote(&f->blocks[A], 100, 1000, (const uint64_t[]){ 100, 90 }, 2);
	check(compared_write(c, "compared.out", "one", &err) &&
		      compared_write(c, "compared.out", "two", &err),
	      "written twice");
	check(fdo_file_open(&file, "compared.out", &err), "it is there");
	text = strndup((const char *)file.data, file.size);
	check(strstr(text, "samplefdo compared 1 one\n") == text &&
		      strstr(text, "end\nsamplefdo compared 1 two\n"),
	      "both units are in it");
	check(strstr(text, "block 2 0 0 1 flow 100 1000 100 of 90,100\n"),
	      "with blocks");
	free(text);
	fdo_file_close(&file);
	unlink("compared.out");
	compared_free(c);
}

int main(void)
{
	test_flow_goes_over_what_is_gone();
	test_causes();
	test_scale_is_that_of_most();
	test_units_are_added();
	return done();
}
