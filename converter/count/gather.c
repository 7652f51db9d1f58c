#include "converter/count/gather.h"

#include <math.h>
#include <string.h>

#include "converter/count/program.h"
#include "converter/processor/cycles.h"

/* What the first instruction may have, of what any other one has. */
static const double most = 2;

/* What the places behind have at least, of what those that wait have. */
static const double late = 4. / 3;

/* Or the second instruction at most, of what the first one has, where they lead. */
static const double led = 2;

static double events_at(const struct program *p,
			const struct program_function *f, uint32_t insn,
			const char *role)
{
	return program_role_at(p, f, f->cfg.insns[insn].address, role).period;
}

/* Can control come here by a conditional branch? */
static bool is_arm(const struct cfg *cfg, size_t b)
{
	const struct cfg_block *block = &cfg->blocks[b];

	for (uint32_t i = 0; i < block->nin; i++) {
		const struct cfg_edge *edge =
			&cfg->edges[cfg->in[block->first_in + i]];
		const struct cfg_block *from = &cfg->blocks[edge->from];
		uint32_t last = from->first_insn + from->ninsns - 1;

		if (from->ninsns && cfg->insns[last].class == INSN_BRANCH)
			return true;
	}
	return false;
}

/* Events at places that wait, and at the next ones. */
struct pair {
	double first, second;
};

/* Is one of the first two instructions a load? */
static bool begins_with_load(const struct program_function *f,
			     const struct cfg_block *block)
{
	const struct cycles_insn *insns = f->insns;

	return insns && (insns[block->first_insn].loads ||
			 insns[block->first_insn + 1].loads);
}

/* Of blocks that branches lead to, the first two. */
static struct pair begins(const struct program *p, const char *role,
			  bool with_loads)
{
	enum { LONG = 5 };
	struct pair sum = { 0 };

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; b < f->cfg.nblocks; b++) {
			const struct cfg_block *block = &f->cfg.blocks[b];

			if (!f->blocks[b].samples || block->ninsns < LONG ||
			    !is_arm(&f->cfg, b) ||
			    (!with_loads && begins_with_load(f, block)))
				continue;
			sum.first += events_at(p, f, block->first_insn, role);
			sum.second +=
				events_at(p, f, block->first_insn + 1, role);
		}
	}
	return sum;
}

bool gather_happens(const struct program *p, const char *role)
{
	struct pair sum = begins(p, role, true);

	return sum.first > sum.second / 2;
}

/* Loads of a block that no other load is beside: events there, and behind. */
static void add_loads(const struct program *p, const struct program_function *f,
		      const struct cfg_block *block, const char *role,
		      struct pair *sum)
{
	for (uint32_t i = 1; i + 1 < block->ninsns; i++) {
		uint32_t insn = block->first_insn + i;

		if (!f->insns[insn].loads || f->insns[insn - 1].loads ||
		    f->insns[insn + 1].loads)
			continue;
		sum->first += events_at(p, f, insn, role);
		sum->second += events_at(p, f, insn + 1, role);
	}
}

static struct pair loads(const struct program *p, const char *role)
{
	struct pair sum = { 0 };

	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];

		for (size_t b = 0; f->insns && b < f->cfg.nblocks; b++)
			if (f->blocks[b].samples)
				add_loads(p, f, &f->cfg.blocks[b], role, &sum);
	}
	return sum;
}

/*
 * Some processors take the interrupt of a timer where a branch leads before
 * anything has retired there, and still behind a load that it waited for.
 */
enum gather_named gather_named(const struct program *p, const char *role)
{
	struct pair branches = begins(p, role, true), waits = loads(p, role);
	double there = branches.first + waits.first;
	double behind = branches.second + waits.second;

	if (behind <= late * there)
		return GATHER_ITSELF;
	branches = begins(p, role, false);
	return branches.first > 0 && branches.second < led * branches.first
		       ? GATHER_LED
		       : GATHER_NEXT;
}

double gather_share(const struct program *p, const struct program_function *f,
		    size_t b, const char *role)
{
	const struct cfg_block *block = &f->cfg.blocks[b];
	double first, highest = 0, sum;

	if (!f->blocks[b].samples || block->ninsns < 2 || !is_arm(&f->cfg, b))
		return 1;
	first = sum = events_at(p, f, block->first_insn, role);
	for (uint32_t i = 1; i < block->ninsns; i++) {
		double here = events_at(p, f, block->first_insn + i, role);

		highest = fmax(highest, here);
		sum += here;
	}
	/* One alone may be all that there is to see. */
	if (highest == 0 || first <= most * highest)
		return 1;
	return (sum - first + most * highest) / sum;
}
