/*
 * pieces.h - the code of each source key, and the one count it comes to.
 *
 *	struct pieces *all = pieces_new();
 *	pieces_add(all, &piece, opcodes, n);	// for each key in each block
 *	pieces_settle(all, profile);		// counts are in the profile
 *	pieces_free(all);
 *
 * Pieces in blocks that always run equally often are one instance: one vote.
 * Instances of alike code are copies (unrolled, peeled, inlined), and so are tests of
 * one loop: their counts add up, unless one only goes on with what another began, or went astray.
 * Different code is different pieces of one statement: the largest count stands
 * for it.  Code that was if-converted, or that is in a tail which the compiler
 * may have merged with others, runs at most that often: flags say so.
 * What a statement needs may be computed before it is known that it runs; what
 * it changes in memory is not, and speaks for it where there is such code.
 *
 * Up to GCC 12 a discriminator is a block's, and not its code's, and a block that was
 * copied has none.  So where a place has code with one in a loop, which never ran, as
 * far as its error tells, and code without in a loop beside it, which did, the second
 * may be a version of the first: of that place no count by discriminators is kept, but
 * that of all.
 *
 * Units      Counts as in profile.h.
 * Ownership  Bodies belong to the profile that pieces_settle() gets; opcodes
 *            are copied.
 * Errors     None.
 */
#ifndef CONVERTER_PIECES_H
#define CONVERTER_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/keys/vectors.h"
#include "profile/profile.h"

/* Code of one key in one block. */
struct piece {
	struct profile_body *body;
	struct profile_key key;
	uint32_t function; /* any number that tells functions apart, */
	uint32_t class;	   /* blocks of a function that run equally often, */
	uint32_t block;	   /* and blocks */
	uint64_t count;	   /* of the block */
	double error;
	bool conditional; /* has code that stands for a branch */
	bool merged;	  /* the block is such a tail */
	bool astray;	  /* it may be another statement's */
	bool goes_on;	  /* runs only after another piece of the key */
	uint32_t test;	  /* of a loop, by a number of the function; 0: none */
	bool loop;	  /* the block does rounds of a loop by vectors */
	uint32_t rest;	  /* or may be left over by one (vector_rests.h) */
	/* Heads of the naround loops that it is in, the inner one first; borrowed. */
	const uint32_t *around;
	uint32_t naround;
	bool assigns; /* has code that changes memory, */
	bool movable; /* or only such that could run in vain */
	struct vectors_look look;

	/* Set by pieces_add(). */
	uint32_t number; /* of the class in the function, from 0 */
	uint32_t first_opcode, nopcodes;
	uint32_t first_around;
	bool lost;     /* copies have no discriminator */
	uint32_t last; /* 1 + the one before of the body; 0: none */
};

struct pieces;

struct pieces *pieces_new(void);
void pieces_free(struct pieces *all);

/*
 * Opcodes tell how alike two pieces are: a number of any kind for what each
 * instruction does, the same in copies of it.
 */
void pieces_add(struct pieces *all, const struct piece *piece,
		const uint16_t *opcodes, size_t n);

/* Returns the number of keys. */
size_t pieces_settle(struct pieces *all, struct profile *profile);

/* Keys of any bodies in an order that puts equal ones together. */
int pieces_compare_keys(const struct profile_body *x_body,
			const struct profile_key *x,
			const struct profile_body *y_body,
			const struct profile_key *y);

#endif
