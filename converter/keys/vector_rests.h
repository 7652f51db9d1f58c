/*
 * vector_rests.h - which blocks may do what a loop by vectors left over.
 *
 *	bool *loops = vector_blocks_find(lines, &cfg);
 *	uint32_t *rests = vector_rests_find(lines, &cfg, dominators, loops);
 *	if (rests && rests[b])
 *		...	// of the loop that is block rests[b] - 1
 *	free(rests);
 *
 * Code with vectors may have no place in common with what does the same one by one: a
 * sum of products is one instruction, and has the place of the sum.  But what is left
 * over comes behind the loop, and reads memory in lines that the vectors are of, too:
 * one by one, or by one more vector.
 *
 * Ownership  The caller's to free().
 * Errors     None.
 */
#ifndef CONVERTER_VECTOR_RESTS_H
#define CONVERTER_VECTOR_RESTS_H

#include <stdbool.h>
#include <stdint.h>

struct cfg;
struct dominators;
struct lines;

/*
 * For each block of a function, 1 + the block that is the nearest such loop; 0: none.
 * NULL: no block has one.  loops may be NULL.
 */
uint32_t *vector_rests_find(const struct lines *lines, const struct cfg *cfg,
			    const struct dominators *dominators,
			    const bool *loops);

#endif
