/*
 * compare.c - "samplefdo compare": how alike two sets of counts are.
 *
 * What knows of blocks and edges is compared on the flow graphs of the
 * binary.  As soon as one of the two is a profile, both are compared as
 * profiles, by source key: there is no way back from the source to blocks.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "converter/arguments.h"
#include "converter/command.h"
#include "converter/compare/compiled.h"
#include "converter/compare/metrics.h"
#include "converter/compare/overlap.h"
#include "converter/compare/table.h"
#include "converter/compare/trust.h"
#include "converter/count/program.h"
#include "converter/job.h"
#include "converter/keys/attribute.h"
#include "converter/perf/perfdata.h"
#include "converter/print/compiled.h"
#include "converter/truth/truth.h"
#include "profile/overlap.h"
#include "profile/profile.h"

static const char help[] =
	"Usage: samplefdo compare --binary=FILE [OPTION]... A B\n"
	"       samplefdo compare [OPTION]... PROFILE PROFILE\n"
	"       samplefdo compare [--functions=N] [--json] COMPARED...\n"
	"\n"
	"Print how alike two sets of counts are; A is judged by B.  Each may "
	"be\n"
	"a perf.data file (its counts are estimated first), the output of\n"
	"valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes, the\n"
	"simulator's truth, a table of 'samplefdo blocks' or a profile.\n"
	"In the third form, what -fplugin-arg-samplefdo-compare=COMPARED "
	"left:\n"
	"counts in the compiler, beside its own exact ones.\n"
	"\n"
	"Options:\n" JOB_HELP "      --functions=N        also the N functions "
	"that lose most overlap,\n"
	"                           0 for all\n"
	"      --json               as one JSON object\n"
	"  -h, --help               print this and exit\n"
	"      --version            print the version and exit\n"
	"\n"
	"samplefdo(1) defines the metrics.\n"
	"\n"
	"Example:\n"
	"  valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes \\\n"
	"      --callgrind-out-file=truth ./app\n"
	"  samplefdo compare --binary app app.data truth\n";

enum { FUNCTIONS = 0x2000, JSON };

static const struct option options[] = {
	JOB_OPTIONS,
	{ "functions", required_argument, NULL, FUNCTIONS },
	{ "json", no_argument, NULL, JSON },
	COMMAND_OPTIONS,
};

/* One of the two. */
struct side {
	struct job job;		 /* of a perf.data file */
	struct program *program; /* the job's, or own */
	bool own;
	bool blocks, edges; /* known */
	bool trust;	    /* it says whom to trust */
	bool exact;	    /* it is the truth */
	struct profile *profile;
};

struct compare {
	struct job job; /* the options, for both sides */
	uint64_t functions;
	bool json;
	struct side a, b;
};

static void side_deinit(struct side *s)
{
	if (s->own)
		program_free(s->program);
	job_deinit(&s->job);
	profile_free(s->profile);
}

/* Read truth or a table into a program of its own. */
static bool read_counts(struct side *s, const struct job *job, const char *path,
			struct fdo_error *err)
{
	struct table_result has = { true, true, false };
	struct truth *truth = NULL;
	size_t binary;
	bool done;

	s->program = program_new(NULL);
	s->own = true;
	if (!program_open(s->program, job->binaries[0], &job->object, &binary,
			  err))
		return false;
	if (truth_is(path)) {
		truth = truth_read(path, s->program->binaries[binary].object,
				   err);
		done = truth && truth_has_jumps(truth, err) &&
		       program_add_truth(s->program, binary, truth, err);
		truth_free(truth);
	} else {
		done = table_read(s->program, binary, path, &has, err);
	}
	program_sort(s->program);
	s->blocks = has.blocks;
	s->edges = has.edges;
	s->trust = has.trust;
	s->exact = truth_is(path);
	return done;
}

