/*
 * parse_outer.c - what the text form says of all of a profile.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "profile/parse_private.h"

bool parse_event(struct parser *parser)
{
	struct profile *p = parser->p;
	const char *name = parser_next(parser, "a name"), *role;
	size_t before = p->nevents;
	struct profile_event *event;

	if (!name)
		return false;
	role = parser_next_is(parser, "role") ? parser_next(parser, "role")
					      : NULL;
	if (!role)
		return fdo_fail(parser->err, "'role' is missing");
	event = profile_add_event(p, name, role);
	if (p->nevents == before)
		return fdo_fail(parser->err, "the event is there twice");

	struct parser_attribute list[] = {
		{ "period", .number = &event->period, .most = PROFILE_MAX },
		{ "period-rest", .number = &event->period_rest,
		  .most = PROFILE_MAX },
		{ "samples", .number = &event->samples, .most = PROFILE_MAX },
		{ "mapped", .number = &event->mapped, .most = PROFILE_MAX },
		{ 0 },
	};
	if (!parser_attributes(parser, list))
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

bool parse_binary(struct parser *parser)
{
	const char *name = parser_next(parser, "a name"), *id = NULL;
	struct profile_binary binary = { 0 };
	size_t before = parser->p->nbinaries;
	struct parser_attribute list[] = {
		{ "build-id", .text = &id },
		{ "no-frontiers", .there = &binary.no_frontiers },
		{ 0 },
	};

	if (!name || !parser_attributes(parser, list) ||
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
	const char *word = parser_next(parser, what);

	if (!word)
		return false;
	if (strlen(word) != 8 || strspn(word, "0123456789abcdef") != 8)
		return fdo_fail(parser->err, "'%.40s' is not a hash", word);
	*ret = strtoul(word, NULL, 16);
	return true;
}

bool parse_unsampled(struct parser *parser)
{
	struct profile_unsampled u = { 0 };
	uint64_t line = 0, lines = 0, samples = 0;
	struct parser_attribute list[] = {
		{ "line", .number = &line, .most = UINT32_MAX },
		{ "lines", .number = &lines, .most = UINT32_MAX },
		{ "samples", .number = &samples, .most = UINT32_MAX },
		{ 0 },
	};

	if (!get_hash(parser, "a hash", &u.name))
		return false;
	if (!parser_next_is(parser, "in"))
		return fdo_fail(parser->err, "'in' is missing");
	if (!get_hash(parser, "in", &u.file) ||
	    !parser_attributes(parser, list))
		return false;
	u.line = line;
	u.lines = lines;
	u.samples = samples;
	profile_add_unsampled(parser->p, &u);
	return true;
}

bool parse_cutoff(struct parser *parser)
{
	struct profile *p = parser->p;
	struct profile_cutoff cutoff = { 0 };
	size_t room = p->ncutoffs;
	uint64_t share = 0;
	struct parser_attribute list[] = {
		{ "min-count", .number = &cutoff.min_count,
		  .most = PROFILE_MAX },
		{ "blocks", .number = &cutoff.blocks, .most = PROFILE_MAX },
		{ 0 },
	};

	if (!parser_number(parser, "a share", 1000000, &share) ||
	    !parser_attributes(parser, list))
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

bool parse_text(struct parser *parser, const char **ret)
{
	const char *text = parser_next(parser, "a word");

	if (!text)
		return false;
	if (*ret)
		return fdo_fail(parser->err, "it is there twice");
	*ret = profile_text(parser->p, text);
	return true;
}

bool parse_max_count(struct parser *parser)
{
	if (parser->has_max_count)
		return fdo_fail(parser->err, "it is there twice");
	parser->has_max_count = true;
	return parser_number(parser, "max-count", PROFILE_MAX,
			     &parser->p->max_count);
}
