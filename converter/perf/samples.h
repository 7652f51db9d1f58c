/*
 * samples.h - samples added up: by object, by address in it, and by event.
 *
 *	struct samples *s = samples_new(rules, nrules);
 *	if (!samples_read(s, "perf.data", err) ||
 *	    !samples_read(s, "-", err))		// any number of them
 *		return false;
 *	samples_finish(s);
 *	const struct samples_object *o = samples_object(s, "/usr/bin/app", NULL);
 *	// o->offsets[i], samples_count(s, o, i, event)
 *	samples_free(s);
 *
 * The order of the files does not change the result: events are sorted by name,
 * objects by path and build-id, addresses by offset.  Events of the same name
 * are one event, and objects of the same build-id are one, under the first of
 * their paths.  Memory depends on how many different addresses were sampled,
 * not on how often, and, while a file is read, on how many threads it has; what
 * bursts passed takes 24 MB at most for each object (passes.h).
 *
 * Units      An address is the byte's offset in the object's file, as mmap
 *            counts it; program headers turn it into an ELF address.  A
 *            period is in the event's unit, see struct samples_event.
 * Range      Only samples of user code in mapped files are in objects; totals
 *            say what became of the others.  Sums that would pass 64 bits
 *            stay at the largest number.  A sample of steps that stands
 *            for nothing, of a period of 0, tells of registers alone.
 * Ownership  samples_free() frees all of it; it accepts NULL.
 * Errors     Of the file that is read, with its name.  A file that fails may
 *            have been added in part: give up then.
 */
#ifndef CONVERTER_SAMPLES_H
#define CONVERTER_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/perf/perfdata.h"

struct branches_way;
struct event_rule;
struct fdo_error;

struct samples_event {
	const char *name; /* as perf prints it: "instructions:u" */
	const char *role; /* "inst", "cycles", ...: see events.h */
	bool nanoseconds; /* the periods are of time, not cycles */
	uint64_t samples; /* read */
	uint64_t mapped;  /* of these, in objects, and not stuck */
	uint64_t period;  /* sum over the samples read */
	uint64_t lost;	  /* samples known to be lost */
	bool unmeasured;  /* some have no period, and no rule gives one */
};

struct samples_count {
	uint64_t samples;
	uint64_t period; /* their sum */
};

/* Jumps or ranges, by from, then to: see branches.h. */
struct samples_ways {
	struct branches_way *ways;
	size_t n;
};

/*
 * What came of the instruction at an address, instead of a register: by samples
 * that are taken in time, and by those of other events, as of instructions.
 */
enum {
	SAMPLES_OUTCOME = PERFDATA_REGISTERS,
	SAMPLES_OUTCOME_OTHER,
	SAMPLES_NUMBERS
};

/* What a register had at an address, in so many samples. */
struct samples_value {
	uint64_t offset;
	uint8_t number; /* of the register, as in perfdata.h, or the outcome */
	bool other;	/* than those listed: of rare ones there were many */
	uint64_t value;
	uint64_t samples;
};

/* When code was first seen to run: see firsts.h. */
struct samples_first {
	uint64_t offset;
	uint64_t time;
};

/* What a burst of steps passed without a jump: see passes.h. */
struct samples_pass {
	uint64_t burst;
	uint32_t from, to; /* a jump at "to" */
	bool begin;	   /* of the burst: its first jump, from there */
};

struct samples_object {
	const char *path; /* as it was when mapped */
	struct fdo_build_id build_id;
	uint64_t samples; /* of all events */
	size_t naddresses;
	uint64_t *offsets;	      /* ascending */
	struct samples_count *counts; /* naddresses rows, one per event each */
	struct samples_ways *jumps, *ranges; /* one per event */
	struct samples_value *values;	     /* by offset, register, value */
	size_t nvalues;
	size_t nfirsts;
	struct samples_first *firsts; /* by offset */
	struct samples_pass *passes;  /* by burst */
	size_t npasses;
	uint64_t passes_part; /* of so many bursts, one is there */
};

/* What became of branch records. */
struct samples_stacks {
	uint64_t stacks;     /* histories of branches: samples, and bursts */
	uint64_t bursts;     /* of steps, each of several samples if long */
	uint64_t filtered;   /* with some of the branches: of no use */
	uint64_t records;    /* in stacks */
	uint64_t used;	     /* of these, with what ran before */
	uint64_t empty;	     /* without an address */
	uint64_t kernel;     /* from or to the kernel */
	uint64_t unmapped;   /* from or to what is in no file */
	uint64_t impossible; /* ranges that no program can run */
};

