/*
 * patch.c - ask a change list about a file, a line, a function.
 */
#include "converter/keys/patch.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* The parts of a path between its slashes, the last first. */
struct parts {
	const char *path;
	size_t end; /* behind the part that is next; 0: none is left */
};

static bool is_part(const struct parts *p, size_t start, const char *text)
{
	size_t n = strlen(text);

	return p->end - start == n && memcmp(p->path + start, text, n) == 0;
}

/* The next part that means something: ".." takes the one before it away. */
static const char *next_part(struct parts *p, size_t *size)
{
	size_t skip = 0;

	while (p->end) {
		size_t start = p->end, end = p->end;

		while (start && p->path[start - 1] != '/')
			start--;
		*size = end - start;
		if (is_part(p, start, ".."))
			skip++;
		else if (*size && !is_part(p, start, ".") && skip-- == 0)
			skip = SIZE_MAX;
		p->end = start ? start - 1 : 0;
		if (skip == SIZE_MAX)
			return p->path + start;
	}
	return NULL;
}

/*
 * How many of the last parts are the same, if one path is the end of the
 * other; else 0.
 */
static unsigned common_parts(const char *a, const char *b)
{
	struct parts x = { a, strlen(a) }, y = { b, strlen(b) };
	unsigned common = 0;

	for (;; common++) {
		size_t nx, ny;
		const char *px = next_part(&x, &nx), *py = next_part(&y, &ny);

		if (!px || !py)
			return common;
		if (nx != ny || memcmp(px, py, nx) != 0)
			return 0;
	}
}

const struct patch_file *patch_find(const struct patch *p, const char *path,
				    bool *ambiguous)
{
	const struct patch_file *found = NULL;
	unsigned best = 0;

	*ambiguous = false;
	for (size_t i = 0; i < p->nfiles; i++) {
		unsigned common = common_parts(p->files[i].old_name, path);

		if (common && common == best)
			*ambiguous = true;
		if (common <= best)
			continue;
		*ambiguous = false;
		best = common;
		found = &p->files[i];
	}
	return *ambiguous ? NULL : found;
}

/* Where the last n parts of a path begin. */
static size_t last_parts(const char *path, unsigned n)
{
	struct parts p = { path, strlen(path) };
	const char *start = path + p.end;
	size_t size;

	for (; n; n--) {
		const char *part = next_part(&p, &size);

		if (!part)
			return 0;
		start = part;
	}
	return start - path;
}

char *patch_renamed(const struct patch_file *f, const char *path)
{
	unsigned common = common_parts(f->old_name, path);
	size_t keep = last_parts(path, common);
	const char *name = f->new_name;
	char *renamed;

	if (!name || strcmp(f->old_name, name) == 0)
		return fdo_copy(path);
	/* A path that is only the end of the file's stays as short. */
	if (keep == 0 && *path != '/')
		name += last_parts(name, common);
	renamed = fdo_alloc(keep + strlen(name) + 1, 1);
	memcpy(renamed, path, keep);
	strcpy(renamed + keep, name);
	return renamed;
}

/* The last edit that begins at or before a line. */
static const struct patch_edit *edit_before(const struct patch_file *f,
					    uint64_t line)
{
	size_t low = 0, high = f->nedits;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->edits[middle].old_line <= line)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &f->edits[low - 1] : NULL;
}

/* Where a line is that no edit took out. */
static uint64_t shifted(const struct patch_edit *before, uint64_t line)
{
	return before ? line + before->shift : line;
}

/* Not what the hunk says if others were taken out of the patch. */
static uint64_t new_start(const struct patch_edit *e)
{
	return e->old_line + e->nold + e->shift - e->nnew;
}

/* The edit that took a line out, or NULL. */
static const struct patch_edit *edit_of(const struct patch_file *f,
					uint64_t line)
{
	const struct patch_edit *e = edit_before(f, line);

	return e && line - e->old_line < e->nold ? e : NULL;
}

struct patch_place patch_place(const struct patch_file *f, uint64_t line,
			       uint32_t column)
{
	const struct patch_edit *e = edit_of(f, line);
	struct patch_place place = { .line = line, .column = column };
	const struct patch_line *old;

	if (!e) {
		place.line = shifted(edit_before(f, line), line);
		return place;
	}
	old = &e->old_lines[line - e->old_line];
	place.gone = old->other < 0;
	if (place.gone)
		return place;
	place.line = new_start(e) + old->other;
	if (column)
		place.column =
			patch_column(old, &e->new_lines[old->other], column);
	place.gone = column && place.column == 0;
	return place;
}

uint64_t patch_near(const struct patch_file *f, uint64_t line)
{
	const struct patch_edit *e = edit_of(f, line);
	uint64_t in;

	if (!e)
		return shifted(edit_before(f, line), line);
	in = line - e->old_line;
	for (uint64_t i = in + 1; i-- > 0;)
		if (e->old_lines[i].other >= 0)
			return new_start(e) + e->old_lines[i].other;
	return new_start(e) + (in < e->nnew ? in : e->nnew ? e->nnew - 1 : 0);
}

bool patch_touches(const struct patch_file *f, uint64_t first, uint64_t last)
{
	const struct patch_edit *e = edit_before(f, last);

	return e &&
	       (e->nold ? e->old_line + e->nold > first : e->old_line > first);
}

uint64_t patch_declaration(const struct patch_file *f, uint64_t line,
			   const char *name)
{
	const struct patch_edit *e = edit_of(f, line);
	int64_t other;

	if (!e)
		return shifted(edit_before(f, line), line);
	other = e->old_lines[line - e->old_line].other;
	if (other >= 0 && patch_names(&e->new_lines[other], name))
		return new_start(e) + other;
	for (size_t i = 0; i < e->nnew; i++)
		if (patch_names(&e->new_lines[i], name))
			return new_start(e) + i;
	return other >= 0 ? new_start(e) + other : 0;
}
