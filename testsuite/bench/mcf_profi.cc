/*
 * mcf_profi.cc - LLVM's profi on the same counts.
 *
 * It has costs of its own and takes no others.  What it cannot take is made
 * so: parallel edges become one, a block after the last is where all leave
 * to, and functions of one block or without counts are not given to it at
 * all, as in LLVM.
 */
#include <llvm/Transforms/Utils/SampleProfileInference.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "testsuite/bench/mcf_bench.h"

namespace
{

using Edge = std::pair<unsigned, unsigned>;

std::vector<Edge> edges_of(const bench_graph *graph)
{
	std::vector<Edge> edges;

	for (unsigned e = 0; e < graph->nedges; e++) {
		unsigned from = graph->from[e], to = graph->to[e];

		if (from == ~0u)
			edges.emplace_back(0, to + 1);
		else
			edges.emplace_back(from + 1,
					   to == ~0u ? graph->nblocks + 1
						     : to + 1);
	}
	std::sort(edges.begin(), edges.end());
	edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
	return edges;
}

llvm::FlowFunction function_of(const bench_graph *graph)
{
	llvm::FlowFunction function;

	function.Blocks.resize(graph->nblocks + 2);
	for (unsigned b = 0; b < graph->nblocks + 2; b++) {
		llvm::FlowBlock &block = function.Blocks[b];

		block.Index = b;
		if (b == 0 || b > graph->nblocks)
			continue;
		block.Weight = graph->count[b - 1];
		block.HasUnknownWeight = false;
	}
	for (const Edge &edge : edges_of(graph)) {
		llvm::FlowJump jump;

		jump.Source = edge.first;
		jump.Target = edge.second;
		function.Jumps.push_back(jump);
	}
	for (llvm::FlowJump &jump : function.Jumps) {
		function.Blocks[jump.Source].SuccJumps.push_back(&jump);
		function.Blocks[jump.Target].PredJumps.push_back(&jump);
	}
	return function;
}

} // namespace

bool bench_profi(const bench_graph *graph, int64_t *count)
{
	llvm::FlowFunction function;
	int64_t sum = 0;

	for (unsigned b = 0; b < graph->nblocks; b++)
		sum += graph->count[b];
	if (graph->nblocks < 2 || sum == 0)
		return true;
	function = function_of(graph);
	llvm::applyFlowInference(function);
	for (unsigned b = 0; b < graph->nblocks; b++)
		count[b] = function.Blocks[b + 1].Flow;
	return true;
}
