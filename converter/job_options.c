/* job_options.c - the command line of what reads samples. */
#include "converter/job.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "converter/arguments.h"
#include "converter/command.h"

static bool add_rule(struct job *job, const char *text, struct fdo_error *err)
{
	job->rules = fdo_grow(job->rules, job->nrules, &job->room_rules,
			      sizeof(*job->rules));
	if (!event_rule_parse(text, &job->rules[job->nrules], err))
		return false;
	job->nrules++;
	return true;
}

static const char *const models[] = {
	[JOB_DEFAULT] = "default", [JOB_STATIC] = "static",
	[JOB_LEVIN] = "levin",	   [JOB_CGO10] = "cgo10",
	[JOB_RAW] = "raw",	   [JOB_EXACT] = "exact",
};
enum { MODELS = sizeof(models) / sizeof(models[0]) };

const char *job_model_name(enum job_model model)
{
	return models[model];
}

static bool set_model(struct job *job, const char *name, struct fdo_error *err)
{
	int model = argument_choice("model", name, models, MODELS, err);

	if (model >= 0)
		job->model = model;
	return model >= 0;
}

/* In the order of enum program_part. */
static const char *const parts[] = {
	"walk",	      "lag",   "redirect", "gather",  "credit",
	"likelihood", "size",  "even",	   "connect", "calls",
	"branches",   "blend", "waits",	   "shadow",  "outcomes",
	"stuck",      "looks", "unseen",   "trips",   "callers",
};
enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

static bool leave_out(struct job *job, const char *name, struct fdo_error *err)
{
	int part = argument_choice("part", name, parts, PARTS, err);

	if (part >= 0)
		job->without |= 1u << part;
	return part >= 0;
}

static bool set_solver(struct job *job, const char *name, struct fdo_error *err)
{
	static const char *const solvers[] = {
		[MCF_SIMPLEX] = "simplex",
		[MCF_GLPK] = "glpk",
	};
	int solver =
		argument_choice("solver", name, solvers, MCF_GLPK + 1, err);

	if (solver >= 0)
		job->solver = solver;
	return solver >= 0;
}

/* libdwfl takes a relative one for one beside the binary. */
static bool add_debug_dir(struct job *job, const char *dir,
			  struct fdo_error *err)
{
	const char *before = job->debug_dirs ? job->debug_dirs : "";
	char *path, *all = NULL;

	if (!argument_folder("debug-dir", dir, err))
		return false;
	path = realpath(dir, NULL);
	if (!path)
		return fdo_fail(err, "--debug-dir: %s: %s", dir,
				strerror(errno));
	if (strchr(path, ':')) {
		free(path);
		return fdo_fail(err,
				"--debug-dir: %s: a folder with ':' in its "
				"path cannot be searched",
				dir);
	}
	if (asprintf(&all, "%s%s%s", before, *before ? ":" : "", path) < 0)
		abort();
	free(path);
	free(job->debug_dirs);
	job->object.debug_dir = job->debug_dirs = all;
	return true;
}

static bool add_prefix(struct job *job, const char *map, struct fdo_error *err)
{
	const char *new = strchr(map, '=');
	size_t n = job->object.nprefixes;

	if (!new || new == map)
		return fdo_fail(err, "--prefix-map: '%s' is not OLD=NEW", map);
	job->prefixes = fdo_grow(job->prefixes, n, &job->room_prefixes,
				 sizeof(*job->prefixes));
	job->prefixes[n] = (struct object_prefix){
		.old = fdo_copy_part(map, new - map),
		.new = new + 1,
	};
	job->object.prefixes = job->prefixes;
	job->object.nprefixes++;
	return true;
}

static bool is_of_all(int option)
{
	return option == JOB_BINARY || option == JOB_EVENT ||
	       (option >= JOB_DEBUG_DIR && option <= JOB_WITHOUT);
}

