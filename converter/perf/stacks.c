/*
 * stacks.c - a stack is placed first, record by record; what its records stand
 * for depends on all of them.
 */
#include "converter/perf/stacks.h"

#include "base/map.h"
#include "converter/perf/addrmap.h"
#include "converter/perf/branches.h"
#include "converter/perf/passes.h"
#include "converter/perf/tally.h"

/* As the kernel packs the flags of a record. */
enum {
	FLAG_CYCLES = 4,
	CYCLES_MASK = 0xffff,
	FLAG_SPECULATION = 24,
	SPECULATION_MASK = 3,
	WRONG_PATH = 1,
};

/* Bytes of an instruction of a compiler's code, at the mean. */
enum { BYTES = 4 };

/* Where an address is in a file, or nowhere. */
struct spot {
	uint32_t object;
	uint64_t offset;
};

static const struct spot nowhere = { ADDRMAP_NO_FILE, 0 };

struct stack {
	size_t depth;
	struct spot from[STACKS_DEEPEST], to[STACKS_DEEPEST];
	uint64_t cycles[STACKS_DEEPEST]; /* from the record before */
	bool whole[STACKS_DEEPEST];	 /* a range leads to it */
	size_t nwhole;
	uint64_t code; /* bytes of these ranges and their jumps */
	uint64_t all_cycles;
	bool has_cycles;
};

bool stacks_ran(const struct perfdata_branch *branch)
{
	return (branch->flags >> FLAG_SPECULATION & SPECULATION_MASK) !=
	       WRONG_PATH;
}

static struct spot find(struct addrmap *maps, int32_t pid, uint64_t address,
			const struct addrmap_range **last)
{
	const struct addrmap_range *range = *last;

	if (!range || address < range->start || address >= range->end)
		range = addrmap_find(maps, pid, address);
	if (!range)
		return nowhere;
	*last = range;
	return (struct spot){ range->object, addrmap_offset(range, address) };
}

static bool is_placed(struct spot spot)
{
	return spot.object != ADDRMAP_NO_FILE && spot.offset <= UINT32_MAX;
}

/* Both ends; of a way into the kernel or out of it, none. */
static void place_record(struct stack *s, size_t d, struct addrmap *maps,
			 int32_t pid, const struct perfdata_branch *b,
			 const struct addrmap_range **last,
			 struct samples_stacks *totals)
{
	bool kernel = addrmap_is_kernel(b->from) || addrmap_is_kernel(b->to);

	s->from[d] = s->to[d] = nowhere;
	if (!b->from || !b->to) {
		totals->empty++;
		return;
	}
	if (addrmap_is_kernel(b->from) == addrmap_is_kernel(b->to)) {
		s->from[d] = find(maps, pid, b->from, last);
		s->to[d] = find(maps, pid, b->to, last);
	}
	if (is_placed(s->from[d]) && is_placed(s->to[d]))
		return;
	if (kernel)
		totals->kernel++;
	else
		totals->unmapped++;
}

static void place(struct stack *s, struct addrmap *maps,
		  const struct perfdata_record *r,
		  struct samples_stacks *totals)
{
	const struct perfdata_sample *sample = &r->sample;
	const struct addrmap_range *last = NULL;

	for (size_t i = 0; i < sample->nbranches && s->depth < STACKS_DEEPEST;
	     i++) {
		const struct perfdata_branch *b = &sample->branches[i];
		size_t d = s->depth;

		if (!stacks_ran(b))
			continue;
		s->depth++;
		s->cycles[d] = b->flags >> FLAG_CYCLES & CYCLES_MASK;
		totals->records++;
		place_record(s, d, maps, r->pid, b, &last, totals);
	}
}

/* Nothing is known of a range with an end that is in no file. */
static bool has_ends(const struct stack *s, size_t i)
{
	return i + 1 < s->depth && is_placed(s->from[i]) &&
	       is_placed(s->to[i + 1]);
}

static bool is_possible(struct spot begin, struct spot end)
{
	return begin.object == end.object && begin.offset <= end.offset &&
	       end.offset - begin.offset <= STACKS_LONGEST;
}

/* What can be used is whole: a range, and the jump at its end. */
static void measure(struct stack *s, struct samples_stacks *totals)
{
	s->has_cycles = true;
	for (size_t i = 0; i < s->depth; i++) {
		bool ends = has_ends(s, i);

		s->whole[i] = ends && is_possible(s->to[i + 1], s->from[i]);
		totals->impossible += ends && !s->whole[i];
		if (!s->whole[i])
			continue;
		s->nwhole++;
		s->code += s->from[i].offset - s->to[i + 1].offset + BYTES;
		s->all_cycles += s->cycles[i];
		s->has_cycles &= s->cycles[i] > 0;
	}
}

/* So many executions, each of which passes so much of "all". */
static uint64_t share(double period, uint64_t records, uint64_t part,
		      uint64_t all)
{
	double executions = period * part / records / all;

	if (!part || !all)
		return 0;
	executions = executions * BRANCHES_ONE + .5;
	return executions < 1	   ? 1
	       : executions < 1e15 ? (uint64_t)executions
				   : (uint64_t)1e15;
}

static struct branches_weights weigh(const struct stack *s, double period)
{
	size_t whole = s->nwhole, all = s->depth - 1;

	return (struct branches_weights){ {
		[BRANCHES_TAKEN] = share(period, all, 1, 1),
		[BRANCHES_CODE] = share(period * BYTES, all, whole, s->code),
		[BRANCHES_CYCLES] =
			s->has_cycles ? share(period, all, whole, s->all_cycles)
				      : 0,
	} };
}

/* Told from others by when it was and of whom. */
static uint64_t number_of(const struct perfdata_record *r)
{
	return fdo_hash_mix(fdo_hash_mix(r->tid, r->time), r->pid);
}

void stacks_add(struct tally *tally, struct addrmap *maps,
		const struct perfdata_record *r, uint64_t stack,
		enum stacks_kind kind, struct samples_stacks *totals)
{
	struct stack s;
	struct branches_weights weights;

	s.depth = s.nwhole = 0;
	s.code = s.all_cycles = 0;
	totals->stacks += kind != STACKS_GOES_ON;
	totals->bursts += kind == STACKS_BURST;
	place(&s, maps, r, totals);
	measure(&s, totals);
	if (!s.nwhole)
		return;
	weights = weigh(&s, r->sample.period ? r->sample.period : 1);
	if (kind == STACKS_BURST && is_placed(s.from[s.depth - 1]))
		passes_begin(tally_passes(tally, s.from[s.depth - 1].object),
			     number_of(r), s.from[s.depth - 1].offset);
	for (size_t i = 0; i < s.depth; i++) {
		struct branches *b;

		if (!s.whole[i])
			continue;
		totals->used++;
		b = tally_branches(tally, s.from[i].object);
		branches_add(b, r->event, BRANCHES_RANGE, s.to[i + 1].offset,
			     s.from[i].offset, stack, &weights);
		if (kind != STACKS_SAMPLE)
			passes_add(tally_passes(tally, s.from[i].object),
				   number_of(r), s.to[i + 1].offset,
				   s.from[i].offset);
		if (is_placed(s.to[i]) && s.to[i].object == s.from[i].object)
			branches_add(b, r->event, BRANCHES_JUMP,
				     s.from[i].offset, s.to[i].offset, stack,
				     &weights);
	}
}
