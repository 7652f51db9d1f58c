/*
 * parse_function.c - functions of the text form, and what they have.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "profile/parse_private.h"
#include "profile/values.h"

/* A number that ends at one of the characters, and what it ends at. */
static bool part(struct parser *parser, char *text, const char *ends,
		 uint64_t most, uint64_t *ret, char **rest, char *end)
{
	size_t size = strcspn(text, ends);

	*end = text[size];
	*rest = text + size + (*end != 0);
	text[size] = 0;
	return words_number(text, most, ret, parser->err);
}

static bool split_key(struct parser *parser, char *text,
		      struct profile_key *key)
{
	bool negative = *text == '-';
	uint64_t line = 0, column = 0, discriminator = PROFILE_ANY;
	char end;

	if (!part(parser, text + negative, ":.", (uint64_t)INT32_MAX + negative,
		  &line, &text, &end))
		return false;
	if (negative && line == 0)
		return fdo_fail(parser->err, "'-0' is not a number");
	if (end == ':' &&
	    !part(parser, text, ".", UINT32_MAX, &column, &text, &end))
		return false;
	if (end == '.' && strcmp(text, "begin") == 0)
		discriminator = PROFILE_BEGIN;
	else if (end == '.' && !part(parser, text, "", PROFILE_ANY - 1,
				     &discriminator, &text, &end))
		return false;
	key->line = negative ? -(int64_t)line : (int64_t)line;
	key->column = column;
	key->discriminator = discriminator;
	return true;
}

/* LINE[:COLUMN][.DISCRIMINATOR|.begin] [in FILE], or "entry" */
static bool get_key(struct parser *parser, struct profile_key *key)
{
	const char *word;
	char text[64];

	if (parser_next_is(parser, "entry")) {
		*key = profile_entry_key();
		return true;
	}
	word = parser_next(parser, "a line");
	if (!word)
		return false;
	if (strlen(word) >= sizeof(text))
		return fdo_fail(parser->err, "'%.40s' is not a line", word);
	strcpy(text, word);
	*key = (struct profile_key){ 0 };
	if (!split_key(parser, text, key))
		return false;
	if (!parser_next_is(parser, "in"))
		return true;
	key->file = parser_next(parser, "in");
	return key->file;
}

static bool get_target(struct parser *parser, struct profile_count *count)
{
	const char *name = parser_next(parser, "call");
	uint64_t times = 0;

	if (!name || !parser_number(parser, "call", PROFILE_MAX, &times))
		return false;
	profile_add_target(parser->p, count, name, times);
	return true;
}

static bool get_count_value(struct parser *parser, enum profile_kind kind,
			    struct profile_count *count)
{
	const char *word = parser_next(parser, "a value");
	struct profile_value value = { .kind = kind };

	if (!word || !values_value(word, &value, parser->err) ||
	    !parser_number(parser, "a value's count", PROFILE_MAX,
			   &value.count))
		return false;
	profile_add_value(count, &value);
	return true;
}

/* Of call targets and values. */
static bool is_each_once(struct parser *parser, struct profile_count *count)
{
	size_t targets = count->ntargets;
	uint32_t values = count->nvalues;

	profile_sort_targets(count);
	if (count->ntargets != targets)
		return fdo_fail(parser->err, "a function is called twice");
	values_sort(count);
	if (count->nvalues != values)
		return fdo_fail(parser->err, "a value is there twice");
	return true;
}

/* Of what there may be several; *known: the next word is one of these. */
static bool get_one_of_many(struct parser *parser, struct profile_count *count,
			    bool *known)
{
	enum profile_kind kind;

	*known = true;
	if (parser_next_is(parser, "call"))
		return get_target(parser, count);
	*known = values_kind(parser->words.word[parser->at], &kind);
	if (!*known)
		return true;
	parser->at++;
	return get_count_value(parser, kind, count);
}

