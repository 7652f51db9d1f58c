/*
 * stacks.h - the branch records of a sample (LBR) into jumps and ranges.
 *
 * A record says that control went from one address to another.  Between where
 * a record arrived and where the next one left, no branch was taken.  The
 * oldest record has none before it, so it only begins a range: processors are
 * known to have chosen it unevenly.  What is nearest to the interrupt stays.
 *
 *	stacks_add(tally, maps, record, stack, burst, &totals);
 *
 * What cannot be is counted and left out: records without an address, of the
 * kernel or outside of files; ranges that end before they begin, that are
 * longer than STACKS_LONGEST or that leave the file that they begin in.
 * Records of wrong paths, which some processors mark, are no history.
 *
 * Errors     None.
 */
#ifndef CONVERTER_STACKS_H
#define CONVERTER_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/perf/perfdata.h"
#include "converter/perf/samples.h"

struct addrmap;
struct tally;

enum {
	STACKS_LONGEST = 1 << 14, /* bytes without a taken branch */
	STACKS_DEEPEST = 128,	  /* records; older ones are left out */
};

/* It is not of a wrong path. */
bool stacks_ran(const struct perfdata_branch *branch);

enum stacks_kind {
	STACKS_SAMPLE,
	STACKS_BURST,	/* of steps: the beginning of one */
	STACKS_GOES_ON, /* the next branches of the burst before */
};

/*
 * The stack's number counts up, but for those that go on; it is of this file
 * alone.  Of a burst of steps, what it passed is kept as well (passes.h).
 */
void stacks_add(struct tally *tally, struct addrmap *maps,
		const struct perfdata_record *r, uint64_t stack,
		enum stacks_kind kind, struct samples_stacks *totals);

#endif
