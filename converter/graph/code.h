/*
 * code.h - the instructions of one function, and which of them can be
 * reached: what cfg_build() makes its graph from.
 *
 *	struct code code;
 *	code_init(&code, object, decoder, thunks, noreturn, parts, nparts);
 *	code_reach(&code, entry);
 *	code_add_switch(&code, jump, targets, ntargets);
 *	code_follow(&code);
 *	code_sort(&code);
 *	code_drop(&code);
 *	code_free(&code);
 *
 * A sweep over the bytes comes first.  It finds all of what a compiler
 * writes, and so the whole function is known before the first indirect jump
 * has to be understood.  Then control is followed from the entries: that
 * finds what the sweep misses (after data between the code, in the middle of
 * an instruction), and tells code from data.
 *
 * Ownership  The code owns its arrays; parts and all else are borrowed.
 * Errors     None: what is no code is marked.
 */
#ifndef CONVERTER_CODE_H
#define CONVERTER_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/graph/cfg.h"
#include "converter/graph/decode.h"

struct fdo_map;
struct object;
struct rewrites;

#define CODE_NONE UINT32_MAX

/* What is known of an instruction beside itself. */
enum code_mark {
	CODE_REACHED = 1 << 0,	/* from an entry */
	CODE_NORETURN = 1 << 1, /* a call that never comes back */
	CODE_LEADER = 1 << 2,	/* a block begins here */
	CODE_DROPPED = 1 << 3,	/* padding or data after all */
	CODE_TRIED = 1 << 4,	/* its ways are known, as far as can be */
	CODE_ENTERED = 1 << 5,	/* from another function */
	CODE_PAD = 1 << 6,	/* a landing pad */
	CODE_SWEPT = 1 << 7,	/* found by the sweep */

	/* How an indirect jump was understood. */
	CODE_TABLE = 1 << 8,
	CODE_LABELS = 1 << 9,
	CODE_TAIL_CALL = 1 << 10,
	CODE_UNRESOLVED = 1 << 11,
};

/* From a call to its landing pad. */
struct code_way {
	uint32_t from, to; /* instructions */
};

/* Indirect jumps that all lead to the same instructions. */
struct code_switch {
	uint32_t *jumps;   /* as they were found */
	uint32_t *targets; /* ascending, each once */
	size_t njumps, ntargets, jumps_room;
	bool followed;
};

/* A direct jump or branch within the function. */
struct code_jump {
	uint32_t from, to;
};

struct code {
	const struct object *object;
	const struct decoder *decoder;
	const struct rewrites *rewrites;
	const struct fdo_map *noreturn; /* addresses of such functions */
	const struct cfg_part *parts;
	size_t nparts;
	struct insn *insns; /* by address, after code_sort() */
	uint16_t *marks;    /* enum code_mark, one for each */
	size_t ninsns, room;
	uint32_t **starts; /* for each byte of a part: its insn + 1, or 0 */
	bool sorted;
	struct code_way *ways;
	size_t nways, ways_room;
	struct code_switch *switches;
	size_t nswitches, switches_room;
	struct code_jump *jumps; /* by to, then from */
	size_t njumps;
	uint32_t *pending; /* reached, but not yet followed */
	size_t npending, pending_room;
	uint64_t undecodable;
	unsigned overlapping;
};

void code_init(struct code *code, const struct object *o,
	       const struct decoder *d, const struct rewrites *rewrites,
	       const struct fdo_map *noreturn, const struct cfg_part *parts,
	       size_t nparts);
void code_free(struct code *code);

/* The part that has this address, or NULL. */
const struct cfg_part *code_part(const struct code *code, uint64_t address);

/* The first instruction at or behind an address; ninsns: none. */
uint32_t code_from(const struct code *code, uint64_t address);

/* The instruction that begins at an address, or CODE_NONE. */
uint32_t code_at(const struct code *code, uint64_t address);

/*
 * Follow control from an address to wherever it goes without indirect
 * jumps; decodes there if the sweep did not.  Returns the instruction, or
 * CODE_NONE where there is none.  May add instructions at the end: then
 * code_sort() is due.
 */
uint32_t code_reach(struct code *code, uint64_t address);

/* Remember a way to a landing pad; code_follow() follows it. */
void code_add_way(struct code *code, uint32_t from, uint32_t to);

/* Likewise an indirect jump, of which this has not been said yet. */
void code_add_switch(struct code *code, uint32_t jump, const uint32_t *targets,
		     size_t ntargets);

/* Reach what ways lead to from what is reached. */
void code_follow(struct code *code);

/* Bring instructions and what refers to them into order of address. */
void code_sort(struct code *code);

/* Does control go on from this instruction to the next? */
static inline bool code_goes_on(const struct code *code, uint32_t i)
{
	return insn_falls_through(&code->insns[i]) &&
	       !(code->marks[i] & CODE_NORETURN);
}

/* Does control come to i from outside, with registers nobody knows? */
static inline bool code_entered(const struct code *code, uint32_t i)
{
	return code->insns[i].address == code->parts[0].address ||
	       code->marks[i] & (CODE_ENTERED | CODE_PAD);
}

/* The instruction that falls through into i, or CODE_NONE. */
uint32_t code_before(const struct code *code, uint32_t i);

/* The direct jumps to i: *n_ret of them from the returned one on. */
const struct code_jump *code_jumps_to(const struct code *code, uint32_t i,
				      size_t *n_ret);

/* What an instruction works on. */
void code_operands(const struct code *code, uint32_t i,
		   struct insn_operands *ret);

/*
 * Drop padding, and what was swept but is data; count it.  What is left is
 * renumbered.
 */
void code_drop(struct code *code);

#endif
