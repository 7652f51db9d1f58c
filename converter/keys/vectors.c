/*
 * vectors.c - a record for each class, and loops as sets of them.
 */
#include "converter/keys/vectors.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "profile/profile.h"

enum { DEFAULT_VECTOR = 16 };

struct class
{
	struct vectors_look look;
	bool computes; /* with vectors */
	uint64_t count;
	double error;
	size_t loop;	  /* 1 + a class of the same loop, or itself; 0: none */
	bool has_rounds;  /* does some of the loop's by vectors */
	bool is_all_loop; /* and nothing else */
	bool is_left;	  /* does what is left over */
	/* Of the class that stands for a loop. */
	uint64_t rounds, most_left;
	double rounds_error;
	unsigned size; /* of the loop's numbers */
};

struct vectors {
	struct class *classes;
	size_t n;
};

struct vectors *vectors_new(size_t nclasses)
{
	struct vectors *all = fdo_alloc(1, sizeof(*all));

	all->n = nclasses;
	all->classes = fdo_alloc(nclasses, sizeof(*all->classes));
	return all;
}

void vectors_free(struct vectors *all)
{
	if (!all)
		return;
	free(all->classes);
	free(all);
}

static unsigned least(unsigned a, unsigned b)
{
	return a && (!b || a < b) ? a : b;
}

void vectors_see(struct vectors_look *all, const struct vectors_look *one)
{
	all->has |= one->has;
	all->element = least(all->element, one->element);
	if (one->moved > all->moved)
		all->moved = one->moved;
	all->accessed = least(all->accessed, one->accessed);
}

bool vectors_may_be_left(const struct vectors_look *look, unsigned moved)
{
	return !look->has && (!moved || look->accessed);
}

void vectors_note(struct vectors *all, const struct vectors_code *code)
{
	struct class *c = &all->classes[code->class];

	vectors_see(&c->look, &code->look);
	c->computes |= code->look.element > 0;
	if (code->count >= c->count) {
		c->count = code->count;
		c->error = code->error;
	}
}

/* Behind a loop, what is in a vector is put together, which is not in memory. */
static bool does_rounds(const struct vectors *all,
			const struct vectors_code *code)
{
	return (code->look.element || code->look.moved) &&
	       (code->is_loop || all->classes[code->class].look.moved);
}

/* The longest vector of memory that code of a key does rounds by. */
static unsigned moved_by_loop(const struct vectors_code *codes, size_t n)
{
	unsigned moved = 0;

	for (size_t i = 0; i < n; i++)
		if (codes[i].is_loop && codes[i].look.moved > moved)
			moved = codes[i].look.moved;
	return moved;
}

/* How many bytes a number has, of a key that is a loop's by vectors; 0: it is none. */
static unsigned size_of_number(const struct vectors *all,
			       const struct vectors_code *codes, size_t n)
{
	bool any_left = false, any_loop = false;
	unsigned moved = moved_by_loop(codes, n), accessed = 0, element = 0;

	for (size_t i = 0; i < n; i++) {
		const struct vectors_code *code = &codes[i];

		if (vectors_may_be_left(&code->look, moved)) {
			any_left = true;
			accessed = least(accessed, code->look.accessed);
		} else if (code->is_loop && does_rounds(all, code)) {
			any_loop = true;
			element = least(element, code->look.element);
		}
	}
	if (!any_left || !any_loop)
		return 0;
	return element ? element : accessed;
}

/* The class that stands for all of a loop. */
static size_t leader(const struct vectors *all, size_t i)
{
	while (all->classes[i].loop != i + 1)
		i = all->classes[i].loop - 1;
	return i;
}

/* A class is of a loop, all of whose classes then are of one. */
static void join(struct vectors *all, struct class *c, size_t *loop,
		 unsigned size)
{
	size_t i = c - all->classes;

	if (!c->loop)
		c->loop = i + 1;
	i = leader(all, i);
	size = least(size, all->classes[i].size);
	if (*loop == SIZE_MAX)
		*loop = i;
	all->classes[i].loop = *loop + 1;
	all->classes[*loop].size = least(size, all->classes[*loop].size);
}

static void join_all(struct vectors *all, const struct vectors_code *codes,
		     size_t n, size_t loop, unsigned size)
{
	unsigned moved = moved_by_loop(codes, n);

	for (size_t i = 0; i < n; i++) {
		struct class *c = &all->classes[codes[i].class];

		if (does_rounds(all, &codes[i])) {
			c->has_rounds = true;
			c->is_all_loop |= codes[i].is_loop;
			if (!codes[i].look.element)
				c->look.element = least(c->look.element, size);
		} else if (vectors_may_be_left(&codes[i].look, moved)) {
			c->is_left = true;
		} else {
			continue;
		}
		join(all, c, &loop, size);
	}
}

