/*
 * main.c - svr-train: from tables of blocks to weights of events.
 *
 * Exit status: 0 done; 1 the work failed; 2 the command line was wrong.
 * What was asked for, --help too, goes to stdout; complaints to stderr.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output.h"
#include "svr-train/classes.h"
#include "svr-train/report.h"
#include "svr-train/role.h"
#include "svr-train/study.h"
#include "svr-train/table.h"
#include "svr-train/training.h"

enum { DONE = 0, FAILED = 1, USAGE = 2 };

static const char help[] =
	"Usage: svr-train [OPTION]... TABLE... -o WEIGHTS\n"
	"\n"
	"Learn from programs whose exact counts are known how samples of "
	"events\n"
	"become counts of blocks.  A TABLE is what 'samplefdo blocks --truth' "
	"prints\n"
	"of one program; '-' is standard input.  The report has the weight of "
	"each\n"
	"event in a linear support vector regression; WEIGHTS is a file for\n"
	"'samplefdo convert'.\n"
	"\n"
	"Options:\n"
	"  -o, --output=WEIGHTS           write here (required); '-' is "
	"standard output,\n"
	"                                 and the report then goes to standard "
	"error\n"
	"  -e, --event=ROLE=NAME[:PERIOD] what the event of that column "
	"counts: inst,\n"
	"                                 cycles, stall or other; and how many "
	"of it are\n"
	"                                 between two samples (1)\n"
	"      --json                     the report as JSON\n"
	"  -q, --quiet                    no report\n"
	"  -h, --help                     print this and exit\n"
	"      --version                  print the version and exit\n"
	"\n"
	"Example:\n"
	"  samplefdo blocks --binary app --truth app.truth app.data >app.tsv\n"
	"  svr-train app.tsv other.tsv -o machine.weights\n";

struct options {
	const char *output;
	const char **events; /* texts of --event */
	size_t nevents, events_room;
	bool json, quiet;
};

static bool has_role(const struct role *roles, size_t n, enum role_kind kind)
{
	for (size_t e = 0; e < n; e++)
		if (roles[e].kind == kind)
			return true;
	return false;
}

/*
 * Classes compare instructions, cycles and stalls: in samples, or in events
 * where periods are given.  Some of one and some of the other say nothing.
 */
static bool check_periods(const struct tables *t, const struct role *roles,
			  struct fdo_error *err)
{
	const char *with = NULL, *without = NULL;

	if (!has_role(roles, t->nevents, ROLE_INST) ||
	    !has_role(roles, t->nevents, ROLE_CYCLES))
		return true;
	for (size_t e = t->nevents; e-- > 0;)
		if (roles[e].kind == ROLE_OTHER)
			continue;
		else if (roles[e].period == 1)
			without = t->events[e];
		else
			with = t->events[e];
	return !with || !without ||
	       fdo_fail(err,
			"'%s' has no period, and '%s' has one: give all of "
			"instructions, cycles and stalls one, or none "
			"(--event)",
			without, with);
}

static bool set_roles(const struct options *options, const struct tables *t,
		      struct role *roles, struct fdo_error *err)
{
	for (size_t e = 0; e < t->nevents; e++)
		roles[e] = role_of(t->events[e]);
	for (size_t i = 0; i < options->nevents; i++)
		if (!role_set(options->events[i], t->events, roles, t->nevents,
			      err))
			return false;
	return check_periods(t, roles, err);
}

static bool write_weights(const struct options *options,
			  const struct report *report, struct fdo_error *err)
{
	struct fdo_output out;

	if (!fdo_output_open(&out, options->output, err))
		return false;
	report_weights(report, out.stream);
	return fdo_output_close(&out, err);
}

static bool check_weights(const struct study *s, struct fdo_error *err)
{
	const struct tables *tables = s->training->tables;

	for (size_t e = 0; e < tables->nevents; e++)
		if (s->events[e].combining > 0)
			return true;
	return fdo_fail(err,
			"%s%s: no event has a positive weight, and no block "
			"would get a count",
			tables->paths[0],
			tables->npaths > 1 ? " and the other tables" : "");
}

static bool learn(const struct options *options, const struct training *t,
		  const struct role *roles, struct fdo_error *err)
{
	struct study *study = study_new(t);
	struct classes classes = classes_train(t, roles, study->base);
	struct report report = { study, &classes, roles };
	FILE *out = fdo_output_is_standard(options->output) ? stderr : stdout;
	bool good = check_weights(study, err) &&
		    write_weights(options, &report, err);

	if (good && (options->json || !options->quiet))
		(options->json ? report_json : report_print)(&report, out);
	classes_deinit(&classes);
	study_free(study);
	return good;
}

static bool run(const struct options *options, const char *const *paths,
		size_t npaths, struct fdo_error *err)
{
	struct tables *tables = NULL;
	struct training *training = NULL;
	struct role *roles = NULL;
	bool good = fdo_output_check(options->output, err);

	if (good)
		tables = tables_read(paths, npaths, err);
	good = tables;
	if (good) {
		roles = fdo_alloc(tables->nevents, sizeof(*roles));
		good = set_roles(options, tables, roles, err);
	}
	if (good) {
		training = training_new(tables, err);
		good = training && learn(options, training, roles, err);
	}
	training_free(training);
	free(roles);
	tables_free(tables);
	return good;
}

/* -1: go on; otherwise the exit status. */
static int parse(int argc, char **argv, struct options *options)
{
	enum { JSON = 256, SHOW_VERSION };
	static const struct option long_options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "event", required_argument, NULL, 'e' },
		{ "json", no_argument, NULL, JSON },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, SHOW_VERSION },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "o:e:qh", long_options,
				     NULL)) != -1) {
		switch (option) {
		case 'o':
			options->output = optarg;
			break;
		case 'e':
			options->events =
				fdo_grow(options->events, options->nevents,
					 &options->events_room,
					 sizeof(*options->events));
			options->events[options->nevents++] = optarg;
			break;
		case JSON:
			options->json = true;
			break;
		case 'q':
			options->quiet = true;
			break;
		case 'h':
			fputs(help, stdout);
			return DONE;
		case SHOW_VERSION:
			puts("svr-train " PACKAGE_VERSION);
			return DONE;
		default:
			return USAGE;
		}
	}
	return -1;
}

static int usage(const char *what)
{
	fprintf(stderr, "svr-train: %s\n", what);
	return USAGE;
}

static int dispatch(int argc, char **argv, struct options *options)
{
	static char program[] = "svr-train";
	struct fdo_error err = { "" };
	int status;

	if (argc > 0)
		argv[0] = program;
	status = parse(argc, argv, options);
	if (status >= 0)
		return status;
	if (optind >= argc)
		return usage("no table given");
	if (!options->output)
		return usage("no -o WEIGHTS given");
	if (!fdo_file_spares(options->output,
			     (const char *const *)argv + optind, argc - optind,
			     &err))
		return usage(err.text);
	for (size_t i = 0; i < options->nevents; i++)
		if (!role_check(options->events[i], &err))
			return usage(err.text);
	if (run(options, (const char *const *)argv + optind, argc - optind,
		&err))
		return DONE;
	fprintf(stderr, "svr-train: %s\n", err.text);
	return FAILED;
}

int main(int argc, char **argv)
{
	struct options options = { 0 };
	int status;

	fdo_file_hold_streams();
	fdo_output_survive_limit();
	status = dispatch(argc, argv, &options);
	free(options.events);
	if (status == USAGE)
		fputs("Try 'svr-train --help'.\n", stderr);
	if (!fdo_file_close_stdout("svr-train") && status == DONE)
		status = FAILED;
	return status;
}
