/* span_lp.c - see span_lp.h. */
#include <glpk.h>
#include <math.h>

#include "base/error.h"
#include "mcf/graph.h"
#include "testsuite/lib/span_lp.h"

unsigned span_lp_build(void *data, unsigned k, struct flow_graph *g)
{
	const struct test_program *p = data;
	const struct test_graph *graph = &p->graphs[k];

	for (unsigned b = 0; b < graph->nblocks; b++) {
		flow_add_block(g);
		if (graph->cost[b].n)
			flow_set_block_cost(g, b, &graph->cost[b]);
	}
	for (unsigned e = 0; e < graph->nedges; e++)
		flow_add_edge(g, graph->from[e], graph->to[e]);
	return 0;
}

static double lp_misfit(const struct flow_cost *cost)
{
	double sum = 0;

	for (unsigned i = 0; i < cost->n && cost->price[i] < 0; i++)
		sum -= (double)cost->price[i] * cost->width[i];
	return sum;
}

struct program_lp {
	glp_prob *lp;
	int rows;
	double constant;
};

static int lp_row(struct program_lp *lp)
{
	int row = glp_add_rows(lp->lp, 1);

	glp_set_row_bnds(lp->lp, row, GLP_FX, 0, 0);
	return row;
}

/* Rows of calls, and how many there are of each execution. */
struct lp_calls {
	int n;
	int row[CALLS];
	double share[CALLS];
};

/* A column with a place or two, and those of calls. */
static void lp_column(struct program_lp *lp, double width, double price,
		      int plus, int minus, const struct lp_calls *calls)
{
	int column = glp_add_cols(lp->lp, 1), n = 0;
	int row[3 + CALLS];
	double value[3 + CALLS];

	glp_set_col_bnds(lp->lp, column, width < FLOW_MAX ? GLP_DB : GLP_LO, 0,
			 width);
	glp_set_obj_coef(lp->lp, column, price);
	if (plus) {
		row[++n] = plus;
		value[n] = 1;
	}
	if (minus && minus != plus) {
		row[++n] = minus;
		value[n] = -1;
	} else if (minus) {
		n--;
	}
	for (int i = 0; calls && i < calls->n; i++) {
		row[++n] = calls->row[i];
		value[n] = -calls->share[i];
	}
	glp_set_mat_col(lp->lp, column, n, row, value);
}

/* Rows of a graph: before and behind each block, then its entries. */
static void lp_graph(struct program_lp *lp, const struct test_program *p,
		     unsigned k, int base, const int *call_row, int entry_row)
{
	const struct test_graph *graph = &p->graphs[k];
	struct flow_graph *g = flow_new();
	struct fdo_error err;

	span_lp_build((void *)p, k, g);
	flow_solve_costs(g, MCF_SIMPLEX, &err);
	for (unsigned b = 0; b < graph->nblocks; b++) {
		static const struct flow_cost none = { 1, { FLOW_MAX }, { 0 } };
		const struct flow_cost *cost = &graph->cost[b];
		struct lp_calls calls = { 0 };

		for (unsigned c = 0; c < p->ncalls; c++)
			if (p->calls[c].caller == k && p->calls[c].block == b) {
				calls.share[calls.n] = p->calls[c].share;
				calls.row[calls.n++] = call_row[c];
			}
		cost = cost->n ? cost : &none;
		lp->constant += lp_misfit(cost);
		for (unsigned i = 0; i < cost->n; i++)
			lp_column(lp, cost->width[i], cost->price[i],
				  base + 2 * b + 1, base + 2 * b, &calls);
	}
	for (unsigned e = 0; e < g->nall; e++) {
		const struct lp_calls entry = { 1, { entry_row }, { 1 } };
		unsigned from = g->edges[e].from, to = g->edges[e].to;

		lp_column(lp, FLOW_MAX, e < g->nedges ? 0 : g->repair_price,
			  to == FLOW_OUTSIDE ? 0 : base + 2 * to,
			  from == FLOW_OUTSIDE ? 0 : base + 2 * from + 1,
			  e == 0 ? &entry : NULL);
	}
	flow_free(g);
}

double span_lp_cost(const struct test_program *p)
{
	struct program_lp lp = { .lp = glp_create_prob() };
	int call_row[CALLS], entry_row[GRAPHS], base[GRAPHS];
	double cost;

	for (unsigned k = 0; k < p->n; k++) {
		entry_row[k] = lp_row(&lp);
		base[k] = lp_row(&lp);
		for (unsigned b = 1; b < 2 * p->graphs[k].nblocks; b++)
			lp_row(&lp);
	}
	for (unsigned c = 0; c < p->ncalls; c++)
		call_row[c] = lp_row(&lp);
	for (unsigned k = 0; k < p->n; k++) {
		lp_graph(&lp, p, k, base[k], call_row, entry_row[k]);
		lp_column(&lp, FLOW_MAX, p->unknown[k], entry_row[k], 0, NULL);
	}
	for (unsigned c = 0; c < p->ncalls; c++) {
		/* The call, one too many, one too few. */
		lp_column(&lp, FLOW_MAX, 0, call_row[c], 0, NULL);
		glp_set_mat_col(lp.lp, glp_get_num_cols(lp.lp), 2,
				(int[]){ 0, call_row[c],
					 entry_row[p->calls[c].callee] },
				(double[]){ 0, 1, 1 });
		lp_column(&lp, FLOW_MAX, p->calls[c].price, 0, call_row[c],
			  NULL);
		lp_column(&lp, FLOW_MAX, p->calls[c].price, call_row[c], 0,
			  NULL);
	}
	glp_term_out(GLP_OFF);
	cost = glp_simplex(lp.lp, NULL) || glp_get_status(lp.lp) != GLP_OPT
		       ? NAN
		       : glp_get_obj_val(lp.lp) + lp.constant;
	glp_delete_prob(lp.lp);
	return cost;
}
