/*
 * trace.h - what is in a register, found out by looking back.
 *
 *	struct trace_value v = trace_jump(code, jump);
 *	if (v.kind == TRACE_ENTRY)
 *		n = trace_bound(code, &v, &exact);
 *
 * Just enough to understand the jump of a switch: constants, one load from a
 * table, their sum, and the comparison that guards the index.  Where paths
 * meet, all of them must agree; after a few hundred instructions it gives up.
 *
 * Ownership  All are plain values.
 * Errors     TRACE_UNKNOWN, and 0 for no bound.
 */
#ifndef CONVERTER_TRACE_H
#define CONVERTER_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct code;

enum trace_kind {
	TRACE_ANY, /* only ever what it was before: a loop */
	TRACE_UNKNOWN,
	TRACE_LOADED, /* from memory, but from no table */
	TRACE_CONSTANT,
	TRACE_ENTRY, /* base + the entry of a table */
};

struct trace_value {
	uint8_t kind;	/* enum trace_kind */
	uint8_t index;	/* TRACE_ENTRY: the register that selects */
	uint8_t size;	/* bytes of an entry, sign-extended if 4 */
	uint8_t stride; /* bytes from index to index + 1 */
	uint32_t at;	/* TRACE_ENTRY: what loads it, or CODE_NONE: several */
	uint64_t base;	/* TRACE_ENTRY: 0 if addresses, not differences */
	uint64_t constant; /* or the address of the table */
};

/* Where the jump i goes: its register, or what it loads. */
struct trace_value trace_jump(const struct code *code, uint32_t i);

/*
 * How many entries of its table a TRACE_ENTRY can be; 0: nothing tells.
 * *exact_ret: by a comparison, so that the table has all of these; a mask
 * may leave room for more than there are.
 */
uint64_t trace_bound(const struct code *code, const struct trace_value *entry,
		     bool *exact_ret);

#define TRACE_DEPTH_UNKNOWN INT32_MIN

/*
 * For each instruction how far the stack pointer is below where it was at
 * the function's entry, as a number <= 0; free() it.
 */
int32_t *trace_stack(const struct code *code);

#endif
