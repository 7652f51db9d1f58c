/*
 * counter.c - thresholds rather than counters: a source has one total, and
 * each event of it the total at which it overflows next, so that any number
 * of events cost one comparison.
 *
 * A period is counted from one overflow to the next, since perf corrects what
 * was counted until the interrupt.  With restart=1 it is counted from the
 * interrupt, as older tools and PEBS did: then the skid, which depends on
 * where the program is, decides where the next sample will be, and fixed
 * periods fall into step with loops (CGO 2010 section 3.2).
 */
#include "testsuite/pmusim/counter.h"

#include <string.h>

#include "testsuite/pmusim/code.h"
#include "testsuite/pmusim/output.h"

/* xorshift64*: never 0. */
static uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1d >> 16;
}

static uint64_t random_state(uint64_t seed, uint32_t thread, int counter)
{
	uint64_t state = seed * 0x9e3779b97f4a7c15 + thread * 0x100000001b3 +
			 counter + 1;

	state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
	state = (state ^ state >> 27) * 0x94d049bb133111eb;
	return state ? state : 1;
}

static uint64_t new_period(struct counter *c)
{
	uint64_t rand = c->option->rand;

	return c->option->period + (rand ? random_next(&c->random) & rand : 0);
}

static void find_nearest(struct pmu *pmu, enum source source)
{
	uint64_t nearest = UINT64_MAX;

	for (int i = 0; i < pmu->ncounters; i++) {
		const struct counter *c = &pmu->counters[i];

		if (c->option->source == source && c->next < nearest)
			nearest = c->next;
	}
	pmu->nearest[source] = nearest;
}

void pmu_init(struct pmu *pmu, const struct options *options,
	      struct output *output, uint32_t thread)
{
	memset(pmu, 0, sizeof(*pmu));
	pmu->options = options;
	pmu->output = output;
	pmu->thread = thread;
	pmu->ncounters = options->nevents;
	pmu->first_pending = pmu->steps_end = UINT64_MAX;
	pmu->records = options->lbr != 0;
	for (int i = 0; i < options->nevents; i++) {
		struct counter *c = &pmu->counters[i];

		c->option = &options->events[i];
		pmu->records |= c->option->steps != 0;
		c->random = random_state(options->seed, thread, i);
		c->next = c->period = new_period(c);
	}
	for (int i = 0; i < SOURCES; i++)
		find_nearest(pmu, i);
}

/* The last branches before the number "end", latest first. */
static void add_branches(struct pmu *pmu, uint64_t end, struct sample *sample)
{
	uint64_t n = pmu->options->lbr;

	if (n > end)
		n = end;
	for (uint64_t i = 0; i < n; i++)
		sample->branches[i] = pmu->branches[(end - 1 - i) % BRANCHES];
	sample->nbranches = n;
}

/* As an interrupt finds it; "number" counts retired instructions. */
static const struct state *state_before(const struct pmu *pmu, int counter,
					uint64_t number)
{
	const struct event_option *event = pmu->counters[counter].option;

	return event_interrupts(event) ? pmu->states[number % RETIRED] : NULL;
}

static void emit(struct pmu *pmu, int counter, uint64_t period,
		 const struct insn *insn, uint64_t cycle,
		 const struct state *state, uint64_t nbranches)
{
	struct sample sample = {
		.event = counter,
		.thread = pmu->thread,
		.time = cycle,
		.ip = insn->address,
		.period = period,
		.state = state,
	};

	add_branches(pmu, nbranches, &sample);
	output_sample(pmu->output, &sample);
}

static void begin_period(struct counter *c)
{
	c->period = new_period(c);
	c->next += c->period;
}

/* After an overflow: at once, or when the interrupt comes. */
static void begin_or_stop(struct pmu *pmu, struct counter *c)
{
	if (pmu->options->restart) {
		c->stopped = true;
		c->next = UINT64_MAX;
	} else {
		begin_period(c);
	}
}

/* The interrupt came some cycles ago. */
static void restart(struct pmu *pmu, int counter, uint64_t ago)
{
	struct counter *c = &pmu->counters[counter];
	enum source source = c->option->source;

	if (!c->stopped)
		return;
	c->stopped = false;
	c->next = pmu->total[source];
	if (source == SOURCE_CYCLES && ago < c->next)
		c->next -= ago;
	begin_period(c);
	find_nearest(pmu, source);
}

static void wait_for_next(struct pmu *pmu, struct pending pending)
{
	if (pmu->nlagging == PENDING)
		pmu->lost++;
	else
		pmu->lagging[pmu->nlagging++] = pending;
}

static bool lags(const struct pmu *pmu, int counter)
{
	return pmu->options->lag || pmu->counters[counter].option->lag;
}

/* Branches before the one of this number retired. */
static uint64_t branches_before(const struct pmu *pmu, uint64_t number)
{
	uint64_t n = pmu->nbranches;

	while (n && pmu->branches[(n - 1) % BRANCHES].retired > number)
		n--;
	return n;
}

