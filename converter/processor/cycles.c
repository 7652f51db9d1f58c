/*
 * cycles.c - a block on a machine of four lanes that never waits for memory.
 *
 * Time is kept in quarters of a cycle where four of something fit into one:
 * an instruction issues a quarter after the one before it, and retires no
 * sooner than a quarter after the one before it.
 */
#include "converter/processor/cycles.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
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
static unsigned finish(struct readiness *r, const struct cycles_insn *insn,
		       unsigned issue)
{
	unsigned loaded = latest(r, insn->addresses), start, done;

	if (loaded < issue)
		loaded = issue;
	if (insn->loads)
		loaded += LOAD_LATENCY;
	start = latest(r, insn->reads);
	if (start < loaded)
		start = loaded;
	/* A load by itself is done when it has loaded. */
	done = start + insn->latency;
	settle(r, insn->writes, done);
	return done;
}

struct cycles_insn *cycles_insns(const struct cfg *cfg, const struct decoder *d)
{
	struct cycles_insn *insns = fdo_alloc(cfg->ninsns, sizeof(*insns));

	for (size_t i = 0; i < cfg->ninsns; i++) {
		const struct insn *insn = &cfg->insns[i];
		struct insn_operands o;

		if (insn->class == INSN_NOP)
			continue;
		decode_operands(d, cfg_bytes(cfg, insn), insn, &o);
		insns[i] = (struct cycles_insn){
			.addresses = o.address_reads,
			.reads = o.reads & ~o.address_reads,
			.writes = o.writes,
			.loads = o.loads,
			.latency = insn->repeated ? CYCLES_REPEATED : o.latency,
		};
	}
	return insns;
}

unsigned cycles_critical(const struct cfg *cfg, const struct cycles_insn *insns,
			 size_t block)
{
	const struct cfg_block *b = &cfg->blocks[block];
	struct readiness r = { { 0 } };
	unsigned issued = 0, retired = 0; /* in quarters */

	for (uint32_t i = 0; i < b->ninsns; i++) {
		uint32_t at = b->first_insn + i;
		unsigned done;

		if (cfg->insns[at].class == INSN_NOP)
			continue;
		done = finish(&r, &insns[at], issued / LANES);
		issued++;
		retired =
			retired + 1 > done * LANES ? retired + 1 : done * LANES;
	}
	return (retired + LANES - 1) / LANES;
}

double cycles_of_block(const struct cfg *cfg, const struct cycles_insn *insns,
		       size_t block)
{
	unsigned n = cfg->blocks[block].ninstructions;

	if (n == 0)
		return 1.0 / LANES;
	return (double)n / LANES + cycles_critical(cfg, insns, block) / 2.0;
}
