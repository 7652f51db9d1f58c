/*
 * command.h - what main() knows of a subcommand, and no more.
 *
 * A command is one file that ends in a struct command; main.c lists it.
 *
 *	static int run(int argc, char **argv, struct fdo_error *err)
 *	{
 *		static const struct option options[] = {
 *			{ "function", required_argument, NULL, 'f' },
 *			COMMAND_OPTIONS,
 *		};
 *		int option;
 *
 *		while ((option = getopt_long(argc, argv, "f:h", options,
 *					     NULL)) != -1) {
 *			switch (option) {
 *			case 'f': ...
 *			case COMMAND_HELP:
 *			case COMMAND_VERSION:
 *				return option;
 *			default:
 *				return COMMAND_USAGE;
 *			}
 *		}
 *		if (optind == argc)
 *			return fdo_fail(err, "no profile given"), COMMAND_USAGE;
 *		...
 *
 * Errors     run() returns one of the values below.  Results go to stdout;
 *            main() tests that they arrived.  The text in err, if any, is
 *            printed by main(), after "samplefdo: "; so are the hint that
 *            follows a wrong command line, the help and the version.
 */
#ifndef CONVERTER_COMMAND_H
#define CONVERTER_COMMAND_H

#include <getopt.h>
#include <stddef.h>

struct fdo_error;

enum {
	COMMAND_DONE = 0,
	COMMAND_FAILED = 1, /* bad input, or the job failed */
	COMMAND_USAGE = 2,  /* the command line is wrong */
	COMMAND_HELP = 'h', /* not exit codes: options all commands have */
	COMMAND_VERSION = 256,
};

#define COMMAND_OPTIONS                                            \
	{ "help", no_argument, NULL, COMMAND_HELP },               \
		{ "version", no_argument, NULL, COMMAND_VERSION }, \
	{                                                          \
		NULL, 0, NULL, 0                                   \
	}

struct command {
	const char *name;
	const char *summary; /* one line for the list in --help */
	const char *help;    /* the whole of NAME --help */

	/* argv[0] is the program's name, so that getopt_long() says it. */
	int (*run)(int argc, char **argv, struct fdo_error *err);
};

extern const struct command command_annotate;
extern const struct command command_blocks;
extern const struct command command_compare;
extern const struct command command_convert;
extern const struct command command_merge;
extern const struct command command_record;
extern const struct command command_remap;
extern const struct command command_report;
extern const struct command command_show;
extern const struct command command_stats;
extern const struct command command_step;

#endif
