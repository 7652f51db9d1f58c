/*
 * perffile.c - the header of a file and of a stream.
 *
 * A file has sections: the attributes of the events, their ids, the records
 * and behind them what perf knows of the machine and the objects.  A stream
 * has only its magic; all that it has to say comes in records.
 */
#include "converter/perf/perffile.h"

#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/error.h"
#include "converter/perf/perfevents.h"
#include "converter/perf/perfinput.h"

enum {
	PIPE_HEADER = 16,
	FILE_HEADER = 104,
	SECTION = 16,
	MAGIC = 8,
	ATTR_SIZE_MAX = 4096,
	DIRECTORY_OF_PARTS = 1,
};

struct section {
	uint64_t at, size;
};

static struct cursor cursor_on(const struct perffile *file, const void *bytes,
			       size_t size, uint64_t place)
{
	struct cursor ret = cursor_new(file->name, bytes, size);

	ret.base = place;
	ret.swap = file->swap;
	return ret;
}

static bool read_section(struct cursor *c, struct section *ret,
			 struct fdo_error *err)
{
	return cursor_u64(c, &ret->at, err) && cursor_u64(c, &ret->size, err);
}

/* Get a section into memory; free() it. */
static unsigned char *load(struct perffile *file, struct section section,
			   struct cursor *c, struct fdo_error *err)
{
	unsigned char *bytes =
		perfinput_part(file->input, section.at, section.size, err);

	if (bytes)
		*c = cursor_on(file, bytes, section.size, section.at);
	return bytes;
}

static bool load_ids(struct perffile *file, struct section section,
		     struct fdo_error *err)
{
	struct cursor c;
	unsigned char *bytes = load(file, section, &c, err);
	bool done = bytes && perfevents_add_ids(file->events, &c, err);

	free(bytes);
	return done;
}

/*
 * Each is an attribute and the section of its ids.  No two of these have bytes
 * in common, so that together they are not larger than the file.
 */
static bool read_attrs(struct perffile *file, struct cursor *c,
		       uint64_t attr_size, struct fdo_error *err)
{
	uint64_t room = perfinput_size(file->input);
	struct cursor attr;
	struct section ids;

	if (attr_size < SECTION || attr_size > ATTR_SIZE_MAX)
		return cursor_fail(c, err,
				   "descriptions of events with %llu "
				   "bytes are not supported",
				   (unsigned long long)attr_size);
	while (cursor_left(c)) {
		if (!cursor_part(c, attr_size - SECTION, &attr, err) ||
		    !perfevents_add(file->events, &attr, err) ||
		    !read_section(c, &ids, err))
			return false;
		if (ids.size > room)
			return cursor_fail(c, err,
					   "the ids of the events are larger "
					   "than the file");
		room -= ids.size;
		if (!load_ids(file, ids, err))
			return false;
	}
	return true;
}

static bool load_attrs(struct perffile *file, struct section section,
		       uint64_t attr_size, struct fdo_error *err)
{
	struct cursor c;
	unsigned char *bytes = load(file, section, &c, err);
	bool done = bytes && read_attrs(file, &c, attr_size, err);

	free(bytes);
	return done;
}

/*
 * As some versions of perf leave it, though nothing has happened to the file
 * since: zeros between two build-ids are not much of a hint.
 */
static bool explain_build_ids(struct fdo_error *err)
{
	return fdo_fail(err,
			"%s; the list of build-ids is damaged, as perf 6.12 "
			"writes it, and perf inject of 7.x from a pipe: "
			"convert what perf inject was given, or record with "
			"--buildid-mmap",
			err->text);
}

static bool read_directory(struct perffile *file, struct cursor *c,
			   struct fdo_error *err)
{
	uint64_t version;

	if (!cursor_u64(c, &version, err))
		return false;
	if (version != DIRECTORY_OF_PARTS)
		return cursor_fail(c, err,
				   "a directory of version %llu is not "
				   "supported",
				   (unsigned long long)version);
	file->in_parts = true;
	return true;
}

static bool read_feature(struct perffile *file, int feature, struct cursor *c,
			 struct fdo_error *err)
{
	if (feature == FEATURE_DIR_FORMAT)
		return read_directory(file, c, err);
	if (perfevents_feature(file->events, feature, c, err))
		return true;
	return feature == FEATURE_BUILD_ID ? explain_build_ids(err) : false;
}

static bool load_feature(struct perffile *file, int feature,
			 struct section section, struct fdo_error *err)
{
	struct cursor c;
	unsigned char *bytes = load(file, section, &c, err);
	bool done = bytes && read_feature(file, feature, &c, err);

	free(bytes);
	return done;
}

static bool has_feature(const uint64_t *features, int feature)
{
	return features[feature / 64] >> feature % 64 & 1;
}

