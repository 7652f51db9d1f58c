/* stats.c - "samplefdo stats": how much counts vary between runs. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "converter/arguments.h"
#include "converter/command.h"
#include "converter/compare/metrics.h"
#include "converter/compare/overlap.h"
#include "converter/compare/variation.h"
#include "converter/count/program.h"
#include "converter/job.h"
#include "converter/perf/samples.h"

static const char help[] =
	"Usage: samplefdo stats --binary=FILE... [OPTION]... RUN RUN...\n"
	"\n"
	"Print how much counts vary from one recording to the next, and how "
	"much\n"
	"of that is the chance of sampling.  Each RUN is a perf.data file.\n"
	"\n"
	"Options:\n" JOB_HELP
	"      --functions=N        this many functions, 0 for all (20)\n"
	"      --json               as one JSON object\n"
	"  -h, --help               print this and exit\n"
	"      --version            print the version and exit\n"
	"\n"
	"Example:\n"
	"  for i in 1 2 3; do samplefdo record -o run$i.data ./app; done\n"
	"  samplefdo stats --binary app run?.data\n";

enum { FUNCTIONS = 0x2000, JSON };

static const struct option options[] = {
	JOB_OPTIONS,
	{ "functions", required_argument, NULL, FUNCTIONS },
	{ "json", no_argument, NULL, JSON },
	COMMAND_OPTIONS,
};

/* Of all pairs of runs. */
struct range {
	double least, sum, most;
	size_t n;
};

struct stats {
	struct job job; /* the options, for all runs */
	uint64_t functions;
	bool json;
	struct job *runs;
	size_t nruns;
	struct range edges, blocks, by_function;
};

static void add(struct range *r, double value)
{
	if (r->n == 0 || value < r->least)
		r->least = value;
	if (r->n == 0 || value > r->most)
		r->most = value;
	r->sum += value;
	r->n++;
}

static void compare_pair(struct stats *s, const struct job *a,
			 const struct job *b)
{
	struct overlap *o = overlap_new(a->program, b->program, true);

	add(&s->edges, metrics_overlap(o->edges.a, o->edges.b, o->edges.n));
	add(&s->blocks, metrics_overlap(o->blocks.a, o->blocks.b, o->blocks.n));
	add(&s->by_function, overlap_functions(o));
	overlap_free(o);
}

static bool run_all(struct stats *s, char **paths, struct fdo_error *err)
{
	if (!fdo_file_all_differ(s->job.inputs, s->job.ninputs, err))
		return false;
	s->runs = fdo_alloc(s->nruns, sizeof(*s->runs));
	for (size_t i = 0; i < s->nruns; i++) {
		s->runs[i] = job_again(&s->job);
		if (!job_run_one(&s->runs[i], paths[i], err))
			return false;
	}
	if (!job_rules_matched(&s->job, err))
		return false;
	for (size_t i = 0; i < s->nruns; i++)
		for (size_t k = i + 1; k < s->nruns; k++)
			compare_pair(s, &s->runs[i], &s->runs[k]);
	return true;
}

static void print_range(const char *name, const struct range *r)
{
	printf("%-18s %8.4f %8.4f %8.4f\n", name, r->least, r->sum / r->n,
	       r->most);
}

static void print_text(const struct stats *s, const struct variation *v,
		       size_t n)
{
	printf("%-18s %8s %8s %8s  of all pairs\n", "", "least", "mean",
	       "most");
	print_range("edge overlap", &s->edges);
	print_range("block overlap", &s->blocks);
	print_range("function overlap", &s->by_function);
	printf("\nBetween %zu runs a block's share varies by %.1f %% of it, "
	       "at the mean of the\nexecuted instructions; %.1f %% is what "
	       "the chance of sampling makes.\n\n",
	       s->nruns, 100 * v->between, 100 * v->noise);
	printf("%7s %8s %8s  %s\n", "exec%", "varies%", "chance%", "function");
	for (size_t i = 0; i < n; i++) {
		printf("%7.2f %8.1f %8.1f  ", 100 * v->functions[i].share,
		       100 * v->functions[i].between,
		       100 * v->functions[i].noise);
		fdo_text_name(v->functions[i].name, stdout);
		putchar('\n');
	}
}

static void json_range(const char *name, const struct range *r)
{
	printf("\"%s\": {\"least\": %.6g, \"mean\": %.6g, \"most\": %.6g},\n ",
	       name, r->least, r->sum / r->n, r->most);
}

static void print_json(const struct stats *s, const struct variation *v,
		       size_t n)
{
	printf("{\"runs\": %zu,\n ", s->nruns);
	json_range("edge_overlap", &s->edges);
	json_range("block_overlap", &s->blocks);
	json_range("function_overlap", &s->by_function);
	printf("\"between\": %.4f, \"chance\": %.4f,\n \"functions\": [",
	       v->between, v->noise);
	for (size_t i = 0; i < n; i++) {
		const struct variation_function *f = &v->functions[i];

		printf("%s{\"name\": ", i ? ",\n  " : "\n  ");
		json_text(f->name, stdout);
		printf(", \"share\": %.6g, \"between\": %.4g, "
		       "\"chance\": %.4g}",
		       f->share, f->between, f->noise);
	}
	puts("]}");
}

static void print(const struct stats *s)
{
	const struct program **programs =
		fdo_alloc(s->nruns, sizeof(*programs));
	struct variation *v;
	size_t n;

	for (size_t i = 0; i < s->nruns; i++)
		programs[i] = s->runs[i].program;
	v = variation_new(programs, s->nruns);
	n = s->functions && s->functions < v->nfunctions ? s->functions
							 : v->nfunctions;
	(s->json ? print_json : print_text)(s, v, n);
	variation_free(v);
	free(programs);
}

static bool set_option(void *data, int option, struct fdo_error *err)
{
	struct stats *s = data;

	switch (option) {
	case FUNCTIONS:
		return argument_number("functions", optarg, &s->functions, err);
	case JSON:
		s->json = true;
		return true;
	default:
		return false;
	}
}

static bool check(struct stats *s, int argc, struct fdo_error *err)
{
	s->nruns = argc;
	if (s->job.model == JOB_EXACT)
		return fdo_fail(err, "--model=exact has no runs");
	return argc >= 2 ||
	       fdo_fail(err, "two recordings or more are compared");
}

static void deinit(struct stats *s)
{
	for (size_t i = 0; s->runs && i < s->nruns; i++)
		job_deinit(&s->runs[i]);
	free(s->runs);
	job_deinit(&s->job);
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	struct stats s = { .job = JOB_INIT, .functions = 20 };
	int status =
		job_options(&s.job, argc, argv, options, set_option, &s, err);

	/* The inputs are tested here, and taken one by one later. */
	if (status == COMMAND_DONE &&
	    (!job_inputs(&s.job, argc - optind, argv + optind, err) ||
	     !check(&s, argc - optind, err)))
		status = COMMAND_USAGE;
	if (status == COMMAND_DONE && !run_all(&s, argv + optind, err))
		status = COMMAND_FAILED;
	if (status == COMMAND_DONE)
		print(&s);
	deinit(&s);
	return status;
}

const struct command command_stats = {
	.name = "stats",
	.summary = "print how much counts vary between recordings",
	.help = help,
	.run = run,
};
