/*
 * glpk.c - the same network through GLPK, as a judge.
 *
 * GLPK's out-of-kilter solver computes in int.  Where bounds or the prices of
 * paths do not fit, its LP simplex takes over: in doubles, so what comes out
 * is rounded and then checked arc by arc and node by node; an answer that
 * does not add up is refused.
 *
 * GLPK prints to stdout and aborts the process on its own errors, neither of
 * which may happen inside a compiler.  All output is caught, an error jumps
 * back here, and the environment (one per thread) is freed each time: that
 * releases whatever the jump left behind.  All of it hangs on the thread's
 * environment, so two threads do not meet.
 */
#include <glpk.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/network.h"

/* What GLPK keeps for us on each arc of its graph. */
struct arc_data {
	double lower, upper, cost, flow;
};

struct job {
	struct mcf_network *net;
	struct fdo_error *err;
	jmp_buf failed;
	char said[80];	  /* the last line that GLPK wanted to print */
	glp_arc **added;  /* in the order of columns() */
	int64_t *balance; /* of each node */
};

static int hear(void *info, const char *text)
{
	struct job *job = info;
	size_t length = strcspn(text, "\n");

	if (length)
		snprintf(job->said, sizeof(job->said), "%.*s", (int)length,
			 text);
	return 1;
}

static void jump(void *info)
{
	struct job *job = info;

	longjmp(job->failed, 1);
}

/*
 * No arc of a cheapest circulation needs more than this: it is made of
 * cycles, and each has a unit of a lower bound or of a negative price.
 */
static int64_t most_flow(const struct mcf_network *net)
{
	int64_t most = 0;

	for (size_t i = 0; i < net->nsegments && most < INT_MAX; i++)
		if (net->segments[i].price < 0)
			most += net->segments[i].width;
	for (size_t a = 0; a < net->narcs && most < INT_MAX; a++)
		most += net->arcs[a].lower;
	return most;
}

/* One GLPK arc or column for each lower bound and each segment. */
static size_t columns(const struct mcf_network *net)
{
	size_t n = net->nsegments;

	for (size_t a = 0; a < net->narcs; a++)
		n += net->arcs[a].lower > 0;
	return n;
}

static glp_arc *add_arc(glp_graph *graph, const struct mcf_arc *arc,
			int64_t lower, int64_t upper, int64_t cost)
{
	glp_arc *added = glp_add_arc(graph, arc->tail + 1, arc->head + 1);
	struct arc_data *data = added->data;

	*data = (struct arc_data){ lower, upper, cost, 0 };
	return added;
}

static void fill_graph(const struct job *job, glp_graph *graph, int64_t most)
{
	const struct mcf_network *net = job->net;
	size_t n = 0;

	if (net->nodes)
		glp_add_vertices(graph, net->nodes);
	for (size_t a = 0; a < net->narcs; a++) {
		const struct mcf_arc *arc = &net->arcs[a];

		if (arc->lower)
			job->added[n++] =
				add_arc(graph, arc, arc->lower, arc->lower, 0);
		for (unsigned i = 0; i < arc->n; i++) {
			const struct mcf_segment *segment =
				&net->segments[arc->first + i];
			int64_t width =
				segment->width < most ? segment->width : most;

			job->added[n++] =
				add_arc(graph, arc, 0, width, segment->price);
		}
	}
}

/*
 * Whether the flow is a cheapest one by the potentials of the nodes: no arc
 * that has room is worth more, and none that carries something is worth less.
 * GLPK's sums of prices are int, and nothing tells when they were too small.
 */
static bool is_proven(const struct job *job, int narcs)
{
	for (int a = 0; a < narcs; a++) {
		const glp_arc *arc = job->added[a];
		const struct arc_data *data = arc->data;
		double *tail = arc->tail->data, *head = arc->head->data;
		double price = data->cost - *tail + *head;

		if ((data->flow < data->upper && price < 0) ||
		    (data->flow > data->lower && price > 0))
			return false;
	}
	return true;
}

/*
 * Potentials differ by the price of a path.  Where the sum of that and a price
 * does not fit, GLPK's test for it is one that compilers take out, and its
 * search may never end.
 */
static bool fits_int(const struct mcf_network *net, int64_t most)
{
	return most < INT_MAX && net->path_price <= INT_MAX / 2;
}

/* GLP_EDATA and GLP_ERANGE mean that int is too small. */
static int solve_graph(const struct job *job, int64_t most)
{
	glp_graph *graph =
		glp_create_graph(sizeof(double), sizeof(struct arc_data));
	size_t n = 0;
	double total;
	int result;

	fill_graph(job, graph, most);
	result = glp_mincost_okalg(graph, -1, offsetof(struct arc_data, lower),
				   offsetof(struct arc_data, upper),
				   offsetof(struct arc_data, cost), &total,
				   offsetof(struct arc_data, flow), 0);
	if (result == 0 && !is_proven(job, graph->na))
		result = GLP_ERANGE;
	for (size_t a = 0; a < job->net->narcs && result == 0; a++) {
		struct mcf_arc *arc = &job->net->arcs[a];
		unsigned parts = arc->n + (arc->lower > 0);

		arc->flow = 0;
		for (unsigned i = 0; i < parts; i++) {
			struct arc_data *data = job->added[n++]->data;

			arc->flow += (int64_t)data->flow;
		}
	}
	return result;
}

