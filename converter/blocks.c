/* blocks.c - "samplefdo blocks": what is known of each block, as a table. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "converter/binary/object.h"
#include "converter/count/classify.h"
#include "converter/command.h"
#include "converter/job.h"
#include "converter/count/program.h"
#include "converter/truth/truth.h"

static const char help[] =
	"Usage: samplefdo blocks --binary=FILE... [OPTION]... PERF-DATA...\n"
	"\n"
	"Print a table of all blocks of all functions that have samples, or "
	"of\n"
	"their edges, as tab-separated values with a header line.\n"
	"\n"
	"Options:\n" JOB_HELP
	"      --edges              the edges, not the blocks\n"
	"  -h, --help               print this and exit\n"
	"      --version            print the version and exit\n"
	"\n"
	"Example:\n"
	"  samplefdo blocks --binary app app.data | sort -k4,4nr | head\n";

enum { EDGES = 0x2000 };

static const struct option options[] = {
	JOB_OPTIONS,
	{ "edges", no_argument, NULL, EDGES },
	COMMAND_OPTIONS,
};

/* What is true of a function's binary; NULL: not known. */
static const struct truth *truth_of(const struct job *job,
				    const struct program_function *f)
{
	return job->truths ? job->truths[f->binary] : NULL;
}

static bool edges_are_known(const struct job *job, struct fdo_error *err)
{
	for (size_t i = 0; job->truths && i < job->program->nbinaries; i++)
		if (!truth_has_jumps(job->truths[i], err))
			return false;
	return true;
}

/* Of several binaries, addresses and names are not enough. */
static void print_binary(const struct job *job,
			 const struct program_function *f)
{
	if (job->nbinaries > 1) {
		putchar('\t');
		fdo_text_name(job->program->binaries[f->binary].object->path,
			      stdout);
	}
	putchar('\n');
}

static void end_header(const struct job *job)
{
	puts(job->nbinaries > 1 ? "\tbinary" : "");
}

/* Of page faults there would be a column of zeros. */
static bool has_column(const struct job *job, size_t event)
{
	return !samples_are_aside(&job->program->samples->events[event]);
}

static void print_block(const struct job *job, const struct program_function *f,
			size_t b)
{
	const struct program_block *block = &f->blocks[b];
	const struct cfg_block *shape = &f->cfg.blocks[b];

	fdo_text_name(f->cfg.name, stdout);
	printf("\t0x%" PRIx64 "\t%" PRIu32, shape->address,
	       shape->ninstructions);
	for (size_t e = 0; e < job->program->samples->nevents; e++)
		if (has_column(job, e))
			printf("\t%" PRIu64,
			       program_event(job->program, f, b, e)->samples);
	printf("\t%s\t%.0f\t%" PRIu64 "\t%.0f", classify_name(block->class),
	       block->raw, block->count, block->error);
	if (truth_of(job, f))
		printf("\t%" PRIu64,
		       truth_executions(truth_of(job, f), shape->address));
	print_binary(job, f);
}

static void print_blocks(const struct job *job)
{
	const struct program *p = job->program;

	printf("function\taddress\tinstructions");
	for (size_t e = 0; e < p->samples->nevents; e++)
		if (has_column(job, e))
			printf("\t%s", p->samples->events[e].name);
	fputs(job->truths ? "\tclass\traw\tcount\terror\ttrue"
			  : "\tclass\traw\tcount\terror",
	      stdout);
	end_header(job);
	for (size_t i = 0; i < p->nfunctions; i++)
		for (size_t b = 0; b < p->functions[i].cfg.nblocks; b++)
			if (!(p->functions[i].cfg.blocks[b].flags & CFG_HUB))
				print_block(job, &p->functions[i], b);
}

static void print_edge(const struct job *job, const struct program_function *f,
		       size_t e)
{
	const struct cfg_edge *edge = &f->cfg.edges[e];

	fdo_text_name(f->cfg.name, stdout);
	printf("\t0x%" PRIx64 "\t0x%" PRIx64 "\t%s\t%" PRIu64,
	       cfg_last_address(&f->cfg, edge->from),
	       f->cfg.blocks[edge->to].address, cfg_edge_kind_name(edge->kind),
	       f->edges[e]);
	if (truth_of(job, f))
		printf("\t%" PRIu64, program_true_edge(f, e, truth_of(job, f)));
	print_binary(job, f);
}

static void print_edges(const struct job *job)
{
	const struct program *p = job->program;

	fputs(job->truths ? "function\tfrom\tto\tkind\tcount\ttrue"
			  : "function\tfrom\tto\tkind\tcount",
	      stdout);
	end_header(job);
	for (size_t i = 0; i < p->nfunctions; i++)
		for (size_t e = 0; e < p->functions[i].cfg.nedges; e++)
			print_edge(job, &p->functions[i], e);
}

/* There is but one. */
static bool set_option(void *edges, int option, struct fdo_error *err)
{
	(void)err;
	return *(bool *)edges = option == EDGES;
}

static int run(int argc, char **argv, struct fdo_error *err)
{
	struct job job = JOB_INIT;
	bool edges = false;
	int status =
		job_options(&job, argc, argv, options, set_option, &edges, err);

	if (status == COMMAND_DONE &&
	    !job_inputs(&job, argc - optind, argv + optind, err))
		status = COMMAND_USAGE;
	if (status == COMMAND_DONE && !job_run(&job, err))
		status = COMMAND_FAILED;
	if (status == COMMAND_DONE && edges && !edges_are_known(&job, err))
		status = COMMAND_FAILED;
	if (status == COMMAND_DONE)
		(edges ? print_edges : print_blocks)(&job);
	job_deinit(&job);
	return status;
}

const struct command command_blocks = {
	.name = "blocks",
	.summary = "print what is known of each block, as a table",
	.help = help,
	.run = run,
};
