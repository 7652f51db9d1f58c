/*
 * core.c - the way of an instruction, once for each kind of them.
 *
 * Nearly all instructions change no more than the totals of counters, and
 * which of them one does is hard to guess for the machine that simulates it.
 * So a block in which no counter of instructions overflows runs quietly: its
 * totals are added up afterwards, and retirement asks no more than whether
 * the cycle has come at which anything can happen (pmu->quiet).  What is near
 * such a cycle, and every block while a sample waits, goes through all steps.
 */
#include "testsuite/pmusim/core.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "testsuite/pmusim/execute.h"
#include "testsuite/pmusim/state.h"

enum { QUEUE = 8 }; /* cycles that fetch can be ahead of dispatch */

struct core *core_new(const struct options *options, struct output *output,
		      uint32_t thread, uint64_t cycle,
		      const struct state *states)
{
	struct core *core = fdo_alloc(1, sizeof(*core));

	core->fetch = options->fetch;
	core->depth = options->depth;
	core->rob = options->rob;
	core->width = options->width;
	core->options = options;
	core->states = states;
	core->fetch_cycle = core->begin = core->retire_cycle = cycle;
	memory_init(&core->memory, options);
	predictor_init(&core->predictor, options);
	pmu_init(&core->pmu, options, output, thread);
	return core;
}

void core_free(struct core *core)
{
	if (!core)
		return;
	memory_clear(&core->memory);
	predictor_clear(&core->predictor);
	free(core);
}

uint64_t core_cycle(const struct core *core)
{
	return core->retire_cycle;
}

uint64_t core_lost(const struct core *core)
{
	return core->pmu.lost;
}

static void break_fetch(struct core *core, uint64_t cycle)
{
	if (cycle > core->fetch_cycle || !core->fetch_left) {
		core->fetch_cycle = later(cycle, core->fetch_cycle + 1);
		core->fetch_left = core->fetch;
	}
}

static void fetch_line(struct core *core, const struct insn *insn,
		       uint64_t line)
{
	struct access access = memory_fetch(&core->memory, line << LINE_SHIFT,
					    core->fetch_cycle);

	core->fetch_line = line;
	if (access.missed_l1)
		pmu_count(&core->pmu, SOURCE_L1I, 1, core->fetch_cycle, insn);
	break_fetch(core, access.done);
}

/* Without branches but for a line of code that is not the last one. */
INLINE uint64_t fetch(struct core *core, const struct insn *insn)
{
	uint64_t line = (insn->address + insn->length - 1) >> LINE_SHIFT;
	uint64_t all;

	if (line != core->fetch_line)
		fetch_line(core, insn, line);
	all = -(uint64_t)!core->fetch_left;
	core->fetch_cycle -= all;
	core->fetch_left += (core->fetch & all) - 1;
	return core->fetch_cycle;
}

/*
 * In order, when the instruction a reorder buffer before has retired; those
 * that never were have the cycle 0.
 */
INLINE uint64_t dispatch(struct core *core, const struct insn *insn,
			 enum kind kind)
{
	uint64_t cycle = fetch(core, insn) + core->depth, fetched = cycle;

	cycle = later(
		cycle,
		pmu_retired_at(&core->pmu, core->pmu.nretired - core->rob) + 1);
	if (kind == KIND_RARE && insn->serial)
		cycle = later(cycle, core->retire_cycle);
	if (cycle - fetched > QUEUE)
		break_fetch(core, cycle - core->depth - QUEUE);
	return cycle;
}

/* Events of the cycles from the last retirement up to this one. */
static void pass_time(struct core *core, const struct insn *insn,
		      uint64_t cycle)
{
	struct pmu *pmu = &core->pmu;
	uint64_t passed = cycle - core->retire_cycle;

	if (core->retired_in_cycle >= 4)
		pmu_count(pmu, SOURCE_INST_4, 1, core->retire_cycle, insn);
	if (passed > 1)
		pmu_count(pmu, SOURCE_INST_0, passed - 1, cycle - 1, insn);
	pmu_count(pmu, SOURCE_CYCLES, passed, cycle, insn);
}

/* One more in this cycle, which is or becomes that of the last retirement. */
INLINE void join_group(struct core *core, uint64_t cycle)
{
	uint64_t passes = cycle != core->retire_cycle;

	core->groups += passes;
	core->retired_in_cycle = (core->retired_in_cycle & (passes - 1)) + 1;
	core->fours += core->retired_in_cycle == 4;
	core->retire_cycle = cycle;
}

/* Those that retiring quietly leaves behind; the last cycle is not over. */
static void catch_up(struct core *core)
{
	uint64_t *total = core->pmu.total;

	total[SOURCE_CYCLES] = core->retire_cycle - core->begin;
	total[SOURCE_INST_0] = total[SOURCE_CYCLES] - core->groups;
	total[SOURCE_INST_4] = core->fours - (core->retired_in_cycle >= 4);
}

/* With all that may happen to counters and samples, but for SOURCE_INST. */
static __attribute__((__noinline__)) void
retire_aloud(struct core *core, const struct insn *insn, uint64_t cycle)
{
	catch_up(core);
	if (cycle > core->retire_cycle)
		pass_time(core, insn, cycle);
	join_group(core, cycle);
	pmu_retire(&core->pmu, insn, cycle);
	core->pmu.quiet = pmu_quiet_until(&core->pmu, cycle);
}

