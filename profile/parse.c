/*
 * parse.c - the text form back into a profile; print.c writes it.
 *
 * How deep a line is indented says which body it belongs to: the last one
 * that began with one blank less.  After the words with a fixed place,
 * attributes may come in any order.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "profile/private.h"
#include "profile/profile.h"
#include "profile/values.h"
#include "profile/words.h"

struct parser {
	struct profile *p;
	struct words words;
	size_t at; /* the next word */
	struct profile_body *bodies[PROFILE_DEPTH + 1];
	size_t nbodies; /* of which a line may belong to the last or more */
	bool has_max_count;
	struct fdo_error *err;
};

/* NAME VALUE, or a NAME alone; each at most once. */
struct attribute {
	const char *name;
	uint64_t *number; /* one of these three */
	const char **text;
	bool *there;
	uint64_t most; /* of a number */
	bool seen;
};

static const char *next(struct parser *parser, const char *what)
{
	if (parser->at < parser->words.count)
		return parser->words.word[parser->at++];
	fdo_fail(parser->err, "%s is missing", what);
	return NULL;
}

static bool number(struct parser *parser, const char *what, uint64_t most,
		   uint64_t *ret)
{
	const char *word = next(parser, what);

	return word && words_number(word, most, ret, parser->err);
}

static bool get_value(struct parser *parser, struct attribute *a)
{
	if (a->seen)
		return fdo_fail(parser->err, "'%s' is given twice", a->name);
	a->seen = true;
	if (a->there) {
		*a->there = true;
		return true;
	}
	if (a->number)
		return number(parser, a->name, a->most, a->number);
	*a->text = profile_text(parser->p, next(parser, a->name));
	return *a->text;
}

/* The next attribute, which must be in the list that ends without name. */
static bool attribute(struct parser *parser, struct attribute *list)
{
	const char *word = next(parser, "a word");

	for (; list->name; list++)
		if (strcmp(list->name, word) == 0)
			return get_value(parser, list);
	return fdo_fail(parser->err, "what is '%.40s'?", word);
}

static bool left(const struct parser *parser)
{
	return parser->at < parser->words.count;
}

static bool attributes(struct parser *parser, struct attribute *list)
{
	while (left(parser))
		if (!attribute(parser, list))
			return false;
	return true;
}

static bool next_is(struct parser *parser, const char *word)
{
	if (!left(parser) || strcmp(parser->words.word[parser->at], word) != 0)
		return false;
	parser->at++;
	return true;
}

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

	if (next_is(parser, "entry")) {
		*key = profile_entry_key();
		return true;
	}
	word = next(parser, "a line");
	if (!word)
		return false;
	if (strlen(word) >= sizeof(text))
		return fdo_fail(parser->err, "'%.40s' is not a line", word);
	strcpy(text, word);
	*key = (struct profile_key){ 0 };
	if (!split_key(parser, text, key))
		return false;
	if (!next_is(parser, "in"))
		return true;
	key->file = next(parser, "in");
	return key->file;
}

static bool get_target(struct parser *parser, struct profile_count *count)
{
	const char *name = next(parser, "call");
	uint64_t times = 0;

	if (!name || !number(parser, "call", PROFILE_MAX, &times))
		return false;
	profile_add_target(parser->p, count, name, times);
	return true;
}

static bool get_count_value(struct parser *parser, enum profile_kind kind,
			    struct profile_count *count)
{
	const char *word = next(parser, "a value");
	struct profile_value value = { .kind = kind };

	if (!word || !values_value(word, &value, parser->err) ||
	    !number(parser, "a value's count", PROFILE_MAX, &value.count))
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
	if (next_is(parser, "call"))
		return get_target(parser, count);
	*known = values_kind(parser->words.word[parser->at], &kind);
	if (!*known)
		return true;
	parser->at++;
	return get_count_value(parser, kind, count);
}

