#include "converter/count/credit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/count/anchors.h"
#include "converter/count/program.h"
#include "converter/count/timing.h"
#include "converter/processor/head.h"
#include "converter/processor/walk.h"

/* Samples of instructions for each block that has any samples. */
static const double enough = 5;

/* Where the counts predict less than that share of a sample, it is that. */
static const double least_sample = .3;

/* No instruction has so many times the samples that are expected. */
static const double most_ratio = 20;

/*
 * The first guess, as a part of what the samples of instructions say: beside
 * those of cycles, and alone.
 */
static const double prior = .3, prior_alone = 1;

/* How much of an instruction's time is the walk's, without samples of cycles. */
static const double by_walk = .75;

/* With them, it says as much as so many for each block that has any samples. */
static const double as_samples = 2;

/* Blocks whose samples mostly leave known code are left alone. */
static const double least_known = .05;

static const unsigned skids[] = { 0, 3, 6, 10, 15, 20, 25, 30, 40, 60, 80 };
enum { SKIDS = sizeof(skids) / sizeof(skids[0]) };

/* Of all steps of the graph, in its order. */
struct credit {
	const struct walk_graph *g;
	double *cycles;	   /* as counted */
	double *inst;	   /* likewise, of instructions */
	double *predicted; /* inst by the counts */
	double all_cycles, all_inst;
	double sample; /* instructions that a sample of them stands for */
	uint64_t samples, cycle_samples; /* of instructions, of cycles */
	uint64_t blocks;		 /* that have samples */
};

static void add_step(struct credit *c, const struct program *p,
		     const struct samples_count *counts, size_t step)
{
	for (size_t e = 0; counts && e < p->samples->nevents; e++) {
		const char *role = p->samples->events[e].role;

		if (strcmp(role, "inst") == 0) {
			c->inst[step] += counts[e].period;
			c->all_inst += counts[e].period;
			c->samples += counts[e].samples;
		} else if (strcmp(role, "cycles") == 0) {
			c->cycles[step] += counts[e].period;
			c->all_cycles += counts[e].period;
			c->cycle_samples += counts[e].samples;
		}
	}
}

static void add_function(struct credit *c, const struct program *p,
			 const struct program_function *f, size_t *step)
{
	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		const struct cfg_block *block = &f->cfg.blocks[b];

		c->blocks += f->blocks[b].samples > 0;
		for (uint32_t i = 0; i < block->ninsns; i++, (*step)++) {
			const struct insn *insn =
				&f->cfg.insns[block->first_insn + i];

			if (f->blocks[b].samples)
				add_step(c, p,
					 program_samples_at(p, f,
							    insn->address),
					 *step);
		}
	}
}

/* What the walk says of all steps; returns the sum. */
static double walk_cycles(const struct credit *c, const struct timing *t,
			  double *cycles)
{
	const struct walk_graph *g = c->g;
	double sum = 0;

	for (size_t b = 0; b < g->nblocks; b++) {
		const struct walk_block *block = &g->blocks[b];

		for (uint32_t s = block->first_step;
		     s < block->first_step + block->nsteps; s++) {
			cycles[s] = block->count * timing_step(t, s);
			sum += cycles[s];
		}
	}
	return sum;
}

/*
 * Cycles as samples and the walk have them.  Without samples of cycles, what is
 * named for long takes long.
 */
static void mix_cycles(struct credit *c, const struct timing *t)
{
	double *walked = fdo_alloc(c->g->nsteps, sizeof(*walked)), part;
	double all_walked = walk_cycles(c, t, walked), all = c->all_cycles;
	double blocks = as_samples * c->blocks;
	const double *seen = c->cycles;

	part = blocks / (blocks + c->cycle_samples);
	if (all == 0) {
		part = by_walk;
		seen = c->inst;
		all = c->all_inst;
		c->all_cycles = all_walked;
	}
	for (size_t s = 0; all_walked > 0 && all > 0 && s < c->g->nsteps; s++)
		c->cycles[s] = c->all_cycles * (part * walked[s] / all_walked +
						(1 - part) * seen[s] / all);
	free(walked);
}

static struct credit *credit_new(const struct program *p, struct timing *t)
{
	const struct walk_graph *g = timing_graph(t, p);
	struct credit *c = fdo_alloc(1, sizeof(*c));
	size_t step = 0;

	c->g = g;
	c->cycles = fdo_alloc(g->nsteps, sizeof(*c->cycles));
	c->inst = fdo_alloc(g->nsteps, sizeof(*c->inst));
	for (size_t i = 0; i < p->nfunctions; i++)
		add_function(c, p, &p->functions[i], &step);
	mix_cycles(c, t);
	c->sample = c->samples ? c->all_inst / c->samples : 0;
	return c;
}

