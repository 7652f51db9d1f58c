/*
 * head.c - mass that moves through a graph of instructions, cycle by cycle.
 *
 * Besides steps the graph has two nodes for each block that no instruction
 * stands for and that are passed in no time: its end, and, where functions
 * begin, the return to whoever called.
 */
#include "converter/processor/head.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "converter/processor/walk.h"

/*
 * Sweeps over all nodes until mass that arrives has become heads; most links
 * lead to the next node, so that few are needed.
 */
enum { SWEEPS = 40 };
static const double settled = 1e-4;

/* The least cycles of a long wait, at the mean. */
static const double long_wait = 10;

struct link {
	uint32_t to;
	double share;
};

/* Time that a step is the head, for each time that it runs. */
struct stay {
	double heads; /* how likely at all */
	double again; /* and for more than a cycle */
	double more;  /* and for one more, when it is long */
};

struct head {
	const struct walk_graph *g;
	const struct head_load *load;
	size_t nnodes;
	uint32_t *first; /* links of each node, and one more */
	struct link *links;
	size_t nlinks, room;
	struct stay *stays;    /* of each node */
	double *enters;	       /* mass that comes from outside in a cycle */
	double *once, *longer; /* mass at each head: first cycle, long wait */
	double *mass;	       /* on its way */
	struct caller *callers;
	uint32_t *first_caller; /* by block, and one more */
};

/* Who called a function: the node to return to, and how often. */
struct caller {
	uint32_t node;
	double calls;
};

static uint32_t end_of(const struct head *h, uint32_t block)
{
	return h->g->nsteps + block;
}

static uint32_t return_of(const struct head *h, uint32_t entry)
{
	return h->g->nsteps + h->g->nblocks + entry;
}

/* Where a block begins. */
static uint32_t begin_of(const struct head *h, uint32_t block)
{
	const struct walk_block *b = &h->g->blocks[block];

	return b->nsteps ? b->first_step : end_of(h, block);
}

/* The node behind a step of a block. */
static uint32_t behind(const struct head *h, uint32_t block, uint32_t step)
{
	const struct walk_block *b = &h->g->blocks[block];

	return step + 1 < b->first_step + b->nsteps ? step + 1
						    : end_of(h, block);
}

static void add_link(struct head *h, uint32_t to, double share)
{
	if (!(share > 0))
		return;
	h->links = fdo_grow(h->links, h->nlinks, &h->room, sizeof(*h->links));
	h->links[h->nlinks++] = (struct link){ to, share };
}

/* Calls and tail calls, as callers of the function they lead to. */
static void visit_calls(struct head *h,
			void (*take)(struct head *, uint32_t entry,
				     uint32_t node, double calls))
{
	const struct walk_graph *g = h->g;

	for (uint32_t b = 0; b < g->nblocks; b++) {
		const struct walk_block *block = &g->blocks[b];

		for (uint32_t s = block->first_step;
		     s < block->first_step + block->nsteps; s++)
			if (g->steps[s].flags & WALK_CALLS)
				take(h, g->steps[s].callee, behind(h, b, s),
				     block->count);
		for (uint32_t w = block->first_way;
		     w < block->first_way + block->nways; w++) {
			uint32_t to = g->ways[w].to;

			if (to < WALK_END &&
			    g->blocks[to].entry != block->entry)
				take(h, to, return_of(h, block->entry),
				     g->ways[w].flow);
		}
	}
}

static void count_caller(struct head *h, uint32_t entry, uint32_t node,
			 double calls)
{
	(void)node;
	(void)calls;
	h->first_caller[h->g->blocks[entry].entry + 1]++;
}

static void add_caller(struct head *h, uint32_t entry, uint32_t node,
		       double calls)
{
	uint32_t *at = &h->first_caller[h->g->blocks[entry].entry + 1];

	h->callers[(*at)++] = (struct caller){ node, calls };
	h->enters[begin_of(h, entry)] -= calls;
}

static void find_callers(struct head *h)
{
	size_t n = h->g->nblocks;
	uint32_t sum = 0;

	h->first_caller = fdo_alloc(n + 1, sizeof(*h->first_caller));
	visit_calls(h, count_caller);
	for (size_t b = 0; b < n; b++) {
		uint32_t calls = h->first_caller[b + 1];

		h->first_caller[b + 1] = sum;
		sum += calls;
	}
	h->callers = fdo_alloc(sum, sizeof(*h->callers));
	visit_calls(h, add_caller);
}

