/*
 * read.c - a file, or the part of it that is asked for.
 *
 * A look-up finds a name's place in the index (table.h), and then reads the
 * records of that name alone.  So of a large file only a few pages are touched.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "profile/open.h"
#include "profile/private.h"
#include "profile/unsampled.h"

/* Not one that the shell made for this command: that has no name. */
static bool is_named_pipe(const char *path)
{
	char *name = realpath(path, NULL);
	struct stat status;
	bool is = name && stat(name, &status) == 0 && S_ISFIFO(status.st_mode);

	free(name);
	return is;
}

struct profile *profile_open(const char *path, struct fdo_error *err)
{
	struct profile_file *file;
	struct profile *p;

	if (is_named_pipe(path)) {
		fdo_fail(err,
			 "%s: a named pipe, where a file is needed: each "
			 "compilation reads it again",
			 path);
		return NULL;
	}
	file = profile_file_open(path, err);
	if (!file)
		return NULL;
	file->loaded = fdo_map_new();
	p = profile_file_read_whole(file, err);
	if (p)
		p->nunsampled = file->unsampled.n;
	return p;
}

static bool out_of_order(const struct profile_file *file, size_t number,
			 struct fdo_error *err)
{
	return cursor_fail(&file->index.entries, err,
			   "entry %zu is out of order", number);
}

/*
 * Add to the list the functions of that name, one entry after the other, and
 * one record behind the other: many entries might mean the same large one.
 */
static bool load_list(struct profile *p, const char *name, struct loaded *list,
		      struct fdo_error *err)
{
	struct profile_file *file = p->private_->file;
	uint64_t hash = fdo_hash_text(name);
	struct profile_function *f = NULL;
	struct entry entry = { 0 }, last;
	size_t at = 0;

	if (!table_find(&file->index, hash, &at, err))
		return false;
	for (; at < file->index.n; at++) {
		last = entry;
		if (!profile_file_entry(file, at, &entry, err))
			return false;
		if (entry.hash != hash)
			break;
		if (last.size && entry.offset != last.offset + last.size)
			return out_of_order(file, at, err);
		f = profile_file_record(file, &entry, p->private_->strings,
					p->nbinaries, err);
		if (!f)
			return false;
		if (f->body.name != name) {
			profile_function_free(f);
			continue;
		}
		list->functions =
			profile_grow(list->functions, list->count, sizeof(f));
		list->functions[list->count++] = f;
		if (list->count > 1 &&
		    profile_compare_bodies(
			    &list->functions[list->count - 2]->body,
			    &f->body) >= 0)
			return out_of_order(file, at, err);
	}
	return true;
}

static bool load_new(struct profile *p, const char *name, uint64_t *place,
		     struct fdo_error *err)
{
	struct profile_file *file = p->private_->file;
	struct loaded list = { 0 };

	if (!load_list(p, name, &list, err)) {
		for (size_t i = 0; i < list.count; i++)
			profile_function_free(list.functions[i]);
		free(list.functions);
		return false;
	}
	for (size_t i = 0; i < list.count; i++)
		profile_append_function(p, list.functions[i]);
	file->lists = fdo_grow(file->lists, file->nlists, &file->room_lists,
			       sizeof(list));
	file->lists[file->nlists++] = list;
	*place = file->nlists;
	return true;
}

bool profile_load(struct profile *p, const char *name,
		  struct profile_function ***ret, size_t *count_ret,
		  struct fdo_error *err)
{
	struct profile_file *file = p->private_->file;
	const struct loaded *list;
	uint64_t *place;

	assert(file);
	name = profile_text(p, name);
	place = fdo_map_at(file->loaded, (uintptr_t)name);
	if (!*place && !load_new(p, name, place, err))
		return false;
	list = &file->lists[*place - 1];
	*ret = list->functions;
	*count_ret = list->count;
	return true;
}

bool profile_load_unsampled(const struct profile *p, const char *name,
			    struct profile_unsampled **ret, size_t *count_ret,
			    struct fdo_error *err)
{
	struct profile_file *file = p->private_->file;
	uint32_t hash = profile_hash_name(name);
	struct profile_unsampled u;
	size_t at = 0, n = 0, room = 0;

	assert(file);
	*ret = NULL;
	*count_ret = 0;
	if (!table_find(&file->unsampled, unsampled_key(hash, 0), &at, err))
		return false;
	for (; at < file->unsampled.n; at++) {
		if (!profile_file_one_unsampled(file, at, &u, err)) {
			free(*ret);
			return false;
		}
		if (u.name != hash)
			break;
		*ret = fdo_grow(*ret, n, &room, sizeof(u));
		(*ret)[n++] = u;
	}
	*count_ret = n;
	return true;
}

static bool read_functions(struct profile *p, struct fdo_error *err)
{
	struct profile_function *f = NULL;
	struct records records = { 0 };
	bool good;

	while ((good = profile_file_next(p->private_->file, &records,
					 p->private_->strings, p->nbinaries, &f,
					 err)) &&
	       f)
		profile_append_function(p, f);
	return good;
}

/* What was sampled is not among them: a writer would have left it out. */
static bool read_unsampled(struct profile *p, struct fdo_error *err)
{
	struct profile_file *file = p->private_->file;
	size_t n = file->unsampled.n;

	if (!profile_file_read_unsampled(file, p, err))
		return false;
	unsampled_sort(p);
	if (p->nunsampled != n)
		return cursor_fail(&file->unsampled.entries, err,
				   "%zu of %zu functions were sampled",
				   n - p->nunsampled, n);
	return true;
}

static struct profile *read_all(struct profile_file *file,
				struct fdo_error *err)
{
	struct profile *p = profile_file_read_whole(file, err);

	if (!p)
		return NULL;
	if (!profile_file_test(file, err) || !read_functions(p, err) ||
	    !read_unsampled(p, err)) {
		profile_free(p);
		return NULL;
	}
	profile_sort_functions(p);
	profile_file_close(file);
	p->private_->file = NULL;
	return p;
}

bool profile_is(const char *path)
{
	struct fdo_error ignored;
	struct profile_file *file = profile_file_open(path, &ignored);
	bool is = file &&
		  (profile_file_is_binary(file) || profile_file_is_text(file));

	profile_file_close(file);
	return is;
}

struct profile *profile_parse_file(const struct profile_file *file,
				   struct fdo_error *err)
{
	FILE *stream = fmemopen((void *)file->all.data, file->all.size, "r");
	struct profile *p;

	if (!stream)
		abort();
	p = profile_parse(stream, file->name, err);
	fclose(stream);
	return p;
}

struct profile *profile_read_any(const char *path, struct fdo_error *err)
{
	struct profile_file *file = profile_file_open(path, err);
	struct profile *p;

	if (!file || !profile_file_is_text(file))
		return file ? read_all(file, err) : NULL;
	p = profile_parse_file(file, err);
	profile_file_close(file);
	return p;
}
