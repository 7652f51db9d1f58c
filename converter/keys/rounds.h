/*
 * rounds.h - how many rounds of a loop of the source the code of a block does.
 *
 *	struct rounds *rounds = rounds_new(nclasses);
 *	rounds_compare(rounds, codes, n);	// for each key: all its instances
 *	count *= rounds_of(rounds, class);
 *	rounds_free(rounds);
 *
 * A loop that the compiler unrolled does several rounds in a block.  It keeps single
 * rounds beside it, for what is left at the end, and these tell: code that has all
 * instructions of the other k times does k rounds.  (By vectors: vectors.h.)
 *
 * Range      Classes (pieces.h) are numbers below nclasses.  At least 1, which also is the answer where nothing tells: where
 *            the number of rounds is known to the compiler, none is left.
 * Ownership  rounds_new() gives, rounds_free() takes back and accepts NULL.
 *            Codes are borrowed for the call.
 * Errors     None.
 */
#ifndef CONVERTER_ROUNDS_H
#define CONVERTER_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

struct rounds;

/* Code of one key in blocks of a class; its opcodes are sorted. */
struct rounds_code {
	uint32_t class;
	const uint16_t *opcodes;
	size_t nopcodes;
};

struct rounds *rounds_new(size_t nclasses);
void rounds_free(struct rounds *all);

void rounds_compare(struct rounds *all, const struct rounds_code *codes,
		    size_t n);

unsigned rounds_of(const struct rounds *all, uint32_t class);

#endif
