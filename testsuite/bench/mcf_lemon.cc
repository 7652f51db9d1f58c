/*
 * mcf_lemon.cc - LEMON's network simplex, and its cost scaling, on the same
 * arrays.
 *
 * LEMON has no arc with breakpoints, so each segment is an arc.  It is given
 * the network in two ways and the faster one counts: as it is, and with each
 * arc of negative price full from the start and turned round, which is how
 * it was meant to be used (supplies instead of negative prices).
 */
#include <lemon/cost_scaling.h>
#include <lemon/network_simplex.h>
#include <lemon/static_graph.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "testsuite/bench/mcf_bench.h"

using Simplex = lemon::NetworkSimplex<lemon::StaticDigraph, int64_t, int64_t>;
using Scaling = lemon::CostScaling<lemon::StaticDigraph, int64_t, int64_t>;

namespace
{

struct Arcs {
	std::vector<std::pair<int, int>> ends;
	std::vector<int64_t> upper, cost, supply;
	std::vector<unsigned> segment; /* where each arc came from */
};

bool is_turned(const bench_network *net, unsigned segment, bool turn)
{
	return turn && net->price[segment] < 0;
}

/* StaticDigraph wants its arcs sorted by their tails. */
std::vector<unsigned> sorted(const bench_network *net, bool turn,
			     std::vector<unsigned> &arc_of,
			     std::vector<unsigned> &tail_of)
{
	unsigned n = net->first[net->narcs];
	std::vector<unsigned> start(net->nodes + 1), order(n);

	arc_of.resize(n);
	tail_of.resize(n);
	for (unsigned a = 0; a < net->narcs; a++)
		for (unsigned s = net->first[a]; s < net->first[a + 1]; s++) {
			arc_of[s] = a;
			tail_of[s] = is_turned(net, s, turn) ? net->head[a]
							     : net->tail[a];
			start[tail_of[s] + 1]++;
		}
	std::partial_sum(start.begin(), start.end(), start.begin());
	for (unsigned s = 0; s < n; s++)
		order[start[tail_of[s]]++] = s;
	return order;
}

Arcs arcs_of(const bench_network *net, bool turn)
{
	std::vector<unsigned> arc_of, tail_of;
	Arcs arcs;

	arcs.segment = sorted(net, turn, arc_of, tail_of);
	arcs.supply.resize(net->nodes);
	for (unsigned s : arcs.segment) {
		unsigned a = arc_of[s];
		bool turned = is_turned(net, s, turn);

		arcs.ends.emplace_back(tail_of[s],
				       turned ? net->tail[a] : net->head[a]);
		arcs.upper.push_back(net->width[s]);
		arcs.cost.push_back(turned ? -net->price[s] : net->price[s]);
		if (turned) {
			arcs.supply[net->head[a]] += net->width[s];
			arcs.supply[net->tail[a]] -= net->width[s];
		}
	}
	return arcs;
}

template <class Solver>
bool solve(const bench_network *net, int64_t *flow, bool turn)
{
	Arcs arcs = arcs_of(net, turn);
	std::vector<unsigned> segment_arc(arcs.segment.size());
	lemon::StaticDigraph graph;

	graph.build(net->nodes, arcs.ends.begin(), arcs.ends.end());
	lemon::StaticDigraph::ArcMap<int64_t> upper(graph), cost(graph);
	lemon::StaticDigraph::NodeMap<int64_t> supply(graph);
	for (unsigned i = 0; i < arcs.ends.size(); i++) {
		upper[graph.arc(i)] = arcs.upper[i];
		cost[graph.arc(i)] = arcs.cost[i];
		segment_arc[arcs.segment[i]] = i;
	}
	for (unsigned u = 0; u < net->nodes; u++)
		supply[graph.node(u)] = arcs.supply[u];

	Solver solver(graph);
	solver.upperMap(upper).costMap(cost).supplyMap(supply);
	if (solver.run() != Solver::OPTIMAL)
		return false;
	for (unsigned a = 0; a < net->narcs; a++) {
		flow[a] = 0;
		for (unsigned s = net->first[a]; s < net->first[a + 1]; s++) {
			int64_t f = solver.flow(graph.arc(segment_arc[s]));

			flow[a] +=
				is_turned(net, s, turn) ? net->width[s] - f : f;
		}
	}
	return true;
}

} // namespace

bool bench_lemon(const bench_network *net, int64_t *flow)
{
	return solve<Simplex>(net, flow, false);
}

bool bench_lemon_supply(const bench_network *net, int64_t *flow)
{
	return solve<Simplex>(net, flow, true);
}

bool bench_lemon_scaling(const bench_network *net, int64_t *flow)
{
	return solve<Scaling>(net, flow, true);
}
