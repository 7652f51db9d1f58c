/*
 * vectors.h - loops of which a compiler does most rounds by vectors.
 *
 *	struct vectors *all = vectors_new(nclasses);
 *	vectors_note(all, &code);		// for each piece of code
 *	vectors_compare(all, codes, n);		// for each key: all its instances
 *	vectors_join(all, codes, n);		// again for each key
 *	vectors_settle(all);
 *	rounds = vectors_rounds(all, class, by_vectors);
 *	loop = vectors_loop(all, class, by_vectors, &part);
 *	vectors_free(all);
 *
 * What is left of the rounds at the end is done one by one, by other code of the same
 * keys.  So code with vectors, in a block that does rounds of a loop
 * (vector_blocks.h), beside code of the same key that has none, does as many rounds as
 * a vector has numbers.  Of which size these are, is what the instructions compute
 * with; if vectors are only moved, or only their bits matter, what the other code
 * accesses in memory.  Elsewhere vectors do several statements at once.
 *
 * Or they have no key in common, since one instruction does what several do without
 * vectors.  Then the loop's test is code of both.
 *
 * All classes (pieces.h) with code of one such key are of one loop: some do rounds by
 * vectors, the others what is left over.  All of a loop's code is of all its rounds,
 * but for what is left over with a lower count: an arm of a test, say.
 *
 * Range      Classes are numbers below nclasses.
 * Units      Vectors and numbers in bytes; counts as in profile.h.
 * Ownership  vectors_new() gives, vectors_free() takes back and accepts NULL.
 *            Codes are borrowed for the call.
 * Errors     None.
 */
#ifndef CONVERTER_VECTORS_H
#define CONVERTER_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vectors;

/* What instructions have to do with vectors. */
struct vectors_look {
	bool has;	  /* has some, if only in registers */
	uint8_t element;  /* the least number that it computes with; 0: none */
	uint8_t moved;	  /* the longest vector of memory; 0: none */
	uint8_t accessed; /* the least of memory besides; 0: nothing */
};

/* Of all together: one more. */
void vectors_see(struct vectors_look *all, const struct vectors_look *one);

/* Code of one key in a class, or any of it. */
struct vectors_code {
	uint32_t class;
	struct vectors_look look;
	bool is_loop;	/* does rounds of a loop by them, and nothing else */
	uint64_t count; /* of the class */
	double error;
	bool tests;    /* of such a loop's block, without vectors */
	uint64_t near; /* the loop that it tests, or of which it may be what is
			 * left over (vector_rests.h), by any number; 0: none */
};

enum vectors_part {
	VECTORS_ROUNDS,	  /* by vectors */
	VECTORS_LEFT,	  /* one by one, all that is left over */
	VECTORS_LEFT_ARM, /* or some of that */
};

/*
 * May code do what a loop left over, that moves vectors as long as that in memory?
 * What accesses no memory may be what comes before the loop.
 */
bool vectors_may_be_left(const struct vectors_look *look, unsigned moved);

struct vectors *vectors_new(size_t nclasses);
void vectors_free(struct vectors *all);

void vectors_note(struct vectors *all, const struct vectors_code *code);

/* After all of vectors_note(). */
void vectors_compare(struct vectors *all, const struct vectors_code *codes,
		     size_t n);

/*
 * After all of vectors_compare(): what has vectors beside what a loop left over is of
 * that loop, too, as its first round, of which nothing is left but a load.
 */
void vectors_join(struct vectors *all, const struct vectors_code *codes,
		  size_t n);

/* After all of that, and before what is below. */
void vectors_settle(struct vectors *all);

/*
 * How many rounds code of a class does each time, with vectors or without; 0: nothing
 * tells.
 */
unsigned vectors_rounds(const struct vectors *all, uint32_t class,
			bool by_vectors);

/* The loop that it is of, by a number, and which part of it; 0: none. */
size_t vectors_loop(const struct vectors *all, uint32_t class, bool by_vectors,
		    enum vectors_part *part);

/* How many rounds vectors do of a loop, in all. */
uint64_t vectors_total(const struct vectors *all, size_t loop, double *error);

#endif
