#include "converter/count/classify.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "converter/count/machine.h"
#include "converter/count/program.h"
#include "converter/truth/truth.h"
#include "converter/count/weights.h"
#include "mcf/smooth.h"

/* Lowering against raising, as in GCC's mcf.c. */
static const double lowering = 50;

/* So that the price of the hottest block still is a whole number. */
static const double price_scale = 4096;

/* Of the class of an oracle: beyond this factor, a count is wrong. */
static const double tolerance = 1.25;

static int64_t whole(double price)
{
	return llround(fmin(fmax(price, 1), FLOW_PRICE_MAX / 4));
}

/* Levin's prices; b, the same for a whole function, falls out. */
static void set_prices(struct program_function *f)
{
	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		double price = price_scale / log(f->blocks[b].raw + 2);

		f->blocks[b].raise = whole(price);
		f->blocks[b].lower = whole(price * lowering);
	}
}

static void use_classes(struct program_function *f)
{
	int64_t most = 1;

	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		const struct program_block *block = &f->blocks[b];

		most = block->raise > most ? block->raise : most;
		most = block->lower > most ? block->lower : most;
	}
	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		struct program_block *block = &f->blocks[b];

		if (block->class == PROGRAM_TRUSTED)
			continue;
		block->raise = block->class == PROGRAM_OVER ? most : 1;
		block->lower = block->class == PROGRAM_OVER ? 1 : most;
	}
}

void classify_none(struct program *p)
{
	for (size_t i = 0; i < p->nfunctions; i++) {
		set_prices(&p->functions[i]);
		for (size_t b = 0; b < p->functions[i].cfg.nblocks; b++)
			p->functions[i].blocks[b].class = PROGRAM_TRUSTED;
	}
}

/* What the events of a block add up to, in cycles and instructions. */
struct balance {
	double instructions;
	double cycles;
	double stalls;
};

static struct balance balance_of(const struct program *p,
				 const struct machine *machine,
				 const struct program_function *f, size_t b)
{
	struct balance sum = { 0 };

	for (size_t e = 0; e < p->samples->nevents; e++) {
		const struct samples_event *event = &p->samples->events[e];
		double count = (double)program_event(p, f, b, e)->period;

		if (strcmp(event->role, "inst") == 0)
			sum.instructions += count;
		else if (strcmp(event->role, "cycles") == 0)
			sum.cycles += count;
		else if (machine)
			sum.stalls +=
				count * machine_stall(machine, event->name);
	}
	return sum;
}

/* The limits: of instructions and of cycles. */
static enum program_class class_of(const struct balance *block, double under,
				   double over)
{
	double shadow = block->cycles - block->instructions;

	if (shadow - block->stalls > under * block->instructions)
		return PROGRAM_UNDER;
	if (block->stalls > shadow && block->stalls > over * block->cycles)
		return PROGRAM_OVER;
	return PROGRAM_TRUSTED;
}

static bool has_role(const struct program *p, const char *role)
{
	for (size_t e = 0; e < p->samples->nevents; e++)
		if (strcmp(p->samples->events[e].role, role) == 0 &&
		    p->samples->events[e].samples)
			return true;
	return false;
}

bool classify_events(struct program *p, const struct machine *machine,
		     struct fdo_error *err)
{
	if (!has_role(p, "inst") || !has_role(p, "cycles"))
		return fdo_fail(err, "to tell over- from under-sampled blocks "
				     "takes samples of instructions and of "
				     "cycles");
	classify_none(p);
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			struct balance block = balance_of(p, machine, f, b);

			f->blocks[b].class = class_of(&block, 2, .5);
		}
		use_classes(f);
	}
	return true;
}

static double count_of(const struct program *p,
		       const struct program_function *f, size_t b,
		       const struct weights_event *event, bool by_samples)
{
	const struct samples_count *count =
		program_event(p, f, b, event->event);

	return by_samples ? count->samples : count->period;
}

void classify_by_weights(struct program *p, const struct weights *w)
{
	bool s = w->by_samples;

	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			struct program_block *block = &f->blocks[b];
			struct balance sum = {
				.instructions = count_of(p, f, b, &w->base, s),
				.cycles = count_of(p, f, b, &w->cycles, s),
			};
			double unit = 64 * f->cfg.blocks[b].ninstructions;

			for (size_t e = 0; e < w->nstalls; e++)
				sum.stalls +=
					w->stalls[e].weight *
					count_of(p, f, b, &w->stalls[e], s);
			block->class = class_of(&sum, w->under, w->over);
			block->raise =
				whole(unit * w->price[block->class].raise);
			block->lower =
				whole(unit * w->price[block->class].lower);
		}
	}
}

static uint64_t true_count(const struct program_function *f, size_t b,
			   struct truth *const *truths)
{
	return program_true_count(f, b, truths[f->binary]);
}

/* Raw counts times this are on the scale of the truth. */
static double scale_to_truth(const struct program *p,
			     struct truth *const *truths)
{
	double raw = 0, exact = 0;

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			double size = f->cfg.blocks[b].ninstructions;

			raw += f->blocks[b].raw * size;
			exact += (double)true_count(f, b, truths) * size;
		}
	}
	return raw > 0 ? exact / raw : 0;
}

enum program_class classify_oracle(double raw, double exact)
{
	if (raw > exact * tolerance)
		return PROGRAM_OVER;
	if (raw < exact / tolerance)
		return PROGRAM_UNDER;
	return PROGRAM_TRUSTED;
}

void classify_truth(struct program *p, struct truth *const *truths)
{
	double scale = scale_to_truth(p, truths);

	classify_none(p);
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++)
			f->blocks[b].class = classify_oracle(
				f->blocks[b].raw * scale,
				(double)true_count(f, b, truths));
		use_classes(f);
	}
}

static const char *const names[] = { "trusted", "over", "under" };

const char *classify_name(enum program_class class)
{
	return names[class];
}

bool classify_named(const char *name, enum program_class *ret)
{
	for (int class = 0; class <= PROGRAM_UNDER; class ++)
		if (strcmp(name, names[class]) == 0) {
			*ret = class;
			return true;
		}
	return false;
}
