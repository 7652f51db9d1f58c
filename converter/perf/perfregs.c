/*
 * perfregs.c - x86's registers, as asm/perf_regs.h numbers them.
 */
#include "converter/perf/perfregs.h"

#include <string.h>

int perfregs_number(unsigned bit)
{
	/* ax, bx, cx, dx, si, di, bp, sp, ip, flags, six segments, r8 to r15 */
	static const int8_t numbers[64] = { 0,	3,  1,	2,  6,
					    7,	5,  4,	-1, PERFDATA_FLAGS,
					    -1, -1, -1, -1, -1,
					    -1, 8,  9,	10, 11,
					    12, 13, 14, 15, [24 ... 63] = -1 };

	return numbers[bit];
}

static uint64_t mix(uint64_t state, uint64_t value)
{
	state = (state ^ value) * 0x9e3779b97f4a7c15u;
	return state ^ state >> 32;
}

/* Mix the next so many values in; returns what is behind them. */
static const uint8_t *mix_next(uint64_t *state, const uint8_t *values,
			       unsigned n)
{
	uint64_t value;

	for (; n > 0; n--, values += sizeof(value)) {
		memcpy(&value, values, sizeof(value));
		*state = mix(*state, value);
	}
	return values;
}

/* Likewise, those of a set; but of flags not what a page fault adds: RF. */
static const uint8_t *mix_set(uint64_t *state, const uint8_t *values,
			      uint64_t set, bool swap)
{
	static const uint64_t flags = 1 << 9, resumes = 1 << 16;
	uint64_t value;

	for (; set; set &= set - 1, values += sizeof(value)) {
		memcpy(&value, values, sizeof(value));
		if ((set & -set) == flags)
			value &= ~(swap ? be64toh(resumes) : le64toh(resumes));
		*state = mix(*state, value);
	}
	return values;
}

/* Hashes of registers, of those of the set in the order of its bits. */
static void hash_registers(const uint8_t *values, uint64_t set, bool swap,
			   struct perfdata_sample *ret)
{
	/* ax to bp; what is between; r8 to r15; and what is behind */
	enum { FIRST = 7, SECOND = 8 };
	static const uint64_t first = 0x7f, between = 0xff80, second = 0xff0000;
	uint64_t others = 1, apart = ret->ip;

	if ((set & (first | second)) != (first | second))
		return;
	values = mix_next(&others, values, FIRST);
	values = mix_set(&apart, values, set & between, swap);
	values = mix_next(&others, values, SECOND);
	mix_set(&apart, values, set & ~(first | between | second), swap);
	ret->general = others ? others : 1;
	ret->state = mix(others, apart);
	ret->state += ret->state == 0;
}

/* Those of another moment, as a late interrupt has them, are of no use. */
static void take_registers(const uint8_t *values, uint64_t set,
			   struct perfdata_sample *ret)
{
	enum { IP = 8 };
	uint32_t known = 0;
	uint64_t value;

	memset(ret->registers, 0, sizeof(ret->registers));
	for (; set; set &= set - 1, values += sizeof(value)) {
		int bit = __builtin_ctzll(set);
		int number = perfregs_number(bit);

		memcpy(&value, values, sizeof(value));
		value = le64toh(value);
		if (bit == IP && value != ret->ip)
			return;
		if (number < 0)
			continue;
		known |= 1u << number;
		ret->registers[number] = value;
	}
	ret->known = known;
}

bool perfregs_read(struct cursor *c, uint64_t set, bool wanted,
		   struct perfdata_sample *ret, struct fdo_error *err)
{
	enum { ABI_NONE, ABI_64 = 2 };
	const void *values = NULL;
	uint64_t abi;

	if (!cursor_u64(c, &abi, err))
		return false;
	if (abi == ABI_NONE)
		return true;
	if (!cursor_bytes(c, 8 * __builtin_popcountll(set), &values, err))
		return false;
	hash_registers(values, set, c->swap, ret);
	if (wanted && abi == ABI_64 && !c->swap)
		take_registers(values, set, ret);
	return true;
}
