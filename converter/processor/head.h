/*
 * head.h - which instruction is at the head of the reorder buffer some time
 * after another one has retired.
 *
 * A counter of retired instructions overflows when some instruction retires.
 * The interrupt comes some cycles later (the skid), and names the oldest
 * instruction that has not retired by then: the head.  Samples of cycles say
 * how long each instruction is the head when it runs; so, with the flow, it
 * can be told where the samples of retired instructions come to lie, and
 * from which instructions those that lie somewhere have come.
 *
 *	struct head *head = head_new(&graph, &load);
 *	head_forward(head, skids, n, ret);	// load.heads samples at each
 *	head_backward(head, skid, factors, ret, known);
 *	head_free(head);
 *
 * An instruction becomes the head with the probability of its time there, if
 * that is below a cycle, or else it retires along with the one before it.
 * Longer times are one cycle or, at random, a long wait; so are real stalls.
 *
 * Units      Cycles, and executions as in the graph.
 * Ownership  The graph and the load must outlive the head.
 * Errors     None.
 */
#ifndef CONVERTER_PROCESSOR_HEAD_H
#define CONVERTER_PROCESSOR_HEAD_H

#include <stddef.h>

struct head;
struct walk_graph;

struct head_load {
	const double *cycles; /* of each step: all that it was the head */
	double ipc;	      /* instructions that retire in a cycle */
};

struct head *head_new(const struct walk_graph *g, const struct head_load *load);
void head_free(struct head *h);

/*
 * Where the samples lie if each retired instruction gave one: ret[i][step],
 * for the i-th skid; skids ascend.
 */
void head_forward(struct head *h, const unsigned *skids, size_t n,
		  double *const *ret);

/*
 * The mean of a value of steps, over where the samples of each step come to
 * lie; what leaves the graph has none.  *known_ret: which part does not leave.
 */
void head_backward(struct head *h, unsigned skid, const double *value,
		   double *ret, double *known_ret);

#endif
