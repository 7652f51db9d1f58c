/*
 * memory.h - how long it takes to get at an address: caches, TLBs, the page
 * walker.
 *
 *	struct memory m;
 *	memory_init(&m, &options);
 *	struct access a = memory_load(&m, address, cycle);
 *	// a.done; a.walked, a.missed_l1, a.missed_l2
 *	memory_clear(&m);
 *
 * Units      Cycles of the core; addresses of the guest, which stand for
 *            physical ones, too.
 * Range      Pages of 4 KB, lines of 64 bytes.  There is no TLB for code.
 */
#ifndef PMUSIM_MEMORY_H
#define PMUSIM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "testsuite/pmusim/cache.h"

struct options;

enum { LINE_SHIFT = 6, PAGE_SHIFT = 12 };

struct memory {
	struct cache l1i, l1d, l2, l3;
	struct cache dtlb, stlb, directories;
	uint64_t walker_free; /* the one walker is busy until then */
	const struct options *options;
};

struct access {
	uint64_t done;
	bool walked; /* no TLB had the page */
	bool missed_l1, missed_l2;
};

void memory_init(struct memory *m, const struct options *options);
void memory_clear(struct memory *m);

struct access memory_load(struct memory *m, uint64_t address, uint64_t cycle);

/* Done when the address is translated: the data can wait behind retirement. */
struct access memory_store(struct memory *m, uint64_t address, uint64_t cycle);

/* What an L1 hit takes is part of the pipeline, and not in "done" here. */
struct access memory_fetch(struct memory *m, uint64_t address, uint64_t cycle);

#endif
