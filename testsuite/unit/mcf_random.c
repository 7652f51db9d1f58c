/*
 * The network simplex on thousands of random networks: its answer is a
 * cheapest circulation by proof, as cheap as GLPK's, and the same each time.
 */
#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "mcf/mcf.h"
#include "testsuite/lib/network_check.h"
#include "testsuite/lib/random_cfg.h"
#include "testsuite/lib/tap.h"

struct shape {
	unsigned nodes, arcs;
	int flow_bits, price_bits;
	bool has_lower;
};

/* 0, 1, the largest, or anything between, on all scales alike. */
static int64_t amount(uint64_t *random, int bits)
{
	int64_t limit = (int64_t)1 << random_below(random, bits + 1);

	switch (random_below(random, 8)) {
	case 0:
		return 0;
	case 1:
		return 1;
	case 2:
		return (int64_t)1 << bits;
	default:
		return random_bits(random) % limit;
	}
}

static int64_t price(uint64_t *random, int bits)
{
	int64_t size = amount(random, bits);

	return random_below(random, 3) ? size : -size;
}

/* A cost of up to 20 segments; returns how many. */
static unsigned convex(const struct shape *shape, uint64_t *random,
		       int64_t *width, int64_t *prices)
{
	int64_t sum = price(random, shape->price_bits);
	unsigned n = random_below(random, 21);

	for (unsigned i = 0; i < n; i++) {
		width[i] = amount(random, shape->flow_bits);
		prices[i] = sum < MCF_COST_MAX ? sum : MCF_COST_MAX;
		sum += amount(random, shape->price_bits) / 4;
	}
	return n;
}

static void add_convex(struct mcf_network *net, const struct shape *shape,
		       unsigned tail, unsigned head, uint64_t *random)
{
	int64_t width[20], prices[20];
	unsigned n = convex(shape, random, width, prices);

	mcf_add_convex(net, tail, head, n, width, prices);
}

/* A lower bound comes with a way back, but now and then a narrow one. */
static void add_plain(struct mcf_network *net, const struct shape *shape,
		      unsigned tail, unsigned head, uint64_t *random)
{
	int64_t upper = amount(random, shape->flow_bits), lower = 0;

	if (shape->has_lower && random_below(random, 4) == 0) {
		lower = amount(random, shape->flow_bits);
		upper = upper > lower ? upper : lower;
		mcf_add_arc(net, head, tail, 0,
			    random_below(random, 20) ? MCF_MAX : lower / 2,
			    1 + amount(random, shape->price_bits) / 2);
	}
	mcf_add_arc(net, tail, head, lower, upper,
		    price(random, shape->price_bits));
}

static void build(struct mcf_network *net, const struct shape *shape,
		  uint64_t seed)
{
	uint64_t random = seed;

	mcf_reset(net, shape->nodes);
	for (unsigned i = 0; i < shape->arcs; i++) {
		unsigned tail = random_below(&random, shape->nodes);
		unsigned head = random_below(&random, shape->nodes);

		if (random_below(&random, 3) == 0)
			add_convex(net, shape, tail, head, &random);
		else
			add_plain(net, shape, tail, head, &random);
	}
}

static uint64_t hash_flow(const struct mcf_network *net)
{
	uint64_t hash = net->solved;

	for (size_t a = 0; a < net->narcs && net->solved; a++)
		hash = (hash ^ net->arcs[a].flow) * 0x100000001b3;
	return hash;
}

/* What came of one run over all networks of some shape. */
struct tally {
	int solved, failed, unbalanced, dear; /* by the simplex */
	int differ, refused;		      /* from GLPK; by GLPK */
	uint64_t hash;
};

static struct shape shape_of(uint64_t seed, int flow_bits, int price_bits)
{
	uint64_t random = ~seed;
	unsigned nodes = 1 + random_below(&random, 30);

	if (random_below(&random, 50) == 0)
		nodes = 200;
	return (struct shape){
		.nodes = nodes,
		.arcs = random_below(&random, 4 * nodes),
		.flow_bits = flow_bits,
		.price_bits = price_bits,
		.has_lower = random_below(&random, 2),
	};
}

static void judge(struct mcf_network *net, struct tally *t)
{
	__int128 cost = net->solved ? network_cost(net) : 0;
	bool solved = net->solved;
	struct fdo_error err = { "" };

	if (solved) {
		t->unbalanced += !network_balanced(net);
		t->dear += !network_optimal(net);
	}
	if (mcf_solve(net, MCF_GLPK, &err))
		t->differ += !solved || network_cost(net) != cost;
	else if (strstr(err.text, "lower bounds"))
		t->differ += solved;
	else
		t->refused++;
}

static struct tally run(int networks, int flow_bits, int price_bits,
			bool judged)
{
	struct mcf_network *net = mcf_new(0);
	struct tally t = { 0 };
	struct fdo_error err;

	for (int seed = 0; seed < networks; seed++) {
		struct shape shape = shape_of(seed, flow_bits, price_bits);

		build(net, &shape, seed);
		if (mcf_solve(net, MCF_SIMPLEX, &err))
			t.solved++;
		else
			t.failed++;
		t.hash = (t.hash ^ hash_flow(net)) * 0x100000001b3;
		if (judged)
			judge(net, &t);
	}
	mcf_free(net);
	return t;
}

