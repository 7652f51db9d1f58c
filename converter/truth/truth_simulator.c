/*
 * truth_simulator.c - what testsuite/pmusim writes beside its samples: after
 * "object PATH ..." the instructions and edges of that file, by file offset.
 *
 *	i OFFSET COUNT
 *	e FROM TO KIND COUNT
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "converter/binary/object.h"
#include "converter/truth/truth_private.h"

static bool read_instruction(struct truth *t, const struct truth_text *text,
			     struct fdo_error *err)
{
	uint64_t offset, address, count;

	if (sscanf(text->line, "i %" SCNx64 " %" SCNu64, &offset, &count) != 2)
		return truth_fail(text, err, "not \"i OFFSET COUNT\"");
	if (object_address(t->object, offset, &address))
		*fdo_map_at(t->executions, address) += count;
	return true;
}

/* What falls through is what does not leave. */
static bool read_edge(struct truth *t, const struct truth_text *text,
		      struct fdo_error *err)
{
	uint64_t from, to, count;
	char kind[16];

	if (sscanf(text->line, "e %" SCNx64 " %" SCNx64 " %15s %" SCNu64, &from,
		   &to, kind, &count) != 4)
		return truth_fail(text, err, "not \"e FROM TO KIND COUNT\"");
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

bool truth_read_simulator(struct truth *t, struct truth_text *text,
			  struct fdo_error *err)
{
	bool ours = false, done = true;

	while (done && truth_next_line(text)) {
		if (strncmp(text->line, "object ", 7) == 0)
			ours = is_ours(t, text->line);
		else if (ours && strncmp(text->line, "i ", 2) == 0)
			done = read_instruction(t, text, err);
		else if (ours && strncmp(text->line, "e ", 2) == 0)
			done = read_edge(t, text, err);
	}
	return done;
}
