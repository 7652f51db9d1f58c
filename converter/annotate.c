/* annotate.c - "samplefdo annotate": code with what is known of it. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "converter/arguments.h"
#include "converter/binary/object.h"
#include "converter/command.h"
#include "converter/count/program.h"
#include "converter/job.h"
#include "converter/print/listing.h"
#include "converter/print/ranking.h"
#include "converter/print/source.h"

static const char help[] =
	"Usage: samplefdo annotate --binary=FILE... [OPTION]... PERF-DATA...\n"
	"\n"
	"List the code of a program with the executions of each block, their\n"
	"standard error, and the samples of each event.\n"
	"\n"
	"Options:\n" JOB_HELP
	"      --by=WHAT            instruction, block, or line of the source\n"
	"                           (instruction)\n"
	"      --function=NAME      this function, as nm(1) has it, and its "
	"clones\n"
	"                           (NAME.part.0); may be given more than "
	"once\n"
	"      --most=N             the N functions that execute most, 0 for "
	"all\n"
	"                           (10)\n"
	"      --source=DIR         look for source files here, too; may be "
	"given\n"
	"                           more than once\n"
	"  -h, --help               print this and exit\n"
	"      --version            print the version and exit\n"
	"\n"
	"Example:\n"
	"  samplefdo annotate --binary app --by line app.data | less\n";

enum { BY = 0x2000, FUNCTION, MOST, SOURCE };

static const struct option options[] = {
	JOB_OPTIONS,
	{ "by", required_argument, NULL, BY },
	{ "function", required_argument, NULL, FUNCTION },
	{ "most", required_argument, NULL, MOST },
	{ "source", required_argument, NULL, SOURCE },
	COMMAND_OPTIONS,
};

/* Where functions of one name are in one binary. */
struct named {
	const char *name;
	size_t binary;
	uint64_t *addresses;
	size_t n;
};

struct annotate {
	struct job job;
	enum listing_by by;
	const char **names; /* of functions */
	size_t nnames, room;
	struct named *named; /* of each name, in each binary */
	size_t nnamed;
	bool asks_most;
	uint64_t most;	      /* 0: all */
	const char **sources; /* folders */
	size_t nsources, room_sources;
};

static bool set_by(struct annotate *a, const char *name, struct fdo_error *err)
{
	static const char *const names[] = {
		[LISTING_INSTRUCTIONS] = "instruction",
		[LISTING_BLOCKS] = "block",
		[LISTING_LINES] = "line",
	};

	int by = argument_choice("--by", name, names, LISTING_LINES + 1, err);

	if (by >= 0)
		a->by = by;
	return by >= 0;
}

static bool set_option(void *data, int option, struct fdo_error *err)
{
	struct annotate *a = data;

	switch (option) {
	case BY:
		return set_by(a, optarg, err);
	case FUNCTION:
		a->names = fdo_grow(a->names, a->nnames, &a->room,
				    sizeof(*a->names));
		a->names[a->nnames++] = optarg;
		return true;
	case MOST:
		a->asks_most = true;
		return argument_number("most", optarg, &a->most, err);
	case SOURCE:
		a->sources = fdo_grow(a->sources, a->nsources, &a->room_sources,
				      sizeof(*a->sources));
		a->sources[a->nsources++] = optarg;
		return argument_folder("source", optarg, err);
	default:
		return false;
	}
}

static void find_names(struct annotate *a)
{
	const struct program *p = a->job.program;

	a->named = fdo_alloc(a->nnames * p->nbinaries + 1, sizeof(*a->named));
	for (size_t i = 0; i < a->nnames; i++)
		for (size_t b = 0; b < p->nbinaries; b++) {
			struct named *named = &a->named[a->nnamed++];

			named->name = a->names[i];
			named->binary = b;
			named->addresses = object_named(p->binaries[b].object,
							a->names[i], &named->n);
		}
}

/* Itself, or its clones: those of f are f.part.0 and the like. */
static bool is_of(const char *name, const char *function)
{
	size_t length = strlen(function);

	return strncmp(name, function, length) == 0 &&
	       (name[length] == '\0' || name[length] == '.');
}

static bool has_name(const struct named *named,
		     const struct program_function *f)
{
	/* Some are known by another name than a symbol's. */
	if (is_of(f->cfg.name, named->name))
		return true;
	for (size_t i = 0; named->binary == f->binary && i < named->n; i++)
		if (named->addresses[i] == f->cfg.parts[0].address)
			return true;
	return false;
}

