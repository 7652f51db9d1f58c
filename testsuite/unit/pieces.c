/* What pieces_settle() promises: votes, copies, pieces of a statement. */
#include "converter/keys/pieces.h"
#include "testsuite/lib/tap.h"

/* Opcodes of two kinds of code that have nothing in common. */
static const uint16_t add_code[] = { 10, 11, 11, 12 };
static const uint16_t call_code[] = { 70, 71, 72 };

static struct profile *profile;
static struct profile_body *body;
static struct pieces *all;

static void begin(void)
{
	profile = profile_new();
	body = &profile_add_function(profile, "f", "f.c", 1)->body;
	all = pieces_new();
}

static void end(void)
{
	pieces_free(all);
	profile_free(profile);
}

static struct piece piece(uint32_t function, uint32_t class, uint32_t block,
			  uint64_t count)
{
	return (struct piece){
		.body = body,
		.key = { .line = 3, .column = 5, .discriminator = PROFILE_ANY },
		.function = function,
		.class = class,
		.block = block,
		.count = count,
		.error = 3,
	};
}

static void add(struct piece p)
{
	pieces_add(all, &p, add_code, 4);
}

static const struct profile_count *settled(void)
{
	check_int(pieces_settle(all, profile), 1, "one key");
	return profile_count_at(profile, body, piece(0, 0, 0, 0).key);
}

static void test_blocks_of_a_class_vote_once(void)
{
	begin();
	add(piece(0, 1, 1, 100));
	add(piece(0, 1, 7, 100));
	check_int(settled()->count, 100, "an instance counts once");
	check_int(settled()->error, 3, "with its error");
	end();
}

static void test_nothing(void)
{
	begin();
	check_int(pieces_settle(all, profile), 0, "without pieces, no keys");
	end();
}

static void test_copies_add_up(void)
{
	begin();
	add(piece(0, 1, 1, 100));
	add(piece(0, 2, 2, 40));
	add(piece(1, 1, 1, 7));
	check_int(settled()->count, 147, "of one function and of clones");
	check_int(settled()->error, 5, "errors in quadrature");
	end();
}

static void test_pieces_of_a_statement_do_not(void)
{
	struct piece other = piece(0, 2, 2, 60);

	begin();
	other.body = body;
	add(piece(0, 1, 1, 100));
	add(piece(0, 3, 3, 5));
	pieces_add(all, &other, call_code, 3);
	check_int(settled()->count, 105, "the largest group stands");
	end();
}

static struct piece load(void)
{
	struct piece p = piece(0, 1, 1, 100);

	p.movable = true;
	return p;
}

static struct piece store(uint32_t block, uint64_t count)
{
	struct piece p = piece(0, block, block, count);

	p.assigns = true;
	return p;
}

/* The load of an assignment stands before the test that decides about it. */
static void test_what_moved_away(void)
{
	struct piece other;

	begin();
	add(load());
	add(store(2, 40));
	check_int(settled()->count, 40, "the assignment speaks");
	end();

	begin();
	add(load());
	add(store(2, 40));
	add(store(3, 7));
	check_int(settled()->count, 47, "its copies add up");
	end();

	begin();
	add(load());
	add(piece(0, 2, 2, 40));
	check_int(settled()->count, 140, "nothing is left out without one");
	end();

	begin();
	add(piece(0, 1, 1, 100));
	add(store(2, 40));
	check_int(settled()->count, 140, "nor what cannot move");
	end();

	begin();
	other = store(2, 40);
	other.merged = true;
	add(load());
	add(other);
	check_int(settled()->count, 100, "nor where it was merged with others");
	end();
}

static struct piece step(uint32_t block, uint64_t count)
{
	struct piece p = piece(0, block, block, count);

	p.goes_on = true;
	return p;
}

/* A test in several steps; copies of all of them are where it begins. */
static void test_steps(void)
{
	struct piece first, next;

	begin();
	add(piece(0, 1, 1, 100));
	add(step(2, 80));
	add(step(3, 50));
	check_int(settled()->count, 100, "what only goes on adds nothing");
	end();

	begin();
	add(piece(0, 1, 1, 100));
	add(piece(0, 4, 4, 30));
	add(step(2, 80));
	check_int(settled()->count, 130, "copies of the beginning do");
	end();

	begin();
	first = piece(0, 1, 1, 100);
	first.merged = true;
	add(first);
	add(step(2, 80));
	check_int(settled()->count, 100, "nor does it speak for a tail");
	check_int(settled()->flags, PROFILE_MERGED, "of which it is a part");
	end();

	begin();
	first = piece(0, 1, 1, 100);
	first.movable = true;
	add(first);
	next = step(2, 80);
	next.assigns = true;
	add(next);
	check_int(settled()->count, 100, "or for a beginning without a store");
	end();

	begin();
	next = step(1, 100);
	add(piece(0, 1, 1, 100));
	pieces_add(all, &next, call_code, 3);
	add(piece(0, 2, 2, 7));
	check_int(settled()->count, 107, "of one class, it is the beginning");
	end();
}