/* The interrupt has found its instruction; "number" counts retired ones. */
static void report(struct pmu *pmu, struct pending pending, uint64_t number)
{
	const struct retired *r;

	if (lags(pmu, pending.counter))
		number++;
	if (number >= pmu->nretired) {
		wait_for_next(pmu, pending);
		return;
	}
	r = &pmu->retired[number % RETIRED];
	emit(pmu, pending.counter, pending.period, r->insn, r->cycle,
	     state_before(pmu, pending.counter, number),
	     branches_before(pmu, number));
}

/* The oldest instruction that retired after a cycle; one did. */
static uint64_t oldest_after(const struct pmu *pmu, uint64_t cycle)
{
	uint64_t low = pmu->nretired < RETIRED ? 0 : pmu->nretired - RETIRED;
	uint64_t high = pmu->nretired - 1;

	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (pmu->retired[middle % RETIRED].cycle > cycle)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void pend(struct pmu *pmu, struct pending pending)
{
	int i = pmu->npending;

	if (i == PENDING) {
		pmu->lost++;
		restart(pmu, pending.counter, 0);
		return;
	}
	for (; i > 0 && pmu->pending[i - 1].at > pending.at; i--)
		pmu->pending[i] = pmu->pending[i - 1];
	pmu->pending[i] = pending;
	pmu->npending++;
	pmu->first_pending = pmu->pending[0].at;
}

static void interrupt(struct pmu *pmu, int counter, uint64_t period,
		      uint64_t at)
{
	struct pending pending = { at, counter, period };

	if (pmu->nretired &&
	    pmu->retired[(pmu->nretired - 1) % RETIRED].cycle > at) {
		report(pmu, pending, oldest_after(pmu, at));
		restart(pmu, counter, 0);
	} else {
		pend(pmu, pending);
	}
}

static uint64_t delay(struct counter *c)
{
	uint64_t jitter = c->option->jitter;

	return c->option->skid +
	       (jitter ? random_next(&c->random) % (jitter + 1) : 0);
}

/* This very instruction, with all branches before it. */
static void take(struct pmu *pmu, int counter, const struct insn *insn,
		 uint64_t cycle)
{
	struct counter *c = &pmu->counters[counter];

	if (lags(pmu, counter))
		wait_for_next(pmu,
			      (struct pending){ cycle, counter, c->period });
	else
		emit(pmu, counter, c->period, insn, cycle, NULL,
		     pmu->nbranches);
}

/* A sample of a burst stands for its share of what is between bursts. */
static void overflow_in_burst(struct pmu *pmu, int counter,
			      const struct insn *insn, uint64_t cycle)
{
	struct counter *c = &pmu->counters[counter];
	uint64_t n = c->option->burst;

	if (!c->burst_left)
		c->burst_left = n;
	c->period = (c->option->period + c->option->rand / 2 + n - 1) / n;
	take(pmu, counter, insn, cycle);
	if (--c->burst_left)
		c->next++;
	else
		begin_period(c);
}

/* The instruction is found when the interrupt comes. */
static void overflow_late(struct pmu *pmu, int counter, uint64_t at)
{
	uint64_t period = pmu->counters[counter].period;

	begin_or_stop(pmu, &pmu->counters[counter]);
	interrupt(pmu, counter, period, at);
}

static void overflow_precise(struct pmu *pmu, int counter,
			     const struct insn *insn, uint64_t cycle)
{
	struct counter *c = &pmu->counters[counter];

	if (c->option->source == SOURCE_INST) {
		overflow_late(pmu, counter, cycle);
	} else if (!c->armed) {
		c->armed = true;
		c->next++;
	} else {
		take(pmu, counter, insn, cycle);
		c->armed = false;
		begin_period(c);
		c->next--;
	}
}

/* One at a time: what overflows in a burst is left out. */
static void begin_steps(struct pmu *pmu, struct counter *c, uint64_t cycle)
{
	begin_period(c);
	if (c->steps_end)
		return;
	c->steps_begun = cycle;
	c->first_step = pmu->nbranches;
	c->steps_end = pmu->nretired + c->option->steps;
	if (c->steps_end < pmu->steps_end)
		pmu->steps_end = c->steps_end;
}

/* Branches with the numbers from "first" to "last". */
static void emit_steps(struct pmu *pmu, int counter, uint64_t first,
		       uint64_t last)
{
	const struct branch_record *newest = &pmu->branches[last % BRANCHES];
	struct sample sample = {
		.event = counter,
		.thread = pmu->thread,
		.time = pmu->counters[counter].steps_begun,
		.ip = newest->to,
		.period = last - first,
		.nbranches = last - first + 1,
	};

	for (int i = 0; i < sample.nbranches; i++)
		sample.branches[i] = pmu->branches[(last - i) % BRANCHES];
	output_sample(pmu->output, &sample);
}

static void end_steps(struct pmu *pmu, int counter)
{
	struct counter *c = &pmu->counters[counter];
	uint64_t first = c->first_step, end = pmu->nbranches - 1;

	while (first < end) {
		uint64_t last = first + LBR_MAX - 1;

		last = last < end ? last : end;
		emit_steps(pmu, counter, first, last);
		first = last;
	}
	c->steps_end = 0;
}

void pmu_end_steps(struct pmu *pmu)
{
	pmu->steps_end = UINT64_MAX;
	for (int i = 0; i < pmu->ncounters; i++) {
		struct counter *c = &pmu->counters[i];

		if (c->steps_end && c->steps_end <= pmu->nretired)
			end_steps(pmu, i);
		if (c->steps_end && c->steps_end < pmu->steps_end)
			pmu->steps_end = c->steps_end;
	}
}

static void overflow_one(struct pmu *pmu, int counter, const struct insn *insn,
			 uint64_t cycle)
{
	struct counter *c = &pmu->counters[counter];

	if (c->option->steps) {
		begin_steps(pmu, c, cycle);
	} else if (c->option->burst) {
		overflow_in_burst(pmu, counter, insn, cycle);
	} else if (c->option->pebs) {
		overflow_precise(pmu, counter, insn, cycle);
	} else {
		overflow_late(pmu, counter, cycle + delay(c));
	}
}

/* Only of cycles do several count at once: each at its own time. */
void pmu_overflow(struct pmu *pmu, enum source source, uint64_t cycle,
		  const struct insn *insn)
{
	uint64_t total = pmu->total[source];

	for (int i = 0; i < pmu->ncounters; i++) {
		struct counter *c = &pmu->counters[i];

		while (c->option->source == source && c->next <= total)
			overflow_one(pmu, i, insn, cycle - (total - c->next));
	}
	find_nearest(pmu, source);
	pmu->quiet = 0;
}

/* In no cycle is more than one counted of what counts cycles. */
uint64_t pmu_quiet_until(const struct pmu *pmu, uint64_t cycle)
{
	static const enum source sources[] = { SOURCE_CYCLES, SOURCE_INST_0,
					       SOURCE_INST_4 };
	uint64_t room = UINT64_MAX - cycle;

	if (pmu->nlagging)
		return 0;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		enum source source = sources[i];

		if (pmu->nearest[source] - pmu->total[source] < room)
			room = pmu->nearest[source] - pmu->total[source];
	}
	return pmu->first_pending < cycle + room ? pmu->first_pending + 1
						 : cycle + room;
}

