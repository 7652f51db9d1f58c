/*
 * cfg_program.h - what cfg_build() must know of the other functions.
 *
 * Only cfg.c, flow.c, noreturn.c and cfg_program.c look into this.
 */
#ifndef CONVERTER_CFG_PROGRAM_H
#define CONVERTER_CFG_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/graph/addresses.h"
#include "converter/graph/cfg.h"

struct code;
struct decoder;
struct fdo_map;
struct landing_pads;
struct object;
struct rewrites;

/* A direct jump or call from one function to somewhere in another. */
struct cfg_program_reference {
	uint64_t target;
	uint32_t function; /* where it stands */
	bool call;
};

/* By number, as in object->functions. */
struct cfg_program_function {
	uint32_t owner;		/* itself, or whose fragment it is */
	uint32_t next_fragment; /* of the same owner, or CFG_PROGRAM_NONE */
	bool may_return;	/* by what is in it, its fragments apart */
};

#define CFG_PROGRAM_NONE UINT32_MAX

struct cfg_program {
	const struct object *object;
	struct decoder *decoder;
	struct landing_pads *pads;
	struct rewrites *rewrites;
	struct cfg_program_function *functions;
	struct cfg_program_reference *references; /* by target, then function */
	size_t nreferences, room;
	/*
	 * Addresses whose call never comes back: functions, PLT entries and
	 * slots of the GOT.
	 */
	struct fdo_map *noreturn;
	struct fdo_map *pointed;   /* functions of which there are pointers */
	struct addresses switches; /* where tables of differences begin */
};

/* The parts of a function: itself and its fragments; free() them. */
struct cfg_part *cfg_program_parts(const struct cfg_program *program,
				   uint32_t f, size_t *n_ret);

/* The references to [from, to): the first, and behind the last. */
void cfg_program_references(const struct cfg_program *program, uint64_t from,
			    uint64_t to, size_t *first_ret, size_t *end_ret);

/*
 * The code of the function f, followed from its entries, with all indirect
 * jumps looked at.
 */
void cfg_program_code(const struct cfg_program *program, uint32_t f,
		      const struct cfg_part *parts, size_t nparts,
		      struct code *code);

/* Find all that never return. */
void cfg_program_find_noreturn(struct cfg_program *program);

#endif
