/*
 * ports.h - how many instructions can begin to execute in a cycle, and where.
 *
 *	struct ports ports = { 0 };
 *	uint64_t begin = ports_take(&ports, PORTS_LOAD, cycle);
 *
 * Units      Cycles.
 * Range      An instruction that looks for a place further ahead than
 *            PORTS_WINDOW cycles may find less taken than there is.
 */
#ifndef PMUSIM_PORTS_H
#define PMUSIM_PORTS_H

#include <stdint.h>

enum {
	PORTS_WINDOW = 1024,
	/* Sets of ports: one bit for each. */
	PORTS_ALU = 0x07,
	PORTS_MULTIPLY = 0x02,
	PORTS_DIVIDE = 0x01,
	PORTS_FLOAT = 0x03,
	PORTS_BRANCH = 0x08,
	PORTS_LOAD = 0x30,
	PORTS_STORE = 0x40,
	PORTS_ALL = 0xff,
};

struct ports {
	uint64_t taken[PORTS_WINDOW]; /* cycle << 8 | ports */
};

/* The first cycle from "cycle" on in which one of the ports is free. */
static inline uint64_t ports_take(struct ports *p, unsigned set, uint64_t cycle)
{
	for (;; cycle++) {
		uint64_t *at = &p->taken[cycle % PORTS_WINDOW];
		uint64_t taken = *at ^ cycle << 8; /* or of another cycle */
		unsigned free;

		taken &= -(uint64_t)(taken <= PORTS_ALL);
		free = set & ~taken;
		if (free) {
			*at = cycle << 8 | taken | (free & -free);
			return cycle;
		}
	}
}

#endif
