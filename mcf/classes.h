/*
 * classes.h - which blocks of a control-flow graph always run equally often.
 *
 * Two blocks are in one class if every consistent set of counts gives them
 * the same count: then what is known of one is known of the other.
 *
 *	struct flow_link links[] = { { FLOW_OUTSIDE, 0 }, { 0, 1 },
 *				     { 1, FLOW_OUTSIDE } };
 *	uint32_t class[2];
 *	flow_classes(2, links, 3, class);	// class[0] == class[1]
 *
 * Range      Any graph: irreducible, disconnected, with parallel edges.
 *            Classes are numbered from 0 in order of their first block.
 * Ownership  The caller's arrays; nothing is kept.
 * Errors     None.  That two blocks are put together wrongly is as likely as
 *            that two random numbers below 2^61 are equal; the numbers are
 *            the same ones each time.
 * Time       Linear in blocks and edges, but for the numbering.
 */
#ifndef MCF_CLASSES_H
#define MCF_CLASSES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An edge; one end may be FLOW_OUTSIDE (smooth.h). */
struct flow_link {
	uint32_t from, to;
};

void flow_classes(uint32_t nblocks, const struct flow_link *links,
		  uint32_t nlinks, uint32_t *class_ret);

#ifdef __cplusplus
}
#endif
#endif
