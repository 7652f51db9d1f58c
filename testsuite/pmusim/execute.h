/*
 * execute.h - the part of a core between dispatch and retirement: registers,
 * ports, loads and stores.
 *
 *	struct flight f = { .insn = insn, .accesses = word, .end = word + 1 };
 *	f.dispatch = ...;
 *	execute(core, &f, KIND_MEMORY);
 *	// f.done
 *
 * It is inlined once for each kind of instruction, with the kind a constant:
 * what is rare then costs nothing where it cannot be.
 *
 * Units      Cycles.
 * Range      Only for core.c.
 */
#ifndef PMUSIM_EXECUTE_H
#define PMUSIM_EXECUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "testsuite/pmusim/branch.h"
#include "testsuite/pmusim/code.h"
#include "testsuite/pmusim/counter.h"
#include "testsuite/pmusim/memory.h"
#include "testsuite/pmusim/options.h"
#include "testsuite/pmusim/ports.h"
#include "testsuite/pmusim/trace.h"

#define INLINE static inline __attribute__((__always_inline__))

enum { FORWARDS = 512, FORWARD_LATENCY = 5 };

/* The last store to some 4 bytes, all or some of them. */
struct forward {
	uint64_t address;
	uint64_t ready; /* its data is there */
	uint32_t sequence;
	uint32_t size;
};

struct core {
	/* The options of these names. */
	uint64_t fetch, depth, rob, width;

	/* Fetch. */
	uint64_t fetch_cycle, fetch_line;
	uint64_t fetch_left; /* places in this cycle */

	/* Execution. */
	uint64_t ready[REGISTER_UNREAD + 1]; /* a register's value */
	uint64_t unlocked;		     /* loads may begin */
	uint64_t divider, float_divider;     /* busy until */
	struct forward forwards[FORWARDS];
	struct ports ports;

	/* Retirement. */
	uint64_t begin, retire_cycle, retired_in_cycle;
	uint64_t groups, fours; /* cycles in which any did, or four */

	/* The branch that ended the last block. */
	const struct block *previous;
	uint64_t resolved;

	const struct state *states; /* TRACE_STATES; NULL: no registers */
	uint64_t nstates;	    /* of all blocks so far */

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
	struct ibs seen;
};

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

INLINE uint64_t registers_ready(const struct core *core, const uint8_t *list,
				int n, uint64_t cycle)
{
	for (int i = 0; i < n; i++)
		cycle = later(cycle, core->ready[list[i]]);
	return cycle;
}

static inline struct forward *forward_at(struct core *core, uint64_t address)
{
	return &core->forwards[(address >> 2) % FORWARDS];
}

/* Is the load of bytes that a store in flight has? */
INLINE bool is_in_flight(const struct core *core, const struct forward *f,
			 uint64_t address, uint64_t size)
{
	return (uint32_t)core->pmu.nretired - f->sequence <= core->rob &&
	       f->address < address + size && address < f->address + f->size;
}

/*
 * Data that is still on its way to the cache comes from the stores themselves,
 * those of the same bytes: what is beside them need not wait.
 */
INLINE bool forward(struct core *core, uint64_t address, uint64_t size,
		    uint64_t *cycle)
{
	uint64_t ready = *cycle;
	bool found = false;

	for (uint64_t at = address & ~3; at < address + size; at += 4) {
		const struct forward *f = forward_at(core, at);

		if (is_in_flight(core, f, address, size)) {
			ready = later(ready, f->ready);
			found = true;
		}
	}
	if (found)
		*cycle = ready + FORWARD_LATENCY;
	return found;
}

static __attribute__((__noinline__)) void count_misses(struct core *core,
						       const struct insn *insn,
						       struct access access,
						       uint64_t cycle)
{
	if (access.walked)
		pmu_count(&core->pmu, SOURCE_DTLB, 1, cycle, insn);
	if (access.missed_l1)
		pmu_count(&core->pmu, SOURCE_L1D, 1, cycle, insn);
	if (access.missed_l2)
		pmu_count(&core->pmu, SOURCE_L2, 1, cycle, insn);
}

INLINE void count_access(struct core *core, struct flight *f,
			 struct access access, uint64_t cycle, enum kind kind)
{
	if (access.walked | access.missed_l1)
		count_misses(core, f->insn, access, cycle);
	if (kind != KIND_RARE)
		return;
	f->seen.walked |= access.walked;
	f->seen.missed_l1 |= access.missed_l1;
	f->seen.missed_l2 |= access.missed_l2;
}

INLINE void see_latency(struct flight *f, uint64_t latency, enum kind kind)
{
	if (kind == KIND_RARE)
		f->seen.load_latency = latency;
}

