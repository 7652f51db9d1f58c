/*
 * svr.h - linear support vector regression of densities (training.h).
 *
 *	struct svr_task task = { training, rows, events, false };
 *	struct svr_model model = svr_fit(&task, (struct svr_choice){ 100, .01 });
 *	double y = svr_predict(&model, training_x(training, i));
 *	svr_model_free(&model);
 *
 * Weights w and an offset b that minimise
 *
 *	|w|^2 / 2 + C / n * sum over n rows of max(0, |w x + b - y| - epsilon)
 *
 * Units      Densities; C for all rows together, so that it means the same
 *            however many there are.
 * Ownership  The caller's arrays are borrowed.  svr_fit() gives a model's
 *            weights, svr_model_free() takes them back.
 * Errors     None.
 * Threads    Only one at a time: the solver draws from rand(), which is set
 *            to the same place before.
 */
#ifndef SVR_TRAIN_SVR_H
#define SVR_TRAIN_SVR_H

#include <stdbool.h>
#include <stddef.h>

struct training;

struct svr_task {
	const struct training *training;
	const bool *rows;   /* those to learn from */
	const bool *events; /* those to use; the others get the weight 0 */
	bool offset;	    /* otherwise the offset is 0 */
};

struct svr_choice {
	double c, epsilon;
};

struct svr_model {
	double *weights; /* for each event */
	size_t nevents;
	double offset;
};

struct svr_model svr_fit(const struct svr_task *task, struct svr_choice choice);
void svr_model_free(struct svr_model *model);
double svr_predict(const struct svr_model *model, const double *x);

#endif