/* Two files one behind the other are no file: the second would be lost. */
static bool check_end(struct perffile *file, uint64_t end,
		      struct fdo_error *err)
{
	struct section next = { .at = end, .size = MAGIC };
	unsigned char *bytes;
	struct cursor c;
	bool again;

	if (end > perfinput_size(file->input) ||
	    perfinput_size(file->input) - end < MAGIC)
		return true;
	bytes = load(file, next, &c, err);
	if (!bytes)
		return false;
	again = memcmp(bytes, "PERFILE2", MAGIC) == 0 ||
		memcmp(bytes, "2ELIFREP", MAGIC) == 0;
	free(bytes);
	return !again || cursor_fail(&c, err,
				     "another recording begins: each has to be "
				     "a file of its own");
}

/* Their sections are listed behind the records, in order of the bits. */
static bool load_features(struct perffile *file, const uint64_t *features,
			  struct fdo_error *err)
{
	struct section list = { .at = file->end };
	unsigned char *bytes;
	struct cursor c;
	bool done = true;
	uint64_t end;

	for (int i = 0; i < FEATURES; i++)
		if (has_feature(features, i))
			list.size += SECTION;
	bytes = load(file, list, &c, err);
	if (!bytes)
		return false;
	end = list.at + list.size;
	for (int i = 0; done && i < FEATURES; i++) {
		struct section section;

		if (!has_feature(features, i))
			continue;
		done = read_section(&c, &section, err) &&
		       load_feature(file, i, section, err);
		if (done && section.size < UINT64_MAX - section.at &&
		    section.at + section.size > end)
			end = section.at + section.size;
	}
	free(bytes);
	return done && check_end(file, end, err);
}

/* Everything but the records. */
static bool read_file_header(struct perffile *file, struct cursor *c,
			     struct fdo_error *err)
{
	uint64_t attr_size, features[FEATURES / 64];
	struct section attrs, records, types;

	if (!cursor_u64(c, &attr_size, err) || !read_section(c, &attrs, err) ||
	    !read_section(c, &records, err) || !read_section(c, &types, err))
		return false;
	for (int i = 0; i < FEATURES / 64; i++)
		if (!cursor_u64(c, &features[i], err))
			return false;
	if (!perfinput_make_seekable(file->input, err))
		return false;
	if (records.size == 0)
		return cursor_fail(c, err,
				   "has no records: perf record was "
				   "not ended as it should be");
	if (records.at > perfinput_size(file->input) ||
	    records.size > perfinput_size(file->input) - records.at)
		return cursor_fail(c, err,
				   "is cut: it must have %llu bytes of "
				   "records from byte %llu on",
				   (unsigned long long)records.size,
				   (unsigned long long)records.at);
	file->end = records.at + records.size;
	return load_attrs(file, attrs, attr_size, err) &&
	       load_features(file, features, err) &&
	       perfevents_check(file->events, c->file, err) &&
	       perfinput_seek(file->input, records.at, err);
}

/* The magic says the byte order, too. */
static bool read_magic(struct perffile *file, struct cursor *c,
		       struct fdo_error *err)
{
	const void *magic = NULL;

	if (!cursor_bytes(c, 8, &magic, err))
		return cursor_fail(c, err, "is no perf.data: it is too short");
	if (memcmp(magic, "PERFFILE", 8) == 0 ||
	    memcmp(magic, "ELIFFREP", 8) == 0)
		return cursor_fail(c, err,
				   "is of the first format of "
				   "perf.data (before Linux 2.6.37), "
				   "which is not supported");
	if (memcmp(magic, "2ELIFREP", 8) == 0)
		file->swap = c->swap = true;
	else if (memcmp(magic, "PERFILE2", 8) != 0)
		return fdo_fail(err, "%s: is no perf.data", c->file);
	return true;
}

bool perffile_open(struct perfinput *input, struct perfevents *events,
		   struct perffile *file, struct fdo_error *err)
{
	const unsigned char *bytes;
	uint64_t size;
	struct cursor c;
	size_t got;

	*file = (struct perffile){
		.input = input,
		.name = perfinput_name(input),
		.events = events,
	};
	if (!perfinput_peek(file->input, FILE_HEADER, &bytes, &got, err))
		return false;
	c = cursor_on(file, bytes, got, 0);
	if (!read_magic(file, &c, err) || !cursor_u64(&c, &size, err))
		return false;
	file->end = UINT64_MAX;
	file->stream = size == PIPE_HEADER;
	if (file->stream)
		return perfinput_skip(file->input, PIPE_HEADER, err);
	if (size == FILE_HEADER)
		return read_file_header(file, &c, err);
	return cursor_fail(&c, err, "a header of %llu bytes is not supported",
			   (unsigned long long)size);
}
