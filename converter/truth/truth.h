/*
 * truth.h - how often each instruction of an object ran, exactly.
 *
 * Two kinds of file are read: what valgrind --tool=callgrind writes with
 * --dump-instr=yes --collect-jumps=yes, and the simulator's truth.
 *
 *	struct truth *t = truth_read("callgrind.out", object, err);
 *	double n = truth_executions(t, address);
 *	truth_free(t);
 *
 * Units      Addresses are ELF addresses of the object, as in object.h;
 *            executions are counts of the whole run.
 * Range      Addresses below 2^32.
 * Ownership  truth_read() gives, truth_free() takes back and accepts NULL.
 * Errors     Name the file and the line.  A file that says nothing of the
 *            object is an error; so is one that was cut off, which can be told
 *            of the simulator's only within a line.
 */
#ifndef CONVERTER_TRUTH_H
#define CONVERTER_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fdo_error;
struct object;
struct truth;

/* Does the file begin as one of the two kinds do? */
bool truth_is(const char *path);

struct truth *truth_read(const char *path, const struct object *object,
			 struct fdo_error *err);

/* Without them it knows how often blocks ran, but not their edges. */
bool truth_has_jumps(const struct truth *t, struct fdo_error *err);
void truth_free(struct truth *t);

/* Executions of the instruction at an address. */
uint64_t truth_executions(const struct truth *t, uint64_t address);

/* How often the jump at from went to to. */
uint64_t truth_jumps(const struct truth *t, uint64_t from, uint64_t to);

/* How often it went anywhere but to what follows. */
uint64_t truth_leaves(const struct truth *t, uint64_t from);

/* All addresses that ran, ascending; *n_ret of them; free() them. */
uint64_t *truth_addresses(const struct truth *t, size_t *n_ret);

#endif
