/*
 * svr.c - the regression, with liblinear.
 *
 * Without an offset, a row that has no samples says nothing about weights:
 * whatever they are, its prediction is 0.  Most blocks of a program are like
 * that, so they are left out, which changes nothing but the time it takes.
 */
#include "svr-train/svr.h"

#include <linear.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "svr-train/training.h"

struct rows {
	struct feature_node *nodes;
	struct feature_node **x;
	double *y;
	int n;
};

static void say_nothing(const char *text)
{
	(void)text;
}

static bool is_used(const struct svr_task *task, size_t i)
{
	return task->rows[i] && (task->offset || task->training->sampled[i]);
}

/* liblinear wants only what is not 0, and -1 at the end. */
static struct feature_node *put_row(const struct svr_task *task, size_t i,
				    struct feature_node *node)
{
	const struct training *t = task->training;
	int last = t->nevents + 1;

	for (size_t e = 0; e < t->nevents; e++) {
		double x = training_x(t, i)[e];

		if (task->events[e] && x > 0)
			*node++ = (struct feature_node){ e + 1, x };
	}
	if (task->offset)
		*node++ = (struct feature_node){ last, 1 };
	*node++ = (struct feature_node){ -1, 0 };
	return node;
}

static struct rows rows_new(const struct svr_task *task)
{
	const struct training *t = task->training;
	struct rows rows = {
		.nodes = fdo_alloc(t->nrows * (t->nevents + 2),
				   sizeof(*rows.nodes)),
		.x = fdo_alloc(t->nrows, sizeof(*rows.x)),
		.y = fdo_alloc(t->nrows, sizeof(*rows.y)),
	};
	struct feature_node *next = rows.nodes;

	for (size_t i = 0; i < t->nrows; i++) {
		if (!is_used(task, i))
			continue;
		rows.y[rows.n] = t->y[i];
		rows.x[rows.n++] = next;
		next = put_row(task, i, next);
	}
	return rows;
}

static void rows_free(struct rows *rows)
{
	free(rows->nodes);
	free(rows->x);
	free(rows->y);
}

struct svr_model svr_fit(const struct svr_task *task, struct svr_choice choice)
{
	size_t nevents = task->training->nevents;
	struct svr_model ret = { fdo_alloc(nevents, sizeof(double)), nevents };
	struct rows rows = rows_new(task);
	struct problem problem = {
		.l = rows.n,
		.n = nevents + task->offset,
		.y = rows.y,
		.x = rows.x,
		.bias = task->offset ? 1 : -1,
	};
	struct parameter parameter = {
		.solver_type = L2R_L1LOSS_SVR_DUAL,
		.eps = 0.01, /* a hundredth changes nothing but the time */
		.C = choice.c / (rows.n ? rows.n : 1),
		.p = choice.epsilon,
	};
	struct model *model;

	if (rows.n > 0) {
		set_print_string_function(say_nothing);
		srand(1);
		model = train(&problem, &parameter);
		for (size_t e = 0; e < nevents; e++)
			ret.weights[e] = task->events[e] ? model->w[e] : 0;
		ret.offset = task->offset ? model->w[nevents] : 0;
		free_and_destroy_model(&model);
	}
	rows_free(&rows);
	return ret;
}

void svr_model_free(struct svr_model *model)
{
	free(model->weights);
	*model = (struct svr_model){ 0 };
}

double svr_predict(const struct svr_model *model, const double *x)
{
	double sum = model->offset;

	for (size_t e = 0; e < model->nevents; e++)
		sum += model->weights[e] * x[e];
	return sum;
}
