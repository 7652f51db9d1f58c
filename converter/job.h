/*
 * job.h - from the command line to counts of blocks: what all commands that
 * read samples have in common.
 *
 *	static const struct option options[] = { JOB_OPTIONS, ...
 *						 COMMAND_OPTIONS };
 *	struct job job = JOB_INIT;
 *	int status = job_options(&job, argc, argv, options, own, data, err);
 *	if (status == COMMAND_DONE &&
 *	    !job_inputs(&job, argc - optind, argv + optind, err))
 *		status = COMMAND_USAGE;
 *	if (status == COMMAND_DONE && job_run(&job, err))
 *		...	// job.program, job.prepass
 *	job_deinit(&job);
 *
 * Ownership  job_deinit() frees all of it, after a failure too.
 * Errors     A wrong command line: job_options() and job_inputs(); anything
 *            else: job_run().
 */
#ifndef CONVERTER_JOB_H
#define CONVERTER_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/progress.h"
#include "converter/binary/object.h"
#include "converter/count/prepass.h"
#include "converter/perf/events.h"

struct fdo_error;
struct machine;
struct option;
struct program;
struct samples;
struct truth;
struct usual;
struct weights;

enum {
	JOB_BINARY = 'b',
	JOB_EVENT = 'e',
	JOB_DEBUG_DIR = 0x1000,
	JOB_FORCE,
	JOB_MIN_SAMPLES,
	JOB_PREFIX_MAP,
	JOB_MODEL,
	JOB_SOLVER,
	JOB_TRUTH,
	JOB_MACHINE,
	JOB_WITHOUT,
};

/* clang-format off */

/* For getopt_long(). */
#define JOB_OPTIONS \
	{ "binary", required_argument, NULL, JOB_BINARY }, \
	{ "event", required_argument, NULL, JOB_EVENT }, \
	{ "debug-dir", required_argument, NULL, JOB_DEBUG_DIR }, \
	{ "force", no_argument, NULL, JOB_FORCE }, \
	{ "min-samples", required_argument, NULL, JOB_MIN_SAMPLES }, \
	{ "prefix-map", required_argument, NULL, JOB_PREFIX_MAP }, \
	{ "model", required_argument, NULL, JOB_MODEL }, \
	{ "solver", required_argument, NULL, JOB_SOLVER }, \
	{ "machine", required_argument, NULL, JOB_MACHINE }, \
	{ "truth", required_argument, NULL, JOB_TRUTH }, \
	{ "without", required_argument, NULL, JOB_WITHOUT }

/* Their lines in --help. */
#define JOB_HELP \
"  -b, --binary=FILE        the program or shared object that was sampled,\n" \
"                           with debug information; may be given more than\n" \
"                           once\n" \
"  -e, --event=ROLE=NAME[:PERIOD]\n" \
"                           what an event counts: inst (instructions\n" \
"                           retired), cycles, taken (branches), steps,\n" \
"                           faults (of pages), or a name of your own; known\n" \
"                           for the usual events\n" \
"      --debug-dir=DIR      look for separate debug files here, too; may be\n" \
"                           given more than once\n" \
"      --force              take a binary of another build\n" \
"      --min-samples=N      fail with fewer samples in known code (100)\n" \
"      --machine=FILE       what events stand for: weights of svr-train, by\n" \
"                           which executions are counted then; or, for\n" \
"                           --model=cgo10, a description, which is found by\n" \
"                           the processor's name in perf.data if it is known\n" \
"      --model=MODEL        how samples become counts: default; static times\n" \
"                           each block by itself; levin and cgo10 as in the\n" \
"                           literature; raw leaves out the flow; exact takes\n" \
"                           the counts of --truth and no perf.data\n" \
"      --prefix-map=OLD=NEW name source files whose path begins with OLD as\n" \
"                           if it began with NEW, as GCC's\n" \
"                           -ffile-prefix-map; may be given more than once\n" \
"      --solver=SOLVER      of the flow problem: simplex, or glpk to check it\n" \
"      --truth=FILE         exact counts: the output of callgrind with\n" \
"                           --dump-instr=yes --collect-jumps=yes; cgo10\n" \
"                           then knows whom to trust\n" \
"      --without=PART       leave out a part of the default model, to see what\n" \
"                           it is worth: walk, lag, redirect, gather, credit,\n" \
"                           likelihood, size, even, connect, calls,\n" \
"                           branches, blend, waits, shadow, outcomes,\n" \
"                           stuck, looks, unseen, trips or callers\n"

