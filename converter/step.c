/*
 * step.c - "samplefdo step": branch records where the processor has none.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/file.h"
#include "base/output.h"
#include "converter/arguments.h"
#include "converter/command.h"
#include "converter/perf/perfwrite.h"
#include "converter/step/burst.h"
#include "converter/step/tracer.h"

static const char help[] =
	"Usage: samplefdo step [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	"       samplefdo step [OPTION]... -p PID[,PID]...\n"
	"\n"
	"Run COMMAND, or join processes, and now and then step through a "
	"burst of\n"
	"its instructions, for records of the branches that it takes.  It "
	"takes no\n"
	"counter: virtual machines can do it.\n"
	"\n"
	"Options:\n"
	"  -o, --output=FILE      write the records here (default: "
	"step.data);\n"
	"                         '-' is standard output; COMMAND's goes to\n"
	"                         standard error then\n"
	"  -F, --frequency=N      about N bursts in a second, 1 to 1000 "
	"(default: 20)\n"
	"  -n, --steps=N          N instructions in each, 10 to 10000 "
	"(default: 1000)\n"
	"  -p, --pid=PID[,PID]... of these processes and those that they "
	"start\n"
	"  -d, --duration=N       stop after N seconds; the program runs on\n"
	"  -q, --quiet            do not say how much there was\n"
	"  -h, --help             print this and exit\n"
	"      --version          print the version and exit\n"
	"\n"
	"Exit status: that of COMMAND, 128 and the signal's number if one "
	"ended it.\n"
	"\n"
	"Example: with the samples of a timer, together\n"
	"  samplefdo record --step -o app.data -- ./app input.txt\n"
	"  samplefdo convert -b app -o app.afdo app.data app.data.step\n";

enum { FREQUENCY = 20, FREQUENCY_MAX = 1000, STEPS = 1000, STEPS_MIN = 10 };

struct request {
	struct tracer_options options;
	const char *output;
	pid_t *pids;
	size_t npids; /* 0: a command */
	bool quiet;
};

static bool parse(int option, struct request *r, struct fdo_error *err)
{
	uint64_t number = 0;
	bool done = true;

	switch (option) {
	case 'F':
		done = argument_number_in("frequency", optarg, 1, FREQUENCY_MAX,
					  &number, err);
		r->options.per_second = number;
		break;
	case 'n':
		done = argument_number_in("steps", optarg, STEPS_MIN, BURST_MAX,
					  &number, err);
		r->options.steps = number;
		break;
	case 'p':
		done = argument_pids(optarg, &r->pids, &r->npids, err);
		break;
	case 'd':
		done = argument_number_in("duration", optarg, 1, 1000000,
					  &number, err);
		r->options.seconds = number;
		break;
	case 'o':
		r->output = optarg;
		/* As with perf record, records and text do not mix. */
		r->options.takes_output = fdo_output_is_standard(optarg);
		break;
	default:
		r->quiet = true;
	}
	return done;
}

static void say(const struct tracer_totals *totals)
{
	fprintf(stderr,
		"samplefdo: stepped through %llu bursts, %llu instructions, "
		"%llu taken branches, in %.3f s\n",
		(unsigned long long)totals->bursts,
		(unsigned long long)totals->instructions,
		(unsigned long long)totals->branches,
		totals->nanoseconds * 1e-9);
}

static int exit_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static int step(const struct request *r, char **argv, struct fdo_error *err)
{
	struct tracer_totals totals = { 0 };
	struct perfwrite *writer;
	struct fdo_output out;
	int status = 0;
	bool done;

	if (!fdo_output_open_private(&out, r->output, err))
		return COMMAND_FAILED;
	writer = perfwrite_new(out.stream, "branch-steps");
	done = r->npids ? tracer_join(&r->options, r->pids, r->npids, writer,
				      &totals, err)
			: tracer_run(&r->options, argv, writer, &totals,
				     &status, err);
	perfwrite_free(writer);
	if (!done) {
		fdo_output_abandon(&out);
		return COMMAND_FAILED;
	}
	if (!fdo_output_close(&out, err))
		return COMMAND_FAILED;
	if (!r->quiet)
		say(&totals);
	/* Whatever it is, it says nothing of how this command was called. */
	exit(exit_code(status));
}

static int take_options(struct request *r, int argc, char **argv,
			struct fdo_error *err)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "frequency", required_argument, NULL, 'F' },
		{ "steps", required_argument, NULL, 'n' },
		{ "pid", required_argument, NULL, 'p' },
		{ "duration", required_argument, NULL, 'd' },
		{ "quiet", no_argument, NULL, 'q' },
		COMMAND_OPTIONS,
	};
	int option;

	/* The "+" leaves the command's own options alone. */
	while ((option = getopt_long(argc, argv, "+o:F:n:p:d:qh", options,
				     NULL)) != -1) {
		switch (option) {
		case COMMAND_HELP:
		case COMMAND_VERSION:
			return option;
		case '?':
			return COMMAND_USAGE;
		default:
			if (!parse(option, r, err))
				return COMMAND_USAGE;
		}
	}
	return COMMAND_DONE;
}

static bool check(const struct request *r, const char *command,
		  struct fdo_error *err)
{
	if (!r->npids == !command)
		return fdo_fail(err, command ? "a command and a process given"
					     : "no command given");
	return !command || !fdo_file_same(command, r->output) ||
	       fdo_fail(err, "--output %s: is the command itself", r->output);
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	struct request r = {
		.options = { .per_second = FREQUENCY, .steps = STEPS },
		.output = "step.data",
	};
	int status = take_options(&r, argc, argv, err);

	if (status == COMMAND_DONE && !check(&r, argv[optind], err))
		status = COMMAND_USAGE;
	if (status == COMMAND_DONE)
		status = step(&r, argv + optind, err);
	free(r.pids);
	return status;
}

const struct command command_step = {
	.name = "step",
	.summary = "record a program's branches, burst by burst, without a "
		   "counter",
	.help = help,
	.run = run,
};
