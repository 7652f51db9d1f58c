/*
 * parse.c - the text form back into a profile; print.c writes it.
 *
 * How deep a line is indented says which body it belongs to: the last one
 * that began with one blank less.  After the words with a fixed place,
 * attributes may come in any order.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "profile/parse_private.h"

/* A line that is not indented, but for its attributes after the last. */
static bool parse_outer(struct parser *parser)
{
	if (parser_next_is(parser, "function"))
		return parse_function(parser);
	if (parser_next_is(parser, "event"))
		return parse_event(parser);
	if (parser_next_is(parser, "binary"))
		return parse_binary(parser);
	if (parser_next_is(parser, "cutoff"))
		return parse_cutoff(parser);
	if (parser_next_is(parser, "unsampled"))
		return parse_unsampled(parser);
	if (parser_next_is(parser, "tool"))
		return parse_text(parser, &parser->p->tool);
	if (parser_next_is(parser, "model"))
		return parse_text(parser, &parser->p->model);
	if (parser_next_is(parser, "max-count"))
		return parse_max_count(parser);
	return fdo_fail(parser->err, "what is '%.40s'?", parser->words.word[0]);
}

static bool parse_inner(struct parser *parser)
{
	struct profile_body *body;

	if (parser->words.indent > parser->nbodies)
		return fdo_fail(parser->err, "indented too deep");
	parser->nbodies = parser->words.indent;
	body = parser->bodies[parser->nbodies - 1];
	if (parser_next_is(parser, "at"))
		return parse_count(parser, body);
	if (parser_next_is(parser, "inlined"))
		return parse_inlined(parser, body);
	return fdo_fail(parser->err, "what is '%.40s'?", parser->words.word[0]);
}

static bool parse_line(struct parser *parser, char *line, size_t size)
{
	if (size && line[size - 1] == '\n')
		line[--size] = 0;
	if (memchr(line, 0, size))
		return fdo_fail(parser->err, "a NUL character");
	if (!words_split(&parser->words, line, parser->err))
		return false;
	parser->at = 0;
	if (parser->words.count == 0)
		return true;
	if (parser->words.indent ? !parse_inner(parser) : !parse_outer(parser))
		return false;
	if (parser_left(parser))
		return fdo_fail(parser->err, "what is '%.40s'?",
				parser->words.word[parser->at]);
	return true;
}

static bool parse_start(const char *line, struct fdo_error *err)
{
	if (strncmp(line, PROFILE_TEXT_START, strlen(PROFILE_TEXT_START)) != 0)
		return fdo_fail(err, "not a profile of samplefdo");
	line += strlen(PROFILE_TEXT_START);
	if (*line < '1' || *line > '3' ||
	    (strcmp(line + 1, "\n") != 0 && strcmp(line + 1, "") != 0))
		return fdo_fail(err, "a version of the text form that this "
				     "program does not read");
	return true;
}

static bool parse_all(struct parser *parser, FILE *stream, const char *name)
{
	struct fdo_error *err = parser->err;
	unsigned long number = 0;
	char *line = NULL;
	size_t room = 0;
	ssize_t size;
	bool good = true;

	while (good && (size = getline(&line, &room, stream)) >= 0) {
		number++;
		if (line[size - 1] != '\n')
			good = fdo_fail(err, "the line is cut off");
		else if (number == 1)
			good = parse_start(line, err);
		else
			good = parse_line(parser, line, size);
	}
	free(line);
	if (!good)
		return fdo_fail(err, "%s:%lu: %s", name, number, err->text);
	if (ferror(stream))
		return fdo_fail(err, "%s: cannot read", name);
	if (number == 0)
		return fdo_fail(err, "%s: not a profile of samplefdo", name);
	return true;
}

struct profile *profile_parse(FILE *stream, const char *name,
			      struct fdo_error *err)
{
	struct parser parser = { .p = profile_new(), .err = err };
	bool good = parse_all(&parser, stream, name);
	size_t unsampled;

	free(parser.words.word);
	if (!good) {
		profile_free(parser.p);
		return NULL;
	}
	unsampled = parser.p->nunsampled;
	profile_sort(parser.p);
	if (parser.p->nunsampled != unsampled) {
		fdo_fail(err,
			 "%s: %zu of the unsampled functions were sampled, or "
			 "are there twice",
			 name, unsampled - parser.p->nunsampled);
		profile_free(parser.p);
		return NULL;
	}
	return parser.p;
}
