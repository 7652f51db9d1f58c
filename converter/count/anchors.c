#include "converter/count/anchors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/perf/branches.h"
#include "converter/binary/object.h"
#include "converter/count/bursts.h"
#include "converter/count/program.h"

/* The part of a count that is wrong however many samples there are. */
static const double bias_samples = .5, bias_records = .03;
/*
 * Of functions as a whole.  On six programs of testsuite/bench/accuracy, .5 to
 * 1.5 and .1 to .3 are as good.
 */
static const double bias_of_time = .6, bias_of_bursts = .1; /* functions */

/* Of a block or edge, at a factor e from its count; see prepass.c. */
static const double weight_of_records = 8;

/* An event that counts better may have so many times fewer records. */
enum { FEWER = 8 };

static enum branches_view view_of(const struct samples_event *event)
{
	if (strcmp(event->role, "inst") == 0)
		return BRANCHES_CODE;
	if (strcmp(event->role, "cycles") == 0)
		return BRANCHES_CYCLES;
	return BRANCHES_TAKEN;
}

/* Its stacks begin at moments of time, wherever the program is then. */
static bool is_by_time(const struct samples_event *event)
{
	return strcmp(event->role, "steps") == 0;
}

/* The lower, the better. */
static int rank_of(const struct samples_event *event)
{
	if (strcmp(event->role, "taken") == 0)
		return 0;
	if (is_by_time(event))
		return 4;
	if (view_of(event) == BRANCHES_CODE)
		return 1;
	return view_of(event) == BRANCHES_CYCLES ? 2 : 3;
}

static uint64_t records_of(const struct samples_ways *ways)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < ways->n; i++)
		sum += ways->ways[i].records;
	return sum;
}

/* The event whose records are taken, or the number of events. */
static size_t best_event(const struct program *p,
			 const struct samples_object *object)
{
	size_t n = p->samples->nevents, best = n;
	uint64_t most = 0, of_best = 0;

	for (size_t e = 0; e < n; e++) {
		uint64_t here = records_of(&object->ranges[e]);

		most = here > most ? here : most;
	}
	for (size_t e = 0; e < n; e++) {
		uint64_t here = records_of(&object->ranges[e]);
		int better = best == n
				     ? 1
				     : rank_of(&p->samples->events[best]) -
					       rank_of(&p->samples->events[e]);

		if (!here || here < most / FEWER ||
		    (better <= 0 && (better < 0 || here <= of_best)))
			continue;
		best = e;
		of_best = here;
	}
	return best;
}

/* Cycles are only known where all records say how many. */
static enum branches_view usable_view(const struct samples_event *event,
				      const struct samples_ways *ways)
{
	enum branches_view view = view_of(event);

	for (size_t i = 0; view == BRANCHES_CYCLES && i < ways->n; i++)
		if (!ways->ways[i].weight.of[view])
			view = BRANCHES_CODE;
	return view;
}

static void make_room(struct program_function *f)
{
	if (f->anchors.blocks)
		return;
	f->anchors = (struct anchors){
		.blocks = fdo_alloc(f->cfg.nblocks, sizeof(double)),
		.edges = fdo_alloc(f->cfg.nedges + 1, sizeof(double)),
		.stacks = fdo_alloc(f->cfg.nblocks, sizeof(double)),
	};
}

void anchors_free(struct anchors *a)
{
	free(a->blocks);
	free(a->edges);
	free(a->stacks);
}

static bool can_jump(const struct insn *insn)
{
	return insn->class != INSN_OTHER && insn->class != INSN_NOP;
}

/* The edge to the block that follows, or the number of edges. */
static size_t fall_of(const struct cfg *cfg, size_t block)
{
	const struct cfg_block *b = &cfg->blocks[block];

	for (size_t e = b->first_edge; e < b->first_edge + b->nedges; e++)
		if (cfg->edges[e].kind == CFG_FALL)
			return e;
	return cfg->nedges;
}

struct range {
	uint64_t from, to;
	double executions, stacks;
};

/* One block's part of a range, half for each of its ends. */
static void pass(struct program_function *f, size_t block,
		 const struct range *r)
{
	double ends = (r->from <= f->cfg.blocks[block].address) +
		      (r->to >= cfg_last_address(&f->cfg, block));

	f->anchors.blocks[block] += r->executions * ends / 2;
	f->anchors.stacks[block] += r->stacks * ends / 2;
}

/* From the block of its beginning to that of its end; or not at all. */
static bool can_run(const struct cfg *cfg, size_t block, const struct range *r)
{
	while (r->to >= cfg->blocks[block].address + cfg->blocks[block].size) {
		size_t fall = fall_of(cfg, block);

		if (fall == cfg->nedges ||
		    cfg->blocks[cfg->edges[fall].to].address <=
			    cfg->blocks[block].address)
			return false;
		block = cfg->edges[fall].to;
	}
	return r->to >= cfg->blocks[block].address;
}

