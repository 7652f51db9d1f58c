/*
 * read.c - a file, or the part of it that is asked for.
 *
 * profile_open() maps the file and tests the header, what is said of the
 * whole and the checksums of the index.  A look-up finds a name's place in
 * the index (table.h), and then reads the records of that name alone; each
 * has its own checksum.  So what is read has been tested, and of a large file
 * only a few pages are touched.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/error.h"
#include "profile/format.h"
#include "profile/private.h"
#include "profile/record.h"
#include "profile/table.h"
#include "profile/unsampled.h"

struct section {
	uint32_t crc;
	struct cursor data;
};

struct profile_file {
	char *name;		/* for messages */
	struct fdo_file mapped; /* either this ... */
	unsigned char *data;	/* ... or this */
	size_t size;
	struct section sections[SECTIONS];
	unsigned int nsections; /* the rest is empty */
	struct table index, unsampled;
	struct fdo_map *loaded; /* name to the number of its list, from 1 */
	struct loaded *lists;
	size_t nlists, room_lists;
};

/* The functions of one name. */
struct loaded {
	struct profile_function **functions;
	size_t count;
};

struct entry {
	uint64_t hash, offset;
	uint32_t size, crc;
};

void profile_close(struct profile_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < file->nlists; i++)
		free(file->lists[i].functions);
	free(file->lists);
	fdo_map_free(file->loaded);
	table_deinit(&file->index);
	table_deinit(&file->unsampled);
	if (file->mapped.data)
		fdo_file_close(&file->mapped);
	free(file->data);
	free(file->name);
	free(file);
}

/* All of what is no regular file. */
static bool slurp(struct profile_file *file, FILE *stream,
		  struct fdo_error *err)
{
	struct bytes bytes = { 0 };
	char part[65536];
	size_t n;

	while ((n = fread(part, 1, sizeof(part), stream)) > 0)
		bytes_add(&bytes, part, n);
	file->data = bytes.data ? bytes.data : fdo_alloc(1, 1);
	file->size = bytes.size;
	if (ferror(stream))
		return fdo_fail(err, "%s: %s", file->name, strerror(errno));
	return true;
}

static bool slurp_path(struct profile_file *file, const char *path,
		       struct fdo_error *err)
{
	FILE *stream = fopen(path, "r");
	bool read;

	if (!stream)
		return fdo_fail(err, "%s: %s", path, strerror(errno));
	read = slurp(file, stream, err);
	fclose(stream);
	return read;
}

