/*
 * output.h - in which form a subcommand writes a profile, and where.
 *
 *	struct output output = { .path = NULL };
 *	while (... option ...)
 *		if (!output_set(&output, option, optarg, err))
 *			return COMMAND_USAGE;
 *	if (!output_check(&output, err))
 *		return COMMAND_USAGE;
 *	... output_write(&output, profile, err)
 *
 * Errors     A wrong command line: output_set() and output_check().  Writing
 *            fails with the file's name, and nothing has happened.
 */
#ifndef CONVERTER_OUTPUT_H
#define CONVERTER_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

struct fdo_error;
struct profile;

/* The letters, or numbers, of options. */
enum { OUTPUT_FORMAT = 0x3000, OUTPUT_GCC_VERSION, OUTPUT_TEXT };

/* clang-format off */

/* For getopt_long(). */
#define OUTPUT_OPTIONS \
	{ "output", required_argument, NULL, 'o' }, \
	{ "format", required_argument, NULL, OUTPUT_FORMAT }, \
	{ "gcc-version", required_argument, NULL, OUTPUT_GCC_VERSION }, \
	{ "text", no_argument, NULL, OUTPUT_TEXT }

/* Their lines in --help. */
#define OUTPUT_HELP \
"  -o, --output=PROFILE     write the profile here (required)\n" \
"      --format=FORMAT      samplefdo, text, gcc for -fauto-profile of a\n" \
"                           GCC without our plugin, or llvm for clang's\n" \
"                           -fprofile-sample-use\n" \
"      --gcc-version=N      which GCC, with --format=gcc (12)\n" \
"      --text               the same as --format=text\n"

/* clang-format on */

enum output_format {
	OUTPUT_IS_SAMPLEFDO,
	OUTPUT_IS_TEXT,
	OUTPUT_IS_GCC,
	OUTPUT_IS_LLVM,
	OUTPUT_FORMATS,
};

struct output {
	const char *path; /* NULL: nothing is said yet */
	enum output_format format;
	uint64_t gcc; /* major version; 0: nothing is said */
};

/* Takes one of these options; false: err, or it is none. */
bool output_set(struct output *output, int option, const char *value,
		struct fdo_error *err);

bool output_check(const struct output *output, struct fdo_error *err);

/* The profile is sorted, if it was not. */
bool output_write(const struct output *output, struct profile *profile,
		  struct fdo_error *err);

#endif
