/*
 * cycles.h - how long a block takes when nothing goes wrong.
 *
 *	struct cycles_insn *insns = cycles_insns(&cfg, decoder);
 *	double cycles = cycles_of_block(&cfg, insns, block);
 *	double executions = samples * period / cycles;
 *
 * Neither the width of the machine (n/4 for n instructions) nor the length
 * of the chain of dependences (crit) says it alone: blocks overlap with
 * their neighbours, but not entirely.  n/4 + crit/2 was the best of the
 * simple forms on real samples.
 *
 * Units      CPU cycles for one execution of the whole block.
 * Range      At least 0.25; a block of nothing but nops counts as one
 *            instruction.
 * Ownership  cycles_insns() gives an array to free().
 * Errors     None.
 */
#ifndef CONVERTER_PROCESSOR_CYCLES_H
#define CONVERTER_PROCESSOR_CYCLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfg;
struct decoder;

/*
 * rep movs and stos: the time to start, and a few dozen bytes at a rate
 * nobody knows.
 */
enum { CYCLES_REPEATED = 30 };

/* What takes time in an instruction.  Sets as in decode.h. */
struct cycles_insn {
	uint64_t addresses; /* read, to form addresses */
	uint64_t reads;	    /* read otherwise */
	uint64_t writes;
	bool loads;
	uint8_t latency; /* without the load */
};

/* Of each instruction of a graph; nops are left zero. */
struct cycles_insn *cycles_insns(const struct cfg *cfg,
				 const struct decoder *d);

/* n/4 + crit/2. */
double cycles_of_block(const struct cfg *cfg, const struct cycles_insn *insns,
		       size_t block);

/*
 * crit: the cycle in which the last instruction retires, when four issue
 * and four retire in each cycle, both in order, each starts when what it
 * reads is there, and everything is there at the beginning.
 */
unsigned cycles_critical(const struct cfg *cfg, const struct cycles_insn *insns,
			 size_t block);

#endif
