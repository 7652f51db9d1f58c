/*
 * functions.h - "samplefdo show" of the functions that execute most.
 *
 * Units      Instructions executed, as a body's total (profile.h); shares of the
 *            sum of all functions.
 * Ownership  The reader stays the caller's, and is at its end then.
 * Errors     Profiles that stream.h cannot read; nothing is printed of them.
 */
#ifndef CONVERTER_PRINT_FUNCTIONS_H
#define CONVERTER_PRINT_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct fdo_error;
struct profile_reader;

/* Print so many of those that are left to be read, or all if n is 0. */
bool functions_print(struct profile_reader *r, size_t n, bool json,
		     struct fdo_error *err);

#endif
