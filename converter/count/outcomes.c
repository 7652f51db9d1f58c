/*
 * outcomes.c - the operands of a function are found when the first of its
 * samples comes, and are kept until all are read: none of them is.
 */
#include "converter/count/outcomes.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "converter/binary/object.h"
#include "converter/count/arms.h"
#include "converter/count/chain.h"
#include "converter/graph/graphs.h"
#include "converter/count/looks.h"
#include "converter/count/program.h"
#include "converter/count/timing.h"
#include "converter/graph/cfg.h"
#include "converter/graph/outcome.h"
#include "converter/perf/samples.h"

_Static_assert((int)PERFDATA_FLAGS == (int)REG_R15 + 1,
	       "registers are numbered alike");

/*
 * Of what was told, that it is the address of who was called: in place of its
 * highest bit, which all addresses have like the next one.
 */
static const uint64_t is_target = UINT64_C(1) << 63;

/* A function that has samples with registers. */
struct watched {
	const struct cfg *cfg; /* NULL: nothing can be told */
	struct insn_operands *operands;
};

struct outcomes {
	const struct program *program;
	struct decoder *decoder;
	struct fdo_map *numbers; /* object_function to 1 + its number */
	struct watched *watched;
	size_t n, room;
};

bool outcomes_matter(const struct program *p)
{
	return !(p->without & PROGRAM_OUTCOMES) && p->samples &&
	       (p->samples->totals.told > 0 || p->told_by_bursts);
}

struct outcomes *outcomes_new(const struct program *p)
{
	struct outcomes *o = fdo_alloc(1, sizeof(*o));

	o->program = p;
	o->decoder = decoder_new();
	o->numbers = fdo_map_new();
	return o;
}

void outcomes_free(struct outcomes *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->n; i++)
		free(o->watched[i].operands);
	free(o->watched);
	fdo_map_free(o->numbers);
	decoder_free(o->decoder);
	free(o);
}

static void watch(struct outcomes *o, struct graphs *graphs,
		  const struct object_function *f)
{
	const struct cfg *cfg = graphs_find(graphs, f);
	struct watched *w;

	o->watched = fdo_grow(o->watched, o->n, &o->room, sizeof(*w));
	w = &o->watched[o->n++];
	*w = (struct watched){ .cfg = cfg };
	if (!cfg)
		return;
	w->operands = fdo_alloc(cfg->ninsns, sizeof(*w->operands));
	for (size_t i = 0; i < cfg->ninsns; i++)
		decode_operands(o->decoder, cfg_bytes(cfg, &cfg->insns[i]),
				&cfg->insns[i], &w->operands[i]);
}

static const struct watched *watched_at(struct outcomes *o,
					const struct program_binary *binary,
					uint64_t address)
{
	const struct object_function *f =
		object_whole_function_at(binary->object, address);
	uint64_t *number;

	if (!f)
		return NULL;
	number = fdo_map_at(o->numbers, (uintptr_t)f);
	if (!*number) {
		watch(o, binary->graphs, f);
		*number = o->n;
	}
	return &o->watched[*number - 1];
}

/* The instruction of a graph that begins at an address. */
static bool find_insn(const struct cfg *cfg, uint64_t address, uint32_t *ret)
{
	size_t block = cfg_block_at(cfg, address);
	const struct insn *insn =
		block == CFG_NO_BLOCK ? NULL : cfg_insn_at(cfg, block, address);

	if (!insn)
		return false;
	*ret = insn - cfg->insns;
	return true;
}

static struct outcome_state state_of(const struct object *object,
				     const struct perfdata_sample *sample,
				     uint64_t address)
{
	struct outcome_state state = { .object = object,
				       .load = sample->ip - address };

	for (int i = 0; i < PERFDATA_REGISTERS; i++) {
		state.known |= sample->known & 1u << i;
		state.registers[i] = sample->registers[i];
	}
	/* Pushes are not said to write it. */
	state.known &= ~REG_BIT(REG_RSP);
	if (sample->known >> PERFDATA_FLAGS & 1)
		outcome_set_flags(&state, sample->registers[PERFDATA_FLAGS]);
	return state;
}

