/*
 * timing.c - the program as a graph that can be walked, and what the walk
 * says of its blocks.
 */
#include "converter/count/anchors.h"
#include "converter/count/timing.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/count/gather.h"
#include "converter/count/program.h"
#include "converter/count/shadow.h"
#include "converter/count/waits.h"
#include "converter/processor/cycles.h"
#include "converter/processor/redirect.h"
#include "converter/processor/walk.h"

struct timing {
	struct walk_graph graph; /* blocks of all functions in their order */
	uint32_t *first_block;	 /* of each function */
	double *still;		 /* the static cycles of each block */
	struct walk_tally *tally;
	bool lags; /* samples name the instruction after the one that waits */
	struct redirect_place *places; /* of one block: room for any */
	struct waits *waits;   /* NULL: there is nothing to learn from */
	struct shadow *shadow; /* NULL: there is nothing to see */
	size_t room_steps, room_ways;
};

/* A walk that met a block so often is as good as its static time. */
static const double few = 10;

/* As if a block had so many more samples, as the walk expects. */
static const double expected = 5;

void timing_static(struct program *p)
{
	struct decoder *d = decoder_new();

	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		f->insns = cycles_insns(&f->cfg, d);
		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			if (f->cfg.blocks[b].flags & CFG_HUB)
				continue; /* takes no time, has no samples */
			f->blocks[b].cycles =
				cycles_of_block(&f->cfg, f->insns, b);
			f->blocks[b].named =
				fmax(1, f->cfg.blocks[b].ninstructions);
		}
	}
	decoder_free(d);
	p->named = gather_named(p, "cycles");
}

bool timing_matters(const struct program *p)
{
	return program_has(p, "cycles");
}

/* And none of instructions, nor branch records? */
static bool is_all(const struct program *p)
{
	return timing_matters(p) && !program_has(p, "inst") &&
	       (!anchors_matter(p) || p->anchored_by_time);
}

static enum gather_named named(const struct program *p)
{
	return p->without & PROGRAM_LAG ? GATHER_ITSELF : p->named;
}

enum gather_named timing_named_by_timer(const struct program *p)
{
	return is_all(p) ? named(p) : GATHER_ITSELF;
}

/* The flags but the carry are mostly written together: one stands for all. */
static uint64_t fewer_flags(uint64_t set)
{
	const uint64_t flags = REG_BIT(REG_PF) | REG_BIT(REG_AF) |
			       REG_BIT(REG_ZF) | REG_BIT(REG_SF) |
			       REG_BIT(REG_OF);

	return set & flags ? (set & ~flags) | REG_BIT(REG_ZF) : set;
}

/* A load is done when it has loaded. */
static bool only_loads(const struct walk_step *step)
{
	return step->flags & WALK_LOADS && step->reads == 0 &&
	       !(step->writes & REG_BIT(REG_ZF)) && step->latency <= 1;
}

static struct walk_step make_step(const struct program_function *f, uint32_t i,
				  bool first)
{
	const struct insn *insn = &f->cfg.insns[i];
	const struct cycles_insn *timed = &f->insns[i];
	struct walk_step step = {
		.addresses = timed->addresses,
		.reads = fewer_flags(timed->reads),
		.writes = fewer_flags(timed->writes),
		.latency = timed->latency,
	};

	walk_list(&step);
	if (insn->class == INSN_NOP)
		return step;
	if (timed->loads)
		step.flags |= WALK_LOADS;
	if (insn->class == INSN_BRANCH && !first && insn[-1].fuses)
		step.flags |= WALK_FUSED;
	if (only_loads(&step))
		step.latency = 0;
	return step;
}

/* The block where a called function begins, or WALK_ELSEWHERE. */
static uint32_t callee(const struct timing *t, const struct program *p,
		       size_t binary, const struct cfg_call *call)
{
	size_t to = program_called(p, binary, call);

	return to < p->nfunctions
		       ? t->first_block[to] + p->functions[to].cfg.entry
		       : WALK_ELSEWHERE;
}

static void add_way(struct timing *t, uint32_t from, uint32_t to, bool taken)
{
	struct walk_graph *g = &t->graph;

	g->ways = fdo_grow(g->ways, g->nways, &t->room_ways, sizeof(*g->ways));
	g->ways[g->nways++] =
		(struct walk_way){ .from = from, .to = to, .taken = taken };
	g->blocks[from].nways++;
}

