/*
 * record.c - "samplefdo record": perf record with the best events there are.
 *
 * This process becomes perf: signals and the exit status go straight between
 * the caller and perf.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output.h"
#include "converter/arguments.h"
#include "converter/command.h"
#include "converter/record/children.h"
#include "converter/record/choice.h"

static const char help[] =
	"Usage: samplefdo record [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	"       samplefdo record [OPTION]... -p PID[,PID]... [--] "
	"[COMMAND\n"
	"           [ARGUMENT]...]\n"
	"       samplefdo record [OPTION]... -a [--] [COMMAND [ARGUMENT]...]\n"
	"\n"
	"Run COMMAND under 'perf record', or record processes or all that "
	"runs,\n"
	"with the best events that this machine has: retired instructions, "
	"CPU\n"
	"cycles and data TLB misses with prime periods, and branch records if\n"
	"there are any; CPU time and page faults where there is no hardware\n"
	"counter; and what is in registers.  Says on standard error which it "
	"took.\n"
	"\n"
	"Options:\n"
	"  -o, --output=FILE      write the samples here (default: "
	"perf.data);\n"
	"                         '-' is standard output\n"
	"  -F, --frequency=N      about N samples of each event in a second of "
	"a\n"
	"                         busy processor, 1 to 100000 (default: 2000)\n"
	"  -p, --pid=PID[,PID]... these processes, until they end, or COMMAND "
	"does,\n"
	"                         or at an interrupt\n"
	"  -a, --all-cpus         all that runs on the machine, likewise; perf "
	"has to\n"
	"                         be allowed to\n"
	"  -k, --kernel           what the kernel does meanwhile, instead of "
	"programs;\n"
	"                         to be converted with --binary vmlinux\n"
	"  -s, --step             also step through bursts of instructions, "
	"into\n"
	"                         FILE.step: branch records without a "
	"counter\n"
	"  -h, --help             print this and exit\n"
	"      --version          print the version and exit\n"
	"\n"
	"Exit status: that of perf record, which is COMMAND's own, or 255 if "
	"perf\n"
	"itself fails; 1 if nothing can be recorded.\n"
	"\n"
	"Examples:\n"
	"  samplefdo record -o app.data -- ./app input.txt\n"
	"  samplefdo record -o app.data -p $(pgrep -d, -x app) sleep 60\n"
	"  samplefdo record -o all.data -F 200 -a sleep 60\n"
	"  samplefdo record -o kernel.data --kernel -a sleep 60\n";

enum { FREQUENCY = 2000, FREQUENCY_MAX = 100000 };

/* This program's file; perf runs it in the place of the command. */
static bool find_self(char *ret, size_t size, struct fdo_error *err)
{
	ssize_t length = readlink("/proc/self/exe", ret, size - 1);

	if (length < 0)
		return fdo_fail(err, "/proc/self/exe: %s", strerror(errno));
	ret[length] = '\0';
	return true;
}

enum { STEP_ARGUMENTS = 5 };

/* Before the command: that it is stepped through. */
static void add_step(const char *self, const char *output, char **argv, int *n)
{
	char *steps = fdo_alloc(strlen(output) + sizeof(".step"), 1);

	sprintf(steps, "%s.step", output);
	argv[(*n)++] = (char *)self;
	argv[(*n)++] = (char *)"step";
	argv[(*n)++] = (char *)"-o";
	argv[(*n)++] = steps;
	argv[(*n)++] = (char *)"--";
}

struct options {
	const char *output;
	uint64_t frequency;
	char *pids; /* of all --pid, as perf takes them, or NULL */
	bool all_cpus;
	bool kernel;
	bool step;
};

static bool is_program(const char *path)
{
	struct stat at;

	if (stat(path, &at) == 0 && S_ISDIR(at.st_mode)) {
		errno = EISDIR;
		return false;
	}
	return access(path, X_OK) == 0;
}

/* As execvp() looks for it; otherwise errno. */
static bool is_in_path(const char *name)
{
	const char *path = getenv("PATH");
	char *full = fdo_alloc(1, PATH_MAX);
	bool found = false;

	for (const char *p = path ? path : "/bin:/usr/bin"; p && !found;) {
		size_t length = strcspn(p, ":");

		snprintf(full, PATH_MAX, "%.*s/%s", length ? (int)length : 1,
			 length ? p : ".", name);
		found = is_program(full);
		p = p[length] ? p + length + 1 : NULL;
	}
	free(full);
	if (!found)
		errno = ENOENT;
	return found;
}

/* False: it is not there, or of another user, which errno says. */
static bool is_ours(pid_t pid)
{
	return kill(pid, 0) == 0;
}

/* perf writes over a file, and needs its folder for a new one. */
static bool can_write(const char *path, struct fdo_error *err)
{
	if (access(path, W_OK) == 0)
		return true;
	return errno == ENOENT ? fdo_output_check(path, err)
			       : fdo_fail(err, "%s: %s", path, strerror(errno));
}

/* Who names a server alone gets none of its workers, and often nothing at all. */
static void note_children(const pid_t *pids, size_t n)
{
	size_t left = children_left_out(pids, n);

	if (left)
		fprintf(stderr,
			"samplefdo: child processes that run already are not "
			"recorded: %zu (--pid can name them, too)\n",
			left);
}

/* perf would leave a file that holds nothing. */
static bool can_begin(const struct options *options, const char *command,
		      struct fdo_error *err)
{
	pid_t *pids = NULL;
	size_t n = 0;
	bool done = true;

