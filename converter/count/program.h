/*
 * program.h - the sampled code of a program: a flow graph and event counts
 * for each function that has samples.
 *
 *	struct program *p = program_new(samples);
 *	if (!program_open(p, "app", &options, &binary, err) ||
 *	    !program_add_samples(p, binary, &progress, err))
 *		return false;
 *	program_sort(p);
 *	for (size_t f = 0; f < p->nfunctions; f++)
 *		...	// p->functions[f].cfg, .events
 *	program_free(p);
 *
 * Each stage of the conversion fills its fields of struct program_function
 * and reads those of the stages before it.  job.c calls the first ones:
 *
 *	program.c	which samples are in which block	events
 *	anchors.c	what records of branches say		anchors
 *	minor.c		who hardly matters			minor
 *	outcomes.c	how branches came out in samples	outcomes
 *	looks.c		how they look like coming out		outcomes
 *	timing.c	how long a block takes			insns, cycles
 *	estimate.c	executions as measured			raw, unit, weight
 *	weights.c	the same by what svr-train learnt
 *	classify.c	whom to trust (only some models)	class, lower, raise
 *	settle.c	calls all others
 *	prepass.c	executions that agree			count, error
 *
 * With such counts it is known in what company blocks run, and so these are
 * asked once more, and then the last ones of all:
 *
 *	timing.c	how long a block takes there		insns, cycles
 *	shadow.c	which part of samples it gets		named
 *	bursts.c	how often bursts of steps begin		anchors
 *	arms.c		what branches tell by where they lead	outcomes
 *	blend.c		how much each of two events counts	raw
 *	credit.c	whose samples of instructions are	raw
 *
 * They ask gather.c (what a sample names), waits.c (what a model of the core
 * lacks), chain.c (what follows from the ways out of blocks), graph/trips.c (which
 * loops always go round as often), calls.c (which calls say how often functions are
 * entered), unseen.c (which calls lead to where nothing was sampled) and machine.c
 * (events of a processor).
 * usual.c notes what registers have, for the profile alone.
 *
 * From the last executions that agree keys/attribute.c makes a profile.
 *
 * Units      As in cfg.h and samples.h; counts are estimated executions.
 * Ownership  The program owns all but the samples, which must outlive it.
 * Errors     Texts begin with the binary's name.  After a failure the program
 *            can only be freed.
 */
#ifndef CONVERTER_PROGRAM_H
#define CONVERTER_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "converter/count/anchors.h"
#include "converter/count/gather.h"
#include "converter/count/outcomes.h"
#include "converter/graph/cfg.h"
#include "converter/graph/trips.h"
#include "converter/perf/samples.h"

struct fdo_map;
struct lines;
struct masked;
struct object;
struct object_options;
struct progress;
struct truth;

struct program_binary {
	struct object *object;
	struct lines *lines;
	struct cfg_program *cfgs;
	struct graphs *graphs;		      /* such as are made already */
	const struct samples_object *samples; /* NULL: none */
	struct fdo_map *known; /* object_function to its number + 1 */
	uint64_t in_blocks;    /* samples in instructions of known blocks */
	uint64_t astray;       /* of these, those that do not begin there */
	/*
	 * Of Linux, if all samples are a timer's: where those of code are seen that
	 * runs with interrupts masked, and how many are left out; or NULL.
	 */
	struct masked *masked;
	uint64_t held;
	const struct samples_ways *jumps; /* anchors.h; NULL: none */
};

/* What samples say of a block, for how often it ran. */
enum program_class {
	PROGRAM_TRUSTED,
	PROGRAM_OVER,  /* too many */
	PROGRAM_UNDER, /* too few */
};

/* What is known of a block; the n-th is cfg.blocks[n]. */
struct program_block {
	uint64_t samples; /* of all events */
	uint32_t group;	  /* blocks of one group run equally often */
	double cycles;	  /* of one execution */
	double named;	  /* samples of instructions, likewise (shadow.h) */
	double raw;	  /* executions, as measured */
	double unit;	  /* executions that one sample stands for */
	double spread;	  /* by how far events differ, either way from raw */
	double stacks;	  /* of branch records, with the block */
	double weight;	  /* how dear it is to move the count: see prepass.c */
	enum program_class class;
	int64_t lower, raise; /* prices of one execution; 0: by weight */
	uint64_t count;	      /* executions, consistent */
	double error;	      /* standard error of count */
	double noise;	      /* the part of it that more samples make less */
};

