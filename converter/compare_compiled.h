/*
 * compare_compiled.h - "samplefdo compare" of counts in the compiler.
 *
 * Errors     Files that compiled.h cannot read.
 */
#ifndef CONVERTER_COMPARE_COMPILED_H
#define CONVERTER_COMPARE_COMPILED_H

#include <stdbool.h>
#include <stddef.h>

struct fdo_error;

/* Print the metrics over all files, and the functions that lose most. */
bool compare_compiled(char **paths, size_t npaths, size_t nfunctions, bool json,
		      struct fdo_error *err);

#endif
