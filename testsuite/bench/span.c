/*
 * span.c - how long consistent counts for a whole program take, and what they
 * are worth.
 *
 *	make testsuite/bench/span && testsuite/bench/span >span.tsv
 *	testsuite/bench/span --sizes 1000,10000 --price 1000 --unknown 50
 *	testsuite/bench/span --idle .01		# in one round, as convert does
 *
 * The programs are random: structured functions of ten blocks in the mean, one
 * in a thousand with hundreds, whose blocks call others; some are called from
 * everywhere, and some call back.  What is true agrees throughout; what was
 * measured is that with lognormal noise on each block, at the KL costs of
 * smooth.h.
 *
 * Output: functions, blocks, calls; seconds of the thread to solve each
 * function by itself, and to solve them together; the same in ns per block; how
 * often a function was solved in the mean; the most bytes that the span had at
 * a time, per block; the misfit of each function by itself, that with the price
 * of calls which do not agree, the same for the solution that was found, and
 * how much of its cost might be saved at most, in percent (in one round no
 * bound is found, and that says nothing); how much block counts and entries
 * have in common with the truth, in percent, each by itself and together.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "mcf/smooth.h"
#include "mcf/span.h"
#include "testsuite/bench/mcf_bench.h"
#include "testsuite/lib/random_cfg.h"
#include "testsuite/lib/random_program.h"

enum { SIZES = 16 };

struct options {
	int sizes[SIZES], nsizes;
	int price, unknown;
	double gap;
	double idle; /* above 0: in one round */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* What the span is given, and what comes of it. */
struct whole {
	struct random_program program;
	int64_t *block, *entry; /* counts */
};

static unsigned build(void *data, unsigned f, struct flow_graph *g)
{
	struct whole *w = data;

	return random_program_build(&w->program, f, g);
}

static void take(void *data, unsigned f, struct flow_graph *g)
{
	struct whole *w = data;
	const struct random_function *function = &w->program.functions[f];

	w->entry[f] = flow_edge_count(g, 0);
	for (unsigned b = 0; b < function->nblocks; b++)
		w->block[function->first + b] = flow_block_count(g, b);
}

static double overlap(const int64_t *a, const int64_t *b, size_t n)
{
	double suma = 0, sumb = 0, common = 0;

	for (size_t i = 0; i < n; i++) {
		suma += a[i];
		sumb += b[i];
	}
	for (size_t i = 0; i < n; i++)
		common += fmin(a[i] / suma, b[i] / sumb);
	return 100 * common;
}

static double solve(struct whole *w, const struct options *o, bool together,
		    struct flow_span_result *result, long *memory)
{
	struct flow_span_source source = { w, build, take };
	const struct random_program *p = &w->program;
	double begun = now();
	struct flow_span *span;
	struct fdo_error err;

	bench_memory_begin();
	span = flow_span_new(p->n);
	for (size_t i = 0; together && i < p->ncalls; i++)
		flow_span_add_call(span, p->calls[i].caller, p->calls[i].block,
				   p->calls[i].callee, 1, o->price);
	for (unsigned f = 1; together && f < p->n; f++)
		flow_span_set_unknown(span, f, o->unknown);
	if (!(o->idle > 0 ? flow_span_solve_once(span, &source, MCF_SIMPLEX,
						 o->idle, result, &err)
			  : flow_span_solve(span, &source, MCF_SIMPLEX, o->gap,
					    result, &err))) {
		fprintf(stderr, "span: %s\n", err.text);
		exit(EXIT_FAILURE);
	}
	flow_span_free(span);
	*memory = bench_memory_end();
	return now() - begun;
}

static void run(const struct options *o, int size)
{
	struct whole w = { 0 };
	struct random_program *p = &w.program;
	struct flow_span_result alone, result;
	double seconds[2], block[2], entry[2];
	long memory;

	random_program_make(p, size, 1);
	w.block = calloc(p->nblocks, sizeof(*w.block));
	w.entry = calloc(p->n, sizeof(*w.entry));
	for (int together = 0; together < 2; together++) {
		seconds[together] = solve(&w, o, together,
					  together ? &result : &alone, &memory);
		block[together] = overlap(p->count, w.block, p->nblocks);
		entry[together] = overlap(p->entry, w.entry, p->n);
	}
	printf("%d\t%zu\t%zu\t%.2f\t%.2f\t%.0f\t%.0f\t%.1f\t%.0f\t%.4g\t%.4g\t"
	       "%.4g\t%.2f\t%.1f\t%.1f\t%.1f\t%.1f\n",
	       p->n, p->nblocks, p->ncalls, seconds[0], seconds[1],
	       1e9 * seconds[0] / p->nblocks, 1e9 * seconds[1] / p->nblocks,
	       (double)result.solved / p->n, (double)memory / p->nblocks,
	       result.alone, result.apart, result.cost,
	       100 * (result.cost - result.bound) / result.cost, block[0],
	       block[1], entry[0], entry[1]);
	fflush(stdout);
	free(w.block);
	free(w.entry);
	random_program_free(p);
}

static void parse_sizes(struct options *options, char *text)
{
	options->nsizes = 0;
	for (char *part = strtok(text, ","); part && options->nsizes < SIZES;
	     part = strtok(NULL, ","))
		options->sizes[options->nsizes++] = atoi(part);
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{ "sizes", required_argument, NULL, 'n' },
		{ "price", required_argument, NULL, 'p' },
		{ "unknown", required_argument, NULL, 'u' },
		{ "gap", required_argument, NULL, 'g' },
		{ "idle", required_argument, NULL, 'i' },
		{ 0 },
	};
	struct options options = {
		.sizes = { 1000, 10000, 100000 },
		.nsizes = 3,
		.price = 200,
		.unknown = 200,
		.gap = .01,
	};
	int c;

	printf("#");
	for (int i = 0; i < argc; i++)
		printf(" %s", argv[i]);
	puts(", " PACKAGE_STRING);
	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (c == 'n')
			parse_sizes(&options, optarg);
		else if (c == 'p' && atoi(optarg) > 0)
			options.price = atoi(optarg);
		else if (c == 'u')
			options.unknown = atoi(optarg);
		else if (c == 'g')
			options.gap = atof(optarg);
		else if (c == 'i')
			options.idle = atof(optarg);
		else
			return 2;
	}
	puts("functions\tblocks\tcalls\talone_s\tspan_s\talone_ns_per_block\t"
	     "span_ns_per_block\tsolved\tbytes_per_block\talone\tapart\tcost\t"
	     "gap\tblock_alone\tblock_span\tentry_alone\tentry_span");
	for (int i = 0; i < options.nsizes; i++)
		run(&options, options.sizes[i]);
	return 0;
}
