/*
 * open.c - what is read has been tested: the header, what is said of the whole
 * and the checksums of the index by opening a file, a piece of the index when
 * something in it is looked at, and each record by its own checksum.
 *
 * Who goes through all of a large file has little of it in memory at a time.
 */
#include "profile/open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/spool.h"
#include "profile/private.h"
#include "profile/record.h"
#include "profile/unsampled.h"

/* What is gone through stays in memory so long. */
enum { PASSED = 1 << 20 };

void profile_file_close(struct profile_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < file->nlists; i++)
		free(file->lists[i].functions);
	free(file->lists);
	fdo_map_free(file->loaded);
	table_deinit(&file->index);
	table_deinit(&file->unsampled);
	if (file->spool)
		spool_free(file->spool);
	else
		fdo_file_close(&file->all);
	free(file->name);
	free(file);
}

/* All of what is no regular file. */
static bool slurp(struct profile_file *file, FILE *stream,
		  struct fdo_error *err)
{
	struct fdo_error reason;
	char part[65536];
	size_t n;

	file->spool = spool_new();
	while ((n = fread(part, 1, sizeof(part), stream)) > 0)
		spool_add(file->spool, part, n);
	if (ferror(stream))
		return fdo_fail(err, "%s: %s", file->name, strerror(errno));
	return spool_view(file->spool, &file->all, &reason) ||
	       fdo_fail(err, "%s: %s", file->name, reason.text);
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
	return fdo_file_open(&file->all, path, err);
}

struct profile_file *profile_file_open(const char *path, struct fdo_error *err)
{
	struct profile_file *file = fdo_alloc(1, sizeof(*file));
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;

	file->name = fdo_copy(name);
	if (get_data(file, path, err))
		return file;
	profile_file_close(file);
	return NULL;
}

static bool begins_with(const struct profile_file *file, const char *start,
			size_t size)
{
	return file->all.size >= size &&
	       memcmp(file->all.data, start, size) == 0;
}

bool profile_file_is_binary(const struct profile_file *file)
{
	return begins_with(file, FORMAT_MAGIC, FORMAT_MAGIC_SIZE);
}

bool profile_file_is_text(const struct profile_file *file)
{
	return begins_with(file, PROFILE_TEXT_START,
			   strlen(PROFILE_TEXT_START));
}

/* Up to the total size, with which all later messages can be honest. */
static bool read_start(struct profile_file *file, struct cursor *c,
		       struct fdo_error *err)
{
	uint32_t version = 0, sections = 0;
	uint64_t total = 0;

	if (file->all.size < FORMAT_MAGIC_SIZE &&
	    memcmp(c->data, FORMAT_MAGIC, file->all.size) == 0)
		return cursor_fail(c, err, "the file is truncated");
	if (profile_file_is_text(file))
		return fdo_fail(err,
				"%s: is a profile in text form, which "
				"'samplefdo merge' turns into binary form",
				file->name);
	if (!profile_file_is_binary(file))
		return fdo_fail(err, "%s: not a profile of samplefdo",
				file->name);
	c->at = FORMAT_MAGIC_SIZE;
	if (!cursor_u32(c, &version, err))
		return false;
	if (version < FORMAT_VERSION_1 || version > FORMAT_VERSION_3)
		return fdo_fail(err,
				"%s: byte 8: format version %u, this program "
				"reads %d to %d",
				file->name, version, FORMAT_VERSION_1,
				FORMAT_VERSION_3);
	file->version = version;
	if (!cursor_u32(c, &sections, err) || !cursor_u64(c, &total, err))
		return false;
	if (total > file->all.size)
		return fdo_fail(err,
				"%s: byte %zu: the file is truncated, it had "
				"%llu bytes",
				file->name, file->all.size,
				(unsigned long long)total);
	if (total < file->all.size)
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
	if (kind != number || offset != *at || size > file->all.size - *at ||
	    (number == file->nsections - 1 && size != file->all.size - *at))
		return cursor_fail(&start, err, "section %u is out of place",
				   number);
	all = cursor_new(file->name, file->all.data, file->all.size);
	all.at = offset;
	*at += size;
	return cursor_part(&all, size, &section->data, err);
}

static bool crc_fail(const struct cursor *data, const char *what,
		     struct fdo_error *err)
{
	return cursor_fail(data, err, "the checksum of %s is wrong", what);
}

static bool test_crc(const struct cursor *data, uint32_t want, const char *what,
		     struct fdo_error *err)
{
	return profile_crc(data->data, data->size) == want ||
	       crc_fail(data, what, err);
}

static bool read_sections(struct profile_file *file, struct cursor *c,
			  struct fdo_error *err)
{
	uint64_t at = format_header_size(file->nsections);
	struct cursor whole;
	uint32_t crc = 0;

	if (file->all.size < at)
		return cursor_fail(c, err, "the header ends too early");
	c->at = at - 4;
	if (!cursor_u32(c, &crc, err))
		return false;
	whole = cursor_new(file->name, file->all.data, at - 4);
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
	const struct cursor *data = &section->data;
	uint32_t crc = 0;

	for (size_t at = 0, size; at < data->size; at += size) {
		size = data->size - at < PASSED ? data->size - at : PASSED;
		crc = profile_crc_add(crc, data->data + at, size);
		if (data->size > PASSED)
			fdo_file_forget(&file->all, data->data + at, size);
	}
	return crc == section->crc || crc_fail(data, what, err);
}

