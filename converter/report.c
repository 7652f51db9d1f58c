/* report.c - "samplefdo report": where the time goes, and what is known. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "converter/arguments.h"
#include "converter/binary/lines.h"
#include "converter/command.h"
#include "converter/count/estimate.h"
#include "converter/count/program.h"
#include "converter/job.h"
#include "converter/print/ranking.h"

static const char help[] =
	"Usage: samplefdo report --binary=FILE... [OPTION]... PERF-DATA...\n"
	"\n"
	"Print how good a profile of these samples would be: the functions "
	"that\n"
	"execute most, how well their counts are known, and how much of the\n"
	"program is known how well.\n"
	"\n"
	"Options:\n" JOB_HELP
	"      --functions=N        this many functions, 0 for all (20)\n"
	"      --json               as one JSON object\n"
	"  -h, --help               print this and exit\n"
	"      --version            print the version and exit\n"
	"\n"
	"Example:\n"
	"  samplefdo report --binary app app.data\n";

enum { FUNCTIONS = 0x2000, JSON };

static const struct option options[] = {
	JOB_OPTIONS,
	{ "functions", required_argument, NULL, FUNCTIONS },
	{ "json", no_argument, NULL, JSON },
	COMMAND_OPTIONS,
};

struct report {
	struct job job;
	uint64_t functions;
	bool json;
};

/* Counts are known to these parts of themselves. */
static const double grades[] = { 0.1, 0.3, 1, INFINITY };
enum { GRADES = sizeof(grades) / sizeof(grades[0]) };

/* The shares of the executed instructions that are known so well. */
static void grade(const struct program *p, double *shares)
{
	double sum = 0;

	for (int g = 0; g < GRADES; g++)
		shares[g] = 0;
	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			const struct program_block *block = &f->blocks[b];
			double executed = (double)block->count *
					  f->cfg.blocks[b].ninstructions;
			int g = 0;

			while (g < GRADES - 1 &&
			       block->error > grades[g] * block->count)
				g++;
			shares[g] += executed;
			sum += executed;
		}
	}
	for (int g = 0; g < GRADES && sum > 0; g++)
		shares[g] /= sum;
}

static void place_of(const struct program *p, const struct program_function *f,
		     const char **file, unsigned *line)
{
	struct lines_place place;

	*file = NULL;
	if (lines_at(p->binaries[f->binary].lines, f->cfg.parts[0].address,
		     &place) &&
	    place.frame) {
		const struct lines_frame *frame = lines_outermost(place.frame);

		*file = frame->file;
		*line = frame->decl_line;
	}
}

static void print_function(const struct program *p, const struct ranked *r)
{
	const char *file;
	unsigned line;

	printf("%7.2f %10" PRIu64 " %14" PRIu64 " %5.0f %7.1f  ",
	       100 * r->share, r->function->samples, r->function->entry,
	       100 * r->error, 100 * r->moved);
	fdo_text_name(r->function->cfg.name, stdout);
	place_of(p, r->function, &file, &line);
	if (file) {
		fputs(" (", stdout);
		fdo_text_name(file, stdout);
		printf(":%u)", line);
	}
	putchar('\n');
}

static void print_text(const struct report *report, const struct ranking *r,
		       size_t n)
{
	const struct program *p = report->job.program;
	double shares[GRADES], listed = 0, sum = 0;
	double misfit = job_misfit(&report->job);

	printf("%7s %10s %14s %5s %7s  %s\n", "exec%", "samples", "entered",
	       "+-%", "moved%", "function");
	for (size_t i = 0; i < n; i++) {
		print_function(p, &r->functions[i]);
		listed += r->functions[i].share;
	}
	if (n < r->nfunctions)
		printf("%7.2f in %zu other functions\n", 100 * (1 - listed),
		       r->nfunctions - n);
	grade(p, shares);
	puts("\nOf the executed instructions, in blocks whose count is known "
	     "within");
	for (int g = 0; g < GRADES - 1; g++) {
		sum += shares[g];
		printf("%7.1f %% of it  %6.2f %%\n", 100 * grades[g],
		       100 * sum);
	}
	if (isfinite(misfit))
		printf("\nThe samples differ from what the counts predict by "
		       "%.2f (0 is perfect).\n",
		       misfit);
}

static void json_function(const struct program *p, const struct ranked *r)
{
	const char *file;
	unsigned line;

	printf("{\"name\": ");
	json_text(r->function->cfg.name, stdout);
	place_of(p, r->function, &file, &line);
	if (file) {
		printf(", \"file\": ");
		json_text(file, stdout);
		printf(", \"line\": %u", line);
	}
	printf(", \"share\": %.6g, \"executed\": %.0f, \"samples\": %" PRIu64
	       ", \"entered\": %" PRIu64 ", \"error\": %.4g, \"moved\": %.4g}",
	       r->share, r->executed, r->function->samples, r->function->entry,
	       r->error, r->moved);
}

static void print_json(const struct report *report, const struct ranking *r,
		       size_t n)
{
	const struct program *p = report->job.program;
	double shares[GRADES], sum = 0;
	double misfit = job_misfit(&report->job);

	printf("{\"functions\": [");
	for (size_t i = 0; i < n; i++) {
		printf(i ? ",\n " : "\n ");
		json_function(p, &r->functions[i]);
	}
	grade(p, shares);
	printf("],\n \"known_within\": {");
	for (int g = 0; g < GRADES - 1; g++) {
		sum += shares[g];
		printf("%s\"%g\": %.4f", g ? ", " : "", grades[g], sum);
	}
	printf("},\n \"executed\": %.0f", r->executed);
	if (isfinite(misfit))
		printf(", \"misfit\": %.4f", misfit);
	puts("}");
}

static bool report(struct report *report, struct fdo_error *err)
{
	struct ranking *r;
	size_t n;

	if (!job_run(&report->job, err))
		return false;
	r = ranking_new(report->job.program);
	n = report->functions && report->functions < r->nfunctions
		    ? report->functions
		    : r->nfunctions;
	(report->json ? print_json : print_text)(report, r, n);
	ranking_free(r);
	return true;
}

static bool set_option(void *data, int option, struct fdo_error *err)
{
	struct report *report = data;

	switch (option) {
	case FUNCTIONS:
		return argument_number("functions", optarg, &report->functions,
				       err);
	case JSON:
		report->json = true;
		return true;
	default:
		return false;
	}
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	struct report r = { .job = JOB_INIT, .functions = 20 };
	int status =
		job_options(&r.job, argc, argv, options, set_option, &r, err);

	if (status == COMMAND_DONE &&
	    !job_inputs(&r.job, argc - optind, argv + optind, err))
		status = COMMAND_USAGE;
	if (status == COMMAND_DONE && !report(&r, err))
		status = COMMAND_FAILED;
	job_deinit(&r.job);
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "print which counts can be trusted, and how far",
	.help = help,
	.run = run,
};
