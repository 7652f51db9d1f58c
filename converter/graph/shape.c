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

/*
 * How many bytes stand before the opcode.  Not keyed are EVEX and XOP, 3DNow
 * with its opcode at the end, and VEX's second map, where gathering loads must
 * not name a register twice.
 */
static unsigned before_opcode(const uint8_t *bytes, bool *keyed, bool *alone)
{
	unsigned n = 0;

	while (n < PREFIXES && is_prefix(bytes[n]))
		n++;
	*keyed = !is_prefix(bytes[n]);
	*alone = false;
	switch (bytes[n]) {
	case 0x0f:
		n++;
		*keyed = bytes[n] != 0x0f;
		*alone = bytes[n] >> 4 == 8; /* jcc */
		return n + (bytes[n] == 0x38 || bytes[n] == 0x3a);
	case 0xc5:
		return n + 2;
	case 0xc4:
		*keyed = (bytes[n + 1] & 0x1f) != 2;
		return n + 3;
	case 0x62:
	case 0x8f:
		*keyed = false;
		return n;
	default:
		*alone = is_alone(bytes[n]);
		return n;
	}
}

uint64_t shape_key(const uint8_t *bytes, size_t size)
{
	bool keyed, alone;
	uint64_t key;
	unsigned n;

	if (size < LONGEST)
		return 0;
	n = before_opcode(bytes, &keyed, &alone) + 1 + !alone;
	if (!keyed || n > KEY_BYTES)
		return 0;
	memcpy(&key, bytes, sizeof(key));
	key = le64toh(key) & ((UINT64_C(1) << 8 * n) - 1);
	key |= (uint64_t)n << 8 * KEY_BYTES;
	/* The byte is looked at as ModRM even where it is a constant. */
	if ((bytes[n - 1] & 0xc7) == 4 && (bytes[n] & 7) == 5)
		key |= (uint64_t)KEY_DISPLACED << 8 * KEY_BYTES;
	if ((bytes[n - 1] & 7) == 4 && (bytes[n] & 7) == 4)
		key |= (uint64_t)KEY_STACK << 8 * KEY_BYTES;
	return key;
}

/* VEX's third map has instructions with an operand behind the displacement. */
static bool names_more(const uint8_t *bytes, unsigned before)
{
	return before >= 3 && bytes[before - 3] == 0xc4 &&
	       (bytes[before - 2] & 0x1f) == 3;
}

uint64_t shape_operands(const uint8_t *bytes, size_t length)
{
	uint8_t begin[LONGEST + 1] = { 0 };
	bool keyed, alone, extended;
	unsigned before, n;
	uint64_t key;

	memcpy(begin, bytes, length);
	before = before_opcode(begin, &keyed, &alone);
	n = before + 1 + !alone;
	extended = !alone && (begin[n - 1] & 7) == 4 && begin[n - 1] >> 6 != 3;
	n += extended;
	if (!keyed || n > KEY_BYTES || names_more(begin, before))
		return 0;
	memcpy(&key, begin, sizeof(key));
	key = le64toh(key) & ((UINT64_C(1) << 8 * n) - 1);
	return key | (uint64_t)n << 8 * KEY_BYTES;
}
