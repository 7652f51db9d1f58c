/*
 * summary.h - what a conversion did, for people and for scripts.
 *
 * Units      Shares are of the samples read, or of instructions executed by
 *            the counts.
 * Errors     None; who prints tests the stream.
 */
#ifndef CONVERTER_PRINT_SUMMARY_H
#define CONVERTER_PRINT_SUMMARY_H

#include <stdio.h>

struct attribute_result;
struct prepass_result;
struct program;
struct program_binary;
struct samples;
struct weights;

/* What it is about; all of it is borrowed. */
struct summary {
	const struct program *program;
	const struct samples *samples; /* NULL: counts are exact */
	const struct prepass_result *flow;
	const struct weights *weights; /* by which was counted, or NULL */
	const struct attribute_result *placed;
	double misfit; /* of estimate_misfit(); NaN: not known */
};

/* A few lines, each with "samplefdo: " before it. */
void summary_print(const struct summary *s, FILE *out);

/* The same as one JSON object. */
void summary_json(const struct summary *s, FILE *out);

/* The first binary of which .dwo files were not found; NULL: none. */
const struct program_binary *summary_lacking(const struct program *p);

#endif
