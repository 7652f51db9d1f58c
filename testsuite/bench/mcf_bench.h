/* mcf_bench.h - a network as plain arrays, and who can solve it. */
#ifndef TESTSUITE_MCF_BENCH_H
#define TESTSUITE_MCF_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arc a is segments first[a] .. first[a + 1] - 1; lower bounds are 0. */
struct bench_network {
	unsigned nodes, narcs, nblocks;
	unsigned *tail, *head, *first;
	int64_t *width, *price;
};

/* From the arrays to a flow for each arc and back to nothing. */
typedef bool bench_solve(const struct bench_network *net, int64_t *flow);

/* A flow graph with counts of its blocks; ~0u is the outside. */
struct bench_graph {
	unsigned nblocks, nedges;
	unsigned *from, *to;
	int64_t *count;
};

/* LLVM's profi: from there to counts that add up. */
bool bench_profi(const struct bench_graph *graph, int64_t *count);

/* LEMON's, with one arc for each segment. */
bench_solve bench_lemon;

/* The same after each measured arc was turned round, with supplies. */
bench_solve bench_lemon_supply;

/* Its cost scaling, likewise. */
bench_solve bench_lemon_scaling;

/* The most memory that was in use between the two, in bytes. */
void bench_memory_begin(void);
long bench_memory_end(void);

#ifdef __cplusplus
}
#endif
#endif
