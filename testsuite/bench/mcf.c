/*
 * mcf.c - how fast the network simplex is, beside GLPK and LEMON.
 *
 *	make testsuite/bench/mcf && testsuite/bench/mcf >mcf.tsv
 *	testsuite/bench/mcf --sizes 10,1000 --glpk-limit 300 --rounds 3
 *	testsuite/bench/mcf --model kl --shape ladder --sizes 1000,16000
 *	(chain, ladder, tangle, islands: mcf_graphs.h says what they are)
 *	testsuite/bench/mcf --solvers simplex,lemon-supply
 *
 * Each solver gets the same networks: random structured CFGs whose blocks
 * were measured with lognormal noise, once with linear costs (10 to raise,
 * 11 from zero, 20 to lower), once with the KL costs of smooth.h weighted by
 * a random number of instructions.  Time is that of the thread for building
 * from plain arrays, solving, reading the flow and freeing; the median of
 * the rounds, in which the solvers take turns.  All must find the same cost.
 * Or the graphs are those of a program, as GCC has them:
 *
 *	testsuite/bench/cfgs gcc -O2 sqlite3.c >sqlite3.cfgs
 *	testsuite/bench/mcf --cfgs sqlite3.cfgs
 *
 * Output: model, solver, blocks (mean of the graphs), graphs, arcs and
 * segments per block, ns per block, the most bytes per block at a time on the
 * largest graph, ratio to LEMON's better simplex; and for another shape than
 * the nested one of programs, ratio of the time to what the same solver takes a
 * block of nested graphs of that size, which is the trend that no input should
 * exceed by much.  "smooth" and "prior" are all of flow_solve(), without and
 * with a prior, "connect" is the latter and flow_connect().  LEMON's simplex
 * (twice: mcf_lemon.cc) is there if configure found liblemon-dev, and its cost
 * scaling, lemon-scaling, if --solvers names it: that of LEMON 1.3.1 crashes on
 * some small networks, and does not end on some of programs.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "mcf/mcf.h"
#include "mcf/smooth.h"
#include "testsuite/bench/mcf_bench.h"
#include "testsuite/bench/mcf_graphs.h"

enum { ROUNDS = 9, SIZES = 16 };

static const char *const shapes[] = { "nested", "chain", "ladder", "tangle",
				      "islands" };
static const char *const models[] = { "linear", "kl" };

struct options {
	int sizes[SIZES], nsizes;
	int glpk_limit, profi_limit; /* largest graphs that these get */
	const char *cfgs;
	int rounds;
	unsigned solvers; /* a bit for each that takes part */
	enum shape shape;
	int model; /* -1: all */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static bool solve_with(struct mcf_network *net, enum mcf_solver solver,
		       const struct bench_network *from, int64_t *flow)
{
	struct fdo_error err;

	mcf_reset(net, from->nodes);
	for (unsigned a = 0; a < from->narcs; a++) {
		unsigned first = from->first[a];

		mcf_add_convex(net, from->tail[a], from->head[a],
			       from->first[a + 1] - first, from->width + first,
			       from->price + first);
	}
	if (!mcf_solve(net, solver, &err)) {
		fprintf(stderr, "mcf: %s\n", err.text);
		return false;
	}
	for (unsigned a = 0; a < from->narcs; a++)
		flow[a] = mcf_flow(net, a);
	return true;
}

enum contender {
	SIMPLEX,
	GLPK,
	LEMON,
	LEMON_SUPPLY,
	LEMON_SCALING,
	SMOOTH,
	PRIOR,
	CONNECT,
	PROFI,
	CONTENDERS
};
static const char *const contenders[] = {
	"simplex", "glpk",  "lemon",   "lemon-supply", "lemon-scaling",
	"smooth",  "prior", "connect", "profi"
};

/* What an island gets. */
enum { LITTLE = 100 };

static bool smooth(struct flow_graph *g, const struct measured *m,
		   enum contender c)
{
	struct fdo_error err;

	flow_reset(g);
	for (unsigned b = 0; b < m->cfg.nblocks; b++) {
		flow_add_block(g);
		flow_set_block_cost(g, b, &m->costs[b]);
	}
	for (unsigned e = 0; e < m->cfg.nedges; e++) {
		const struct random_edge *edge = &m->cfg.edges[e];

		flow_add_edge(g, edge->from, edge->to);
		if (c != SMOOTH && edge->from != CFG_OUTSIDE)
			flow_set_edge_prior(g, e, edge->share);
	}
	if (!flow_solve(g, MCF_SIMPLEX, &err)) {
		fprintf(stderr, "mcf: %s\n", err.text);
		return false;
	}
	if (c == CONNECT)
		flow_connect(g, LITTLE);
	return true;
}

struct race {
	const struct options *options;
	enum model model;
	struct graphs graphs;
	struct mcf_network *net;
	struct flow_graph *graph;
	int64_t *flow;
	double time[CONTENDERS][64], memory[CONTENDERS];
	double usual[CONTENDERS]; /* time of nested graphs, if they are not */
	long double cost[CONTENDERS];
};

