/*
 * samples_print.h - all sums of samples as text, one line each for event, object
 * and address.
 */
#ifndef TESTSUITE_SAMPLES_PRINT_H
#define TESTSUITE_SAMPLES_PRINT_H

#include <stdio.h>

struct samples;

void samples_print(const struct samples *samples, FILE *out);

#endif
