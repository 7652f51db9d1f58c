/*
 * walk.c - many short walks, each on a core that begins empty.
 *
 * A walk goes some way back from a block along what may have led there, and
 * forward from where it came to: so the block is met in the midst of its
 * usual company, with the pipeline filled.
 */
#include "converter/processor/walk.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "converter/processor/chances.h"
#include "converter/processor/core.h"

const struct walk_options walk_default = {
	.width = 6,
	.retire = 4,
	.window = 320,
	.load = 4,
	.redirect = 15,
	.conditional = .35,
	.indirect = .05,
	.surprise = .05,
	.instructions = 200000,
};

/* False: they are more. */
static bool list(uint64_t set, uint8_t *ret, unsigned n, uint8_t none)
{
	for (unsigned i = 0; i < n; i++, set &= set - 1)
		ret[i] = set ? __builtin_ctzll(set) : none;
	return set == 0;
}

void walk_list(struct walk_step *step)
{
	step->is_listed =
		list(step->addresses, step->address, WALK_READS, WALK_UNREAD) &&
		list(step->reads, step->read, WALK_READS, WALK_UNREAD) &&
		list(step->writes, step->write, WALK_WRITES, WALK_UNWRITTEN);
}

enum {
	BACK = 150,    /* steps to go back, at least */
	WARM_UP = 100, /* of these, not counted */
	FORWARD = 200, /* steps from the block on */
	NEAR = 60,     /* likewise, from one that is wanted */
	LONGEST = 2000,
	PER_BLOCK = 2, /* walks for each wanted block */
	DEPTH = 64,    /* of calls */
	RUN = 64,      /* steps that the core is given at once */
};

struct place {
	uint32_t block, step;
};

/* A core, and what it did with the last step. */
struct pipeline {
	struct core core;
	unsigned pending; /* how long the last operation waited */
	struct skid skid;
};

struct walker {
	const struct walk_graph *g;
	const struct walk_options *options;
	struct walk_tally *tally;
	struct walk_heads *heads; /* NULL: not asked for */

	struct chances *chances;
	struct pipeline real, calm; /* calm: all guesses are right */
	bool apart; /* calm is unlike real, since the first wrong guess */
	struct place at;
	struct place stack[DEPTH];
	unsigned depth;
	uint32_t path[BACK + 1]; /* ways back from the block */
	unsigned npath, path_depth;
};

/* Where unknown callers of a block's function go on; false: nowhere. */
static bool draw_caller(struct walker *w, uint32_t block)
{
	/* A tail call was the caller's way here: ask who called that. */
	for (unsigned tries = 0; tries < 8; tries++) {
		const struct chances_arrival *a =
			chances_arrival(w->chances, w->g->blocks[block].entry);

		if (!a)
			return false;
		block = a->block;
		w->at = (struct place){ a->block, a->step };
		if (a->way == WALK_END)
			return true;
	}
	return false;
}

/* The step after the last call before a place. */
static uint32_t after_call(const struct walk_graph *g, uint32_t block,
			   uint32_t step)
{
	const struct walk_step *steps = &g->steps[g->blocks[block].first_step];

	while (step > 0 && !(steps[step - 1].flags & WALK_CALLS))
		step--;
	return step;
}

/* Find a path to a block and go to its beginning; returns its length. */
static unsigned go_back(struct walker *w, uint32_t block)
{
	unsigned steps = 0;

	w->npath = w->depth = w->path_depth = 0;
	w->at = (struct place){ block, 0 };
	while (steps < BACK && w->npath < BACK) {
		const struct chances_arrival *a =
			chances_arrival(w->chances, w->at.block);

		if (!a)
			break;
		w->at = (struct place){ a->block, 0 };
		if (a->way == WALK_END) {
			/* The path lies in what this block calls. */
			w->at.step = after_call(w->g, a->block, a->step - 1);
			w->path_depth = 1;
			return steps + a->step - w->at.step;
		}
		w->path[w->npath++] = a->way;
		steps += w->g->blocks[a->block].nsteps;
	}
	return steps;
}

static void groups_end(struct walker *w)
{
	core_group_ends(&w->real.core);
	if (w->apart)
		core_group_ends(&w->calm.core);
}

static void drain(struct walker *w)
{
	core_drain(&w->real.core);
	if (w->apart)
		core_drain(&w->calm.core);
}

static void redirect(struct walker *w)
{
	if (!w->apart)
		w->calm = w->real;
	w->apart = true;
	core_redirect(&w->real.core, w->options);
}

static bool go_to(struct walker *w, uint32_t to)
{
	if (to < WALK_END) {
		w->at = (struct place){ to, 0 };
		return true;
	}
	if (to == WALK_END)
		return false;
	if (to == WALK_ELSEWHERE)
		drain(w);
	if (w->depth == 0)
		return draw_caller(w, w->at.block);
	w->at = w->stack[--w->depth];
	return true;
}

/* From a block's end to where it goes; false: nobody knows. */
static bool leave(struct walker *w)
{
	uint32_t block = w->at.block, way;
	bool wrong;

	if (w->npath && w->depth == w->path_depth)
		way = w->path[--w->npath];
	else
		way = chances_way(w->chances, block);
	if (way == WALK_END)
		return false;
	wrong = chances_mispredicted(w->chances, block) &&
		chances_draw(w->chances) <
			chances_mispredicted(w->chances, block);
	if (w->g->ways[way].taken)
		groups_end(w);
	if (wrong)
		redirect(w);
	return go_to(w, w->g->ways[way].to);
}

enum { CALLS = WALK_CALLS | WALK_LEAVES };