static bool takes_part(const struct race *race, enum contender c)
{
	if (!(race->options->solvers & 1u << c))
		return false;
	if (c == GLPK)
		return (int)race->graphs.blocks / race->graphs.n <=
		       race->options->glpk_limit;
	if (c == PROFI) {
#ifndef HAVE_LLVM
		return false;
#endif
		return race->model == LINEAR &&
		       race->options->shape == NESTED &&
		       (int)race->graphs.blocks / race->graphs.n <=
			       race->options->profi_limit;
	}
#ifndef HAVE_LEMON
	if (c == LEMON || c == LEMON_SUPPLY || c == LEMON_SCALING)
		return false;
#endif
	return true;
}

static bool solve(struct race *race, enum contender c, const struct measured *m)
{
	switch (c) {
	case SIMPLEX:
		return solve_with(race->net, MCF_SIMPLEX, &m->net, race->flow);
	case GLPK:
		return solve_with(race->net, MCF_GLPK, &m->net, race->flow);
#ifdef HAVE_LEMON
	case LEMON:
		return bench_lemon(&m->net, race->flow);
	case LEMON_SUPPLY:
		return bench_lemon_supply(&m->net, race->flow);
	case LEMON_SCALING:
		return bench_lemon_scaling(&m->net, race->flow);
#endif
#ifdef HAVE_LLVM
	case PROFI:
		return bench_profi(&m->graph, race->flow);
#endif
	default:
		return smooth(race->graph, m, c);
	}
}

static long double cost_of(const struct bench_network *net, const int64_t *flow)
{
	long double cost = 0;

	for (unsigned a = 0; a < net->narcs; a++) {
		int64_t left = flow[a];

		for (unsigned s = net->first[a]; left > 0; s++) {
			int64_t part =
				left < net->width[s] ? left : net->width[s];

			cost += (long double)part * net->price[s];
			left -= part;
		}
	}
	return cost;
}

static void solve_all(struct race *race, enum contender c)
{
	for (int i = 0; i < race->graphs.n; i++)
		if (!solve(race, c, &race->graphs.all[i]))
			exit(EXIT_FAILURE);
}

/*
 * All graphs once; small ones again until that takes long enough.  What the
 * contender before left in the caches is made good without being timed.
 */
static void run(struct race *race, enum contender c, int round)
{
	double begun, time;
	int times = 0;

	solve_all(race, c);
	begun = now();
	do {
		solve_all(race, c);
		times++;
		time = now() - begun;
	} while (time < 1e7);
	race->time[c][round] = time / times / race->graphs.blocks;
}

/* The most that one contender has at a time, beyond what there was. */
static void weigh(struct race *race, enum contender c)
{
	const struct measured *largest = &race->graphs.all[0];

	for (int i = 1; i < race->graphs.n; i++)
		if (race->graphs.all[i].net.nblocks > largest->net.nblocks)
			largest = &race->graphs.all[i];
	mcf_free(race->net);
	flow_free(race->graph);
	bench_memory_begin();
	race->net = mcf_new(0);
	race->graph = flow_new();
	solve(race, c, largest);
	race->memory[c] = (double)bench_memory_end() / largest->net.nblocks;
}

