#include "converter/estimate.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "converter/program.h"

/* Samples of all events that have one role, in a block. */
static struct samples_count by_role(const struct program *p,
				    const struct program_function *f,
				    size_t block, const char *role)
{
	struct samples_count sum = { 0 };

	for (size_t e = 0; e < p->samples->nevents; e++) {
		const struct samples_count *count;

		if (strcmp(p->samples->events[e].role, role) != 0)
			continue;
		count = program_event(p, f, block, e);
		sum.samples += count->samples;
		sum.period += count->period;
	}
	return sum;
}

/* What the blocks of a program say together of one role. */
struct role {
	const char *name;
	double period;	 /* mean, of one sample */
	double executed; /* instructions, by this role alone */
};

static double instructions(const struct cfg_block *block)
{
	return block->ninstructions ? block->ninstructions : 1;
}

static bool is_inst(const struct role *role)
{
	return strcmp(role->name, "inst") == 0;
}

/* In units of the event, for one execution of a block. */
static double price(const struct role *role, const struct program_function *f,
		    size_t block)
{
	return is_inst(role) ? instructions(&f->cfg.blocks[block])
			     : f->blocks[block].cycles;
}

static void survey(const struct program *p, struct role *role)
{
	struct samples_count sum = { 0 };

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			struct samples_count here =
				by_role(p, f, b, role->name);

			sum.samples += here.samples;
			sum.period += here.period;
			if (here.period)
				role->executed +=
					here.period / price(role, f, b) *
					instructions(&f->cfg.blocks[b]);
		}
	}
	role->period = sum.samples ? (double)sum.period / sum.samples : 0;
}

static void estimate_block(const struct program *p, struct program_function *f,
			   size_t b, const struct role *roles, size_t nroles)
{
	struct program_block *block = &f->blocks[b];

	block->raw = 0;
	block->unit = 0;
	for (size_t r = 0; r < nroles; r++) {
		double cost = price(&roles[r], f, b);
		/* All roles say the same of the program as a whole. */
		double scale = roles[0].executed / roles[r].executed / nroles;

		block->raw +=
			by_role(p, f, b, roles[r].name).period / cost * scale;
		block->unit += roles[r].period / cost * scale;
	}
	/* A block of one instruction says little, a long one says much. */
	block->weight = pow(instructions(&f->cfg.blocks[b]), 1.3);
}

bool estimate(struct program *p, bool base, struct fdo_error *err)
{
	struct role roles[2] = { { .name = "inst" }, { .name = "cycles" } };
	size_t n = 0;

	for (size_t r = 0; r < 2 && !(base && n); r++) {
		survey(p, &roles[r]);
		if (roles[r].executed > 0)
			roles[n++] = roles[r];
	}
	if (n == 0)
		return fdo_fail(err, "no sample in the binary's code is of an "
				     "event that counts instructions or "
				     "cycles (--event ROLE=NAME says which "
				     "does)");
	for (size_t i = 0; i < p->nfunctions; i++)
		for (size_t b = 0; b < p->functions[i].cfg.nblocks; b++)
			estimate_block(p, &p->functions[i], b, roles, n);
	return true;
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
		.samples = by_role(p, f, b, role->name).samples,
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
	return samples > 0 ? misfit / samples : 0;
}
