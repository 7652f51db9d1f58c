/*
 * open.h - an open profile: its sections, and its records one by one.
 *
 * Ownership  profile_file_open() gives, profile_file_close() takes back and
 *            accepts NULL.  Functions are the caller's.
 * Errors     With the file's name and the byte.
 */
#ifndef PROFILE_OPEN_H
#define PROFILE_OPEN_H

#include "base/cursor.h"
#include "base/file.h"
#include "base/map.h"
#include "profile/format.h"
#include "profile/profile.h"
#include "profile/table.h"

struct spool;

struct section {
	uint32_t crc;
	struct cursor data;
};

/* The functions of one name. */
struct loaded {
	struct profile_function **functions;
	size_t count;
};

struct profile_file {
	char *name; /* for messages */
	struct fdo_file all;
	struct spool *spool; /* has all of it, if it is no regular file */
	int version;
	struct section sections[SECTIONS];
	unsigned int nsections; /* the rest is empty */
	struct table index, unsampled;
	/* by profile_load() */
	struct fdo_map *loaded; /* name to the number of its list, from 1 */
	struct loaded *lists;
	size_t nlists, room_lists;
};

/* An entry of the index. */
struct entry {
	uint64_t hash, offset;
	uint32_t size, crc;
};

/* Of either form; nothing of it is looked at. */
struct profile_file *profile_file_open(const char *path, struct fdo_error *err);
void profile_file_close(struct profile_file *file);

/* How it begins. */
bool profile_file_is_binary(const struct profile_file *file);
bool profile_file_is_text(const struct profile_file *file);

/* All of one in text form. */
struct profile *profile_parse_file(const struct profile_file *file,
				   struct fdo_error *err);

/*
 * A profile with what is said of the whole; the file is the profile's, even
 * if it fails.
 */
struct profile *profile_file_read_whole(struct profile_file *file,
					struct fdo_error *err);

/* All checksums that are not tested by looking at entries and records. */
bool profile_file_test(const struct profile_file *file, struct fdo_error *err);

bool profile_file_entry(struct profile_file *file, size_t number,
			struct entry *ret, struct fdo_error *err);

/* As record_decode(). */
struct profile_function *profile_file_record(const struct profile_file *file,
					     const struct entry *entry,
					     struct fdo_strings *strings,
					     size_t nbinaries,
					     struct fdo_error *err);

/* All records in the order of the index, beginning with a struct of zeros. */
struct records {
	size_t number; /* of the next one */
	uint64_t at;   /* where it must be */
	uint64_t hash; /* of the last one */
	const struct profile_function *last;
	uint64_t forgotten; /* up to here, records need no memory */
	bool first_use;	    /* one had some */
};

/* *ret is NULL at the end.  The last one is still looked at. */
bool profile_file_next(struct profile_file *file, struct records *r,
		       struct fdo_strings *strings, size_t nbinaries,
		       struct profile_function **ret, struct fdo_error *err);

/* Set p->unsampled. */
bool profile_file_read_unsampled(struct profile_file *file, struct profile *p,
				 struct fdo_error *err);
bool profile_file_one_unsampled(struct profile_file *file, size_t number,
				struct profile_unsampled *ret,
				struct fdo_error *err);

#endif
