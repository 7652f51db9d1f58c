/*
 * file.h - whole files, looked at in place; which names are one file; and the
 * standard streams.
 *
 *	struct fdo_file file;
 *	if (!fdo_file_open(&file, "app", err))
 *		return false;
 *	...	// file.data, file.size
 *	fdo_file_close(&file);
 *
 * Ownership  The caller has the struct; open and close are paired.
 * Errors     Every text begins with the file's name.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

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

/* What messages call an input: "standard input" or its path. */
const char *fdo_file_input_name(const char *input);

/* Standard input, "-", is there once at most, since it can be read once. */
bool fdo_file_stdin_once(const char *const *inputs, size_t n,
			 struct fdo_error *err);

/* Likewise, and no regular file or folder is there twice, by whatever names. */
bool fdo_file_all_differ(const char *const *inputs, size_t n,
			 struct fdo_error *err);

/*
 * A new file without a name, in the folder TMPDIR, or else in /var/tmp or /tmp:
 * its descriptor, to be closed.  -1, and errno: there can be none in
 * *folder_ret, which is not to be freed.
 */
int fdo_file_temporary(const char **folder_ret);

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

#ifdef __cplusplus
}
#endif
#endif