static uint64_t number_of(const struct cfg *cfg, const struct outcome *o)
{
	bool leaves = o->edge == cfg->blocks[o->block].nedges;

	return o->call || (leaves && o->target) ? is_target | o->target
						: o->edge;
}

static size_t tell(struct outcomes *o, const struct program_binary *binary,
		   uint64_t offset, const struct perfdata_sample *sample,
		   struct samples_outcome *ret)
{
	struct outcome found[SAMPLES_TOLD];
	struct outcome_state state;
	const struct watched *w;
	uint64_t address;
	uint32_t insn;
	size_t n, known = 0;

	if (!object_address(binary->object, offset, &address))
		return 0;
	w = watched_at(o, binary, address);
	if (!w || !w->cfg || !find_insn(w->cfg, address, &insn))
		return 0;
	state = state_of(binary->object, sample, address);
	n = outcome_follow(w->cfg, w->operands, insn, &state, SAMPLES_TOLD,
			   found);
	for (size_t i = 0; i < n; i++) {
		ret[known].outcome = number_of(w->cfg, &found[i]);
		known += object_offset(binary->object, found[i].address,
				       &ret[known].offset);
	}
	return known;
}

size_t outcomes_tell(void *outcomes, const char *path,
		     const struct fdo_build_id *build_id, uint64_t offset,
		     const struct perfdata_sample *sample,
		     struct samples_outcome *ret)
{
	struct outcomes *o = outcomes;
	const struct program *p = o->program;

	for (size_t i = 0; i < p->nbinaries; i++)
		if (program_may_be(p, i, path, build_id))
			return tell(o, &p->binaries[i], offset, sample, ret);
	return 0;
}

/* Samples of one kind that tell how a block was left, and how many. */
struct told {
	const struct samples_value *values;
	size_t n;
	double samples;
};

static struct told told_at(const struct program_binary *binary, uint64_t offset,
			   uint8_t kind)
{
	struct told told = { NULL };

	told.values = samples_values_at(binary->samples, offset, kind, &told.n);
	for (size_t i = 0; i < told.n; i++)
		told.samples += told.values[i].samples;
	return told;
}

/*
 * Instructions are sampled where many retire, which is more on one way than on
 * the other: their outcomes are wrong by more than those in time.  Both as if
 * errors were as of so many outcomes at most, what one of the others counts.
 */
static const double most_timed = 150, most_other = 30;

static double share_of_other(const struct program *p, const struct told *timed,
			     const struct told *other)
{
	if (!program_has(p, "cycles"))
		return 1;
	return fmin(1, (1 + timed->samples / most_timed) /
			       (1 + other->samples / most_other));
}

static void add_told(struct program_function *f, size_t b,
		     const struct told *told, double share)
{
	const struct cfg_block *block = &f->cfg.blocks[b];

	for (size_t i = 0; i < told->n; i++) {
		const struct samples_value *value = &told->values[i];

		if (value->other || (value->value > block->nedges &&
				     !(value->value & is_target)))
			continue;
		f->outcomes.blocks[b] += share * value->samples;
		if (value->value < block->nedges)
			f->outcomes.edges[block->first_edge + value->value] +=
				share * value->samples;
	}
}

static void add_block(const struct program *p, struct program_function *f,
		      size_t b)
{
	const struct program_binary *binary = &p->binaries[f->binary];
	const struct insn *last = cfg_last_insn(&f->cfg, b);
	struct told timed, other;
	uint64_t offset;

	if (last->class == INSN_CALL_INDIRECT || last->conditional ||
	    !object_offset(binary->object, last->address, &offset))
		return;
	timed = told_at(binary, offset, SAMPLES_OUTCOME);
	other = told_at(binary, offset, SAMPLES_OUTCOME_OTHER);
	b = cfg_switch_of(&f->cfg, b);
	add_told(f, b, &timed, 1);
	add_told(f, b, &other, share_of_other(p, &timed, &other));
}

