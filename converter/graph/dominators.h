/*
 * dominators.h - which blocks every way out of a block goes through (Cooper,
 * Harvey and Kennedy, 2001), and the natural loops.
 *
 *	struct dominators *d = dominators_new(&cfg);
 *	if (dominators_behind(d, a, b))
 *		...	// every way from b out of the function leads through a
 *	dominators_free(d);
 *
 * Range      Blocks as in cfg.  Those that never leave are behind nothing, and
 *            nothing is behind them.
 * Ownership  _new() gives, _free() takes back and accepts NULL; the graph
 *            must outlive it.
 */
#ifndef CONVERTER_DOMINATORS_H
#define CONVERTER_DOMINATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfg;
struct dominators;

struct dominators *dominators_new(const struct cfg *cfg);
void dominators_free(struct dominators *d);

/* a is on every way from b out of the function. */
bool dominators_behind(const struct dominators *d, size_t a, size_t b);

/* a is on every way to b from where the function is entered. */
bool dominators_before(const struct dominators *d, size_t a, size_t b);

/* An edge leads from inside a loop back to its first block. */
bool dominators_back(const struct dominators *d, size_t edge);

/* The block is the first of a loop. */
bool dominators_heads(const struct dominators *d, size_t block);

/*
 * The blocks of the loop that a block heads, that one first; 0: of none.  There
 * is room in both for all blocks; no mark is set, before and after.
 */
size_t dominators_loop(const struct dominators *d, size_t head,
		       uint32_t *blocks, bool *marks);

/* Some loop has the edge's first block, but not its second. */
bool dominators_leaves(const struct dominators *d, size_t edge);

#endif
