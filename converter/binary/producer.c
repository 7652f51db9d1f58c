/*
 * producer.c - which options DW_AT_producer has.
 */
#include "converter/binary/producer.h"

#include <stddef.h>
#include <string.h>

/* Of those that are about the same, the last one has an effect. */
static const struct option {
	const char *text;
	enum { LEVEL, FRONTIERS, TAILS, OPTIMIZE, KINDS } kind;
	bool on;
} options[] = {
	{ "-g", LEVEL, true },
	{ "-g1", LEVEL, false },
	{ "-g2", LEVEL, true },
	{ "-g3", LEVEL, true },
	{ "-ggdb", LEVEL, true },
	{ "-ggdb1", LEVEL, false },
	{ "-ggdb2", LEVEL, true },
	{ "-ggdb3", LEVEL, true },
	{ "-gstatement-frontiers", FRONTIERS, true },
	{ "-gno-statement-frontiers", FRONTIERS, false },
	{ "-fcrossjumping", TAILS, true },
	{ "-fno-crossjumping", TAILS, false },
	{ "-O0", OPTIMIZE, false },
	{ "-O", OPTIMIZE, true },
	{ "-O1", OPTIMIZE, true },
	{ "-O2", OPTIMIZE, true },
	{ "-O3", OPTIMIZE, true },
	{ "-Os", OPTIMIZE, true },
	{ "-Og", OPTIMIZE, true },
	{ "-Ofast", OPTIMIZE, true },
};

static bool is_word(const char *word, size_t size, const char *text)
{
	return strlen(text) == size && memcmp(word, text, size) == 0;
}

static const struct option *option_of(const char *word, size_t size)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (is_word(word, size, options[i].text))
			return &options[i];
	return NULL;
}

/* -fplugin=samplefdo, with or without ".so" and a folder. */
static bool is_our_plugin(const char *word, size_t size)
{
	static const char begin[] = "-fplugin=";
	const char *name = word + sizeof(begin) - 1;

	if (size < sizeof(begin) || memcmp(word, begin, sizeof(begin) - 1) != 0)
		return false;
	for (const char *c = name; c < word + size; c++)
		if (*c == '/')
			name = c + 1;
	size -= (size_t)(name - word);
	return is_word(name, size, "samplefdo") ||
	       is_word(name, size, "samplefdo.so");
}

static bool on(const struct option *last, bool otherwise)
{
	return last ? last->on : otherwise;
}

struct producer producer_of(const char *text)
{
	const struct option *last[KINDS] = { NULL };
	bool plugin = false, space;

	for (const char *word = text ? text : ""; *word;
	     word += strspn(word, " ")) {
		size_t size = strcspn(word, " ");
		const struct option *option = option_of(word, size);

		if (option)
			last[option->kind] = option;
		plugin |= is_our_plugin(word, size);
		word += size;
	}
	space = last[OPTIMIZE] && strcmp(last[OPTIMIZE]->text, "-Os") == 0;
	return (struct producer){
		.is_gcc = text && strncmp(text, "GNU ", 4) == 0,
		.optimizes = on(last[OPTIMIZE], false),
		.frontiers = on(last[FRONTIERS], on(last[LEVEL], true)),
		.crossjumping = on(last[TAILS], !plugin || space),
	};
}