static void credit_free(struct credit *c)
{
	free(c->cycles);
	free(c->inst);
	free(c->predicted);
	free(c);
}

/* Likelihood of the samples; some lie anywhere, as the cycles do. */
static double likelihood(const struct credit *c, const double *predicted)
{
	double sum = 0, all = 0;

	for (size_t s = 0; s < c->g->nsteps; s++)
		all += predicted[s];
	for (size_t s = 0; all > 0 && s < c->g->nsteps; s++)
		if (c->inst[s] > 0)
			sum += c->inst[s] *
			       log(.95 * predicted[s] / all +
				   .05 * (c->cycles[s] / c->all_cycles) + 1e-9);
	return all > 0 ? sum : -INFINITY;
}

/* What precise samples of instructions are likely to be: each names its own. */
static double likelihood_of_precise(const struct credit *c)
{
	double *predicted = fdo_alloc(c->g->nsteps, sizeof(*predicted)), fit;

	for (size_t b = 0; b < c->g->nblocks; b++) {
		const struct walk_block *block = &c->g->blocks[b];

		for (uint32_t s = 0; s < block->nsteps; s++)
			predicted[block->first_step + s] = block->count;
	}
	fit = likelihood(c, predicted);
	free(predicted);
	return fit;
}

/* Which skid fits best, with what it predicts; the first one if none does. */
static size_t find_skid(struct credit *c, struct head *head)
{
	double *predicted[SKIDS], best = likelihood_of_precise(c);
	size_t at = 0;

	for (size_t i = 0; i < SKIDS; i++)
		predicted[i] = fdo_alloc(c->g->nsteps, sizeof(double));
	head_forward(head, skids, SKIDS, predicted);
	for (size_t i = 0; i < SKIDS; i++) {
		double fit = likelihood(c, predicted[i]);

		if (fit > best) {
			best = fit;
			at = i;
		}
	}
	for (size_t i = 0; i < SKIDS; i++)
		if (i == at)
			c->predicted = predicted[i];
		else
			free(predicted[i]);
	return at;
}

/* How many times what is predicted lies where a step's samples come to lie. */
static void find_factors(struct credit *c, struct head *head, unsigned skid,
			 double *factors)
{
	size_t n = c->g->nsteps;
	double *ratio = fdo_alloc(n, sizeof(*ratio));
	double *known = fdo_alloc(n, sizeof(*known));

	for (size_t s = 0; s < n; s++) {
		double least = least_sample * c->sample;

		ratio[s] = fmin(most_ratio,
				c->inst[s] / fmax(c->predicted[s], least));
	}
	head_backward(head, skid, ratio, factors, known);
	for (uint32_t b = 0; b < c->g->nblocks; b++) {
		const struct walk_block *block = &c->g->blocks[b];
		double sum = 0, all = 0, factor = 1;

		for (uint32_t s = block->first_step;
		     s < block->first_step + block->nsteps; s++) {
			sum += factors[s];
			all += known[s];
		}
		if (all > least_known * block->nsteps)
			factor = fmin(fmax(sum / all, .05), 20);
		for (uint32_t s = block->first_step;
		     s < block->first_step + block->nsteps; s++)
			factors[s] = factor;
	}
	free(known);
	free(ratio);
}

static void use_factors(struct program *p, const struct credit *c,
			const double *factors)
{
	double part = program_has(p, "cycles") ? prior : prior_alone;
	const struct walk_block *block = c->g->blocks;

	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++, block++) {
			double factor = 1;

			if (block->nsteps)
				factor = factors[block->first_step];
			f->blocks[b].raw = (block->count * factor +
					    part * f->blocks[b].raw) /
					   (1 + part);
		}
	}
}

bool credit_matters(const struct program *p)
{
	return program_has(p, "inst") && !anchors_matter(p) &&
	       !(p->without & PROGRAM_CREDIT) &&
	       (program_has(p, "cycles") || !(p->without & PROGRAM_WALK));
}

struct credit_result credit(struct program *p, struct timing *t)
{
	struct credit_result result = { false };
	struct credit *c = credit_new(p, t);
	struct head_load load = { .cycles = c->cycles };
	double *factors = fdo_alloc(c->g->nsteps, sizeof(*factors));
	struct head *head;
	size_t at;

	if (c->all_cycles > 0 && c->samples > enough * c->blocks) {
		load.ipc = c->all_inst / c->all_cycles;
		head = head_new(c->g, &load);
		at = find_skid(c, head);
		if (skids[at] > 0) {
			find_factors(c, head, skids[at], factors);
			use_factors(p, c, factors);
			result = (struct credit_result){ true, skids[at] };
		}
		head_free(head);
	}
	free(factors);
	credit_free(c);
	return result;
}