/* May it be what a loop that the other one tests left over? */
static bool is_rest_of(const struct vectors_code *rest,
		       const struct vectors_code *test)
{
	return test->tests && rest->near && rest->near == test->near &&
	       !rest->tests;
}

/* A loop by vectors, and what is behind it with the same test. */
static void join_rest(struct vectors *all, const struct vectors_code *test,
		      const struct vectors_code *rest)
{
	struct class *loop = &all->classes[test->class];
	struct class *left = &all->classes[rest->class];
	unsigned size = least(loop->look.element, left->look.accessed);
	size_t leader = SIZE_MAX;

	if (!size || !loop->look.moved || (left->look.has && !left->look.moved))
		return;
	loop->has_rounds = loop->is_all_loop = true;
	loop->look.element = size;
	left->has_rounds |= left->look.has;
	left->is_left |= !left->look.has;
	if (left->look.has)
		left->look.element = least(left->look.element, size);
	join(all, loop, &leader, size);
	join(all, left, &leader, size);
}

void vectors_compare(struct vectors *all, const struct vectors_code *codes,
		     size_t n)
{
	unsigned size = size_of_number(all, codes, n);

	if (size)
		join_all(all, codes, n, SIZE_MAX, size);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n && codes[i].tests; j++)
			if (is_rest_of(&codes[j], &codes[i]))
				join_rest(all, &codes[i], &codes[j]);
}

/* More of what a loop left over: the last of it has no test. */
static void join_more_rests(struct vectors *all,
			    const struct vectors_code *codes, size_t n)
{
	size_t loop = SIZE_MAX;
	uint64_t near = 0;

	for (size_t i = 0; i < n && !near; i++) {
		const struct class *c = &all->classes[codes[i].class];

		if (!codes[i].near || codes[i].tests || !c->is_left)
			continue;
		near = codes[i].near;
		loop = leader(all, c - all->classes);
	}
	for (size_t i = 0; i < n && near; i++) {
		struct class *c = &all->classes[codes[i].class];

		if (codes[i].near != near || codes[i].tests || c->look.has ||
		    c->loop)
			continue;
		c->is_left = true;
		join(all, c, &loop, all->classes[loop].size);
	}
}

void vectors_join(struct vectors *all, const struct vectors_code *codes,
		  size_t n)
{
	size_t loop = SIZE_MAX;
	bool any_new = false;

	join_more_rests(all, codes, n);
	for (size_t i = 0; i < n; i++) {
		const struct class *c = &all->classes[codes[i].class];

		if (does_rounds(all, &codes[i]))
			any_new |= !c->loop;
		else if (!codes[i].look.has && !c->is_left)
			return;
		else if (!codes[i].look.has)
			loop = leader(all, c - all->classes);
	}
	if (any_new && loop != SIZE_MAX)
		join_all(all, codes, n, loop, all->classes[loop].size);
}

/* What is computed with may be put together from single numbers of memory. */
static unsigned numbers_in_vector(const struct class *c)
{
	unsigned vector = c->look.moved;

	if (!vector || (c->computes && vector <= c->look.element))
		vector = DEFAULT_VECTOR;
	return vector > c->look.element ? vector / c->look.element : 1;
}

void vectors_settle(struct vectors *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct class *c = &all->classes[i];
		struct class *loop;

		if (!c->loop)
			continue;
		loop = &all->classes[leader(all, i)];
		if (c->has_rounds) {
			unsigned n = numbers_in_vector(c);

			loop->rounds = profile_sum(loop->rounds,
						   profile_times(c->count, n));
			loop->rounds_error =
				hypot(loop->rounds_error, c->error * n);
		} else if (c->count > loop->most_left) {
			loop->most_left = c->count;
		}
	}
}

unsigned vectors_rounds(const struct vectors *all, uint32_t class,
			bool by_vectors)
{
	const struct class *c = &all->classes[class];

	return c->has_rounds && (by_vectors || c->is_all_loop)
		       ? numbers_in_vector(c)
		       : 0;
}

size_t vectors_loop(const struct vectors *all, uint32_t class, bool by_vectors,
		    enum vectors_part *part)
{
	const struct class *c = &all->classes[class];
	size_t loop;

	if (!c->loop)
		return 0;
	loop = leader(all, c - all->classes);
	if (!c->has_rounds)
		*part = c->count < all->classes[loop].most_left
				? VECTORS_LEFT_ARM
				: VECTORS_LEFT;
	else if (by_vectors || c->is_all_loop)
		*part = VECTORS_ROUNDS;
	else
		return 0;
	return loop + 1;
}

uint64_t vectors_total(const struct vectors *all, size_t loop, double *error)
{
	*error = all->classes[loop - 1].rounds_error;
	return all->classes[loop - 1].rounds;
}