/* Sorted as they come, so that k times is each of them k times. */
static void add_rounds(struct piece p, unsigned rounds)
{
	uint16_t code[4 * 8];

	for (unsigned i = 0; i < 4 * rounds; i++)
		code[i] = add_code[i / rounds];
	pieces_add(all, &p, code, 4 * rounds);
}

/* The loop's other code, of another key, with the same opcodes in both. */
static void add_control(uint32_t class, uint64_t count, size_t n)
{
	static const uint16_t code[] = { 90,  91,  92,	93,  94,  95,
					 96,  97,  98,	99,  100, 101,
					 102, 103, 104, 105, 106, 107 };
	struct piece p = piece(0, class, class, count);

	p.key.column = 50;
	pieces_add(all, &p, code, n);
}

static uint64_t count_of_two_keys(void)
{
	check_int(pieces_settle(all, profile), 2, "two keys");
	return profile_count_at(profile, body, piece(0, 0, 0, 0).key)->count;
}

static void test_unrolled_loops(void)
{
	begin();
	add_rounds(piece(0, 1, 1, 100), 4);
	add_control(1, 100, 3);
	add_rounds(piece(0, 2, 2, 7), 1);
	add_control(2, 7, 3);
	check_int(count_of_two_keys(), 407, "four rounds in a block");
	end();

	begin();
	add_rounds(piece(0, 1, 1, 100), 4);
	add_rounds(piece(0, 2, 2, 7), 1);
	add_control(1, 100, 18);
	check_int(count_of_two_keys(), 100, "not if most of the code has one");
	end();

	begin();
	add_rounds(piece(0, 1, 1, PROFILE_MAX), 4);
	add_rounds(piece(0, 2, 2, 7), 1);
	check_int(settled()->count, PROFILE_MAX, "no count is too large");
	end();
}

/* Vectors of eight numbers of two bytes, in a loop. */
static struct piece by_vectors(void)
{
	struct piece p = piece(0, 1, 1, 100);

	p.look = (struct vectors_look){ true, 2, 0, 0 };
	p.loop = true;
	return p;
}

static void test_vectors(void)
{
	struct piece p, left;

	begin();
	p = by_vectors();
	pieces_add(all, &p, call_code, 3);
	add(piece(0, 2, 2, 7));
	check_int(settled()->count, 807, "eight numbers in a vector");
	check_int(settled()->error, 24, "with its error");
	end();

	begin();
	p.body = body;
	p.look.moved = 16;
	pieces_add(all, &p, call_code, 3);
	left = piece(0, 2, 2, 7);
	left.look.accessed = 2;
	add(left);
	add(piece(0, 3, 3, 50));
	check_int(settled()->count, 807,
		  "what comes before such a loop says nothing");
	p.look.moved = 0;
	end();

	begin();
	p.body = body;
	pieces_add(all, &p, call_code, 3);
	add(piece(0, 2, 2, 7));
	p.class = 3;
	p.block = 3;
	p.loop = false;
	p.look.element = p.look.moved = 0;
	pieces_add(all, &p, add_code, 4);
	check_int(settled()->count, 807,
		  "what is put together behind the loop says nothing");
	end();

	begin();
	p = by_vectors();
	pieces_add(all, &p, call_code, 3);
	add(piece(0, 2, 2, 7));
	p.key.discriminator = 1;
	p.goes_on = true;
	pieces_add(all, &p, call_code, 3);
	left = piece(0, 2, 2, 7);
	left.key.discriminator = 1;
	add(left);
	check_int(count_of_two_keys(), 807, "and all of it together");
	check_int(profile_count_at(profile, body, p.key)->count, 807,
		  "rounds do not go on with what another began");
	p.key.discriminator = PROFILE_ANY;
	p.goes_on = false;
	end();

	begin();
	p.body = body;
	pieces_add(all, &p, call_code, 3);
	check_int(settled()->count, 100, "not where no other code is");
	end();

	begin();
	p.body = body;
	p.loop = false;
	pieces_add(all, &p, call_code, 3);
	add(piece(0, 2, 2, 7));
	check_int(settled()->count, 100, "nor in a block that is no loop");
	end();

	begin();
	p.body = body;
	p.loop = true;
	p.key.line++;
	pieces_add(all, &p, call_code, 3);
	p.key.line--;
	p.look.element = 0;
	pieces_add(all, &p, call_code, 3);
	add(piece(0, 2, 2, 7));
	check_int(count_of_two_keys(), 100,
		  "nor by vectors for something else");
	end();
}

