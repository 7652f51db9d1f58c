/*
 * patch_read.c - a unified diff, line by line.
 *
 * What is between the hunks is for people, but for the names of the files.
 * Within a hunk only the numbers in its head say where it ends: a line that
 * was taken out may look like the head of a file.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "converter/keys/patch.h"

/* No source has more lines. */
#define MAX_LINE 0x7fffffff

struct reader {
	const char *path;
	int strip;
	struct patch *patch;
	size_t size, at; /* of the text */
	uint64_t number; /* of the line */
	const char *line;
	size_t length;
	bool known; /* there was a line of a diff */
	/* The file whose hunks are next. */
	struct patch_file file;
	bool begun, git, copied, renamed;
	uint64_t next_old; /* after the last hunk */
	struct fdo_error *err;
};

static bool bad(struct reader *r, const char *what)
{
	return fdo_fail(r->err, "%s:%llu: %s", r->path,
			(unsigned long long)r->number, what);
}

/* What was cut off says nothing of what would have come behind it. */
static bool is_whole(const struct reader *r)
{
	return r->size == 0 || r->patch->text[r->size - 1] == '\n';
}

static bool next_line(struct reader *r)
{
	const char *start = r->patch->text + r->at, *end;

	if (r->at == r->size)
		return false;
	end = memchr(start, '\n', r->size - r->at);
	r->line = start;
	r->length = end ? (size_t)(end - start) : r->size - r->at;
	r->at += r->length + (end != NULL);
	r->number++;
	return true;
}

static bool begins(const struct reader *r, const char *with)
{
	size_t n = strlen(with);

	return r->length >= n && memcmp(r->line, with, n) == 0;
}

/* Is the line after this one the name of a new file? */
static bool new_name_follows(const struct reader *r)
{
	return r->size - r->at >= 4 &&
	       memcmp(r->patch->text + r->at, "+++ ", 4) == 0;
}

/* In C's quotes, as git writes names with odd characters. */
static bool unquote(const char *from, size_t size, char *to)
{
	size_t i = 1;

	for (; i < size && from[i] != '"'; i++) {
		unsigned value = (unsigned char)from[i];

		if (value == '\\') {
			static const char letters[] = "abtnvfr\"\\",
					  means[] = "\a\b\t\n\v\f\r\"\\";
			const char *letter;

			if (++i == size)
				return false;
			letter = strchr(letters, from[i]);
			if (from[i] && letter) {
				value = means[letter - letters];
			} else {
				value = 0;
				for (size_t n = 0; n < 3; n++, i++) {
					if (i == size || from[i] < '0' ||
					    from[i] > '7')
						return false;
					value = value * 8 + (from[i] - '0');
				}
				i--;
			}
		}
		if (value == 0 || value > 255)
			return false;
		*to++ = (char)value;
	}
	*to = 0;
	return i < size;
}

/* The rest of the line is a name; NULL for /dev/null. */
static bool get_name(struct reader *r, size_t at, const char **ret)
{
	const char *start = r->line + at;
	const char *tab = memchr(start, '\t', r->length - at);
	size_t size = tab ? (size_t)(tab - start) : r->length - at;
	char *name = fdo_alloc(r->length - at + 1, 1);
	bool good = true;

	while (size && (start[size - 1] == '\r' || start[size - 1] == ' '))
		size--;
	if (size && *start == '"')
		good = unquote(start, r->length - at, name);
	else
		memcpy(name, start, size);
	good = good && *name && strlen(name) <= 4096;
	*ret = strcmp(name, "/dev/null") == 0
		       ? NULL
		       : fdo_intern(r->patch->names, name);
	free(name);
	return good || bad(r, "not the name of a file");
}

static const char *without_folders(const char *name, int n)
{
	for (; name && n > 0; n--) {
		const char *slash = strchr(name, '/');

		if (!slash)
			break;
		name = slash + strspn(slash, "/");
	}
	return name;
}

/* Without what only one side has: the last folders that both have. */
static void keep_common(struct patch_file *f)
{
	const char *a = f->old_name, *b = f->new_name;
	size_t na = strlen(a), nb = strlen(b), common = 0;

	for (size_t i = 1; i <= na && i <= nb && a[na - i] == b[nb - i]; i++)
		if ((i == na || a[na - i - 1] == '/') &&
		    (i == nb || b[nb - i - 1] == '/'))
			common = i;
	if (common) {
		f->old_name = a + na - common;
		f->new_name = b + nb - common;
	} else if (strncmp(a, b, nb) == 0 && !strchr(a + nb, '/')) {
		/* app.c.orig and app.c */
		f->old_name = b;
	}
}

static bool has_prefix(const char *name)
{
	return !name || (name[0] && name[1] == '/');
}

