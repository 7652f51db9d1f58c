/*
 * judge.c - is each flow of the network simplex as cheap as GLPK's?
 *
 *	testsuite/bench/cfgs gcc -O2 sqlite3.c >sqlite3.cfgs
 *	make testsuite/bench/judge && testsuite/bench/judge sqlite3.cfgs
 *
 * For each function of each file, a walk through it gives counts of blocks,
 * to which lognormal noise is added; both solvers get the network that
 * follows from the linear costs, and from the KL costs of smooth.h.
 *
 * Output: file, model, functions, blocks of all and of the largest; how many
 * functions were compared, GLPK gave up on, and differ, of which each is named
 * on standard error; seconds of each.  The status is 1 if any differs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "mcf/graph.h"
#include "testsuite/lib/network_check.h"
#include "testsuite/lib/random_cfg.h"

enum { ROOM = 100000 }; /* for the number of a block */

enum model { LINEAR, KL, MODELS };
static const char *const models[] = { "linear", "kl" };

struct tally {
	unsigned functions, compared, gave_up, differ, largest;
	unsigned long blocks;
	double seconds[2]; /* by enum mcf_solver */
};

/* A function as it is read, its blocks numbered from 0. */
struct reader {
	FILE *file;
	const char *path;
	unsigned numbers[ROOM]; /* one more than ours, by GCC's */
	char name[256], next[256];
	struct random_cfg cfg;
	uint64_t seed;
};

static unsigned block_of(struct reader *r, const char *name)
{
	unsigned long number = strtoul(name, NULL, 10);

	if (*name == '-')
		return CFG_OUTSIDE;
	if (number >= ROOM) {
		fprintf(stderr, "judge: %s: block %lu is too many\n", r->path,
			number);
		exit(EXIT_FAILURE);
	}
	if (r->numbers[number] == 0)
		r->numbers[number] = ++r->cfg.nblocks;
	return r->numbers[number] - 1;
}

/* Up to the line that begins the next function; false: there was none. */
static bool read_function(struct reader *r)
{
	char line[600], first[256], second[256], kind;

	r->cfg.nblocks = r->cfg.nedges = 0;
	memset(r->numbers, 0, sizeof(r->numbers));
	strcpy(r->name, r->next);
	*r->next = '\0';
	while (fgets(line, sizeof(line), r->file)) {
		int n = sscanf(line, "%c %255s %255s", &kind, first, second);

		if (n == 2 && kind == 'F') {
			strcpy(r->next, first);
			if (*r->name)
				break;
			strcpy(r->name, first);
		} else if (n == 3 && kind == 'E') {
			unsigned from = block_of(r, first);

			random_cfg_edge(&r->cfg, from, block_of(r, second));
		}
	}
	return *r->name;
}

/* Block 0 is where it begins, and what leads nowhere ends there. */
static void run_function(struct reader *r)
{
	struct random_cfg *cfg = &r->cfg;

	cfg->random = ++r->seed;
	cfg->count =
		realloc(cfg->count, (cfg->nblocks + 1) * sizeof(*cfg->count));
	for (unsigned b = 0; b <= cfg->nblocks; b++)
		cfg->count[b] = 0;
	random_cfg_share(cfg);
	random_cfg_run(cfg, 200);
}

static void build(struct flow_graph *g, struct random_cfg *cfg,
		  enum model model)
{
	flow_reset(g);
	for (unsigned b = 0; b < cfg->nblocks; b++) {
		double noise = exp(.5 * random_normal(&cfg->random));
		int64_t seen = llround(cfg->count[b] * noise);
		unsigned size = 1 + random_below(&cfg->random, 20);
		struct flow_cost cost;

		if (model == LINEAR)
			flow_cost_linear(&cost, seen, 20, seen ? 10 : 11);
		else
			flow_cost_kl(&cost, seen, 4, 200 * size);
		flow_add_block(g);
		flow_set_block_cost(g, b, &cost);
	}
	for (unsigned e = 0; e < cfg->nedges; e++)
		flow_add_edge(g, cfg->edges[e].from, cfg->edges[e].to);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static bool solve(struct mcf_network *net, enum mcf_solver solver,
		  struct tally *t, struct fdo_error *err)
{
	double begun = now();
	bool solved = mcf_solve(net, solver, err);

	t->seconds[solver] += now() - begun;
	return solved;
}

/* The network is the one for GLPK, whose numbers are smaller. */
static void compare(struct reader *r, struct flow_graph *g, struct tally *t)
{
	struct fdo_error err;
	__int128 cost;

	t->functions++;
	t->blocks += g->nblocks;
	t->largest = g->nblocks > t->largest ? g->nblocks : t->largest;
	flow_lay_out(g, MCF_GLPK);
	if (!solve(g->net, MCF_SIMPLEX, t, &err)) {
		fprintf(stderr, "judge: %s: %s: %s\n", r->path, r->name,
			err.text);
		t->differ++;
		return;
	}
	cost = network_cost(g->net);
	if (!solve(g->net, MCF_GLPK, t, &err)) {
		fprintf(stderr, "judge: %s: %s: %s\n", r->path, r->name,
			err.text);
		t->gave_up++;
		return;
	}
	t->compared++;
	if (network_cost(g->net) == cost)
		return;
	fprintf(stderr, "judge: %s: %s: %.0Lf, by GLPK %.0Lf\n", r->path,
		r->name, (long double)cost, (long double)network_cost(g->net));
	t->differ++;
}

static unsigned judge_file(const char *path, enum model model)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct flow_graph *g = flow_new();
	struct tally t = { 0 };

	r->path = path;
	r->file = fopen(path, "r");
	if (!r->file) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	while (read_function(r)) {
		if (r->cfg.nblocks == 0)
			continue;
		run_function(r);
		build(g, &r->cfg, model);
		compare(r, g, &t);
	}
	printf("%s\t%s\t%u\t%lu\t%u\t%u\t%u\t%u\t%.2f\t%.2f\n",
	       strrchr(path, '/') ? strrchr(path, '/') + 1 : path,
	       models[model], t.functions, t.blocks, t.largest, t.compared,
	       t.gave_up, t.differ, t.seconds[MCF_SIMPLEX],
	       t.seconds[MCF_GLPK]);
	fflush(stdout);
	fclose(r->file);
	random_cfg_free(&r->cfg);
	free(r);
	flow_free(g);
	return t.differ;
}

int main(int argc, char **argv)
{
	unsigned differ = 0;

	if (argc < 2) {
		fputs("usage: judge CFGS...\n", stderr);
		return 2;
	}
	puts("file\tmodel\tfunctions\tblocks\tlargest\tcompared\tgave_up\t"
	     "differ\tsimplex_s\tglpk_s");
	for (int i = 1; i < argc; i++)
		for (enum model model = 0; model < MODELS; model++)
			differ += judge_file(argv[i], model);
	return differ > 0;
}
