#include "converter/count/bursts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/binary/object.h"
#include "converter/count/outcomes.h"
#include "converter/count/program.h"

/*
 * Executions in one burst are alike: of a block, so many of them at most say as much as
 * independent ones.  2 is .1 worse with many bursts, and without a limit with few.
 */
static const double most_of_burst = 8;

/* Executions of the edges that leave a block as so many outcomes. */
static void tell_block(struct program_function *f, size_t b, double one)
{
	const struct cfg_block *block = &f->cfg.blocks[b];
	const double *passed = &f->anchors.edges[block->first_edge];
	double all = 0, part = 1 / one;

	/* What leaves the function is no edge. */
	if (block->nedges < 2 || block->flags & CFG_EXITS)
		return;
	for (size_t e = 0; e < block->nedges; e++)
		all += passed[e];
	if (all * part > most_of_burst * f->anchors.stacks[b])
		part = most_of_burst * f->anchors.stacks[b] / all;
	for (size_t e = 0; e < block->nedges; e++)
		f->outcomes.edges[block->first_edge + e] += passed[e] * part;
	f->outcomes.blocks[b] += all * part;
}

void bursts_tell(struct program *p)
{
	double one = p->anchored_executions / p->anchored_records;

	if (p->without & PROGRAM_OUTCOMES)
		return;
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		if (!f->anchors.edges)
			continue;
		outcomes_room(f);
		for (size_t b = 0; b < f->cfg.nblocks; b++)
			tell_block(f, b, one);
	}
	p->told_by_bursts = true;
}

/* As if of so few samples and bursts more nothing were known. */
static const double unknown = 2, unknown_begins = 3;

/* By number; that of all functions: elsewhere. */
struct strata {
	double *samples, *begins;
	size_t n;
};

/* Of all code, samples of cycles that one instruction gets. */
static double mean_time(const struct program *p)
{
	double samples = 0, instructions = 0;

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			samples += program_role(p, f, b, "cycles").samples;
			instructions += (double)f->blocks[b].count *
					f->cfg.blocks[b].ninstructions;
		}
	}
	return samples > 0 && instructions > 0 ? samples / instructions : 0;
}

/* Likewise of a block, as many times as the mean. */
static double time_of(const struct program *p, const struct program_function *f,
		      size_t b, double mean)
{
	double samples = program_role(p, f, b, "cycles").samples;
	double due = (double)f->blocks[b].count *
		     f->cfg.blocks[b].ninstructions * mean;

	return (samples + unknown) / (due + unknown);
}

/* The number of the function at an offset, or that of all. */
static size_t function_at(const struct program *p, size_t binary,
			  uint64_t offset, uint64_t *address)
{
	const struct object *object = p->binaries[binary].object;
	const struct object_function *symbol;

	if (!object_address(object, offset, address))
		return p->nfunctions;
	symbol = object_whole_function_at(object, *address);
	return symbol ? program_callee(p, binary, symbol->address)
		      : p->nfunctions;
}

/* What a pass is of one block. */
struct piece {
	size_t function, block;
	unsigned instructions;
};

/* A burst, of one object. */
struct burst_pieces {
	struct piece *all;
	size_t n, room;
};

/* Instructions from one address to another, with both. */
static unsigned between(const struct cfg *cfg, size_t block, uint64_t from,
			uint64_t to)
{
	const struct cfg_block *b = &cfg->blocks[block];
	unsigned n = 0;

	for (uint32_t i = 0; i < b->ninsns; i++) {
		uint64_t address = cfg->insns[b->first_insn + i].address;

		n += address >= from && address <= to;
	}
	return n;
}

static void add_pieces(const struct program *p, size_t binary,
		       const struct samples_pass *pass,
		       struct burst_pieces *ret)
{
	const struct cfg *cfg;
	uint64_t from, to;
	size_t i = function_at(p, binary, pass->from, &from);

	if (pass->begin || i == p->nfunctions ||
	    !object_address(p->binaries[binary].object, pass->to, &to))
		return;
	cfg = &p->functions[i].cfg;
	while (from <= to) {
		size_t b = cfg_block_at(cfg, from);

		if (b == CFG_NO_BLOCK)
			return;
		ret->all = fdo_grow(ret->all, ret->n, &ret->room,
				    sizeof(*ret->all));
		ret->all[ret->n++] =
			(struct piece){ i, b, between(cfg, b, from, to) };
		from = cfg->blocks[b].address + cfg->blocks[b].size;
	}
}

/* The next burst's passes: from there up to the returned one. */
static size_t end_of_burst(const struct samples_object *o, size_t from)
{
	size_t to = from;

	while (to < o->npasses && o->passes[to].burst == o->passes[from].burst)
		to++;
	return to;
}

/* Where a burst began, if that is in this object. */
static size_t begins_in(const struct program *p, size_t binary,
			const struct samples_pass *first)
{
	uint64_t address;

	return first->begin ? function_at(p, binary, first->from, &address)
			    : p->nfunctions;
}

/* Samples of cycles, wherever they are. */
static double all_cycles(const struct program *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->samples->nevents; i++)
		if (strcmp(p->samples->events[i].role, "cycles") == 0)
			sum += p->samples->events[i].samples;
	return sum;
}

