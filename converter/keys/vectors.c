/*
 * vectors.c - a record for each class, and loops as sets of them.
 */
#include "converter/keys/vectors.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "profile/profile.h"

enum { DEFAULT_VECTOR = 16 };

struct class
{
	unsigned element, moved;
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
	struct fdo_map *numbers; /* class of a function: from 1 */
	struct class *classes;
	size_t n, room;
};

struct vectors *vectors_new(void)
{
	struct vectors *all = fdo_alloc(1, sizeof(*all));

	all->numbers = fdo_map_new();
	return all;
}

void vectors_free(struct vectors *all)
{
	if (!all)
		return;
	fdo_map_free(all->numbers);
	free(all->classes);
	free(all);
}

static uint64_t key_of(uint32_t function, uint32_t class)
{
	return (uint64_t)function << 32 | class;
}

static struct class *class_at(struct vectors *all, uint32_t function,
			      uint32_t class)
{
	uint64_t *number = fdo_map_at(all->numbers, key_of(function, class));

	if (*number == 0) {
		all->classes = fdo_grow(all->classes, all->n, &all->room,
					sizeof(*all->classes));
		all->classes[all->n] = (struct class){ 0 };
		*number = ++all->n;
	}
	return &all->classes[*number - 1];
}

static const struct class *find(const struct vectors *all, uint32_t function,
				uint32_t class)
{
	const uint64_t *number =
		fdo_map_get(all->numbers, key_of(function, class));

	return number ? &all->classes[*number - 1] : NULL;
}

static unsigned least(unsigned a, unsigned b)
{
	return a && (!b || a < b) ? a : b;
}

void vectors_note(struct vectors *all, const struct vectors_code *code)
{
	struct class *c = class_at(all, code->function, code->class);

	c->element = least(c->element, code->element);
	if (code->moved > c->moved)
		c->moved = code->moved;
	if (code->count >= c->count) {
		c->count = code->count;
		c->error = code->error;
	}
}

/* Behind a loop, what is in a vector is put together, which is not in memory. */
static bool does_rounds(struct vectors *all, const struct vectors_code *code)
{
	return (code->element || code->moved) &&
	       (code->is_loop ||
		class_at(all, code->function, code->class)->moved);
}

/* How many bytes a number has, of a key that is a loop's by vectors; 0: it is none. */
static unsigned size_of_number(struct vectors *all,
			       const struct vectors_code *codes, size_t n)
{
	bool any_left = false, any_loop = false;
	unsigned accessed = 0, element = 0;

	for (size_t i = 0; i < n; i++) {
		const struct vectors_code *code = &codes[i];

		if (!code->has) {
			any_left = true;
			accessed = least(accessed, code->accessed);
		} else if (code->is_loop && does_rounds(all, code)) {
			any_loop = true;
			element = least(element, code->element);
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
	for (size_t i = 0; i < n; i++) {
		struct class *c =
			class_at(all, codes[i].function, codes[i].class);

		if (does_rounds(all, &codes[i])) {
			c->has_rounds = true;
			c->is_all_loop |= codes[i].is_loop;
			if (!codes[i].element)
				c->element = least(c->element, size);
		} else if (!codes[i].has) {
			c->is_left = true;
		} else {
			continue;
		}
		join(all, c, &loop, size);
	}
}

void vectors_compare(struct vectors *all, const struct vectors_code *codes,
		     size_t n)
{
	unsigned size = size_of_number(all, codes, n);

	if (size)
		join_all(all, codes, n, SIZE_MAX, size);
}

void vectors_join(struct vectors *all, const struct vectors_code *codes,
		  size_t n)
{
	size_t loop = SIZE_MAX;
	bool any_new = false;

	for (size_t i = 0; i < n; i++) {
		const struct class *c =
			class_at(all, codes[i].function, codes[i].class);

		if (does_rounds(all, &codes[i]))
			any_new |= !c->loop;
		else if (!codes[i].has && !c->is_left)
			return;
		else if (!codes[i].has)
			loop = leader(all, c - all->classes);
	}
	if (any_new && loop != SIZE_MAX)
		join_all(all, codes, n, loop, all->classes[loop].size);
}

static unsigned numbers_in_vector(const struct class *c)
{
	unsigned vector = c->moved ? c->moved : DEFAULT_VECTOR;

	return vector > c->element ? vector / c->element : 1;
}

void vectors_settle(struct vectors *all)
{
	for (size_t i = 0; i < all->n; i++) {
		all->classes[i].rounds = all->classes[i].most_left = 0;
		all->classes[i].rounds_error = 0;
	}
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

unsigned vectors_rounds(const struct vectors *all, uint32_t function,
			uint32_t class, bool by_vectors)
{
	const struct class *c = find(all, function, class);

	return c && c->has_rounds && (by_vectors || c->is_all_loop)
		       ? numbers_in_vector(c)
		       : 0;
}

size_t vectors_loop(const struct vectors *all, uint32_t function,
		    uint32_t class, bool by_vectors, enum vectors_part *part)
{
	const struct class *c = find(all, function, class);
	size_t loop;

	if (!c || !c->loop)
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
