/*
 * prepass.c - one flow problem for each function, and calls between them.
 *
 * Flow counts are executions, halved until the largest fits the solver.
 */
#include "converter/count/prepass.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/progress.h"
#include "converter/count/calls.h"
#include "converter/count/estimate.h"
#include "converter/count/program.h"
#include "converter/count/unseen.h"
#include "mcf/smooth.h"
#include "mcf/span.h"

/* Room for what flow piles up where the measured counts say less. */
#define LARGEST ((double)((int64_t)1 << 34))

/* What nobody measured, but expects, is cut to this. */
#define MOST ((double)FLOW_MAX / 16)

/* Of a block with one instruction, at a factor e away from its count. */
enum { PRICE = 64 };

/* Seldom taken: noise alone had better not explain itself by it. */
enum { EXCEPTION_PRICE = PRICE };

/*
 * How much of what can be seen is error; see set_error().  Found on bzip2, lua
 * and mawk, so that 68 % of what they execute is within one error of the truth:
 * on samples of one event, on those of two, and where branch records tell
 * (testsuite/bench/figures/errors).
 */
static const double error_moved = .43, error_spread = .85, error_rest = .17,
		    error_spill = .085;

/* The part of these that is left where two events measured. */
static const double error_both = .54;

/* The part of these that is left where branch records tell. */
static const double error_anchored = .015;

/*
 * Of bursts, which are wrong about functions as a whole; found on all programs
 * of testsuite/bench/accuracy but two.
 */
static const double error_of_bursts = .9;

/*
 * Of outcomes, beside a block of one instruction; half of that where they are
 * few.  24 and 48 are nearly as good.  Of instructions alone they are wrong by
 * more.  Two events say more of blocks than one does: 6 to 12 are as good then, but
 * for those of bursts, which are as good as with instructions alone.
 */
static const double weight_of_outcomes = 32, weight_by_instructions = 16,
		    weight_beside_two = 8;
static const double few_outcomes = 2;

/*
 * Of leaving where a call does not return and nothing was sampled, beside such a
 * block.  5 and 50 are as good.
 */
static const double weight_of_ends = 10;

/* Of a call that no sample of the callee says anything of. */
enum { CALL_PRICE = 1000 * PRICE };

/*
 * Of blocks that run more often than the flow has it (graph/trips.h): what is wrong of
 * their time is so in all rounds.  .33 and .5 are nearly as good, 0 and 1 are not.  But
 * of a loop within, how often it goes round is what its time says.
 */
static const double say_of_rounds = .4;

/* Prices of calls that change by less are not followed. */
#define IDLE .01

static double scale_of(const struct program *p)
{
	double most = 0, scale = 1;

	for (size_t i = 0; i < p->nfunctions; i++)
		for (size_t b = 0; b < p->functions[i].cfg.nblocks; b++)
			most = fmax(most, p->functions[i].blocks[b].raw);
	while (most * scale > LARGEST)
		scale /= 2;
	return scale;
}

/*
 * longer: by so much a block is longer, with what it calls, than by itself.  times:
 * it runs so often for each execution in the flow (trips.h).
 */
static void block_cost(struct flow_cost *cost,
		       const struct program_block *block, double longer,
		       double scale, double times, double say, unsigned without)
{
	int64_t count = llround(block->raw * scale / times);
	int64_t floor = llround(fmax(1, block->unit * scale / longer / times));
	double weight = fmin(PRICE * block->weight * estimate_size(longer) *
				     pow(times, say),
			     FLOW_PRICE_MAX / 16);

	if (block->raise)
		flow_cost_linear(cost, count, block->lower, block->raise);
	else if (without & PROGRAM_LIKELIHOOD)
		flow_cost_linear(cost, count, llround(weight), llround(weight));
	else
		flow_cost_kl(cost, count, floor, llround(weight));
}

static void add_block(struct flow_graph *g, const struct program_function *f,
		      size_t block, double unseen, double scale,
		      unsigned without)
{
	const struct cfg_block *shape = &f->cfg.blocks[block];
	unsigned b = flow_add_block(g);
	struct flow_cost cost;

	if (shape->ninstructions == 0)
		return; /* nothing can be sampled there: unknown */
	block_cost(&cost, &f->blocks[block], 1 + unseen / shape->ninstructions,
		   scale, trips_block(&f->trips, block),
		   trips_within(&f->trips, block) ? 1 : say_of_rounds, without);
	flow_set_block_cost(g, b, &cost);
}

/* What branch records say of an edge is as good as of its block. */
static void anchor_edge(struct flow_graph *g, unsigned e,
			const struct program_function *f, double scale)
{
	const struct program_block *from = &f->blocks[f->cfg.edges[e].from];
	double times = trips_edge(&f->trips, e);
	struct flow_cost cost;

	scale /= times;
	flow_cost_kl(&cost,
		     llround(f->anchors.edges[e] * f->anchors_scale * scale),
		     llround(fmax(1, from->unit * scale)),
		     llround(PRICE * from->weight * times));
	flow_set_edge_cost(g, e, &cost);
}