static void run(struct program_function *f, size_t block, const struct range *r)
{
	const struct cfg *cfg = &f->cfg;

	pass(f, block, r);
	while (r->to >= cfg->blocks[block].address + cfg->blocks[block].size) {
		size_t fall = fall_of(cfg, block);

		f->anchors.edges[fall] += r->executions;
		block = cfg->edges[fall].to;
		pass(f, block, r);
	}
}

static void add_range(struct anchors_totals *totals, struct program_function *f,
		      const struct range *r, uint64_t records)
{
	size_t begin = f ? cfg_block_at(&f->cfg, r->from) : CFG_NO_BLOCK;
	size_t end = f ? cfg_block_at(&f->cfg, r->to) : CFG_NO_BLOCK;
	const struct insn *last;

	totals->ranges += records;
	if (begin == CFG_NO_BLOCK) {
		totals->outside += records;
		return;
	}
	if (end == CFG_NO_BLOCK || !can_run(&f->cfg, begin, r)) {
		totals->interrupted += records;
		return;
	}
	last = cfg_insn_at(&f->cfg, end, r->to);
	if (!last || !can_jump(last) || !cfg_insn_at(&f->cfg, begin, r->from)) {
		totals->misaligned += records;
		return;
	}
	make_room(f);
	run(f, begin, r);
}

/* An edge of a block that leads to an address by a jump, or the number of all. */
static size_t jump_of(const struct cfg *cfg, size_t block, uint64_t to)
{
	const struct cfg_block *b = &cfg->blocks[block];

	for (size_t e = b->first_edge; e < b->first_edge + b->nedges; e++)
		if (cfg->edges[e].kind != CFG_FALL &&
		    cfg->blocks[cfg->edges[e].to].address == to)
			return e;
	return cfg->nedges;
}

static void add_jump(struct anchors_totals *totals, struct program_function *f,
		     uint64_t from, uint64_t to, const struct branches_way *way,
		     double executions)
{
	const struct cfg *cfg = &f->cfg;
	size_t block = cfg_block_at(cfg, from), target = cfg_block_at(cfg, to);
	size_t hub, e;

	if (block == CFG_NO_BLOCK || target == CFG_NO_BLOCK ||
	    cfg_last_address(cfg, block) != from ||
	    target == cfg->entry /* recursion, mostly */ ||
	    cfg->blocks[block].flags & CFG_RETURNS /* from recursion */)
		return;
	totals->jumps += way->records;
	hub = cfg_switch_of(cfg, block);
	e = jump_of(cfg, hub, to);
	if (e == cfg->nedges) {
		totals->unknown_edges += way->records;
		return;
	}
	make_room(f);
	f->anchors.edges[e] += executions;
	if (hub == block)
		return;
	f->anchors.edges[cfg->blocks[block].first_edge] += executions;
	f->anchors.blocks[hub] += executions;
}

/* What a record stands for. */
static double executions_of(const struct branches_way *way,
			    enum branches_view view)
{
	return (double)way->weight.of[view] / BRANCHES_ONE;
}

static bool add_ranges(struct program *p, size_t binary,
		       const struct samples_ways *ranges,
		       enum branches_view view, struct fdo_error *err)
{
	const struct object *object = p->binaries[binary].object;

	for (size_t i = 0; i < ranges->n; i++) {
		const struct branches_way *way = &ranges->ways[i];
		struct program_function *f = NULL;
		struct range range = { .executions = executions_of(way, view),
				       .stacks = way->stacks };

		if (!object_address(object, way->from, &range.from) ||
		    !object_address(object, way->to, &range.to))
			continue;
		if (!program_function_at(p, binary, range.from, &f, err))
			return false;
		add_range(&p->anchored, f, &range, way->records);
		p->anchored_records += way->records;
		p->anchored_executions += range.executions;
	}
	return true;
}

static bool add_jumps(struct program *p, size_t binary,
		      const struct samples_ways *jumps, enum branches_view view,
		      struct fdo_error *err)
{
	const struct object *object = p->binaries[binary].object;

	for (size_t i = 0; i < jumps->n; i++) {
		const struct branches_way *way = &jumps->ways[i];
		struct program_function *f;
		uint64_t from, to;

		if (!object_address(object, way->from, &from) ||
		    !object_address(object, way->to, &to))
			continue;
		if (!program_function_at(p, binary, from, &f, err))
			return false;
		if (f)
			add_jump(&p->anchored, f, from, to, way,
				 executions_of(way, view));
	}
	return true;
}

bool anchors_add(struct program *p, size_t binary, struct fdo_error *err)
{
	const struct samples_object *samples = p->binaries[binary].samples;
	enum branches_view view;
	size_t event;

	if (!samples)
		return true;
	event = best_event(p, samples);
	if (event == p->samples->nevents)
		return true;
	view = usable_view(&p->samples->events[event], &samples->ranges[event]);
	p->anchored_by_time |= is_by_time(&p->samples->events[event]);
	p->binaries[binary].jumps = &samples->jumps[event];
	return add_ranges(p, binary, &samples->ranges[event], view, err) &&
	       add_jumps(p, binary, &samples->jumps[event], view, err);
}