/* Edges of a block in their order, then its exit; exceptions are too rare. */
static void add_ways(struct timing *t, const struct program *p, size_t function,
		     uint32_t b)
{
	const struct program_function *f = &p->functions[function];
	const struct cfg_block *block = &f->cfg.blocks[b];
	uint32_t base = t->first_block[function], to = WALK_END;

	for (uint32_t e = 0; e < block->nedges; e++) {
		const struct cfg_edge *edge =
			&f->cfg.edges[block->first_edge + e];

		if (edge->kind != CFG_EXCEPTION)
			add_way(t, base + b, base + edge->to,
				edge->kind != CFG_FALL);
	}
	if (block->flags & CFG_RETURNS)
		to = WALK_RETURN;
	else if (block->flags & CFG_TAIL_CALL)
		to = WALK_ELSEWHERE;
	for (uint32_t c = 0; c < block->ncalls; c++) {
		const struct cfg_call *call =
			&f->cfg.calls[block->first_call + c];

		if (call->tail)
			to = callee(t, p, f->binary, call);
	}
	if (block->flags & CFG_EXITS)
		add_way(t, base + b, to, true);
}

static void mark_calls(struct timing *t, const struct program *p,
		       const struct program_function *f,
		       const struct cfg_block *block, struct walk_step *steps)
{
	for (uint32_t c = 0; c < block->ncalls; c++) {
		const struct cfg_call *call =
			&f->cfg.calls[block->first_call + c];
		struct walk_step *step = &steps[call->insn - block->first_insn];

		if (call->tail)
			continue;
		step->callee = callee(t, p, f->binary, call);
		step->flags |=
			step->callee < WALK_END ? WALK_CALLS : WALK_LEAVES;
	}
}

static void add_block(struct timing *t, const struct program *p,
		      size_t function, uint32_t b)
{
	const struct program_function *f = &p->functions[function];
	const struct cfg_block *from = &f->cfg.blocks[b];
	struct walk_graph *g = &t->graph;
	struct walk_block *block = &g->blocks[t->first_block[function] + b];
	uint32_t end = from->first_insn + from->ninsns;

	block->first_step = g->nsteps;
	block->nsteps = from->ninsns;
	block->first_way = g->nways;
	block->entry = t->first_block[function] + f->cfg.entry;
	block->indirect = from->flags & CFG_HUB ||
			  f->cfg.insns[end - 1].class == INSN_JUMP_INDIRECT;
	for (uint32_t i = from->first_insn; i < end; i++) {
		g->steps = fdo_grow(g->steps, g->nsteps, &t->room_steps,
				    sizeof(*g->steps));
		g->steps[g->nsteps++] = make_step(f, i, i == from->first_insn);
	}
	mark_calls(t, p, f, from, &g->steps[block->first_step]);
	add_ways(t, p, function, b);
}

struct timing *timing_new(const struct program *p)
{
	struct timing *t = fdo_alloc(1, sizeof(*t));

	t->first_block = fdo_alloc(p->nfunctions, sizeof(*t->first_block));
	for (size_t i = 0; i < p->nfunctions; i++) {
		t->first_block[i] = t->graph.nblocks;
		t->graph.nblocks += p->functions[i].cfg.nblocks;
	}
	t->graph.blocks =
		fdo_alloc(t->graph.nblocks, sizeof(struct walk_block));
	t->still = fdo_alloc(t->graph.nblocks, sizeof(*t->still));
	for (size_t i = 0; i < p->nfunctions; i++)
		for (uint32_t b = 0; b < p->functions[i].cfg.nblocks; b++) {
			t->still[t->first_block[i] + b] =
				p->functions[i].blocks[b].cycles;
			add_block(t, p, i, b);
		}
	t->places = fdo_alloc(t->graph.nsteps, sizeof(*t->places));
	t->tally = fdo_alloc(t->graph.nsteps, sizeof(*t->tally));
	if (shadow_matters(p))
		t->shadow = shadow_new(&t->graph);
	return t;
}

void timing_free(struct timing *t)
{
	if (!t)
		return;
	free(t->graph.blocks);
	free(t->graph.steps);
	free(t->graph.ways);
	free(t->first_block);
	free(t->still);
	free(t->tally);
	free(t->places);
	waits_free(t->waits);
	shadow_free(t->shadow);
	free(t);
}

/* The counts of a block and of its ways, in the order of add_ways(). */
static void set_flow(struct timing *t, const struct program_function *f,
		     uint32_t b, struct walk_block *to)
{
	const struct cfg_block *block = &f->cfg.blocks[b];
	struct walk_way *way = &t->graph.ways[to->first_way];
	double left = f->blocks[b].count;

	to->count = f->blocks[b].count;
	to->wanted = !f->minor &&
		     (f->blocks[b].count > 0 || f->blocks[b].samples > 0);
	for (uint32_t e = block->first_edge;
	     e < block->first_edge + block->nedges; e++) {
		left -= f->edges[e];
		if (f->cfg.edges[e].kind != CFG_EXCEPTION)
			(way++)->flow = f->edges[e];
	}
	if (block->flags & CFG_EXITS)
		way->flow = fmax(0, left);
}