	if (command &&
	    !(strchr(command, '/') ? is_program(command) : is_in_path(command)))
		return fdo_fail(err, "%s: %s", command, strerror(errno));
	if (!fdo_output_is_standard(options->output) &&
	    !can_write(options->output, err))
		return false;
	if (options->pids && !argument_pids(options->pids, &pids, &n, err))
		return false;
	for (size_t i = 0; i < n && done; i++)
		done = is_ours(pids[i]) ||
		       fdo_fail(err, "process %ld: %s", (long)pids[i],
				strerror(errno));
	if (done && n > 0)
		note_children(pids, n);
	free(pids);
	return done;
}

static int record(const struct options *options, int argc, char **argv,
		  struct fdo_error *err)
{
	char **arguments =
		fdo_alloc(CHOICE_ARGUMENTS + 3 + STEP_ARGUMENTS + argc + 1,
			  sizeof(*argv));
	struct choice choice = { .all_cpus = options->all_cpus,
				 .kernel = options->kernel };
	char self[PATH_MAX];
	int n;

	if (can_begin(options, argv[0], err) &&
	    find_self(self, sizeof(self), err) &&
	    choice_make(&choice, options->frequency, err)) {
		choice_announce(&choice);
		choice_arguments(&choice, options->output, arguments, &n);
		if (options->pids) {
			arguments[n++] = (char *)"-p";
			arguments[n++] = options->pids;
		}
		arguments[n++] = (char *)"--";
		if (options->step)
			add_step(self, options->output, arguments, &n);
		memcpy(arguments + n, argv, argc * sizeof(*argv));
		execvp(arguments[0], arguments);
		fdo_fail(err, "perf: %s", strerror(errno));
	}
	free(arguments);
	return COMMAND_FAILED;
}

/* What --step cannot do beside the rest. */
static bool check_step(const struct options *options, struct fdo_error *err)
{
	if (!options->step)
		return true;
	if (fdo_output_is_standard(options->output))
		return fdo_fail(err, "--step writes a second file: --output "
				     "must be one, too");
	if (options->all_cpus)
		return fdo_fail(err, "--step is for COMMAND, and not for all "
				     "that runs");
	if (options->kernel)
		return fdo_fail(err, "--step is for COMMAND, and not for the "
				     "kernel");
	return !options->pids ||
	       fdo_fail(err,
			"--step is not for a process that runs; "
			"'samplefdo step -p %s' beside this is",
			options->pids);
}

static bool check(const struct options *options, const char *command,
		  struct fdo_error *err)
{
	const char *output = options->output;
	struct stat at;

	if (options->pids && options->all_cpus)
		return fdo_fail(err, "either --pid or --all-cpus");
	if (!command && !options->pids && !options->all_cpus)
		return fdo_fail(err, "no command given");
	if (command && fdo_file_same(command, output))
		return fdo_fail(err, "--output %s: is the command itself",
				output);
	if (stat(output, &at) == 0 && S_ISDIR(at.st_mode))
		return fdo_fail(err,
				"--output %s: is a folder, and perf would "
				"rename it",
				output);
	return check_step(options, err);
}

/* perf itself takes the last. */
static bool take_pids(const char *argument, struct options *options,
		      struct fdo_error *err)
{
	const char *before = options->pids ? options->pids : "";
	pid_t *pids = NULL;
	size_t n = 0;
	bool done = argument_pids(argument, &pids, &n, err);
	char *all;

	free(pids);
	if (!done)
		return false;
	if (asprintf(&all, "%s%s%s", before, *before ? "," : "", argument) < 0)
		abort();
	free(options->pids);
	options->pids = all;
	return true;
}

/* 0, or how it ends. */
static int take_option(int option, struct options *options,
		       struct fdo_error *err)
{
	switch (option) {
	case 'o':
		options->output = optarg;
		return 0;
	case 'F':
		return argument_number_in("frequency", optarg, 1, FREQUENCY_MAX,
					  &options->frequency, err)
			       ? 0
			       : COMMAND_USAGE;
	case 'p':
		return take_pids(optarg, options, err) ? 0 : COMMAND_USAGE;
	case 'a':
		options->all_cpus = true;
		return 0;
	case 'k':
		options->kernel = true;
		return 0;
	case 's':
		options->step = true;
		return 0;
	case COMMAND_HELP:
	case COMMAND_VERSION:
		return option;
	default:
		return COMMAND_USAGE;
	}
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	static const struct option long_options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "frequency", required_argument, NULL, 'F' },
		{ "pid", required_argument, NULL, 'p' },
		{ "all-cpus", no_argument, NULL, 'a' },
		{ "kernel", no_argument, NULL, 'k' },
		{ "step", no_argument, NULL, 's' },
		COMMAND_OPTIONS,
	};
	struct options options = { .output = "perf.data",
				   .frequency = FREQUENCY };
	int status = 0, option;

	/* The "+" leaves the command's own options alone. */
	while (!status && (option = getopt_long(argc, argv, "+o:F:p:aksh",
						long_options, NULL)) != -1)
		status = take_option(option, &options, err);
	if (!status && !check(&options, argv[optind], err))
		status = COMMAND_USAGE;
	if (!status)
		status = record(&options, argc - optind, argv + optind, err);
	free(options.pids);
	return status;
}

const struct command command_record = {
	.name = "record",
	.summary = "run a program under perf with the best events there are",
	.help = help,
	.run = run,
};
