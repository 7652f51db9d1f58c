/*
 * main.c - samplefdo: find the subcommand and run it.
 *
 * Exit status: 0 done; 1 the work failed; 2 the command line was wrong.
 * What was asked for, --help too, goes to stdout; complaints to stderr.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/output.h"
#include "converter/command.h"

static const struct command *const commands[] = {
	&command_record, /* in the order of use */
	&command_step,
	&command_convert,
	&command_show,
	&command_merge,
	&command_remap,
	&command_report,
	&command_annotate,
	&command_blocks,
	&command_compare,
	&command_stats,
	NULL,
};

static int print_help(void)
{
	puts("Usage: samplefdo COMMAND [ARGUMENT]...\n"
	     "\n"
	     "Compile with profiles made from hardware event samples.\n"
	     "\n"
	     "Commands:");
	for (int i = 0; commands[i]; i++)
		printf("  %-10s%s\n", commands[i]->name, commands[i]->summary);
	puts("\n"
	     "Options:\n"
	     "  -h, --help     print this and exit\n"
	     "      --version  print the version and exit\n"
	     "\n"
	     "'samplefdo COMMAND --help' describes one command; samplefdo(1), "
	     "all.");
	return COMMAND_DONE;
}

static int print_version(void)
{
	puts("samplefdo " PACKAGE_VERSION);
	return COMMAND_DONE;
}

static const struct command *find(const char *name)
{
	for (int i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

/* What getopt() took for options. */
static void explain_file(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (argv[i][0] != '-' || !argv[i][1] ||
		    access(argv[i], F_OK) != 0)
			continue;
		fprintf(stderr,
			"samplefdo: the file %s is ./%s here, or comes behind "
			"all options and '--'\n",
			argv[i], argv[i]);
		return;
	}
}

static int run(const struct command *command, int argc, char **argv)
{
	static char program[] = "samplefdo";
	struct fdo_error err = { "" };
	int status;

	argv[0] = program;
	status = command->run(argc, argv, &err);
	if (status == COMMAND_HELP) {
		fputs(command->help, stdout);
		return COMMAND_DONE;
	}
	if (status == COMMAND_VERSION)
		return print_version();
	if (status != COMMAND_DONE && err.text[0])
		fprintf(stderr, "samplefdo: %s\n", err.text);
	else if (status == COMMAND_USAGE)
		explain_file(argc, argv);
	if (status == COMMAND_USAGE)
		fprintf(stderr, "Try 'samplefdo %s --help'.\n", command->name);
	return status;
}

static int dispatch(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		fputs("samplefdo: no command given\n"
		      "Try 'samplefdo --help'.\n",
		      stderr);
		return COMMAND_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return print_help();
	if (strcmp(argv[1], "--version") == 0)
		return print_version();
	command = find(argv[1]);
	if (!command) {
		fprintf(stderr,
			"samplefdo: no command '%s'\n"
			"Try 'samplefdo --help'.\n",
			argv[1]);
		return COMMAND_USAGE;
	}
	return run(command, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	int status;

	fdo_file_hold_streams();
	fdo_output_survive_limit();
	status = dispatch(argc, argv);
	if (!fdo_file_close_stdout("samplefdo") && status == COMMAND_DONE)
		status = COMMAND_FAILED;
	return status;
}
