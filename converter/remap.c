/* remap.c - the command line of "samplefdo remap". */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output.h"
#include "converter/command.h"
#include "converter/keys/carry.h"
#include "converter/keys/patch.h"
#include "converter/output.h"
#include "profile/profile.h"

static const char help[] =
	"Usage: samplefdo remap --diff=PATCH... PROFILE -o PROFILE\n"
	"\n"
	"Carry a profile over a change of the source.  PATCH is a unified "
	"diff,\n"
	"as 'diff -ru' and 'git diff' print it, from the source that was "
	"profiled\n"
	"to the one that will be compiled; several are applied in their "
	"order.\n"
	"A file of the profile is one of the patch if one of the two paths is "
	"the\n"
	"end of the other.  Keys of lines that are gone are dropped.  '-' is\n"
	"standard input or output.  A report goes to standard error.\n"
	"\n"
	"Options:\n"
	"  -d, --diff=PATCH         what has changed (required)\n"
	"  -p, --strip=N            take N folders off the paths in the "
	"patches;\n"
	"                           otherwise, those that only one side "
	"has\n" OUTPUT_HELP
	"      --json               the report as JSON, to standard output\n"
	"  -q, --quiet              no report\n"
	"  -h, --help               print this and exit\n"
	"      --version            print the version and exit\n"
	"\n"
	"Example:\n"
	"  git diff v1.2 | samplefdo remap --diff=- v1.2.afdo -o now.afdo\n";

struct options {
	const char **diffs;
	size_t ndiffs, room;
	struct output output;
	int strip;
	bool json, quiet;
};

static void print_report(const struct carry_report *r, const char *patch,
			 size_t files)
{
	fprintf(stderr,
		"samplefdo: %s: %zu changed files, %" PRIu64
		" of the profile's, %" PRIu64 " renamed\n",
		patch, files, r->files, r->renamed);
	fprintf(stderr,
		"samplefdo: %s: %" PRIu64 " functions touched; %" PRIu64
		" keys moved, %" PRIu64 " dropped, %" PRIu64 " stay; %" PRIu64
		" inlined calls without a place\n",
		patch, r->functions, r->moved, r->dropped, r->stay, r->calls);
	if (r->gone)
		fprintf(stderr,
			"samplefdo: %s: the declarations of %" PRIu64
			" functions are gone; these stay as they were\n",
			patch, r->gone);
	if (r->unsampled)
		fprintf(stderr,
			"samplefdo: %s: %" PRIu64
			" functions that were never sampled have changed, and "
			"are no longer cold\n",
			patch, r->unsampled);
	if (r->ambiguous)
		fprintf(stderr,
			"samplefdo: %s: two changed files could be %s, or "
			"another of the profile's (%" PRIu64
			" in all); these stay as they were\n",
			patch, r->one, r->ambiguous);
}

static void print_json(const struct carry_report *r, size_t files, bool first)
{
	printf("%s{\"files\": %zu, \"files_known\": %" PRIu64
	       ", \"files_renamed\": %" PRIu64 ", \"files_ambiguous\": %" PRIu64
	       ",\n  \"functions_touched\": %" PRIu64
	       ", \"functions_gone\": %" PRIu64
	       ", \"unsampled_changed\": %" PRIu64
	       ",\n  \"keys_moved\": %" PRIu64 ", \"keys_dropped\": %" PRIu64
	       ", \"keys_stay\": %" PRIu64 ", \"calls_gone\": %" PRIu64 "}",
	       first ? "" : ",\n ", files, r->files, r->renamed, r->ambiguous,
	       r->functions, r->gone, r->unsampled, r->moved, r->dropped,
	       r->stay, r->calls);
}

static bool read_patches(const struct options *o, struct patch **patches,
			 struct fdo_error *err)
{
	for (size_t i = 0; i < o->ndiffs; i++) {
		patches[i] = patch_read(o->diffs[i], o->strip, err);
		if (!patches[i])
			return false;
	}
	return true;
}

static bool apply(struct profile **p, struct patch **patches,
		  struct carry_report *reports, const struct options *o,
		  struct fdo_error *err)
{
	for (size_t i = 0; i < o->ndiffs; i++) {
		struct profile *new = carry(*p, patches[i], &reports[i]);

		profile_free(*p);
		*p = new;
	}
	return output_write(&o->output, *p, err);
}