bool profile_file_test(const struct profile_file *file, struct fdo_error *err)
{
	return test_section(file, SECTION_INDEX, "the index", err) &&
	       test_section(file, SECTION_RECORDS, "the records", err) &&
	       test_section(file, SECTION_UNSAMPLED, "the unsampled functions",
			    err);
}

/* Version 2 is for files that have some, and version 3 may have some. */
static bool read_unsampled_table(struct profile_file *file,
				 struct fdo_error *err)
{
	const struct section *entries = &file->sections[SECTION_UNSAMPLED];

	if (file->nsections < SECTIONS)
		return true;
	if (entries->data.size == 0 && file->version == FORMAT_VERSION_2)
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
	struct cursor c =
		cursor_new(file->name, file->all.data, file->all.size);

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

struct profile *profile_file_read_whole(struct profile_file *file,
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

bool profile_file_entry(struct profile_file *file, size_t number,
			struct entry *ret, struct fdo_error *err)
{
	struct cursor entry;

	return table_entry(&file->index, number, &entry, err) &&
	       cursor_u64(&entry, &ret->hash, err) &&
	       cursor_u64(&entry, &ret->offset, err) &&
	       cursor_u32(&entry, &ret->size, err) &&
	       cursor_u32(&entry, &ret->crc, err);
}

struct profile_function *profile_file_record(const struct profile_file *file,
					     const struct entry *entry,
					     struct fdo_strings *strings,
					     size_t nbinaries,
					     struct fdo_error *err)
{
	struct cursor records = file->sections[SECTION_RECORDS].data, record;
	struct profile_function *f;

	if (entry->offset > records.size ||
	    entry->size > records.size - entry->offset) {
		cursor_fail(&records, err,
			    "a record is not within its section");
		return NULL;
	}
	records.at = entry->offset;
	if (!cursor_part(&records, entry->size, &record, err) ||
	    !test_crc(&record, entry->crc, "a record", err))
		return NULL;
	f = record_decode(strings, nbinaries, file->version, &record, err);
	record.at = 0;
	if (f && fdo_hash_text(f->body.name) != entry->hash) {
		cursor_fail(&record, err,
			    "the index means another function than %s",
			    f->body.name);
		profile_function_free(f);
		f = NULL;
	}
	return f;
}

/* What is before the next one will not be looked at again. */
static void forget(const struct profile_file *file, struct records *r)
{
	const struct cursor *records = &file->sections[SECTION_RECORDS].data;
	const struct cursor *index = &file->sections[SECTION_INDEX].data;

	if (r->at - r->forgotten < PASSED)
		return;
	fdo_file_forget(&file->all, records->data + r->forgotten,
			r->at - r->forgotten);
	fdo_file_forget(&file->all, index->data, r->number * FORMAT_ENTRY_SIZE);
	r->forgotten = r->at;
}

static bool next_record(struct profile_file *file, struct records *r,
			const struct entry *entry, struct fdo_strings *strings,
			size_t nbinaries, struct profile_function **ret,
			struct fdo_error *err)
{
	const struct cursor *index = &file->sections[SECTION_INDEX].data;
	struct profile_function *f = NULL;
	bool good = entry->offset == r->at && entry->hash >= r->hash;

	if (good) {
		f = profile_file_record(file, entry, strings, nbinaries, err);
		if (!f)
			return false;
		good = !r->last || entry->hash != r->hash ||
		       profile_compare_bodies(&r->last->body, &f->body) < 0;
	}
	if (!good) {
		profile_function_free(f);
		return cursor_fail(index, err, "entry %zu is out of order",
				   r->number);
	}
	*ret = f;
	return true;
}

/* Version 3 is for files that have a first use. */
static bool test_end(const struct profile_file *file, const struct records *r,
		     struct fdo_error *err)
{
	const struct cursor *records = &file->sections[SECTION_RECORDS].data;

	if (r->at != records->size)
		return cursor_fail(records, err,
				   "the records end before their section");
	return file->version < FORMAT_VERSION_3 || r->first_use ||
	       cursor_fail(records, err, "no record has a first use");
}

bool profile_file_next(struct profile_file *file, struct records *r,
		       struct fdo_strings *strings, size_t nbinaries,
		       struct profile_function **ret, struct fdo_error *err)
{
	struct entry entry = { 0 };

	*ret = NULL;
	if (r->number == file->index.n)
		return test_end(file, r, err);
	if (!profile_file_entry(file, r->number, &entry, err) ||
	    !next_record(file, r, &entry, strings, nbinaries, ret, err))
		return false;
	r->number++;
	r->at += entry.size;
	r->hash = entry.hash;
	r->last = *ret;
	r->first_use |= (*ret)->first_use > 0;
	forget(file, r);
	return true;
}

bool profile_file_one_unsampled(struct profile_file *file, size_t number,
				struct profile_unsampled *ret,
				struct fdo_error *err)
{
	struct cursor entry;

	return table_entry(&file->unsampled, number, &entry, err) &&
	       unsampled_decode(ret, &entry, err);
}

bool profile_file_read_unsampled(struct profile_file *file, struct profile *p,
				 struct fdo_error *err)
{
	const struct cursor *entries = &file->unsampled.entries;
	struct profile_unsampled u;

	for (size_t i = 0; i < file->unsampled.n; i++) {
		if (!profile_file_one_unsampled(file, i, &u, err))
			return false;
		if (i && unsampled_compare(&p->unsampled[i - 1], &u) >= 0)
			return cursor_fail(entries, err,
					   "entry %zu is out of order", i);
		profile_add_unsampled(p, &u);
	}
	fdo_file_forget(&file->all, entries->data, entries->size);
	return true;
}