static void call(struct walker *w, const struct walk_step *step)
{
	if (step->flags & WALK_LEAVES ||
	    (step->flags & WALK_CALLS && w->depth == DEPTH)) {
		drain(w);
	} else if (step->flags & WALK_CALLS) {
		groups_end(w);
		w->stack[w->depth++] = w->at;
		w->at = (struct place){ step->callee, 0 };
	}
}

/*
 * Time that a step waited to retire.  What is fused retires at once: nothing
 * can come between its parts, and their time is one.
 */
static struct walk_time step_time(struct pipeline *pipeline, unsigned waited,
				  bool fused)
{
	struct walk_time time = { waited, fused ? 0 : pipeline->pending };

	pipeline->pending = fused ? pipeline->pending + waited : waited;
	return time;
}

static void add_time(struct walk_time *sum, const struct walk_time *time)
{
	sum->own += time->own;
	sum->late += time->late;
}

static void count_heads(struct walker *w, uint32_t s, bool counts)
{
	const struct pipeline *calm = w->apart ? &w->calm : &w->real;
	struct walk_heads *heads = &w->heads[s];

	skid_step(&w->real.skid, &w->real.core);
	if (w->apart)
		skid_step(&w->calm.skid, &w->calm.core);
	for (unsigned i = 0; counts && i < SKID_CHOICES; i++) {
		if (!skid_is_known(&w->real.core, i))
			break;
		heads->known[i]++;
		heads->real[i] += w->real.skid.named[i];
		heads->calm[i] += calm->skid.named[i];
	}
}

/* As many as wait for each other, at most; the first ones do not count. */
static void count_run(struct walker *w, uint32_t s, unsigned n,
		      unsigned uncounted)
{
	const struct walk_step *steps = &w->g->steps[s];
	struct walk_tally *tally = &w->tally[s];
	uint32_t real[RUN], calm[RUN];

	core_steps(&w->real.core, steps, n, w->options, real);
	if (w->apart)
		core_steps(&w->calm.core, steps, n, w->options, calm);
	for (unsigned i = 0; i < n; i++) {
		bool fused = steps[i].flags & WALK_FUSED;
		struct walk_time really = step_time(&w->real, real[i], fused);
		struct walk_time calmly =
			w->apart ? step_time(&w->calm, calm[i], fused) : really;

		if (i < uncounted)
			continue;
		tally[i].executions++;
		add_time(&tally[i].time, &really);
		add_time(&tally[i].calm, &calmly);
	}
	if (w->heads)
		count_heads(w, s, uncounted == 0);
}

/* Steps of a block, up to a call. */
static unsigned steps_to_call(const struct walk_step *steps, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (steps[i].flags & CALLS)
			return i + 1;
	return n;
}

/* These, as far as there are so many; the first ones do not count. */
static unsigned count_steps(struct walker *w, unsigned most, unsigned uncounted)
{
	const struct walk_block *block = &w->g->blocks[w->at.block];
	uint32_t first = block->first_step + w->at.step;
	const struct walk_step *steps = &w->g->steps[first];
	unsigned n = block->nsteps - w->at.step, run;

	n = steps_to_call(steps, n < most ? n : most);
	for (unsigned i = 0; i < n; i += run) {
		run = w->heads ? 1 : n - i < RUN ? n - i : RUN;
		count_run(w, first + i, run, i < uncounted ? uncounted - i : 0);
	}
	w->at.step += n;
	call(w, &steps[n - 1]);
	return n;
}

/* One walk, to a block and so many steps beyond. */
static void visit(struct walker *w, uint32_t block, unsigned left)
{
	unsigned back = go_back(w, block);
	/* The first step of all fills the pipeline: its time says nothing. */
	unsigned warm_up = back < WARM_UP ? back + 1 : WARM_UP;

	core_begin(&w->real.core);
	skid_begin(&w->real.skid);
	w->real.pending = 0;
	w->apart = false;
	for (unsigned n = 0; left && n < LONGEST;) {
		const struct walk_block *b = &w->g->blocks[w->at.block];
		unsigned most = LONGEST - n, steps;
		bool arrived = w->npath == 0;

		if (w->at.step == b->nsteps) {
			/* Blocks without steps may form a loop. */
			n += b->nsteps == 0;
			if (!leave(w))
				break;
			continue;
		}
		steps = count_steps(w, arrived && left < most ? left : most,
				    n < warm_up ? warm_up - n : 0);
		n += steps;
		left -= arrived ? steps : 0;
	}
}

/* Blocks that are drawn too seldom; of very many, only each so-and-so-many. */
static void visit_wanted(struct walker *w, unsigned walks)
{
	unsigned each, stride, wanted = 0;

	for (size_t b = 0; b < w->g->nblocks; b++)
		wanted += w->g->blocks[b].wanted;
	if (wanted == 0)
		return;
	each = walks / wanted;
	each = each < 1 ? 1 : each > PER_BLOCK ? PER_BLOCK : each;
	stride = wanted / (PER_BLOCK * walks + 1) + 1;
	for (uint32_t b = 0; b < w->g->nblocks; b++)
		for (unsigned i = 0; w->g->blocks[b].wanted && i < each; i++)
			if (b % stride == 0)
				visit(w, b, NEAR);
}

static void visit_all(struct walker *w)
{
	unsigned walks = w->options->instructions / (WARM_UP + FORWARD);

	for (unsigned i = 0; i < walks; i++)
		visit(w, chances_start(w->chances), FORWARD);
	visit_wanted(w, walks);
}

void walk(const struct walk_graph *g, const struct walk_options *options,
	  struct walk_tally *tally, struct walk_heads *heads)
{
	struct walker w = {
		.g = g,
		.options = options,
		.tally = tally,
		.heads = heads,
	};

	if (g->nblocks == 0)
		return;
	w.chances = chances_new(g, options);
	visit_all(&w);
	chances_free(w.chances);
}
