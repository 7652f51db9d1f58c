/*
 * anchors.h - counts of blocks and edges from branch records, as anchors for
 * the flow.
 *
 *	if (!anchors_add(p, binary, err))	// before program_sort()
 *		...
 *	... estimate() ...
 *	anchors_weigh(p);	// raw, unit, weight; prices of edges
 *
 * A jump from the end of a block is its edge.  What lies between two jumps ran
 * once, and so did the edges by which its blocks follow each other.  Such
 * counts have no skid and no stalls in them; what they have wrong is that a
 * stack's records lie close together, and that most events see some code
 * more often than other (branches.h).
 *
 * A range that cannot have run is left out and counted: one that begins or ends
 * within an instruction, ends at none that jumps, leaves its function, or has
 * a jump in it that is always taken.
 *
 * Units      Executions, on the scale of what was measured otherwise, if that
 *            was.
 * Ownership  The program's.
 * Errors     Those of making a function.
 */
#ifndef CONVERTER_ANCHORS_H
#define CONVERTER_ANCHORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_error;
struct program;
struct program_function;

/* What became of the records of a program's binaries. */
struct anchors_totals {
	uint64_t ranges;	/* records with a range in the binaries */
	uint64_t outside;	/* of these, in no known function */
	uint64_t misaligned;	/* not at instructions that can be its ends */
	uint64_t interrupted;	/* with a jump inside, or out of a function */
	uint64_t jumps;		/* records of jumps within a function */
	uint64_t unknown_edges; /* of these, the graph has no such edge */
};

/* Of a function; as numerous as its blocks and edges. */
struct anchors {
	double *blocks, *edges; /* executions */
	double *stacks;		/* samples with the block in their records */
	double instructions;	/* of the function, by samples alone; 0: ? */
	double passed;		/* by bursts alone (bursts.h); 0: ? */
};

/* Take the binary's records, of the event that is best for it. */
bool anchors_add(struct program *p, size_t binary, struct fdo_error *err);

/*
 * The jumps of a binary from an address, as the records have them: the number
 * of the first in program_binary.jumps; *n is how many there are.
 */
size_t anchors_jumps_from(const struct program *p, size_t binary,
			  uint64_t address, size_t *n);

void anchors_free(struct anchors *a);

/* Are there records, and are they not left aside? */
bool anchors_matter(const struct program *p);

/*
 * Bursts that begin at moments of time (the role "steps") see code the more
 * often, the slower the program is there.  So samples count first, and of
 * bursts only how blocks were left is asked (bursts_tell()).  What samples say
 * is kept for when the records are no longer held back (bursts.h): never, if
 * there are samples of instructions, by which counts are better.
 */
bool anchors_hold(struct program *p);
bool anchors_release(struct program *p);

/*
 * Bring what was measured in each block and what records say of it together,
 * each as far as it can be trusted.  Without records nothing changes.
 */
void anchors_weigh(struct program *p);

#endif
