/*
 * cycles.c - a block on a machine of four lanes that never waits for memory.
 *
 * Time is kept in quarters of a cycle where four of something fit into one:
 * an instruction issues a quarter after the one before it, and retires no
 * sooner than a quarter after the one before it.
 */
#include "converter/count/cycles.h"

#include <stdint.h>
#include <string.h>

#include "converter/graph/cfg.h"

enum {
	LANES = 4, /* issued and retired in a cycle */
	LOAD_LATENCY = 4,
};

/* When each register and flag is there, in cycles. */
struct readiness {
	unsigned at[REG_COUNT];
};

static unsigned latest(const struct readiness *r, uint64_t set)
{
	unsigned max = 0;

	while (set) {
		unsigned reg = __builtin_ctzll(set);

		if (r->at[reg] > max)
			max = r->at[reg];
		set &= set - 1;
	}
	return max;
}

static void settle(struct readiness *r, uint64_t set, unsigned cycle)
{
	for (; set; set &= set - 1)
		r->at[__builtin_ctzll(set)] = cycle;
}

/* The cycle in which an instruction that may begin now is done. */
static unsigned finish(struct readiness *r, const struct insn *insn,
		       const struct insn_operands *o, unsigned issue)
{
	unsigned loaded = latest(r, o->address_reads), start, done;

	if (loaded < issue)
		loaded = issue;
	if (o->loads)
		loaded += LOAD_LATENCY;
	start = latest(r, o->reads & ~o->address_reads);
	if (start < loaded)
		start = loaded;
	/* A load by itself is done when it has loaded. */
	done = start + (insn->repeated ? CYCLES_REPEATED : o->latency);
	settle(r, o->writes, done);
	return done;
}

unsigned cycles_critical(const struct cfg *cfg, const struct decoder *d,
			 size_t block)
{
	const struct cfg_block *b = &cfg->blocks[block];
	struct readiness r = { { 0 } };
	unsigned issued = 0, retired = 0; /* in quarters */

	for (uint32_t i = 0; i < b->ninsns; i++) {
		const struct insn *insn = &cfg->insns[b->first_insn + i];
		struct insn_operands o;
		unsigned done;

		if (insn->class == INSN_NOP)
			continue;
		decode_operands(d, cfg_bytes(cfg, insn), insn, &o);
		done = finish(&r, insn, &o, issued / LANES);
		issued++;
		retired =
			retired + 1 > done * LANES ? retired + 1 : done * LANES;
	}
	return (retired + LANES - 1) / LANES;
}

double cycles_of_block(const struct cfg *cfg, const struct decoder *d,
		       size_t block)
{
	unsigned n = cfg->blocks[block].ninstructions;

	if (n == 0)
		return 1.0 / LANES;
	return (double)n / LANES + cycles_critical(cfg, d, block) / 2.0;
}
