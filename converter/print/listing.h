/*
 * listing.h - code with the samples and counts of it, for people.
 *
 *	struct listing l = { program, source, stdout };
 *	listing_function(&l, &ranked, LISTING_BLOCKS);
 *	listing_lines(&l, ranking->functions, 10);
 *
 * Columns are the executions, their standard error in percent, and the samples
 * of each event as they were taken: not moved to where they came from.
 *
 * Ownership  Borrows everything.
 * Errors     None; who prints tests the stream.
 */
#ifndef CONVERTER_PRINT_LISTING_H
#define CONVERTER_PRINT_LISTING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct program;
struct ranked;
struct samples_count;
struct source;

struct listing {
	const struct program *program;
	struct source *source;
	FILE *out;
};

enum listing_by {
	LISTING_INSTRUCTIONS,
	LISTING_BLOCKS,
	LISTING_LINES,
};

/* One function by instructions or blocks. */
void listing_function(const struct listing *l, const struct ranked *r,
		      enum listing_by by);

/*
 * The source that functions were made of, inlined functions as well, by file
 * and line.  In one function's body the blocks of a line agree: the largest
 * count is the line's; over several bodies these add up.
 */
void listing_lines(const struct listing *l, const struct ranked *functions,
		   size_t nfunctions);

/* The columns, and their heading. */
void listing_heading(const struct listing *l);
void listing_columns(const struct listing *l, uint64_t count, double error,
		     const uint64_t *samples);
void listing_no_count(const struct listing *l, const uint64_t *samples);

/* Add what was sampled at an address, one for each event. */
void listing_samples_at(const struct listing *l, const struct ranked *r,
			uint64_t address, uint64_t *samples);

#endif
