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
struct job;
struct program;
struct program_binary;

/* A few lines, each with "samplefdo: " before it. */
void summary_print(const struct job *job, const struct attribute_result *placed,
		   FILE *out);

/* The same as one JSON object. */
void summary_json(const struct job *job, const struct attribute_result *placed,
		  FILE *out);

/* The first binary of which .dwo files were not found; NULL: none. */
const struct program_binary *summary_lacking(const struct program *p);

#endif
