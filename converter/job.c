#include "converter/job.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "converter/command.h"
#include "converter/count/anchors.h"
#include "converter/count/blend.h"
#include "converter/count/classify.h"
#include "converter/count/credit.h"
#include "converter/count/estimate.h"
#include "converter/graph/heuristics.h"
#include "converter/count/machine.h"
#include "converter/count/minor.h"
#include "converter/count/outcomes.h"
#include "converter/count/program.h"
#include "converter/count/shadow.h"
#include "converter/perf/samples.h"
#include "converter/count/timing.h"
#include "converter/truth/truth.h"
#include "converter/count/usual.h"
#include "converter/count/weights.h"

void job_deinit(struct job *job)
{
	for (size_t i = 0; job->truths && i < job->nbinaries; i++)
		truth_free(job->truths[i]);
	free(job->truths);
	machine_free(job->machine);
	weights_free(job->weights);
	usual_free(job->usual);
	outcomes_free(job->outcomes);
	program_free(job->program);
	samples_free(job->samples);
	for (size_t i = 0; i < job->nrules; i++)
		event_rule_clear(&job->rules[i]);
	free(job->rules);
	free(job->binaries);
	free(job->debug_dirs);
}

bool job_number(const char *name, const char *argument, uint64_t *ret,
		struct fdo_error *err)
{
	char *end;

	errno = 0;
	*ret = strtoull(argument, &end, 10);
	return (errno == 0 && end != argument && *end == '\0' &&
		argument[0] != '-') ||
	       fdo_fail(err, "--%s: '%s' is no number", name, argument);
}

bool job_number_in(const char *name, const char *argument, uint64_t least,
		   uint64_t most, uint64_t *ret, struct fdo_error *err)
{
	if (job_number(name, argument, ret, err) && *ret >= least &&
	    *ret <= most)
		return true;
	return fdo_fail(err, "%s '%s': must be %" PRIu64 " to %" PRIu64, name,
			argument, least, most);
}

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
	for (int i = 0; i < MODELS; i++)
		if (strcmp(name, models[i]) == 0) {
			job->model = i;
			return true;
		}
	return fdo_fail(
		err,
		"no model '%s' (there are: default, static, levin, cgo10, "
		"raw, exact)",
		name);
}

/* In the order of enum program_part. */
static const char *const parts[] = {
	"walk",	      "lag",   "redirect", "gather",  "credit",
	"likelihood", "size",  "even",	   "connect", "calls",
	"branches",   "blend", "waits",	   "shadow",  "outcomes",
};
enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

static bool leave_out(struct job *job, const char *name, struct fdo_error *err)
{
	for (int i = 0; i < PARTS; i++)
		if (strcmp(name, parts[i]) == 0) {
			job->without |= 1u << i;
			return true;
		}
	return fdo_fail(err,
			"no part '%s' to do without (there are: walk, lag, "
			"redirect, gather, credit, likelihood, size, even, "
			"connect, calls, branches, blend, waits, shadow, "
			"outcomes)",
			name);
}

static bool set_solver(struct job *job, const char *name, struct fdo_error *err)
{
	job->solver = strcmp(name, "glpk") == 0 ? MCF_GLPK : MCF_SIMPLEX;
	return job->solver == MCF_GLPK || strcmp(name, "simplex") == 0 ||
	       fdo_fail(err, "no solver '%s' (there are: simplex, glpk)", name);
}

/* libdwfl takes a relative one for one beside the binary. */
static bool add_debug_dir(struct job *job, const char *dir,
			  struct fdo_error *err)
{
	const char *before = job->debug_dirs ? job->debug_dirs : "";
	char *path = realpath(dir, NULL), *all = NULL;

	if (!path)
		return fdo_fail(err, "--debug-dir: %s: %s", dir,
				strerror(errno));
	if (asprintf(&all, "%s%s%s", before, *before ? ":" : "", path) < 0)
		abort();
	free(path);
	free(job->debug_dirs);
	job->object.debug_dir = job->debug_dirs = all;
	return true;
}

static bool is_of_all(int option)
{
	return option == JOB_BINARY || option == JOB_EVENT ||
	       (option >= JOB_DEBUG_DIR && option <= JOB_WITHOUT);
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
		job->object.force = true;
		return true;
	case JOB_MIN_SAMPLES:
		return job_number("min-samples", argument, &job->min_samples,
				  err);
	case JOB_MODEL:
		return set_model(job, argument, err);
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
	}
	return COMMAND_DONE;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_exact(const struct job *job)
{
	return job->model == JOB_EXACT;
}

