#include "converter/count/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "converter/count/anchors.h"
#include "converter/count/gather.h"
#include "converter/count/outcomes.h"
#include "converter/count/program.h"
#include "converter/count/weights.h"

/* Whom a block calls. */
enum callee { CALLS_NOBODY, CALLS_BY_NAME, CALLS_BY_POINTER, CALLEES };

static enum callee callee_of(const struct cfg *cfg, size_t block)
{
	const struct cfg_block *b = &cfg->blocks[block];
	enum callee ret = CALLS_NOBODY;

	for (uint32_t i = 0; i < b->ncalls; i++) {
		const struct cfg_call *call = &cfg->calls[b->first_call + i];

		if (call->tail)
			continue;
		if (call->external || call->indirect)
			return CALLS_BY_POINTER;
		ret = CALLS_BY_NAME;
	}
	return ret;
}

/* What the blocks of a program say together of one role. */
struct role {
	const char *name;
	double period;	      /* mean, of one sample */
	double executed;      /* instructions, by this role alone */
	double all;	      /* likewise, with samples that do not count */
	bool gathers;	      /* some samples do not count */
	double seen[CALLEES]; /* of what blocks take that call */
	double share;	      /* of it in the mean */
};

static double instructions(const struct cfg_block *block)
{
	return block->ninstructions ? block->ninstructions : 1;
}

static bool is_inst(const struct role *role)
{
	return strcmp(role->name, "inst") == 0;
}

/* In units of the event, for one execution of a block, wherever it is seen. */
static double cost(const struct role *role, const struct program_function *f,
		   size_t block)
{
	return is_inst(role) ? f->blocks[block].named : f->blocks[block].cycles;
}

/* Likewise, what its own samples see of it. */
static double price(const struct role *role, const struct program_function *f,
		    size_t block)
{
	return cost(role, f, block) * role->seen[callee_of(&f->cfg, block)];
}

/* Events of a role in a block that count. */
static double earned(const struct program *p, const struct program_function *f,
		     size_t b, const struct role *role)
{
	double period = program_role(p, f, b, role->name).period;

	if (role->gathers && period > 0)
		period *= gather_share(p, f, b, role->name);
	return period;
}

static void survey(const struct program *p, struct role *role)
{
	struct samples_count sum = { 0 };

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			struct samples_count here =
				program_role(p, f, b, role->name);

			sum.samples += here.samples;
			sum.period += here.period;
			if (!here.period)
				continue;
			role->all += here.period / price(role, f, b) *
				     instructions(&f->cfg.blocks[b]);
			role->executed += earned(p, f, b, role) /
					  price(role, f, b) *
					  instructions(&f->cfg.blocks[b]);
		}
	}
	role->period = sum.samples ? (double)sum.period / sum.samples : 0;
}

double estimate_size(double instructions)
{
	return pow(instructions, 1.3);
}

/* A block of one instruction says little, a long one says much. */
static double weight_of(const struct program *p,
			const struct program_function *f, size_t b)
{
	return p->without & PROGRAM_SIZE
		       ? 1
		       : estimate_size(instructions(&f->cfg.blocks[b]));
}

/* A hub, which nobody measures: one sample stands for what it does before it. */
static void estimate_hub(struct program_function *f, size_t b)
{
	const struct cfg_block *shape = &f->cfg.blocks[b];
	struct program_block *block = &f->blocks[b];
	double sum = 0;

	for (uint32_t i = 0; i < shape->nin; i++) {
		uint32_t e = f->cfg.in[shape->first_in + i];

		sum += f->blocks[f->cfg.edges[e].from].unit;
	}
	block->raw = block->spread = 0;
	block->unit = sum / shape->nin;
	block->weight = 1;
}