static bool is_pipe(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

static bool get_data(struct profile_file *file, const char *path,
		     struct fdo_error *err)
{
	if (strcmp(path, "-") == 0)
		return slurp(file, stdin, err);
	if (is_pipe(path))
		return slurp_path(file, path, err);
	if (!fdo_file_open(&file->mapped, path, err))
		return false;
	file->size = file->mapped.size;
	return true;
}

static struct profile_file *open_file(const char *path, struct fdo_error *err)
{
	struct profile_file *file = fdo_alloc(1, sizeof(*file));
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;

	file->name = strdup(name);
	if (!file->name)
		abort();
	if (get_data(file, path, err))
		return file;
	profile_close(file);
	return NULL;
}

static const unsigned char *data_of(const struct profile_file *file)
{
	return file->data ? file->data : file->mapped.data;
}

static bool has_magic(const struct profile_file *file)
{
	return file->size >= FORMAT_MAGIC_SIZE &&
	       memcmp(data_of(file), FORMAT_MAGIC, FORMAT_MAGIC_SIZE) == 0;
}

/* "samplefdo profile 1" begins the text form. */
static bool is_text(const struct profile_file *file)
{
	return file->size >= strlen(PROFILE_TEXT_START) &&
	       memcmp(data_of(file), PROFILE_TEXT_START,
		      strlen(PROFILE_TEXT_START)) == 0;
}

/* Up to the total size, with which all later messages can be honest. */
static bool read_start(struct profile_file *file, struct cursor *c,
		       struct fdo_error *err)
{
	uint32_t version = 0, sections = 0;
	uint64_t total = 0;

	if (file->size < FORMAT_MAGIC_SIZE &&
	    memcmp(c->data, FORMAT_MAGIC, file->size) == 0)
		return cursor_fail(c, err, "the file is truncated");
	if (is_text(file))
		return fdo_fail(err,
				"%s: is a profile in text form, which "
				"'samplefdo merge' turns into binary form",
				file->name);
	if (!has_magic(file))
		return fdo_fail(err, "%s: not a profile of samplefdo",
				file->name);
	c->at = FORMAT_MAGIC_SIZE;
	if (!cursor_u32(c, &version, err))
		return false;
	if (version != FORMAT_VERSION_1 && version != FORMAT_VERSION_2)
		return fdo_fail(err,
				"%s: byte 8: format version %u, this program "
				"reads %d and %d",
				file->name, version, FORMAT_VERSION_1,
				FORMAT_VERSION_2);
	if (!cursor_u32(c, &sections, err) || !cursor_u64(c, &total, err))
		return false;
	if (total > file->size)
		return fdo_fail(err,
				"%s: byte %zu: the file is truncated, it had "
				"%llu bytes",
				file->name, file->size,
				(unsigned long long)total);
	if (total < file->size)
		return fdo_fail(err, "%s: byte %llu: something follows the end",
				file->name, (unsigned long long)total);
	file->nsections = version == FORMAT_VERSION_1 ? SECTIONS_1 : SECTIONS;
	if (sections != file->nsections)
		return fdo_fail(err, "%s: byte 12: %u sections, not %u",
				file->name, sections, file->nsections);
	return true;
}

/* Sections follow each other without gaps; the last is all of the rest. */
static bool read_section(struct profile_file *file, struct cursor *c,
			 unsigned int number, uint64_t *at,
			 struct fdo_error *err)
{
	struct section *section = &file->sections[number];
	struct cursor start = *c, all;
	uint64_t offset = 0, size = 0;
	uint32_t kind = 0;

	if (!cursor_u32(c, &kind, err) || !cursor_u32(c, &section->crc, err) ||
	    !cursor_u64(c, &offset, err) || !cursor_u64(c, &size, err))
		return false;
	if (kind != number || offset != *at || size > file->size - *at ||
	    (number == file->nsections - 1 && size != file->size - *at))
		return cursor_fail(&start, err, "section %u is out of place",
				   number);
	all = cursor_new(file->name, data_of(file), file->size);
	all.at = offset;
	*at += size;
	return cursor_part(&all, size, &section->data, err);
}

static bool test_crc(const struct cursor *data, uint32_t want, const char *what,
		     struct fdo_error *err)
{
	if (profile_crc(data->data, data->size) == want)
		return true;
	return cursor_fail(data, err, "the checksum of %s is wrong", what);
}

static bool read_sections(struct profile_file *file, struct cursor *c,
			  struct fdo_error *err)
{
	uint64_t at = format_header_size(file->nsections);
	struct cursor whole;
	uint32_t crc = 0;

	if (file->size < at)
		return cursor_fail(c, err, "the header ends too early");
	c->at = at - 4;
	if (!cursor_u32(c, &crc, err))
		return false;
	whole = cursor_new(file->name, data_of(file), at - 4);
	if (!test_crc(&whole, crc, "the header", err))
		return false;
	c->at = 24;
	for (unsigned int i = 0; i < file->nsections; i++)
		if (!read_section(file, c, i, &at, err))
			return false;
	return true;
}

static bool test_section(const struct profile_file *file, int number,
			 const char *what, struct fdo_error *err)
{
	const struct section *section = &file->sections[number];

	return test_crc(&section->data, section->crc, what, err);
}

/* Version 2 is for files that have some. */
static bool read_unsampled_table(struct profile_file *file,
				 struct fdo_error *err)
{
	const struct section *entries = &file->sections[SECTION_UNSAMPLED];

	if (file->nsections < SECTIONS)
		return true;
	if (entries->data.size == 0)
		return cursor_fail(&entries->data, err,
				   "no unsampled functions");
	return test_section(file, SECTION_UNSAMPLED_CHECKS,
			    "the checksums of the unsampled functions", err) &&
	       table_init(&file->unsampled, &entries->data,
			  &file->sections[SECTION_UNSAMPLED_CHECKS].data,
			  FORMAT_UNSAMPLED_SIZE,
			  "the table of unsampled functions", err);
}

static bool read_header(struct profile_file *file, struct fdo_error *err)
{
	struct cursor c = cursor_new(file->name, data_of(file), file->size);

	return read_start(file, &c, err) && read_sections(file, &c, err) &&
	       test_section(file, SECTION_META, "what is said of the whole",
			    err) &&
	       test_section(file, SECTION_CHECKS, "the checksums of the index",
			    err) &&
	       table_init(&file->index, &file->sections[SECTION_INDEX].data,
			  &file->sections[SECTION_CHECKS].data,
			  FORMAT_ENTRY_SIZE, "the index", err) &&
	       read_unsampled_table(file, err);
}

static struct profile *open_profile(struct profile_file *file,
				    struct fdo_error *err)
{
	struct profile *p = profile_new();
	struct cursor meta;

	p->private_->file = file;
	if (read_header(file, err)) {
		meta = file->sections[SECTION_META].data;
		if (record_decode_meta(p, &meta, err))
			return p;
	}
	profile_free(p);
	return NULL;
}

struct profile *profile_open(const char *path, struct fdo_error *err)
{
	struct profile_file *file = open_file(path, err);
	struct profile *p;

	if (!file)
		return NULL;
	file->loaded = fdo_map_new();
	p = open_profile(file, err);
	if (p)
		p->nunsampled = file->unsampled.n;
	return p;
}

static bool read_entry(struct profile_file *file, size_t number,
		       struct entry *ret, struct fdo_error *err)
{
	struct cursor entry;

	return table_entry(&file->index, number, &entry, err) &&
	       cursor_u64(&entry, &ret->hash, err) &&
	       cursor_u64(&entry, &ret->offset, err) &&
	       cursor_u32(&entry, &ret->size, err) &&
	       cursor_u32(&entry, &ret->crc, err);
}

static bool read_record(struct profile *p, const struct entry *entry,
			struct profile_function **ret, struct fdo_error *err)
{
	struct profile_file *file = p->private_->file;
	struct cursor records = file->sections[SECTION_RECORDS].data, record;
	struct profile_function *f;

	if (entry->offset > records.size ||
	    entry->size > records.size - entry->offset)
		return cursor_fail(&records, err,
				   "a record is not within its section");
	records.at = entry->offset;
	if (!cursor_part(&records, entry->size, &record, err) ||
	    !test_crc(&record, entry->crc, "a record", err))
		return false;
	f = record_decode(p, &record, err);
	if (!f)
		return false;
	record.at = 0;
	if (fdo_hash_text(f->body.name) != entry->hash) {
		cursor_fail(&record, err,
			    "the index means another function than %s",
			    f->body.name);
		profile_function_free(f);
		return false;
	}
	*ret = f;
	return true;
}

/* Add to the list the functions of that name, one entry after the other. */
static bool load_list(struct profile *p, const char *name, struct loaded *list,
		      struct fdo_error *err)
{
	struct profile_file *file = p->private_->file;
	uint64_t hash = fdo_hash_text(name);
	struct profile_function *f = NULL;
	struct entry entry = { 0 };
	size_t at = 0;

	if (!table_find(&file->index, hash, &at, err))
		return false;
	for (; at < file->index.n; at++) {
		if (!read_entry(file, at, &entry, err))
			return false;
		if (entry.hash != hash)
			break;
		if (!read_record(p, &entry, &f, err))
			return false;
		if (f->body.name != name) {
			profile_function_free(f);
			continue;
		}
		list->functions =
			profile_grow(list->functions, list->count, sizeof(f));
		list->functions[list->count++] = f;
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

/* All records in the order of the index: each follows the one before it. */
static bool read_functions(struct profile *p, struct fdo_error *err)
{
	struct profile_file *file = p->private_->file;
	const struct cursor *index = &file->sections[SECTION_INDEX].data;
	const struct cursor *records = &file->sections[SECTION_RECORDS].data;
	struct profile_function *f = NULL, *last = NULL;
	struct entry entry = { 0 };
	uint64_t at = 0, hash = 0;

	for (size_t i = 0; i < file->index.n; i++) {
		if (!read_entry(file, i, &entry, err))
			return false;
		if (entry.offset != at || entry.hash < hash)
			return cursor_fail(index, err,
					   "entry %zu is out of order", i);
		if (!read_record(p, &entry, &f, err))
			return false;
		profile_append_function(p, f);
		if (last && entry.hash == hash &&
		    profile_compare_bodies(&last->body, &f->body) >= 0)
			return cursor_fail(index, err,
					   "entry %zu is out of order", i);
		at += entry.size;
		hash = entry.hash;
		last = f;
	}
	if (at != records->size)
		return cursor_fail(records, err,
				   "the records end before their section");
	return true;
}

static bool read_one_unsampled(struct profile_file *file, size_t number,
			       struct profile_unsampled *ret,
			       struct fdo_error *err)
{
	struct cursor entry;

	return table_entry(&file->unsampled, number, &entry, err) &&
	       unsampled_decode(ret, &entry, err);
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
		if (!read_one_unsampled(file, at, &u, err)) {
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

/* What was sampled is not among them: a writer would have left it out. */
static bool read_unsampled(struct profile *p, struct fdo_error *err)
{
	struct profile_file *file = p->private_->file;
	size_t n = file->unsampled.n;
	struct profile_unsampled u;

	for (size_t i = 0; i < n; i++) {
		if (!read_one_unsampled(file, i, &u, err))
			return false;
		if (i && unsampled_compare(&p->unsampled[i - 1], &u) >= 0)
			return cursor_fail(&file->unsampled.entries, err,
					   "entry %zu is out of order", i);
		profile_add_unsampled(p, &u);
	}
	unsampled_sort(p);
	if (p->nunsampled != n)
		return cursor_fail(&file->unsampled.entries, err,
				   "%zu of %zu functions were sampled",
				   n - p->nunsampled, n);
	return true;
}

static struct profile *read_whole(struct profile_file *file,
				  struct fdo_error *err)
{
	struct profile *p = open_profile(file, err);

	if (!p)
		return NULL;
	if (!test_section(file, SECTION_INDEX, "the index", err) ||
	    !test_section(file, SECTION_RECORDS, "the records", err) ||
	    !test_section(file, SECTION_UNSAMPLED, "the unsampled functions",
			  err) ||
	    !read_functions(p, err) || !read_unsampled(p, err)) {
		profile_free(p);
		return NULL;
	}
	profile_sort_functions(p);
	profile_close(file);
	p->private_->file = NULL;
	return p;
}

struct profile *profile_read(const char *path, struct fdo_error *err)
{
	struct profile_file *file = open_file(path, err);

	return file ? read_whole(file, err) : NULL;
}

struct profile *profile_read_any(const char *path, struct fdo_error *err)
{
	struct profile_file *file = open_file(path, err);
	struct profile *p = NULL;
	FILE *stream;

	if (!file || !is_text(file))
		return file ? read_whole(file, err) : NULL;
	stream = fmemopen((void *)data_of(file), file->size, "r");
	if (!stream)
		abort();
	p = profile_parse(stream, file->name, err);
	fclose(stream);
	profile_close(file);
	return p;
}