static bool read_side(struct side *s, const struct job *job, const char *path,
		      struct fdo_error *err)
{
	if (profile_is(path)) {
		s->profile = profile_read_any(path, err);
		return s->profile != NULL;
	}
	if (truth_is(path) || table_is(path))
		return read_counts(s, job, path, err);
	s->job = job_again(job);
	if (!job_run_one(&s->job, path, err))
		return false;
	s->program = s->job.program;
	s->blocks = s->edges = s->trust = true;
	return true;
}

static bool make_profile(struct side *s, const char *path,
			 struct fdo_error *err)
{
	struct attribute_result ignored;

	if (s->profile)
		return true;
	if (!s->blocks)
		return fdo_fail(err,
				"%s: edges alone cannot be compared with a "
				"profile",
				path);
	s->profile = profile_new();
	attribute(s->program, NULL, s->profile, &ignored);
	return true;
}

/* One line, or one member of the JSON object. */
static void print_value(const struct compare *c, const char *name,
			const char *key, double value)
{
	if (c->json)
		printf(", \"%s\": %.6g", key, value);
	else
		printf("%-22s %8.4f\n", name, value);
}

static bool compare_profiles(struct compare *c, char **paths,
			     struct fdo_error *err)
{
	struct profile_overlap o;

	if (!make_profile(&c->a, paths[0], err) ||
	    !make_profile(&c->b, paths[1], err))
		return false;
	o = profile_overlap(c->a.profile, c->b.profile);
	if (c->json)
		printf("{\"compared\": \"keys\"");
	print_value(c, "key overlap", "key_overlap", o.keys);
	print_value(c, "function overlap", "function_overlap", o.functions);
	if (c->json)
		printf(", \"common_keys\": %" PRIu64 ", \"only_a\": %" PRIu64
		       ", \"only_b\": %" PRIu64 "}\n",
		       o.common, o.only_a, o.only_b);
	else
		printf("%" PRIu64 " keys in both, %" PRIu64
		       " only in A, %" PRIu64 " only in B\n",
		       o.common, o.only_a, o.only_b);
	return true;
}

