/*
 * trace.h - what a thread of the guest did, in batches.
 *
 * QEMU's callbacks only store a word each; when a batch is full, it is looked
 * at as a whole.  That is several times faster than to work in the callbacks.
 *
 * A word is the entry of a block (its pointer) or, after it, an access to
 * memory: the address with the instruction's number in the block above it.
 *
 * With registers, each block is one instruction, and what was in them before it
 * is in a ring beside the words, block by block.  It has room for a batch and
 * for what is in flight when that begins.
 *
 * Range      Pointers and addresses have 48 bits.
 */
#ifndef PMUSIM_TRACE_H
#define PMUSIM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct block;

enum {
	TRACE_WORDS = 1 << 15,	/* then a batch ends, before the next block */
	TRACE_BLOCKS = 1 << 11, /* if there are only blocks: no more than L1 */
	TRACE_BLOCK_WORDS = 1 << 13, /* room for the accesses of one block */
	TRACE_STATES = 1 << 11,
	TRACE_STATE_WORDS = TRACE_STATES / 2, /* if there are registers */
	TRACE_SHIFT = 48,
	TRACE_STORE = 1 << 14,
	TRACE_ACCESS = 1 << 15,
};

static inline uint64_t trace_tag(unsigned insn, bool store)
{
	return (uint64_t)(TRACE_ACCESS | (store ? TRACE_STORE : 0) | insn)
	       << TRACE_SHIFT;
}

static inline bool trace_is_block(uint64_t word)
{
	return !(word >> TRACE_SHIFT);
}

static inline struct block *trace_block(uint64_t word)
{
	return (struct block *)(uintptr_t)word;
}

static inline unsigned trace_insn(uint64_t word)
{
	return word >> TRACE_SHIFT & (TRACE_STORE - 1);
}

/* A load or store by this instruction of the block. */
static inline bool trace_is_access_of(uint64_t word, unsigned insn)
{
	return (word >> TRACE_SHIFT & ~(uint64_t)TRACE_STORE) ==
	       (TRACE_ACCESS | insn);
}

static inline bool trace_is_store(uint64_t word)
{
	return word >> TRACE_SHIFT & TRACE_STORE;
}

static inline uint64_t trace_address(uint64_t word)
{
	return word & (((uint64_t)1 << TRACE_SHIFT) - 1);
}

#endif