/* Named is the instruction that is about to retire. */
static void emit_next(struct pmu *pmu, struct pending pending,
		      const struct insn *insn, uint64_t cycle)
{
	emit(pmu, pending.counter, pending.period, insn, cycle,
	     state_before(pmu, pending.counter, pmu->nretired), pmu->nbranches);
}

static void deliver_lagging(struct pmu *pmu, const struct insn *insn,
			    uint64_t cycle)
{
	for (int i = 0; i < pmu->nlagging; i++)
		emit_next(pmu, pmu->lagging[i], insn, cycle);
	pmu->nlagging = 0;
}

/* The instruction is about to retire, and in no list yet. */
void pmu_deliver(struct pmu *pmu, const struct insn *insn, uint64_t cycle)
{
	int n = 0;

	deliver_lagging(pmu, insn, cycle);
	for (; n < pmu->npending && pmu->pending[n].at < cycle; n++) {
		restart(pmu, pmu->pending[n].counter,
			cycle - pmu->pending[n].at);
		if (lags(pmu, pmu->pending[n].counter))
			wait_for_next(pmu, pmu->pending[n]);
		else
			emit_next(pmu, pmu->pending[n], insn, cycle);
	}
	pmu->npending -= n;
	memmove(pmu->pending, pmu->pending + n,
		pmu->npending * sizeof(*pmu->pending));
	pmu->first_pending = pmu->npending ? pmu->pending[0].at : UINT64_MAX;
}

static void emit_watched(struct pmu *pmu, int counter, const struct ibs *first,
			 const struct ibs *second)
{
	struct sample sample = {
		.event = counter,
		.thread = pmu->thread,
		.time = first->retired,
		.ip = first->insn->address,
		.period = pmu->counters[counter].period,
		.watched = first,
		.second = second,
	};

	add_branches(pmu, pmu->nbranches, &sample);
	output_sample(pmu->output, &sample);
}

static void watched_by(struct pmu *pmu, int counter, const struct ibs *ibs)
{
	struct counter *c = &pmu->counters[counter];
	uint64_t pair = c->option->pair;

	if (pair && !c->first.insn) {
		c->first = *ibs;
		c->next = ibs->sequence + 1 + random_next(&c->random) % pair;
		return;
	}
	if (pair)
		emit_watched(pmu, counter, &c->first, ibs);
	else
		emit_watched(pmu, counter, ibs, NULL);
	c->next = pair ? c->first.sequence : ibs->sequence;
	c->first.insn = NULL;
	begin_period(c);
	if (c->next <= ibs->sequence)
		c->next = ibs->sequence + 1;
}

void pmu_watched(struct pmu *pmu, const struct ibs *ibs)
{
	for (int i = 0; i < pmu->ncounters; i++) {
		const struct counter *c = &pmu->counters[i];

		if (c->option->source == SOURCE_IBS && c->next <= ibs->sequence)
			watched_by(pmu, i, ibs);
	}
	find_nearest(pmu, SOURCE_IBS);
}
