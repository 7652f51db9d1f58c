/*
 * mcf.h - minimum-cost circulation.
 *
 * A network has nodes and arcs.  Each arc carries a flow between a lower
 * and an upper bound, at a cost per unit of flow.  A circulation is a flow
 * that neither starts nor ends anywhere: at each node as much leaves as
 * arrives.  mcf_solve() finds one whose total cost is least.
 *
 *	struct mcf_network *net = mcf_new(2);
 *	unsigned there = mcf_add_arc(net, 0, 1, 10, MCF_MAX, 1);
 *	unsigned back = mcf_add_arc(net, 1, 0, 0, MCF_MAX, 0);
 *	if (mcf_solve(net, MCF_GLPK, &err))
 *		printf("%" PRId64 "\n", mcf_flow(net, back));	// 10
 *	mcf_free(net);
 *
 * Units      Flow and bounds are counts; a cost is a price per count.  All
 *            are integers, and so is the answer.
 * Range      Flow is at most MCF_MAX, a cost at most MCF_COST_MAX either
 *            way; and the largest cost that any arc ever had, times two more
 *            than the number of nodes, is below 2^58 (262,141 nodes at the
 *            largest cost).
 * Ownership  mcf_new() gives the network to the caller, who gives it back
 *            with mcf_free().  Nothing else in this header allocates for
 *            the caller or keeps a pointer of the caller's.
 * Errors     Only mcf_solve() can fail.  Everything else has only
 *            preconditions, which are asserted.
 * Threads    A network stays in the thread that made it.
 *
 * Nothing here knows of programs, blocks or profiles.
 */
#ifndef MCF_MCF_H
#define MCF_MCF_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fdo_error;
struct mcf_network;

enum mcf_solver {
	MCF_SIMPLEX, /* our own network simplex: exact */
	MCF_GLPK,    /* GLPK's out-of-kilter method, the judge */
};

/* The largest flow or bound; as an upper bound, "no limit". */
#define MCF_MAX	     ((int64_t)1 << 44)
#define MCF_COST_MAX ((int64_t)1 << 40)

/* A network of that many nodes, numbered from 0, and no arcs. */
struct mcf_network *mcf_new(unsigned nodes);

/* Accepts NULL. */
void mcf_free(struct mcf_network *net);

/* As new with that many nodes, but in the memory that is there. */
void mcf_reset(struct mcf_network *net, unsigned nodes);

/*
 * Add an arc and return its number: 0 for the first, then 1, and so on.
 * Arcs may be parallel, and may loop.  0 <= lower <= upper <= MCF_MAX.
 */
unsigned mcf_add_arc(struct mcf_network *net, unsigned tail, unsigned head,
		     int64_t lower, int64_t upper, int64_t cost);

/*
 * Add an arc whose cost rises with its flow: the first width[0] units cost
 * price[0] each, the next width[1] cost price[1] each, and so on; what is
 * wider than MCF_MAX in all is cut off.  Prices do not fall.  The same as n
 * parallel arcs, but one number, and cheaper to solve.
 */
unsigned mcf_add_convex(struct mcf_network *net, unsigned tail, unsigned head,
			unsigned n, const int64_t *width, const int64_t *price);

/*
 * Give an arc another such cost, in place of any that it had; its lower bound
 * stays.  The next mcf_solve() by MCF_SIMPLEX need not find out again how the
 * network is made.  What the old cost took stays taken until mcf_reset().
 */
void mcf_set_convex(struct mcf_network *net, unsigned arc, unsigned n,
		    const int64_t *width, const int64_t *price);

/*
 * Find a cheapest circulation.  Where several are equally cheap, the same
 * network built, changed and solved in the same order always gets the same
 * one.
 *
 * Fails when the lower bounds cannot all be met, when numbers are too large
 * together (see Range), or when the solver gives up; no flow may be read
 * then.  MCF_SIMPLEX never gives up.  MCF_GLPK computes in doubles where 32
 * bits are not enough, and gives up where that is not exact.
 */
bool mcf_solve(struct mcf_network *net, enum mcf_solver solver,
	       struct fdo_error *err);

/* The flow on an arc.  Valid after mcf_solve() has returned true. */
int64_t mcf_flow(const struct mcf_network *net, unsigned arc);

#ifdef __cplusplus
}
#endif
#endif
