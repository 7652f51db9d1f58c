/*
 * parse_words.c - words of a line of the text form.
 */
#include <string.h>

#include "base/error.h"
#include "profile/parse_private.h"
#include "profile/texts.h"

const char *parser_next(struct parser *parser, const char *what)
{
	if (parser->at < parser->words.count)
		return parser->words.word[parser->at++];
	fdo_fail(parser->err, "%s is missing", what);
	return NULL;
}

bool parser_number(struct parser *parser, const char *what, uint64_t most,
		   uint64_t *ret)
{
	const char *word = parser_next(parser, what);

	return word && words_number(word, most, ret, parser->err);
}

static bool get_value(struct parser *parser, struct parser_attribute *a)
{
	if (a->seen)
		return fdo_fail(parser->err, "'%s' is given twice", a->name);
	a->seen = true;
	if (a->there) {
		*a->there = true;
		return true;
	}
	if (a->number)
		return parser_number(parser, a->name, a->most, a->number);
	*a->text = profile_text(parser->p, parser_next(parser, a->name));
	return *a->text;
}

bool parser_attribute(struct parser *parser, struct parser_attribute *list)
{
	const char *word = parser_next(parser, "a word");

	for (; list->name; list++)
		if (strcmp(list->name, word) == 0)
			return get_value(parser, list);
	return fdo_fail(parser->err, "what is '%.40s'?", word);
}

bool parser_left(const struct parser *parser)
{
	return parser->at < parser->words.count;
}

bool parser_attributes(struct parser *parser, struct parser_attribute *list)
{
	while (parser_left(parser))
		if (!parser_attribute(parser, list))
			return false;
	return true;
}

bool parser_next_is(struct parser *parser, const char *word)
{
	if (!parser_left(parser) ||
	    strcmp(parser->words.word[parser->at], word) != 0)
		return false;
	parser->at++;
	return true;
}
