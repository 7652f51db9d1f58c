/*
 * counts.h - consistent counts of a function's blocks and edges.
 *
 *	struct body body = { .nblocks = nblocks, .links = links,
 *			     .nlinks = nlinks, .shares = shares, ... };
 *	struct counts *c = counts_new(&body, evidence, &how, err);
 *	if (c)
 *		... c->block[b], c->link[l] ...
 *	counts_free(c);
 *
 * Every block with a count is connected to an entry and an exit over links
 * with counts, and so a function in which anything ran was entered.
 *
 * Units      Executions times 2^shift: no count that is positive in the
 *            profile becomes 0.
 * Ownership  counts_new() gives, counts_free() takes back and accepts NULL.
 * Errors     NULL: the solver gave up.
 */
#ifndef PLUGIN_COUNTS_H
#define PLUGIN_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "mcf/classes.h"
#include "plugin/evidence.h"
#include "plugin/options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fdo_error;

/* A control-flow graph, with the compiler's guess of each edge's share. */
struct body {
	uint32_t nblocks;
	const struct flow_link *links;
	const double *shares; /* of what leaves the edge's source */
	const bool *again;    /* leads back to the test a loop begins with */
	const bool *passed;   /* of each block: such a test, passed at first */
	const bool *leaves;   /* goes from such a test out of the loop */
	uint32_t nlinks;
	const double *sizes; /* of each block, flow_set_block_size(); NULL: 1 */
	/*
	 * decides[l]: the only link that can follow link l, or l itself where
	 * several may; NULL: no link is decided.
	 */
	const uint32_t *decides;
	/* Of each block: is it left by no edge, since what it calls ends the
	 * program, or throws, where the function could return as well?  NULL:
	 * none is */
	const bool *ends;
};

/* A block that calls what was entered so often, and no other function does. */
struct counts_call {
	uint32_t block;
	uint32_t callee;   /* a number that all calls of it have */
	bool is_likeliest; /* of these */
	int64_t entered;   /* times 2^shift */
};

struct counts_how {
	enum vote vote;
	enum model model;
	int shift;	/* counts_shift() */
	uint64_t entry; /* times called, in the profile's unit; 0: not known */
	bool entry_is_least;
	bool entry_is_sure;  /* what always runs did, whatever is left of it, */
	bool entry_is_exact; /* and no more often */
	uint64_t sample; /* executions of a block that one sample stands for */
	const struct counts_call *calls; /* in order of their blocks or not */
	size_t ncalls;
};

struct counts {
	int64_t *block, *link;
	int64_t entered;
};

/* How to scale a profile with that largest count; may be negative. */
int counts_shift(uint64_t max_count);

/* A count scaled, and within what the solver takes. */
int64_t counts_scale(uint64_t count, int shift);

/* And back; what is not 0 does not become 0. */
uint64_t counts_unscale(int64_t count, int shift);

struct counts *counts_new(const struct body *body, struct evidence *evidence,
			  const struct counts_how *how, struct fdo_error *err);
void counts_free(struct counts *c);

#ifdef __cplusplus
}
#endif
#endif
