/* convert.c - "samplefdo convert": samples and a binary become a profile. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "converter/binary/lines.h"
#include "converter/binary/object.h"
#include "converter/command.h"
#include "converter/count/program.h"
#include "converter/job.h"
#include "converter/keys/attribute.h"
#include "converter/keys/unsampled.h"
#include "converter/print/summary.h"
#include "profile/export.h"
#include "profile/profile.h"

static const char help[] =
	"Usage: samplefdo convert --binary=FILE... -o PROFILE [OPTION]...\n"
	"                         PERF-DATA...\n"
	"\n"
	"Turn the samples of a program into a profile that the compiler can\n"
	"read.  '-' is standard input or output.  A report goes to standard\n"
	"error.\n"
	"\n"
	"Options:\n" JOB_HELP
	"  -o, --output=PROFILE     write the profile here\n"
	"      --format=FORMAT      samplefdo, text, gcc for -fauto-profile of "
	"a\n"
	"                           GCC without our plugin, or llvm for "
	"clang's\n"
	"                           -fprofile-sample-use\n"
	"      --gcc-version=N      which GCC, with --format=gcc (12)\n"
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

enum format { SAMPLEFDO, TEXT, GCC, LLVM, FORMATS };

struct convert {
	struct job job;
	const char *output;
	enum format format;
	uint64_t gcc; /* 0: nothing is said */
	bool json;
};

enum { FORMAT = 0x2000, JSON, GCC_VERSION };

static const struct option options[] = {
	JOB_OPTIONS,
	{ "output", required_argument, NULL, 'o' },
	{ "format", required_argument, NULL, FORMAT },
	{ "gcc-version", required_argument, NULL, GCC_VERSION },
	{ "json", no_argument, NULL, JSON },
	{ "quiet", no_argument, NULL, 'q' },
	COMMAND_OPTIONS,
};

static bool set_format(struct convert *c, const char *name,
		       struct fdo_error *err)
{
	static const char *const names[FORMATS] = { "samplefdo", "text", "gcc",
						    "llvm" };

	for (int i = 0; i < FORMATS; i++)
		if (strcmp(name, names[i]) == 0) {
			c->format = i;
			return true;
		}
	return fdo_fail(
		err, "no format '%s' (there are: samplefdo, text, gcc, llvm)",
		name);
}

static bool set_option(void *data, int option, struct fdo_error *err)
{
	struct convert *c = data;

	switch (option) {
	case 'o':
		c->output = optarg;
		return true;
	case FORMAT:
		return set_format(c, optarg, err);
	case GCC_VERSION:
		return job_number_in("gcc-version", optarg, PROFILE_GCC_FIRST,
				     PROFILE_GCC_LAST, &c->gcc, err);
	case JSON:
		c->json = true;
		return true;
	case 'q':
		c->job.quiet = true;
		return true;
	default:
		return false;
	}
}

static bool write_text(struct profile *profile, const char *path,
		       struct fdo_error *err)
{
	struct fdo_output out;

	if (!fdo_output_open(&out, path, err))
		return false;
	profile_print(profile, out.stream);
	return fdo_output_close(&out, err);
}

static bool write_profile(struct convert *c, struct profile *profile,
			  struct fdo_error *err)
{
	switch (c->format) {
	case TEXT:
		return write_text(profile, c->output, err);
	case GCC:
		return profile_export_gcc(profile, c->gcc ? c->gcc : 12,
					  c->output, err);
	case LLVM:
		return profile_export_llvm(profile, c->output, err);
	default:
		return profile_write(profile, c->output, err);
	}
}

/* With part of the debug information there may be none of what was sampled. */
static bool has_keys(const struct convert *c,
		     const struct attribute_result *placed,
		     struct fdo_error *err)
{
	const struct program_binary *lacking = summary_lacking(c->job.program);

	if (placed->keys == 0 && placed->executed > 0 && lacking)
		return fdo_fail(
			err,
			"%s: nothing that ran has a place in the source: %zu "
			".dwo files were not found, as %s",
			lacking->object->path,
			lines_stats(lacking->lines)->missing,
			lines_stats(lacking->lines)->missing_name);
	if (placed->keys == 0 && placed->nowhere > placed->executed / 2)
		return fdo_fail(err,
				"%s: nothing that ran is in a function that "
				"the debug information has (clang -g1 leaves "
				"out most): build with -g",
				c->job.binaries[0]);
	return placed->keys > 0 || placed->executed == 0 ||
	       fdo_fail(err,
			"%s: nothing that ran has a place in the source: its "
			"debug information is of other code",
			c->job.binaries[0]);
}

static bool convert(struct convert *c, struct fdo_error *err)
{
	struct attribute_result placed;
	struct profile *profile;
	bool written;

	c->job.wants_values = c->job.model != JOB_EXACT;
	if (!job_run(&c->job, err))
		return false;
	profile = profile_new();
	profile->tool = profile_text(profile, "samplefdo " PACKAGE_VERSION);
	profile->model = profile_text(profile, job_model_name(c->job.model));
	attribute(c->job.program, c->job.usual, profile, &placed);
	unsampled(c->job.program, profile);
	written = has_keys(c, &placed, err) && write_profile(c, profile, err);
	profile_free(profile);
	if (!written)
		return false;
	if (!c->job.quiet)
		summary_print(&c->job, &placed, stderr);
	if (c->json)
		summary_json(&c->job, &placed, stdout);
	return true;
}

/* One file cannot have two things in it. */
static bool check(const struct convert *c, struct fdo_error *err)
{
	if (!c->output)
		return fdo_fail(err, "no --output given");
	if (c->gcc && c->format != GCC)
		return fdo_fail(err, "--gcc-version is for --format=gcc");
	return !c->json || strcmp(c->output, "-") != 0 ||
	       fdo_fail(err, "--json is on standard output, and so is the "
			     "profile");
}

/* A wrong -o costs no recording, and no binary. */
static bool spares(const struct convert *c, const char *const *inputs, size_t n,
		   struct fdo_error *err)
{
	for (size_t i = 0; i < n; i++)
		if (inputs[i] && fdo_file_same(inputs[i], c->output))
			return fdo_fail(err,
					"--output %s: is an input, which the "
					"profile would take the place of",
					c->output);
	return true;
}

static bool spares_all(const struct convert *c, struct fdo_error *err)
{
	const char *const others[] = { c->job.truth, c->job.machine_path };

	return spares(c, c->job.inputs, c->job.ninputs, err) &&
	       spares(c, c->job.binaries, c->job.nbinaries, err) &&
	       spares(c, others, 2, err);
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
