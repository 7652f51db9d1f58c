/*
 * classes.c - a search over a grid, one number after the other.
 *
 * What an event costs is searched for as the share of all cycles that it
 * would explain, so that the grid fits however rare the event is and however
 * it was sampled; and the limit of the under-sampled as a multiple of the
 * mean cycles of an instruction.
 */
#include "svr-train/classes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/perf/events.h"
#include "svr-train/role.h"
#include "svr-train/table.h"
#include "svr-train/training.h"

static const double shares[] = { 0,   0.0001, 0.001, 0.01, 0.02, 0.05,
				 0.1, 0.2,    0.3,   0.5,  0.8 };
static const double ratios[] = { 0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 11, 16 };
static const double overs[] = { 0.5, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.9 };
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#define PAPER_UNDER 2
#define PAPER_OVER  0.5

/*
 * A block counts as wrong if its density is off by more than this part of the
 * true one.
 */
#define WRONG 0.25

/* A row as the rules see it. */
struct block {
	double inst, cycles;
	double weight;	      /* share of the program's executed instructions */
	double raw, truth;    /* densities, for all instructions of the block */
	enum class_kind kind; /* in truth */
	const double *samples;
};

struct blocks {
	struct block *array;
	size_t n;
	const struct role *roles;
	size_t nevents;
};

static enum class_kind true_kind(double raw, double truth)
{
	if (raw > (1 + WRONG) * truth)
		return CLASS_OVER;
	return raw < (1 - WRONG) * truth ? CLASS_UNDER : CLASS_TRUSTED;
}

static struct block block_of(const struct training *t, size_t i,
			     const struct role *roles, size_t inst,
			     size_t cycles)
{
	const double *samples = tables_samples(t->tables, i);
	double raw = training_x(t, i)[inst];

	return (struct block){
		.inst = samples[inst] * roles[inst].period,
		.cycles = samples[cycles] * roles[cycles].period,
		.weight = fmax(raw, t->y[i]) * t->instructions[i],
		.raw = raw * t->instructions[i],
		.truth = t->y[i] * t->instructions[i],
		.kind = true_kind(raw, t->y[i]),
		.samples = samples,
	};
}

/* Blocks with samples, of one program or of all the others. */
static struct blocks blocks_new(const struct training *t,
				const struct classes *c,
				const struct role *roles, size_t program,
				bool others)
{
	struct blocks b = { fdo_alloc(t->nrows, sizeof(*b.array)), 0, roles,
			    t->nevents };

	for (size_t i = 0; i < t->nrows; i++)
		if (t->sampled[i] && (t->program[i] == program) != others)
			b.array[b.n++] =
				block_of(t, i, roles, c->inst, c->cycles);
	return b;
}

static double stalled(const struct blocks *b, const double *stall, size_t i)
{
	double sum = 0;

	for (size_t e = 0; e < b->nevents; e++)
		if (stall[e] > 0)
			sum += stall[e] * b->array[i].samples[e] *
			       b->roles[e].period;
	return sum;
}

static bool is_in(const struct block *b, double a, enum class_kind kind,
		  double limit)
{
	if (kind == CLASS_UNDER)
		return b->cycles - b->inst - a > limit * b->inst;
	return a > b->cycles - b->inst && a > limit * b->cycles;
}

/* Sums of weights, from which scores are made. */
struct tally {
	double hit, said, is;
};

static void tally(const struct blocks *b, const double *stall,
		  enum class_kind kind, double limit, struct tally *sum)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct block *block = &b->array[i];
		bool said = is_in(block, stalled(b, stall, i), kind, limit);
		bool is = block->kind == kind;

		sum->said += said * block->weight;
		sum->is += is * block->weight;
		sum->hit += (said && is) * block->weight;
	}
}

static struct class_score score_of(struct tally sum)
{
	struct class_score ret = { 0 };

	ret.precision = sum.said > 0 ? sum.hit / sum.said : 0;
	ret.recall = sum.is > 0 ? sum.hit / sum.is : 0;
	if (sum.hit > 0)
		ret.f1 = 2 * sum.hit / (sum.said + sum.is);
	return ret;
}