/* For who may have neither samples nor code. */
static void note_option(struct job *job, const struct option *options,
			int option)
{
	bool of_code = option == JOB_BINARY || option == JOB_DEBUG_DIR ||
		       option == JOB_PREFIX_MAP;

	while (options->val != option)
		options++;
	*(of_code ? &job->of_code : &job->of_samples) = options->name;
}

static bool set_option(struct job *job, int option, const char *argument,
		       struct fdo_error *err)
{
	switch (option) {
	case JOB_BINARY:
		job->binaries =
			fdo_grow(job->binaries, job->nbinaries,
				 &job->room_binaries, sizeof(*job->binaries));
		job->binaries[job->nbinaries++] = argument;
		return true;
	case JOB_EVENT:
		return add_rule(job, argument, err);
	case JOB_DEBUG_DIR:
		return add_debug_dir(job, argument, err);
	case JOB_FORCE:
		job->force = true;
		return true;
	case JOB_MIN_SAMPLES:
		return argument_number("min-samples", argument,
				       &job->min_samples, err);
	case JOB_MODEL:
		return set_model(job, argument, err);
	case JOB_PREFIX_MAP:
		return add_prefix(job, argument, err);
	case JOB_SOLVER:
		return set_solver(job, argument, err);
	case JOB_MACHINE:
		job->machine_path = argument;
		return true;
	case JOB_TRUTH:
		job->truth = argument;
		return true;
	case JOB_WITHOUT:
		return leave_out(job, argument, err);
	default:
		return false;
	}
}

/* For getopt(): a letter for each option that has one. */
static void find_letters(const struct option *options, char *ret)
{
	for (; options->name; options++) {
		if (options->val > UCHAR_MAX)
			continue;
		*ret++ = options->val;
		if (options->has_arg == required_argument)
			*ret++ = ':';
	}
	*ret = '\0';
}

int job_options(struct job *job, int argc, char **argv,
		const struct option *options, job_own_option *own, void *data,
		struct fdo_error *err)
{
	char letters[2 * UCHAR_MAX];
	int option;

	find_letters(options, letters);
	while ((option = getopt_long(argc, argv, letters, options, NULL)) !=
	       -1) {
		if (option == COMMAND_HELP || option == COMMAND_VERSION)
			return option;
		if (option == '?') /* getopt_long() has said why */
			return COMMAND_USAGE;
		if (!(is_of_all(option) ? set_option(job, option, optarg, err)
					: own(data, option, err)))
			return COMMAND_USAGE;
		if (is_of_all(option))
			note_option(job, options, option);
	}
	return COMMAND_DONE;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool job_inputs(struct job *job, int argc, char **argv, struct fdo_error *err)
{
	if (job->nbinaries == 0)
		return fdo_fail(err, "no --binary given");
	for (size_t i = 0; i < job->nbinaries; i++)
		if (!*job->binaries[i])
			return fdo_fail(err, "--binary: an empty name");
	if (job_is_exact(job) && !job->truth)
		return fdo_fail(err, "--model=exact needs --truth");
	if (job_is_exact(job) && (job->nrules > 0 || job->machine_path))
		return fdo_fail(err, "--model=exact counts without events: no "
				     "--event and no --machine");
	if (job_is_exact(job) && argc > 0)
		return fdo_fail(err, "--model=exact takes no perf.data file");
	if (!job_is_exact(job) && argc == 0)
		return fdo_fail(err, "no perf.data file given");
	if (!fdo_file_stdin_once((const char *const *)argv, argc, err))
		return false;
	job->inputs = (const char **)argv;
	job->ninputs = argc;
	/* The order of arguments changes nothing. */
	qsort(job->binaries, job->nbinaries, sizeof(*job->binaries),
	      compare_texts);
	for (size_t i = 1; i < job->nbinaries; i++)
		if (strcmp(job->binaries[i - 1], job->binaries[i]) == 0)
			return fdo_fail(err, "--binary %s is given twice",
					job->binaries[i]);
	return true;
}
