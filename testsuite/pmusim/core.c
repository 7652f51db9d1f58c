#include "testsuite/pmusim/core.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "testsuite/pmusim/branch.h"
#include "testsuite/pmusim/code.h"
#include "testsuite/pmusim/counter.h"
#include "testsuite/pmusim/memory.h"
#include "testsuite/pmusim/options.h"
#include "testsuite/pmusim/ports.h"
#include "testsuite/pmusim/trace.h"

enum {
	IN_FLIGHT = 512, /* the largest reorder buffer */
	QUEUE = 8,	 /* cycles that fetch can be ahead of dispatch */
	FORWARDS = 512,
	FORWARD_LATENCY = 5,
};

/* The last store to some 4 bytes, all or some of them. */
struct forward {
	uint64_t address;
	uint64_t ready; /* its data is there */
	uint32_t sequence;
	uint32_t size;
};

struct core {
	/* Fetch. */
	uint64_t fetch_cycle, fetch_line;
	uint64_t fetch_left; /* places in this cycle */

	/* Execution. */
	uint64_t sequence;		 /* instructions so far */
	uint64_t ready[REGISTERS];	 /* when a register's value is there */
	uint64_t unlocked;		 /* loads may begin */
	uint64_t divider, float_divider; /* busy until */
	struct forward forwards[FORWARDS];
	struct ports ports;

	/* Retirement. */
	uint64_t retire_cycle, retired_in_cycle;
	uint64_t retire[IN_FLIGHT];

	/* The branch that ended the last block. */
	const struct block *previous;
	uint64_t resolved;

	const struct options *options;
	struct memory memory;
	struct predictor predictor;
	struct pmu pmu;
};

/* An instruction on its way. */
struct flight {
	const struct insn *insn;
	const uint64_t *accesses, *end; /* words of the trace */
	uint64_t dispatch, address_ready, done;
	bool again; /* one more step of a string instruction */
	struct ibs seen;
};

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

struct core *core_new(const struct options *options, struct output *output,
		      uint32_t thread, uint64_t cycle)
{
	struct core *core = fdo_alloc(1, sizeof(*core));

	core->options = options;
	core->fetch_cycle = core->retire_cycle = cycle;
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
		core->fetch_left = core->options->fetch;
	}
}

/* The next line of code, if the instruction is not on the last one. */
static void fetch_line(struct core *core, const struct insn *insn)
{
	uint64_t line = (insn->address + insn->length - 1) >> LINE_SHIFT;
	struct access access;

	if (line == core->fetch_line)
		return;
	core->fetch_line = line;
	access = memory_fetch(&core->memory, line << LINE_SHIFT,
			      core->fetch_cycle);
	if (access.missed_l1)
		pmu_count(&core->pmu, SOURCE_L1I, 1, core->fetch_cycle, insn);
	break_fetch(core, access.done);
}

static uint64_t fetch(struct core *core, const struct insn *insn)
{
	fetch_line(core, insn);
	break_fetch(core, 0);
	core->fetch_left--;
	return core->fetch_cycle;
}

/* In order, when the instruction a reorder buffer before has retired. */
static uint64_t dispatch(struct core *core, const struct insn *insn)
{
	const struct options *o = core->options;
	uint64_t cycle = fetch(core, insn) + o->depth;

	if (core->sequence >= o->rob)
		cycle = later(
			cycle,
			core->retire[(core->sequence - o->rob) % IN_FLIGHT] +
				1);
	if (insn->serial)
		cycle = later(cycle, core->retire_cycle);
	if (cycle > core->fetch_cycle + o->depth + QUEUE)
		break_fetch(core, cycle - o->depth - QUEUE);
	return cycle;
}

static uint64_t registers_ready(const struct core *core, const uint8_t *list,
				int n, uint64_t cycle)
{
	for (int i = 0; i < n; i++)
		cycle = later(cycle, core->ready[list[i]]);
	return cycle;
}

static struct forward *forward_at(struct core *core, uint64_t address)
{
	return &core->forwards[(address >> 2) % FORWARDS];
}