static double f1(const struct blocks *b, const double *stall,
		 enum class_kind kind, double limit)
{
	struct tally sum = { 0 };

	tally(b, stall, kind, limit, &sum);
	return score_of(sum).f1;
}

/* What the file says, so that what is scored is what will be used. */
static double rounded(double x)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3g", x);
	return strtod(text, NULL);
}

static double sum_events(const struct blocks *b, size_t event)
{
	double sum = 0;

	for (size_t i = 0; i < b->n; i++)
		sum += b->array[i].samples[event] * b->roles[event].period;
	return sum;
}

static double best_under(const struct blocks *b, const struct classes *c,
			 double *limit)
{
	double mean = sum_events(b, c->cycles) / sum_events(b, c->inst);
	double best = f1(b, c->stall, CLASS_UNDER, PAPER_UNDER);

	*limit = PAPER_UNDER;
	for (size_t i = 0; i < LENGTH(ratios); i++) {
		double f, at = rounded(mean * ratios[i] - 1);

		if (at > EVENT_LIMIT_MOST)
			break;
		f = f1(b, c->stall, CLASS_UNDER, at);
		if (f > best) {
			best = f;
			*limit = at;
		}
	}
	return best;
}

static double best_over(const struct blocks *b, const struct classes *c,
			double *limit)
{
	double best = -1;

	for (size_t i = 0; i < LENGTH(overs); i++) {
		double f = f1(b, c->stall, CLASS_OVER, overs[i]);

		if (f > best) {
			best = f;
			*limit = overs[i];
		}
	}
	return best;
}

static double best_limits(const struct blocks *b, struct classes *c)
{
	return best_under(b, c, &c->under) + best_over(b, c, &c->over);
}

/* With a period, events are counted, and none stalls for longer. */
static bool is_possible(const struct blocks *b, size_t event, double cost)
{
	enum { LONGEST = 1000 };

	return cost <=
	       (b->roles[event].period == 1 ? EVENT_STALL_MOST : LONGEST);
}

/* The best cost of one event while the others keep theirs. */
static void tune_stall(const struct blocks *b, struct classes *c, size_t event)
{
	double total = sum_events(b, event), best = -1, at = 0;

	if (total <= 0)
		return;
	for (size_t i = 0; i < LENGTH(shares); i++) {
		double f, cost = rounded(shares[i] * sum_events(b, c->cycles) /
					 total);

		if (!is_possible(b, event, cost))
			break;
		c->stall[event] = cost;
		f = best_limits(b, c);
		if (f > best) {
			best = f;
			at = cost;
		}
	}
	c->stall[event] = at;
}

static void tune(const struct blocks *b, struct classes *c)
{
	enum { ROUNDS = 2 };

	for (size_t e = 0; e < b->nevents; e++)
		c->stall[e] = 0;
	for (int round = 0; round < ROUNDS; round++)
		for (size_t e = 0; e < b->nevents; e++)
			if (b->roles[e].kind == ROLE_STALL)
				tune_stall(b, c, e);
	best_limits(b, c);
}

static void score(const struct blocks *b, const double *stall, double under,
		  double over, struct class_score *ret)
{
	struct tally sums[CLASSES] = { { 0 } };

	tally(b, stall, CLASS_UNDER, under, &sums[CLASS_UNDER]);
	tally(b, stall, CLASS_OVER, over, &sums[CLASS_OVER]);
	ret[CLASS_UNDER] = score_of(sums[CLASS_UNDER]);
	ret[CLASS_OVER] = score_of(sums[CLASS_OVER]);
}

/* The paper's rules look first for those that have too few. */
static enum class_kind classify(const struct blocks *b, const struct classes *c,
				size_t i)
{
	double a = stalled(b, c->stall, i);

	if (is_in(&b->array[i], a, CLASS_UNDER, c->under))
		return CLASS_UNDER;
	return is_in(&b->array[i], a, CLASS_OVER, c->over) ? CLASS_OVER
							   : CLASS_TRUSTED;
}

