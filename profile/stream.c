/*
 * stream.c - the reader; write.c has the writer.
 *
 * Each function has a table of texts of its own, so that nothing is left of
 * it.  It stays until the one after the next is read, since functions are
 * tested to be in order.
 */
#include "profile/stream.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "profile/open.h"
#include "profile/private.h"
#include "profile/unsampled.h"

/* A function and its texts. */
struct current {
	struct profile_function *function;
	struct fdo_strings *strings;
};

struct profile_reader {
	struct profile *whole;
	/* Of a binary form. */
	struct records records;
	struct current now, last;
	struct unsampled_filter *filter; /* NULL: nothing is unsampled */
	bool contradicts;		 /* what is unsampled was sampled */
	/* Of a text. */
	struct ordered *order;
	size_t next;
};

static void release(struct current *c)
{
	profile_function_free(c->function);
	fdo_strings_free(c->strings);
	*c = (struct current){ 0 };
}

void profile_reader_close(struct profile_reader *r)
{
	if (!r)
		return;
	release(&r->now);
	release(&r->last);
	unsampled_filter_free(r->filter);
	free(r->order);
	profile_free(r->whole);
	free(r);
}

static bool open_text(struct profile_reader *r, struct profile_file *file,
		      struct fdo_error *err)
{
	r->whole = profile_parse_file(file, err);
	profile_file_close(file);
	if (r->whole)
		r->order = profile_order(r->whole);
	return r->whole;
}

static bool open_binary(struct profile_reader *r, struct profile_file *file,
			struct fdo_error *err)
{
	r->whole = profile_file_read_whole(file, err);
	if (!r->whole || !profile_file_test(file, err) ||
	    !profile_file_read_unsampled(file, r->whole, err))
		return false;
	if (r->whole->nunsampled)
		r->filter = unsampled_filter_new(r->whole);
	return true;
}

struct profile_reader *profile_reader_open(const char *path,
					   struct fdo_error *err)
{
	struct profile_reader *r = fdo_alloc(1, sizeof(*r));
	struct profile_file *file = profile_file_open(path, err);

	if (file && (profile_file_is_text(file) ? open_text(r, file, err)
						: open_binary(r, file, err)))
		return r;
	profile_reader_close(r);
	return NULL;
}

struct profile *profile_reader_whole(struct profile_reader *r)
{
	return r->whole;
}

bool profile_reader_has_first_use(const struct profile_reader *r)
{
	const struct profile_file *file = r->whole->private_->file;
	int version = file ? file->version : profile_version(r->whole);

	return version >= FORMAT_VERSION_3;
}

static void note(void *reader, uint64_t key)
{
	struct profile_reader *r = reader;

	r->contradicts |= unsampled_filter_note(r->filter, key);
}

static bool next_binary(struct profile_reader *r, struct profile_function **ret,
			struct fdo_error *err)
{
	struct profile_file *file = r->whole->private_->file;

	release(&r->last);
	r->last = r->now;
	r->now = (struct current){ .strings = fdo_strings_new() };
	if (!profile_file_next(file, &r->records, r->now.strings,
			       r->whole->nbinaries, &r->now.function, err))
		return false;
	*ret = r->now.function;
	if (*ret && r->filter)
		unsampled_each_sampled(*ret, note, r);
	return !r->contradicts ||
	       fdo_fail(err,
			"%s: %s or what is inlined in it was sampled, "
			"and is among the unsampled functions",
			file->name, (*ret)->body.name);
}

bool profile_reader_next(struct profile_reader *r,
			 struct profile_function **ret, struct fdo_error *err)
{
	if (!r->order)
		return next_binary(r, ret, err);
	*ret = r->next < r->whole->nfunctions ? r->order[r->next++].function
					      : NULL;
	return true;
}
