/*
 * state.c - QEMU's own function computes the flags, so that nothing here
 * depends on the numbers that it gives to operations.
 */
#include "testsuite/pmusim/state.h"

#include <stddef.h>

#include "base/error.h"
#include "testsuite/pmusim/qemu.h"

enum { DIRECTION_FLAG = 1 << 10 };

_Static_assert(sizeof(struct state) == 176 &&
		       offsetof(struct state, result) == 144 &&
		       offsetof(struct state, operation) == 168,
	       "the layout is QEMU's");

bool state_can_be_read(struct fdo_error *err)
{
	if (!cpu_cc_compute_all)
		return fdo_fail(err, "registers=1 needs a QEMU that exports "
				     "cpu_cc_compute_all(), as Debian's 7.2");
	return true;
}

uint64_t state_flags(const struct state *state)
{
	return cpu_cc_compute_all(state, state->operation) | state->others |
	       (state->direction & DIRECTION_FLAG);
}