/* How far the truth is above and below, as a part of what was measured. */
static void find_price(const struct blocks *b, struct classes *c,
		       enum class_kind kind)
{
	enum { BLOCKS = 5 }; /* from which something can be said */
	double above = 0, below = 0, raw = 0, root;
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct block *block = &b->array[i];

		if (classify(b, c, i) != kind)
			continue;
		n++;
		raw += block->raw;
		above += fmax(block->truth - block->raw, 0);
		below += fmax(block->raw - block->truth, 0);
	}
	c->price[kind].raise = c->price[kind].lower = 0;
	if (n < BLOCKS || raw <= 0)
		return;
	above = fmin(fmax(above / raw, 0.001), 1000);
	below = fmin(fmax(below / raw, 0.001), 1000);
	root = sqrt(above * below);
	c->price[kind].raise = 1 / (above + root);
	c->price[kind].lower = 1 / (below + root);
}

static double clamp_price(double price, double least)
{
	return rounded(fmin(price / least, 1000));
}

/* A class of which there are none has the prices of the trusted. */
static void find_prices(const struct blocks *b, struct classes *c)
{
	double least = INFINITY;

	for (int kind = 0; kind < CLASSES; kind++) {
		find_price(b, c, kind);
		if (c->price[kind].raise == 0)
			c->price[kind] = c->price[CLASS_TRUSTED];
		if (c->price[kind].raise > 0)
			least = fmin(least, fmin(c->price[kind].raise,
						 c->price[kind].lower));
	}
	for (int kind = 0; kind < CLASSES; kind++) {
		if (c->price[kind].raise == 0) {
			c->price[kind].raise = c->price[kind].lower = 1;
			continue;
		}
		c->price[kind].raise = clamp_price(c->price[kind].raise, least);
		c->price[kind].lower = clamp_price(c->price[kind].lower, least);
	}
}

/* One program after the other with what was tuned on the rest. */
static void score_others(const struct training *t, const struct classes *c,
			 const struct role *roles, struct class_score *ret)
{
	struct classes tuned = *c;
	struct tally sums[CLASSES] = { { 0 } };

	tuned.stall = fdo_alloc(t->nevents, sizeof(double));
	for (size_t p = 0; p < t->nprograms; p++) {
		struct blocks rest = blocks_new(t, c, roles, p, true);
		struct blocks own = blocks_new(t, c, roles, p, false);

		if (rest.n > 0) {
			tune(&rest, &tuned);
			tally(&own, tuned.stall, CLASS_UNDER, tuned.under,
			      &sums[CLASS_UNDER]);
			tally(&own, tuned.stall, CLASS_OVER, tuned.over,
			      &sums[CLASS_OVER]);
		}
		free(rest.array);
		free(own.array);
	}
	free(tuned.stall);
	ret[CLASS_UNDER] = score_of(sums[CLASS_UNDER]);
	ret[CLASS_OVER] = score_of(sums[CLASS_OVER]);
}

struct classes classes_train(const struct training *t, const struct role *roles,
			     size_t base)
{
	struct classes c = { .inst = base, .cycles = t->nevents };
	struct blocks b;

	for (size_t e = t->nevents; e-- > 0;)
		if (roles[e].kind == ROLE_CYCLES)
			c.cycles = e;
	c.known = roles[base].kind == ROLE_INST && c.cycles < t->nevents;
	c.stall = fdo_alloc(t->nevents, sizeof(double));
	if (!c.known)
		return c;
	b = blocks_new(t, &c, roles, t->nprograms, true);
	tune(&b, &c);
	score(&b, c.stall, c.under, c.over, c.tuned);
	score(&b, c.stall, PAPER_UNDER, PAPER_OVER, c.paper);
	find_prices(&b, &c);
	free(b.array);
	if (t->nprograms > 1)
		score_others(t, &c, roles, c.others);
	return c;
}

void classes_deinit(struct classes *c)
{
	free(c->stall);
	c->stall = NULL;
}

const char *class_name(enum class_kind kind)
{
	static const char *const names[] = { "trusted", "over", "under" };

	return names[kind];
}
