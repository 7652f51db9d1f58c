/*
 * arguments.h - what options of all commands are given.
 *
 * Errors     Name the option, and what may be given.
 */
#ifndef CONVERTER_ARGUMENTS_H
#define CONVERTER_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct fdo_error;

/* The argument of --NAME: a whole number, and nothing after it. */
bool argument_number(const char *name, const char *argument, uint64_t *ret,
		     struct fdo_error *err);
/* One from least to most; else the message has the name as it is here. */
bool argument_number_in(const char *name, const char *argument, uint64_t least,
			uint64_t most, uint64_t *ret, struct fdo_error *err);

/* A folder, and one that is there. */
bool argument_folder(const char *name, const char *argument,
		     struct fdo_error *err);

/*
 * Which of n words an argument is; -1: none, and the message, "no WHAT 'x'", lists
 * them.
 */
int argument_choice(const char *what, const char *argument,
		    const char *const *words, int n, struct fdo_error *err);

/* The argument of --pid, "12,345", behind those that *ret has; free(*ret). */
bool argument_pids(const char *argument, pid_t **ret, size_t *n,
		   struct fdo_error *err);

#endif