static void compare_costs(struct race *race, enum contender c)
{
	if (c >= SMOOTH)
		return; /* their costs are not the same */
	for (int i = 0; i < race->graphs.n; i++) {
		solve(race, c, &race->graphs.all[i]);
		race->cost[c] += cost_of(&race->graphs.all[i].net, race->flow);
	}
	if (race->options->solvers & 1u << SIMPLEX &&
	    race->cost[c] != race->cost[SIMPLEX]) {
		fprintf(stderr, "mcf: %s finds %.0Lf, simplex %.0Lf\n",
			contenders[c], race->cost[c], race->cost[SIMPLEX]);
		exit(EXIT_FAILURE);
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *times, int n)
{
	qsort(times, n, sizeof(*times), by_value);
	return times[n / 2];
}

static void report(struct race *race, enum model model)
{
	double time[CONTENDERS] = { 0 }, lemon;

	for (int c = 0; c < CONTENDERS; c++)
		if (takes_part(race, c))
			time[c] = median(race->time[c], race->options->rounds);
	lemon = time[LEMON] > 0 ? fmin(time[LEMON], time[LEMON_SUPPLY])
				: time[LEMON_SUPPLY];
	for (int c = 0; c < CONTENDERS; c++) {
		if (!takes_part(race, c))
			continue;
		printf("%s\t%s\t%u\t%d\t%.2f\t%.2f\t%.1f\t%.0f\t",
		       models[model], contenders[c],
		       race->graphs.blocks / race->graphs.n, race->graphs.n,
		       (double)race->graphs.arcs / race->graphs.blocks,
		       (double)race->graphs.segments / race->graphs.blocks,
		       time[c], race->memory[c]);
		if (lemon > 0)
			printf("%.3f", time[c] / lemon);
		putchar('\t');
		if (race->usual[c] > 0)
			printf("%.1f", time[c] / race->usual[c]);
		putchar('\n');
	}
	fflush(stdout);
}

static void race_begin(struct race *race)
{
	graphs_measure(&race->graphs, race->model);
	race->flow = calloc(race->graphs.most_arcs, sizeof(*race->flow));
	race->net = mcf_new(0);
	race->graph = flow_new();
}

static void race_end(struct race *race)
{
	flow_free(race->graph);
	mcf_free(race->net);
	free(race->flow);
	graphs_free(&race->graphs);
}

static void race_round(struct race *race, int round)
{
	for (int c = 0; c < CONTENDERS; c++)
		if (takes_part(race, c))
			run(race, c, round);
}

static void race_rounds(struct race *race)
{
	for (int round = 0; round < race->options->rounds; round++)
		race_round(race, round);
}

/* By turns, what each takes for graphs that are like those of programs. */
static void race_beside_usual(struct race *race, int size)
{
	struct race nested = { .options = race->options, .model = race->model };
	int rounds = race->options->rounds;

	nested.graphs = graphs_make(NESTED, size);
	race_begin(&nested);
	for (int round = 0; round < rounds; round++) {
		race_round(race, round);
		race_round(&nested, round);
	}
	for (int c = 0; c < CONTENDERS; c++)
		if (takes_part(&nested, c))
			race->usual[c] = median(nested.time[c], rounds);
	race_end(&nested);
}

static void race_size(const struct options *options, enum model model, int size)
{
	struct race race = { .options = options, .model = model };

	race.graphs = options->cfgs ? graphs_load(options->cfgs)
				    : graphs_make(options->shape, size);
	race_begin(&race);
	for (int c = 0; c < CONTENDERS; c++)
		if (takes_part(&race, c)) {
			weigh(&race, c);
			compare_costs(&race, c);
		}
	if (!options->cfgs && options->shape != NESTED)
		race_beside_usual(&race, size);
	else
		race_rounds(&race);
	report(&race, model);
	race_end(&race);
}

static void parse_sizes(struct options *options, char *text)
{
	options->nsizes = 0;
	for (char *part = strtok(text, ","); part && options->nsizes < SIZES;
	     part = strtok(NULL, ","))
		options->sizes[options->nsizes++] = atoi(part);
}

static int index_of(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	fprintf(stderr, "mcf: what is %s?\n", name);
	exit(2);
}

static unsigned parse_solvers(char *text)
{
	unsigned solvers = 0;

	for (char *part = strtok(text, ","); part; part = strtok(NULL, ","))
		solvers |= 1u << index_of(contenders, CONTENDERS, part);
	return solvers;
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{ "sizes", required_argument, NULL, 'n' },
		{ "shape", required_argument, NULL, 's' },
		{ "glpk-limit", required_argument, NULL, 'g' },
		{ "profi-limit", required_argument, NULL, 'p' },
		{ "cfgs", required_argument, NULL, 'c' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "model", required_argument, NULL, 'm' },
		{ "solvers", required_argument, NULL, 'o' },
		{ 0 },
	};
	struct options options = {
		.sizes = { 10, 30, 100, 1000, 10000, 50000, 100000 },
		.nsizes = 7,
		.glpk_limit = 1000,
		.profi_limit = 1000,
		.rounds = ROUNDS,
		.solvers = ~(1u << LEMON_SCALING),
		.model = -1,
	};
	int c;

	printf("#");
	for (int i = 0; i < argc; i++)
		printf(" %s", argv[i]);
	puts(", " PACKAGE_STRING);
	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (c == 'n')
			parse_sizes(&options, optarg);
		else if (c == 'g')
			options.glpk_limit = atoi(optarg);
		else if (c == 'p')
			options.profi_limit = atoi(optarg);
		else if (c == 'c')
			options.cfgs = optarg;
		else if (c == 'r' && atoi(optarg) > 0 && atoi(optarg) <= 64)
			options.rounds = atoi(optarg);
		else if (c == 'o')
			options.solvers = parse_solvers(optarg);
		else if (c == 'm')
			options.model = index_of(models, MODELS, optarg);
		else if (c == 's')
			options.shape = index_of(shapes, SHAPES, optarg);
		else
			return 2;
	}
	if (options.cfgs)
		options.nsizes = 1;
	puts("model\tsolver\tblocks\tgraphs\tarcs\tsegments\tns_per_block\t"
	     "bytes_per_block\tto_lemon\tto_nested");
	for (int i = 0; i < options.nsizes; i++)
		for (enum model model = 0; model < MODELS; model++)
			if (options.model < 0 || options.model == (int)model)
				race_size(&options, model, options.sizes[i]);
	return 0;
}