static bool overlap(const struct forward *f, uint64_t address, uint64_t size)
{
	return f->address < address + size && address < f->address + f->size;
}

/*
 * Data that is still on its way to the cache comes from the stores themselves,
 * those of the same bytes: what is beside them need not wait.
 */
static bool forward(struct core *core, uint64_t address, uint64_t size,
		    uint64_t *cycle)
{
	uint64_t ready = *cycle;
	bool found = false;

	for (uint64_t at = address & ~3; at < address + size; at += 4) {
		const struct forward *f = forward_at(core, at);

		if (overlap(f, address, size) &&
		    (uint32_t)core->sequence - f->sequence <=
			    core->options->rob) {
			ready = later(ready, f->ready);
			found = true;
		}
	}
	if (found)
		*cycle = ready + FORWARD_LATENCY;
	return found;
}

static void count_access(struct core *core, struct flight *f,
			 struct access access, uint64_t cycle)
{
	if (access.walked) {
		pmu_count(&core->pmu, SOURCE_DTLB, 1, cycle, f->insn);
		f->seen.walked = true;
	}
	if (access.missed_l1) {
		pmu_count(&core->pmu, SOURCE_L1D, 1, cycle, f->insn);
		f->seen.missed_l1 = true;
	}
	if (access.missed_l2) {
		pmu_count(&core->pmu, SOURCE_L2, 1, cycle, f->insn);
		f->seen.missed_l2 = true;
	}
}

static uint64_t load(struct core *core, struct flight *f, uint64_t address)
{
	uint64_t cycle = ports_take(&core->ports, PORTS_LOAD,
				    later(f->address_ready, core->unlocked));
	uint64_t forwarded = cycle;
	struct access access;

	if (forward(core, address, f->insn->bytes, &forwarded)) {
		f->seen.load_latency = forwarded - cycle;
		return forwarded;
	}
	access = memory_load(&core->memory, address, cycle);
	count_access(core, f, access, cycle);
	f->seen.load_latency = later(f->seen.load_latency, access.done - cycle);
	return access.done;
}

/* Both halves of a store: the address now, the data when it is computed. */
static uint64_t store(struct core *core, struct flight *f, uint64_t address)
{
	uint64_t cycle =
		ports_take(&core->ports, PORTS_STORE, f->address_ready);
	struct access access = memory_store(&core->memory, address, cycle);
	struct forward stored = { address, later(cycle, f->done),
				  core->sequence, f->insn->bytes };

	count_access(core, f, access, cycle);
	for (uint64_t at = address & ~3; at < address + stored.size; at += 4)
		*forward_at(core, at) = stored;
	return access.done;
}

/* An exchange among threads is one access, which QEMU calls a store. */
static bool is_exchange(const struct flight *f)
{
	return f->insn->locked && f->end - f->accesses == 1;
}

/* QEMU does in two halves what is of 16 bytes. */
static bool is_half(const struct flight *f, const uint64_t *word)
{
	return f->insn->bytes > 8 && word > f->accesses &&
	       *word == word[-1] + 8;
}

static uint64_t load_all(struct core *core, struct flight *f)
{
	uint64_t done = f->dispatch + 1;

	for (const uint64_t *w = f->accesses; w < f->end; w++)
		if ((!trace_is_store(*w) || is_exchange(f)) && !is_half(f, w))
			done = later(done, load(core, f, trace_address(*w)));
	return done;
}

static uint64_t store_all(struct core *core, struct flight *f)
{
	uint64_t done = f->done;

	for (const uint64_t *w = f->accesses; w < f->end; w++)
		if (trace_is_store(*w) && !is_half(f, w))
			done = later(done, store(core, f, trace_address(*w)));
	return done;
}

/* A unit that takes nothing new until it is done. */
static uint64_t divide(uint64_t *busy, uint64_t cycle, uint64_t latency)
{
	cycle = later(cycle, *busy);
	*busy = cycle + latency;
	return cycle;
}