/* Column c of the program: its two ends in the rows of the nodes. */
static void set_column(glp_prob *lp, int c, const struct mcf_arc *arc,
		       int64_t lower, int64_t upper, int64_t cost)
{
	int row[] = { 0, arc->tail + 1, arc->head + 1 };
	double value[] = { 0, 1, -1 };

	glp_set_col_bnds(lp, c, lower == upper ? GLP_FX : GLP_DB, lower, upper);
	glp_set_obj_coef(lp, c, cost);
	if (arc->tail != arc->head)
		glp_set_mat_col(lp, c, 2, row, value);
}

static void fill_program(const struct mcf_network *net, glp_prob *lp)
{
	size_t n = columns(net);
	int c = 1;

	if (net->nodes)
		glp_add_rows(lp, net->nodes);
	for (unsigned u = 1; u <= net->nodes; u++)
		glp_set_row_bnds(lp, u, GLP_FX, 0, 0);
	if (n)
		glp_add_cols(lp, n);
	for (size_t a = 0; a < net->narcs; a++) {
		const struct mcf_arc *arc = &net->arcs[a];

		if (arc->lower)
			set_column(lp, c++, arc, arc->lower, arc->lower, 0);
		for (unsigned i = 0; i < arc->n; i++)
			set_column(lp, c++, arc, 0,
				   net->segments[arc->first + i].width,
				   net->segments[arc->first + i].price);
	}
}

/* Flow is within its bounds, and as much leaves each node as arrives. */
static bool adds_up(const struct job *job)
{
	const struct mcf_network *net = job->net;

	memset(job->balance, 0, net->nodes * sizeof(*job->balance));
	for (size_t a = 0; a < net->narcs; a++) {
		const struct mcf_arc *arc = &net->arcs[a];
		int64_t upper = arc->lower;

		for (unsigned i = 0; i < arc->n; i++)
			upper += net->segments[arc->first + i].width;
		if (arc->flow < arc->lower || arc->flow > upper)
			return false;
		job->balance[arc->tail] -= arc->flow;
		job->balance[arc->head] += arc->flow;
	}
	for (unsigned u = 0; u < net->nodes; u++)
		if (job->balance[u])
			return false;
	return true;
}

static void read_program(const struct job *job, glp_prob *lp)
{
	int c = 1;

	for (size_t a = 0; a < job->net->narcs; a++) {
		struct mcf_arc *arc = &job->net->arcs[a];
		unsigned parts = arc->n + (arc->lower > 0);

		arc->flow = 0;
		for (unsigned i = 0; i < parts; i++)
			arc->flow += llround(glp_get_col_prim(lp, c++));
	}
}

/*
 * No part of an arc costs more than it saves, and none that saves more than it
 * costs is left: by whole prices of the nodes, as those of the program are.
 */
static bool is_cheapest(const struct job *job, glp_prob *lp)
{
	for (size_t a = 0; a < job->net->narcs; a++) {
		const struct mcf_arc *arc = &job->net->arcs[a];
		int64_t saves = llround(glp_get_row_dual(lp, arc->tail + 1)) -
				llround(glp_get_row_dual(lp, arc->head + 1));
		int64_t flow = arc->flow - arc->lower;

		for (unsigned i = 0; i < arc->n; i++) {
			const struct mcf_segment *s =
				&job->net->segments[arc->first + i];

			if ((flow > 0 && s->price > saves) ||
			    (flow < s->width && s->price < saves))
				return false;
			flow = flow > s->width ? flow - s->width : 0;
		}
	}
	return true;
}

static bool solve_program(const struct job *job)
{
	glp_prob *lp = glp_create_prob();
	glp_smcp how;
	int result;

	fill_program(job->net, lp);
	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.tol_dj = 1e-9;
	/* Each segment has two bounds, and many of them are passed at once. */
	how.meth = GLP_DUALP;
	how.r_test = GLP_RT_FLIP;
	result = glp_simplex(lp, &how);
	if (result)
		return fdo_fail(job->err, "GLPK gave up (code %d)", result);
	if (glp_get_status(lp) == GLP_NOFEAS)
		return fdo_fail(job->err, "the lower bounds cannot all be met");
	if (glp_get_status(lp) != GLP_OPT)
		return fdo_fail(job->err, "GLPK gave up (status %d)",
				glp_get_status(lp));
	read_program(job, lp);
	if (!adds_up(job) || !is_cheapest(job, lp))
		return fdo_fail(job->err, "the numbers are too large for GLPK");
	return true;
}

static bool solve(const struct job *job)
{
	int64_t most = most_flow(job->net);
	int result = GLP_EDATA;

	if (job->net->nodes == 0)
		return true;
	if (fits_int(job->net, most))
		result = solve_graph(job, most);
	switch (result) {
	case 0:
		return true;
	case GLP_ENOPFS:
		return fdo_fail(job->err, "the lower bounds cannot all be met");
	case GLP_EDATA:
	case GLP_ERANGE:
		return solve_program(job);
	default:
		return fdo_fail(job->err, "GLPK gave up (code %d)", result);
	}
}

bool mcf_glpk(struct mcf_network *net, struct fdo_error *err)
{
	struct job job = { .net = net, .err = err };
	bool solved;

	job.balance = fdo_alloc(net->nodes, sizeof(*job.balance));
	job.added = fdo_alloc(columns(net), sizeof(*job.added));
	if (setjmp(job.failed) == 0) {
		glp_term_out(GLP_OFF);
		glp_term_hook(hear, &job);
		glp_error_hook(jump, &job);
		solved = solve(&job);
	} else {
		solved = fdo_fail(err, "GLPK failed: %s", job.said);
	}
	glp_free_env();
	free(job.added);
	free(job.balance);
	return solved;
}
