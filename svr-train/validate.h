/*
 * validate.h - how good weights are for what they were not learnt from.
 *
 *	double *predicted = fdo_alloc(training->nrows, sizeof(double));
 *	validate_folds(training, events, choice, offset, predicted);
 *	struct metrics m =
 *		validate_metrics(training, predicted, VALIDATE_ALL);
 *
 * Units      Densities (training.h).  Predictions of densities below 0 are
 *            0, as they will be in use.
 * Range      Metrics are over all blocks that ran or have samples; the
 *            overlap is the mean over programs.
 * Ownership  Arrays are the caller's; a prediction has one for each row.
 * Errors     None.
 */
#ifndef SVR_TRAIN_VALIDATE_H
#define SVR_TRAIN_VALIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "svr-train/metrics.h"
#include "svr-train/svr.h"

struct training;

/* Predict all rows with one model. */
void validate_model(const struct training *t, const struct svr_model *model,
		    double *predicted);

/* Predict each row by what was learnt from the rows of the other folds. */
void validate_folds(const struct training *t, const bool *events,
		    struct svr_choice choice, bool offset, double *predicted);

/* Predict each row by what was learnt from the other programs. */
void validate_programs(const struct training *t, const bool *events,
		       struct svr_choice choice, double *predicted);

enum { VALIDATE_ALL = -1 };

/* Of one program, or of all. */
struct metrics validate_metrics(const struct training *t,
				const double *predicted, int64_t program);

/* The C and epsilon with the largest overlap in cross-validation. */
struct svr_choice validate_choose(const struct training *t, const bool *events);

/*
 * How much of the cross-validated overlap is lost without an event, and the
 * standard error of that over folds.
 */
struct gain {
	double overlap, deviation;
};
struct gain validate_gain(const struct training *t, const bool *events,
			  size_t event, struct svr_choice choice);

#endif