/*
 * What of an error a mean over executed instructions takes: no more than the count,
 * of which nothing is known then.  What never ran has no part in it.
 */
static inline double program_part_in_doubt(const struct program_block *block,
					   double error)
{
	double count = (double)block->count;

	return error < count ? error : count;
}

struct program_function {
	struct cfg cfg;
	struct cycles_insn *insns; /* each of cfg.insns; NULL: not yet */
	size_t binary;
	uint64_t samples;	      /* of all events */
	bool minor;		      /* see minor.h */
	bool pointed;		      /* there are pointers to it */
	bool given;		      /* others may call a library's by name */
	struct samples_count *events; /* nblocks rows, one for each event */
	struct program_block *blocks;
	uint64_t *edges;	/* count of each of cfg.edges */
	uint64_t entry;		/* times entered from outside */
	struct anchors anchors; /* NULLs: no records */
	double anchors_scale;	/* to the scale of raw */
	struct outcomes_counts outcomes;
	struct trips trips;
};

/* Parts of the stages that can be left out, to see what they are worth. */
enum program_part {
	PROGRAM_WALK = 1 << 0,	   /* times in company, not of a block alone */
	PROGRAM_LAG = 1 << 1,	   /* the test for late samples of cycles */
	PROGRAM_REDIRECT = 1 << 2, /* how much mispredicted jumps cost */
	PROGRAM_GATHER = 1 << 3,   /* gather.h */
	PROGRAM_CREDIT = 1 << 4,   /* credit.h */
	PROGRAM_LIKELIHOOD = 1 << 5, /* prices by likelihood, not constant */
	PROGRAM_SIZE = 1 << 6,	     /* prices by the size of blocks */
	PROGRAM_EVEN = 1 << 7,	     /* flow_even() */
	PROGRAM_CONNECT = 1 << 8,    /* flow_connect() */
	PROGRAM_CALLS = 1 << 9,	     /* calls.h */
	PROGRAM_BRANCHES = 1 << 10,  /* anchors.h */
	PROGRAM_BLEND = 1 << 11,     /* blend.h */
	PROGRAM_WAITS = 1 << 12,     /* waits.h */
	PROGRAM_SHADOW = 1 << 13,    /* shadow.h */
	PROGRAM_OUTCOMES = 1 << 14,  /* outcomes.h */
	PROGRAM_STUCK = 1 << 15,     /* converter/perf/stuck.h */
	PROGRAM_LOOKS = 1 << 16,     /* looks.h */
	PROGRAM_UNSEEN = 1 << 17,    /* unseen.h */
	PROGRAM_TRIPS = 1 << 18,     /* converter/graph/trips.h */
	PROGRAM_CALLERS = 1 << 19,   /* what samples see of blocks that call */
};

/* A binary of which nothing can be said, and why: its path comes first. */
struct program_left_out {
	struct object *object;
	struct fdo_error why;
};

struct program {
	const struct samples *samples; /* NULL: none */
	unsigned without;	       /* set of enum program_part */
	bool force;	 /* samples of other builds of a binary are its own */
	size_t measures; /* events that the counts are from: 1, 2; 0: known */
	enum gather_named named; /* by samples of cycles */
	double inst; /* share of "inst" in the mean with "cycles", 0 .. 1 */
	struct program_binary *binaries;
	size_t nbinaries;
	struct program_left_out *left_out; /* as they were given */
	size_t nleft_out;
	struct program_function *functions; /* by binary, then address */
	size_t nfunctions;
	size_t room_binaries, room_left_out, room_functions;
	struct anchors_totals anchored;
	uint64_t anchored_records;  /* ranges, of all */
	double anchored_executions; /* that they stand for */
	bool anchored_by_time;	    /* some stacks begin by time */
	bool anchors_held;	    /* left aside for now */
	bool told_by_bursts;	    /* how blocks are left: bursts.h */
	bool by_bursts;		    /* how functions compare: there, too */
	bool apart; /* counts are of a flow of each function by itself */
};

