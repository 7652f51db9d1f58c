/*
 * write.c - the writer, and whole profiles by it.
 *
 * The header and what is said of the whole are known last, but come first in
 * the file, and the output may be a pipe: index and records wait in spools.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/output.h"
#include "base/spool.h"
#include "profile/format.h"
#include "profile/private.h"
#include "profile/record.h"
#include "profile/stream.h"
#include "profile/unsampled.h"

/* How much of a spool is copied at a time. */
enum { PIECE = 1 << 20 };

/* The bytes of a section, with their checksum. */
struct part {
	struct spool *bytes;
	uint32_t crc;
};

/* A table of entries, each so many with a checksum. */
struct checked {
	struct part part;
	size_t entries; /* of the last piece */
	uint32_t crc;	/* of the last piece */
	struct bytes checks;
};

struct profile_writer {
	char *path;
	struct part records;
	struct checked index, unsampled;
	struct bytes record; /* for one, or for an entry */
	uint64_t last_hash;
	bool first_use;	    /* one has some, or will have */
	bool has_first_use; /* one had some */
};

static void put(struct part *part, const void *data, size_t size)
{
	spool_add(part->bytes, data, size);
	part->crc = profile_crc_add(part->crc, data, size);
}

static void put_check(struct checked *table)
{
	if (table->entries)
		bytes_u32(&table->checks, table->crc);
	table->entries = 0;
	table->crc = 0;
}

static void put_entry(struct checked *table, const struct bytes *entry)
{
	put(&table->part, entry->data, entry->size);
	table->crc = profile_crc_add(table->crc, entry->data, entry->size);
	if (++table->entries == FORMAT_CHECKED_ENTRIES)
		put_check(table);
}

/* Of a profile with all that. */
static int version_of(bool first_use, bool unsampled)
{
	if (first_use)
		return FORMAT_VERSION_3;
	return unsampled ? FORMAT_VERSION_2 : FORMAT_VERSION_1;
}

static bool has_first_use(const struct profile *p)
{
	for (size_t i = 0; i < p->nfunctions; i++)
		if (p->functions[i]->first_use)
			return true;
	return false;
}

int profile_version(const struct profile *p)
{
	return version_of(has_first_use(p), p->nunsampled);
}

struct profile_writer *profile_writer_new(const char *path, bool first_use)
{
	struct profile_writer *w = fdo_alloc(1, sizeof(*w));

	w->first_use = first_use;
	w->path = fdo_copy(path);
	w->records.bytes = spool_new();
	w->index.part.bytes = spool_new();
	w->unsampled.part.bytes = spool_new();
	return w;
}

void profile_writer_free(struct profile_writer *w)
{
	if (!w)
		return;
	spool_free(w->records.bytes);
	spool_free(w->index.part.bytes);
	spool_free(w->unsampled.part.bytes);
	free(w->index.checks.data);
	free(w->unsampled.checks.data);
	free(w->record.data);
	free(w->path);
	free(w);
}

static bool too_deep(const struct profile_body *body, int depth)
{
	if (depth > PROFILE_DEPTH)
		return true;
	for (size_t i = 0; i < body->ninlined; i++)
		if (too_deep(body->inlined[i], depth + 1))
			return true;
	return false;
}

static bool test_depth(const char *path, const struct profile_function *f,
		       struct fdo_error *err)
{
	return !too_deep(&f->body, 0) ||
	       fdo_fail(err,
			"%s: cannot write: more than %d calls are inlined "
			"into each other in %s",
			path, PROFILE_DEPTH, f->body.name);
}

static void put_function(struct profile_writer *w, uint64_t hash,
			 const struct profile_function *f)
{
	struct bytes *record = &w->record;
	uint64_t at = spool_size(w->records.bytes);
	uint32_t size, crc;

	record->size = 0;
	record_encode(f, version_of(w->first_use, false), record);
	size = record->size;
	crc = profile_crc(record->data, size);
	put(&w->records, record->data, size);
	record->size = 0;
	bytes_u64(record, hash);
	bytes_u64(record, at);
	bytes_u32(record, size);
	bytes_u32(record, crc);
	put_entry(&w->index, record);
}

bool profile_writer_add(struct profile_writer *w,
			const struct profile_function *f, struct fdo_error *err)
{
	uint64_t hash = fdo_hash_text(f->body.name);

	assert(hash >= w->last_hash);
	w->last_hash = hash;
	w->has_first_use |= f->first_use > 0;
	if (!test_depth(w->path, f, err))
		return false;
	put_function(w, hash, f);
	return true;
}

