/*
 * counter.h - the performance counters of a core: they count, overflow,
 * and a while later a sample names an instruction.
 *
 *	struct pmu pmu;
 *	pmu_init(&pmu, &options, output, thread_number);
 *	...
 *	pmu_count(&pmu, SOURCE_DTLB, 1, cycle, insn);
 *	pmu_retire(&pmu, insn, cycle);
 *
 * An overflow at cycle c asks for an interrupt at T = c + skid + jitter.  It
 * reports the oldest instruction that retires after T: so what waits long at
 * the head of the reorder buffer is reported often, and what retires with an
 * older one never.  An event that counts when it executes may overflow while
 * older instructions wait; then that is one of those.  With registers, such a
 * sample has those before the instruction that it names, as the interrupt finds
 * them.  One of another kind has none: what perf says of them is of a later
 * moment than the address.
 *
 * A burst of steps, as samplefdo step makes them, begins where the overflow is and
 * ends with the first taken branch behind so many instructions.  It is a row of
 * samples of the cycle when it began, the last branch of one being the first of the
 * next one.
 *
 * Units      Cycles of the core.
 * Range      Retirement comes in order, with cycles that never fall.
 * Ownership  The pmu borrows the options and the output, and each state until
 *            RETIRED more have retired.
 */
#ifndef PMUSIM_COUNTER_H
#define PMUSIM_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "testsuite/pmusim/options.h"

struct insn;
struct output;
struct state;

enum {
	RETIRED = 1024,	 /* remembered, more than can be in flight */
	BRANCHES = 4096, /* likewise, and an LBR or a burst of steps more */
	PENDING = 64,
};

/* What a last-branch record has. */
struct branch_record {
	uint64_t from, to;
	uint64_t retired; /* instructions before it, and itself */
	bool mispredicted;
};

/* What instruction-based sampling says of an instruction. */
struct ibs {
	const struct insn *insn;
	uint64_t sequence;
	uint64_t dispatched, retired, load_latency;
	bool walked, missed_l1, missed_l2;
};

struct counter {
	const struct event_option *option;
	uint64_t next;	 /* overflow when the source's total is this */
	uint64_t period; /* of the sample that is under way */
	uint64_t random;
	uint64_t burst_left;
	uint64_t
		steps_end; /* of a burst of steps, when so many retired; 0: none */
	uint64_t steps_begun,
		first_step; /* cycle, and number of its first branch */
	bool stopped;	    /* until the interrupt */
	bool armed;	    /* pebs: the next event is taken */
	struct ibs first;   /* of a pair, if it has an instruction */
};

struct pending {
	uint64_t at; /* reported is what retires after this */
	int counter;
	uint64_t period;
};

struct retired {
	const struct insn *insn;
	uint64_t cycle;
};

struct pmu {
	uint64_t total[SOURCES], nearest[SOURCES];
	uint64_t quiet; /* pmu_quiet_until(), or 0: not known */
	struct counter counters[EVENTS_MAX];
	int ncounters;

	struct pending pending[PENDING]; /* by cycle */
	int npending;
	uint64_t first_pending;		 /* its cycle, or UINT64_MAX */
	struct pending lagging[PENDING]; /* for the next instruction */
	int nlagging;
	uint64_t lost; /* more than PENDING at once */

	struct retired retired[RETIRED];
	const struct state *states[RETIRED]; /* before each; or NULL */
	uint64_t nretired;
	struct branch_record branches[BRANCHES];
	uint64_t nbranches;
	uint64_t steps_end; /* of the first burst of steps that ends */
	bool records;	    /* somebody wants branches */

	const struct options *options;
	struct output *output;
	uint32_t thread;
};

void pmu_init(struct pmu *pmu, const struct options *options,
	      struct output *output, uint32_t thread);

/* The rare rest of pmu_count() and pmu_retire(). */
void pmu_overflow(struct pmu *pmu, enum source source, uint64_t cycle,
		  const struct insn *insn);
void pmu_deliver(struct pmu *pmu, const struct insn *insn, uint64_t cycle);

/* n events, the last of them at this cycle and by this instruction. */
static inline void pmu_count(struct pmu *pmu, enum source source, uint64_t n,
			     uint64_t cycle, const struct insn *insn)
{
	pmu->total[source] += n;
	if (pmu->total[source] >= pmu->nearest[source])
		pmu_overflow(pmu, source, cycle, insn);
}

/* The instruction is part of the past. */
static inline void pmu_remember(struct pmu *pmu, const struct insn *insn,
				uint64_t cycle)
{
	pmu->retired[pmu->nretired++ % RETIRED] =
		(struct retired){ insn, cycle };
}

/* The state before the instruction that retires next. */
static inline void pmu_know(struct pmu *pmu, const struct state *state)
{
	pmu->states[pmu->nretired % RETIRED] = state;
}

/* When the instruction with this number, of the last RETIRED, retired. */
static inline uint64_t pmu_retired_at(const struct pmu *pmu, uint64_t number)
{
	return pmu->retired[number % RETIRED].cycle;
}

/* After samples that waited for it. */
static inline void pmu_retire(struct pmu *pmu, const struct insn *insn,
			      uint64_t cycle)
{
	if (pmu->first_pending < cycle || pmu->nlagging)
		pmu_deliver(pmu, insn, cycle);
	pmu_remember(pmu, insn, cycle);
}

/*
 * Until this cycle, no counter of cycles overflows and no sample waits for a
 * retirement: as far ahead as can be said without counting.
 */
uint64_t pmu_quiet_until(const struct pmu *pmu, uint64_t cycle);

/* Are n instructions too few for anything to happen but at its cycle? */
static inline bool pmu_allows(const struct pmu *pmu, uint64_t n)
{
	return !pmu->npending && !pmu->nlagging &&
	       pmu->total[SOURCE_INST] + n < pmu->nearest[SOURCE_INST] &&
	       pmu->total[SOURCE_IBS] + n < pmu->nearest[SOURCE_IBS];
}

/* Of the bursts of steps that end with this branch: their samples. */
void pmu_end_steps(struct pmu *pmu);

/* A branch was taken. */
static inline void pmu_branch(struct pmu *pmu, uint64_t from, uint64_t to,
			      bool mispredicted)
{
	if (!pmu->records)
		return;
	pmu->branches[pmu->nbranches++ % BRANCHES] =
		(struct branch_record){ from, to, pmu->nretired, mispredicted };
	if (pmu->nretired >= pmu->steps_end)
		pmu_end_steps(pmu);
}

/* Will the instruction dispatched next be watched? */
static inline bool pmu_watches(struct pmu *pmu)
{
	return ++pmu->total[SOURCE_IBS] >= pmu->nearest[SOURCE_IBS];
}

/* This is what was seen of it. */
void pmu_watched(struct pmu *pmu, const struct ibs *ibs);

#endif
