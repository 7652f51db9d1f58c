/*
 * report.h - what a run found, for people and for machines.
 *
 * Ownership  All is borrowed.
 * Errors     Those of the stream.
 */
#ifndef SVR_TRAIN_REPORT_H
#define SVR_TRAIN_REPORT_H

#include <stdio.h>

struct classes;
struct role;
struct study;

struct report {
	const struct study *study;
	const struct classes *classes;
	const struct role *roles;
};

void report_print(const struct report *report, FILE *out);
void report_json(const struct report *report, FILE *out);

/* The weights file, as svr-train(1) describes it. */
void report_weights(const struct report *report, FILE *out);

#endif