/* Cycles of an execution of a step, as samples see it. */
static double step_cycles(const struct timing *t, uint32_t step)
{
	const struct walk_tally *tally = &t->tally[step];
	double cycles = t->lags ? tally->time.late : tally->time.own;

	return tally->executions ? cycles / tally->executions : 0;
}

/* Those of them that a mispredicted jump cost. */
static double redirected_cycles(const struct timing *t, uint32_t step)
{
	const struct walk_tally *tally = &t->tally[step];
	double cycles = t->lags ? tally->calm.late : tally->calm.own;

	if (tally->executions)
		cycles /= tally->executions;
	return fmax(0, step_cycles(t, step) - cycles);
}

/* What the walk says of a block; *times_ret: how often it was there. */
static double walked(const struct timing *t, const struct walk_block *block,
		     double *times_ret)
{
	double cycles = 0, times = 0;

	for (uint32_t s = 0; s < block->nsteps; s++) {
		times += t->tally[block->first_step + s].executions;
		cycles += step_cycles(t, block->first_step + s);
	}
	*times_ret = block->nsteps ? times / block->nsteps : 0;
	return cycles;
}

static double still_of(const struct timing *t, const struct walk_block *block)
{
	return t->still[block - t->graph.blocks];
}

/* How long the walk takes beside the static time, over the whole program. */
static double scale_of(const struct timing *t, const struct program *p)
{
	const struct walk_block *block = t->graph.blocks;
	double moved = 0, still = 0, times;

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++, block++) {
			double cycles = walked(t, block, &times);

			if (times < few)
				continue;
			moved += block->count * cycles;
			still += block->count * still_of(t, block);
		}
	}
	return moved > 0 && still > 0 ? moved / still : 1;
}

/* The walk's time for a block and the static one, each as far as it goes. */
static double mix(struct timing *t, const struct program *p,
		  const struct program_function *f, size_t b,
		  const struct walk_block *block, double scale)
{
	/* Of the static time: so that no place is without any. */
	static const double least = .03;
	const struct insn *insn = &f->cfg.insns[f->cfg.blocks[b].first_insn];
	double still = scale * still_of(t, block) / block->nsteps;
	double times, base = 0, redirected = 0;

	walked(t, block, &times);
	for (uint32_t i = 0; i < block->nsteps; i++) {
		uint32_t step = block->first_step + i;
		double more = redirected_cycles(t, step);
		double cycles = step_cycles(t, step) - more;
		struct redirect_place *place = &t->places[i];

		place->base = (cycles * times + still * few) / (times + few) +
			      least * still;
		place->redirected = more * times / (times + few);
		place->samples =
			f->blocks[b].samples
				? program_role_at(p, f, insn[i].address,
						  "cycles")
					  .samples
				: 0;
		base += place->base;
		redirected += place->redirected;
	}
	if (f->blocks[b].samples && !(p->without & PROGRAM_REDIRECT))
		redirected *=
			redirect_share(t->places, block->nsteps, expected);
	return base + redirected;
}

const struct walk_graph *timing_graph(struct timing *t, const struct program *p)
{
	struct walk_block *block = t->graph.blocks;

	for (size_t i = 0; i < p->nfunctions; i++)
		for (uint32_t b = 0; b < p->functions[i].cfg.nblocks; b++)
			set_flow(t, &p->functions[i], b, block++);
	return &t->graph;
}

/* Late samples that are not a timer's are none of those that lessons had. */
static void add_waits(struct timing *t, struct program *p)
{
	if ((t->lags && !is_all(p)) || !timing_matters(p) ||
	    p->without & PROGRAM_WAITS)
		return;
	if (!t->waits)
		t->waits = waits_new(p, named(p));
	waits_add(t->waits, p);
}

double timing_step(const struct timing *t, size_t step)
{
	return step_cycles(t, step);
}

void timing_walk(struct timing *t, struct program *p)
{
	struct walk_block *block;
	double scale;

	timing_graph(t, p);
	walk(&t->graph, &walk_default, t->tally,
	     t->shadow ? shadow_heads(t->shadow) : NULL);
	t->lags = named(p) != GATHER_ITSELF;
	scale = scale_of(t, p);
	block = t->graph.blocks;
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++, block++)
			if (block->nsteps)
				f->blocks[b].cycles =
					mix(t, p, f, b, block, scale);
	}
	add_waits(t, p);
	if (t->shadow)
		shadow_see(t->shadow, p);
}
