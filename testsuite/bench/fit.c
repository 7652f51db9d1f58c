/*
 * fit - the terms of waits.h, learnt from programs whose counts are known.
 *
 *	fit PROGRAM SAMPLES[,SAMPLES]... TRUTH [...]
 *
 * Each block that ran is a row: the logarithm of its samples, beside what its
 * true count and the model's cycles predict, is to be explained by its terms.
 * Programs count alike; in a program, a row counts by the root of what it
 * executes, and less where few samples are expected.  A program has a constant
 * of its own, so that only ratios within it are learnt.  Prints the terms, and
 * for each program how much of the weighted variance they explain.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "converter/count/program.h"
#include "converter/count/waits.h"
#include "converter/job.h"
#include "converter/truth/truth.h"

enum { N = WAITS_TERMS, CONSTANT = 0 };

/* Samples say little of a block where so few are expected. */
static const double few = 3;

/* Beside the terms' own squares: they are much alike. */
static const double ridge = .001;

struct row {
	double term[N], y, weight;
};

struct lesson {
	const char *name;
	struct row *rows;
	size_t n;
	struct row mean;
};

/* All rows, with executions for now in y and samples in weight. */
static void look(struct lesson *l, const struct job *job)
{
	const struct program *p = job->program;
	struct waits *waits = waits_new(p, p->named);
	size_t n = 0;

	for (size_t i = 0; i < p->nfunctions; i++)
		n += p->functions[i].cfg.nblocks;
	l->rows = fdo_alloc(n, sizeof(*l->rows));
	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			double cycles = f->blocks[b].cycles;
			struct waits_look look =
				waits_look(waits, i, b, cycles);
			double ran = truth_executions(job->truths[f->binary],
						      f->cfg.blocks[b].address);
			struct row *row = &l->rows[l->n];

			if (look.instructions == 0 || ran == 0)
				continue;
			memcpy(row->term, look.term, sizeof(row->term));
			row->term[CONSTANT] = ran * look.instructions;
			row->y = ran * cycles;
			row->weight = program_role(p, f, b, "cycles").samples;
			l->n++;
		}
	}
	waits_free(waits);
}

/* Then what they say, and how much they count: together 1. */
static void weigh(struct lesson *l)
{
	double executed = 0, cycles = 0, samples = 0, weights = 0;

	for (size_t i = 0; i < l->n; i++) {
		executed += l->rows[i].term[CONSTANT];
		cycles += l->rows[i].y;
		samples += l->rows[i].weight;
	}
	for (size_t i = 0; i < l->n; i++) {
		struct row *row = &l->rows[i];
		double expected = row->y * samples / cycles;
		double share = row->term[CONSTANT] / executed;

		row->y = log((row->weight + .5) / (expected + .5));
		row->y = fmax(-3, fmin(3, row->y));
		row->weight = sqrt(share) * expected / (expected + few);
		row->term[CONSTANT] = 1;
		weights += row->weight;
	}
	for (size_t i = 0; i < l->n; i++) {
		struct row *row = &l->rows[i];

		row->weight /= weights;
		for (size_t t = 0; t < N; t++)
			l->mean.term[t] += row->weight * row->term[t];
		l->mean.y += row->weight * row->y;
	}
}

/* The names in a list. */
static const char **split(char *list, size_t *n_ret)
{
	const char **ret = NULL;
	size_t room = 0;

	*n_ret = 0;
	for (char *rest = NULL, *name = strtok_r(list, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest)) {
		ret = fdo_grow(ret, *n_ret, &room, sizeof(*ret));
		ret[(*n_ret)++] = name;
	}
	return ret;
}

static bool take(struct lesson *l, char **argv, struct fdo_error *err)
{
	struct job job = JOB_INIT;
	bool done;

	l->name = argv[0];
	job.binaries = fdo_alloc(1, sizeof(*job.binaries));
	job.binaries[job.nbinaries++] = argv[0];
	job.inputs = split(argv[1], &job.ninputs);
	job.truth = argv[2];
	job.without = PROGRAM_WAITS;
	job.quiet = true;
	done = job_run(&job, err);
	if (done) {
		look(l, &job);
		weigh(l);
	}
	job_deinit(&job);
	return done;
}

/* Gauss and Jordan's way; the matrix is positive definite. */
static void solve(double a[N][N + 1])
{
	for (size_t i = 0; i < N; i++)
		for (size_t r = 0; r < N; r++) {
			double times = r == i ? 0 : a[r][i] / a[i][i];

			for (size_t c = i; c <= N; c++)
				a[r][c] -= times * a[i][c];
		}
	for (size_t i = 0; i < N; i++)
		a[i][N] /= a[i][i];
}

static void learn(const struct lesson *lessons, size_t n, double ret[N])
{
	double a[N][N + 1] = { { 0 } };

	for (size_t l = 0; l < n; l++)
		for (size_t i = 0; i < lessons[l].n; i++) {
			const struct row *row = &lessons[l].rows[i];
			const struct row *mean = &lessons[l].mean;

			for (size_t r = 1; r < N; r++) {
				double x = row->weight *
					   (row->term[r] - mean->term[r]);

				for (size_t c = 1; c < N; c++)
					a[r][c] += x * (row->term[c] -
							mean->term[c]);
				a[r][N] += x * (row->y - mean->y);
				a[r][r] += ridge * row->weight * row->term[r] *
					   row->term[r];
			}
		}
	a[CONSTANT][CONSTANT] = 1;
	solve(a);
	for (size_t t = 1; t < N; t++)
		ret[t] = a[t][N];
	ret[CONSTANT] = 0;
	for (size_t l = 0; l < n; l++) {
		ret[CONSTANT] += lessons[l].mean.y / n;
		for (size_t t = 1; t < N; t++)
			ret[CONSTANT] -= ret[t] * lessons[l].mean.term[t] / n;
	}
}

static double explained(const struct lesson *l, const double learnt[N])
{
	double all = 0, left = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct row *row = &l->rows[i];
		double y = row->y - l->mean.y, rest = y;

		for (size_t t = 1; t < N; t++)
			rest -= learnt[t] * (row->term[t] - l->mean.term[t]);
		all += row->weight * y * y;
		left += row->weight * rest * rest;
	}
	return all > 0 ? 100 * (1 - left / all) : 0;
}

int main(int argc, char **argv)
{
	size_t n = (argc - 1) / 3;
	struct lesson *lessons = fdo_alloc(n + 1, sizeof(*lessons));
	struct fdo_error err = { 0 };
	double learnt[N];

	if (n == 0 || (argc - 1) % 3) {
		fprintf(stderr, "usage: fit PROGRAM SAMPLES TRUTH...\n");
		return 2;
	}
	for (size_t l = 0; l < n; l++)
		if (!take(&lessons[l], argv + 1 + 3 * l, &err)) {
			fprintf(stderr, "fit: %s\n", err.text);
			return 1;
		}
	learn(lessons, n, learnt);
	printf("terms");
	for (size_t t = 0; t < N; t++)
		printf("\t%.3f", learnt[t]);
	printf("\nprogram\tblocks\texplained\n");
	for (size_t l = 0; l < n; l++) {
		printf("%s\t%zu\t%.1f\n", lessons[l].name, lessons[l].n,
		       explained(&lessons[l], learnt));
		free(lessons[l].rows);
	}
	free(lessons);
	return 0;
}
