/*
 * star.c - cost scaling where each way leads over a node that has all arcs: it
 * would look at all of them for each that is pushed, and so it gives up.  What
 * is pushed comes by here, sent by the linker.
 */
#include "base/error.h"
#include "mcf/mcf.h"
#include "mcf/network.h"
#include "mcf/room.h"
#include "mcf/scaling.h"
#include "mcf/scaling_work.h"
#include "testsuite/lib/network_check.h"
#include "testsuite/lib/tangle.h"
#include "testsuite/lib/tap.h"

/* At arcs, up to the last push. */
static uint64_t looks;

void __real_scaling_push(struct scaling *f, uint32_t end, int32_t price,
			 int64_t amount);

void __wrap_scaling_push(struct scaling *f, uint32_t end, int32_t price,
			 int64_t amount)
{
	looks = f->work->looks;
	__real_scaling_push(f, end, price, amount);
}

/* A switch, its blocks measured as if nothing fitted. */
static void star_build(struct mcf_network *net, unsigned blocks)
{
	unsigned before = 2 * blocks, behind = before + 1;
	uint64_t random = 1;

	mcf_reset(net, 2 * blocks + 2);
	for (unsigned b = 0; b < blocks; b++) {
		tangle_measure(net, 2 * b, 2 * b + 1, TANGLE_SEGMENTS, &random);
		mcf_add_arc(net, before, 2 * b, 0, MCF_MAX, 1);
		mcf_add_arc(net, 2 * b + 1, behind, 0, MCF_MAX, 1);
	}
	mcf_add_arc(net, behind, before, 0, MCF_MAX, 1);
}

static void solve(struct mcf_network *net, unsigned blocks)
{
	struct fdo_error err;

	star_build(net, blocks);
	net->scales = true;
	check(mcf_solve(net, MCF_SIMPLEX, &err) && network_balanced(net) &&
		      network_optimal(net),
	      "it has the cheapest flow");
}

int main(void)
{
	enum { FEW = 2000, MANY = 40000 };
	struct mcf_network *net = mcf_new(0);
	struct room memory = { 0 };

	star_build(net, FEW);
	check(scaling_flow(net, &memory, 0), "a switch of 2000 is scaled");
	check(looks > 0, "which takes looks");
	star_build(net, MANY);
	scaling_flow(net, &memory, 0);
	printf("# %d looks at each arc\n", (int)(looks / net->narcs));
	check(looks < (uint64_t)MANY / 10 * net->narcs,
	      "one of 40,000 does not take as many for each of its arcs");
	solve(net, FEW);
	solve(net, MANY);
	room_free(&memory);
	mcf_free(net);
	return done();
}
