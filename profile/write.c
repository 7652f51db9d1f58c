/*
 * write.c - a whole profile to a file.  It is made in memory first: the header
 * at its beginning needs the sizes and checksums of what comes after it, and
 * the output may be a pipe.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "profile/format.h"
#include "profile/private.h"
#include "profile/record.h"
#include "profile/unsampled.h"

struct entry {
	uint64_t hash;
	const struct profile_function *function;
};

static int by_hash(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return profile_compare_bodies(&x->function->body, &y->function->body);
}

static struct entry *entries(const struct profile *p)
{
	struct entry *order = fdo_alloc(p->nfunctions, sizeof(*order));

	for (size_t i = 0; i < p->nfunctions; i++)
		order[i] = (struct entry){
			.hash = fdo_hash_text(p->functions[i]->body.name),
			.function = p->functions[i],
		};
	qsort(order, p->nfunctions, sizeof(*order), by_hash);
	return order;
}

static void put_records(const struct profile *p, struct bytes *index,
			struct bytes *records)
{
	struct entry *order = entries(p);

	for (size_t i = 0; i < p->nfunctions; i++) {
		size_t start = records->size, size;

		record_encode(order[i].function, records);
		size = records->size - start;
		bytes_u64(index, order[i].hash);
		bytes_u64(index, start);
		bytes_u32(index, size);
		bytes_u32(index, profile_crc(records->data + start, size));
	}
	free(order);
}

static void put_unsampled(const struct profile *p, struct bytes *out)
{
	for (size_t i = 0; i < p->nunsampled; i++)
		unsampled_encode(&p->unsampled[i], out);
}

/* Of a table of entries of that size. */
static void put_checks(const struct bytes *table, size_t entry,
		       struct bytes *checks)
{
	size_t piece = entry * FORMAT_CHECKED_ENTRIES, size;

	for (size_t at = 0; at < table->size; at += size) {
		size = table->size - at < piece ? table->size - at : piece;
		bytes_u32(checks, profile_crc(table->data + at, size));
	}
}

static void put_header(const struct bytes *sections, unsigned int n,
		       struct bytes *header)
{
	uint64_t at = format_header_size(n), total = at;

	for (unsigned int i = 0; i < n; i++)
		total += sections[i].size;
	bytes_add(header, FORMAT_MAGIC, FORMAT_MAGIC_SIZE);
	bytes_u32(header,
		  n == SECTIONS_1 ? FORMAT_VERSION_1 : FORMAT_VERSION_2);
	bytes_u32(header, n);
	bytes_u64(header, total);
	for (unsigned int i = 0; i < n; i++) {
		bytes_u32(header, i);
		bytes_u32(header,
			  profile_crc(sections[i].data, sections[i].size));
		bytes_u64(header, at);
		bytes_u64(header, sections[i].size);
		at += sections[i].size;
	}
	bytes_u32(header, profile_crc(header->data, header->size));
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

static bool check_depth(const struct profile *p, const char *path,
			struct fdo_error *err)
{
	for (size_t i = 0; i < p->nfunctions; i++)
		if (too_deep(&p->functions[i]->body, 0))
			return fdo_fail(err,
					"%s: cannot write: more than %d calls "
					"are inlined into each other in %s",
					path, PROFILE_DEPTH,
					p->functions[i]->body.name);
	return true;
}

static bool put_file(const struct bytes *header, const struct bytes *sections,
		     const char *path, struct fdo_error *err)
{
	struct fdo_output out;

	if (!fdo_output_open(&out, path, err))
		return false;
	fwrite(header->data, 1, header->size, out.stream);
	for (int i = 0; i < SECTIONS; i++)
		if (sections[i].size)
			fwrite(sections[i].data, 1, sections[i].size,
			       out.stream);
	return fdo_output_close(&out, err);
}

bool profile_write(struct profile *p, const char *path, struct fdo_error *err)
{
	struct bytes sections[SECTIONS] = { 0 }, header = { 0 };
	bool written;

	if (!check_depth(p, path, err))
		return false;
	profile_sort(p);
	record_encode_meta(p, &sections[SECTION_META]);
	put_records(p, &sections[SECTION_INDEX], &sections[SECTION_RECORDS]);
	put_checks(&sections[SECTION_INDEX], FORMAT_ENTRY_SIZE,
		   &sections[SECTION_CHECKS]);
	put_unsampled(p, &sections[SECTION_UNSAMPLED]);
	put_checks(&sections[SECTION_UNSAMPLED], FORMAT_UNSAMPLED_SIZE,
		   &sections[SECTION_UNSAMPLED_CHECKS]);
	put_header(sections, p->nunsampled ? SECTIONS : SECTIONS_1, &header);
	written = put_file(&header, sections, path, err);
	free(header.data);
	for (int i = 0; i < SECTIONS; i++)
		free(sections[i].data);
	return written;
}
