/*
 * shadow.h - samples of instructions that one execution of a block gets.
 *
 * They are not as many as it has instructions: what retires along with an
 * older one is never named, and what waits at the head of the reorder buffer
 * is named for all that retired one skid before (skid.h).  The walk says how
 * many that are.  How long the skid is, the samples say: each is taken as far
 * as they are likely by it.  They may also be precise, and name each
 * instruction for itself.
 *
 *	struct shadow *shadow = shadow_new(&graph);
 *	walk(&graph, &options, tally, shadow_heads(shadow));
 *	shadow_see(shadow, p);		// the blocks' named
 *	shadow_free(shadow);
 *
 * Units      Samples are counted in the instructions that they stand for.
 * Ownership  The graph must outlive the shadow.
 * Errors     None.
 */
#ifndef CONVERTER_SHADOW_H
#define CONVERTER_SHADOW_H

#include <stdbool.h>

struct program;
struct shadow;
struct walk_graph;
struct walk_heads;

/*
 * Is there anything to see?  Beside samples of cycles there is not: these say
 * how long blocks take, and the sum over a loop is right without a shadow.  Nor
 * where outcomes tell of branches (outcomes.h): credit.h alone puts more right.
 */
bool shadow_matters(const struct program *p);

/* With the graph's blocks and steps in the order of the program's. */
struct shadow *shadow_new(const struct walk_graph *g);
void shadow_free(struct shadow *s);

/* Of each step, for a walk to fill; all zero. */
struct walk_heads *shadow_heads(struct shadow *s);

/* Of all blocks, by the graph's counts and the walk. */
void shadow_see(struct shadow *s, struct program *p);

#endif
