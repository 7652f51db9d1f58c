/*
 * file.h - whole files: look at one in place, replace one in one step, or
 * add to one.
 *
 *	struct fdo_output out;
 *	if (!fdo_output_open(&out, "prof.afdo", err))
 *		return false;
 *	fputs("...", out.stream);
 *	return fdo_output_close(&out, err);	// now it is there, whole
 *
 * Ownership  The caller has the struct; open and close are paired.
 * Errors     Every text begins with the file's name.  A failed close leaves
 *            the old file as it was and removes what was half written.  It
 *            says why the first write failed.  Signals interrupt none.  Of
 *            a process that is killed nothing is left, where the file system
 *            has files without names.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fdo_error;

/* A file's bytes.  Do not write to them. */
struct fdo_file {
	const unsigned char *data;
	size_t size;
	bool mapped; /* not read yet, and can be read again */
};

/*
 * Map a regular file into memory; anything else (a pipe, a directory) is an
 * error.  An empty file has size 0 and some non-NULL data.
 */
bool fdo_file_open(struct fdo_file *file, const char *path,
		   struct fdo_error *err);
void fdo_file_close(struct fdo_file *file);

/* The same of an open file that is not empty.  Errors are without a name. */
bool fdo_file_map(struct fdo_file *file, int fd, size_t size,
		  struct fdo_error *err);

/*
 * The bytes of that part need not stay in memory: looked at again, they are
 * read again.  What goes through a large file says so of what is behind it.
 */
void fdo_file_forget(const struct fdo_file *file, const void *data,
		     size_t size);

/* The last part of a path, behind all slashes. */
const char *fdo_file_base(const char *path);

/*
 * Both names lead to one regular file.  "-" is standard input as the first, and
 * no file as the second, which is an output.
 */
bool fdo_file_same(const char *input, const char *output);

/* None of the inputs, of which some may be NULL, is what -o would replace. */
bool fdo_file_spares(const char *output, const char *const *inputs, size_t n,
		     struct fdo_error *err);

/* Standard input, "-", is there once at most, since it can be read once. */
bool fdo_file_stdin_once(const char *const *inputs, size_t n,
			 struct fdo_error *err);

/* Likewise, and no regular file is there twice, under whatever names. */
bool fdo_file_all_differ(const char *const *inputs, size_t n,
			 struct fdo_error *err);

/*
 * A new file without a name, in the folder TMPDIR, or else in /var/tmp or /tmp:
 * its descriptor, to be closed.  -1, and errno: there can be none in
 * *folder_ret, which is not to be freed.
 */
int fdo_file_temporary(const char **folder_ret);

struct fdo_sink;

struct fdo_output {
	FILE *stream;
	struct fdo_sink *sink; /* where it goes */
	char *path;	       /* the name that was given */
	char *target;	       /* the file that is replaced, behind links */
	char *temporary;       /* its name until closed; NULL: in place */
	bool unnamed;	       /* it has no name before that, not even this */
};

/*
 * Begin a new file, or replace the one that a symbolic link leads to, which
 * keeps its permissions.  "-" is stdout, and what exists and is no regular file
 * (/dev/full, a pipe) is written in place; so is what links in /dev and /proc
 * lead to, such as /dev/stdout.
 */
bool fdo_output_open(struct fdo_output *out, const char *path,
		     struct fdo_error *err);

/* Likewise, but nobody but its owner can read a new file. */
bool fdo_output_open_private(struct fdo_output *out, const char *path,
			     struct fdo_error *err);

/* Finish: everything written is in the file, or the old file is untouched. */
bool fdo_output_close(struct fdo_output *out, struct fdo_error *err);

/*
 * Close standard output, at a program's end: a result that could not be written
 * is no result.  Returns false, and says why as that program.
 */
bool fdo_file_close_stdout(const char *program);

/*
 * Keep the numbers of standard streams that are closed from files: none can
 * be read or written, as before.  For the start of a program.
 */
void fdo_file_hold_streams(void);

/*
 * Add a piece to a file, in one step: of several processes that do so, each
 * gets its piece in whole, and a failure leaves the file as it was.  What is
 * in the file already must begin with "begin", or it is another's file.
 */
bool fdo_file_append(const char *path, const char *begin, const void *data,
		     size_t size, struct fdo_error *err);

/* Give up: nothing has happened. */
void fdo_output_abandon(struct fdo_output *out);

#ifdef __cplusplus
}
#endif
#endif
