/*
 * cfg.h - the control-flow graph of one function of a binary.
 *
 *	struct cfg_program *program = cfg_program_new(object);
 *	const struct object_function *f = object_function_at(object, address);
 *	struct cfg cfg;
 *	if (!cfg_build(program, f, &cfg, err))
 *		return false;
 *	for (size_t b = 0; b < cfg.nblocks; b++)
 *		...	// cfg.blocks[b]
 *	cfg_free(&cfg);
 *	cfg_program_free(program);
 *
 * Calls do not end a block unless they never come back.  What has no known
 * way in or out is marked as such, never joined to something by guess.
 *
 * Units      Addresses as in object.h; sizes are bytes.
 * Range      Blocks, edges, instructions: below 2^32 of each.
 * Ownership  A struct cfg owns its arrays and borrows names from the object,
 *            which must outlive it, as it must the cfg_program.
 * Errors     Only a function without code fails.  Bytes that are no
 *            instruction, jumps that nobody can resolve and the like are
 *            counted in cfg.counters.
 * Threads    A cfg_program and what it builds stay in one thread.
 *
 * Everything is sorted by address, and the same for the same binary.
 */
#ifndef CONVERTER_CFG_H
#define CONVERTER_CFG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "converter/graph/decode.h"

struct fdo_error;
struct object;
struct object_function;

/* A stretch of code: the function itself, and NAME.cold elsewhere. */
struct cfg_part {
	const char *name;
	uint64_t address;
	uint64_t size;
	bool size_guessed; /* hand-written: it ends where the next begins */
	const unsigned char *bytes;
};

enum cfg_edge_kind {
	CFG_FALL,      /* to what follows */
	CFG_TAKEN,     /* by a conditional jump */
	CFG_JUMP,      /* by an unconditional jump */
	CFG_SWITCH,    /* by an indirect jump */
	CFG_EXCEPTION, /* from a call that throws to its landing pad */
};

struct cfg_edge {
	uint32_t from, to; /* blocks */
	uint8_t kind;	   /* enum cfg_edge_kind */
};

/* What a block may be, any of these at once. */
enum cfg_block_flag {
	/* Ways in from outside. */
	CFG_ENTRY = 1 << 0,   /* the function begins here */
	CFG_ENTERED = 1 << 1, /* jumped to or called from another function */
	/* Ways in that are not executed as an edge. */
	CFG_LANDING_PAD = 1 << 2, /* of exceptions */
	CFG_ORPHAN = 1 << 3,	  /* no way in from an entry is known */

	/* Ways out: CFG_EXITS. */
	CFG_RETURNS = 1 << 4,
	CFG_TAIL_CALL = 1 << 5,	 /* jumps to another function, perhaps if */
	CFG_NORETURN = 1 << 6,	 /* ends in a call that never comes back */
	CFG_TRAP = 1 << 7,	 /* ends in ud2, hlt, int3 */
	CFG_UNRESOLVED = 1 << 8, /* ends in a jump to nobody knows where */
	CFG_RUNS_OFF = 1 << 9,	 /* into the next function or what is no code */

	/* What is in it. */
	CFG_COLD = 1 << 10,	   /* in a part other than the first */
	CFG_CONDITIONAL = 1 << 11, /* cmovcc, setcc, sbb, adc */
	CFG_REPEATED = 1 << 12,	   /* a string instruction with rep */

	/*
	 * No code: it stands between many indirect jumps and all that each of
	 * them may lead to.
	 */
	CFG_HUB = 1 << 13,
};

#define CFG_EXITS                                                \
	(CFG_RETURNS | CFG_TAIL_CALL | CFG_NORETURN | CFG_TRAP | \
	 CFG_UNRESOLVED | CFG_RUNS_OFF)

/*
 * insns[first_insn] and the ninsns from there are the block's, at least one
 * but in a hub.  Without nops it has ninstructions; 0 is possible.
 * edges[first_edge], nedges are those that leave it, and cfg.in[first_in], nin
 * the numbers of those that come.  calls[first_call], ncalls likewise.
 */
