/*
 * options.h - what the simulation is told: out=NAME,model=0,skid=10,...
 *
 *	struct options options;
 *	if (!options_parse(&options, argc, argv, err))
 *		...
 *	options_clear(&options);
 *
 * "event=NAME/PERIOD[/FLAG]..." may be given several times; the flags are
 *
 *	rand=MASK	the next period is PERIOD + (a random number & MASK)
 *	pebs		precise: armed by the overflow, takes the next event
 *	lag		the address reported is the next instruction's
 *	burst=N		N events in a row are taken, then PERIOD are not
 *	steps=N		of cycles: the taken branches of the next N instructions
 *	pair=N		IBS_OP: a second instruction up to N behind the first
 *	skid=N jitter=N	of this event; otherwise the options of that name
 *
 * Units      Cycles, entries, bytes as the names in options.c say.
 * Ownership  The options own copies of all texts.
 * Errors     Unknown names, and numbers out of range.
 */
#ifndef PMUSIM_OPTIONS_H
#define PMUSIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct fdo_error;

/* What can be counted. */
enum source {
	SOURCE_INST,   /* an instruction retires */
	SOURCE_INST_0, /* a cycle in which none does */
	SOURCE_INST_4, /* a cycle in which four or more do */
	SOURCE_CYCLES,
	SOURCE_DTLB, /* a load or store whose page is in no TLB */
	SOURCE_L1I,
	SOURCE_L1D,
	SOURCE_L2,
	SOURCE_MISPREDICT,
	SOURCE_BRANCH, /* a taken branch retires */
	SOURCE_CALL,   /* a call retires */
	SOURCE_IBS, /* an instruction is dispatched, and watched from there */
	SOURCES
};

struct event_option {
	char *name;
	enum source source;
	uint64_t period, rand, burst, steps, pair, skid, jitter;
	bool pebs, lag;
};

enum { EVENTS_MAX = 128, LBR_MAX = 32, STEPS_MAX = 2000 };

struct options {
	char *out;
	uint64_t model, seed;
	struct event_option events[EVENTS_MAX];
	int nevents;

	uint64_t skid, jitter, restart, lag, lbr, registers;
	uint64_t fetch, width, rob, depth, mispredict;
	uint64_t l1i_kb, l1d_kb, l2_kb, l3_kb;
	uint64_t l1_latency, l2_latency, l3_latency, memory_latency;
	uint64_t dtlb, stlb, stlb_latency, prefetch;
	uint64_t gshare_bits, indirect_bits, return_stack;
};

/* Its samples name where an interrupt is, and registers are of that moment. */
static inline bool event_interrupts(const struct event_option *event)
{
	return !event->pebs && !event->burst && !event->steps &&
	       event->source != SOURCE_IBS;
}

bool options_parse(struct options *ret, int argc, char **argv,
		   struct fdo_error *err);
void options_clear(struct options *options);

#endif