static void print_reports(const struct options *o, struct patch **patches,
			  const struct carry_report *reports)
{
	for (size_t i = 0; !o->quiet && i < o->ndiffs; i++)
		print_report(&reports[i], o->diffs[i], patches[i]->nfiles);
	if (!o->json)
		return;
	putchar('[');
	for (size_t i = 0; i < o->ndiffs; i++)
		print_json(&reports[i], patches[i]->nfiles, i == 0);
	puts("]");
}

static bool remap(const char *path, const struct options *o,
		  struct fdo_error *err)
{
	struct patch **patches = fdo_alloc(o->ndiffs, sizeof(*patches));
	struct carry_report *reports = fdo_alloc(o->ndiffs, sizeof(*reports));
	struct profile *p = NULL;
	bool good = fdo_output_check(o->output.path, err) &&
		    read_patches(o, patches, err);

	if (good)
		p = profile_read_any(path, err);
	good = p && apply(&p, patches, reports, o, err);
	if (good)
		print_reports(o, patches, reports);
	profile_free(p);
	for (size_t i = 0; i < o->ndiffs; i++)
		patch_free(patches[i]);
	free(patches);
	free(reports);
	return good;
}

static bool set_strip(struct options *o, const char *text,
		      struct fdo_error *err)
{
	size_t n = strspn(text, "0123456789");

	if (n == 0 || n > 4 || text[n])
		return fdo_fail(err, "--strip: '%s' is not a number of folders",
				text);
	o->strip = atoi(text);
	return true;
}

static bool set_option(struct options *o, int option, struct fdo_error *err)
{
	switch (option) {
	case 'd':
		o->diffs = fdo_grow(o->diffs, o->ndiffs, &o->room,
				    sizeof(*o->diffs));
		o->diffs[o->ndiffs++] = optarg;
		return true;
	case 'p':
		return set_strip(o, optarg, err);
	case 'j':
		return o->json = true;
	case 'q':
		return o->quiet = true;
	default:
		return output_set(&o->output, option, optarg, err);
	}
}

static bool reads_stdin_once(const char *profile, const struct options *o,
			     struct fdo_error *err)
{
	const char **inputs = fdo_alloc(o->ndiffs + 1, sizeof(*inputs));
	bool good;

	inputs[0] = profile;
	for (size_t i = 0; i < o->ndiffs; i++)
		inputs[i + 1] = o->diffs[i];
	good = fdo_file_stdin_once(inputs, o->ndiffs + 1, err);
	free(inputs);
	return good;
}

static int run_remap(int argc, char **argv, const struct options *o,
		     struct fdo_error *err)
{
	if (argc == 0)
		return fdo_fail(err, "no profile given"), COMMAND_USAGE;
	if (argc > 1)
		return fdo_fail(err, "more than one profile given"),
		       COMMAND_USAGE;
	if (o->ndiffs == 0)
		return fdo_fail(err, "no --diff PATCH given"), COMMAND_USAGE;
	if (!output_check(&o->output, err))
		return COMMAND_USAGE;
	if (o->json && fdo_output_is_standard(o->output.path))
		return fdo_fail(err, "--json is on standard output, and so is "
				     "the profile"),
		       COMMAND_USAGE;
	/* The profile itself may be replaced. */
	if (!reads_stdin_once(argv[0], o, err) ||
	    !fdo_file_spares(o->output.path, o->diffs, o->ndiffs, err))
		return COMMAND_USAGE;
	return remap(argv[0], o, err) ? COMMAND_DONE : COMMAND_FAILED;
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	static const struct option long_options[] = {
		{ "diff", required_argument, NULL, 'd' },
		{ "strip", required_argument, NULL, 'p' },
		OUTPUT_OPTIONS,
		{ "json", no_argument, NULL, 'j' },
		{ "quiet", no_argument, NULL, 'q' },
		COMMAND_OPTIONS,
	};
	struct options o = { .strip = PATCH_STRIP_AUTO };
	int status = -1, option;

	while (status < 0 && (option = getopt_long(argc, argv, "d:p:o:qh",
						   long_options, NULL)) != -1) {
		if (option == COMMAND_HELP || option == COMMAND_VERSION)
			status = option;
		else if (!set_option(&o, option, err))
			status = COMMAND_USAGE;
	}
	if (status < 0)
		status = run_remap(argc - optind, argv + optind, &o, err);
	free(o.diffs);
	return status;
}

const struct command command_remap = {
	.name = "remap",
	.summary = "carry a profile over a change of the source",
	.help = help,
	.run = run,
};
