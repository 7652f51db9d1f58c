/*
 * report.h - what a conversion did, for people and for scripts.
 *
 * Units      Shares are of the samples read, or of instructions executed by
 *            the counts.
 * Errors     None; who prints tests the stream.
 */
#ifndef CONVERTER_REPORT_H
#define CONVERTER_REPORT_H

#include <stdio.h>

struct attribute_result;
struct job;

/* A few lines, each with "samplefdo: " before it. */
void report_print(const struct job *job, const struct attribute_result *placed,
		  FILE *out);

/* The same as one JSON object. */
void report_json(const struct job *job, const struct attribute_result *placed,
		 FILE *out);

#endif
