/*
 * trips_before.h - what is in registers where a loop is entered.  For trips.c.
 *
 *	struct trips_before *before = trips_before_new(&code, from);
 *	struct outcome_state state = trips_before_known(before);
 *	for (unsigned guess = 0; guess < TRIPS_GUESSES; guess++)
 *		state = trips_before_guessed(before, guess);
 *	trips_before_free(before);
 *
 * It is found by running the few blocks that lead there, whatever was before them.
 * What then is not known is guessed: pointers, small and large numbers, and negative
 * ones.  So what is so for all guesses is so whatever they stand for, as that one
 * register is so far behind another.
 *
 * Where a loop around begins among these blocks, it may be in any round: what it adds
 * a constant to, once in a block, is that much further, and all else that it writes
 * is guessed.
 *
 * Ownership  trips_before_new() gives, trips_before_free() takes back.
 * Errors     None.
 */
#ifndef CONVERTER_TRIPS_BEFORE_H
#define CONVERTER_TRIPS_BEFORE_H

#include <stdbool.h>
#include <stdint.h>

#include "converter/graph/outcome.h"

struct cfg;
struct decoder;
struct dominators;

enum { TRIPS_GUESSES = 8 };

struct trips_code {
	const struct cfg *cfg;
	const struct decoder *decoder;
	const struct dominators *dominators;
	uint32_t *around; /* room for all blocks */
	bool *scratch;	  /* of each block; no mark is set */
};

struct trips_before;

/* Behind a block, as registers are known there. */
struct trips_before *trips_before_new(const struct trips_code *code,
				      uint32_t block);
void trips_before_free(struct trips_before *before);

struct outcome_state trips_before_known(const struct trips_before *before);
struct outcome_state trips_before_guessed(const struct trips_before *before,
					  unsigned guess);

/* The operands of a block's instructions; the caller's. */
struct insn_operands *trips_decode(const struct trips_code *code,
				   uint32_t block);

/* Go through a block. */
void trips_run(const struct trips_code *code, uint32_t block,
	       const struct insn_operands *operands,
	       struct outcome_state *state);

#endif
