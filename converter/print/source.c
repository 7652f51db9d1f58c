#include "converter/print/source.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

/* A file that was asked for; without lines if it cannot be read. */
struct text {
	const char *compiled, *name;
	struct fdo_file file;
	bool open;
	bool newer;	/* than the program */
	size_t *starts; /* nlines + 1, the last one behind the end */
	size_t nlines;
};

struct source {
	const char *const *folders;
	size_t nfolders;
	struct timespec built;
	struct text *texts; /* in the order they were asked for */
	size_t ntexts, room;
	size_t last; /* asked for */
};

struct source *source_new(const char *const *folders, size_t nfolders,
			  const struct timespec *built)
{
	struct source *s = fdo_alloc(1, sizeof(*s));

	s->folders = folders;
	s->nfolders = nfolders;
	s->built = *built;
	return s;
}

void source_free(struct source *s)
{
	for (size_t i = 0; i < s->ntexts; i++) {
		if (s->texts[i].open)
			fdo_file_close(&s->texts[i].file);
		free(s->texts[i].starts);
	}
	free(s->texts);
	free(s);
}

static bool is_newer(const char *path, const struct timespec *than)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return false;
	return status.st_mtim.tv_sec == than->tv_sec
		       ? status.st_mtim.tv_nsec > than->tv_nsec
		       : status.st_mtim.tv_sec > than->tv_sec;
}

static bool open_at(const struct source *s, struct text *t, const char *folder,
		    const char *name)
{
	struct fdo_error ignored;
	char path[PATH_MAX];

	if (folder && (size_t)snprintf(path, sizeof(path), "%s/%s", folder,
				       name) >= sizeof(path))
		return false;
	if (folder)
		name = path;
	t->newer = is_newer(name, &s->built);
	return fdo_file_open(&t->file, name, &ignored);
}

static bool open_text(const struct source *s, struct text *t)
{
	const char *base = strrchr(t->name, '/');

	base = base ? base + 1 : t->name;
	if (t->name[0] == '/')
		t->open = open_at(s, t, NULL, t->name);
	else
		t->open = t->compiled && open_at(s, t, t->compiled, t->name);
	for (size_t i = 0; !t->open && i < s->nfolders; i++)
		t->open = open_at(s, t, s->folders[i], t->name) ||
			  open_at(s, t, s->folders[i], base);
	return t->open;
}

static void find_lines(struct text *t)
{
	const char *data = (const char *)t->file.data;
	size_t size = t->file.size, room = 0;

	for (size_t at = 0; at < size;) {
		const char *end = memchr(data + at, '\n', size - at);

		t->starts = fdo_grow(t->starts, t->nlines + 1, &room,
				     sizeof(*t->starts));
		t->starts[t->nlines++] = at;
		at = end ? (size_t)(end - data) + 1 : size + 1;
		t->starts[t->nlines] = at;
	}
}

static bool is_text(const struct text *t, const char *compiled,
		    const char *name)
{
	return strcmp(t->name, name) == 0 &&
	       strcmp(t->compiled ? t->compiled : "",
		      compiled ? compiled : "") == 0;
}

static struct text *find_text(struct source *s, const char *compiled,
			      const char *name)
{
	struct text *t;

	if (s->last < s->ntexts && is_text(&s->texts[s->last], compiled, name))
		return &s->texts[s->last];
	for (s->last = 0; s->last < s->ntexts; s->last++)
		if (is_text(&s->texts[s->last], compiled, name))
			return &s->texts[s->last];
	s->texts = fdo_grow(s->texts, s->ntexts, &s->room, sizeof(*s->texts));
	t = &s->texts[s->ntexts++];
	*t = (struct text){ .compiled = compiled, .name = name };
	if (open_text(s, t))
		find_lines(t);
	return t;
}

const char *source_line(struct source *s, const char *compiled,
			const char *file, unsigned line, int *length)
{
	const struct text *t = find_text(s, compiled, file);
	size_t size;

	if (line == 0 || line > t->nlines)
		return NULL;
	size = t->starts[line] - 1 - t->starts[line - 1];
	*length = size < INT_MAX ? (int)size : INT_MAX;
	return (const char *)t->file.data + t->starts[line - 1];
}

size_t source_newer(const struct source *s, const char **first_ret)
{
	size_t n = 0;

	for (size_t i = 0; i < s->ntexts; i++) {
		if (!s->texts[i].open || !s->texts[i].newer)
			continue;
		if (n++ == 0)
			*first_ret = s->texts[i].name;
	}
	return n;
}