bool parse_count(struct parser *parser, struct profile_body *body)
{
	bool cond = false, merged = false;
	size_t before = body->ncounts;
	struct profile_count *count;
	struct profile_key key;

	if (!get_key(parser, &key))
		return false;
	count = profile_count_at(parser->p, body, key);
	if (body->ncounts == before)
		return fdo_fail(parser->err, "the same key is there twice");

	struct parser_attribute list[] = {
		{ "count", .number = &count->count, .most = PROFILE_MAX },
		{ "error", .number = &count->error, .most = PROFILE_MAX },
		{ "error-rest", .number = &count->error_rest,
		  .most = 2 * PROFILE_MAX },
		{ "cond", .there = &cond },
		{ "merged", .there = &merged },
		{ 0 },
	};
	while (parser_left(parser)) {
		bool known;

		if (!get_one_of_many(parser, count, &known) ||
		    (!known && !parser_attribute(parser, list)))
			return false;
	}
	if (!list[0].seen)
		return fdo_fail(parser->err, "'count' is missing");
	if (count->error_rest > 2 * count->error ||
	    (count->error_rest && count->error == PROFILE_MAX))
		return fdo_fail(parser->err, "'error-rest' is too large");
	count->flags =
		(cond ? PROFILE_COND : 0) | (merged ? PROFILE_MERGED : 0);
	return is_each_once(parser, count);
}

bool parse_inlined(struct parser *parser, struct profile_body *in)
{
	const char *name, *file = NULL;
	size_t before = in->ninlined;
	uint64_t line = 0, total = 0;
	struct profile_body *body;
	struct profile_key call;
	struct parser_attribute list[] = {
		{ "file", .text = &file },
		{ "line", .number = &line, .most = UINT32_MAX },
		{ "total", .number = &total, .most = PROFILE_MAX },
		{ 0 },
	};

	if (!get_key(parser, &call))
		return false;
	if (!parser_next_is(parser, "function"))
		return fdo_fail(parser->err, "'function' is missing");
	name = parser_next(parser, "a name");
	if (!name || !parser_attributes(parser, list))
		return false;
	if (parser->nbodies > PROFILE_DEPTH)
		return fdo_fail(parser->err, "bodies are nested too deep");
	body = profile_add_inlined(parser->p, in, call, name, file, line);
	if (in->ninlined == before)
		return fdo_fail(parser->err, "the same is inlined twice");
	body->total = total;
	parser->bodies[parser->nbodies++] = body;
	return true;
}

static bool get_source(struct parser *parser, struct profile_function *f)
{
	size_t before = f->nbinaries;
	uint64_t binary = 0;

	if (!parser_number(parser, "from", UINT32_MAX, &binary))
		return false;
	if (binary >= parser->p->nbinaries)
		return fdo_fail(parser->err, "there is no binary %" PRIu64,
				binary);
	profile_add_source(f, binary);
	if (f->nbinaries == before)
		return fdo_fail(parser->err, "it is twice from binary %" PRIu64,
				binary);
	return true;
}

/* The name, file and line come first: they say which function it is. */
bool parse_function(struct parser *parser)
{
	struct profile *p = parser->p;
	size_t before = p->nfunctions;
	const char *name = parser_next(parser, "a name"), *file = NULL;
	struct profile_function *f;
	uint64_t line = 0;

	if (!name ||
	    (parser_next_is(parser, "file") &&
	     !(file = parser_next(parser, "file"))) ||
	    (parser_next_is(parser, "line") &&
	     !parser_number(parser, "line", UINT32_MAX, &line)))
		return false;
	f = profile_add_function(p, name, file, line);
	if (p->nfunctions == before)
		return fdo_fail(parser->err, "the function is there twice");
	parser->bodies[0] = &f->body;
	parser->nbodies = 1;

	struct parser_attribute list[] = {
		{ "total", .number = &f->body.total, .most = PROFILE_MAX },
		{ "entry", .number = &f->entry, .most = PROFILE_MAX },
		{ "samples", .number = &f->samples, .most = PROFILE_MAX },
		{ "first-use", .number = &f->first_use, .most = PROFILE_MAX },
		{ 0 },
	};
	while (parser_left(parser))
		if (parser_next_is(parser, "from")
			    ? !get_source(parser, f)
			    : !parser_attribute(parser, list))
			return false;
	return true;
}
