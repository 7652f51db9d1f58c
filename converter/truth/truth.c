#include "converter/truth/truth.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "converter/binary/object.h"
#include "converter/truth/truth_private.h"

static const char callgrind[] = "# callgrind format";
static const char simulator[] = "pmusim-truth 1";

char *truth_word(char **line)
{
	char *word;

	do
		word = strsep(line, " \t");
	while (word && !*word);
	return word;
}

/*
 * By the name alone: the binary may have been moved since.  What the user
 * names may be a link to it, libx.so.1 to libx.so.1.2 say.
 */
bool truth_is_object(const struct truth *t, const char *path)
{
	const char *name = fdo_file_base(path);

	return strcmp(name, fdo_file_base(t->object->path)) == 0 ||
	       (t->real_path && strcmp(name, fdo_file_base(t->real_path)) == 0);
}

void truth_add_jump(struct truth *t, uint64_t from, uint64_t to, uint64_t count)
{
	*fdo_map_at(t->jumps, from << 32 | (to & 0xffffffff)) += count;
	*fdo_map_at(t->leaves, from) += count;
}

bool truth_is(const char *path)
{
	return fdo_text_begins(path, callgrind) ||
	       fdo_text_begins(path, simulator);
}

static bool begins(const struct fdo_text *text, const char *what)
{
	return strncmp(text->line, what, strlen(what)) == 0;
}

static bool read_any(struct truth *t, struct fdo_text *text,
		     struct fdo_error *err)
{
	bool good = true;

	if (!fdo_text_next(text, &good, err))
		return good &&
		       fdo_fail(err, "%s: the file is empty", text->path);
	if (begins(text, callgrind))
		return truth_read_callgrind(t, text, err);
	if (begins(text, simulator))
		return truth_read_simulator(t, text, err);
	return fdo_text_fail(text, err,
			     "neither callgrind's output nor the simulator's");
}

struct truth *truth_read(const char *path, const struct object *object,
			 struct fdo_error *err)
{
	struct truth *t = fdo_alloc(1, sizeof(*t));
	struct fdo_text text;
	bool done;

	t->object = object;
	t->path = fdo_copy(path);
	t->real_path = realpath(object->path, NULL);
	t->executions = fdo_map_new();
	t->jumps = fdo_map_new();
	t->leaves = fdo_map_new();
	done = fdo_text_open(&text, path, err) && read_any(t, &text, err);
	fdo_text_close(&text);
	if (done && fdo_map_size(t->executions) == 0)
		done = fdo_fail(err, "%s: no instruction of %s is in it", path,
				object->path);
	if (!done) {
		truth_free(t);
		return NULL;
	}
	return t;
}

bool truth_has_jumps(const struct truth *t, struct fdo_error *err)
{
	return !t->without_jumps ||
	       fdo_fail(err, "%s: no jumps: " TRUTH_HOW_TO_RUN, t->path);
}

void truth_free(struct truth *t)
{
	if (!t)
		return;
	fdo_map_free(t->executions);
	fdo_map_free(t->jumps);
	fdo_map_free(t->leaves);
	free(t->real_path);
	free(t->path);
	free(t);
}

static uint64_t value(const struct fdo_map *map, uint64_t key)
{
	const uint64_t *found = fdo_map_get(map, key);

	return found ? *found : 0;
}

uint64_t truth_executions(const struct truth *t, uint64_t address)
{
	return value(t->executions, address);
}

uint64_t truth_jumps(const struct truth *t, uint64_t from, uint64_t to)
{
	return value(t->jumps, from << 32 | (to & 0xffffffff));
}

uint64_t truth_leaves(const struct truth *t, uint64_t from)
{
	return value(t->leaves, from);
}

uint64_t *truth_addresses(const struct truth *t, size_t *n_ret)
{
	*n_ret = fdo_map_size(t->executions);
	return fdo_map_keys(t->executions);
}
