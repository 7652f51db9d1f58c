/*
 * packed.c - instructions that do the same to several numbers at once, by
 * their names: paddd adds numbers of 4 bytes, as many as a register holds.
 * Bits and shuffles do not say how long numbers are.
 */
#include "converter/graph/packed.h"

#include <string.h>

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

static bool begins_with_any(const char *name, const char *const *all)
{
	for (; *all; all++)
		if (begins(name, *all))
			return true;
	return false;
}

static unsigned whole_bytes(const char *name)
{
	switch (name[strlen(name) - 1]) {
	case 'b':
		return 1;
	case 'w':
		return 2;
	case 'd':
		return 4;
	case 'q':
		return 8;
	default:
		return 0;
	}
}

static unsigned float_bytes(const char *name)
{
	const char *end = name + strlen(name) - 2;

	return strcmp(end, "ps") == 0 ? 4 : strcmp(end, "pd") == 0 ? 8 : 0;
}

unsigned packed_element(const char *name)
{
	static const char *const whole[] = { "padd",  "psub", "pmull", "pmin",
					     "pmax",  "pcmp", "pabs",  "pavg",
					     "pmulh", NULL };
	/* Sums of what they begin with, which is shorter. */
	static const char *const bytes[] = { "psadb", "pmaddub", NULL };
	static const char *const words[] = { "pmaddwd", NULL };
	static const char *const floats[] = { "add",  "sub", "mul", "div",
					      "sqrt", "min", "max", "cmp",
					      "fm",   "fn",  NULL };

	if (*name == 'v')
		name++;
	if (begins_with_any(name, bytes))
		return 1;
	if (begins_with_any(name, words))
		return 2;
	if (begins_with_any(name, whole))
		return whole_bytes(name);
	if (begins_with_any(name, floats))
		return float_bytes(name);
	return 0;
}

bool packed_computes(const char *name)
{
	static const char *const bits[] = { "pand", "por", "pxor", "pternlog",
					    NULL };

	return packed_element(name) ||
	       begins_with_any(name + (*name == 'v'), bits);
}

unsigned packed_moved(const char *name, unsigned length)
{
	static const char *const all[] = { "movdq", "movap", "movup", "lddqu",
					   NULL };
	static const char *const half[] = { "movq", "movlp", "movhp", NULL };

	if (*name == 'v')
		name++;
	if (begins_with_any(name, all))
		return length;
	return begins_with_any(name, half) ? 8 : 0;
}
