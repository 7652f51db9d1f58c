/*
 * code.h - the blocks that QEMU translates, each once, with what the
 * instructions of each are.
 *
 *	struct code *code = code_new();
 *	struct block *b = code_block(code, &text, mapping);
 *	// b->insns[0 .. b->size - 1], b->next[0].to
 *	code_free(code);
 *
 * QEMU may translate a block again and again; as long as its bytes and its
 * file are the same, it is the same block here.
 *
 * Units      Addresses are the guest's.  Registers: 0 to 15 general, 16 the
 *            flags, 17 to 48 vector registers, 49 the x87 stack; latencies
 *            are cycles of a current core, with data in the L1 cache.
 * Ownership  Blocks live as long as the code.
 * Errors     None: bytes that are no instruction end the block before them,
 *            which may then have none.
 * Threads    One at a time.
 */
#ifndef PMUSIM_CODE_H
#define PMUSIM_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping;

/* What an instruction does to the flow. */
enum flow {
	FLOW_NEXT,   /* also a system call */
	FLOW_BRANCH, /* conditional */
	FLOW_JUMP,
	FLOW_INDIRECT,
	FLOW_CALL,
	FLOW_CALL_INDIRECT,
	FLOW_RETURN,
};

/* Which part of the core executes it. */
enum unit {
	UNIT_NONE, /* nop, or a move that renaming does */
	UNIT_ALU,
	UNIT_MULTIPLY,
	UNIT_DIVIDE,
	UNIT_FLOAT,
	UNIT_FLOAT_DIVIDE,
	UNIT_BRANCH,
	UNITS
};

enum {
	REGISTERS = 50,
	REGISTER_FLAGS = 16,
	REGISTER_VECTOR = 17,
	REGISTER_X87 = 49,
	REGISTER_READY = REGISTERS, /* ready ever since */
	REGISTER_UNREAD,	    /* written and never read */
	INSN_READS = 6,
	INSN_WRITES = 4,
	INSN_BYTES = 16, /* room for the longest */
	ACCESS_MAX = 32,
	/* The registers of what is not KIND_RARE. */
	USUAL_ADDRESS = 2,
	USUAL_READS = 3,
	USUAL_WRITES = 3,
};

/* How much of the core it takes to simulate it. */
enum kind {
	KIND_REGISTERS, /* no memory, at most 2 writes */
	KIND_MEMORY,
	KIND_RARE, /* serial, a division, many registers... */
};

struct insn {
	uint64_t address;
	uint64_t target; /* of a direct branch */
	uint8_t length;
	uint8_t flow, unit, latency;
	bool repeats;  /* a string instruction: one block per step */
	bool serial;   /* waits for all before it */
	bool locked;   /* waits likewise, and loads behind it wait for it */
	bool computes; /* more than a load or a store */
	bool loads, stores;
	uint8_t bytes; /* of memory, at most ACCESS_MAX */
	uint8_t kind;
	uint8_t ports; /* of ports.h; 0: needs none */
	uint8_t naddress, nreads, nwrites;
	/* Behind their numbers: REGISTER_READY, REGISTER_UNREAD. */
	uint8_t address_regs[INSN_READS]; /* if it loads or stores */
	uint8_t reads[INSN_READS], writes[INSN_WRITES];
};

/* How often control went from one block to another. */
struct successor {
	struct block *to;
	uint64_t count;
};

struct fdo_map;

struct block {
	/* Here and first because the trace touches them for every block. */
	struct successor next[2];
	struct fdo_map *others; /* the rest, by the pointer */
	uint64_t starts;	/* as the first of a thread or process */

	uint64_t address;
	const struct mapping *mapping; /* NULL: no file's code */
	struct insn *insns;
	int size; /* of insns */
	uint64_t hash;
	struct block *older; /* another one at the same address */
	struct block *entered_before;
};

/* A block as QEMU has it. */
struct block_text {
	uint64_t address;
	int size;
	const unsigned char (*bytes)[INSN_BYTES];
	const uint8_t *lengths;
};

struct code {
	struct fdo_map *at;   /* address: newest block there */
	struct block *newest; /* entered_before leads to the oldest */
	void *decoder;
};

struct code *code_new(void);
void code_free(struct code *code);

struct block *code_block(struct code *code, const struct block_text *text,
			 const struct mapping *mapping);

static inline const struct insn *block_last(const struct block *block)
{
	return &block->insns[block->size - 1];
}

/* The block goes on with the string instruction that ended "from". */
static inline bool block_repeats(const struct block *from,
				 const struct block *block)
{
	return block_last(from)->repeats &&
	       block_last(from)->address == block->address;
}

#endif
