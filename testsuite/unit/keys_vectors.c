/*
 * keys_vectors.c - which classes are of a loop by vectors, and how many rounds that
 * does.
 */
#include "converter/keys/vectors.h"

#include "testsuite/lib/tap.h"

/* Two classes by vectors, what they left over, an arm of it, others. */
enum { ROUNDS, FIRST, LEFT, ARM, BEHIND, OTHER, CLASSES };

static struct vectors *all;

/* Code with vectors of numbers of 4 bytes, of any numbers, and without vectors. */
static const struct vectors_code adds = {
	ROUNDS, { true, 4, 32, 0 }, true, 100, 10
};
static const struct vectors_code moves = {
	ROUNDS, { true, 0, 32, 0 }, true, 100, 10
};
static const struct vectors_code left = {
	LEFT, { .accessed = 2 }, false, 9, 1
};

static struct vectors_code in(uint32_t class, struct vectors_code code)
{
	code.class = class;
	return code;
}

static struct vectors_code but_of(struct vectors_code code, uint64_t count)
{
	code.count = count;
	return code;
}

static struct vectors_code in_no_loop(struct vectors_code code)
{
	code.is_loop = false;
	return code;
}

static struct vectors_code accessing(struct vectors_code code, unsigned bytes)
{
	code.look.accessed = bytes;
	return code;
}

static struct vectors_code moving(struct vectors_code code, unsigned bytes)
{
	code.look.moved = bytes;
	return code;
}

#define CODES(...)              \
	(struct vectors_code[]) \
	{                       \
		__VA_ARGS__     \
	}
#define KEY(...)                \
	key(CODES(__VA_ARGS__), \
	    sizeof(CODES(__VA_ARGS__)) / sizeof(struct vectors_code))
#define JOIN(...)                             \
	vectors_join(all, CODES(__VA_ARGS__), \
		     sizeof(CODES(__VA_ARGS__)) / sizeof(struct vectors_code))

static void key(const struct vectors_code *codes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		vectors_note(all, &codes[i]);
	vectors_compare(all, codes, n);
}

static void begin(void)
{
	all = vectors_new(CLASSES);
}

/* What code with vectors does in a class, and other code of it. */
static void rounds(uint32_t class, unsigned with, unsigned without,
		   const char *what)
{
	check_int(vectors_rounds(all, class, true), with, what);
	check_int(vectors_rounds(all, class, false), without, what);
}

static size_t loop_of(uint32_t class, enum vectors_part *part)
{
	return vectors_loop(all, class, true, part);
}

static void is_part(uint32_t class, enum vectors_part part, const char *what)
{
	enum vectors_part found = part + 1;

	check(loop_of(class, &found) > 0 && found == part, what);
}

static void is_no_part(uint32_t class, const char *what)
{
	enum vectors_part part;

	check_int(loop_of(class, &part), 0, what);
}

static void total(uint32_t class, uint64_t expected, double error,
		  const char *what)
{
	enum vectors_part part;
	size_t loop = loop_of(class, &part);
	double found = 0;

	check_int(loop ? vectors_total(all, loop, &found) : 0, expected, what);
	check(found > error - 1e-9 && found < error + 1e-9, what);
}

static void end(void)
{
	check_int(vectors_rounds(all, OTHER, true), 0,
		  "nothing is known of another class");
	vectors_free(all);
}

static void test_numbers(void)
{
	begin();
	KEY(adds, left);
	vectors_settle(all);
	rounds(ROUNDS, 8, 8, "as many as a vector has numbers");
	rounds(LEFT, 0, 0, "what is left over is no vector");
	is_part(ROUNDS, VECTORS_ROUNDS, "that is the loop's");
	is_part(LEFT, VECTORS_LEFT, "and so is what it left over");
	total(LEFT, 800, 80, "all rounds by vectors");
	is_no_part(OTHER, "another class");
	end();

	begin();
	KEY(moves, accessing(left, 8), in(ARM, left));
	vectors_settle(all);
	rounds(ROUNDS, 16, 16, "the least that is accessed without");
	end();

	begin();
	KEY(moves, accessing(left, 0));
	vectors_settle(all);
	rounds(ROUNDS, 0, 0, "nothing says how long a number is");
	is_no_part(LEFT, "so there is no loop");
	end();

	begin();
	KEY(moving(adds, 4), accessing(left, 4));
	vectors_settle(all);
	rounds(ROUNDS, 4, 4, "what moves single numbers computes with more");
	end();

	begin();
	KEY(moving(moves, 8), accessing(left, 8));
	vectors_settle(all);
	rounds(ROUNDS, 1, 1, "but does one at once if it only moves them");
	end();

	begin();
	KEY(adds, accessing(left, 0));
	vectors_settle(all);
	rounds(ROUNDS, 0, 0, "what moves no numbers is before the loop");
	end();

	begin();
	KEY(moving(adds, 0), accessing(left, 0));
	vectors_settle(all);
	rounds(ROUNDS, 4, 4, "unless they all are in registers");
	end();

	begin();
	KEY(adds, left, accessing(in(BEHIND, left), 0));
	vectors_settle(all);
	is_part(LEFT, VECTORS_LEFT, "what moves some is left over");
	is_no_part(BEHIND, "but not what does not, beside it");
	end();

	begin();
	KEY(moves);
	KEY(adds);
	vectors_settle(all);
	rounds(ROUNDS, 0, 0, "nothing is left over");
	end();

	begin();
	KEY(in_no_loop(adds), left);
	vectors_settle(all);
	rounds(ROUNDS, 0, 0, "several statements at once");
	end();
}