/* Without branches: whether time passes is hard to guess. */
INLINE void retire(struct core *core, const struct insn *insn, uint64_t done,
		   enum kind kind)
{
	uint64_t full = core->retired_in_cycle == core->width;
	uint64_t cycle = later(done + 1, core->retire_cycle + full);

	if (kind == KIND_RARE || cycle >= core->pmu.quiet) {
		retire_aloud(core, insn, cycle);
	} else {
		join_group(core, cycle);
		pmu_remember(&core->pmu, insn, cycle);
	}
}

/* Returns the word behind the instruction's. */
INLINE const uint64_t *find_accesses(struct flight *f, const uint64_t *word,
				     unsigned i)
{
	f->accesses = word;
	while (trace_is_access_of(*word, i))
		word++;
	f->end = word;
	return word;
}

/* The instruction's number in its block is i. */
INLINE const uint64_t *step(struct core *core, struct flight *f, unsigned i,
			    const uint64_t *word, enum kind kind)
{
	if (kind != KIND_REGISTERS)
		word = find_accesses(f, word, i);
	f->dispatch = dispatch(core, f->insn, kind);
	execute(core, f, kind);
	retire(core, f->insn, f->done, kind);
	core->resolved = f->done;
	return word;
}

static __attribute__((__noinline__)) const uint64_t *
step_any(struct core *core, const struct insn *insn, unsigned i,
	 const uint64_t *word, struct ibs *seen)
{
	struct flight f = { .insn = insn };

	word = step(core, &f, i, word, KIND_RARE);
	*seen = f.seen;
	seen->insn = insn;
	seen->dispatched = f.dispatch;
	seen->retired = core->retire_cycle;
	return word;
}

/* "again": one more step of a string instruction. */
static const uint64_t *step_counted(struct core *core, const struct insn *insn,
				    unsigned i, const uint64_t *word,
				    bool again)
{
	struct pmu *pmu = &core->pmu;
	bool watched = !again && pmu_watches(pmu);
	struct ibs seen;

	word = step_any(core, insn, i, word, &seen);
	if (!again)
		pmu_count(pmu, SOURCE_INST, 1, core->retire_cycle, insn);
	if (watched) {
		seen.sequence = pmu->total[SOURCE_IBS];
		pmu_watched(pmu, &seen);
	}
	return word;
}

static bool is_call(const struct insn *insn)
{
	return insn->flow == FLOW_CALL || insn->flow == FLOW_CALL_INDIRECT;
}

/* The branch that ended a block is known to have gone to "next". */
static void follow(struct core *core, const struct insn *branch, uint64_t next)
{
	bool taken = next != branch->address + branch->length;
	bool right = predictor_guess(&core->predictor, branch, next);
	struct pmu *pmu = &core->pmu;

	if (taken) {
		core->fetch_left = 0;
		core->fetch_line = 0;
		pmu_branch(pmu, branch->address, next, !right);
		pmu_count(pmu, SOURCE_BRANCH, 1, core->retire_cycle, branch);
	}
	if (is_call(branch))
		pmu_count(pmu, SOURCE_CALL, 1, core->retire_cycle, branch);
	if (!right) {
		pmu_count(pmu, SOURCE_MISPREDICT, 1, core->resolved, branch);
		break_fetch(core, core->resolved + core->options->mispredict);
	}
}

INLINE const uint64_t *step_usual(struct core *core, const struct insn *insn,
				  unsigned i, const uint64_t *word)
{
	struct flight f = { .insn = insn };
	struct ibs unseen;

	if (insn->kind == KIND_REGISTERS)
		return step(core, &f, i, word, KIND_REGISTERS);
	if (insn->kind == KIND_MEMORY)
		return step(core, &f, i, word, KIND_MEMORY);
	return step_any(core, insn, i, word, &unseen);
}

/* No counter of instructions overflows in the block. */
static const uint64_t *run_quietly(struct core *core, const struct block *block,
				   const uint64_t *word)
{
	const struct insn *insn = block->insns;

	for (int i = 0; i < block->size; i++)
		word = step_usual(core, insn++, i, word);
	core->pmu.total[SOURCE_INST] += block->size;
	core->pmu.total[SOURCE_IBS] += block->size;
	return word;
}

/* With registers, a block is the instruction that retires next. */
static void know_state(struct core *core)
{
	if (core->states)
		pmu_know(&core->pmu,
			 &core->states[core->nstates++ % TRACE_STATES]);
}

/* Returns the word behind the block's. */
static const uint64_t *run_block(struct core *core, const uint64_t *word)
{
	const struct block *block = trace_block(*word++);
	const struct block *previous = core->previous;
	bool again = previous && block_repeats(previous, block);

	know_state(core);
	/* QEMU comes once more to see that nothing is left to repeat. */
	if (again && trace_is_block(*word))
		return word;
	if (previous && block_last(previous)->flow != FLOW_NEXT)
		follow(core, block_last(previous), block->address);
	if (!again && pmu_allows(&core->pmu, block->size))
		word = run_quietly(core, block, word);
	else
		for (int i = 0; i < block->size; i++)
			word = step_counted(core, &block->insns[i], i, word,
					    again && i == 0);
	core->previous = block;
	while (!trace_is_block(*word))
		word++;
	return word;
}

void core_run(struct core *core, const uint64_t *words, size_t nwords)
{
	const uint64_t *end = words + nwords;

	while (words < end)
		words = run_block(core, words);
}
