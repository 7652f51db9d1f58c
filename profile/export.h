/*
 * export.h - profiles for compilers without our plugin.
 *
 *	struct profile *p = profile_read_any("prof.afdo", err);
 *	if (!profile_export_gcc(p, 14, "fbdata.afdo", err))
 *		...
 *
 * Both formats know less than ours: a place is a line offset of 0 to 65535
 * in the function's own file, with a discriminator; there are no columns, no
 * flags and no errors.  Columns of a line are put together: the largest count
 * stands, as everywhere in these compilers.
 *
 * Units      Counts as they are.
 * Ownership  The profile stays as it is, but sorted.
 * Errors     Of writing, with the file's name.
 */
#ifndef PROFILE_EXPORT_H
#define PROFILE_EXPORT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fdo_error;
struct profile;

/* The major versions of GCC whose format is known. */
enum { PROFILE_GCC_FIRST = 5, PROFILE_GCC_LAST = 16 };

/*
 * What "gcc -fauto-profile=FILE" of that major version reads.  5 to 11: file
 * version 1; 12 to 15: version 2; 16: version 3.  Up to 12, GCC takes the
 * last discriminator of a line for the whole line, so there is only one.
 */
bool profile_export_gcc(struct profile *p, unsigned gcc, const char *path,
			struct fdo_error *err);

/* What "clang -fprofile-sample-use=FILE" reads: the text form. */
bool profile_export_llvm(struct profile *p, const char *path,
			 struct fdo_error *err);

#ifdef __cplusplus
}
#endif
#endif