static void test_loop(void)
{
	struct vectors_code sum = adds;

	sum.look.moved = 0;
	begin();
	KEY(adds, in(FIRST, in_no_loop(but_of(adds, 20))), left,
	    in_no_loop(in(BEHIND, but_of(sum, 50))));
	vectors_settle(all);
	rounds(FIRST, 8, 0, "beside the loop, only code with vectors");
	total(ROUNDS, 960, 113.13708498984761, "what is beside it, too");
	rounds(BEHIND, 0, 0, "but not what only puts a vector together");
	is_no_part(BEHIND, "which is not the loop's");
	end();

	begin();
	KEY(adds, left);
	KEY(adds, in(ARM, but_of(left, 8)));
	vectors_settle(all);
	is_part(ARM, VECTORS_LEFT_ARM, "an arm of what is left over");
	is_part(LEFT, VECTORS_LEFT, "and all of it");
	total(ARM, 800, 80, "of one loop");
	end();

	begin();
	KEY(adds, left);
	KEY(in(FIRST, moves), in(ARM, left));
	KEY(in(FIRST, moves), left);
	vectors_settle(all);
	total(ARM, 800 + 1600, 178.88543819998318, "two loops that are one");
	end();
}

static void test_join(void)
{
	begin();
	KEY(adds, left);
	KEY(in(FIRST, in_no_loop(moves)), accessing(left, 0));
	is_no_part(FIRST, "not yet");
	JOIN(in(FIRST, in_no_loop(moves)), accessing(left, 0));
	vectors_settle(all);
	rounds(FIRST, 8, 0, "a first round, of which a load is left");
	total(LEFT, 1600, 113.13708498984761, "is the loop's");
	end();

	begin();
	KEY(adds, left);
	KEY(in(FIRST, in_no_loop(moves)), in(OTHER, left), left);
	JOIN(in(FIRST, in_no_loop(moves)), in(OTHER, left), left);
	vectors_settle(all);
	rounds(FIRST, 0, 0, "not if other code of the key is none of it");
	total(LEFT, 800, 80, "so the loop has no more");
	end();
}

static struct vectors_code near_loop(struct vectors_code code, uint64_t loop)
{
	code.near = loop;
	return code;
}

/* What a loop by vectors is left by, which has no vectors itself. */
static struct vectors_code test_of_loop(uint64_t loop)
{
	struct vectors_code code = near_loop(in(ROUNDS, left), loop);

	code.look.accessed = 0;
	code.tests = true;
	code.count = adds.count;
	code.error = adds.error;
	return code;
}

static void test_rests(void)
{
	struct vectors_code sum = adds;

	begin();
	KEY(adds);
	KEY(near_loop(left, 7), near_loop(in(ARM, left), 7));
	KEY(test_of_loop(7), near_loop(left, 7), in(OTHER, left));
	is_no_part(ARM, "the last that is left over has no test");
	JOIN(near_loop(left, 7), near_loop(in(ARM, left), 7));
	vectors_settle(all);
	rounds(ROUNDS, 16, 16,
	       "a test that a loop shares with what it left over");
	is_part(LEFT, VECTORS_LEFT, "which is the loop's");
	is_part(ARM, VECTORS_LEFT, "and so is the last of it");
	is_no_part(OTHER, "but not a test elsewhere");
	total(ARM, 1600, 160, "of all rounds");
	end();

	begin();
	KEY(adds);
	KEY(in(FIRST, near_loop(in_no_loop(adds), 7)));
	sum.look.moved = 0;
	KEY(in(BEHIND, near_loop(in_no_loop(sum), 7)));
	KEY(test_of_loop(7), near_loop(left, 7), near_loop(in(FIRST, left), 7),
	    near_loop(in(BEHIND, left), 7));
	vectors_settle(all);
	rounds(FIRST, 16, 0, "what is left over is done by a vector, too");
	rounds(BEHIND, 0, 0, "but not where one is only put together");
	end();

	begin();
	KEY(adds);
	KEY(test_of_loop(7), near_loop(left, 8));
	vectors_settle(all);
	rounds(ROUNDS, 0, 0, "the test of another loop");
	is_no_part(LEFT, "which left something else over");
	end();
}

int main(void)
{
	test_numbers();
	test_rests();
	test_loop();
	test_join();
	return done();
}