/* What became of the samples. */
struct samples_totals {
	uint64_t read;	    /* the sum of the next seven */
	uint64_t mapped;    /* in objects */
	uint64_t kernel;    /* kernel, hypervisor and guests, not taken */
	uint64_t anonymous; /* memory without a file: JIT, [vdso], stack */
	uint64_t unmapped;  /* no map at this address is known */
	uint64_t unknown;   /* of events that the file does not describe */
	uint64_t stuck;	    /* the thread had not got on: see stuck.h */
	uint64_t doubled;   /* of a second clock: samples_keep_all() */
	uint64_t faults;    /* page faults, which are beside the samples */
	uint64_t lost;	    /* records that perf says it lost */
	uint64_t throttled; /* times that the kernel stopped an event */
	uint64_t late;	    /* records out of order beyond repair */
	uint64_t files;
	/*
	 * Samples in objects with registers that were looked at: of a file
	 * above 50 MB, as many as that much has.  Of a stream, all.
	 */
	uint64_t registers;
	uint64_t told; /* of these, some outcome was: see samples_ask() */
	struct samples_stacks stacks;
};

struct samples {
	size_t nevents;
	struct samples_event *events;
	size_t nobjects;
	struct samples_object *objects;
	struct samples_totals totals;

	/* Of the machines, each text once, sorted: "a, b"; NULL: unknown. */
	const char *texts[PERFDATA_TEXTS];

	struct samples_state *state; /* of samples.c alone */
};

/* The rules must live until samples_finish(). */
struct samples *samples_new(const struct event_rule *rules, size_t nrules);
void samples_free(struct samples *samples);

/*
 * Which registers are of interest at an offset, as a set: asked for once for
 * each in a file.  Without samples_watch(), none is.  To be called before
 * samples_read().
 */
typedef uint32_t samples_watched(void *data, const char *path,
				 const struct fdo_build_id *build_id,
				 uint64_t offset);
void samples_watch(struct samples *samples, samples_watched *watched,
		   void *data);

/* At an instruction, a number for what comes of it. */
struct samples_outcome {
	uint64_t offset, outcome;
};

/*
 * What the registers of a sample at an offset tell of it and of what comes
 * next: how many, at most SAMPLES_TOLD.  Kept as values of SAMPLES_OUTCOME or
 * SAMPLES_OUTCOME_OTHER.  To be called before samples_read(), too.
 */
enum { SAMPLES_TOLD = 12 };
typedef size_t samples_told(void *data, const char *path,
			    const struct fdo_build_id *build_id,
			    uint64_t offset,
			    const struct perfdata_sample *sample,
			    struct samples_outcome *ret);
void samples_ask(struct samples *samples, samples_told *told, void *data);

/*
 * Samples of threads that had not got on count as well, and those of all clocks
 * of a recording: without this, only that of its first sample counts, since the
 * others take theirs at the same moments, a little later.  Before samples_read().
 */
void samples_keep_all(struct samples *samples);

/* What perf calls the kernel. */
#define SAMPLES_KERNEL "[kernel.kallsyms]"

/*
 * Samples of the kernel count, too, as of a file of that name, at offsets from where
 * it begins.  Before samples_read().
 */
void samples_take_kernel(struct samples *samples);

/* Its samples are beside the others, in totals.faults: no object has any. */
bool samples_are_aside(const struct samples_event *event);

/* Of all events, how many more samples there would be had none been lost. */
uint64_t samples_lost(const struct samples *samples);

/* Add a perf.data, "-" for stdin. */
bool samples_read(struct samples *samples, const char *path,
		  struct fdo_error *err);

/* After the last file, once; only now the arrays and totals are there. */
void samples_finish(struct samples *samples);

/*
 * By build-id where one is given and the object has one, or else by path (the
 * kernel's: absolute, and of no link), or
 * else by the name without folders if only one object has it.  Last, both ways,
 * one of that name that was deleted.  NULL: none.
 */
const struct samples_object *
samples_object(const struct samples *samples, const char *path,
	       const struct fdo_build_id *build_id);

/* What was in a register at an offset: *n_ret values from the returned one. */
const struct samples_value *samples_values_at(const struct samples_object *o,
					      uint64_t offset, uint8_t number,
					      size_t *n_ret);

/* The name of what was mapped, without folders, is that of a file; deleted too. */
bool samples_has_name(const char *mapped, const char *path);

/* While it ran its file went or was replaced: the name does not say which. */
bool samples_was_deleted(const struct samples_object *object);

static inline const struct samples_count *
samples_count(const struct samples *samples,
	      const struct samples_object *object, size_t address, size_t event)
{
	return &object->counts[address * samples->nevents + event];
}

#endif
