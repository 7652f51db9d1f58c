/*
 * usual.h - the values that divisors and sizes mostly have, by samples with
 * registers.
 *
 *	struct usual *u = usual_new(program);
 *	samples_watch(samples, usual_registers, u);
 *	samples_read(samples, path, err);
 *	...
 *	usual_find(u, f, &values, &n);
 *	for (size_t i = 0; i < n; i++)
 *		...	// values[i].insn, .kind, .value, .samples
 *	free(values);
 *	usual_free(u);
 *
 * Each sample counts alike, whatever event it is of and however many events it
 * stands for: that tells one value from another well enough, and how sure it
 * is.
 *
 * Units      Instructions are those of the function's cfg.
 * Range      Of an instruction there are at most USUAL_MOST values, or
 *            USUAL_MOST_SIZES, and the others together, with what is in doubt;
 *            nothing where there are few samples.
 * Ownership  It borrows the program, of which only the binaries must be there
 *            while samples are read.
 * Errors     None.
 */
#ifndef CONVERTER_USUAL_H
#define CONVERTER_USUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/graph/sites.h"

struct fdo_build_id;
struct program;
struct program_function;
struct usual;

enum {
	USUAL_MOST = 8,
	USUAL_MOST_SIZES = 64,
	USUAL_SAMPLES = 8,  /* fewer tell nothing */
	USUAL_OF_MANY = 24, /* nor do so few, where no value is most of them */
};

struct usual_value {
	uint32_t insn, block;
	enum site_kind kind;
	bool other; /* than those before it */
	int64_t value;
	uint64_t samples, all; /* of all values of the instruction and kind */
};

struct usual *usual_new(const struct program *p);
void usual_free(struct usual *u);

/* A samples_watched of samples.h. */
uint32_t usual_registers(void *usual, const char *path,
			 const struct fdo_build_id *build_id, uint64_t offset);

/* By instruction and kind; others last, and by falling samples, then value. */
void usual_find(const struct usual *u, const struct program_function *f,
		struct usual_value **ret, size_t *n_ret);

#endif