static void put_unsampled(struct profile_writer *w, const struct profile *p)
{
	for (size_t i = 0; i < p->nunsampled; i++) {
		w->record.size = 0;
		unsampled_encode(&p->unsampled[i], &w->record);
		put_entry(&w->unsampled, &w->record);
	}
	put_check(&w->unsampled);
}

/* What is written of a section. */
struct section {
	struct fdo_file bytes;
	uint32_t crc;
};

static struct section section_of(const struct bytes *bytes)
{
	return (struct section){
		.bytes = { .data = bytes->data, .size = bytes->size },
		.crc = profile_crc(bytes->data, bytes->size),
	};
}

static bool section_of_part(const struct part *part, struct section *ret,
			    struct fdo_error *err)
{
	ret->crc = part->crc;
	return spool_view(part->bytes, &ret->bytes, err);
}

static unsigned int sections_of(int version)
{
	return version == FORMAT_VERSION_1 ? SECTIONS_1 : SECTIONS;
}

static void put_header(const struct section *sections, int version,
		       struct bytes *header)
{
	unsigned int n = sections_of(version);
	uint64_t at = format_header_size(n), total = at;

	for (unsigned int i = 0; i < n; i++)
		total += sections[i].bytes.size;
	bytes_add(header, FORMAT_MAGIC, FORMAT_MAGIC_SIZE);
	bytes_u32(header, version);
	bytes_u32(header, n);
	bytes_u64(header, total);
	for (unsigned int i = 0; i < n; i++) {
		bytes_u32(header, i);
		bytes_u32(header, sections[i].crc);
		bytes_u64(header, at);
		bytes_u64(header, sections[i].bytes.size);
		at += sections[i].bytes.size;
	}
	bytes_u32(header, profile_crc(header->data, header->size));
}

static void copy(const struct fdo_file *bytes, FILE *stream)
{
	for (size_t at = 0, size; at < bytes->size; at += size) {
		size = bytes->size - at < PIECE ? bytes->size - at : PIECE;
		fwrite(bytes->data + at, 1, size, stream);
		fdo_file_forget(bytes, bytes->data + at, size);
	}
}

static bool put_file(const struct bytes *header, const struct section *sections,
		     unsigned int n, const char *path, struct fdo_error *err)
{
	struct fdo_output out;

	if (!fdo_output_open(&out, path, err))
		return false;
	fwrite(header->data, 1, header->size, out.stream);
	for (unsigned int i = 0; i < n; i++)
		copy(&sections[i].bytes, out.stream);
	return fdo_output_close(&out, err);
}

static bool put_sections(struct profile_writer *w, const struct bytes *meta,
			 int version, struct fdo_error *err)
{
	struct section sections[SECTIONS] = { 0 };
	struct bytes header = { 0 };
	struct fdo_error reason;
	bool written;

	sections[SECTION_META] = section_of(meta);
	sections[SECTION_CHECKS] = section_of(&w->index.checks);
	sections[SECTION_UNSAMPLED_CHECKS] = section_of(&w->unsampled.checks);
	if (!section_of_part(&w->index.part, &sections[SECTION_INDEX],
			     &reason) ||
	    !section_of_part(&w->records, &sections[SECTION_RECORDS],
			     &reason) ||
	    !section_of_part(&w->unsampled.part, &sections[SECTION_UNSAMPLED],
			     &reason))
		return fdo_fail(err, "%s: cannot write: %s", w->path,
				reason.text);
	put_header(sections, version, &header);
	written =
		put_file(&header, sections, sections_of(version), w->path, err);
	free(header.data);
	return written;
}

bool profile_writer_finish(struct profile_writer *w,
			   const struct profile *whole, struct fdo_error *err)
{
	struct bytes meta = { 0 };
	bool written;

	assert(w->has_first_use == w->first_use);
	put_check(&w->index);
	put_unsampled(w, whole);
	record_encode_meta(whole, &meta);
	written = put_sections(
		w, &meta, version_of(w->first_use, whole->nunsampled), err);
	free(meta.data);
	return written;
}

bool profile_write(struct profile *p, const char *path, struct fdo_error *err)
{
	struct profile_writer *w;
	struct ordered *order;
	bool good = true;

	profile_sort(p);
	w = profile_writer_new(path, has_first_use(p));
	order = profile_order(p);
	for (size_t i = 0; good && i < p->nfunctions; i++)
		good = profile_writer_add(w, order[i].function, err);
	good = good && profile_writer_finish(w, p, err);
	free(order);
	profile_writer_free(w);
	return good;
}
