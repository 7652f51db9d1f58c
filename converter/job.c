#include "converter/job.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "converter/count/anchors.h"
#include "converter/count/classify.h"
#include "converter/count/estimate.h"
#include "converter/count/machine.h"
#include "converter/count/minor.h"
#include "converter/count/outcomes.h"
#include "converter/count/parts.h"
#include "converter/count/program.h"
#include "converter/count/settle.h"
#include "converter/count/timing.h"
#include "converter/count/usual.h"
#include "converter/count/weights.h"
#include "converter/graph/decode.h"
#include "converter/perf/perfdata.h"
#include "converter/perf/samples.h"
#include "converter/truth/truth.h"

void job_deinit(struct job *job)
{
	for (size_t i = 0; job->truths && i < job->program->nbinaries; i++)
		truth_free(job->truths[i]);
	free(job->truths);
	machine_free(job->machine);
	weights_free(job->weights);
	usual_free(job->usual);
	outcomes_free(job->outcomes);
	program_free(job->program);
	samples_free(job->samples);
	if (job->shares)
		return;
	for (size_t i = 0; i < job->nrules; i++)
		event_rule_clear(&job->rules[i]);
	free(job->rules);
	free(job->binaries);
	free(job->debug_dirs);
	for (size_t i = 0; i < job->object.nprefixes; i++)
		free(job->prefixes[i].old);
	free(job->prefixes);
}

struct job job_again(const struct job *job)
{
	struct job again = *job;

	again.shares = true;
	return again;
}

static void match_rules(struct job *job)
{
	for (size_t i = 0; i < job->nrules; i++)
		for (size_t e = 0; e < job->samples->nevents; e++)
			job->rules[i].matched |= event_rule_is_for(
				&job->rules[i], job->samples->events[e].name);
}

bool job_rules_matched(const struct job *job, struct fdo_error *err)
{
	for (size_t i = 0; i < job->nrules; i++)
		if (!job->rules[i].matched)
			return fdo_fail(err,
					"--event %s=%s: no recording has an "
					"event of that name",
					job->rules[i].role, job->rules[i].name);
	return true;
}

/* Behind the name of the first input. */
static const char *and_others(const struct job *job)
{
	return job->ninputs > 1 ? " and the other files" : "";
}

static const char *why_none(const struct samples *samples)
{
	if (samples->totals.faults)
		return "no samples but those of page faults, which are not "
		       "counted";
	return samples_lost(samples) ? "no samples: all were lost"
				     : "no samples";
}

/* Of what is counted by; records of branches count without it. */
static bool periods_known(const struct job *job, struct fdo_error *err)
{
	const struct samples *samples = job->samples;

	for (size_t e = 0; e < samples->nevents; e++) {
		const struct samples_event *event = &samples->events[e];

		if (!event->unmeasured || samples->totals.stacks.stacks ||
		    (strcmp(event->role, "inst") != 0 &&
		     strcmp(event->role, "cycles") != 0))
			continue;
		return fdo_fail(err,
				"%s%s: samples of %s have no period (perf "
				"record --no-period); say how many of it one "
				"stands for: --event %s=%s:PERIOD",
				job->inputs[0], and_others(job), event->name,
				event->role, event->name);
	}
	return true;
}

static bool has_kernel(const struct program *p)
{
	for (size_t i = 0; i < p->nbinaries; i++)
		if (p->binaries[i].object->kernel)
			return true;
	return false;
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
	if (job->program->without & PROGRAM_STUCK)
		samples_keep_all(job->samples);
	if (has_kernel(job->program))
		samples_take_kernel(job->samples);
	for (size_t i = 0; i < job->ninputs; i++) {
		progress_show(&job->progress, "samples", i, job->ninputs);
		if (!samples_read(job->samples, job->inputs[i], err))
			return false;
	}
	samples_finish(job->samples);
	outcomes_free(job->outcomes);
	job->outcomes = NULL;
	if (job->samples->totals.read == 0)
		return fdo_fail(err, "%s%s: %s", job->inputs[0],
				and_others(job), why_none(job->samples));
	if (!periods_known(job, err))
		return false;
	match_rules(job);
	return job->shares || job_rules_matched(job, err);
}

static bool enough_samples(const struct job *job, struct fdo_error *err)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < job->program->nbinaries; i++)
		sum += job->program->binaries[i].in_blocks;
	return sum >= job->min_samples ||
	       fdo_fail(err,
			"%s%s: only %llu of %llu samples are in known code of "
			"the binary; with fewer than %llu a profile says "
			"nothing (--min-samples)",
			job->inputs[0], and_others(job),
			(unsigned long long)sum,
			(unsigned long long)job->samples->totals.read,
			(unsigned long long)job->min_samples);
}

/* Models that do no more than others have written. */
static bool literature(const struct job *job)
{
	return job->model == JOB_LEVIN || job->model == JOB_CGO10;
}

static bool none_is_left(const struct job *job, struct fdo_error *err)
{
	if (job->nbinaries == 1)
		return fdo_fail(err, "%s", job->program->left_out[0].why.text);
	return fdo_fail(err, "none of the binaries is left");
}

static bool open_binaries(struct job *job, struct fdo_error *err)
{
	job->program = program_new(job->samples);
	job->program->force = job->force;
	job->program->without = job->without;
	if (literature(job))
		job->program->without |= PROGRAM_EVEN | PROGRAM_CALLS |
					 PROGRAM_BRANCHES | PROGRAM_OUTCOMES;
	if (job->model == JOB_STATIC)
		job->program->without |=
			PROGRAM_CALLS | PROGRAM_BRANCHES | PROGRAM_OUTCOMES;
	if (job->model != JOB_DEFAULT)
		job->program->without |= PROGRAM_LOOKS | PROGRAM_UNSEEN |
					 PROGRAM_TRIPS | PROGRAM_CALLERS;
	for (size_t i = 0; i < job->nbinaries; i++)
		if (!program_open_one_of(job->program, job->binaries[i],
					 &job->object, err))
			return false;
	program_sort_binaries(job->program);
	return job->program->nbinaries > 0 || none_is_left(job, err);
}

