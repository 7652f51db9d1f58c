/*
 * cfg_print.h - a graph as text: a line for the function, one for each block
 * with its flags, and below it where it goes and whom it calls.
 */
#ifndef TESTSUITE_CFG_PRINT_H
#define TESTSUITE_CFG_PRINT_H

#include <stdio.h>

struct cfg;

void cfg_print(const struct cfg *cfg, FILE *out);

#endif
