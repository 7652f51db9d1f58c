/*
 * walk.h - how long instructions take in the company that they keep.
 *
 * A walk goes at random through flow graphs, as often along each way as its
 * flow says, and lets what it meets run through a small model of an
 * out-of-order core.  What costs most is seen only so: after a mispredicted
 * branch nothing overlaps, and the latencies of all that follows show.
 *
 *	struct walk_tally *tally = fdo_alloc(graph.nsteps, sizeof(*tally));
 *	walk(&graph, &walk_default, tally, NULL);
 *	... (double)tally[i].time.own / tally[i].executions
 *	free(tally);
 *
 * Units      CPU cycles; flows in any unit, the same for all.
 * Range      Numbers of blocks, steps and ways: below WALK_END.
 * Ownership  Everything is the caller's.
 * Errors     None.
 *
 * The same graph and options give the same tally.
 */
#ifndef CONVERTER_PROCESSOR_WALK_H
#define CONVERTER_PROCESSOR_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/graph/decode.h"
#include "converter/processor/skid.h"

/* What a way may lead to instead of a block. */
enum {
	WALK_END = UINT32_MAX - 2, /* nobody knows */
	WALK_RETURN,		   /* to who called */
	WALK_ELSEWHERE,		   /* unknown code, which then returns */
};

enum walk_step_flag {
	WALK_LOADS = 1 << 0,
	WALK_FUSED = 1 << 1,  /* with the step before, into one operation */
	WALK_CALLS = 1 << 2,  /* the block callee */
	WALK_LEAVES = 1 << 3, /* for unknown code, and comes back */
};

/* Behind the numbers of registers: what lists of them are filled up with. */
enum { WALK_UNREAD = REG_COUNT, WALK_UNWRITTEN, WALK_REGISTERS };

/* How long the lists are; few steps need more. */
enum { WALK_READS = 2, WALK_WRITES = 3 };

/* An instruction.  Sets of registers have a bit for each, as in decode.h. */
struct walk_step {
	uint64_t addresses; /* read, to form addresses */
	uint64_t reads;	    /* read otherwise */
	uint64_t writes;
	uint32_t callee;
	uint8_t latency; /* without the load */
	uint8_t flags;	 /* enum walk_step_flag */
	/* Filled by walk_list(): the sets again, if they are that small. */
	bool is_listed;
	uint8_t address[WALK_READS], read[WALK_READS], write[WALK_WRITES];
};

struct walk_way {
	uint32_t from, to; /* blocks; to may be WALK_END and so on */
	bool taken;	   /* not just on to the next address */
	double flow;
};

struct walk_block {
	uint32_t first_step, nsteps;
	uint32_t first_way, nways; /* that leave it */
	uint32_t entry;		   /* where its function begins */
	bool wanted;   /* is to be visited, however seldom it runs */
	bool indirect; /* ends in a jump by a pointer */
	double count;
};

struct walk_graph {
	struct walk_block *blocks;
	struct walk_step *steps;
	struct walk_way *ways; /* by from */
	size_t nblocks, nsteps, nways;
};

struct walk_options {
	unsigned width;	       /* dispatched in a cycle */
	unsigned retire;       /* retired in a cycle */
	unsigned window;       /* in flight; at most WALK_WINDOW */
	unsigned load;	       /* cycles of a load */
	unsigned redirect;     /* from a mispredicted jump's end on */
	double conditional;    /* mispredicted, of those that are uncertain */
	double indirect;       /* likewise, of jumps by a pointer */
	double surprise;       /* share of the ways without flow */
	unsigned instructions; /* to walk, roughly */
};

enum { WALK_WINDOW = 511 };

/* The registers of a step are known. */
void walk_list(struct walk_step *step);

/* Figures that fit current cores; only ratios of times matter. */
extern const struct walk_options walk_default;

/* Cycles in which nothing retired but a step, at the end of them. */
struct walk_time {
	uint32_t own;  /* that step */
	uint32_t late; /* the one before it */
};

struct walk_tally {
	uint32_t executions;
	struct walk_time time;
	struct walk_time calm; /* likewise, if no jump is mispredicted */
};

/* For how many retired steps it would be named, by the skid (skid.h). */
struct walk_heads {
	uint32_t known[SKID_CHOICES]; /* executions for which it is known */
	uint32_t real[SKID_CHOICES];
	uint32_t calm[SKID_CHOICES]; /* if no jump is mispredicted */
};

/*
 * Add to the tally of each step, and to its heads if these are not NULL; they
 * begin as zero, or as other walks through the same graph have left them.
 */
void walk(const struct walk_graph *g, const struct walk_options *options,
	  struct walk_tally *tally, struct walk_heads *heads);

#endif