static void count_begins(const struct program *p, struct strata *s)
{
	for (size_t i = 0; i < p->nbinaries; i++) {
		const struct samples_object *o = p->binaries[i].samples;

		for (size_t j = 0; o && j < o->npasses; j = end_of_burst(o, j))
			s->begins[begins_in(p, i, &o->passes[j])] +=
				o->passes_part;
	}
}

static struct strata find_strata(const struct program *p)
{
	struct strata s = { .n = p->nfunctions };
	double samples = 0, begins = 0;

	s.samples = fdo_alloc(s.n + 1, sizeof(*s.samples));
	s.begins = fdo_alloc(s.n + 1, sizeof(*s.begins));
	count_begins(p, &s);
	for (size_t i = 0; i < s.n; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++)
			s.samples[i] += program_role(p, f, b, "cycles").samples;
		samples += s.samples[i];
		begins += s.begins[i];
	}
	/* Bursts that were elsewhere all the time are in no object here. */
	s.samples[s.n] = fmax(all_cycles(p) - samples, 0);
	s.begins[s.n] = fmax(p->samples->totals.stacks.bursts - begins, 0);
	return s;
}

/* So many times as many ought to begin there. */
static double factor_of(const struct strata *s, size_t i, double part)
{
	return (s->samples[i] * part + unknown_begins) /
	       (s->begins[i] + unknown_begins);
}

/* Of each block of a function, how often bursts were there. */
struct seen {
	double *once, *weighted; /* NULLs: never */
};

/* Of all of them. */
struct weighing {
	struct program *p;
	struct strata strata;
	struct seen *seen; /* of each function */
	double mean;	   /* mean_time() */
	double part;	   /* bursts for a sample of cycles */
};

/* How often a burst counts; 0: nothing is known of where it was. */
static double weight_of(const struct weighing *w, const struct burst_pieces *b,
			size_t begin)
{
	double instructions = 0, time = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct piece *piece = &b->all[i];

		instructions += piece->instructions;
		time += piece->instructions *
			time_of(w->p, &w->p->functions[piece->function],
				piece->block, w->mean);
	}
	return time > 0 ? factor_of(&w->strata, begin, w->part) * instructions /
				  time
			: 0;
}

static void see(struct weighing *w, const struct piece *piece, double times,
		double weight)
{
	struct program_function *f = &w->p->functions[piece->function];
	struct seen *seen = &w->seen[piece->function];

	if (!seen->once) {
		seen->once = fdo_alloc(f->cfg.nblocks, sizeof(double));
		seen->weighted = fdo_alloc(f->cfg.nblocks, sizeof(double));
	}
	seen->once[piece->block] += times;
	seen->weighted[piece->block] += times * weight;
	f->anchors.passed += piece->instructions * times * weight;
}

static void see_all(struct weighing *w, size_t binary)
{
	const struct samples_object *o = w->p->binaries[binary].samples;
	struct burst_pieces burst = { 0 };

	for (size_t from = 0, to; o && from < o->npasses; from = to) {
		double weight;

		to = end_of_burst(o, from);
		burst.n = 0;
		for (size_t i = from; i < to; i++)
			add_pieces(w->p, binary, &o->passes[i], &burst);
		weight = weight_of(w, &burst,
				   begins_in(w->p, binary, &o->passes[from]));
		for (size_t i = 0; i < burst.n && weight > 0; i++)
			see(w, &burst.all[i], o->passes_part, weight);
	}
	free(burst.all);
}

/*
 * What records say of blocks and of the edges that leave them, as often as
 * bursts count there beside the rest of the function.
 */
static void spread(struct program_function *f, const struct seen *seen)
{
	const struct cfg *cfg = &f->cfg;
	double once = 0, weighted = 0;

	for (size_t b = 0; seen->once && b < cfg->nblocks; b++) {
		once += seen->once[b] * cfg->blocks[b].ninstructions;
		weighted += seen->weighted[b] * cfg->blocks[b].ninstructions;
	}
	for (size_t b = 0; once > 0 && f->anchors.blocks && b < cfg->nblocks;
	     b++) {
		const struct cfg_block *block = &cfg->blocks[b];
		double mean = weighted / once;
		double ratio = (seen->weighted[b] / mean + unknown) /
			       (seen->once[b] + unknown);

		f->anchors.blocks[b] *= ratio;
		for (size_t e = 0; e < block->nedges; e++)
			f->anchors.edges[block->first_edge + e] *= ratio;
	}
}

void bursts_weigh(struct program *p)
{
	struct weighing w = { .p = p, .mean = mean_time(p) };

	if (w.mean <= 0)
		return;
	w.part = p->samples->totals.stacks.bursts / all_cycles(p);
	w.strata = find_strata(p);
	w.seen = fdo_alloc(p->nfunctions, sizeof(*w.seen));
	for (size_t i = 0; i < p->nbinaries; i++)
		see_all(&w, i);
	for (size_t i = 0; i < p->nfunctions; i++) {
		spread(&p->functions[i], &w.seen[i]);
		free(w.seen[i].once);
		free(w.seen[i].weighted);
	}
	free(w.seen);
	free(w.strata.samples);
	free(w.strata.begins);
}