static void strip_names(struct reader *r)
{
	struct patch_file *f = &r->file;
	int n = r->strip;

	if (n >= 0) {
		/* Git's lines about renames have no "a/" and "b/". */
		n -= r->renamed && n > 0;
	} else if (r->renamed) {
		n = 0;
	} else if (r->git && has_prefix(f->old_name) &&
		   has_prefix(f->new_name)) {
		n = 1;
	} else if (f->old_name && f->new_name) {
		keep_common(f);
	}
	f->old_name = without_folders(f->old_name, n);
	f->new_name = without_folders(f->new_name, n);
}

static void free_file(struct patch_file *f)
{
	for (size_t i = 0; i < f->nedits; i++) {
		free(f->edits[i].old_lines);
		free(f->edits[i].new_lines);
	}
	free(f->edits);
	*f = (struct patch_file){ 0 };
}

static bool is_there(struct reader *r)
{
	for (size_t i = 0; i < r->patch->nfiles; i++)
		if (strcmp(r->patch->files[i].old_name, r->file.old_name) ==
		    0) {
			if (r->file.line)
				r->number = r->file.line;
			return true;
		}
	return false;
}

/* The file before the one that begins now is complete. */
static bool end_file(struct reader *r)
{
	struct patch *p = r->patch;
	bool takes = r->begun && !r->copied && r->file.old_name &&
		     (r->file.nedits || r->renamed || !r->file.new_name);

	if (takes) {
		strip_names(r);
		if (is_there(r))
			return bad(r, "a file for the second time: give one "
				      "change list for each step");
		p->files = fdo_grow(p->files, p->nfiles, &p->room_files,
				    sizeof(*p->files));
		p->files[p->nfiles++] = r->file;
	} else {
		free_file(&r->file);
	}
	r->file = (struct patch_file){ 0 };
	r->begun = r->git = r->copied = r->renamed = false;
	r->next_old = 1;
	return true;
}

static bool get_number(const char **at, const char *end, uint64_t *ret)
{
	const char *start = *at;

	for (*ret = 0; *at < end && isdigit((unsigned char)**at); ++*at) {
		*ret = *ret * 10 + (**at - '0');
		if (*ret > MAX_LINE)
			return false;
	}
	return *at > start;
}

/* "-12,7", where ",1" may be left out. */
static bool get_range(const char **at, const char *end, char sign,
		      uint64_t *start, uint64_t *count)
{
	if (*at == end || *(*at)++ != sign || !get_number(at, end, start))
		return false;
	*count = 1;
	if (*at < end && **at == ',') {
		++*at;
		if (!get_number(at, end, count))
			return false;
	}
	/* An empty range names the line before it. */
	*start += *count == 0;
	return *start > 0;
}

struct hunk {
	uint64_t old_line, old_count, new_count;
};

static bool get_head(struct reader *r, struct hunk *h)
{
	const char *at = r->line + 3, *end = r->line + r->length;
	uint64_t new_line; /* that follows from all edits before it */

	if (!get_range(&at, end, '-', &h->old_line, &h->old_count) ||
	    at == end || *at++ != ' ' ||
	    !get_range(&at, end, '+', &new_line, &h->new_count) ||
	    end - at < 3 || memcmp(at, " @@", 3) != 0)
		return bad(r, "not the head of a hunk");
	if (h->old_line < r->next_old)
		return bad(r, "a hunk is before the one before it");
	return true;
}

static struct patch_edit *open_edit(struct patch_file *f, bool open,
				    const struct hunk *h)
{
	if (!open) {
		f->edits = fdo_grow(f->edits, f->nedits, &f->room_edits,
				    sizeof(*f->edits));
		f->edits[f->nedits++] =
			(struct patch_edit){ .old_line = h->old_line };
	}
	return &f->edits[f->nedits - 1];
}

static struct patch_line *add_line(struct patch_line *lines, size_t *n,
				   size_t *room, const struct reader *r)
{
	lines = fdo_grow(lines, *n, room, sizeof(*lines));
	lines[(*n)++] = (struct patch_line){ .text = r->line + 1,
					     .size = r->length - 1,
					     .other = -1 };
	return lines;
}

/* A line of the hunk; h is what is left of it. */
static bool take_line(struct reader *r, struct hunk *h, bool *open)
{
	/* Some mailers cut blanks at the ends of lines. */
	char sign = r->length == 0 || *r->line == '\r' ? ' ' : *r->line;
	struct patch_edit *e;

	if (sign == '\\')
		return true;
	if ((sign != ' ' && sign != '-' && sign != '+') ||
	    (sign != '+' && h->old_count == 0) ||
	    (sign != '-' && h->new_count == 0))
		return bad(r, "not a line of this hunk");
	if (sign == ' ') {
		*open = false;
	} else {
		e = open_edit(&r->file, *open, h);
		*open = true;
		if (sign == '-')
			e->old_lines = add_line(e->old_lines, &e->nold,
						&e->room_old, r);
		else
			e->new_lines = add_line(e->new_lines, &e->nnew,
						&e->room_new, r);
	}
	h->old_line += sign != '+';
	h->old_count -= sign != '+';
	h->new_count -= sign != '-';
	return true;
}

