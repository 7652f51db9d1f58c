/*
 * compiled.h - "samplefdo compare" of counts in the compiler.
 *
 * Errors     Files that compare/compiled.h cannot read.
 */
#ifndef CONVERTER_PRINT_COMPILED_H
#define CONVERTER_PRINT_COMPILED_H

#include <stdbool.h>
#include <stddef.h>

struct fdo_error;

/* Print the metrics over all files, and the functions that lose most. */
bool compiled_print(char **paths, size_t npaths, size_t nfunctions, bool json,
		    struct fdo_error *err);

#endif