/* How an edge is expected to run, the more so the more outcomes say it. */
static void outcome_edge(struct flow_graph *g, unsigned e,
			 const struct program_function *f, double scale,
			 double weight)
{
	uint32_t b = f->cfg.edges[e].from;
	double n = outcomes_of(f, b), one, times = trips_edge(&f->trips, e);
	struct flow_cost cost;

	if (n == 0 || f->blocks[b].count == 0)
		return;
	scale /= times;
	/* Samples that name other blocks tell of it, too. */
	one = fmin(f->blocks[b].unit, f->blocks[b].count / n);
	flow_cost_kl(&cost,
		     llround(fmin(f->outcomes.expected[e] * scale, MOST)),
		     llround(fmax(1, one * scale)),
		     llround(PRICE * weight * times * n / (n + few_outcomes)));
	flow_set_edge_cost(g, e, &cost);
}

static double weight_of(const struct program *p)
{
	if (p->measures > 1 && !p->told_by_bursts)
		return weight_beside_two;
	return program_has(p, "inst") ? weight_by_instructions
				      : weight_of_outcomes;
}

/* Of each group, whether anything was seen of it. */
static bool *find_seen(const struct program_function *f)
{
	bool *seen = fdo_alloc(f->cfg.nblocks, sizeof(*seen));

	for (size_t b = 0; b < f->cfg.nblocks; b++)
		if (f->blocks[b].samples || f->blocks[b].raw > 0 ||
		    f->blocks[b].stacks > 0)
			seen[f->blocks[b].group] = true;
	return seen;
}

/*
 * A program ends once.  What is left over where a block has fewer samples than
 * those before it is not what went to a call of abort(); and one that jumps far
 * away, or throws, is seen if that is often.
 */
static void leave(struct flow_graph *g, const struct program_function *f,
		  unsigned b, const bool *seen)
{
	const struct program_block *block = &f->blocks[b];
	unsigned edge = flow_add_edge(g, b, FLOW_OUTSIDE);
	double price = fmin(PRICE * weight_of_ends * block->weight,
			    FLOW_PRICE_MAX / 16);
	struct flow_cost cost;

	if ((f->cfg.blocks[b].flags & CFG_EXITS) != CFG_NORETURN ||
	    seen[block->group] || price < 1)
		return;
	flow_cost_bound(&cost, 0, llround(price));
	flow_set_edge_cost(g, edge, &cost);
}

/*
 * Where each edge leads.  One that goes round a loop of so many rounds again (trips.h)
 * leads out of it, as the one beside it does.
 */
static uint32_t *find_ends(const struct program_function *f)
{
	uint32_t *ends = fdo_alloc(f->cfg.nedges + 1, sizeof(*ends));

	for (size_t e = 0; e < f->cfg.nedges; e++)
		ends[e] = f->cfg.edges[e].to;
	for (size_t i = 0; i < f->trips.n; i++)
		ends[f->trips.all[i].again] = ends[f->trips.all[i].leaves];
	return ends;
}

/* The cfg's own edges come first, so that they keep their numbers. */
static void add_edges(struct flow_graph *g, const struct program *p,
		      const struct program_function *f, double scale)
{
	uint32_t *ends = find_ends(f);
	double weight = weight_of(p);
	const struct cfg *cfg = &f->cfg;
	bool *seen = find_seen(f);
	struct flow_cost exception;

	flow_cost_bound(&exception, 0, EXCEPTION_PRICE);
	for (size_t e = 0; e < cfg->nedges; e++) {
		unsigned edge = flow_add_edge(g, cfg->edges[e].from, ends[e]);

		if (trips_tell(&f->trips, cfg->edges[e].from))
			continue;
		if (cfg->edges[e].kind == CFG_EXCEPTION)
			flow_set_edge_cost(g, edge, &exception);
		else if (f->anchors_scale > 0)
			anchor_edge(g, edge, f, scale);
		else if (f->outcomes.blocks)
			outcome_edge(g, edge, f, scale, weight);
	}
	for (unsigned b = 0; b < cfg->nblocks; b++) {
		uint32_t flags = cfg->blocks[b].flags;

		if (flags & (CFG_ENTRY | CFG_ENTERED))
			flow_add_edge(g, FLOW_OUTSIDE, b);
		if (flags & CFG_EXITS)
			leave(g, f, b, seen);
	}
	free(seen);
	free(ends);
}

/* Back to executions; what is positive stays so. */
static uint64_t executions(double flow, double scale)
{
	return flow > 0 ? llround(fmax(1, flow / scale)) : 0;
}