static void link_ways(struct head *h, uint32_t b)
{
	const struct walk_block *block = &h->g->blocks[b];
	const struct walk_way *ways = &h->g->ways[block->first_way];
	double sum = 0;

	for (uint32_t w = 0; w < block->nways; w++)
		sum += ways[w].flow;
	for (uint32_t w = 0; sum > 0 && w < block->nways; w++) {
		double share = ways[w].flow / sum;

		if (ways[w].to < WALK_END)
			add_link(h, begin_of(h, ways[w].to), share);
		else if (ways[w].to == WALK_RETURN)
			add_link(h, return_of(h, block->entry), share);
	}
}

static void link_callers(struct head *h, uint32_t entry)
{
	const struct caller *first = &h->callers[h->first_caller[entry]];
	const struct caller *last = &h->callers[h->first_caller[entry + 1]];
	double sum = fmax(0, h->enters[begin_of(h, entry)]);

	/* Some have come from outside, and go there. */
	for (const struct caller *c = first; c < last; c++)
		sum += c->calls;
	for (const struct caller *c = first; sum > 0 && c < last; c++)
		add_link(h, c->node, c->calls / sum);
}

static void link_nodes(struct head *h)
{
	const struct walk_graph *g = h->g;
	uint32_t node = 0;

	for (uint32_t b = 0; b < g->nblocks; b++)
		for (uint32_t i = 0; i < g->blocks[b].nsteps; i++) {
			const struct walk_step *step = &g->steps[node];

			h->first[node] = h->nlinks;
			if (step->flags & WALK_CALLS)
				add_link(h, begin_of(h, step->callee), 1);
			else if (step->flags & WALK_LEAVES)
				h->enters[behind(h, b, node)] +=
					g->blocks[b].count;
			else if (i + 1 == g->blocks[b].nsteps)
				link_ways(h, b);
			else
				add_link(h, node + 1, 1);
			node++;
		}
	for (uint32_t b = 0; b < g->nblocks; b++, node++) {
		h->first[node] = h->nlinks;
		link_ways(h, b);
	}
	for (uint32_t b = 0; b < g->nblocks; b++, node++) {
		h->first[node] = h->nlinks;
		if (g->blocks[b].entry == b)
			link_callers(h, b);
	}
	h->first[node] = h->nlinks;
}

/* What no edge and no call explains has come from outside. */
static void find_entered(struct head *h)
{
	const struct walk_graph *g = h->g;

	for (uint32_t b = 0; b < g->nblocks; b++)
		if (g->blocks[b].entry == b)
			h->enters[begin_of(h, b)] += g->blocks[b].count;
	for (uint32_t w = 0; w < g->nways; w++) {
		uint32_t to = g->ways[w].to;

		if (to < WALK_END && g->blocks[to].entry == to &&
		    g->blocks[g->ways[w].from].entry == to)
			h->enters[begin_of(h, to)] -= g->ways[w].flow;
	}
}

static struct stay stay_of(double cycles)
{
	struct stay stay = { .heads = fmin(1, cycles) };
	double rest = cycles - 1;

	if (rest > 0) {
		stay.again = fmin(1, rest / long_wait);
		/* At least a cycle, and then this many. */
		stay.more = 1 - 1 / fmax(1, rest / stay.again);
	}
	return stay;
}

static void find_stays(struct head *h)
{
	const struct walk_graph *g = h->g;

	for (uint32_t b = 0; b < g->nblocks; b++) {
		const struct walk_block *block = &g->blocks[b];

		for (uint32_t s = block->first_step;
		     s < block->first_step + block->nsteps; s++)
			if (block->count > 0)
				h->stays[s] = stay_of(h->load->cycles[s] /
						      block->count);
	}
}

struct head *head_new(const struct walk_graph *g, const struct head_load *load)
{
	struct head *h = fdo_alloc(1, sizeof(*h));

	h->g = g;
	h->load = load;
	h->nnodes = g->nsteps + 2 * g->nblocks;
	h->first = fdo_alloc(h->nnodes + 1, sizeof(*h->first));
	h->stays = fdo_alloc(h->nnodes, sizeof(*h->stays));
	h->enters = fdo_alloc(h->nnodes, sizeof(*h->enters));
	h->once = fdo_alloc(h->nnodes, sizeof(*h->once));
	h->longer = fdo_alloc(h->nnodes, sizeof(*h->longer));
	h->mass = fdo_alloc(h->nnodes, sizeof(*h->mass));
	find_callers(h);
	find_entered(h);
	link_nodes(h);
	for (size_t n = 0; n < h->nnodes; n++)
		h->enters[n] = fmax(0, h->enters[n]) * load->ipc;
	find_stays(h);
	return h;
}

void head_free(struct head *h)
{
	if (!h)
		return;
	free(h->first);
	free(h->links);
	free(h->stays);
	free(h->enters);
	free(h->once);
	free(h->longer);
	free(h->mass);
	free(h->callers);
	free(h->first_caller);
	free(h);
}

