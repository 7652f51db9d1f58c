/*
 * prices.h - what it costs that a count is not as its evidence has it.
 *
 *	struct flow_cost cost;
 *
 *	if (prices_of_block(&cost, body, b, ballot, always, &how))
 *		flow_set_block_cost(g, b, &cost);
 *
 * For counts.c, which asks for nothing else of a ballot.
 *
 * Units      Prices of one execution, times 1000; counts times 2^shift.
 * Ownership  None.
 * Errors     None.
 */
#ifndef PLUGIN_PRICES_H
#define PLUGIN_PRICES_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/counts.h"

struct ballot;
struct flow_cost;

/*
 * always: it runs each time that the function is entered.  False: nothing is
 * known of the block, and whatever it has costs nothing.
 */
bool prices_of_block(struct flow_cost *cost, const struct body *body,
		     uint32_t block, struct ballot *ballot, bool always,
		     const struct counts_how *how);

/*
 * In the profiled program, the test that a loop begins with was moved to its
 * end, and the first time it was made elsewhere or not at all.  Its count
 * then is that of going round again, or that of all tests, or between: less
 * than the count is wrong for the test, and more is for going round.  But of an
 * unrolled loop some tests are gone, so the latter has half of the price.
 */
void prices_of_loop(struct flow_cost *tests, struct flow_cost *rounds,
		    struct ballot *ballot, const struct counts_how *how);

/*
 * A function that ran was called, so 0 is no count of its calls; false: it is
 * not known.
 */
bool prices_of_entry(struct flow_cost *cost, const struct counts_how *how);

/* Of more than so many executions, in the profile's unit. */
void prices_of_bound(struct flow_cost *cost, uint64_t most,
		     const struct counts_how *how);

/* Of a way that should not be taken. */
void prices_of_spare(struct flow_cost *cost);

#endif