bool job_inputs(struct job *job, int argc, char **argv, struct fdo_error *err)
{
	if (job->nbinaries == 0)
		return fdo_fail(err, "no --binary given");
	if (is_exact(job) && !job->truth)
		return fdo_fail(err, "--model=exact needs --truth");
	if (is_exact(job) && argc > 0)
		return fdo_fail(err, "--model=exact takes no perf.data file");
	if (!is_exact(job) && argc == 0)
		return fdo_fail(err, "no perf.data file given");
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

static bool read_samples(struct job *job, struct fdo_error *err)
{
	if (job->wants_values) {
		job->usual = usual_new(job->program);
		samples_watch(job->samples, usual_registers, job->usual);
	}
	if (!(job->program->without & PROGRAM_OUTCOMES)) {
		job->outcomes = outcomes_new(job->program);
		samples_ask(job->samples, outcomes_tell, job->outcomes);
	}
	for (size_t i = 0; i < job->ninputs; i++) {
		progress_show(&job->progress, "samples", i, job->ninputs);
		if (!samples_read(job->samples, job->inputs[i], err))
			return false;
	}
	samples_finish(job->samples);
	outcomes_free(job->outcomes);
	job->outcomes = NULL;
	return job->samples->totals.read > 0 ||
	       fdo_fail(err, "%s%s: no samples", job->inputs[0],
			job->ninputs > 1 ? " and the other files" : "");
}

static bool enough_samples(const struct job *job, struct fdo_error *err)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < job->program->nbinaries; i++)
		sum += job->program->binaries[i].in_blocks;
	return sum >= job->min_samples ||
	       fdo_fail(err,
			"%s: only %llu of %llu samples are in known code of "
			"the binary; with fewer than %llu a profile says "
			"nothing (--min-samples)",
			job->inputs[0], (unsigned long long)sum,
			(unsigned long long)job->samples->totals.read,
			(unsigned long long)job->min_samples);
}

/* Each block's count goes to its edges as the look of the code has it. */
static void guess_edges(struct program_function *f)
{
	const struct cfg *cfg = &f->cfg;
	unsigned *facts = fdo_alloc(cfg->nblocks, sizeof(*facts));
	double *likely = fdo_alloc(cfg->nedges + 1, sizeof(*likely));

	heuristics_facts(cfg, facts);
	heuristics_edges(cfg, facts, likely);
	for (size_t e = 0; e < cfg->nedges; e++)
		f->edges[e] =
			f->blocks[cfg->edges[e].from].raw * likely[e] + 0.5;
	free(likely);
	free(facts);
}

/* Without the flow: each block's own samples. */
static void keep_raw(struct program *p)
{
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			f->blocks[b].count = f->blocks[b].raw + 0.5;
			f->blocks[b].error = f->blocks[b].unit;
		}
		f->entry = f->blocks[f->cfg.entry].count;
		guess_edges(f);
	}
}

/* Models that do no more than others have written. */
static bool literature(const struct job *job)
{
	return job->model == JOB_LEVIN || job->model == JOB_CGO10;
}

static bool open_binaries(struct job *job, struct fdo_error *err)
{
	job->program = program_new(job->samples);
	job->program->without = job->without;
	if (literature(job))
		job->program->without |= PROGRAM_EVEN | PROGRAM_CALLS |
					 PROGRAM_BRANCHES | PROGRAM_OUTCOMES;
	if (job->model == JOB_STATIC)
		job->program->without |=
			PROGRAM_CALLS | PROGRAM_BRANCHES | PROGRAM_OUTCOMES;
	for (size_t i = 0; i < job->nbinaries; i++) {
		size_t binary;

		if (!program_open(job->program, job->binaries[i], &job->object,
				  &binary, err))
			return false;
	}
	return true;
}

static bool read_truth(struct job *job, struct fdo_error *err)
{
	job->truths = fdo_alloc(job->nbinaries, sizeof(*job->truths));
	for (size_t i = 0; i < job->nbinaries; i++) {
		job->truths[i] = truth_read(
			job->truth, job->program->binaries[i].object, err);
		if (!job->truths[i])
			return false;
	}
	return true;
}

/* None is fine, as long as nobody asked for one. */
static bool find_machine(struct job *job, struct fdo_error *err)
{
	const char *cpuid = job->samples->texts[PERFDATA_CPUID];

	if (job->machine)
		return true;
	if (job->machine_path && !job->weights) {
		job->machine = machine_read(job->machine_path, err);
		return job->machine;
	}
	if (!cpuid)
		return true;
	job->machine = machine_find(MACHINES, cpuid, err);
	return job->machine || !err->text[0];
}

/* The literature has its own prices. */
static bool classify(struct job *job, struct fdo_error *err)
{
	struct program *p = job->program;

	if (job->model == JOB_LEVIN)
		classify_none(p);
	if (job->model != JOB_CGO10)
		return true;
	if (job->truths) {
		classify_truth(p, job->truths);
		return true;
	}
	if (job->weights && job->weights->classes) {
		classify_by_weights(p, job->weights);
		return true;
	}
	return find_machine(job, err) && classify_events(p, job->machine, err);
}