/* samples may be NULL. */
struct program *program_new(const struct samples *samples);
void program_free(struct program *p);

/*
 * Open a binary; *ret is its number.  Without debug information it is an
 * error.
 */
bool program_open(struct program *p, const char *path,
		  const struct object_options *options, size_t *ret,
		  struct fdo_error *err);

/*
 * Likewise, but one of which no lines can be read is left out, which is no error
 * as long as there are others.
 */
bool program_open_one_of(struct program *p, const char *path,
			 const struct object_options *options,
			 struct fdo_error *err);

/* Samples that were left out with one of those. */
uint64_t program_left_out_samples(const struct program *p, size_t left_out);

/*
 * Put binaries in an order that is the same in whichever folder they are, and
 * however their paths were written; before there is any function.
 */
void program_sort_binaries(struct program *p);

/*
 * Is that file, by its name when it was mapped and its build-id, the binary?
 * Samples of another one that looks alike are left out later.
 */
bool program_may_be(const struct program *p, size_t binary, const char *path,
		    const struct fdo_build_id *id);

/*
 * The function at an address of a binary, made if need be; NULL where there
 * is none.  Dies with the next new one.
 */
bool program_function_at(struct program *p, size_t binary, uint64_t address,
			 struct program_function **ret, struct fdo_error *err);

/*
 * Find a binary's samples, and make all functions that have some.  Another
 * build of the one that was sampled is an error, unless p->force: by its
 * build-id, or since samples are within its instructions.  A library may have no
 * samples, since the program did not come to use it.
 */
bool program_add_samples(struct program *p, size_t binary,
			 struct progress *progress, struct fdo_error *err);

/*
 * Samples of files with a binary's name, or with that which it had where it was
 * sampled, that are of no binary, as where an older build of it ran, too;
 * *path_ret: the one that has most of them.
 */
uint64_t program_other_samples(const struct program *p, size_t binary,
			       const char **path_ret);

/* Those of all binaries, each counted once, also if several have its name. */
uint64_t program_all_other_samples(const struct program *p);

/* False if no binary has any, as where the wrong file was named. */
bool program_has_samples(const struct program *p, struct fdo_error *err);

/*
 * Make all functions that ran, with exact counts of blocks and edges.  What
 * threw an exception is not known: its edge stays 0.
 */
bool program_add_truth(struct program *p, size_t binary,
		       const struct truth *truth, struct fdo_error *err);

/* How often a block was executed. */
uint64_t program_true_count(const struct program_function *f, size_t block,
			    const struct truth *truth);

/* How often an edge was taken. */
uint64_t program_true_edge(const struct program_function *f, size_t edge,
			   const struct truth *truth);

/* Put functions in their order; no function can be made after that. */
void program_sort(struct program *p);

/*
 * That order: negative if a is before b, 0 if they are the same function,
 * which may be of two programs of the same binaries.
 */
int program_compare_places(const struct program_function *a,
			   const struct program_function *b);

/*
 * Of sorted functions, the number of the one that begins at an address; that of
 * all: there is none.
 */
size_t program_callee(const struct program *p, size_t binary, uint64_t address);

/*
 * Likewise the function that a call of that binary enters, in whichever binary it is:
 * what is called by name is the program's own, if it has one to give, or that of the
 * only library that has one.  None of calls by pointers.
 */
size_t program_called(const struct program *p, size_t binary,
		      const struct cfg_call *call);

/*
 * What was sampled at an address of a function, one for each event; NULL:
 * nothing.
 */
const struct samples_count *program_samples_at(const struct program *p,
					       const struct program_function *f,
					       uint64_t address);

/*
 * The same of all events together that have a role (events.h), and likewise of
 * a block; and are there any in the binaries' code?
 */
struct samples_count program_role_at(const struct program *p,
				     const struct program_function *f,
				     uint64_t address, const char *role);
struct samples_count program_role(const struct program *p,
				  const struct program_function *f,
				  size_t block, const char *role);
bool program_has(const struct program *p, const char *role);

/* One event of a block. */
static inline const struct samples_count *
program_event(const struct program *p, const struct program_function *f,
	      size_t block, size_t event)
{
	return &f->events[block * p->samples->nevents + event];
}

#endif