/* What goes round again, and what leaves, where the rounds are known. */
static void read_trip(struct program_function *f, const struct flow_graph *g,
		      const struct trip *trip, double scale)
{
	double leaves = (double)flow_edge_count(g, trip->again) +
			(double)flow_edge_count(g, trip->leaves);

	leaves *= trips_edge(&f->trips, trip->leaves);
	f->edges[trip->leaves] = executions(leaves, scale);
	f->edges[trip->again] = executions(leaves * (trip->rounds - 1), scale);
}

/* What the blocks know of each other that run equally often. */
struct group {
	double samples;
	double rate; /* samples expected of one execution */
};

/*
 * Samples are drawn at random, in all blocks that run equally often together:
 * that is noise, and at least the executions of one sample, which none may
 * stand for by chance.  What else a count has wrong shows in part, by how far
 * events are apart, and by how far the flow had to move it.  The rest is a
 * share of it; and what the hottest block of a function has wrong is spilt on
 * others.
 */
static void set_error(struct program_block *block, const struct group *group,
		      double most, double part, double anchored)
{
	double moved = error_moved * (block->count - block->raw);
	double spread = error_spread * block->spread;
	double left = block->stacks > 0 ? anchored : 1;
	double rest = left * error_rest * block->count;
	double spill = left * error_spill * sqrt(block->count * most);
	double bias = part * sqrt(moved * moved + spread * spread +
				  rest * rest + spill * spill);

	block->noise = block->count / sqrt(group->samples + 1);
	if (group->rate > 0)
		block->noise = fmax(block->noise, 1 / group->rate);
	block->error = hypot(block->noise, bias);
}

static void set_errors(struct program_function *f, double part, double anchored)
{
	struct group *groups = fdo_alloc(f->cfg.nblocks, sizeof(*groups));
	double most = 0;

	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		const struct program_block *block = &f->blocks[b];
		struct group *group = &groups[block->group];

		group->samples += block->samples + block->stacks;
		group->rate += block->unit > 0 ? 1 / block->unit : 0;
		most = fmax(most, block->count);
	}
	for (size_t b = 0; b < f->cfg.nblocks; b++)
		set_error(&f->blocks[b], &groups[f->blocks[b].group], most,
			  part, anchored);
	free(groups);
}

static void read_back(struct program_function *f, const struct flow_graph *g,
		      double scale, struct prepass_result *result)
{
	const struct cfg *cfg = &f->cfg;
	unsigned outside = cfg->nedges;

	f->entry = 0;
	for (unsigned b = 0; b < cfg->nblocks; b++) {
		struct program_block *block = &f->blocks[b];
		double size = cfg->blocks[b].ninstructions;

		block->count = executions((double)flow_block_count(g, b) *
						  trips_block(&f->trips, b),
					  scale);
		result->measured += block->raw * size;
		result->moved += fabs(block->count - block->raw) * size;
		if (cfg->blocks[b].flags & CFG_ENTRY)
			f->entry +=
				executions(flow_edge_count(g, outside), scale);
		outside += !!(cfg->blocks[b].flags & (CFG_ENTRY | CFG_ENTERED));
		outside += !!(cfg->blocks[b].flags & CFG_EXITS);
	}
	for (unsigned e = 0; e < cfg->nedges; e++)
		f->edges[e] = executions((double)flow_edge_count(g, e) *
						 trips_edge(&f->trips, e),
					 scale);
	for (size_t i = 0; i < f->trips.n; i++)
		read_trip(f, g, &f->trips.all[i], scale);
	result->repaired += flow_repairs(g) / scale;
}

/*
 * A fiftieth of a sample: enough to be reached, too little to matter, also where the
 * way leads through loops of known rounds, which run so many times for it.
 */
static int64_t connection(const struct program_function *f, double scale)
{
	double unit = 0, rounds = 1;

	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		unit = fmax(unit, f->blocks[b].unit);
		rounds = fmax(rounds, trips_block(&f->trips, b));
	}
	return llround(fmax(1, unit * scale / rounds / 50));
}

/* The program as the span sees it. */
struct whole {
	struct program *p;
	double scale;
	uint32_t *functions; /* their numbers, by those in the span */
	size_t n;
	size_t now; /* the function that is being solved */
	struct progress *progress;
	struct prepass_result *result;
};

/* Entries and exits follow the cfg's own edges, block by block. */
static unsigned entry_edge(const struct cfg *cfg)
{
	unsigned edge = cfg->nedges;

	for (size_t b = 0; b < cfg->entry; b++) {
		edge += !!(cfg->blocks[b].flags & (CFG_ENTRY | CFG_ENTERED));
		edge += !!(cfg->blocks[b].flags & CFG_EXITS);
	}
	return edge;
}

