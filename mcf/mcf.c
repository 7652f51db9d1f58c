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
	net->solved = net->reduced = net->spent = false;
}

/* Room for more of an array, a quarter more at least: it is often large. */
static void *more(void *array, size_t need, size_t *room, size_t size)
{
	size_t wanted = *room + *room / 4 + 8;

	return fdo_resize(array, *room = wanted > need ? wanted : need, size);
}

static struct mcf_arc *new_arc(struct mcf_network *net, unsigned tail,
			       unsigned head)
{
	struct mcf_arc *arc;

	assert(tail < net->nodes && head < net->nodes);
	if (net->narcs == net->arc_room)
		net->arcs =
			more(net->arcs, 0, &net->arc_room, sizeof(*net->arcs));
	arc = &net->arcs[net->narcs++];
	arc->tail = tail;
	arc->head = head;
	net->solved = net->reduced = false;
	return arc;
}

/* Arcs that are many enough to overflow this are too many for anything. */
static void add_rest_flow(struct mcf_network *net, int64_t flow)
{
	if (net->rest_flow < INT64_MAX / 2)
		net->rest_flow += flow;
}

/*
 * Give an arc its lower bound and the segments of its cost, at most MCF_MAX
 * wide in all.
 */
static void set_cost(struct mcf_network *net, struct mcf_arc *arc,
		     int64_t lower, unsigned n, const int64_t *width,
		     const int64_t *price)
{
	int64_t left = MCF_MAX - lower, least = 0, most = 0, earns = 0;
	struct mcf_segment *first, *end;

	if (net->segment_room - net->nsegments < n)
		net->segments =
			more(net->segments, net->nsegments + n,
			     &net->segment_room, sizeof(*net->segments));
	first = end = net->segments + net->nsegments;
	arc->first = net->nsegments;
	arc->lower = lower;
	for (unsigned i = 0; i < n; i++) {
		int64_t fits = width[i] < left ? width[i] : left;

		assert((uint64_t)width[i] <= MCF_MAX);
		assert(i == 0 || price[i - 1] <= price[i]);
		if (fits == 0)
			continue;
		left -= fits;
		if (end > first && end[-1].price == price[i])
			end[-1].width += fits;
		else
			*end++ = (struct mcf_segment){ fits, price[i] };
		if (price[i] < 0)
			earns += fits;
	}
	add_rest_flow(net, earns);
	arc->flow = MCF_MAX - left;
	arc->n = end - first;
	net->nsegments += arc->n;
	if (end > first) {
		least = -first->price;
		most = end[-1].price;
	}
	assert(least <= MCF_COST_MAX && most <= MCF_COST_MAX);
	if (least > most)
		most = least;
	if (most > net->price_max)
		net->price_max = most;
}

unsigned mcf_add_arc(struct mcf_network *net, unsigned tail, unsigned head,
		     int64_t lower, int64_t upper, int64_t cost)
{
	int64_t width = upper - lower;

	assert(0 <= lower && lower <= upper && upper <= MCF_MAX);
	assert(-MCF_COST_MAX <= cost && cost <= MCF_COST_MAX);
	set_cost(net, new_arc(net, tail, head), lower, 1, &width, &cost);
	add_rest_flow(net, lower);
	net->has_lower |= lower > 0;
	return net->narcs - 1;
}

unsigned mcf_add_convex(struct mcf_network *net, unsigned tail, unsigned head,
			unsigned n, const int64_t *width, const int64_t *price)
{
	set_cost(net, new_arc(net, tail, head), 0, n, width, price);
	return net->narcs - 1;
}

void mcf_set_convex(struct mcf_network *net, unsigned arc, unsigned n,
		    const int64_t *width, const int64_t *price)
{
	assert(arc < net->narcs);
	set_cost(net, &net->arcs[arc], net->arcs[arc].lower, n, width, price);
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
	net->spent = true;
	return net->solved;
}

int64_t mcf_flow(const struct mcf_network *net, unsigned arc)
{
	assert(net->solved && arc < net->narcs);
	return net->arcs[arc].flow;
}