static uint64_t compute(struct core *core, const struct insn *insn,
			uint64_t cycle)
{
	static const unsigned ports[UNITS] = {
		[UNIT_ALU] = PORTS_ALU,
		[UNIT_MULTIPLY] = PORTS_MULTIPLY,
		[UNIT_DIVIDE] = PORTS_DIVIDE,
		[UNIT_FLOAT] = PORTS_FLOAT,
		[UNIT_FLOAT_DIVIDE] = PORTS_DIVIDE,
		[UNIT_BRANCH] = PORTS_BRANCH,
	};

	if (insn->unit == UNIT_NONE)
		return cycle;
	if (insn->unit == UNIT_DIVIDE)
		cycle = divide(&core->divider, cycle, insn->latency);
	else if (insn->unit == UNIT_FLOAT_DIVIDE)
		cycle = divide(&core->float_divider, cycle, insn->latency);
	return ports_take(&core->ports, ports[insn->unit], cycle) +
	       insn->latency;
}

/* Sets f->done: the results are there, and nothing is left to wait for. */
static void execute(struct core *core, struct flight *f)
{
	const struct insn *insn = f->insn;
	uint64_t begin = f->dispatch + 1, operands, results;

	if (insn->locked)
		begin = later(begin, core->retire_cycle);
	f->address_ready = registers_ready(core, insn->address_regs,
					   insn->naddress, begin);
	operands = registers_ready(core, insn->reads, insn->nreads, begin);
	if (f->accesses < f->end)
		operands = later(operands, load_all(core, f));
	else
		operands = later(operands, f->address_ready);
	results = insn->computes ? compute(core, insn, operands) : operands;
	f->done = results;
	if (f->accesses < f->end)
		f->done = store_all(core, f);
	if (insn->locked)
		core->unlocked = f->done;
	for (int i = 0; i < insn->nwrites; i++)
		core->ready[insn->writes[i]] = results;
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
	core->retire_cycle = cycle;
	core->retired_in_cycle = 0;
}

static void retire(struct core *core, struct flight *f)
{
	uint64_t cycle = later(f->done + 1, core->retire_cycle);

	if (cycle == core->retire_cycle &&
	    core->retired_in_cycle == core->options->width)
		cycle++;
	if (cycle > core->retire_cycle)
		pass_time(core, f->insn, cycle);
	core->retired_in_cycle++;
	core->retire[core->sequence % IN_FLIGHT] = cycle;
	pmu_retire(&core->pmu, f->insn, cycle);
	if (!f->again)
		pmu_count(&core->pmu, SOURCE_INST, 1, cycle, f->insn);
}

static void step(struct core *core, struct flight *f)
{
	bool watched = !f->again && pmu_watches(&core->pmu);

	f->dispatch = dispatch(core, f->insn);
	execute(core, f);
	retire(core, f);
	core->sequence++;
	if (watched) {
		f->seen.insn = f->insn;
		f->seen.sequence = core->pmu.total[SOURCE_IBS];
		f->seen.dispatched = f->dispatch;
		f->seen.retired = core->retire_cycle;
		pmu_watched(&core->pmu, &f->seen);
	}
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

static void enter(struct core *core, const struct block *block)
{
	if (core->previous && block_last(core->previous)->flow != FLOW_NEXT)
		follow(core, block_last(core->previous), block->address);
}

/* Returns the word behind the block's. */
static const uint64_t *run_block(struct core *core, const uint64_t *word,
				 const uint64_t *end)
{
	const struct block *block = trace_block(*word++);
	bool again = core->previous && block_repeats(core->previous, block);

	enter(core, block);
	for (int i = 0; i < block->size; i++) {
		struct flight f = { .insn = &block->insns[i],
				    .accesses = word,
				    .again = again && i == 0 };

		while (word < end && !trace_is_block(*word) &&
		       trace_insn(*word) == (unsigned)i)
			word++;
		f.end = word;
		step(core, &f);
		core->resolved = f.done;
	}
	core->previous = block;
	while (word < end && !trace_is_block(*word))
		word++;
	return word;
}

void core_run(struct core *core, const uint64_t *words, size_t nwords)
{
	const uint64_t *end = words + nwords;

	while (words < end)
		words = run_block(core, words, end);
}
