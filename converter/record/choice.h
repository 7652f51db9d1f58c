/*
 * choice.h - with which events perf records best on this machine.
 *
 *	struct choice choice = { .all_cpus = all_cpus, .kernel = kernel };
 *
 *	if (!choice_make(&choice, frequency, err))
 *		...
 *	choice_arguments(&choice, output, argv, &n);
 *
 * What a machine can count is not written anywhere one could trust: virtual
 * machines list events that never happen, and perf record quietly takes a
 * clock where there are no cycles.  So each event is tried, first by counting
 * and then by recording "true".
 *
 * Periods are primes, since a loop whose length divides the period would give
 * all its samples to one instruction, and differ from run to run, so that the
 * runs of a fleet do not all repeat the same bias.
 *
 * Units      Samples of each event in a second of a busy processor.
 * Ownership  A choice owns nothing; what it gives as arguments points to it.
 * Errors     There is no perf, or it can record nothing.
 */
#ifndef CONVERTER_RECORD_CHOICE_H
#define CONVERTER_RECORD_CHOICE_H

#include <stdbool.h>

struct fdo_error;

struct choice {
	/* To be set before: */
	bool all_cpus; /* all that runs, not one command */
	bool kernel;   /* what the kernel does, not programs */

	char events[256]; /* -e's argument */
	int nevents;
	bool branches;
	bool registers;
	bool clock;
	char frequency[16]; /* -F's, for the clock */
	bool without_bpf;
	bool build_ids; /* with each map */
};

bool choice_make(struct choice *choice, double frequency,
		 struct fdo_error *err);

/* On standard error. */
void choice_announce(const struct choice *choice);

enum { CHOICE_ARGUMENTS = 15 };

/* perf record's, for the samples, into argv; *n is their number, at most that. */
void choice_arguments(const struct choice *choice, const char *output,
		      char **argv, int *n);

#endif