/* Mass of a node goes where its links lead; returns what goes back. */
static double send(struct head *h, size_t node, double mass)
{
	double back = 0;

	for (uint32_t l = h->first[node]; l < h->first[node + 1]; l++) {
		double part = mass * h->links[l].share;

		h->mass[h->links[l].to] += part;
		if (h->links[l].to <= node)
			back += part;
	}
	return back;
}

/* Mass that arrives becomes a head, here or further on. */
static void settle(struct head *h)
{
	double all = 0, left = INFINITY;

	for (size_t n = 0; n < h->nnodes; n++)
		all += h->mass[n];
	for (int sweep = 0; left > settled * all && sweep < SWEEPS; sweep++) {
		left = 0;
		for (size_t n = 0; n < h->nnodes; n++) {
			double mass = h->mass[n];

			if (!(mass > 0))
				continue;
			h->mass[n] = 0;
			h->once[n] += mass * h->stays[n].heads;
			if (h->stays[n].heads < 1)
				left += send(h, n,
					     mass * (1 - h->stays[n].heads));
		}
	}
}

/* All that retired in a cycle. */
static void retire_all(struct head *h)
{
	memset(h->mass, 0, h->nnodes * sizeof(*h->mass));
	for (uint32_t b = 0; b < h->g->nblocks; b++) {
		const struct walk_block *block = &h->g->blocks[b];

		for (uint32_t s = block->first_step;
		     s < block->first_step + block->nsteps; s++)
			send(h, s, block->count);
	}
}

/* A cycle passes. */
static void step_forward(struct head *h)
{
	memcpy(h->mass, h->enters, h->nnodes * sizeof(*h->mass));
	for (size_t n = 0; n < h->g->nsteps; n++) {
		const struct stay *stay = &h->stays[n];
		double once = h->once[n], longer = h->longer[n];

		if (!(once + longer > 0))
			continue;
		h->once[n] = 0;
		h->longer[n] = once * stay->again + longer * stay->more;
		send(h, n, once + longer - h->longer[n]);
	}
	settle(h);
}

void head_forward(struct head *h, const unsigned *skids, size_t n,
		  double *const *ret)
{
	unsigned now = 0;

	memset(h->once, 0, h->nnodes * sizeof(*h->once));
	memset(h->longer, 0, h->nnodes * sizeof(*h->longer));
	retire_all(h);
	settle(h);
	for (size_t i = 0; i < n; i++) {
		for (; now < skids[i]; now++)
			step_forward(h);
		for (size_t s = 0; s < h->g->nsteps; s++)
			ret[i][s] = h->once[s] + h->longer[s];
	}
}

static double mean_behind(const struct head *h, size_t node)
{
	double sum = 0;

	for (uint32_t l = h->first[node]; l < h->first[node + 1]; l++)
		sum += h->links[l].share * h->mass[h->links[l].to];
	return sum;
}

/*
 * h->mass: the value of arriving at a node; h->once: of being the head.  What
 * it was a cycle ago is near.
 */
static void settle_back(struct head *h)
{
	double worst = INFINITY, most = 0;

	for (size_t n = 0; n < h->nnodes; n++)
		most = fmax(most, h->once[n]);
	for (int sweep = 0; worst > settled * most && sweep < SWEEPS; sweep++) {
		worst = 0;
		for (size_t n = h->nnodes; n-- > 0;) {
			double heads = h->stays[n].heads;
			double value = heads * h->once[n];

			if (heads < 1)
				value += (1 - heads) * mean_behind(h, n);
			worst = fmax(worst, fabs(value - h->mass[n]));
			h->mass[n] = value;
		}
	}
}

static void step_back(struct head *h)
{
	for (size_t n = 0; n < h->g->nsteps; n++) {
		const struct stay *stay = &h->stays[n];
		double leaves, longer = h->longer[n];

		if (!(stay->heads > 0))
			continue;
		leaves = mean_behind(h, n);
		h->once[n] = stay->again * longer + (1 - stay->again) * leaves;
		h->longer[n] = stay->more * longer + (1 - stay->more) * leaves;
	}
	settle_back(h);
}

void head_backward(struct head *h, unsigned skid, const double *value,
		   double *ret)
{
	memset(h->once, 0, h->nnodes * sizeof(*h->once));
	memcpy(h->once, value, h->g->nsteps * sizeof(*value));
	memcpy(h->longer, h->once, h->nnodes * sizeof(*h->longer));
	memset(h->mass, 0, h->nnodes * sizeof(*h->mass));
	settle_back(h);
	while (skid--)
		step_back(h);
	for (size_t s = 0; s < h->g->nsteps; s++)
		ret[s] = mean_behind(h, s);
}
