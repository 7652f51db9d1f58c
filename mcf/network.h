/*
 * network.h - what mcf.c keeps and the solvers read.  Private to mcf/.
 *
 * An arc's cost is a run of segments in one shared array: the first "width"
 * of its flow above "lower" costs "price" each, and so on.  Widths are
 * positive and prices rise.  An arc that cannot move has no
 * segment.
 *
 * A solver puts the answer into each arc's "flow".
 */
#ifndef MCF_NETWORK_H
#define MCF_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_error;
struct simplex;

struct mcf_segment {
	int64_t width;
	int64_t price;
};

struct mcf_arc {
	unsigned tail, head;
	unsigned first, n; /* its segments */
	int64_t lower;
	int64_t flow; /* until there is one: the upper bound */
};

struct mcf_network {
	unsigned nodes;
	struct mcf_arc *arcs;
	size_t narcs, arc_room;
	struct mcf_segment *segments;
	size_t nsegments, segment_room;
	int64_t price_max;  /* the largest price either way */
	int64_t path_price; /* above that of any path */
	int64_t rest_flow;  /* at most, on all arcs where each is cheapest */
	bool has_lower;	    /* some lower bound is not 0 */
	bool solved;
	bool spent;    /* solved before: flows are where bounds were */
	bool has_flow; /* of a core: what was cheapest at other prices */
	bool reduced;  /* the reduction has the steps for these arcs */
	bool tours;    /* the simplex's tree is one from the start: for tests */
	bool scales;   /* and comes from cost scaling: for tests */
	struct simplex *simplex; /* its memory, or NULL */
	struct reduction *reduction;
};

/*
 * Both fail if the lower bounds cannot be met.  mcf.c has checked that
 * (nodes + 2) * (price_max + 1) is at most MCF_PRICE_ROOM.
 */
bool mcf_simplex(struct mcf_network *net, struct fdo_error *err);
bool mcf_glpk(struct mcf_network *net, struct fdo_error *err);

void mcf_simplex_free(struct simplex *s);

#define MCF_PRICE_ROOM ((int64_t)1 << 58)

#endif