static bool is_named(const struct annotate *a, const struct ranked *r)
{
	for (size_t i = 0; i < a->nnamed; i++)
		if (has_name(&a->named[i], r->function))
			return true;
	return false;
}

/* Put those that were asked for first; how many they are. */
static size_t choose(const struct annotate *a, struct ranking *r)
{
	size_t n = 0;

	if (a->nnames == 0)
		return a->most && a->most < r->nfunctions ? a->most
							  : r->nfunctions;
	for (size_t i = 0; i < r->nfunctions; i++)
		if (is_named(a, &r->functions[i]))
			r->functions[n++] = r->functions[i];
	return n;
}

static bool is_found(const struct annotate *a, const char *name,
		     const struct ranking *r, size_t n)
{
	for (size_t i = 0; i < a->nnamed; i++)
		for (size_t f = 0; a->named[i].name == name && f < n; f++)
			if (has_name(&a->named[i], r->functions[f].function))
				return true;
	return false;
}

/* Each name has to be one of a function. */
static bool all_found(const struct annotate *a, const struct ranking *r,
		      size_t n, struct fdo_error *err)
{
	for (size_t i = 0; i < a->nnames; i++)
		if (!is_found(a, a->names[i], r, n))
			return fdo_fail(
				err, "%s: no samples in a function '%s'",
				a->job.program->binaries[0].object->path,
				a->names[i]);
	return true;
}

/* Of several binaries the last: no line is then doubted without cause. */
static struct timespec time_built(const struct job *job)
{
	struct timespec last = { 0 };
	struct stat status;

	for (size_t i = 0; i < job->nbinaries; i++)
		if (stat(job->binaries[i], &status) == 0 &&
		    (status.st_mtim.tv_sec > last.tv_sec ||
		     (status.st_mtim.tv_sec == last.tv_sec &&
		      status.st_mtim.tv_nsec > last.tv_nsec)))
			last = status.st_mtim;
	return last;
}

static void warn_of_newer(const struct source *source)
{
	const char *first;
	size_t n = source_newer(source, &first);

	if (n > 0)
		fprintf(stderr,
			"samplefdo: %s%s newer than the binary: what is shown "
			"of the source may not be what was compiled\n",
			first,
			n > 1 ? " and other files of the source are" : " is");
}

static void list(const struct annotate *a, const struct ranking *r, size_t n)
{
	struct timespec built = time_built(&a->job);
	struct source *source = source_new(a->sources, a->nsources, &built);
	struct listing l = { a->job.program, source, stdout };

	if (a->by == LISTING_LINES)
		listing_lines(&l, r->functions, n);
	else
		for (size_t i = 0; i < n; i++) {
			if (i > 0)
				putchar('\n');
			listing_function(&l, &r->functions[i], a->by);
		}
	fflush(stdout);
	warn_of_newer(source);
	source_free(source);
}

static bool annotate(struct annotate *a, struct fdo_error *err)
{
	struct ranking *r;
	bool found;
	size_t n;

	if (!job_run(&a->job, err))
		return false;
	find_names(a);
	r = ranking_new(a->job.program);
	n = choose(a, r);
	found = all_found(a, r, n, err);
	if (found)
		list(a, r, n);
	ranking_free(r);
	return found;
}

static bool check(struct annotate *a, int argc, char **argv,
		  struct fdo_error *err)
{
	if (a->asks_most && a->nnames)
		return fdo_fail(err, "either --function or --most");
	return job_inputs(&a->job, argc, argv, err);
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	struct annotate a = { .job = JOB_INIT, .most = 10 };
	int status =
		job_options(&a.job, argc, argv, options, set_option, &a, err);

	if (status == COMMAND_DONE &&
	    !check(&a, argc - optind, argv + optind, err))
		status = COMMAND_USAGE;
	if (status == COMMAND_DONE && !annotate(&a, err))
		status = COMMAND_FAILED;
	for (size_t i = 0; i < a.nnamed; i++)
		free(a.named[i].addresses);
	free(a.named);
	free(a.names);
	free(a.sources);
	job_deinit(&a.job);
	return status;
}

const struct command command_annotate = {
	.name = "annotate",
	.summary = "list code with its samples and counts",
	.help = help,
	.run = run,
};