static bool read_truth(struct job *job, struct fdo_error *err)
{
	job->truths = fdo_alloc(job->program->nbinaries, sizeof(*job->truths));
	for (size_t i = 0; i < job->program->nbinaries; i++) {
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
	return machine_find(MACHINES, cpuid, &job->machine, err);
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
	if (!weights_is(job->machine_path)) {
		if (!find_machine(job, err))
			return false;
		return job->model == JOB_CGO10
			       ? estimate(p, true, err)
			       : fdo_fail(err,
					  "%s: describes a processor, which is "
					  "for --model=cgo10",
					  job->machine_path);
	}
	job->weights = weights_read(job->machine_path, err);
	if (!job->weights || !weights_bind(job->weights, job->samples, err))
		return false;
	estimate_by_weights(p, job->weights);
	return true;
}

/* How branches come out: by samples, and by the code itself. */
static void add_outcomes(struct program *p)
{
	struct decoder *d = decoder_new();

	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		outcomes_add(p, f, d);
		if (!(p->without & PROGRAM_TRIPS))
			trips_find(&f->trips, &f->cfg, d);
	}
	decoder_free(d);
}

static bool find_counts(struct job *job, struct fdo_error *err)
{
	struct settle how = {
		.program = job->program,
		.models = job->model == JOB_DEFAULT && !job->weights,
		.solver = job->solver,
		.progress = &job->progress,
		.result = &job->prepass,
	};

	return settle(&how, err);
}

static bool count_samples(struct job *job, struct fdo_error *err)
{
	struct program *p = job->program;
	bool held;

	for (size_t i = 0; i < p->nbinaries; i++)
		if (!program_add_samples(p, i, &job->progress, err) ||
		    !(p->without & PROGRAM_BRANCHES || anchors_add(p, i, err)))
			return false;
	if (!program_has_samples(p, err))
		return false;
	program_sort(p);
	minor_mark(p);
	add_outcomes(p);
	timing_static(p);
	held = !literature(job) && !job->machine_path && anchors_hold(p);
	if (!enough_samples(job, err) || !measure(job, err) ||
	    !classify(job, err))
		return false;
	if (job->model == JOB_RAW) {
		settle_raw(p);
		return true;
	}
	if (!find_counts(job, err))
		return false;
	if (!held || !anchors_release(p))
		return true;
	return measure(job, err) && find_counts(job, err);
}

static bool count_exactly(struct job *job, struct fdo_error *err)
{
	for (size_t i = 0; i < job->program->nbinaries; i++)
		if (!program_add_truth(job->program, i, job->truths[i], err))
			return false;
	program_sort(job->program);
	if (!(job->program->without & PROGRAM_BRANCHES))
		return true;
	estimate_known(job->program);
	return prepass(job->program, job->solver, &job->progress, &job->prepass,
		       err);
}

static bool is_stream(const char *path)
{
	struct stat status;

	return strcmp(path, "-") == 0 ||
	       (stat(path, &status) == 0 && !S_ISREG(status.st_mode) &&
		!S_ISDIR(status.st_mode));
}

/* Before large binaries are read.  A stream can be read but once. */
static bool are_recordings(const struct job *job, struct fdo_error *err)
{
	for (size_t i = 0; i < job->ninputs; i++) {
		struct perfdata *data;

		if (is_stream(job->inputs[i]))
			continue;
		data = perfdata_open(job->inputs[i], err);
		if (!data)
			return false;
		perfdata_close(data);
	}
	return true;
}

static bool count(struct job *job, struct fdo_error *err)
{
	if (!fdo_file_all_differ(job->inputs, job->ninputs, err) ||
	    (!job_is_exact(job) && !are_recordings(job, err)))
		return false;
	if (!job_is_exact(job))
		job->samples = samples_new(job->rules, job->nrules);
	if (!open_binaries(job, err) ||
	    !(job_is_exact(job) || read_samples(job, err)) ||
	    (job->truth && !read_truth(job, err)))
		return false;
	return (job_is_exact(job) ? count_exactly(job, err)
				  : count_samples(job, err)) &&
	       parts_add(job->program, err);
}

double job_misfit(const struct job *job)
{
	return job->prepass.measured > 0 ? estimate_misfit(job->program) : NAN;
}

static void print_left_out(const struct job *job)
{
	const struct program *p = job->program;

	for (size_t i = 0; p && job->nbinaries > 1 && i < p->nleft_out; i++) {
		uint64_t samples = program_left_out_samples(p, i);

		fprintf(stderr, "samplefdo: %s; left out",
			p->left_out[i].why.text);
		if (samples)
			fprintf(stderr, " with %" PRIu64 " samples (%.1f %%)",
				samples,
				100.0 * samples / p->samples->totals.read);
		fputc('\n', stderr);
	}
}

bool job_run(struct job *job, struct fdo_error *err)
{
	bool done;

	job->progress = progress_new(!job->quiet);
	done = count(job, err);
	progress_end(&job->progress);
	print_left_out(job);
	return done;
}

bool job_run_one(struct job *job, const char *input, struct fdo_error *err)
{
	const char *name = fdo_file_input_name(input);

	job->input = input;
	job->inputs = &job->input;
	job->ninputs = 1;
	if (job_run(job, err))
		return true;
	return strncmp(err->text, name, strlen(name)) == 0
		       ? false
		       : fdo_fail(err, "%s: %s", name, err->text);
}
