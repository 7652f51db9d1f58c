/*
 * output.h - replace a file in one step, or add to one.
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
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fdo_error;
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
 * Whether what is written there comes out on standard output: "-", or what that
 * is, such as /dev/stdout.  What goes nowhere (/dev/null) does not.
 */
bool fdo_output_is_standard(const char *path);

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

/*
 * Whether a file could be made there, by beginning one and giving it up: before
 * long work, of which the result would have no place.
 */
bool fdo_output_check(const char *path, struct fdo_error *err);

/* Finish: everything written is in the file, or the old file is untouched. */
bool fdo_output_close(struct fdo_output *out, struct fdo_error *err);

/*
 * Once in a program: what would be larger than "ulimit -f" lets it is a write
 * that fails, and not the end of the process.  What it executes is as before.
 */
void fdo_output_survive_limit(void);

/* Give up: nothing has happened. */
void fdo_output_abandon(struct fdo_output *out);

/*
 * Add a piece to a file, in one step: of several processes that do so, each
 * gets its piece in whole, and a failure leaves the file as it was.  What is
 * in the file already must begin with "begin", or it is another's file.
 */
bool fdo_output_append(const char *path, const char *begin, const void *data,
		       size_t size, struct fdo_error *err);

#ifdef __cplusplus
}
#endif
#endif
