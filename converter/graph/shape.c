/*
 * shape.c - the prefixes, the opcode and the byte behind it.
 *
 * That byte says what the operands are (ModRM), or is part of a constant; a
 * key with it says too much at times, but never too little.  Where ModRM asks
 * for a byte more (SIB), that one decides the length if its base is the fifth
 * register and ModRM has no displacement, and whether it is the stack that is
 * stored to: hence the flags.  It names operands, too: a key for these has it.
 */
#include "converter/graph/shape.h"

#include <endian.h>
#include <stdbool.h>
#include <string.h>

enum {
	LONGEST = 15, /* an instruction */
	PREFIXES = 4, /* at most, of what has a key */
	KEY_BYTES = 7,
	KEY_DISPLACED = 0x80, /* in the byte above, beside their number */
	KEY_STACK = 0x40,     /* likewise */
};

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26: /* segments */
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x66: /* sizes */
	case 0x67:
	case 0xf0: /* lock and repetitions */
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return byte >> 4 == 4; /* REX */
	}
}

/* Opcodes of one byte that have no ModRM: what follows does not matter. */
static bool is_alone(uint8_t opcode)
{
	return (opcode >= 0x50 && opcode <= 0x5f) ||
	       (opcode >= 0x70 && opcode <= 0x7f) ||
	       (opcode >= 0x90 && opcode <= 0x9f) ||
	       (opcode >= 0xa8 && opcode <= 0xbf) || opcode == 0xc3 ||
	       opcode == 0xcc || (opcode >= 0xe8 && opcode <= 0xeb);
}

/* Where the opcode is, and in which table of them. */
struct opcode {
	unsigned at;
	enum { FIRST, SECOND, OTHER } map;
	bool keyed;
	bool alone;
};

/* Behind 0x0f. */
static struct opcode escaped(const uint8_t *bytes, unsigned at)
{
	bool further = bytes[at] == 0x38 || bytes[at] == 0x3a;

	return (struct opcode){
		.at = at + further,
		.map = further ? OTHER : SECOND,
		.keyed = bytes[at] != 0x0f,
		.alone = bytes[at] >> 4 == 8, /* jcc */
	};
}

/*
 * Not keyed are EVEX and XOP, 3DNow with its opcode at the end, and VEX's
 * second map, where gathering loads must not name a register twice.
 */
static struct opcode find_opcode(const uint8_t *bytes)
{
	unsigned n = 0;

	while (n < PREFIXES && is_prefix(bytes[n]))
		n++;
	switch (bytes[n]) {
	case 0x0f:
		return escaped(bytes, n + 1);
	case 0xc5:
		return (struct opcode){ n + 2, OTHER, true, false };
	case 0xc4:
		return (struct opcode){ n + 3, OTHER,
					(bytes[n + 1] & 0x1f) != 2, false };
	case 0x62:
	case 0x8f:
		return (struct opcode){ n, OTHER, false, false };
	default:
		return (struct opcode){ n, FIRST, !is_prefix(bytes[n]),
					is_alone(bytes[n]) };
	}
}

/*
 * The most frequent opcodes that are the same instruction whichever registers
 * ModRM names: arithmetic, moves, and in the second table cmovcc, movzx, movsx
 * and those of vectors.
 */
static bool takes_any(uint8_t opcode, int map)
{
	if (map == FIRST)
		return (opcode < 0x40 && opcode % 8 < 4) || opcode == 0x63 ||
		       (opcode >= 0x84 && opcode <= 0x8b) || opcode == 0x8d;
	return map == SECOND &&
	       (opcode >> 4 == 4 || opcode == 0xaf || opcode == 0xb6 ||
		opcode == 0xb7 || opcode == 0xbe || opcode == 0xbf ||
		opcode == 0x10 || opcode == 0x11 || opcode == 0x28 ||
		opcode == 0x29 || (opcode >= 0x58 && opcode <= 0x5f) ||
		opcode == 0x6f || opcode == 0x7f);
}

/* What of ModRM says where the operand is, and what follows. */
static uint8_t without_registers(uint8_t modrm)
{
	uint8_t mode = modrm & 0xc0, rm = modrm & 7;

	if (mode != 0xc0 && rm == 4)
		return mode | rm;
	return mode == 0 && rm == 5 ? rm : mode;
}

/* The first so many bytes, and how many they are. */
static uint64_t key_of(const uint8_t *bytes, unsigned n)
{
	uint64_t key;

	memcpy(&key, bytes, sizeof(key));
	key = le64toh(key) & ((UINT64_C(1) << 8 * n) - 1);
	return key | (uint64_t)n << 8 * KEY_BYTES;
}

uint64_t shape_key(const uint8_t *bytes, size_t size)
{
	struct opcode opcode;
	uint64_t key;
	unsigned n;

	if (size < LONGEST)
		return 0;
	opcode = find_opcode(bytes);
	n = opcode.at + 1 + !opcode.alone;
	if (!opcode.keyed || n > KEY_BYTES)
		return 0;
	key = key_of(bytes, n);
	if (!opcode.alone && takes_any(bytes[opcode.at], opcode.map))
		key ^= (uint64_t)(bytes[n - 1] ^
				  without_registers(bytes[n - 1]))
		       << 8 * (n - 1);
	/* The byte is looked at as ModRM even where it is a constant. */
	if ((bytes[n - 1] & 0xc7) == 4 && (bytes[n] & 7) == 5)
		key |= (uint64_t)KEY_DISPLACED << 8 * KEY_BYTES;
	if ((bytes[n - 1] & 7) == 4 && (bytes[n] & 7) == 4)
		key |= (uint64_t)KEY_STACK << 8 * KEY_BYTES;
	return key;
}

/* VEX's third map has instructions with an operand behind the displacement. */
static bool names_more(const uint8_t *bytes, unsigned at)
{
	return at >= 3 && bytes[at - 3] == 0xc4 && (bytes[at - 2] & 0x1f) == 3;
}

uint64_t shape_operands(const uint8_t *bytes, size_t length)
{
	uint8_t begin[LONGEST + 1] = { 0 };
	struct opcode opcode;
	unsigned n;

	memcpy(begin, bytes, length);
	opcode = find_opcode(begin);
	n = opcode.at + 1 + !opcode.alone;
	/* SIB is behind ModRM. */
	if (!opcode.alone && (begin[n - 1] & 7) == 4 && begin[n - 1] >> 6 != 3)
		n++;
	if (!opcode.keyed || n > KEY_BYTES || names_more(begin, opcode.at))
		return 0;
	return key_of(begin, n);
}
