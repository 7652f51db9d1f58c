/*
 * network_check.h - is the flow of a solved network a cheapest circulation?
 *
 * It is one if and only if it stays within bounds, adds up at each node, and
 * no cycle of arcs along which something could still be moved has a negative
 * price.  That needs no second solver, and whole numbers of any size.
 */
#ifndef TESTSUITE_NETWORK_CHECK_H
#define TESTSUITE_NETWORK_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "mcf/network.h"

/* What one more and one less would cost; false: no such move. */
static inline bool network_step(const struct mcf_network *net,
				const struct mcf_arc *arc, int move,
				int64_t *price)
{
	int64_t rest = arc->flow - arc->lower;

	for (unsigned i = 0; i < arc->n; i++) {
		const struct mcf_segment *at = &net->segments[arc->first + i];

		if (move > 0 ? rest < at->width
			     : 0 < rest && rest <= at->width) {
			*price = move * at->price;
			return true;
		}
		rest -= at->width;
	}
	return false;
}

static inline bool network_balanced(const struct mcf_network *net)
{
	int64_t *balance = calloc(net->nodes + 1, sizeof(*balance));
	bool good = true;

	for (size_t a = 0; a < net->narcs; a++) {
		const struct mcf_arc *arc = &net->arcs[a];
		int64_t upper = arc->lower;

		for (unsigned i = 0; i < arc->n; i++)
			upper += net->segments[arc->first + i].width;
		good &= arc->lower <= arc->flow && arc->flow <= upper;
		balance[arc->tail] -= arc->flow;
		balance[arc->head] += arc->flow;
	}
	for (unsigned u = 0; u < net->nodes; u++)
		good &= balance[u] == 0;
	free(balance);
	return good;
}

/* One round of Bellman and Ford; whether any distance fell. */
static inline bool network_relax(const struct mcf_network *net, __int128 *d)
{
	bool changed = false;
	int64_t price;

	for (size_t a = 0; a < net->narcs; a++) {
		const struct mcf_arc *arc = &net->arcs[a];

		if (network_step(net, arc, 1, &price) &&
		    d[arc->tail] + price < d[arc->head]) {
			d[arc->head] = d[arc->tail] + price;
			changed = true;
		}
		if (network_step(net, arc, -1, &price) &&
		    d[arc->head] + price < d[arc->tail]) {
			d[arc->tail] = d[arc->head] + price;
			changed = true;
		}
	}
	return changed;
}

static inline bool network_optimal(const struct mcf_network *net)
{
	__int128 *distance = calloc(net->nodes + 1, sizeof(*distance));
	unsigned round = 0;

	while (round <= net->nodes && network_relax(net, distance))
		round++;
	free(distance);
	return round <= net->nodes;
}

static inline __int128 network_cost(const struct mcf_network *net)
{
	__int128 cost = 0;

	for (size_t a = 0; a < net->narcs; a++) {
		int64_t rest = net->arcs[a].flow - net->arcs[a].lower;

		for (unsigned i = 0; rest > 0; i++) {
			const struct mcf_segment *at =
				&net->segments[net->arcs[a].first + i];
			int64_t part = rest < at->width ? rest : at->width;

			cost += (__int128)part * at->price;
			rest -= part;
		}
		if (net->arcs[a].n)
			cost += (__int128)net->arcs[a].lower *
				net->segments[net->arcs[a].first].price;
	}
	return cost;
}

#endif
