/*
 * study.h - all that the regression says about the events.
 *
 *	struct study *study = study_new(training);
 *	study->events[e].weight ...
 *	study_free(study);
 *
 * Two models are fitted.  The first has all events and an offset: it is the
 * one that says which events matter (CGO 2010, table 1).  The second is for
 * use: it has no offset, since with one every block that never ran would get
 * a count; and no event that does not help.
 *
 * Units      Densities (training.h).
 * Ownership  study_new() gives, study_free() takes back and accepts NULL.
 *            The training must live as long.
 * Errors     None.
 */
#ifndef SVR_TRAIN_STUDY_H
#define SVR_TRAIN_STUDY_H

#include <stdbool.h>
#include <stddef.h>

#include "svr-train/metrics.h"
#include "svr-train/svr.h"
#include "svr-train/validate.h"

struct training;

struct study_event {
	double weight;	      /* with all events and the offset */
	double combining;     /* without offset; 0 if left out */
	bool kept;	      /* in the combination */
	struct metrics alone; /* cross-validated, as the only event */
	struct gain gain;     /* from having it beside all others */
	bool helps;
	double inflation;   /* of its weight's variance */
	size_t twin;	    /* the event that is most like it, or itself */
	double correlation; /* with the twin */
};

struct study {
	const struct training *training;
	struct study_event *events;
	struct svr_choice choice;
	double offset;
	double condition; /* of all events */
	size_t base;	  /* predicts best alone */
	size_t nkept;
	struct metrics table_fit;   /* the first model */
	struct metrics table_folds; /* cross-validated */
	struct metrics fit, folds;  /* the second model */
	struct metrics programs;    /* each from the others, if several */
	struct metrics *program;    /* the same for each of them */
	struct metrics *alone;	    /* the base event for each of them */
};

/* From here on, weights of events cannot be told apart. */
#define STUDY_COLLINEAR 10

struct study *study_new(const struct training *training);
void study_free(struct study *study);

#endif
