/*
 * mcf_graphs.c - random graphs, hostile ones, and those of a program.
 *
 * Blocks are measured with lognormal noise.  The network is laid out as
 * smooth.c does it, in one rank of prices.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "testsuite/bench/mcf_graphs.h"

/* So many blocks at each size, on at most so many graphs. */
enum { BLOCKS = 5000, GRAPHS = 200 };

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

/* Block b of a cold row, or the loop at its side. */
static void add_islands(struct random_cfg *cfg, unsigned size)
{
	unsigned row = (size + 1) / 2;

	for (unsigned b = 0; b < size; b++) {
		cfg->count[b] = b < row ? 0 : 1000;
		if (b >= row) {
			random_cfg_edge(cfg, b, b);
			random_cfg_edge(cfg, b, b - row);
			continue;
		}
		random_cfg_edge(cfg, b, b + 1 < row ? b + 1 : CFG_OUTSIDE);
		random_cfg_edge(cfg, b, b ? b - 1 : CFG_OUTSIDE);
		if (b + row < size)
			random_cfg_edge(cfg, b, b + row);
	}
}

/* Counts that have nothing to do with each other. */
static void add_hostile(struct random_cfg *cfg, enum shape shape, unsigned size)
{
	unsigned last = size - 1;

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
}

/* A shape that is hard. */
static void make_hostile(struct random_cfg *cfg, enum shape shape, int size,
			 int seed)
{
	cfg->random = seed;
	cfg->nedges = 0;
	cfg->nblocks = size;
	cfg->count = realloc(cfg->count, size * sizeof(*cfg->count));
	random_cfg_edge(cfg, CFG_OUTSIDE, 0);
	if (shape == ISLANDS)
		add_islands(cfg, size);
	else
		add_hostile(cfg, shape, size);
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

struct graphs graphs_load(const char *path)
{
	enum { ROOM = 100000 };
	struct graphs graphs = { 0 };
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
			graphs.all = fdo_grow(graphs.all, graphs.n, &room,
					      sizeof(*graphs.all));
			graphs.all[graphs.n++] = (struct measured){ 0 };
			memset(numbers, 0, ROOM * sizeof(*numbers));
		} else if (n == 3 && kind == 'E' && graphs.n) {
			cfg = &graphs.all[graphs.n - 1].cfg;
			unsigned from = block_of(cfg, first, numbers, ROOM);

			random_cfg_edge(cfg, from,
					block_of(cfg, second, numbers, ROOM));
		}
	}
	fclose(file);
	free(numbers);
	if (graphs.n == 0) {
		fprintf(stderr, "mcf: %s has no graphs\n", path);
		exit(EXIT_FAILURE);
	}
	for (int i = 0; i < graphs.n; i++)
		end_graph(&graphs.all[i], i);
	return graphs;
}

struct graphs graphs_make(enum shape shape, int size)
{
	struct graphs graphs = { .n = BLOCKS / size };

	if (graphs.n < 1)
		graphs.n = 1;
	if (graphs.n > GRAPHS)
		graphs.n = GRAPHS;
	graphs.all = calloc(graphs.n, sizeof(*graphs.all));
	for (int i = 0; i < graphs.n; i++)
		if (shape == NESTED)
			make_nested(&graphs.all[i].cfg, size, i);
		else
			make_hostile(&graphs.all[i].cfg, shape, size, i);
	return graphs;
}

void graphs_measure(struct graphs *graphs, enum model model)
{
	for (int i = 0; i < graphs->n; i++) {
		struct measured *m = &graphs->all[i];

		measure(m, model);
		lay_out(m);
		graphs->blocks += m->net.nblocks;
		graphs->arcs += m->net.narcs;
		graphs->segments += m->net.first[m->net.narcs];
		if (m->net.narcs > graphs->most_arcs)
			graphs->most_arcs = m->net.narcs;
	}
}

void graphs_free(struct graphs *graphs)
{
	for (int i = 0; i < graphs->n; i++)
		forget(&graphs->all[i]);
	free(graphs->all);
}
