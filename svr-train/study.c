#include "svr-train/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "svr-train/training.h"

/* A gain below this is none, however sure it is. */
#define LEAST_GAIN 0.001

static bool *all_of(size_t n)
{
	bool *ret = fdo_alloc(n, sizeof(*ret));

	memset(ret, true, n);
	return ret;
}

static void study_table(struct study *s, const bool *rows, const bool *events,
			double *predicted)
{
	struct svr_task task = { s->training, rows, events, true };
	struct svr_model model = svr_fit(&task, s->choice);

	for (size_t e = 0; e < model.nevents; e++)
		s->events[e].weight = model.weights[e];
	s->offset = model.offset;
	validate_model(s->training, &model, predicted);
	s->table_fit = validate_metrics(s->training, predicted, VALIDATE_ALL);
	validate_folds(s->training, events, s->choice, true, predicted);
	s->table_folds = validate_metrics(s->training, predicted, VALIDATE_ALL);
	svr_model_free(&model);
}

static void study_alone(struct study *s, double *predicted)
{
	size_t n = s->training->nevents;
	bool *events = fdo_alloc(n, sizeof(*events));

	for (size_t e = 0; e < n; e++) {
		memset(events, false, n);
		events[e] = true;
		validate_folds(s->training, events, s->choice, false,
			       predicted);
		s->events[e].alone =
			validate_metrics(s->training, predicted, VALIDATE_ALL);
		if (s->events[e].alone.overlap >
		    s->events[s->base].alone.overlap)
			s->base = e;
	}
	free(events);
}

static bool is_gain(struct gain gain)
{
	return gain.overlap > fmax(LEAST_GAIN, gain.deviation);
}

/*
 * Drop the event that is missed least, as long as it is not missed: of two
 * that say the same one stays.
 */
static void eliminate(struct study *s, bool *kept)
{
	size_t n = s->training->nevents, least;

	for (bool first = true;; first = false) {
		double gain_of_least = INFINITY;

		least = n;
		for (size_t e = 0; e < n; e++) {
			struct gain gain;

			if (!kept[e] || s->nkept == 1)
				continue;
			gain = validate_gain(s->training, kept, e, s->choice);
			if (first)
				s->events[e].gain = gain;
			if (e != s->base && !is_gain(gain) &&
			    gain.overlap < gain_of_least) {
				gain_of_least = gain.overlap;
				least = e;
			}
		}
		if (least == n)
			return;
		kept[least] = false;
		s->nkept--;
	}
}

static void study_combination(struct study *s, const bool *rows, bool *kept,
			      double *predicted)
{
	const struct training *t = s->training;
	struct svr_task task = { t, rows, kept, false };
	struct svr_model model = svr_fit(&task, s->choice);

	for (size_t e = 0; e < t->nevents; e++) {
		s->events[e].combining = model.weights[e];
		s->events[e].kept = kept[e];
		s->events[e].helps = kept[e] || is_gain(s->events[e].gain);
	}
	validate_model(t, &model, predicted);
	s->fit = validate_metrics(t, predicted, VALIDATE_ALL);
	validate_folds(t, kept, s->choice, false, predicted);
	s->folds = validate_metrics(t, predicted, VALIDATE_ALL);
	svr_model_free(&model);
}

/* Each program by the weights, and the base event, of the others. */
static void study_programs(struct study *s, const bool *kept, double *predicted)
{
	const struct training *t = s->training;
	bool *base = fdo_alloc(t->nevents, sizeof(*base));

	s->program = fdo_alloc(t->nprograms, sizeof(*s->program));
	s->alone = fdo_alloc(t->nprograms, sizeof(*s->alone));
	if (t->nprograms > 1) {
		base[s->base] = true;
		validate_programs(t, base, s->choice, predicted);
		for (size_t p = 0; p < t->nprograms; p++)
			s->alone[p] = validate_metrics(t, predicted, p);
		validate_programs(t, kept, s->choice, predicted);
		s->programs = validate_metrics(t, predicted, VALIDATE_ALL);
		for (size_t p = 0; p < t->nprograms; p++)
			s->program[p] = validate_metrics(t, predicted, p);
	}
	free(base);
}

/* An event's densities in all blocks that have samples. */
static double *column_of(const struct training *t, size_t event)
{
	double *ret = fdo_alloc(t->nsampled, sizeof(*ret));
	size_t n = 0;

	for (size_t i = 0; i < t->nrows; i++)
		if (t->sampled[i])
			ret[n++] = training_x(t, i)[event];
	return ret;
}

static double *correlations(const struct training *t)
{
	size_t n = t->nevents;
	double *ret = fdo_alloc(n * n, sizeof(*ret));

	for (size_t a = 0; a < n; a++) {
		double *x = column_of(t, a);

		ret[a * n + a] = 1;
		for (size_t b = 0; b < a; b++) {
			double *y = column_of(t, b);

			ret[a * n + b] = ret[b * n + a] =
				metrics_correlation(x, y, t->nsampled);
			free(y);
		}
		free(x);
	}
	return ret;
}

static void study_likeness(struct study *s)
{
	size_t n = s->training->nevents;
	double *r = correlations(s->training);
	double *inflation = fdo_alloc(n, sizeof(*inflation));

	metrics_inflation(r, n, inflation);
	s->condition = metrics_condition(r, n);
	for (size_t e = 0; e < n; e++) {
		struct study_event *event = &s->events[e];

		event->inflation = inflation[e];
		event->twin = e;
		for (size_t other = 0; other < n; other++) {
			if (other == e ||
			    fabs(r[e * n + other]) <= fabs(event->correlation))
				continue;
			event->correlation = r[e * n + other];
			event->twin = other;
		}
	}
	free(inflation);
	free(r);
}

struct study *study_new(const struct training *training)
{
	struct study *s = fdo_alloc(1, sizeof(*s));
	double *predicted = fdo_alloc(training->nrows, sizeof(*predicted));
	bool *rows = all_of(training->nrows);
	bool *events = all_of(training->nevents);

	s->training = training;
	s->nkept = training->nevents;
	s->events = fdo_alloc(training->nevents, sizeof(*s->events));
	s->choice = validate_choose(training, events);
	study_table(s, rows, events, predicted);
	study_alone(s, predicted);
	eliminate(s, events);
	study_combination(s, rows, events, predicted);
	study_programs(s, events, predicted);
	study_likeness(s);
	free(events);
	free(rows);
	free(predicted);
	return s;
}

void study_free(struct study *s)
{
	if (!s)
		return;
	free(s->events);
	free(s->program);
	free(s->alone);
	free(s);
}
