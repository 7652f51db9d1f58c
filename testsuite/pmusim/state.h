/*
 * state.h - registers and flags of the guest, as QEMU has them.
 *
 *	if (!state_can_be_read(err))
 *		return false;
 *	...				// in a callback of a block
 *	if (state->ip != address)
 *		...			// another QEMU, another layout
 *	copy = *state;
 *	flags = state_flags(&copy);	// any time later
 *
 * What QEMU translates keeps the address of this in a register of its own
 * (plugin.c takes it from there), and all that is written is in it between two
 * blocks.  QEMU does not compute flags before something asks for them: it notes
 * the last operation and its operands.
 *
 * Range      The layout is that of QEMU 7.2, and of others that are near.
 * Errors     A QEMU that does not export what computes flags.
 */
#ifndef PMUSIM_STATE_H
#define PMUSIM_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct fdo_error;

enum { STATE_REGISTERS = 16 };

/* The beginning of QEMU's struct CPUArchState. */
struct state {
	uint64_t registers[STATE_REGISTERS]; /* by the machine's numbers */
	uint64_t ip;
	uint64_t others;	      /* flags that no arithmetic changes */
	uint64_t result, operands[2]; /* of the last operation */
	uint32_t operation;
	int32_t direction; /* 1 or -1 */
};

bool state_can_be_read(struct fdo_error *err);

/* As the processor has them. */
uint64_t state_flags(const struct state *state);

#endif