static void estimate_block(const struct program *p, struct program_function *f,
			   size_t b, const struct role *roles, size_t nroles)
{
	struct program_block *block = &f->blocks[b];
	double least = INFINITY, most = 0;

	block->raw = 0;
	block->unit = 0;
	for (size_t r = 0; r < nroles; r++) {
		double one = price(&roles[r], f, b);
		/* All roles say the same of the program as a whole. */
		double scale = roles[0].all / roles[r].executed;
		double alone = earned(p, f, b, &roles[r]) / one * scale;

		block->raw += alone * roles[r].share;
		least = fmin(least, alone);
		most = fmax(most, alone);
		block->unit += roles[r].period / one * scale * roles[r].share;
	}
	/* Where branch records are all there is, nothing can differ. */
	block->spread = nroles ? (most - least) / 2 : 0;
	block->weight = weight_of(p, f, b);
}

/* Where outcomes tell of branches, credit alone does better (credit.h). */
static bool gathers(const struct program *p, const struct role *role)
{
	return is_inst(role) && !(p->without & PROGRAM_GATHER) &&
	       (program_has(p, "cycles") || !outcomes_matter(p)) &&
	       gather_happens(p, role->name);
}

/* As if so many samples more were as they should. */
static const double SAMPLES_AS_USUAL = 100;

/* No less is believed: counts follow samples, and less would be seen each time. */
static const double LEAST_SEEN = .6;

/*
 * Of what a block takes that calls, some is seen in what it calls, where samples come
 * late, or name what waits.  How much, the counts so far tell, by how many samples all such
 * blocks have beside those that call nobody.  Cycles that are where they belong tell
 * nothing of it.
 */
static void find_seen(const struct program *p, struct role *role)
{
	double samples[CALLEES] = { 0 }, predicted[CALLEES] = { 0 }, usual;

	for (size_t c = 0; c < CALLEES; c++)
		role->seen[c] = 1;
	if (p->without & PROGRAM_CALLERS ||
	    (!is_inst(role) && p->named == GATHER_ITSELF))
		return;
	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			enum callee c = callee_of(&f->cfg, b);

			samples[c] += (double)program_role(p, f, b, role->name)
					      .samples;
			predicted[c] +=
				(double)f->blocks[b].count * cost(role, f, b);
		}
	}
	if (samples[CALLS_NOBODY] <= 0 || predicted[CALLS_NOBODY] <= 0)
		return;
	usual = samples[CALLS_NOBODY] / predicted[CALLS_NOBODY];
	for (size_t c = CALLS_BY_NAME; c < CALLEES; c++) {
		double part = (samples[c] + SAMPLES_AS_USUAL) /
			      (predicted[c] * usual + SAMPLES_AS_USUAL);

		role->seen[c] = fmax(LEAST_SEEN, fmin(1, part));
	}
}

bool estimate(struct program *p, bool base, struct fdo_error *err)
{
	struct role roles[2] = { { .name = "inst" }, { .name = "cycles" } };
	size_t n = 0;

	for (size_t r = 0; r < 2 && !(base && n); r++) {
		roles[r].gathers = !base && gathers(p, &roles[r]);
		find_seen(p, &roles[r]);
		survey(p, &roles[r]);
		if (roles[r].executed > 0)
			roles[n++] = roles[r];
	}
	if (n == 0 && (base || !anchors_matter(p)))
		return fdo_fail(err, "no sample in the binary's code is of an "
				     "event that counts instructions or "
				     "cycles (--event ROLE=NAME says which "
				     "does)");
	p->measures = n ? n : 1; /* records of branches are one */
	roles[0].share = n == 2 ? p->inst : 1;
	roles[1].share = 1 - roles[0].share;
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++)
			if (f->cfg.blocks[b].flags & CFG_HUB)
				estimate_hub(f, b);
			else
				estimate_block(p, f, b, roles, n);
	}
	if (!base)
		anchors_weigh(p);
	return true;
}

/* Of a program, as weights need it. */
struct densities {
	double *all;	     /* samples of each event */
	double instructions; /* of all blocks, once each */
	double base;	     /* of the base event: its period */
};