/* The first way that begins at an offset or behind it. */
static size_t first_from(const struct samples_ways *ways, uint64_t offset)
{
	size_t low = 0, high = ways->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ways->ways[middle].from < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t anchors_jumps_from(const struct program *p, size_t binary,
			  uint64_t address, size_t *n)
{
	const struct samples_ways *jumps = p->binaries[binary].jumps;
	uint64_t offset;
	size_t first;

	*n = 0;
	if (!jumps ||
	    !object_offset(p->binaries[binary].object, address, &offset))
		return 0;
	first = first_from(jumps, offset);
	*n = first_from(jumps, offset + 1) - first;
	return first;
}

/* Instructions executed, as records and as samples have it. */
static double scale_of(const struct program *p)
{
	double samples = 0, records = 0;

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];
		double measured = 0;

		for (size_t b = 0; f->anchors.blocks && b < f->cfg.nblocks;
		     b++) {
			double size = f->cfg.blocks[b].ninstructions;

			measured += f->blocks[b].raw * size;
			records += f->anchors.blocks[b] * size;
		}
		samples += f->anchors.instructions > 0 && f->anchors.blocks
				   ? f->anchors.instructions
				   : measured;
	}
	return samples > 0 && records > 0 ? samples / records : 1;
}

/* Of a count from so many independent samples. */
static double precision(double samples, double bias)
{
	return 1 / (1 / (samples + 1) + bias * bias);
}

bool anchors_matter(const struct program *p)
{
	return p->anchored_records && !p->anchors_held;
}

bool anchors_hold(struct program *p)
{
	p->anchors_held = p->anchored_records && p->anchored_by_time &&
			  (program_has(p, "inst") || program_has(p, "cycles"));
	if (p->anchors_held)
		bursts_tell(p);
	return p->anchors_held;
}

bool anchors_release(struct program *p)
{
	if (p->told_by_bursts && program_has(p, "inst"))
		return false;
	p->anchors_held = false;
	p->by_bursts = !program_has(p, "inst");
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		f->anchors.instructions = 0;
		for (size_t b = 0; b < f->cfg.nblocks; b++)
			f->anchors.instructions +=
				f->blocks[b].count *
				f->cfg.blocks[b].ninstructions;
	}
	if (p->by_bursts)
		bursts_weigh(p);
	return true;
}

static double recorded_of(const struct program_function *f)
{
	double recorded = 0;

	for (size_t b = 0; f->anchors.blocks && b < f->cfg.nblocks; b++)
		recorded +=
			f->anchors.blocks[b] * f->cfg.blocks[b].ninstructions;
	return recorded;
}

/* To the scale of records; 0: nothing is known of bursts. */
static double scale_of_passed(const struct program *p)
{
	double recorded = 0, passed = 0;

	for (size_t i = 0; i < p->nfunctions; i++) {
		recorded += recorded_of(&p->functions[i]);
		passed += p->functions[i].anchors.passed;
	}
	return passed > 0 ? recorded / passed : 0;
}

/*
 * From the scale of records to that of counts.  What samples and bursts say of
 * a function as a whole is wrong by chance, and by as much more.
 */
static double scale_of_function(const struct program_function *f, double scale,
				double of_passed)
{
	double recorded = recorded_of(f),
	       passed = f->anchors.passed * of_passed;
	double samples = 0, stacks = 0, by_samples, by_stacks;

	if (passed <= 0)
		passed = recorded;
	for (size_t b = 0; b < f->cfg.nblocks; b++) {
		samples += f->blocks[b].samples;
		stacks = fmax(stacks, f->anchors.stacks[b]);
	}
	if (f->anchors.instructions <= 0 || recorded <= 0)
		return scale;
	by_samples = precision(samples, bias_of_time);
	by_stacks = precision(stacks, bias_of_bursts);
	return scale * passed / recorded *
	       pow(f->anchors.instructions / (passed * scale),
		   by_samples / (by_samples + by_stacks));
}

static void weigh(struct program_function *f, size_t b, double scale,
		  double unit)
{
	struct program_block *block = &f->blocks[b];
	double records = f->anchors.blocks[b] * scale;
	/* That there are none says something where some were due. */
	double due = block->raw / unit / FEWER;
	double by_records =
		precision(fmax(f->anchors.stacks[b], due), bias_records);
	double by_samples =
		block->raw > 0 ? precision(block->samples, bias_samples) : 0;
	double share = by_records / (by_records + by_samples);

	block->raw = records * share + block->raw * (1 - share);
	block->spread *= 1 - share;
	block->unit = unit;
	block->weight = weight_of_records;
	block->stacks = f->anchors.stacks[b];
}

void anchors_weigh(struct program *p)
{
	double scale, unit, of_passed;

	if (!anchors_matter(p))
		return;
	scale = scale_of(p);
	of_passed = scale_of_passed(p);
	unit = scale * p->anchored_executions / p->anchored_records;
	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];

		if (!f->anchors.blocks)
			continue;
		f->anchors_scale = scale_of_function(f, scale, of_passed);
		for (size_t b = 0; b < f->cfg.nblocks; b++)
			weigh(f, b, f->anchors_scale, unit);
	}
}
