#include "converter/count/waits.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/count/program.h"
#include "converter/processor/cycles.h"

/*
 * By testsuite/bench/waits, and the first ones by figures/waits-itself.  The
 * flow has its say as well, so that it is best to go a part of the way only: on
 * bzip2, lua and mawk, a half to nine tenths are about as good.
 */
static const double learnt[][WAITS_TERMS] = {
	[GATHER_ITSELF] = { -1.085, -.402, .185, .471, .087, -.251, -.019,
			    .520 },
	[GATHER_NEXT] = { -2.072, -.801, .289, .681, .818, -.695, -.199 },
	[GATHER_LED] = { -2.165, -.328, .434, 1.499, .279, -.190, .029 },
};
static const double part_of_way = .7;

/* No block is so different as this. */
static const double most_ever = 1.5;

/*
 * What a call costs its callee, in cycles.  By testsuite/bench/accuracy on an
 * AMD EPYC, 1 to 3 and 3 to 6 are about as good.
 */
static const double call_cycles = 2, pointer_cycles = 4;

struct waits {
	enum gather_named named;
	struct waits_look *looks; /* blocks of all functions in their order */
	size_t *first;		  /* of each function */
	bool *called;		  /* by name; also of each function */
};

/* Samples of cycles in a block. */
struct tally {
	double all, most, first, last, after_loads;
	unsigned places_after_loads;
};

static struct tally count(const struct program *p,
			  const struct program_function *f, size_t b)
{
	const struct cfg_block *block = &f->cfg.blocks[b];
	bool sampled = f->blocks[b].samples > 0, after_load = false;
	struct tally t = { 0 };

	for (uint32_t i = 0; i < block->ninsns; i++) {
		const struct insn *insn = &f->cfg.insns[block->first_insn + i];
		double samples =
			sampled ? program_role_at(p, f, insn->address, "cycles")
					  .samples
				: 0;

		t.all += samples;
		t.most = fmax(t.most, samples);
		if (i == 0)
			t.first = samples;
		t.last = samples;
		if (after_load) {
			t.after_loads += samples;
			t.places_after_loads++;
		}
		after_load = f->insns[block->first_insn + i].loads;
	}
	return t;
}

/* As if there were two samples more, anywhere. */
static double share(double samples, double places, const struct tally *t,
		    double instructions)
{
	return (samples + 2 * places / instructions) / (t->all + 2);
}

static struct waits_look look(const struct program *p,
			      const struct program_function *f, size_t b)
{
	const struct cfg_block *block = &f->cfg.blocks[b];
	double k = block->ninstructions;
	struct tally t;

	if (k == 0)
		return (struct waits_look){ 0 };
	t = count(p, f, b);
	return (struct waits_look){
		.instructions = k,
		.term = { 1, 0, log(k), share(t.most, 1, &t, k),
			  share(t.after_loads, t.places_after_loads, &t, k),
			  share(t.last, 1, &t, k),
			  log((t.all - t.most + .5) / (t.all + 1)),
			  share(t.first, 1, &t, k) },
	};
}

static void find_called(struct waits *w, const struct program *p)
{
	w->called = fdo_alloc(p->nfunctions + 1, sizeof(*w->called));
	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t c = 0; c < f->cfg.ncalls; c++)
			w->called[program_called(p, f->binary,
						 &f->cfg.calls[c])] = true;
	}
}

struct waits *waits_new(const struct program *p, enum gather_named named)
{
	struct waits *w = fdo_alloc(1, sizeof(*w));
	size_t n = 0;

	w->named = named;
	find_called(w, p);
	w->first = fdo_alloc(p->nfunctions, sizeof(*w->first));
	for (size_t i = 0; i < p->nfunctions; i++) {
		w->first[i] = n;
		n += p->functions[i].cfg.nblocks;
	}
	w->looks = fdo_alloc(n, sizeof(*w->looks));
	for (size_t i = 0; i < p->nfunctions; i++)
		for (size_t b = 0; b < p->functions[i].cfg.nblocks; b++)
			w->looks[w->first[i] + b] =
				look(p, &p->functions[i], b);
	return w;
}

void waits_free(struct waits *w)
{
	if (!w)
		return;
	free(w->looks);
	free(w->first);
	free(w->called);
	free(w);
}

struct waits_look waits_look(const struct waits *w, size_t function,
			     size_t block, double cycles)
{
	struct waits_look ret = w->looks[w->first[function] + block];

	/* A block may take next to no time of its own. */
	if (ret.instructions > 0)
		ret.term[1] = log(cycles / ret.instructions + .05);
	return ret;
}

static double longer(const struct waits *w, const struct waits_look *look)
{
	double sum = 0;

	if (look->instructions == 0)
		return 1;
	for (size_t i = 0; i < WAITS_TERMS; i++)
		sum += learnt[w->named][i] * look->term[i];
	return exp(part_of_way * fmin(fmax(sum, -most_ever), most_ever));
}

void waits_add(const struct waits *w, struct program *p)
{
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			double *cycles = &f->blocks[b].cycles;
			struct waits_look look = waits_look(w, i, b, *cycles);

			*cycles *= longer(w, &look);
		}
		if (w->named != GATHER_ITSELF)
			f->blocks[f->cfg.entry].cycles +=
				w->called[i] ? call_cycles : pointer_cycles;
	}
}