static struct densities densities_new(const struct program *p,
				      const struct weights *w)
{
	struct densities d = { fdo_alloc(p->samples->nevents, sizeof(*d.all)) };

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			d.instructions += f->cfg.blocks[b].ninstructions;
			d.base += program_event(p, f, b, w->base.event)->period;
			for (size_t e = 0; e < p->samples->nevents; e++)
				d.all[e] += program_event(p, f, b, e)->samples;
		}
	}
	return d;
}

static void weigh(const struct program *p, struct program_function *f, size_t b,
		  const struct weights *w, const struct densities *d)
{
	const struct weights_event base = { .weight = 1,
					    .event = w->base.event };
	const struct weights_event *events = w->alone ? &base : w->events;
	size_t n = w->alone ? 1 : w->nevents;
	struct program_block *block = &f->blocks[b];
	double scale = d->instructions / instructions(&f->cfg.blocks[b]);

	block->raw = block->unit = block->spread = 0;
	for (size_t i = 0; i < n; i++) {
		size_t e = events[i].event;

		if (d->all[e] == 0)
			continue;
		block->raw += events[i].weight *
			      program_event(p, f, b, e)->samples * scale /
			      d->all[e];
		block->unit += fabs(events[i].weight) * scale / d->all[e];
	}
	block->raw = fmax(0, block->raw);
	block->weight = weight_of(p, f, b);
}

void estimate_by_weights(struct program *p, const struct weights *w)
{
	struct densities d = densities_new(p, w);
	double sum = 0;

	p->measures = 1;
	for (size_t i = 0; i < p->nfunctions; i++)
		for (size_t b = 0; b < p->functions[i].cfg.nblocks; b++) {
			struct program_function *f = &p->functions[i];

			weigh(p, f, b, w, &d);
			sum += f->blocks[b].raw *
			       instructions(&f->cfg.blocks[b]);
		}
	for (size_t i = 0; sum > 0 && i < p->nfunctions; i++)
		for (size_t b = 0; b < p->functions[i].cfg.nblocks; b++) {
			p->functions[i].blocks[b].raw *= d.base / sum;
			p->functions[i].blocks[b].unit *= d.base / sum;
		}
	free(d.all);
}

void estimate_known(struct program *p)
{
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			f->blocks[b].unit = 1;
			f->blocks[b].weight = weight_of(p, f, b);
		}
	}
}

/* Samples that a role has, and those that the counts predict, unscaled. */
struct match {
	double samples, predicted;
};

static struct match match_block(const struct program *p,
				const struct program_function *f, size_t b,
				const struct role *role)
{
	return (struct match){
		.samples = program_role(p, f, b, role->name).samples,
		.predicted = f->blocks[b].count * price(role, f, b),
	};
}

/* Of a block: no less is predicted than a twentieth of what there is. */
static double deviance(struct match m, double scale)
{
	double mean = fmax(m.predicted * scale, .05 * m.samples + .001);
	double log_ratio = m.samples > 0 ? log(m.samples / mean) : 0;

	return 2 * (mean - m.samples + m.samples * log_ratio);
}

double estimate_misfit(const struct program *p)
{
	struct role roles[2] = { { .name = "inst" }, { .name = "cycles" } };
	double misfit = 0, samples = 0;

	for (size_t r = 0; r < 2; r++) {
		struct match sum = { 0 };

		find_seen(p, &roles[r]);
		for (size_t i = 0; i < p->nfunctions; i++)
			for (size_t b = 0; b < p->functions[i].cfg.nblocks;
			     b++) {
				struct match m = match_block(
					p, &p->functions[i], b, &roles[r]);

				sum.samples += m.samples;
				sum.predicted += m.predicted;
			}
		samples += sum.samples;
		for (size_t i = 0; sum.predicted > 0 && i < p->nfunctions; i++)
			for (size_t b = 0; b < p->functions[i].cfg.nblocks; b++)
				misfit += deviance(match_block(p,
							       &p->functions[i],
							       b, &roles[r]),
						   sum.samples / sum.predicted);
	}
	return samples > 0 ? misfit / samples : NAN;
}