/* Of all samples: those of one kind are behind those of the other. */
struct outcomes_called outcomes_called(const struct program *p,
				       const struct program_function *f,
				       uint32_t insn)
{
	const struct program_binary *binary = &p->binaries[f->binary];
	struct told timed, other;
	uint64_t offset;

	if (!binary->samples ||
	    !object_offset(binary->object, f->cfg.insns[insn].address, &offset))
		return (struct outcomes_called){ 0 };
	timed = told_at(binary, offset, SAMPLES_OUTCOME);
	other = told_at(binary, offset, SAMPLES_OUTCOME_OTHER);
	return (struct outcomes_called){
		.values = timed.values,
		.n = timed.n + other.n,
		.samples = timed.samples + other.samples,
	};
}

bool outcomes_condition(const struct program *p,
			const struct program_function *f, uint32_t insn,
			double *ret)
{
	static const double few = 8;
	struct outcomes_called told = outcomes_called(p, f, insn);
	double hold = 0, fail = 0;

	for (size_t i = 0; i < told.n; i++)
		if (!told.values[i].other && told.values[i].value == 1)
			hold += (double)told.values[i].samples;
		else if (!told.values[i].other && told.values[i].value == 0)
			fail += (double)told.values[i].samples;
	*ret = hold / (hold + fail);
	return hold + fail >= few;
}

bool outcomes_callee(const struct samples_value *value, uint64_t *address_ret)
{
	*address_ret = (uint64_t)((int64_t)(value->value << 1) >> 1);
	return !value->other && value->value & is_target;
}

void outcomes_room(struct program_function *f)
{
	if (f->outcomes.blocks)
		return;
	f->outcomes = (struct outcomes_counts){
		.edges = fdo_alloc(f->cfg.nedges + 1, sizeof(double)),
		.blocks = fdo_alloc(f->cfg.nblocks, sizeof(double)),
		.expected = fdo_alloc(f->cfg.nedges + 1, sizeof(double)),
		.looked = fdo_alloc(f->cfg.nblocks, sizeof(double)),
	};
}

void outcomes_add(const struct program *p, struct program_function *f,
		  const struct decoder *d)
{
	const struct program_binary *binary = &p->binaries[f->binary];
	bool told = !(p->without & PROGRAM_OUTCOMES) && binary->samples &&
		    binary->samples->nvalues;
	bool looks = !(p->without & PROGRAM_LOOKS) && looks_matter(f);

	if (!told && !looks)
		return;
	outcomes_room(f);
	for (size_t b = 0; told && b < f->cfg.nblocks; b++)
		if (!(f->cfg.blocks[b].flags & CFG_HUB))
			add_block(p, f, b);
	if (looks)
		f->outcomes.looks = looks_new(&f->cfg, d);
}

/* As if so many more outcomes for each way were as the counts so far have it. */
static const double before_each = 2;

/*
 * How far to go from the counts so far to those that follow from the outcomes.
 * These are biased by how long each way waits, and errors add up in loops; but
 * a timer's samples say least of how often blocks run.
 */
static const double part_of_way = .02, part_of_way_by_timer = .1;

/*
 * As if all branches had so many outcomes, as they are expected: what is known
 * of arms, and else the counts so far.  From 1 to 4 are about as good.
 */
static const double by_arms = 2;

static double before(const struct program_function *f, size_t b)
{
	return before_each * f->cfg.blocks[b].nedges;
}

static void find_likely(const struct program_function *f, double *likely)
{
	for (size_t b = 0; b < f->cfg.nblocks; b++)
		f->outcomes.looked[b] = looks_tell(f, b);
	for (size_t e = 0; e < f->cfg.nedges; e++) {
		uint32_t b = f->cfg.edges[e].from;
		double count = f->blocks[b].count;
		double so_far = count > 0 ? f->edges[e] / count
					  : 1. / f->cfg.blocks[b].nedges;

		likely[e] = f->outcomes.edges[e] + before(f, b) * so_far;
		if (f->outcomes.looked[b] > 0)
			likely[e] +=
				f->outcomes.looked[b] * f->outcomes.looks[e];
		likely[e] /= f->outcomes.blocks[b] + f->outcomes.looked[b] +
			     before(f, b);
	}
}