static bool read_hunk(struct reader *r)
{
	struct hunk h;
	bool open = false;

	if (!r->begun || (!r->file.old_name && !r->file.new_name))
		return bad(r, "a hunk of no file");
	if (!get_head(r, &h))
		return false;
	if (!r->file.line)
		r->file.line = r->number;
	while (h.old_count || h.new_count) {
		if (!next_line(r))
			return bad(r, "ends within a hunk");
		if (!take_line(r, &h, &open))
			return false;
	}
	r->next_old = h.old_line;
	return true;
}

/* "--- OLD" and "+++ NEW"; git's line before them began the same file. */
static bool read_names(struct reader *r)
{
	const char *old_name, *new_name;

	if (r->begun && (!r->git || r->file.nedits || r->file.line) &&
	    !end_file(r))
		return false;
	if (!get_name(r, 4, &old_name))
		return false;
	next_line(r);
	if (!get_name(r, 4, &new_name))
		return false;
	r->begun = true;
	/* A rename has said its names better. */
	if (!r->renamed) {
		r->file.old_name = old_name;
		r->file.new_name = new_name;
	}
	return true;
}

static bool begin_git(struct reader *r)
{
	if (!end_file(r))
		return false;
	r->git = r->begun = true;
	return true;
}

static bool read_rename(struct reader *r)
{
	r->renamed = true;
	return begins(r, "rename from ") ? get_name(r, 12, &r->file.old_name)
					 : get_name(r, 10, &r->file.new_name);
}

/* Takes the line if it says something of a diff. */
static bool read_line(struct reader *r)
{
	bool known = r->known;

	r->known = true;
	/* Each line of a coloured diff, but for some of context, has an escape. */
	if (begins(r, "\033["))
		return bad(r, "a coloured diff: git diff --color=never prints "
			      "what can be read");
	if (begins(r, "diff --cc ") || begins(r, "diff --combined ") ||
	    begins(r, "@@@ "))
		return bad(r, "a combined diff: compare with one parent only");
	if (begins(r, "diff --git "))
		return begin_git(r);
	if (r->git && (begins(r, "rename from ") || begins(r, "rename to ")))
		return read_rename(r);
	if (r->git && begins(r, "copy from ")) {
		r->copied = true;
		return true;
	}
	if (begins(r, "--- ") && new_name_follows(r))
		return read_names(r);
	if (begins(r, "@@ "))
		return read_hunk(r);
	r->known = known || begins(r, "Only in ") ||
		   begins(r, "Binary files ") || begins(r, "Files ");
	return true;
}

static void finish_edits(struct patch_file *f)
{
	int64_t shift = 0;

	for (size_t i = 0; i < f->nedits; i++) {
		struct patch_edit *e = &f->edits[i];

		shift += (int64_t)e->nnew - (int64_t)e->nold;
		e->shift = shift;
		patch_pair(e);
	}
}

static bool read_all(struct reader *r)
{
	bool blank = true;

	r->next_old = 1;
	while (next_line(r)) {
		for (size_t i = 0; i < r->length; i++)
			blank = blank && isspace((unsigned char)r->line[i]);
		if (!read_line(r))
			return false;
	}
	if (!is_whole(r))
		return bad(r, "the line is cut off");
	if (!end_file(r))
		return false;
	/* Where nothing has changed, diff prints nothing. */
	if (!r->known && !blank)
		return fdo_fail(r->err, "%s: not a unified diff", r->path);
	for (size_t i = 0; i < r->patch->nfiles; i++)
		finish_edits(&r->patch->files[i]);
	return true;
}

/* The whole of a file or a pipe; its size is kept beside it. */
static bool read_text(struct reader *r, FILE *stream)
{
	struct patch *p = r->patch;
	size_t room = 0, n;

	do {
		p->text = fdo_grow(p->text, room, &room, 1);
		n = fread(p->text + r->size, 1, room - r->size, stream);
		r->size += n;
	} while (n);
	return !ferror(stream);
}

struct patch *patch_read(const char *path, int strip, struct fdo_error *err)
{
	struct reader r = { .path = path, .strip = strip, .err = err };
	bool standard = strcmp(path, "-") == 0, good;
	FILE *stream = standard ? stdin : fopen(path, "r");

	if (standard)
		r.path = "standard input";
	if (!stream) {
		fdo_fail(err, "%s: %m", path);
		return NULL;
	}
	r.patch = fdo_alloc(1, sizeof(*r.patch));
	r.patch->names = fdo_strings_new();
	good = read_text(&r, stream) || fdo_fail(err, "%s: %m", r.path);
	if (!standard)
		fclose(stream);
	good = good && read_all(&r);
	free_file(&r.file);
	if (good)
		return r.patch;
	patch_free(r.patch);
	return NULL;
}

void patch_free(struct patch *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->nfiles; i++)
		free_file(&p->files[i]);
	free(p->files);
	free(p->text);
	fdo_strings_free(p->names);
	free(p);
}
