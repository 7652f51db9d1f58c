/* convert.c - "samplefdo convert": samples and a binary become a profile. */
#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/output.h"
#include "converter/binary/lines.h"
#include "converter/binary/object.h"
#include "converter/command.h"
#include "converter/count/program.h"
#include "converter/job.h"
#include "converter/keys/attribute.h"
#include "converter/keys/unsampled.h"
#include "converter/output.h"
#include "converter/print/summary.h"
#include "profile/profile.h"

/* With less of what ran in it, a profile says nothing. */
static const double LITTLE = .1;

static const char help[] =
	"Usage: samplefdo convert --binary=FILE... -o PROFILE [OPTION]...\n"
	"                         PERF-DATA...\n"
	"\n"
	"Turn the samples of a program into a profile that the compiler can\n"
	"read.  '-' is standard input or output.  A report goes to standard\n"
	"error.\n"
	"\n"
	"Options:\n" JOB_HELP OUTPUT_HELP
	"      --json               the report as JSON, to standard output\n"
	"  -q, --quiet              no report\n"
	"  -h, --help               print this and exit\n"
	"      --version            print the version and exit\n"
	"\n"
	"Example:\n"
	"  samplefdo record -o app.data ./app\n"
	"  samplefdo convert --binary app app.data -o app.afdo\n"
	"  gcc -O2 -g -fplugin=samplefdo.so -fprofile-file=app.afdo app.c "
	"-o app\n";

struct convert {
	struct job job;
	struct output output;
	bool json;
};

enum { JSON = 0x2000 };

static const struct option options[] = {
	JOB_OPTIONS,
	OUTPUT_OPTIONS,
	{ "json", no_argument, NULL, JSON },
	{ "quiet", no_argument, NULL, 'q' },
	COMMAND_OPTIONS,
};

static bool set_option(void *data, int option, struct fdo_error *err)
{
	struct convert *c = data;

	switch (option) {
	case JSON:
		c->json = true;
		return true;
	case 'q':
		c->job.quiet = true;
		return true;
	default:
		return output_set(&c->output, option, optarg, err);
	}
}

/* So little of what ran has a place that a profile would be of no use. */
static bool is_little(const struct attribute_result *placed)
{
	return placed->keys == 0 || placed->placed < placed->executed * LITTLE;
}

/* With part of the debug information most may be in what is not there. */
static bool has_places(const struct convert *c,
		       const struct attribute_result *placed,
		       struct fdo_error *err)
{
	const struct program_binary *lacking = summary_lacking(c->job.program);
	const char *first = c->job.program->binaries[0].object->path;
	double percent = 100.0 * placed->placed / placed->executed;

	if (placed->executed == 0 || !is_little(placed))
		return true;
	if (lacking)
		return fdo_fail(
			err,
			"%s: of what ran, %.1f %% has a place in the source: "
			"%zu .dwo files were not found or could not be read, "
			"as %s (a .dwp file needs libdw 0.191)",
			lacking->object->path, percent,
			lines_stats(lacking->lines)->missing,
			lines_stats(lacking->lines)->missing_name);
	if (placed->nowhere > placed->executed / 2)
		return fdo_fail(err,
				"%s: of what ran, %.1f %% is in a function "
				"that the debug information has (clang -g1 "
				"leaves out most): build with -g",
				first, percent);
	return placed->keys > 0 ||
	       fdo_fail(err,
			"%s: nothing that ran has a place in the source: its "
			"debug information is of other code",
			first);
}

static void summarize(const struct convert *c,
		      const struct attribute_result *placed)
{
	struct summary s = {
		.program = c->job.program,
		.samples = c->job.samples,
		.flow = &c->job.prepass,
		.weights = c->job.weights,
		.placed = placed,
		.misfit = job_misfit(&c->job),
	};

	if (!c->job.quiet)
		summary_print(&s, stderr);
	if (c->json)
		summary_json(&s, stdout);
}

/*
 * What one stage frees the next one takes: where it goes back to the kernel in
 * between, its pages are made and cleared again.
 */
static void keep_memory(void)
{
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	mallopt(M_MMAP_THRESHOLD, INT_MAX);
}

static bool convert(struct convert *c, struct fdo_error *err)
{
	struct attribute_result placed;
	struct profile *profile;
	bool written;

	keep_memory();
	c->job.wants_values = c->job.model != JOB_EXACT;
	if (!fdo_output_check(c->output.path, err) || !job_run(&c->job, err))
		return false;
	profile = profile_new();
	profile->tool = profile_text(profile, "samplefdo " PACKAGE_VERSION);
	profile->model = profile_text(profile, job_model_name(c->job.model));
	attribute(c->job.program, c->job.usual, profile, &placed);
	unsampled(c->job.program, profile);
	written = has_places(c, &placed, err) &&
		  output_write(&c->output, profile, err);
	profile_free(profile);
	if (!written)
		return false;
	summarize(c, &placed);
	return true;
}

/* One file cannot have two things in it. */
static bool check(const struct convert *c, struct fdo_error *err)
{
	if (!output_check(&c->output, err))
		return false;
	if (c->job.truth && c->job.model != JOB_EXACT &&
	    c->job.model != JOB_CGO10)
		return fdo_fail(err, "--truth is for --model=exact and "
				     "--model=cgo10");
	return !c->json || !fdo_output_is_standard(c->output.path) ||
	       fdo_fail(err, "--json is on standard output, and so is the "
			     "profile");
}

static bool spares_all(const struct convert *c, struct fdo_error *err)
{
	const char *const others[] = { c->job.truth, c->job.machine_path };
	const char *output = c->output.path;
	const struct job *job = &c->job;

	return fdo_file_spares(output, job->inputs, job->ninputs, err) &&
	       fdo_file_spares(output, job->binaries, job->nbinaries, err) &&
	       fdo_file_spares(output, others, 2, err);
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	struct convert c = { .job = JOB_INIT };
	int status =
		job_options(&c.job, argc, argv, options, set_option, &c, err);

	if (status == COMMAND_DONE &&
	    !(check(&c, err) &&
	      job_inputs(&c.job, argc - optind, argv + optind, err) &&
	      spares_all(&c, err)))
		status = COMMAND_USAGE;
	if (status == COMMAND_DONE && !convert(&c, err))
		status = COMMAND_FAILED;
	job_deinit(&c.job);
	return status;
}

const struct command command_convert = {
	.name = "convert",
	.summary = "turn samples and a binary into a profile",
	.help = help,
	.run = run,
};