/* clang-format on */

enum job_model {
	JOB_DEFAULT,
	JOB_STATIC, /* likewise, but each block timed by itself */
	JOB_LEVIN,
	JOB_CGO10,
	JOB_RAW,
	JOB_EXACT,
};

struct job {
	const char **binaries;
	size_t nbinaries, room_binaries;
	const char **inputs; /* perf.data files */
	const char *input;   /* the only one: job_run_one() */
	size_t ninputs;
	struct event_rule *rules;
	size_t nrules, room_rules;
	struct object_options object;
	char *debug_dirs;		/* what object has of them */
	struct object_prefix *prefixes; /* likewise */
	size_t room_prefixes;
	uint64_t min_samples;
	enum job_model model;
	const char *truth;	  /* NULL: not given */
	const char *machine_path; /* likewise */
	enum mcf_solver solver;
	unsigned without; /* set of enum program_part */
	bool force;	  /* other builds of a binary as well */
	bool quiet;	  /* no progress */
	bool shares;	  /* its options with another: job_again() */
	bool wants_values;
	/* The last option given that is about samples alone; NULL: none. */
	const char *of_samples;
	const char *of_code; /* likewise, about a binary's code */

	struct progress progress;
	struct samples *samples;
	struct program *program;
	struct usual *usual;	   /* NULL: values are not wanted */
	struct outcomes *outcomes; /* NULL: likewise */
	struct truth **truths;	   /* of each binary; NULL: no --truth */
	struct machine *machine;   /* NULL: not known, or not asked for */
	struct weights *weights;   /* likewise, of --machine */
	struct prepass_result prepass;
};

#define JOB_INIT                                          \
	{                                                 \
		.min_samples = 100, .solver = MCF_SIMPLEX \
	}

/* Counts are not from samples, but those of --truth. */
static inline bool job_is_exact(const struct job *job)
{
	return job->model == JOB_EXACT;
}

/* estimate_misfit() of what has run; NaN, too, where there was no flow. */
double job_misfit(const struct job *job);

/* As --model has it. */
const char *job_model_name(enum job_model model);

void job_deinit(struct job *job);

/*
 * Another one with the options of one that has not run, which has to live as
 * long.
 */
struct job job_again(const struct job *job);

/* Takes an option of a command's own, with optarg; false: err, or unknown. */
typedef bool job_own_option(void *data, int option, struct fdo_error *err);

/*
 * Read the options of a command line up to optind.  The short ones are those
 * of the table that have a letter.  Returns COMMAND_DONE, or what the
 * command is to return.
 */
int job_options(struct job *job, int argc, char **argv,
		const struct option *options, job_own_option *own, void *data,
		struct fdo_error *err);

/* The rest of the command line: perf.data files. */
bool job_inputs(struct job *job, int argc, char **argv, struct fdo_error *err);

/*
 * Which of several binaries were left out, and why, it says on standard error,
 * also if it fails.
 */
bool job_run(struct job *job, struct fdo_error *err);

/* Of one recording of several, which each error names. */
bool job_run_one(struct job *job, const char *input, struct fdo_error *err);

/*
 * An --event that is none of the recordings' is a mistake, which job_run()
 * tells.  Who runs several jobs with the same rules asks after the last.
 */
bool job_rules_matched(const struct job *job, struct fdo_error *err);

#endif
