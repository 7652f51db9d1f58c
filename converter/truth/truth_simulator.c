/*
 * truth_simulator.c - what testsuite/pmusim writes beside its samples: after
 * "object PATH ..." the instructions and edges of that file, by file offset.
 *
 *	i OFFSET COUNT
 *	e FROM TO KIND COUNT
 */
#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "converter/binary/object.h"
#include "converter/truth/truth_private.h"

static bool number(char **line, int base, uint64_t *ret)
{
	const char *word = truth_word(line);

	return word && fdo_text_number(word, base, ret);
}

static bool read_instruction(struct truth *t, const struct fdo_text *text,
			     struct fdo_error *err)
{
	uint64_t offset, address, count;
	char *rest = text->line + 1;

	if (!number(&rest, 16, &offset) || !number(&rest, 10, &count))
		return fdo_text_fail(text, err, "not \"i OFFSET COUNT\"");
	if (object_address(t->object, offset, &address))
		*fdo_map_at(t->executions, address) += count;
	return true;
}

/* What falls through is what does not leave. */
static bool read_edge(struct truth *t, const struct fdo_text *text,
		      struct fdo_error *err)
{
	uint64_t from, to, count;
	const char *kind = NULL;
	char *rest = text->line + 1;

	if (!number(&rest, 16, &from) || !number(&rest, 16, &to) ||
	    !(kind = truth_word(&rest)) || !number(&rest, 10, &count))
		return fdo_text_fail(text, err, "not \"e FROM TO KIND COUNT\"");
	if (strcmp(kind, "taken") != 0 && strcmp(kind, "jump") != 0 &&
	    strcmp(kind, "indirect") != 0)
		return true;
	if (object_address(t->object, from, &from) &&
	    object_address(t->object, to, &to))
		truth_add_jump(t, from, to, count);
	return true;
}

/* "object PATH build-id HEX": the path may have blanks. */
static bool is_ours(const struct truth *t, char *line)
{
	char *end = strstr(line, " build-id ");

	if (end)
		*end = '\0';
	return truth_is_object(t, line + strlen("object "));
}

bool truth_read_simulator(struct truth *t, struct fdo_text *text,
			  struct fdo_error *err)
{
	bool ours = false, done = true;

	while (done && fdo_text_next(text, &done, err)) {
		if (strncmp(text->line, "object ", 7) == 0)
			ours = is_ours(t, text->line);
		else if (ours && strncmp(text->line, "i ", 2) == 0)
			done = read_instruction(t, text, err);
		else if (ours && strncmp(text->line, "e ", 2) == 0)
			done = read_edge(t, text, err);
	}
	return done;
}