INLINE uint64_t load(struct core *core, struct flight *f, uint64_t address,
		     enum kind kind)
{
	uint64_t cycle = ports_take(&core->ports, PORTS_LOAD,
				    later(f->address_ready, core->unlocked));
	uint64_t forwarded = cycle;
	struct access access;

	if (forward(core, address, f->insn->bytes, &forwarded)) {
		see_latency(f, forwarded - cycle, kind);
		return forwarded;
	}
	access = memory_load(&core->memory, address, cycle);
	count_access(core, f, access, cycle, kind);
	see_latency(f, later(f->seen.load_latency, access.done - cycle), kind);
	return access.done;
}

/* Both halves of a store: the address now, the data when it is computed. */
INLINE uint64_t store(struct core *core, struct flight *f, uint64_t address,
		      enum kind kind)
{
	uint64_t cycle =
		ports_take(&core->ports, PORTS_STORE, f->address_ready);
	struct access access = memory_store(&core->memory, address, cycle);
	struct forward stored = { address, later(cycle, f->done),
				  core->pmu.nretired, f->insn->bytes };

	count_access(core, f, access, cycle, kind);
	for (uint64_t at = address & ~3; at < address + stored.size; at += 4)
		*forward_at(core, at) = stored;
	return access.done;
}

/* An exchange among threads is one access, which QEMU calls a store. */
INLINE bool is_exchange(const struct flight *f)
{
	return f->insn->locked && f->end - f->accesses == 1;
}

/* QEMU does in two halves what is of 16 bytes. */
INLINE bool is_half(const struct flight *f, const uint64_t *word)
{
	return f->insn->bytes > 8 && word > f->accesses &&
	       *word == word[-1] + 8;
}

INLINE uint64_t load_all(struct core *core, struct flight *f, enum kind kind)
{
	uint64_t done = f->dispatch + 1;

	for (const uint64_t *w = f->accesses; w < f->end; w++)
		if ((!trace_is_store(*w) ||
		     (kind == KIND_RARE && is_exchange(f))) &&
		    !is_half(f, w))
			done = later(done,
				     load(core, f, trace_address(*w), kind));
	return done;
}

INLINE uint64_t store_all(struct core *core, struct flight *f, enum kind kind)
{
	uint64_t done = f->done;

	for (const uint64_t *w = f->accesses; w < f->end; w++)
		if (trace_is_store(*w) && !is_half(f, w))
			done = later(done,
				     store(core, f, trace_address(*w), kind));
	return done;
}

/* A unit that takes nothing new until it is done. */
static uint64_t divide(uint64_t *busy, uint64_t cycle, uint64_t latency)
{
	cycle = later(cycle, *busy);
	*busy = cycle + latency;
	return cycle;
}

INLINE uint64_t compute(struct core *core, const struct insn *insn,
			uint64_t cycle, enum kind kind)
{
	if (!insn->ports)
		return cycle;
	if (kind == KIND_RARE && insn->unit == UNIT_DIVIDE)
		cycle = divide(&core->divider, cycle, insn->latency);
	else if (kind == KIND_RARE && insn->unit == UNIT_FLOAT_DIVIDE)
		cycle = divide(&core->float_divider, cycle, insn->latency);
	return ports_take(&core->ports, insn->ports, cycle) + insn->latency;
}

INLINE void set_ready(struct core *core, const struct insn *insn,
		      uint64_t cycle, enum kind kind)
{
	core->ready[insn->writes[0]] = cycle;
	core->ready[insn->writes[1]] = cycle;
	if (kind == KIND_REGISTERS)
		return;
	core->ready[insn->writes[2]] = cycle;
	if (kind == KIND_RARE)
		core->ready[insn->writes[3]] = cycle;
}

/* Sets f->done: the results are there, and nothing is left to wait for. */
INLINE void execute(struct core *core, struct flight *f, enum kind kind)
{
	const struct insn *insn = f->insn;
	uint64_t begin = f->dispatch + 1, operands, results;
	bool rare = kind == KIND_RARE;

	if (rare && insn->locked)
		begin = later(begin, core->retire_cycle);
	operands = registers_ready(core, insn->reads,
				   rare ? INSN_READS : USUAL_READS, begin);
	if (kind != KIND_REGISTERS)
		f->address_ready =
			registers_ready(core, insn->address_regs,
					rare ? INSN_READS : USUAL_ADDRESS,
					begin);
	if (f->accesses < f->end)
		operands = later(operands, load_all(core, f, kind));
	results = compute(core, insn, operands, kind);
	f->done = results;
	if (f->accesses < f->end)
		f->done = store_all(core, f, kind);
	if (rare && insn->locked)
		core->unlocked = f->done;
	set_ready(core, insn, results, kind);
}

#endif
