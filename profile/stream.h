/*
 * stream.h - profiles larger than memory: one function after the other.
 *
 *	struct profile_reader *r = profile_reader_open("fleet.afdo", err);
 *	bool use = profile_reader_has_first_use(r);
 *	struct profile_writer *w = profile_writer_new("hot.afdo", use);
 *	struct profile_function *f;
 *	while ((good = profile_reader_next(r, &f, err)) && f)
 *		if (!profile_writer_add(w, f, err))
 *			...
 *	if (good && profile_writer_finish(w, profile_reader_whole(r), err))
 *		...			// now it is there, whole
 *	profile_writer_free(w);
 *	profile_reader_close(r);
 *
 * Functions come in the order of the binary form: by the hash of their name,
 * and then by name, file and line.  In memory are one function at a time, the
 * functions that were never sampled, and some megabytes.  A profile in text
 * form has any order, so it is read at once and is in memory.
 *
 * Units      As in profile.h.
 * Ownership  _open() and _new() give, _close() and _free() take back and
 *            accept NULL.  A function is the reader's, and valid until the
 *            next one; its numbers and lists may be changed.
 * Errors     Reading and writing fail with the file's name and, for a damaged
 *            file, the byte.  A writer that is not finished leaves nothing.
 * Threads    A reader or writer stays in the thread that made it.
 */
#ifndef PROFILE_STREAM_H
#define PROFILE_STREAM_H

#include "profile/profile.h"

struct profile_reader;
struct profile_writer;

/* "-" is stdin.  All checksums of a binary form are tested. */
struct profile_reader *profile_reader_open(const char *path,
					   struct fdo_error *err);
void profile_reader_close(struct profile_reader *r);

/*
 * What is said of the whole, and functions that were never sampled.  Its list
 * of functions is not for looking at.
 */
struct profile *profile_reader_whole(struct profile_reader *r);

/* Has a function, or have several, a first use? */
bool profile_reader_has_first_use(const struct profile_reader *r);

/*
 * *ret is NULL at the end.  It fails, too, for a function that is among those
 * that were never sampled.
 */
bool profile_reader_next(struct profile_reader *r,
			 struct profile_function **ret, struct fdo_error *err);

/*
 * "-" is stdout.  Nothing is written there yet.  What a record is like depends
 * on whether one of them has a first use, which is known before the first.
 */
struct profile_writer *profile_writer_new(const char *path, bool first_use);
void profile_writer_free(struct profile_writer *w);

/* In their order; each is sorted, and has its hosts. */
bool profile_writer_add(struct profile_writer *w,
			const struct profile_function *f,
			struct fdo_error *err);

/* The rest is that of a sorted profile, whose functions do not matter. */
bool profile_writer_finish(struct profile_writer *w,
			   const struct profile *whole, struct fdo_error *err);

/*
 * What profile_merge() of all of them, with their weights, and
 * profile_summarize() would write.  A single one with the weight 1 is written
 * as it is; if it has no cutoffs, it gets some.
 */
bool profile_merge_files(char *const *paths, const uint64_t *weights, size_t n,
			 const char *output, struct fdo_error *err);

#endif
