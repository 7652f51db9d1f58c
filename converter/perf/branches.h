/*
 * branches.h - what branch records (LBR) say, added up: the jumps between two
 * addresses of an object, and the ranges from where one jump arrived to where
 * the next one left, which ran without a jump.
 *
 *	struct branches *b = branches_new();
 *	branches_add(b, event, BRANCHES_JUMP, from, to, stack, &weights);
 *	struct branches_way *jumps = branches_sorted(b, event, kind, &n);
 *	branches_free(b);
 *
 * A record is seen if a sample is taken while it is among the last N.  How
 * often that happens depends on the event: of taken branches, N of them pass;
 * of instructions or cycles, as many as run during N branches, and code with
 * few branches is seen too often.  So there is a weight for each such view.
 *
 * Units      Addresses are offsets in the object's file.  A weight is
 *            executions that a record stands for, times BRANCHES_ONE.
 * Range      Offsets below 2^32.  Sums stay at the largest number.
 * Ownership  branches_free() accepts NULL; sorted arrays are the caller's.
 * Errors     None.
 */
#ifndef CONVERTER_BRANCHES_H
#define CONVERTER_BRANCHES_H

#include <stddef.h>
#include <stdint.h>

struct branches;

enum { BRANCHES_ONE = 256 };

enum branches_kind { BRANCHES_JUMP, BRANCHES_RANGE, BRANCHES_KINDS };

/* What the period of a sample counts. */
enum branches_view {
	BRANCHES_TAKEN,	 /* taken branches */
	BRANCHES_CODE,	 /* instructions, by their bytes */
	BRANCHES_CYCLES, /* cycles, where records say how many */
	BRANCHES_VIEWS
};

struct branches_weights {
	uint64_t of[BRANCHES_VIEWS];
};

struct branches_way {
	uint32_t from, to; /* a range ends with the jump at "to" */
	uint64_t records;
	uint64_t stacks; /* samples that have such a record */
	struct branches_weights weight;
};

struct branches *branches_new(void);
void branches_free(struct branches *b);

/* A record of the stack of that number, which is not less than before. */
void branches_add(struct branches *b, size_t event, enum branches_kind kind,
		  uint32_t from, uint32_t to, uint64_t stack,
		  const struct branches_weights *weights);

/* events[e] is the event to which those of event e go; NULL: the same. */
void branches_add_all(struct branches *b, const struct branches *from,
		      const size_t *events);

/* By from, then to; NULL if there are none. */
struct branches_way *branches_sorted(const struct branches *b, size_t event,
				     enum branches_kind kind, size_t *n);

#endif
