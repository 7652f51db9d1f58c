/*
 * rounds.c - each key of a class says how many times it has the code of the
 * same key elsewhere, and the class does as many rounds as most of its code
 * says.  One key alone may be two pieces of a statement; all of a loop's keys
 * with the same factor are no accident.
 */
#include "converter/keys/rounds.h"

#include <stdlib.h>

#include "base/alloc.h"

enum {
	MAX_ROUNDS = 64,
	FACTORS = 4, /* different ones that a class may hear of */
};

struct class_rounds {
	size_t code; /* all opcodes, and those that say a factor */
	struct {
		unsigned factor;
		size_t code;
	} said[FACTORS];
};

struct rounds {
	struct class_rounds *classes;
};

struct rounds *rounds_new(size_t nclasses)
{
	struct rounds *all = fdo_alloc(1, sizeof(*all));

	all->classes = fdo_alloc(nclasses, sizeof(*all->classes));
	return all;
}

void rounds_free(struct rounds *all)
{
	if (!all)
		return;
	free(all->classes);
	free(all);
}

/* Opcodes that x has in common with so many times y. */
static size_t in_common(const struct rounds_code *x,
			const struct rounds_code *y, size_t times)
{
	size_t common = 0, i = 0;

	for (size_t j = 0, next; j < y->nopcodes; j = next) {
		size_t most, n = 0;

		for (next = j;
		     next < y->nopcodes && y->opcodes[next] == y->opcodes[j];)
			next++;
		most = (next - j) * times;
		while (i < x->nopcodes && x->opcodes[i] < y->opcodes[j])
			i++;
		for (; i < x->nopcodes && x->opcodes[i] == y->opcodes[j]; i++)
			n++;
		common += n < most ? n : most;
	}
	return common;
}

/* How many times x has the code of y, at least 3/4 of it all; 0: none. */
static unsigned times(const struct rounds_code *x, const struct rounds_code *y)
{
	size_t factor, common, either;

	if (y->nopcodes == 0)
		return 0;
	factor = (x->nopcodes + y->nopcodes / 2) / y->nopcodes;
	common = in_common(x, y, factor);
	either = x->nopcodes + y->nopcodes * factor - common;

	if (factor > MAX_ROUNDS || 4 * common < 3 * either)
		return 0;
	return factor;
}

static void say(struct class_rounds *c, unsigned factor, size_t code)
{
	for (size_t i = 0; i < FACTORS; i++) {
		if (c->said[i].factor && c->said[i].factor != factor)
			continue;
		c->said[i].factor = factor;
		c->said[i].code += code;
		return;
	}
}

void rounds_compare(struct rounds *all, const struct rounds_code *codes,
		    size_t n)
{
	const struct rounds_code *least = codes;

	for (size_t i = 0; i < n; i++)
		if (codes[i].nopcodes < least->nopcodes)
			least = &codes[i];
	for (size_t i = 0; i < n; i++) {
		struct class_rounds *c = &all->classes[codes[i].class];
		unsigned factor =
			&codes[i] == least ? 0 : times(&codes[i], least);

		c->code += codes[i].nopcodes;
		if (factor > 1)
			say(c, factor, codes[i].nopcodes);
	}
}

unsigned rounds_of(const struct rounds *all, uint32_t class)
{
	const struct class_rounds *c = &all->classes[class];

	for (size_t i = 0; i < FACTORS; i++)
		if (2 * c->said[i].code > c->code)
			return c->said[i].factor;
	return 1;
}
