/*
 * output.h - the samples of a process, as text.
 *
 *	struct output_process process = { command, "app", 1000 };
 *	struct output *o = output_open("app.samples", &options, &process, err);
 *	output_map(o, mapping, 0);
 *	output_sample(o, &sample);
 *	if (!output_close(o, time, err))
 *		...
 *
 * One record per line, not in order of time:
 *
 *	pmusim-samples 1
 *	command ./app arguments
 *	process 1000 app		its number and name
 *	lbr 16				branches recorded with a sample
 *	registers 1			events of kind "-" have them, others not
 *	event 0 1201 511 pebs INST_RETIRED	number, period, mask, kind, name
 *	map 0 4000001000 2000 1000 BUILD-ID PATH
 *					time, start, size, offset (hex), file
 *	thread 0 1001			time, number
 *	sample 1234 0 1000 4000001139 1201	time, event, thread, ip, period
 *	end 4567			time
 *
 * A kind is "-", "pebs", "burst", "steps" or "ibs".  A sample's line may go on with
 *
 *	latency N N FLAGS	IBS: from dispatch to retirement, of the load;
 *				t: page walk, 1: L1 miss, 2: L2 miss, or "-"
 *	pair IP DISTANCE CYCLES N N FLAGS
 *				the second instruction, how many instructions
 *				and cycles of retirement behind, and as above
 *	registers VALUE... FLAGS	hex; sixteen of them, as the machine numbers
 *				them, and flags
 *	branches FROM TO M ...	latest first; M is 1 for a wrong guess
 *
 * Units      Time is in cycles.  Addresses are hex, of the running process.
 * Errors     What cannot be written is said when the file is closed.
 * Threads    Any.
 */
#ifndef PMUSIM_OUTPUT_H
#define PMUSIM_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "testsuite/pmusim/counter.h"

struct fdo_error;
struct mapping;
struct output;
struct state;

struct sample {
	int event;
	uint32_t thread;
	uint64_t time, ip, period;
	const struct ibs *watched, *second; /* NULL: it is no such sample */
	const struct state *state;	    /* NULL: it has no registers */
	int nbranches;
	struct branch_record branches[LBR_MAX];
};

struct output_process {
	const char *command, *comm;
	uint32_t pid;
};

struct output *output_open(const char *path, const struct options *options,
			   const struct output_process *process,
			   struct fdo_error *err);

void output_map(struct output *o, const struct mapping *mapping, uint64_t time);
void output_thread(struct output *o, uint32_t thread, uint64_t time);
void output_sample(struct output *o, const struct sample *sample);

/* What is written so far is in the file, and a child has nothing to write. */
void output_flush(struct output *o);

/* A line that says that nothing is missing; more may follow. */
void output_end(struct output *o, uint64_t time);

/* Ends it, and frees the output whether that was possible or not. */
bool output_close(struct output *o, uint64_t time, struct fdo_error *err);

/* In the child of a fork: forget the parent's file. */
void output_abandon(struct output *o);

#endif