struct cfg_block {
	uint64_t address; /* of hubs CFG_NOWHERE and more, each another */
	uint32_t size;
	uint32_t flags; /* enum cfg_block_flag */
	uint32_t first_insn, ninsns;
	uint32_t ninstructions;
	uint32_t first_edge, nedges;
	uint32_t first_in, nin;
	uint32_t first_call, ncalls;
	uint32_t part;
};

/* A call, or a jump to another function. */
struct cfg_call {
	uint32_t insn;
	uint32_t block;
	uint64_t target;  /* in this object; 0: somewhere else, or unknown */
	const char *name; /* NULL: nobody knows */
	bool indirect;	  /* by a pointer: name is NULL */
	bool external;	  /* through the PLT or the GOT */
	bool tail;	  /* a jump */
	bool noreturn;
};

/* What was found, for the report. */
struct cfg_counters {
	unsigned indirect_jumps; /* all of the next four */
	unsigned tables;	 /* resolved by a table with a known length */
	unsigned label_tables;	 /* by a table as long as its entries fit */
	unsigned indirect_tail_calls;
	unsigned unresolved;
	unsigned entered;     /* blocks that other functions jump into */
	unsigned orphans;     /* blocks with no known way in */
	unsigned overlapping; /* instructions that begin inside another */
	uint64_t undecodable; /* bytes of what is no code */
};

struct cfg {
	const char *name;
	struct cfg_part *parts; /* the first is where the function begins */
	size_t nparts;
	struct insn *insns; /* by address */
	size_t ninsns;
	struct cfg_block *blocks; /* by address */
	size_t nblocks;
	struct cfg_edge *edges; /* by from, then to, then kind */
	size_t nedges;
	uint32_t *in;		/* numbers of edges, by to, then number */
	struct cfg_call *calls; /* by instruction */
	size_t ncalls;
	size_t entry; /* the block where the function begins */
	struct cfg_counters counters;
};

#define CFG_NO_BLOCK SIZE_MAX

/* The last 2 MB of memory, where Linux has nothing, and no program anything. */
#define CFG_NOWHERE (-((uint64_t)1 << 21))

struct cfg_program;

/*
 * Look over all code of an object: who jumps into whom, which functions never
 * return, and to which there are pointers.  Borrows the object.
 */
struct cfg_program *cfg_program_new(const struct object *o);
void cfg_program_free(struct cfg_program *program);

/* There is a pointer, in data or code, to the function that begins there. */
bool cfg_program_points_to(const struct cfg_program *program, uint64_t address);

/*
 * The graph of a function with its parts; the graph of the whole function
 * when f is NAME.cold.
 */
bool cfg_build(struct cfg_program *program, const struct object_function *f,
	       struct cfg *cfg, struct fdo_error *err);
void cfg_free(struct cfg *cfg);

/*
 * The block with the instruction that has this byte, or the hub that has this
 * address, or CFG_NO_BLOCK.
 */
size_t cfg_block_at(const struct cfg *cfg, uint64_t address);

/* The instruction of a block, below nblocks, that begins there, or NULL. */
const struct insn *cfg_insn_at(const struct cfg *cfg, size_t block,
			       uint64_t address);

/*
 * The block whose edges say where an indirect jump at the end of a block leads:
 * a hub, or that block itself.
 */
size_t cfg_switch_of(const struct cfg *cfg, size_t block);

/* A block's last instruction; NULL: it is a hub. */
const struct insn *cfg_last_insn(const struct cfg *cfg, size_t block);

/* The address of that, or of a hub. */
uint64_t cfg_last_address(const struct cfg *cfg, size_t block);

/* The code of an instruction. */
const unsigned char *cfg_bytes(const struct cfg *cfg, const struct insn *insn);

const char *cfg_edge_kind_name(enum cfg_edge_kind kind);

#endif