/* Executions as measured: by weights, or by what is known of the events. */
static bool measure(struct job *job, struct fdo_error *err)
{
	struct program *p = job->program;

	if (!job->machine_path)
		return estimate(p, literature(job), err);
	if (!weights_is(job->machine_path))
		return find_machine(job, err) &&
		       estimate(p, literature(job), err);
	job->weights = weights_read(job->machine_path, err);
	if (!job->weights || !weights_bind(job->weights, job->samples, err))
		return false;
	estimate_by_weights(p, job->weights);
	return true;
}

/* Only a model of the core has use for the flow before it is final. */
static bool refines(const struct job *job)
{
	return job->model == JOB_DEFAULT && !job->weights &&
	       (timing_matters(job->program) || shadow_matters(job->program));
}

/*
 * A flow that is not the last: of each function by itself, of minor ones only
 * at first.  What outcomes let expect depends on how often blocks run, so that
 * takes some rounds.
 */
static bool try_flow(struct job *job, bool first, struct fdo_error *err)
{
	enum { ROUNDS = 2 };
	unsigned rounds = 0;

	do {
		if (!prepass_alone(job->program, first && rounds == 0,
				   job->solver, &job->progress, &job->prepass,
				   err))
			return false;
	} while (outcomes_expect(job->program) && rounds++ < ROUNDS);
	return true;
}

/* Flow says in what company blocks run, and that says how long they take. */
static bool refine(struct job *job, struct fdo_error *err)
{
	enum { ROUNDS = 3 };
	struct program *p = job->program;
	struct timing *timing = timing_new(p);
	unsigned rounds = p->without & PROGRAM_WALK ? 0 : ROUNDS;
	bool done = try_flow(job, true, err);

	for (unsigned round = 0; done && round < rounds; round++) {
		timing_walk(timing, p, round + 1 == rounds);
		done = estimate(p, false, err) && try_flow(job, false, err);
	}
	/* What has branch records needs no more, and would lose them. */
	if (done && !anchors_matter(p)) {
		done = blend(p, job->solver, &job->progress, &job->prepass,
			     err);
		if (done && !(p->without & PROGRAM_CREDIT))
			credit(p, timing);
	}
	timing_free(timing);
	return done;
}

/* Whether registers of samples told anything that the model asks for. */
static bool has_outcomes(const struct job *job)
{
	return job->model == JOB_DEFAULT && !job->weights &&
	       !(job->program->without & PROGRAM_OUTCOMES) &&
	       job->samples->totals.told > 0;
}

/* From what was measured to counts that agree with the flow. */
static bool settle(struct job *job, struct fdo_error *err)
{
	bool done = refines(job)	? refine(job, err)
		    : has_outcomes(job) ? try_flow(job, true, err)
					: true;

	return done && prepass(job->program, job->solver, &job->progress,
			       &job->prepass, err);
}

static bool count_samples(struct job *job, struct fdo_error *err)
{
	struct program *p = job->program;
	bool held;

	for (size_t i = 0; i < job->nbinaries; i++)
		if (!program_add_samples(p, i, job->object.force,
					 &job->progress, err) ||
		    !(p->without & PROGRAM_BRANCHES || anchors_add(p, i, err)))
			return false;
	if (!program_has_samples(p, err))
		return false;
	program_sort(p);
	minor_mark(p);
	if (!(p->without & PROGRAM_OUTCOMES))
		for (size_t i = 0; i < p->nfunctions; i++)
			outcomes_add(p, &p->functions[i]);
	timing_static(p);
	held = !literature(job) && !job->machine_path && anchors_hold(p);
	if (!enough_samples(job, err) || !measure(job, err) ||
	    !classify(job, err))
		return false;
	if (job->model == JOB_RAW) {
		keep_raw(p);
		return true;
	}
	if (!settle(job, err))
		return false;
	if (!held)
		return true;
	anchors_release(p);
	return measure(job, err) && settle(job, err);
}

static bool count_exactly(struct job *job, struct fdo_error *err)
{
	for (size_t i = 0; i < job->nbinaries; i++)
		if (!program_add_truth(job->program, i, job->truths[i], err))
			return false;
	program_sort(job->program);
	if (!(job->program->without & PROGRAM_BRANCHES))
		return true;
	estimate_known(job->program);
	return prepass(job->program, job->solver, &job->progress, &job->prepass,
		       err);
}

static bool count(struct job *job, struct fdo_error *err)
{
	if (!is_exact(job))
		job->samples = samples_new(job->rules, job->nrules);
	if (!open_binaries(job, err) ||
	    !(is_exact(job) || read_samples(job, err)) ||
	    (job->truth && !read_truth(job, err)))
		return false;
	return is_exact(job) ? count_exactly(job, err)
			     : count_samples(job, err);
}

bool job_run(struct job *job, struct fdo_error *err)
{
	bool done;

	job->progress = progress_new(!job->quiet);
	done = count(job, err);
	progress_end(&job->progress);
	return done;
}
