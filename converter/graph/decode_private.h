/*
 * decode_private.h - what a decoder remembers.
 *
 * Inside decode.c and operands.c; others see decode.h.
 */
#ifndef CONVERTER_DECODE_PRIVATE_H
#define CONVERTER_DECODE_PRIVATE_H

#include <Zydis/Zydis.h>
#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

enum { KNOWN_BITS = 14, OPERANDS_BITS = 12, OPERANDS = 3 };

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

/* With its sign; of 0, 1, 2, 4 or 8 bytes. */
static inline int64_t decode_number(const uint8_t *bytes, struct number number)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	bytes += number.at;
	switch (number.size) {
	case 0:
		return 0;
	case 1:
		return (int8_t)*bytes;
	case 2:
		memcpy(&two, bytes, sizeof(two));
		return (int16_t)le16toh(two);
	case 4:
		memcpy(&four, bytes, sizeof(four));
		return (int32_t)le32toh(four);
	default:
		memcpy(&eight, bytes, sizeof(eight));
		return (int64_t)le64toh(eight);
	}
}

#endif