static bool parse_count(struct parser *parser, struct profile_body *body)
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

	struct attribute list[] = {
		{ "count", .number = &count->count, .most = PROFILE_MAX },
		{ "error", .number = &count->error, .most = PROFILE_MAX },
		{ "error-rest", .number = &count->error_rest,
		  .most = 2 * PROFILE_MAX },
		{ "cond", .there = &cond },
		{ "merged", .there = &merged },
		{ 0 },
	};
	while (left(parser)) {
		bool known;

		if (!get_one_of_many(parser, count, &known) ||
		    (!known && !attribute(parser, list)))
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

static bool parse_inlined(struct parser *parser, struct profile_body *in)
{
	const char *name, *file = NULL;
	size_t before = in->ninlined;
	uint64_t line = 0, total = 0;
	struct profile_body *body;
	struct profile_key call;
	struct attribute list[] = {
		{ "file", .text = &file },
		{ "line", .number = &line, .most = UINT32_MAX },
		{ "total", .number = &total, .most = PROFILE_MAX },
		{ 0 },
	};

	if (!get_key(parser, &call))
		return false;
	if (!next_is(parser, "function"))
		return fdo_fail(parser->err, "'function' is missing");
	name = next(parser, "a name");
	if (!name || !attributes(parser, list))
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

	if (!number(parser, "from", UINT32_MAX, &binary))
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
static bool parse_function(struct parser *parser)
{
	struct profile *p = parser->p;
	size_t before = p->nfunctions;
	const char *name = next(parser, "a name"), *file = NULL;
	struct profile_function *f;
	uint64_t line = 0;

	if (!name ||
	    (next_is(parser, "file") && !(file = next(parser, "file"))) ||
	    (next_is(parser, "line") &&
	     !number(parser, "line", UINT32_MAX, &line)))
		return false;
	f = profile_add_function(p, name, file, line);
	if (p->nfunctions == before)
		return fdo_fail(parser->err, "the function is there twice");
	parser->bodies[0] = &f->body;
	parser->nbodies = 1;

	struct attribute list[] = {
		{ "total", .number = &f->body.total, .most = PROFILE_MAX },
		{ "entry", .number = &f->entry, .most = PROFILE_MAX },
		{ "samples", .number = &f->samples, .most = PROFILE_MAX },
		{ "first-use", .number = &f->first_use, .most = PROFILE_MAX },
		{ 0 },
	};
	while (left(parser))
		if (next_is(parser, "from") ? !get_source(parser, f)
					    : !attribute(parser, list))
			return false;
	return true;
}

static bool parse_event(struct parser *parser)
{
	struct profile *p = parser->p;
	const char *name = next(parser, "a name"), *role;
	size_t before = p->nevents;
	struct profile_event *event;

	if (!name)
		return false;
	role = next_is(parser, "role") ? next(parser, "role") : NULL;
	if (!role)
		return fdo_fail(parser->err, "'role' is missing");
	event = profile_add_event(p, name, role);
	if (p->nevents == before)
		return fdo_fail(parser->err, "the event is there twice");

	struct attribute list[] = {
		{ "period", .number = &event->period, .most = PROFILE_MAX },
		{ "period-rest", .number = &event->period_rest,
		  .most = PROFILE_MAX },
		{ "samples", .number = &event->samples, .most = PROFILE_MAX },
		{ "mapped", .number = &event->mapped, .most = PROFILE_MAX },
		{ 0 },
	};
	if (!attributes(parser, list))
		return false;
	if (event->period_rest && event->period_rest >= event->samples)
		return fdo_fail(parser->err, "'period-rest' is too large");
	return true;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
				      : -1;
}

static bool get_build_id(struct parser *parser, const char *text,
			 struct profile_binary *binary)
{
	size_t size = strlen(text);

	if (size % 2 || size == 0 || size / 2 > sizeof(binary->build_id))
		return fdo_fail(parser->err, "'%.50s' is not a build-id", text);
	for (size_t i = 0; i < size; i += 2) {
		int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);

		if (high < 0 || low < 0)
			return fdo_fail(parser->err,
					"'%.50s' is not a build-id", text);
		binary->build_id[i / 2] = high << 4 | low;
	}
	binary->build_id_size = size / 2;
	return true;
}

static bool parse_binary(struct parser *parser)
{
	const char *name = next(parser, "a name"), *id = NULL;
	struct profile_binary binary = { 0 };
	size_t before = parser->p->nbinaries;
	struct attribute list[] = {
		{ "build-id", .text = &id },
		{ "no-frontiers", .there = &binary.no_frontiers },
		{ 0 },
	};

	if (!name || !attributes(parser, list) ||
	    (id && !get_build_id(parser, id, &binary)))
		return false;
	binary.name = name;
	profile_add_binary(parser->p, &binary);
	if (parser->p->nbinaries == before)
		return fdo_fail(parser->err, "the binary is there twice");
	return true;
}

static bool get_hash(struct parser *parser, const char *what, uint32_t *ret)
{
	const char *word = next(parser, what);

	if (!word)
		return false;
	if (strlen(word) != 8 || strspn(word, "0123456789abcdef") != 8)
		return fdo_fail(parser->err, "'%.40s' is not a hash", word);
	*ret = strtoul(word, NULL, 16);
	return true;
}

static bool parse_unsampled(struct parser *parser)
{
	struct profile_unsampled u = { 0 };
	uint64_t line = 0, lines = 0, samples = 0;
	struct attribute list[] = {
		{ "line", .number = &line, .most = UINT32_MAX },
		{ "lines", .number = &lines, .most = UINT32_MAX },
		{ "samples", .number = &samples, .most = UINT32_MAX },
		{ 0 },
	};

	if (!get_hash(parser, "a hash", &u.name))
		return false;
	if (!next_is(parser, "in"))
		return fdo_fail(parser->err, "'in' is missing");
	if (!get_hash(parser, "in", &u.file) || !attributes(parser, list))
		return false;
	u.line = line;
	u.lines = lines;
	u.samples = samples;
	profile_add_unsampled(parser->p, &u);
	return true;
}

static bool parse_cutoff(struct parser *parser)
{
	struct profile *p = parser->p;
	struct profile_cutoff cutoff = { 0 };
	size_t room = p->ncutoffs;
	uint64_t share = 0;
	struct attribute list[] = {
		{ "min-count", .number = &cutoff.min_count,
		  .most = PROFILE_MAX },
		{ "blocks", .number = &cutoff.blocks, .most = PROFILE_MAX },
		{ 0 },
	};

	if (!number(parser, "a share", 1000000, &share) ||
	    !attributes(parser, list))
		return false;
	cutoff.share = share;
	for (size_t i = 0; i < p->ncutoffs; i++)
		if (p->cutoffs[i].share == cutoff.share)
			return fdo_fail(parser->err,
					"the cutoff is there twice");
	p->cutoffs = fdo_grow(p->cutoffs, p->ncutoffs, &room, sizeof(cutoff));
	p->cutoffs[p->ncutoffs++] = cutoff;
	return true;
}

static bool parse_text(struct parser *parser, const char **ret)
{
	const char *text = next(parser, "a word");

	if (!text)
		return false;
	if (*ret)
		return fdo_fail(parser->err, "it is there twice");
	*ret = profile_text(parser->p, text);
	return true;
}

static bool parse_max_count(struct parser *parser)
{
	if (parser->has_max_count)
		return fdo_fail(parser->err, "it is there twice");
	parser->has_max_count = true;
	return number(parser, "max-count", PROFILE_MAX, &parser->p->max_count);
}

/* A line that is not indented, but for its attributes after the last. */
static bool parse_outer(struct parser *parser)
{
	if (next_is(parser, "function"))
		return parse_function(parser);
	if (next_is(parser, "event"))
		return parse_event(parser);
	if (next_is(parser, "binary"))
		return parse_binary(parser);
	if (next_is(parser, "cutoff"))
		return parse_cutoff(parser);
	if (next_is(parser, "unsampled"))
		return parse_unsampled(parser);
	if (next_is(parser, "tool"))
		return parse_text(parser, &parser->p->tool);
	if (next_is(parser, "model"))
		return parse_text(parser, &parser->p->model);
	if (next_is(parser, "max-count"))
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
	if (next_is(parser, "at"))
		return parse_count(parser, body);
	if (next_is(parser, "inlined"))
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
	if (left(parser))
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
