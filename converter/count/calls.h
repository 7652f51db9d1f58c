/*
 * calls.h - which calls of a program the flow can hold counts to.
 *
 * Known are direct calls, and jumps that are calls, from one function of the
 * program to the beginning of another, which may be of another binary, if the block
 * ends there or goes on: the callee is entered as often as such blocks run.  Of calls by a pointer,
 * samples with registers tell where they lead (outcomes.h), and how often of
 * all times.  What is called from other files, by functions without a sample or
 * by pointers that nobody saw is left to unknown callers; by pointers also beside
 * direct calls, if there is a pointer to the function (cfg.h).
 */
#ifndef CONVERTER_CALLS_H
#define CONVERTER_CALLS_H

#include <stdint.h>

struct flow_span;
struct program;

/*
 * Add all to a span whose graphs are the program's functions, which are
 * sorted.  "price" is that of one execution between a call and the entries of
 * a function that has no sample of its own; one with samples knows better by
 * itself how often it runs, and is held more loosely.
 */
void calls_add(const struct program *p, double price, struct flow_span *span);

#endif
