/*
 * mcf.c - how fast the network simplex is, beside GLPK and LEMON.
 *
 *	make testsuite/bench/mcf && testsuite/bench/mcf >mcf.tsv
 *	testsuite/bench/mcf --sizes 10,1000 --glpk-limit 300 --rounds 3
 *	testsuite/bench/mcf --model kl --shape ladder --sizes 1000,16000
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
 * segments per block, ns per block, the most bytes
 * per block at a time on the largest graph, ratio to LEMON's better one.  "smooth"
 * and "prior" are all of flow_solve(), without and with a prior.  LEMON is
 * there if configure found liblemon-dev.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/mcf.h"
#include "mcf/smooth.h"
#include "testsuite/bench/mcf_bench.h"
#include "testsuite/lib/random_cfg.h"

/* So many blocks at each size, on at most so many graphs. */
enum { BLOCKS = 5000, GRAPHS = 200, ROUNDS = 9, SIZES = 16 };

/* Where the graphs come from. */
enum shape {
	NESTED, /* random structured programs */
	CHAIN,	/* blocks in a row */
	LADDER, /* two rows with a way across at each step */
	TANGLE, /* each block leads to the next one and to any other */
	SHAPES
};
static const char *const shapes[] = { "nested", "chain", "ladder", "tangle" };

enum model { LINEAR, KL, MODELS };
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

/* A graph with what was measured on it. */
struct measured {
	struct random_cfg cfg;
	struct flow_cost *costs; /* by block */
	struct bench_network net;
	struct bench_graph graph;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void measure(struct measured *m, enum model model)
{
	struct random_cfg *cfg = &m->cfg;

	m->costs = calloc(cfg->nblocks, sizeof(*m->costs));
	m->graph.nblocks = cfg->nblocks;
	m->graph.count = calloc(cfg->nblocks, sizeof(*m->graph.count));
	for (unsigned b = 0; b < cfg->nblocks; b++) {
		double noise = exp(.5 * random_normal(&cfg->random));
		int64_t seen = llround(cfg->count[b] * noise);

		m->graph.count[b] = seen;
		if (model == LINEAR)
			flow_cost_linear(&m->costs[b], seen, 20,
					 seen ? 10 : 11);
		else
			flow_cost_kl(
				&m->costs[b], seen, 4,
				200 * (1 + random_below(&cfg->random, 20)));
	}
}

static void add_arc(struct bench_network *net, unsigned tail, unsigned head,
		    const struct flow_cost *cost)
{
	unsigned segment = net->first[net->narcs];

	net->tail[net->narcs] = tail;
	net->head[net->narcs] = head;
	for (unsigned i = 0; i < cost->n; i++) {
		net->width[segment] = cost->width[i];
		net->price[segment++] = cost->price[i];
	}
	net->first[++net->narcs] = segment;
}

/* As smooth.c does it, in one rank of prices. */
static void lay_out(struct measured *m)
{
	struct flow_cost edge = { 1, { MCF_MAX }, { 1 } };
	const struct random_cfg *cfg = &m->cfg;
	unsigned arcs = cfg->nblocks + cfg->nedges;
	unsigned segments = cfg->nedges;
	struct bench_network *net = &m->net;

	for (unsigned b = 0; b < cfg->nblocks; b++)
		segments += m->costs[b].n;
	net->nblocks = cfg->nblocks;
	net->nodes = 2 * cfg->nblocks + 1;
	net->tail = calloc(arcs, sizeof(*net->tail));
	net->head = calloc(arcs, sizeof(*net->head));
	net->first = calloc(arcs + 1, sizeof(*net->first));
	net->width = calloc(segments, sizeof(*net->width));
	net->price = calloc(segments, sizeof(*net->price));
	for (unsigned b = 0; b < cfg->nblocks; b++) {
		struct flow_cost cost = m->costs[b];

		for (unsigned i = 0; i < cost.n; i++)
			cost.price[i] *= 16;
		add_arc(net, 1 + 2 * b, 2 + 2 * b, &cost);
	}
	m->graph.nedges = cfg->nedges;
	m->graph.from = calloc(cfg->nedges, sizeof(*m->graph.from));
	m->graph.to = calloc(cfg->nedges, sizeof(*m->graph.to));
	for (unsigned e = 0; e < cfg->nedges; e++) {
		m->graph.from[e] = cfg->edges[e].from;
		m->graph.to[e] = cfg->edges[e].to;
		add_arc(net,
			cfg->edges[e].from == CFG_OUTSIDE
				? 0
				: 2 + 2 * cfg->edges[e].from,
			cfg->edges[e].to == CFG_OUTSIDE
				? 0
				: 1 + 2 * cfg->edges[e].to,
			&edge);
	}
}

static void forget(struct measured *m)
{
	random_cfg_free(&m->cfg);
	free(m->costs);
	free(m->graph.count);
	free(m->graph.from);
	free(m->graph.to);
	free(m->net.tail);
	free(m->net.head);
	free(m->net.first);
	free(m->net.width);
	free(m->net.price);
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

static bool smooth(struct flow_graph *g, const struct measured *m, bool prior)
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
		if (prior && edge->from != CFG_OUTSIDE)
			flow_set_edge_prior(g, e, edge->share);
	}
	if (flow_solve(g, MCF_SIMPLEX, &err))
		return true;
	fprintf(stderr, "mcf: %s\n", err.text);
	return false;
}

