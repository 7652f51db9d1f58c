/*
 * mcf.c - the network as the caller builds it.
 *
 * Arcs and segments are two arrays that only grow: after mcf_reset() the
 * next network is built where the last one was, and a caller that solves
 * thousands of small ones allocates nothing after the largest.
 */
#include "mcf/mcf.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/network.h"
#include "mcf/reduce.h"

struct mcf_network *mcf_new(unsigned nodes)
{
	struct mcf_network *net = fdo_alloc(1, sizeof(*net));

	net->nodes = nodes;
	return net;
}

void mcf_free(struct mcf_network *net)
{
	if (!net)
		return;
	reduction_free(net->reduction);
	mcf_simplex_free(net->simplex);
	free(net->segments);
	free(net->arcs);
	free(net);
}

void mcf_reset(struct mcf_network *net, unsigned nodes)
{
	net->nodes = nodes;
	net->narcs = 0;
	net->nsegments = 0;
	net->price_max = net->rest_flow = 0;
	net->has_lower = false;
	net->solved = net->reduced = false;
}

static struct mcf_arc *new_arc(struct mcf_network *net, unsigned tail,
			       unsigned head)
{
	struct mcf_arc *arc;

	assert(tail < net->nodes && head < net->nodes);
	net->arcs = fdo_grow(net->arcs, net->narcs, &net->arc_room,
			     sizeof(*net->arcs));
	arc = &net->arcs[net->narcs++];
	*arc = (struct mcf_arc){ .tail = tail,
				 .head = head,
				 .first = net->nsegments };
	net->solved = net->reduced = false;
	return arc;
}

static void new_segment(struct mcf_network *net, struct mcf_arc *arc,
			int64_t width, int64_t price)
{
	net->segments = fdo_grow(net->segments, net->nsegments,
				 &net->segment_room, sizeof(*net->segments));
	net->segments[net->nsegments++] = (struct mcf_segment){ width, price };
	arc->n++;
}

/* Arcs that are many enough to overflow this are too many for anything. */
static void add_rest_flow(struct mcf_network *net, int64_t flow)
{
	if (net->rest_flow < INT64_MAX / 2)
		net->rest_flow += flow;
}

/* Add to the arc's cost, of which the last segment is the last there is. */
static void add_segment(struct mcf_network *net, struct mcf_arc *arc,
			int64_t width, int64_t price)
{
	int64_t size = price < 0 ? -price : price;

	if (width == 0)
		return;
	arc->upper += width;
	if (price < 0)
		add_rest_flow(net, width);
	if (size > net->price_max)
		net->price_max = size;
	if (arc->n && net->segments[net->nsegments - 1].price == price)
		net->segments[net->nsegments - 1].width += width;
	else
		new_segment(net, arc, width, price);
}

unsigned mcf_add_arc(struct mcf_network *net, unsigned tail, unsigned head,
		     int64_t lower, int64_t upper, int64_t cost)
{
	struct mcf_arc *arc = new_arc(net, tail, head);

	assert(0 <= lower && lower <= upper && upper <= MCF_MAX);
	assert(-MCF_COST_MAX <= cost && cost <= MCF_COST_MAX);
	arc->lower = arc->upper = lower;
	add_rest_flow(net, lower);
	net->has_lower |= lower > 0;
	add_segment(net, arc, upper - lower, cost);
	return net->narcs - 1;
}

/* The segments of a cost, at most MCF_MAX wide in all. */
static void add_segments(struct mcf_network *net, struct mcf_arc *arc,
			 unsigned n, const int64_t *width, const int64_t *price)
{
	int64_t left = MCF_MAX - arc->lower;

	for (unsigned i = 0; i < n; i++) {
		int64_t fits = width[i] < left ? width[i] : left;

		assert(width[i] >= 0 && width[i] <= MCF_MAX);
		assert(-MCF_COST_MAX <= price[i] && price[i] <= MCF_COST_MAX);
		assert(i == 0 || price[i - 1] <= price[i]);
		left -= fits;
		add_segment(net, arc, fits, price[i]);
	}
}

unsigned mcf_add_convex(struct mcf_network *net, unsigned tail, unsigned head,
			unsigned n, const int64_t *width, const int64_t *price)
{
	add_segments(net, new_arc(net, tail, head), n, width, price);
	return net->narcs - 1;
}

void mcf_set_convex(struct mcf_network *net, unsigned arc, unsigned n,
		    const int64_t *width, const int64_t *price)
{
	struct mcf_arc *a = &net->arcs[arc];

	assert(arc < net->narcs);
	a->first = net->nsegments;
	a->n = 0;
	a->upper = a->lower;
	add_segments(net, a, n, width, price);
	net->solved = false;
}

/* Solvers number nodes, arcs and segments in 31 bits. */
static bool fits(struct mcf_network *net, struct fdo_error *err)
{
	if (net->narcs + net->nodes >= INT32_MAX || net->nsegments >= INT32_MAX)
		return fdo_fail(err,
				"a network of %u nodes and %zu arcs is "
				"too large",
				net->nodes, net->narcs);
	if (net->price_max >= MCF_PRICE_ROOM / (net->nodes + 2))
		return fdo_fail(err,
				"a price of %lld is too high in a network "
				"of %u nodes",
				(long long)net->price_max, net->nodes);
	net->path_price = (net->nodes + 1) * (net->price_max + 1);
	return true;
}

bool mcf_solve(struct mcf_network *net, enum mcf_solver solver,
	       struct fdo_error *err)
{
	net->solved =
		fits(net, err) && (solver == MCF_GLPK ? mcf_glpk(net, err)
						      : mcf_simplex(net, err));
	return net->solved;
}

int64_t mcf_flow(const struct mcf_network *net, unsigned arc)
{
	assert(net->solved && arc < net->narcs);
	return net->arcs[arc].flow;
}