/* Code with a discriminator in one loop, and without in another, around it or not. */
static struct profile *versions(uint64_t original, uint64_t copy, bool nested)
{
	static const uint32_t first[] = { 1 }, second[] = { 2 },
			      both[] = { 2, 1 };
	struct piece p = piece(0, 1, 1, original);

	p.key.discriminator = 2;
	p.around = first;
	p.naround = 1;
	pieces_add(all, &p, call_code, 3);
	p.key.discriminator = PROFILE_ANY;
	pieces_add(all, &p, call_code, 3);
	p = piece(0, 2, 2, copy);
	p.around = nested ? both : second;
	p.naround = nested ? 2 : 1;
	p.key.discriminator = 0;
	pieces_add(all, &p, call_code, 3);
	p.key.discriminator = PROFILE_ANY;
	pieces_add(all, &p, call_code, 3);
	pieces_settle(all, profile);
	return profile;
}

static size_t keys_of(struct profile *p)
{
	size_t n = 0;

	for (uint32_t d = 0; d < 3; d++) {
		struct profile_key key = piece(0, 0, 0, 0).key;

		key.discriminator = d;
		n += profile_find_count(p, body, key) != NULL;
	}
	return n;
}

static void test_versions(void)
{
	begin();
	check_int(keys_of(versions(0, 70, false)), 0,
		  "a version of what never ran has its code");
	end();
	begin();
	check_int(keys_of(versions(9, 70, false)), 2, "not of what ran");
	end();
	begin();
	check_int(keys_of(versions(0, 0, false)), 2, "nor if neither did");
	end();
	begin();
	check_int(keys_of(versions(0, 70, true)), 2,
		  "and a loop in a loop is no version of it");
	end();
}

static void test_flags(void)
{
	struct piece p;

	begin();
	p = piece(0, 1, 1, 100);
	p.conditional = true;
	add(p);
	check_int(settled()->flags, PROFILE_COND, "if-converted code is told");
	end();

	begin();
	p = piece(0, 1, 1, 100);
	p.merged = true;
	add(p);
	check_int(settled()->flags, PROFILE_MERGED, "and a merged tail");
	add(piece(0, 2, 2, 10));
	check_int(settled()->count, 10, "code of its own is better evidence");
	check_int(settled()->flags, 0, "and needs no flag");
	end();
}

static void test_what_went_astray(void)
{
	struct piece p;

	begin();
	p = piece(0, 1, 1, 100);
	p.astray = true;
	add(p);
	check_int(settled()->count, 100, "what went astray is all there is");
	check_int(settled()->flags, 0, "and needs no flag");
	add(piece(0, 2, 2, 10));
	check_int(settled()->count, 10, "a statement's own code is better");
	end();

	begin();
	p.body = body;
	pieces_add(all, &p, add_code, 2);
	p.astray = false;
	pieces_add(all, &p, add_code + 2, 2);
	add(piece(0, 2, 2, 10));
	check_int(settled()->count, 110, "beside its own code it did not");
	end();
}

static void test_order_does_not_matter(void)
{
	uint64_t forward;

	begin();
	for (unsigned i = 0; i < 20; i++)
		add(piece(i % 3, i, i, 10 * i + 1));
	forward = settled()->count;
	end();
	begin();
	for (unsigned i = 20; i-- > 0;)
		add(piece(i % 3, i, i, 10 * i + 1));
	check_int(settled()->count, forward, "any order, the same count");
	end();
}

int main(void)
{
	test_nothing();
	test_blocks_of_a_class_vote_once();
	test_copies_add_up();
	test_pieces_of_a_statement_do_not();
	test_what_moved_away();
	test_steps();
	test_unrolled_loops();
	test_vectors();
	test_versions();
	test_flags();
	test_what_went_astray();
	test_order_does_not_matter();
	return done();
}