enum contender {
	SIMPLEX,
	GLPK,
	LEMON,
	LEMON_SUPPLY,
	SMOOTH,
	PRIOR,
	PROFI,
	CONTENDERS
};
static const char *const contenders[] = { "simplex",	  "glpk",   "lemon",
					  "lemon-supply", "smooth", "prior",
					  "profi" };

struct race {
	const struct options *options;
	enum model model;
	struct measured *all;
	int n;
	unsigned blocks, arcs, segments;
	struct mcf_network *net;
	struct flow_graph *graph;
	int64_t *flow;
	double time[CONTENDERS][64], memory[CONTENDERS];
	long double cost[CONTENDERS];
};

static bool takes_part(const struct race *race, enum contender c)
{
	if (!(race->options->solvers & 1u << c))
		return false;
	if (c == GLPK)
		return (int)race->blocks / race->n <= race->options->glpk_limit;
	if (c == PROFI) {
#ifndef HAVE_LLVM
		return false;
#endif
		return race->model == LINEAR &&
		       race->options->shape == NESTED &&
		       (int)race->blocks / race->n <=
			       race->options->profi_limit;
	}
#ifndef HAVE_LEMON
	if (c == LEMON || c == LEMON_SUPPLY)
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
#endif
#ifdef HAVE_LLVM
	case PROFI:
		return bench_profi(&m->graph, race->flow);
#endif
	default:
		return smooth(race->graph, m, c == PRIOR);
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

/* All graphs once; small ones again until that takes long enough. */
static void run(struct race *race, enum contender c, int round)
{
	double begun = now(), time;
	int times = 0;

	do {
		for (int i = 0; i < race->n; i++)
			if (!solve(race, c, &race->all[i]))
				exit(EXIT_FAILURE);
		times++;
		time = now() - begun;
	} while (time < 1e7);
	race->time[c][round] = time / times / race->blocks;
}

/* The most that one contender has at a time, beyond what there was. */
static void weigh(struct race *race, enum contender c)
{
	const struct measured *largest = &race->all[0];

	for (int i = 1; i < race->n; i++)
		if (race->all[i].net.nblocks > largest->net.nblocks)
			largest = &race->all[i];
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
	for (int i = 0; i < race->n; i++) {
		solve(race, c, &race->all[i]);
		race->cost[c] += cost_of(&race->all[i].net, race->flow);
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
	lemon = fmin(time[LEMON], time[LEMON_SUPPLY]);
	for (int c = 0; c < CONTENDERS; c++) {
		if (!takes_part(race, c))
			continue;
		printf("%s\t%s\t%u\t%d\t%.2f\t%.2f\t%.1f\t%.0f\t",
		       models[model], contenders[c], race->blocks / race->n,
		       race->n, (double)race->arcs / race->blocks,
		       (double)race->segments / race->blocks, time[c],
		       race->memory[c]);
		if (lemon > 0)
			printf("%.3f", time[c] / lemon);
		putchar('\n');
	}
	fflush(stdout);
}

/* Counts that have nothing to do with each other, on a shape that is hard. */
static void make_hostile(struct random_cfg *cfg, enum shape shape, int size,
			 int seed)
{
	unsigned last = size - 1;

	cfg->random = seed;
	cfg->nedges = 0;
	cfg->nblocks = size;
	cfg->count = realloc(cfg->count, size * sizeof(*cfg->count));
	random_cfg_edge(cfg, CFG_OUTSIDE, 0);
	random_cfg_edge(cfg, last, CFG_OUTSIDE);
	for (unsigned b = 0; b <= last; b++) {
		cfg->count[b] = random_below(&cfg->random, 1000);
		if (b < last && shape != LADDER)
			random_cfg_edge(cfg, b, b + 1);
		if (shape == TANGLE)
			random_cfg_edge(cfg, b,
					random_below(&cfg->random, size));
		if (shape == LADDER && b + 2 <= last)
			random_cfg_edge(cfg, b, b + 2);
		if (shape == LADDER && b < last && b % 2 == 0)
			random_cfg_edge(cfg, b, b + 1);
	}
	random_cfg_share(cfg);
}

static void make_nested(struct random_cfg *cfg, int size, int seed)
{
	while (cfg->nblocks < .8 * size || cfg->nblocks > 1.25 * size) {
		random_cfg_make(cfg, size, seed);
		seed += 1000;
	}
	random_cfg_run(cfg, 200);
}

/* The number of a block among those that the function has so far. */
static unsigned block_of(struct random_cfg *cfg, const char *name,
			 unsigned *numbers, size_t room)
{
	unsigned long number = strtoul(name, NULL, 10);

	if (*name == '-')
		return CFG_OUTSIDE;
	if (number >= room) {
		fprintf(stderr, "mcf: block %lu is too many\n", number);
		exit(EXIT_FAILURE);
	}
	if (numbers[number] == 0)
		numbers[number] = ++cfg->nblocks;
	return numbers[number] - 1;
}

/* A block that leads nowhere leads out, as profi takes it. */
static void end_graph(struct measured *m, uint64_t seed)
{
	struct random_cfg *cfg = &m->cfg;
	bool *leads = calloc(cfg->nblocks + 1, sizeof(*leads));

	for (unsigned e = 0; e < cfg->nedges; e++)
		if (cfg->edges[e].from != CFG_OUTSIDE)
			leads[cfg->edges[e].from] = true;
	for (unsigned b = 0; b < cfg->nblocks; b++)
		if (!leads[b])
			random_cfg_edge(cfg, b, CFG_OUTSIDE);
	free(leads);
	cfg->random = seed;
	cfg->count = calloc(cfg->nblocks, sizeof(*cfg->count));
	random_cfg_share(cfg);
	random_cfg_run(cfg, 200);
}

/* What testsuite/bench/cfgs has written. */
static void load_graphs(struct race *race, const char *path)
{
	enum { ROOM = 100000 };
	unsigned *numbers = calloc(ROOM, sizeof(*numbers));
	char kind, first[256], second[256], line[600];
	FILE *file = fopen(path, "r");
	size_t room = 0;

	if (!file) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	while (fgets(line, sizeof(line), file)) {
		int n = sscanf(line, "%c %255s %255s", &kind, first, second);
		struct random_cfg *cfg;

		if (n == 2 && kind == 'F') {
			race->all = fdo_grow(race->all, race->n, &room,
					     sizeof(*race->all));
			race->all[race->n++] = (struct measured){ 0 };
			memset(numbers, 0, ROOM * sizeof(*numbers));
		} else if (n == 3 && kind == 'E' && race->n) {
			cfg = &race->all[race->n - 1].cfg;
			unsigned from = block_of(cfg, first, numbers, ROOM);

			random_cfg_edge(cfg, from,
					block_of(cfg, second, numbers, ROOM));
		}
	}
	fclose(file);
	free(numbers);
	for (int i = 0; i < race->n; i++)
		end_graph(&race->all[i], i);
}

static void make_graphs(struct race *race, int size)
{

	race->n = BLOCKS / size;
	if (race->n < 1)
		race->n = 1;
	if (race->n > GRAPHS)
		race->n = GRAPHS;
	race->all = calloc(race->n, sizeof(*race->all));
	for (int i = 0; i < race->n; i++)
		if (race->options->shape == NESTED)
			make_nested(&race->all[i].cfg, size, i);
		else
			make_hostile(&race->all[i].cfg, race->options->shape,
				     size, i);
}

/* Samples on all graphs, and the networks that follow from them. */
static void make_networks(struct race *race)
{
	unsigned largest = 0;

	for (int i = 0; i < race->n; i++) {
		struct measured *m = &race->all[i];

		measure(m, race->model);
		lay_out(m);
		race->blocks += m->net.nblocks;
		race->arcs += m->net.narcs;
		race->segments += m->net.first[m->net.narcs];
		if (m->net.narcs > largest)
			largest = m->net.narcs;
	}
	race->flow = calloc(largest, sizeof(*race->flow));
}

static void race_size(const struct options *options, enum model model, int size)
{
	struct race race = { .options = options, .model = model };

	if (options->cfgs)
		load_graphs(&race, options->cfgs);
	else
		make_graphs(&race, size);
	make_networks(&race);
	race.net = mcf_new(0);
	race.graph = flow_new();
	for (int c = 0; c < CONTENDERS; c++)
		if (takes_part(&race, c)) {
			weigh(&race, c);
			compare_costs(&race, c);
		}
	for (int round = 0; round < options->rounds; round++)
		for (int c = 0; c < CONTENDERS; c++)
			if (takes_part(&race, c))
				run(&race, c, round);
	report(&race, model);
	flow_free(race.graph);
	mcf_free(race.net);
	free(race.flow);
	for (int i = 0; i < race.n; i++)
		forget(&race.all[i]);
	free(race.all);
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
		.solvers = ~0u,
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
	     "bytes_per_block\tto_lemon");
	for (int i = 0; i < options.nsizes; i++)
		for (enum model model = 0; model < MODELS; model++)
			if (options.model < 0 || options.model == (int)model)
				race_size(&options, model, options.sizes[i]);
	return 0;
}
