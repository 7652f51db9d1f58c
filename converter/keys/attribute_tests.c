/*
 * attribute_tests.c - how tests came out, at their places.
 *
 * An arm that is only a constant has no code of its own in the source, and all of a
 * macro is one place: what these ran, only the branch before them tells.
 */
#include "converter/keys/attribute_private.h"

#include "converter/binary/lines.h"
#include "converter/count/outcomes.h"
#include "converter/count/program.h"
#include "converter/graph/asked.h"

/* How often a block's branch was taken, and how often not. */
struct ways {
	uint64_t taken, falls;
};

static bool find_ways(const struct program_function *f, size_t b,
		      struct ways *ret)
{
	const struct cfg_block *block = &f->cfg.blocks[b];

	*ret = (struct ways){ 0 };
	if (block->nedges != 2)
		return false;
	for (uint32_t e = block->first_edge; e < block->first_edge + 2; e++)
		if (f->cfg.edges[e].kind == CFG_TAKEN)
			ret->taken = f->edges[e];
		else
			ret->falls = f->edges[e];
	return ret->taken + ret->falls > 0;
}

/* Where the branch has a key with a count. */
static struct profile_count *count_of(struct attribution *a,
				      const struct program_function *f,
				      const struct insn *branch)
{
	const struct lines *lines = a->program->binaries[f->binary].lines;
	struct lines_place place;
	struct profile_key key;

	if (!lines_at(lines, branch->address, &place) ||
	    !attribute_has_place(&place))
		return NULL;
	key = attribute_key(a, &place);
	key.discriminator = PROFILE_ANY;
	return profile_find_count(a->profile, attribute_body(a, place.frame),
				  key);
}

static void add_outcome(struct profile_count *count, const struct asked *asked,
			bool holds, uint64_t times)
{
	struct profile_value value = {
		.value = holds,
		.count = times,
		.kind = asked->order ? PROFILE_LESS : PROFILE_EQUAL,
	};

	if (times)
		profile_add_value(count, &value);
}

static void add_test(struct attribution *a, const struct program_function *f,
		     size_t b)
{
	const struct insn *last = cfg_last_insn(&f->cfg, b);
	struct profile_count *count;
	struct asked asked;
	struct ways ways;

	if (last->class != INSN_BRANCH || !asked_by(last->opcode, &asked) ||
	    !find_ways(f, b, &ways))
		return;
	count = count_of(a, f, last);
	if (!count)
		return;
	add_outcome(count, &asked, asked.holds, ways.taken);
	add_outcome(count, &asked, !asked.holds, ways.falls);
}

/* What is done by a condition without a branch: all samples tell of it what one would. */
static void add_condition(struct attribution *a,
			  const struct program_function *f, size_t b,
			  uint32_t i)
{
	const struct cfg_block *block = &f->cfg.blocks[b];
	const struct insn *insn = &f->cfg.insns[i];
	uint64_t times = f->blocks[b].count, hold;
	struct profile_count *count;
	struct asked asked;
	double share;

	if (!insn->conditional ||
	    !asked_by_insn(&f->cfg.insns[block->first_insn],
			   i - block->first_insn, &asked) ||
	    !outcomes_condition(a->program, f, i, &share))
		return;
	count = count_of(a, f, insn);
	if (!count)
		return;
	hold = (uint64_t)((double)times * share + .5);
	add_outcome(count, &asked, asked.holds, hold);
	add_outcome(count, &asked, !asked.holds, times - hold);
}

static void add_conditions(struct attribution *a,
			   const struct program_function *f, size_t b)
{
	const struct cfg_block *block = &f->cfg.blocks[b];

	for (uint32_t i = 0; i < block->ninsns; i++)
		add_condition(a, f, b, block->first_insn + i);
}

void attribute_tests(struct attribution *a, const struct program_function *f)
{
	for (size_t b = 0; b < f->cfg.nblocks; b++)
		if (!(f->cfg.blocks[b].flags & CFG_HUB)) {
			add_test(a, f, b);
			add_conditions(a, f, b);
		}
}
