/*
 * keys_rounds.c - how many rounds of a loop the code of a class does.
 *
 * The opcodes are numbers of no meaning.
 */
#include "converter/keys/rounds.h"

#include "testsuite/lib/tap.h"

/* Classes: several rounds, single ones, and another. */
enum { SEVERAL, SINGLE, OTHER, CLASSES };

static const uint16_t once[] = { 3, 5, 8, 9 };
static const uint16_t twice[] = { 3, 3, 5, 5, 8, 8, 9, 9 };
static const uint16_t unlike[] = { 20, 21, 22, 23, 24, 25, 26, 27 };

#define CODE(class, opcodes)                                       \
	{                                                          \
		class, opcodes, sizeof(opcodes) / sizeof(*opcodes) \
	}

static struct rounds *rounds;

/* All code of one key. */
#define COMPARE(...)                                                   \
	rounds_compare(rounds, (struct rounds_code[]){ __VA_ARGS__ },  \
		       sizeof((struct rounds_code[]){ __VA_ARGS__ }) / \
			       sizeof(struct rounds_code))

static void begin(void)
{
	rounds = rounds_new(CLASSES);
}

static void end(unsigned several, const char *what)
{
	check_int(rounds_of(rounds, SEVERAL), several, what);
	check_int(rounds_of(rounds, SINGLE), 1, what);
	check_int(rounds_of(rounds, OTHER), 1, "nothing is known of others");
	rounds_free(rounds);
}

static void test_unrolled(void)
{
	begin();
	COMPARE(CODE(SEVERAL, twice), CODE(SINGLE, once));
	end(2, "twice the same code");

	begin();
	COMPARE(CODE(SEVERAL, unlike), CODE(SINGLE, once));
	end(1, "as much code, but other");

	begin();
	COMPARE(CODE(SEVERAL, twice), CODE(SINGLE, once));
	COMPARE(CODE(SEVERAL, unlike), CODE(SINGLE, once));
	COMPARE(CODE(SEVERAL, once), CODE(SINGLE, once));
	end(1, "less than half of a class's code");
}

int main(void)
{
	test_unrolled();
	return done();
}
