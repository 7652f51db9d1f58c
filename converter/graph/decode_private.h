/*
 * decode_private.h - what a decoder remembers.
 *
 * Inside decode.c and operands.c; others see decode.h.
 */
#ifndef CONVERTER_DECODE_PRIVATE_H
#define CONVERTER_DECODE_PRIVATE_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/graph/decode.h"

/* A number in an instruction, lowest byte first; 0 bytes for none. */
struct number {
	uint8_t at, size;
};

/* All instructions of a shape, but for address, target and displacement. */
struct known {
	uint64_t key; /* 0: none yet */
	struct insn insn;
	struct number displacement;
	struct number immediate; /* or how far it is to the target */
};

/* Their operands, but for the numbers in them. */
struct known_operands {
	uint64_t key; /* 0: none yet */
	struct insn_operands operands;
	struct number displacement;
	struct number immediate;
	uint8_t constant;  /* which operand that is; OPERANDS: none */
	bool is_signed;	   /* the constant */
	bool rip_relative; /* the displacement */
};

enum { KNOWN_BITS = 13, OPERANDS_BITS = 12, OPERANDS = 3 };

struct decoder {
	ZydisDecoder zydis;
	/* Both by the hash of the shape. */
	struct known *known;
	struct known_operands *operands;
};

static inline size_t decode_slot(uint64_t key, unsigned bits)
{
	return key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
}

/* With its sign. */
static inline int64_t decode_number(const uint8_t *bytes, struct number number)
{
	uint64_t value = 0;
	unsigned unused = 64 - 8 * number.size;

	if (number.size == 0)
		return 0;
	for (unsigned i = 0; i < number.size; i++)
		value |= (uint64_t)bytes[number.at + i] << 8 * i;
	return (int64_t)(value << unused) >> unused;
}

#endif
