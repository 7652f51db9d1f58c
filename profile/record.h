/*
 * record.h - a record of the file: one function, or what is said of the whole.
 *
 * Errors     Encoding cannot fail (the depth is the caller's to test); a
 *            damaged record fails with file and byte.
 */
#ifndef PROFILE_RECORD_H
#define PROFILE_RECORD_H

#include "base/cursor.h"
#include "base/bytes.h"
#include "profile/profile.h"

/* A number with a sign as one whose bit 0 is the sign, and back. */
static inline uint64_t record_zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t record_unzigzag(uint64_t value)
{
	return (int64_t)(value >> 1 ^ -(value & 1));
}

/* Add to out.  The profile is sorted; the version is that of the file. */
void record_encode_meta(const struct profile *p, struct bytes *out);
void record_encode(const struct profile_function *f, int version,
		   struct bytes *out);

/* The cursor is the record: all of it is read. */
bool record_decode_meta(struct profile *p, struct cursor *c,
			struct fdo_error *err);

/*
 * A function that is in no profile, or NULL.  Its texts are those of strings;
 * nbinaries is how many there can be.
 */
struct profile_function *record_decode(struct fdo_strings *strings,
				       size_t nbinaries, int version,
				       struct cursor *c, struct fdo_error *err);

#endif
