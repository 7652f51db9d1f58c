/*
 * training.h - tables in comparable units: what the regression works on.
 *
 *	struct training *training = training_new(tables, err);
 *	training_x(training, i)[e]	// how densely block i has samples
 *	training->y[i]			// how often it ran
 *	training_free(training);
 *
 * Units      Densities.  For an event: the samples of a block for each of its
 *            instructions, divided by the same for the whole program, so that
 *            1 is as many as an average instruction of its program got.  For
 *            the truth: executions, divided by those of an average
 *            instruction.  An event that counts retired instructions without
 *            any bias then equals the truth, whatever its period and however
 *            long the run.
 * Range      Not negative.  An event without samples in a program is 0 there.
 * Ownership  training_new() gives, training_free() takes back and accepts
 *            NULL.  The tables must live as long.
 * Errors     training_new(): too few blocks with samples.
 */
#ifndef SVR_TRAIN_TRAINING_H
#define SVR_TRAIN_TRAINING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_error;
struct tables;

enum { TRAINING_FOLDS = 5 };

struct training {
	const struct tables *tables;
	size_t nrows, nevents, nprograms;
	double *x; /* nevents for each row */
	double *y;
	double *instructions;
	uint32_t *program;
	bool *sampled; /* by any event */
	uint8_t *fold; /* below TRAINING_FOLDS; dealt in turn, by a hash */
	size_t nsampled;
};

struct training *training_new(const struct tables *tables,
			      struct fdo_error *err);
void training_free(struct training *training);

static inline const double *training_x(const struct training *t, size_t row)
{
	return t->x + row * t->nevents;
}

#endif