/* What samples at the arms of branches say as well. */
static void ask_arms(const struct program *p, struct program_function *f,
		     double surplus, double *likely)
{
	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		const struct cfg_block *block = &f->cfg.blocks[b];
		double known = f->outcomes.blocks[b] + before(f, b);
		double *ways = &likely[block->first_edge];
		struct arms arms;

		if (!arms_look(p, f, b, ways[0], surplus, &arms))
			continue;
		ways[0] = (ways[0] * known + arms.likely * arms.samples) /
			  (known + arms.samples);
		ways[1] = 1 - ways[0];
	}
}

/* What comes to each block from outside, by the counts so far. */
static void find_entered(const struct program_function *f, double *entered)
{
	const struct cfg *cfg = &f->cfg;
	double sum = 0;

	for (size_t b = 0; b < cfg->nblocks; b++) {
		const struct cfg_block *block = &cfg->blocks[b];
		double inside = 0;

		for (uint32_t i = 0; i < block->nin; i++)
			inside += f->edges[cfg->in[block->first_in + i]];
		entered[b] = fmax(0, f->blocks[b].count - inside);
		sum += entered[b];
	}
	if (sum == 0)
		entered[cfg->entry] = 1;
}

/* From executions in any unit to what explains all samples, or 0. */
static double scale_of(const struct program_function *f, const double *counts)
{
	double samples = 0, predicted = 0;

	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		const struct program_block *block = &f->blocks[b];

		if (block->unit <= 0 || f->cfg.blocks[b].flags & CFG_HUB)
			continue;
		samples += block->raw / block->unit;
		predicted += counts[b] / block->unit;
	}
	return predicted > 0 && isfinite(predicted) ? samples / predicted : 0;
}

/* From the counts so far a part of the way to others. */
static double between(double so_far, double other, double part)
{
	return so_far > 0 && other > 0 ? so_far * pow(other / so_far, part)
				       : so_far;
}

static void expect(const struct program *p, struct program_function *f,
		   double part, const double *surplus)
{
	double *likely = fdo_alloc(f->cfg.nedges + 1, sizeof(*likely));
	double *entered = fdo_alloc(f->cfg.nblocks, sizeof(*entered));
	double *counts = fdo_alloc(f->cfg.nblocks, sizeof(*counts)), scale;

	find_likely(f, likely);
	f->outcomes.by_arms = surplus ? by_arms : 0;
	if (surplus)
		ask_arms(p, f, *surplus, likely);
	find_entered(f, entered);
	chain_solve(&f->cfg, likely, entered, counts);
	scale = scale_of(f, counts);
	for (size_t e = 0; e < f->cfg.nedges; e++) {
		uint32_t b = f->cfg.edges[e].from;

		f->outcomes.expected[e] =
			likely[e] *
			between(f->blocks[b].count, counts[b] * scale, part);
	}
	free(counts);
	free(entered);
	free(likely);
}

/* surplus: that of arms, if these are asked as well. */
static bool expect_all(struct program *p, const double *surplus)
{
	double part = timing_named_by_timer(p) == GATHER_ITSELF
			      ? part_of_way
			      : part_of_way_by_timer;
	bool any = false;

	for (size_t i = 0; i < p->nfunctions; i++) {
		if (!p->functions[i].outcomes.blocks)
			continue;
		expect(p, &p->functions[i], part, surplus);
		any = true;
	}
	return any;
}

bool outcomes_expect(struct program *p)
{
	return expect_all(p, NULL);
}

bool outcomes_expect_by_arms(struct program *p)
{
	double surplus;

	if (timing_named_by_timer(p) != GATHER_LED || !outcomes_matter(p))
		return false;
	surplus = arms_surplus(p);
	return expect_all(p, &surplus);
}

double outcomes_of(const struct program_function *f, uint32_t block)
{
	double known = f->outcomes.blocks[block] + f->outcomes.looked[block];

	return f->cfg.blocks[block].nedges == 2 ? known + f->outcomes.by_arms
						: known;
}

void outcomes_clear(struct outcomes_counts *counts)
{
	free(counts->edges);
	free(counts->blocks);
	free(counts->expected);
	free(counts->looks);
	free(counts->looked);
}
