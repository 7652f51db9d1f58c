/* program_truth.c - counts that are known instead of estimated. */
#include <stdlib.h>

#include "converter/count/program.h"
#include "converter/truth/truth.h"

/* From a jump to a hub's targets, or from a hub's jumps to a target. */
static uint64_t true_edge_at_hub(const struct program_function *f,
				 const struct cfg_edge *edge,
				 const struct truth *truth)
{
	const struct cfg *cfg = &f->cfg;
	const struct cfg_block *from = &cfg->blocks[edge->from];
	const struct cfg_block *to = &cfg->blocks[edge->to];
	uint64_t sum = 0;

	if (to->flags & CFG_HUB) {
		uint64_t last = cfg_last_address(cfg, edge->from);

		for (uint32_t i = 0; i < to->nedges; i++)
			sum += truth_jumps(
				truth, last,
				cfg->blocks[cfg->edges[to->first_edge + i].to]
					.address);
		return sum;
	}
	for (uint32_t i = 0; i < from->nin; i++) {
		uint32_t in = cfg->in[from->first_in + i];

		sum += truth_jumps(truth,
				   cfg_last_address(cfg, cfg->edges[in].from),
				   to->address);
	}
	return sum;
}

static bool is_at_hub(const struct cfg *cfg, const struct cfg_edge *edge)
{
	return (cfg->blocks[edge->from].flags | cfg->blocks[edge->to].flags) &
	       CFG_HUB;
}

uint64_t program_true_count(const struct program_function *f, size_t b,
			    const struct truth *truth)
{
	const struct cfg_block *block = &f->cfg.blocks[b];
	uint64_t sum = 0;

	if (!(block->flags & CFG_HUB))
		return truth_executions(truth, block->address);
	for (uint32_t i = 0; i < block->nin; i++)
		sum += program_true_edge(f, f->cfg.in[block->first_in + i],
					 truth);
	return sum;
}

uint64_t program_true_edge(const struct program_function *f, size_t e,
			   const struct truth *truth)
{
	const struct cfg_edge *edge = &f->cfg.edges[e];
	uint64_t last = cfg_last_address(&f->cfg, edge->from);
	uint64_t ran = truth_executions(truth, last);
	uint64_t left = truth_leaves(truth, last);

	if (is_at_hub(&f->cfg, edge))
		return true_edge_at_hub(f, edge, truth);
	if (edge->kind == CFG_EXCEPTION)
		return 0;
	if (edge->kind == CFG_FALL)
		return ran > left ? ran - left : 0;
	return truth_jumps(truth, last, f->cfg.blocks[edge->to].address);
}

/* Entries are what no edge explains. */
static void set_counts(struct program_function *f, const struct truth *truth)
{
	const struct cfg *cfg = &f->cfg;
	const struct cfg_block *entry = &cfg->blocks[cfg->entry];
	uint64_t inside = 0;

	for (size_t e = 0; e < cfg->nedges; e++)
		f->edges[e] = program_true_edge(f, e, truth);
	for (size_t b = 0; b < cfg->nblocks; b++) {
		f->blocks[b].count = program_true_count(f, b, truth);
		f->blocks[b].raw = f->blocks[b].count;
	}
	for (uint32_t i = 0; i < entry->nin; i++)
		inside += f->edges[cfg->in[entry->first_in + i]];
	f->entry = f->blocks[cfg->entry].count > inside
			   ? f->blocks[cfg->entry].count - inside
			   : 0;
}

bool program_add_truth(struct program *p, size_t number,
		       const struct truth *truth, struct fdo_error *err)
{
	size_t n, before = p->nfunctions;
	uint64_t *addresses = truth_addresses(truth, &n);
	struct program_function *f;
	bool done = true;

	for (size_t i = 0; done && i < n; i++)
		done = program_function_at(p, number, addresses[i], &f, err);
	free(addresses);
	for (size_t i = before; i < p->nfunctions; i++)
		set_counts(&p->functions[i], truth);
	return done;
}