static unsigned build(void *data, unsigned i, struct flow_graph *g)
{
	struct whole *w = data;
	const struct program_function *f;
	double *unseen;

	w->now = w->functions[i];
	f = &w->p->functions[w->now];
	unseen = unseen_callees(w->p, f);
	for (size_t b = 0; b < f->cfg.nblocks; b++)
		add_block(g, f, b, unseen[b], w->scale, w->p->without);
	free(unseen);
	add_edges(g, w->p, f, w->scale);
	return entry_edge(&f->cfg);
}

static void take(void *data, unsigned i, struct flow_graph *g)
{
	struct whole *w = data;
	struct program_function *f = &w->p->functions[w->functions[i]];

	progress_show(w->progress, "flow", i, w->n);
	if (!(w->p->without & PROGRAM_EVEN))
		flow_even(g);
	if (!(w->p->without & PROGRAM_CONNECT))
		w->result->connected +=
			flow_connect(g, connection(f, w->scale));
	read_back(f, g, w->scale, w->result);
	if (w->p->measures)
		set_errors(f, w->p->measures > 1 ? error_both : 1,
			   w->p->anchored_by_time ? error_of_bursts
						  : error_anchored);
}

/* Asked of blocks that call, which are in no loop of known rounds. */
static int64_t count_of(void *data, unsigned i, unsigned b)
{
	const struct whole *w = data;
	const struct program_function *f = &w->p->functions[w->functions[i]];
	double n = b == FLOW_OUTSIDE ? f->entry : f->blocks[b].count;

	return llround(fmin(n * w->scale, MOST));
}

static void choose(struct whole *w, bool minor)
{
	const struct program *p = w->p;

	w->functions = fdo_alloc(p->nfunctions, sizeof(*w->functions));
	for (uint32_t i = 0; i < p->nfunctions; i++)
		if (minor || !p->functions[i].minor)
			w->functions[w->n++] = i;
}

/* Calls are between all functions. */
enum scope { MAJOR, ALL, WITH_CALLS };

static bool solve(struct program *p, enum scope scope, enum mcf_solver solver,
		  struct progress *progress, struct prepass_result *ret,
		  struct fdo_error *err)
{
	struct whole w = { .p = p,
			   .scale = scale_of(p),
			   .progress = progress,
			   .result = ret };
	/* From counts that calls had a say in, these would have it twice. */
	struct flow_span_source source = { &w, build, take,
					   p->apart ? count_of : NULL };
	struct flow_span_result result;
	struct flow_span *span;
	bool done;

	*ret = (struct prepass_result){ 0 };
	choose(&w, scope != MAJOR);
	span = flow_span_new(w.n);
	if (scope == WITH_CALLS)
		calls_add(p, CALL_PRICE, span);
	done = flow_span_solve_once(span, &source, solver, IDLE, &result, err);
	p->apart = scope != WITH_CALLS;
	flow_span_free(span);
	free(w.functions);
	return done ||
	       fdo_fail(err, "%s: %s", p->functions[w.now].cfg.name, err->text);
}

bool prepass(struct program *p, enum mcf_solver solver,
	     struct progress *progress, struct prepass_result *ret,
	     struct fdo_error *err)
{
	bool alone = p->without & PROGRAM_CALLS || p->by_bursts;

	return solve(p, alone ? ALL : WITH_CALLS, solver, progress, ret, err);
}

bool prepass_alone(struct program *p, bool all, enum mcf_solver solver,
		   struct progress *progress, struct prepass_result *ret,
		   struct fdo_error *err)
{
	return solve(p, all ? ALL : MAJOR, solver, progress, ret, err);
}

/* The error of an executed instruction, with so many times the samples. */
static double error_with(const struct program *p, double times)
{
	double sum = 0, executed = 0;

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			const struct program_block *block = &f->blocks[b];
			double size = f->cfg.blocks[b].ninstructions;
			double noise = block->noise * block->noise;
			double all = block->error * block->error;
			double error =
				sqrt(fmax(0, all - noise + noise / times));

			sum += size * program_part_in_doubt(block, error);
			executed += size * block->count;
		}
	}
	return executed > 0 ? sum / executed : 0;
}

struct prepass_error prepass_error(const struct program *p)
{
	static const double most = 1e6;
	struct prepass_error ret = {
		.relative = error_with(p, 1),
		.bias = error_with(p, INFINITY),
		.times = INFINITY,
	};
	double low = 1, high = most;

	if (error_with(p, most) > ret.relative / 2)
		return ret;
	while (high / low > 1.001) {
		double middle = sqrt(low * high);

		if (error_with(p, middle) > ret.relative / 2)
			low = middle;
		else
			high = middle;
	}
	ret.times = high;
	return ret;
}
