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
	uint64_t l1_latency;  /* the option */
	const struct options *options;
};

struct access {
	uint64_t done;
	bool walked; /* no TLB had the page */
	bool missed_l1, missed_l2;
};

void memory_init(struct memory *m, const struct options *options);
void memory_clear(struct memory *m);

/* If it is not as easy as it mostly is. */
struct access memory_load_beyond(struct memory *m, uint64_t address,
				 uint64_t cycle);
struct access memory_store_beyond(struct memory *m, uint64_t address,
				  uint64_t cycle);
struct access memory_fetch_beyond(struct memory *m, uint64_t address,
				  uint64_t cycle);

static inline uint64_t memory_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline struct access memory_load(struct memory *m, uint64_t address,
					uint64_t cycle)
{
	uint64_t page = address >> PAGE_SHIFT, line = address >> LINE_SHIFT;
	const struct cache_entry *t = cache_set(&m->dtlb, page);
	const struct cache_entry *data = cache_set(&m->l1d, line);

	if (t->key != page + 1 || data->key != line + 1)
		return memory_load_beyond(m, address, cycle);
	cycle = memory_later(memory_later(cycle, t->ready), data->ready);
	return (struct access){ .done = cycle + m->l1_latency };
}

/* Done when the address is translated: the data can wait behind retirement. */
static inline struct access memory_store(struct memory *m, uint64_t address,
					 uint64_t cycle)
{
	uint64_t page = address >> PAGE_SHIFT, line = address >> LINE_SHIFT;
	const struct cache_entry *t = cache_set(&m->dtlb, page);

	if (t->key != page + 1 || cache_set(&m->l1d, line)->key != line + 1)
		return memory_store_beyond(m, address, cycle);
	return (struct access){ .done = memory_later(cycle, t->ready) };
}

/* What an L1 hit takes is part of the pipeline, and not in "done" here. */
static inline struct access memory_fetch(struct memory *m, uint64_t address,
					 uint64_t cycle)
{
	uint64_t line = address >> LINE_SHIFT;
	const struct cache_entry *code = cache_set(&m->l1i, line);

	if (code->key != line + 1)
		return memory_fetch_beyond(m, address, cycle);
	return (struct access){ .done = memory_later(cycle, code->ready) };
}

#endif
