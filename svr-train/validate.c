#include "svr-train/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "svr-train/training.h"

static void predict(const struct training *t, const struct svr_model *model,
		    size_t row, double *predicted)
{
	predicted[row] = fmax(svr_predict(model, training_x(t, row)), 0);
}

void validate_model(const struct training *t, const struct svr_model *model,
		    double *predicted)
{
	for (size_t i = 0; i < t->nrows; i++)
		predict(t, model, i, predicted);
}

/* Learn from the rows that are marked and predict the others. */
static void predict_rest(struct svr_task *task, struct svr_choice choice,
			 double *predicted)
{
	struct svr_model model = svr_fit(task, choice);

	for (size_t i = 0; i < task->training->nrows; i++)
		if (!task->rows[i])
			predict(task->training, &model, i, predicted);
	svr_model_free(&model);
}

void validate_folds(const struct training *t, const bool *events,
		    struct svr_choice choice, bool offset, double *predicted)
{
	bool *rows = fdo_alloc(t->nrows, sizeof(*rows));
	struct svr_task task = { t, rows, events, offset };

	for (int fold = 0; fold < TRAINING_FOLDS; fold++) {
		for (size_t i = 0; i < t->nrows; i++)
			rows[i] = t->fold[i] != fold;
		predict_rest(&task, choice, predicted);
	}
	free(rows);
}

void validate_programs(const struct training *t, const bool *events,
		       struct svr_choice choice, double *predicted)
{
	bool *rows = fdo_alloc(t->nrows, sizeof(*rows));
	struct svr_task task = { t, rows, events, false };

	for (size_t p = 0; p < t->nprograms; p++) {
		for (size_t i = 0; i < t->nrows; i++)
			rows[i] = t->program[i] != p;
		predict_rest(&task, choice, predicted);
	}
	free(rows);
}

static bool is_judged(const struct training *t, size_t row, int64_t program)
{
	return (program == VALIDATE_ALL || t->program[row] == program) &&
	       (t->sampled[row] || t->y[row] > 0);
}

static double mean_overlap(const struct training *t, const double *predicted)
{
	double sum = 0;

	for (size_t p = 0; p < t->nprograms; p++)
		sum += validate_metrics(t, predicted, p).overlap;
	return sum / t->nprograms;
}

struct metrics validate_metrics(const struct training *t,
				const double *predicted, int64_t program)
{
	double *a = fdo_alloc(t->nrows, sizeof(*a));
	double *b = fdo_alloc(t->nrows, sizeof(*b));
	struct metrics ret;
	size_t n = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		if (!is_judged(t, i, program))
			continue;
		a[n] = predicted[i];
		b[n++] = t->y[i];
	}
	ret = metrics_of(a, b, n);
	if (program == VALIDATE_ALL)
		ret.overlap = mean_overlap(t, predicted);
	free(a);
	free(b);
	return ret;
}

/* Of the rows of one program in one fold. */
static double overlap_in_fold(const struct training *t, const double *predicted,
			      uint32_t program, int fold)
{
	double *a = fdo_alloc(t->nrows, sizeof(*a));
	double *b = fdo_alloc(t->nrows, sizeof(*b));
	size_t n = 0;
	double ret;

	for (size_t i = 0; i < t->nrows; i++) {
		if (t->fold[i] != fold || t->program[i] != program)
			continue;
		a[n] = predicted[i];
		b[n++] = t->y[i];
	}
	ret = metrics_shared(a, b, n);
	free(a);
	free(b);
	return ret;
}

/* What cross-validation says of each fold: the mean over programs. */
static void overlaps(const struct training *t, const bool *events,
		     struct svr_choice choice, double *ret)
{
	double *predicted = fdo_alloc(t->nrows, sizeof(*predicted));

	validate_folds(t, events, choice, false, predicted);
	for (int fold = 0; fold < TRAINING_FOLDS; fold++) {
		ret[fold] = 0;
		for (size_t p = 0; p < t->nprograms; p++)
			ret[fold] += overlap_in_fold(t, predicted, p, fold) /
				     t->nprograms;
	}
	free(predicted);
}

struct svr_choice validate_choose(const struct training *t, const bool *events)
{
	static const double cs[] = { 1, 10, 100 };
	static const double epsilons[] = { 0.3, 0.1, 0.03, 0.01 };
	struct svr_choice best = { 0 };
	double most = -1;

	for (size_t i = 0; i < sizeof(cs) / sizeof(*cs); i++)
		for (size_t j = 0; j < sizeof(epsilons) / sizeof(*epsilons);
		     j++) {
			struct svr_choice choice = { cs[i], epsilons[j] };
			double fold[TRAINING_FOLDS], sum = 0;

			overlaps(t, events, choice, fold);
			for (int f = 0; f < TRAINING_FOLDS; f++)
				sum += fold[f];
			if (sum > most) {
				most = sum;
				best = choice;
			}
		}
	return best;
}

struct gain validate_gain(const struct training *t, const bool *events,
			  size_t event, struct svr_choice choice)
{
	bool *fewer = fdo_alloc(t->nevents, sizeof(*fewer));
	double with[TRAINING_FOLDS], without[TRAINING_FOLDS];
	double mean = 0, squares = 0;

	memcpy(fewer, events, t->nevents * sizeof(*fewer));
	fewer[event] = false;
	overlaps(t, events, choice, with);
	overlaps(t, fewer, choice, without);
	free(fewer);
	for (int f = 0; f < TRAINING_FOLDS; f++)
		mean += (with[f] - without[f]) / TRAINING_FOLDS;
	for (int f = 0; f < TRAINING_FOLDS; f++) {
		double d = with[f] - without[f] - mean;

		squares += d * d;
	}
	return (struct gain){ mean, sqrt(squares / TRAINING_FOLDS /
					 (TRAINING_FOLDS - 1)) };
}
