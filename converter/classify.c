#include "converter/classify.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "converter/machine.h"
#include "converter/program.h"
#include "converter/truth.h"
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

static enum program_class class_of(const struct balance *block)
{
	double shadow = block->cycles - block->instructions;

	if (shadow - block->stalls > 2 * block->instructions)
		return PROGRAM_UNDER;
	if (block->stalls > shadow && block->stalls > block->cycles / 2)
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

			f->blocks[b].class = class_of(&block);
		}
		use_classes(f);
	}
	return true;
}

static uint64_t true_count(const struct program_function *f, size_t b,
			   struct truth *const *truths)
{
	return truth_executions(truths[f->binary], f->cfg.blocks[b].address);
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

static enum program_class oracle(double raw, double exact)
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
			f->blocks[b].class =
				oracle(f->blocks[b].raw * scale,
				       (double)true_count(f, b, truths));
		use_classes(f);
	}
}

struct classify_result classify_check(const struct program *p,
				      struct truth *const *truths)
{
	double scale = scale_to_truth(p, truths);
	struct classify_result sum = { 0 };

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			double exact = (double)true_count(f, b, truths);
			enum program_class is = f->blocks[b].class;
			enum program_class should =
				oracle(f->blocks[b].raw * scale, exact);

			sum.blocks += f->blocks[b].samples || exact > 0;
			sum.over += is == PROGRAM_OVER;
			sum.under += is == PROGRAM_UNDER;
			sum.true_over += should == PROGRAM_OVER;
			sum.true_under += should == PROGRAM_UNDER;
			sum.right_over += is == should && is == PROGRAM_OVER;
			sum.right_under += is == should && is == PROGRAM_UNDER;
		}
	}
	return sum;
}

const char *classify_name(enum program_class class)
{
	static const char *const names[] = { "trusted", "over", "under" };

	return names[class];
}
