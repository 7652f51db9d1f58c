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

enum {
	PREFIX = 1 << 0, /* segments, sizes, lock, repetitions, REX */
	ALONE = 1 << 1,	 /* has no ModRM: what follows does not matter */
	/*
	 * One of the most frequent ones that are the same instruction whichever
	 * registers ModRM names: arithmetic, moves, and in the second table
	 * cmovcc, movzx, movsx and those of vectors.
	 */
	TAKES_ANY = 1 << 2,
};

/* Opcodes of one byte, and what can be before them. */
static const uint8_t first[256] = {
	[0x00 ... 0x03] = TAKES_ANY,
	[0x08 ... 0x0b] = TAKES_ANY,
	[0x10 ... 0x13] = TAKES_ANY,
	[0x18 ... 0x1b] = TAKES_ANY,
	[0x20 ... 0x23] = TAKES_ANY,
	[0x28 ... 0x2b] = TAKES_ANY,
	[0x30 ... 0x33] = TAKES_ANY,
	[0x38 ... 0x3b] = TAKES_ANY,
	[0x26] = PREFIX,
	[0x2e] = PREFIX,
	[0x36] = PREFIX,
	[0x3e] = PREFIX,
	[0x40 ... 0x4f] = PREFIX,
	[0x50 ... 0x5f] = ALONE,
	[0x63] = TAKES_ANY,
	[0x64 ... 0x67] = PREFIX,
	[0x70 ... 0x7f] = ALONE,
	[0x84 ... 0x8b] = TAKES_ANY,
	[0x8d] = TAKES_ANY,
	[0x90 ... 0x9f] = ALONE,
	[0xa8 ... 0xbf] = ALONE,
	[0xc3] = ALONE,
	[0xcc] = ALONE,
	[0xe8 ... 0xeb] = ALONE,
	[0xf0] = PREFIX,
	[0xf2 ... 0xf3] = PREFIX,
};

/* Those behind 0x0f. */
static const uint8_t second[256] = {
	[0x10 ... 0x11] = TAKES_ANY, [0x28 ... 0x29] = TAKES_ANY,
	[0x40 ... 0x4f] = TAKES_ANY, [0x58 ... 0x5f] = TAKES_ANY,
	[0x6f] = TAKES_ANY,	     [0x7f] = TAKES_ANY,
	[0x80 ... 0x8f] = ALONE, /* jcc */
	[0xaf] = TAKES_ANY,	     [0xb6 ... 0xb7] = TAKES_ANY,
	[0xbe ... 0xbf] = TAKES_ANY,
};

/* Where the opcode is, and what it is. */
struct opcode {
	unsigned at;
	bool keyed;
	uint8_t is;
};

/* Behind 0x0f. */
static struct opcode escaped(const uint8_t *bytes, unsigned at)
{
	if (bytes[at] == 0x38 || bytes[at] == 0x3a)
		return (struct opcode){ at + 1, true, 0 };
	return (struct opcode){ at, bytes[at] != 0x0f, second[bytes[at]] };
}

/*
 * Not keyed are EVEX and XOP, 3DNow with its opcode at the end, and VEX's
 * second map, where gathering loads must not name a register twice.
 */
static struct opcode find_opcode(const uint8_t *bytes)
{
	unsigned n = 0;

	while (n < PREFIXES && first[bytes[n]] & PREFIX)
		n++;
	switch (bytes[n]) {
	case 0x0f:
		return escaped(bytes, n + 1);
	case 0xc5:
		return (struct opcode){ n + 2, true, 0 };
	case 0xc4:
		return (struct opcode){ n + 3, (bytes[n + 1] & 0x1f) != 2, 0 };
	case 0x62:
	case 0x8f:
		return (struct opcode){ n, false, 0 };
	default:
		return (struct opcode){ n, !(first[bytes[n]] & PREFIX),
					first[bytes[n]] };
	}
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
	n = opcode.at + 1 + !(opcode.is & ALONE);
	if (!opcode.keyed || n > KEY_BYTES)
		return 0;
	key = key_of(bytes, n);
	if (opcode.is & TAKES_ANY)
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
	n = opcode.at + 1 + !(opcode.is & ALONE);
	/* SIB is behind ModRM. */
	if (!(opcode.is & ALONE) && (begin[n - 1] & 7) == 4 &&
	    begin[n - 1] >> 6 != 3)
		n++;
	if (!opcode.keyed || n > KEY_BYTES || names_more(begin, opcode.at))
		return 0;
	return key_of(begin, n);
}
