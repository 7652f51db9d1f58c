/*
 * keys_rounds.c - how many rounds of a loop the code of a class does.
 *
 * The opcodes are numbers of no meaning.
 */
#include "converter/keys/rounds.h"

#include "testsuite/lib/tap.h"

/* A function of three classes: by vectors, in single rounds, and another. */
enum { FUNCTION = 7, VECTORS = 1, SINGLE, OTHER };

static const uint16_t once[] = { 3, 5, 8, 9 };
static const uint16_t twice[] = { 3, 3, 5, 5, 8, 8, 9, 9 };
static const uint16_t unlike[] = { 20, 21, 22, 23, 24, 25, 26, 27 };
static const uint16_t packed[] = { 40, 41, 42 };

#define CODE(class, opcodes, has_vectors, is_loop)                            \
	{                                                                     \
		FUNCTION, class, opcodes, sizeof(opcodes) / sizeof(*opcodes), \
			has_vectors, is_loop                                  \
	}

static struct rounds *rounds;

/* All code of one key. */
#define COMPARE(...)                                                   \
	rounds_compare(rounds, (struct rounds_code[]){ __VA_ARGS__ },  \
		       sizeof((struct rounds_code[]){ __VA_ARGS__ }) / \
			       sizeof(struct rounds_code))

/* Numbers of 4 bytes in vectors of 32. */
static void begin(void)
{
	rounds = rounds_new();
	rounds_note(rounds, FUNCTION, VECTORS, 4, 32);
	rounds_note(rounds, FUNCTION, SINGLE, 4, 0);
	rounds_note(rounds, FUNCTION, OTHER, 4, 16);
}

static void end(unsigned vectors, unsigned single, unsigned other,
		const char *what)
{
	check_int(rounds_of(rounds, FUNCTION, VECTORS), vectors, what);
	check_int(rounds_of(rounds, FUNCTION, SINGLE), single, what);
	check_int(rounds_of(rounds, FUNCTION, OTHER), other, what);
	check_int(rounds_of(rounds, FUNCTION + 1, VECTORS), 1,
		  "nothing is known of others");
	rounds_free(rounds);
}

static void test_unrolled(void)
{
	begin();
	COMPARE(CODE(VECTORS, twice, false, true),
		CODE(SINGLE, once, false, false));
	end(2, 1, 1, "twice the same code");

	begin();
	COMPARE(CODE(VECTORS, unlike, false, true),
		CODE(SINGLE, once, false, false));
	end(1, 1, 1, "as much code, but other");

	begin();
	COMPARE(CODE(VECTORS, twice, false, true),
		CODE(SINGLE, once, false, false));
	COMPARE(CODE(VECTORS, unlike, false, true),
		CODE(SINGLE, once, false, false));
	COMPARE(CODE(VECTORS, once, false, true),
		CODE(SINGLE, once, false, false));
	end(1, 1, 1, "less than half of a class's code");
}

static void test_vectors(void)
{
	begin();
	COMPARE(CODE(VECTORS, packed, true, true),
		CODE(SINGLE, once, false, false));
	end(8, 1, 1, "as many as a vector has numbers");

	begin();
	COMPARE(CODE(VECTORS, packed, true, true),
		CODE(OTHER, packed, true, false),
		CODE(SINGLE, once, false, false));
	end(8, 1, 4, "what is left behind the loop, by half of one");

	begin();
	COMPARE(CODE(VECTORS, packed, true, false),
		CODE(SINGLE, once, false, true));
	end(1, 1, 1, "several statements at once, in no loop");

	begin();
	COMPARE(CODE(VECTORS, packed, true, true));
	end(1, 1, 1, "nothing to compare it with");

	begin();
	COMPARE(CODE(VECTORS, packed, true, true),
		CODE(OTHER, once, false, false));
	end(8, 1, 1, "a class that has vectors, but not of this key");
}

int main(void)
{
	test_unrolled();
	test_vectors();
	return done();
}
