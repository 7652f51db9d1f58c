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

/* Hashes of registers, of those of the set in the order of its bits. */
static void hash_registers(const uint8_t *values, uint64_t set, bool swap,
			   struct perfdata_sample *ret)
{
	/* ax to bp, and r8 to r15; and what a page fault adds to flags: RF */
	static const uint64_t general = 0xff007f, flags = 1 << 9;
	static const uint64_t resumes = 1 << 16;
	uint64_t others = 1, apart = ret->ip, value;

	if ((set & general) != general)
		return;
	for (; set; set &= set - 1, values += sizeof(value)) {
		uint64_t which = set & -set;

		memcpy(&value, values, sizeof(value));
		if (which == flags)
			value &= ~(swap ? be64toh(resumes) : le64toh(resumes));
		if (which & general)
			others = mix(others, value);
		else
			apart = mix(apart, value);
	}
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
