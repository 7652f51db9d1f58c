/*
 * patch.h - a change list: what became of each line of a source.
 *
 *	struct patch *p = patch_read("fix.diff", PATCH_STRIP_AUTO, err);
 *	const struct patch_file *f = patch_find(p, "src/app.c", &ambiguous);
 *	struct patch_place now = patch_place(f, 120, 9);
 *	...
 *	patch_free(p);
 *
 * Reads unified diffs, as "diff -u", "diff -ru" and "git diff" print them,
 * with renames, files that come and go, and text of mails around them.
 *
 * Units      Lines and columns are from 1; column 0 is an unknown one.
 *            Columns are bytes, as in debug information.
 * Ownership  patch_read() gives, patch_free() takes back and accepts NULL.
 *            Files belong to the patch.
 * Errors     With the file's name and the line.
 */
#ifndef CONVERTER_PATCH_H
#define CONVERTER_PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_error;

/* Without the folders that only one side of the diff has ("a/" and "b/"). */
#define PATCH_STRIP_AUTO (-1)

struct patch_line {
	const char *text; /* without the newline; not NUL-terminated */
	size_t size;
	int64_t other; /* the line of the other side it became, or -1 */
};

/* Lines that were replaced by others; one of the two may be none. */
struct patch_edit {
	uint64_t old_line; /* of the first one */
	struct patch_line *old_lines, *new_lines;
	size_t nold, nnew, room_old, room_new;
	int64_t shift; /* of the lines behind it, by all edits up to it */
};

struct patch_file {
	const char *old_name; /* NULL: did not exist */
	const char *new_name; /* NULL: does not exist any more */
	struct patch_edit *edits;
	size_t nedits, room_edits;
	uint64_t line; /* of its first hunk, in the patch; 0: none */
};

struct patch {
	struct patch_file *files; /* in the order of the patch */
	size_t nfiles, room_files;
	char *text; /* of the whole patch */
	struct fdo_strings *names;
};

/* strip: folders to take off, as "patch -p"; "-" is standard input. */
struct patch *patch_read(const char *path, int strip, struct fdo_error *err);
void patch_free(struct patch *p);

/*
 * The file of a path in the profile: the one with the most trailing folders
 * in common, where one of the two names is the end of the other.  NULL if
 * there is none, or two are as good: *ambiguous then is true.
 */
const struct patch_file *patch_find(const struct patch *p, const char *path,
				    bool *ambiguous);

/* What the path is called afterwards, if it is not removed; free() it. */
char *patch_renamed(const struct patch_file *f, const char *path);

struct patch_place {
	bool gone; /* then the others are undefined */
	uint64_t line;
	uint32_t column;
};

struct patch_place patch_place(const struct patch_file *f, uint64_t line,
			       uint32_t column);

/* About where a line would be that is gone. */
uint64_t patch_near(const struct patch_file *f, uint64_t line);

/* Does an edit take out, or put in, a line between these, or one of them? */
bool patch_touches(const struct patch_file *f, uint64_t first, uint64_t last);

/*
 * Where the declaration of a function is that was on that line; 0: it is
 * gone.  name is the linkage name.
 */
uint64_t patch_declaration(const struct patch_file *f, uint64_t line,
			   const char *name);

/* patch_lines.c: which of an edit's old lines became which new ones. */
void patch_pair(struct patch_edit *edit);

/* A column of an old line in the new one it became; 0: gone. */
uint32_t patch_column(const struct patch_line *old,
		      const struct patch_line *new_, uint32_t column);

/* Is the function's name, of a linkage name, a word of the line? */
bool patch_names(const struct patch_line *line, const char *name);

#endif