static void test_as_good_as_glpk(int flow_bits, int price_bits)
{
	struct tally t = run(2000, flow_bits, price_bits, true);

	printf("# counts to 2^%d, prices to 2^%d: %d solved, %d impossible, "
	       "%d refused by GLPK\n",
	       flow_bits, price_bits, t.solved, t.failed, t.refused);
	check(t.solved > 1500 && t.failed > 10, "both kinds are there");
	check_int(t.unbalanced, 0, "flow adds up within bounds");
	check_int(t.dear, 0, "no cycle would make it cheaper");
	check_int(t.differ, 0, "GLPK finds nothing else");
	check(t.refused < 100, "and hardly ever gives up");
}

/* Some arcs another cost, which may be narrower than what flows there. */
static void change(struct mcf_network *net, const struct shape *shape,
		   uint64_t *random)
{
	int64_t width[20], prices[20];

	for (unsigned a = 0; a < net->narcs; a++) {
		if (random_below(random, 3))
			continue;
		unsigned n = convex(shape, random, width, prices);
		mcf_set_convex(net, a, n, width, prices);
	}
}

static void test_changed_costs(int flow_bits, int price_bits)
{
	struct mcf_network *net = mcf_new(0);
	struct tally t = { 0 };
	struct fdo_error err;

	for (int seed = 0; seed < 1000; seed++) {
		struct shape shape = shape_of(seed, flow_bits, price_bits);
		uint64_t random = seed;

		build(net, &shape, seed);
		mcf_solve(net, MCF_SIMPLEX, &err);
		for (int i = 0; i < 5; i++) {
			change(net, &shape, &random);
			if (mcf_solve(net, MCF_SIMPLEX, &err))
				t.solved++;
			if (i < 4 && net->solved)
				t.dear += !network_balanced(net) ||
					  !network_optimal(net);
		}
		judge(net, &t);
	}
	mcf_free(net);
	check(t.solved > 3500, "changed networks are solved");
	check_int(t.dear, 0, "as cheaply as can be");
	check_int(t.unbalanced, 0, "and add up");
	check_int(t.differ, 0, "GLPK finds the same");
}

/* Beyond what a double can judge, the proof still can. */
static void test_extremes_are_exact(void)
{
	struct tally t = { 0 };
	struct mcf_network *net = mcf_new(0);
	struct fdo_error err;

	for (int seed = 0; seed < 2000; seed++) {
		struct shape shape = shape_of(seed, 44, 40);

		build(net, &shape, seed);
		if (!mcf_solve(net, MCF_SIMPLEX, &err))
			continue;
		t.solved++;
		t.unbalanced += !network_balanced(net);
		t.dear += !network_optimal(net);
	}
	mcf_free(net);
	check(t.solved > 1500, "the largest counts and prices can be solved");
	check_int(t.unbalanced, 0, "they add up");
	check_int(t.dear, 0, "and are cheapest");
}

static void test_new_memory_or_old(void)
{
	struct fdo_error err;
	uint64_t hash = 0;

	for (int seed = 0; seed < 500; seed++) {
		struct shape shape = shape_of(seed, 20, 10);
		struct mcf_network *net = mcf_new(0);

		build(net, &shape, seed);
		mcf_solve(net, MCF_SIMPLEX, &err);
		hash = (hash ^ hash_flow(net)) * 0x100000001b3;
		mcf_free(net);
	}
	check(hash == run(500, 20, 10, false).hash,
	      "memory used again gives the same as new");
}

static void *run_thread(void *judged)
{
	struct tally *t = judged;

	*t = run(300, 20, 10, true);
	return NULL;
}

static void test_threads_do_not_meet(void)
{
	struct tally t[2], alone = run(300, 20, 10, true);
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run_thread, &t[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 2; i++)
		check(t[i].hash == alone.hash && t[i].differ == 0 &&
			      t[i].refused == alone.refused,
		      "a thread beside another finds what one alone finds");
}

static void test_too_large_is_refused(void)
{
	struct mcf_network *net = mcf_new((1 << 18) + 1);
	struct fdo_error err = { "" };

	mcf_add_arc(net, 0, 0, 0, 1, -MCF_COST_MAX);
	check(!mcf_solve(net, MCF_SIMPLEX, &err), "too large a price fails");
	check(strstr(err.text, "price"), "and says so");
	mcf_reset(net, 2);
	for (int i = 0; i < (1 << 17); i++)
		mcf_add_arc(net, i & 1, ~i & 1, MCF_MAX, MCF_MAX, 0);
	check(!mcf_solve(net, MCF_SIMPLEX, &err), "too large bounds fail");
	check(strstr(err.text, "bounds"), "and say so");
	mcf_free(net);
}

/* So many arcs that pay that what is on all of them needs 64 bits. */
static void test_flow_that_does_not_fit(void)
{
	enum { ARCS = 600000 };
	struct mcf_network *net = mcf_new(2);
	struct fdo_error err = { "" };
	unsigned back;

	back = mcf_add_arc(net, 1, 0, 0, MCF_MAX, 0);
	mcf_add_arc(net, 1, 0, 0, MCF_MAX, 2);
	for (int i = 0; i < ARCS; i++)
		mcf_add_arc(net, 0, 1, 0, MCF_MAX, -1);
	check(mcf_solve(net, MCF_SIMPLEX, &err), "too many arcs that pay");
	check(net->solved && mcf_flow(net, back) == MCF_MAX &&
		      network_balanced(net),
	      "get what can come back");
	mcf_free(net);
}

int main(void)
{
	test_as_good_as_glpk(8, 6);
	test_as_good_as_glpk(20, 20);
	test_as_good_as_glpk(40, 10);
	test_changed_costs(8, 6);
	test_changed_costs(20, 20);
	test_extremes_are_exact();
	test_new_memory_or_old();
	test_threads_do_not_meet();
	test_too_large_is_refused();
	test_flow_that_does_not_fit();
	return done();
}