static int compare_losses(const void *a, const void *b)
{
	const struct overlap_function *x = a, *y = b;

	if (x->lost != y->lost)
		return x->lost > y->lost ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* a, b: the weights of all. */
static void print_function(const struct compare *c,
			   const struct overlap_function *f, double a, double b)
{
	double share_a = a > 0 ? f->a / a : 0;
	double share_b = b > 0 ? f->b / b : 0;

	if (!c->json) {
		printf("%8.4f %8.4f %8.4f  ", f->lost, share_a, share_b);
		fdo_text_name(f->name, stdout);
		putchar('\n');
		return;
	}
	printf("{\"lost\": %.6g, \"a\": %.6g, \"b\": %.6g, \"name\": ", f->lost,
	       share_a, share_b);
	json_text(f->name, stdout);
	putchar('}');
}

static void print_functions(const struct compare *c, const struct overlap *o)
{
	size_t n = o->nfunctions < c->functions ? o->nfunctions : c->functions;
	struct overlap_function *functions =
		fdo_alloc(o->nfunctions, sizeof(*functions));
	double a = 0, b = 0;

	if (o->nfunctions)
		memcpy(functions, o->functions,
		       o->nfunctions * sizeof(*functions));
	qsort(functions, o->nfunctions, sizeof(*functions), compare_losses);
	for (size_t i = 0; i < o->nfunctions; i++) {
		a += functions[i].a;
		b += functions[i].b;
	}
	if (c->json)
		printf(", \"functions\": [");
	else
		printf("\n%8s %8s %8s  function\n", "lost", "A", "B");
	for (size_t i = 0; i < n; i++) {
		if (c->json && i)
			printf(", ");
		print_function(c, &functions[i], a, b);
	}
	if (c->json)
		putchar(']');
	free(functions);
}

static void print_blocks(const struct compare *c, const struct overlap *o)
{
	const struct overlap_counts *blocks = &o->blocks;

	print_value(c, "block overlap", "block_overlap",
		    metrics_overlap(blocks->a, blocks->b, blocks->n));
	print_value(c, "function overlap", "function_overlap",
		    overlap_functions(o));
	print_value(c, "top 90 % overlap", "top_overlap",
		    metrics_top_overlap(blocks->a, blocks->b, blocks->n, 0.9));
	print_value(c, "NRMSE", "nrmse",
		    metrics_nrmse(blocks->a, blocks->b, blocks->n));
	print_value(c, "sample coverage", "coverage",
		    metrics_coverage(blocks->a, blocks->b, blocks->n));
	print_value(c, "order deviation", "order_deviation",
		    metrics_order_deviation(blocks->a, blocks->b, blocks->n));
}

/* Classes there are only with some models. */
static void print_trust(const struct compare *c)
{
	struct trust t = trust_check(c->a.program, c->b.program);

	print_value(c, "within the error", "covered", t.covered);
	if (t.over.said == 0 && t.under.said == 0)
		return;
	print_value(c, "over: precision", "over_precision",
		    trust_precision(&t.over));
	print_value(c, "over: recall", "over_recall", trust_recall(&t.over));
	print_value(c, "under: precision", "under_precision",
		    trust_precision(&t.under));
	print_value(c, "under: recall", "under_recall", trust_recall(&t.under));
}

static bool compare_counts(struct compare *c, char **paths,
			   struct fdo_error *err)
{
	bool blocks = c->a.blocks && c->b.blocks;
	bool edges = c->a.edges && c->b.edges;
	struct overlap *o;

	if (!blocks && !edges)
		return fdo_fail(err,
				"%s and %s: one has blocks and the other "
				"edges: nothing to compare",
				paths[0], paths[1]);
	o = overlap_new(c->a.program, c->b.program, edges);
	if (c->json)
		printf("{\"compared\": \"graphs\"");
	if (edges) {
		print_value(c, "edge overlap", "edge_overlap",
			    metrics_overlap(o->edges.a, o->edges.b,
					    o->edges.n));
		print_value(c, "branch match", "branch_match",
			    metrics_branch_match(o->edges.a, o->edges.b,
						 o->branches, o->nbranches));
		print_value(c, "loop match", "loop_match",
			    metrics_loop_match(o->loops.a, o->loops.b,
					       o->loop_rounds, o->loops.n));
	}
	if (blocks)
		print_blocks(c, o);
	if (c->a.trust && c->b.exact)
		print_trust(c);
	if (c->functions)
		print_functions(c, o);
	if (c->json)
		puts("}");
	overlap_free(o);
	return true;
}

/* As perf record --threads writes. */
static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_recording(const char *path, struct fdo_error *err)
{
	struct perfdata *data = perfdata_open(path, err);

	perfdata_close(data);
	return data != NULL;
}

/* What a file is and what it has are read one after the other. */
static bool can_be_read(const char *path, struct fdo_error *err)
{
	bool is_input = strcmp(path, "-") == 0;
	struct fdo_file file;
	struct stat status;
	bool empty;

	if (!is_input && is_folder(path))
		return is_recording(path, err);
	if (is_input || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
		return fdo_fail(err,
				"%s: only files can be compared, since each is "
				"read twice",
				is_input ? "standard input" : path);
	if (!fdo_file_open(&file, path, err))
		return false;
	empty = file.size == 0;
	fdo_file_close(&file);
	return !empty || fdo_fail(err, "%s: the file is empty", path);
}

/* The first that is a profile, or that is none; NULL: neither. */
static const char *find_profile(char **paths, bool is)
{
	for (int i = 0; i < 2; i++)
		if (profile_is(paths[i]) == is)
			return paths[i];
	return NULL;
}

static bool compare(struct compare *c, char **paths, struct fdo_error *err)
{
	if (!read_side(&c->a, &c->job, paths[0], err) ||
	    !read_side(&c->b, &c->job, paths[1], err))
		return false;
	if ((c->a.job.shares || c->b.job.shares) &&
	    !job_rules_matched(&c->job, err))
		return false;
	if (c->a.profile || c->b.profile)
		return compare_profiles(c, paths, err);
	return compare_counts(c, paths, err);
}

static bool set_option(void *data, int option, struct fdo_error *err)
{
	struct compare *c = data;

	switch (option) {
	case FUNCTIONS:
		if (!argument_number("functions", optarg, &c->functions, err))
			return false;
		if (c->functions == 0)
			c->functions = UINT64_MAX;
		return true;
	case JSON:
		c->json = true;
		return true;
	default:
		return false;
	}
}

static bool is_sampled(const char *path)
{
	return !profile_is(path) && !truth_is(path) && !table_is(path);
}

/* Options that would change nothing. */
static bool has_use(const struct job *job, bool samples, bool code,
		    struct fdo_error *err)
{
	if (!samples && job->of_samples)
		return fdo_fail(err,
				"--%s is for samples, of which there are none "
				"here",
				job->of_samples);
	return code || !job->of_code ||
	       fdo_fail(err,
			"--%s is for a binary's code, of which there is none "
			"here",
			job->of_code);
}

static bool has_binary(const struct compare *c, char **paths,
		       struct fdo_error *err)
{
	const char *other = find_profile(paths, false);

	return !other || c->job.nbinaries == 1 ||
	       fdo_fail(err, "one --binary is needed, since %s is no profile",
			other);
}

static bool fits(const struct compare *c, char **paths, struct fdo_error *err)
{
	const char *profile = find_profile(paths, true);

	if (c->job.model == JOB_EXACT)
		return fdo_fail(err, "--model=exact: exact counts are compared "
				     "as a file of their own, A or B");
	if (c->functions && profile)
		return fdo_fail(err,
				"--functions: %s is a profile, of which keys "
				"are compared",
				profile);
	if (!has_use(&c->job, is_sampled(paths[0]) || is_sampled(paths[1]),
		     find_profile(paths, false), err))
		return false;
	if (c->job.truth && c->job.model != JOB_CGO10)
		return fdo_fail(err, "--truth is for --model=cgo10; exact "
				     "counts are compared as a file of their "
				     "own, A or B");
	return has_binary(c, paths, err);
}

static int compare_compiled(struct compare *c, char **paths, size_t n,
			    struct fdo_error *err)
{
	if (!has_use(&c->job, false, false, err))
		return COMMAND_USAGE;
	return compiled_print(paths, n, c->functions, c->json, err)
		       ? COMMAND_DONE
		       : COMMAND_FAILED;
}

static int compare_files(struct compare *c, char **paths, size_t n,
			 struct fdo_error *err)
{
	if (n > 0 && !can_be_read(paths[0], err))
		return COMMAND_FAILED;
	if (n > 0 && compiled_is(paths[0]))
		return compare_compiled(c, paths, n, err);
	if (n != 2) {
		fdo_fail(err, "two sets of counts are compared: A and B");
		return COMMAND_USAGE;
	}
	if (!can_be_read(paths[1], err))
		return COMMAND_FAILED;
	if (!fits(c, paths, err))
		return COMMAND_USAGE;
	return compare(c, paths, err) ? COMMAND_DONE : COMMAND_FAILED;
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	struct compare c = { .job = JOB_INIT };
	int status =
		job_options(&c.job, argc, argv, options, set_option, &c, err);

	if (status == COMMAND_DONE)
		status = compare_files(&c, argv + optind, argc - optind, err);
	side_deinit(&c.a);
	side_deinit(&c.b);
	job_deinit(&c.job);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.summary = "print how alike two sets of counts are",
	.help = help,
	.run = run,
};
