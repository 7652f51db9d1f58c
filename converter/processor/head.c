/*
 * head.c - mass that moves through a graph of instructions, cycle by cycle.
 *
 * Besides steps the graph has two nodes for each block that no instruction
 * stands for and that are passed in no time: its end, and, where functions
 * begin, the return to whoever called.
 */
#include "converter/processor/head.h"

#include <math.h>
#include <stdbool.h>
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

/* Of being somewhere: a value, and how much of it is known. */
struct worth {
	double value, known;
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
	uint32_t *live;	       /* nodes that mass may come to, ascending */
	size_t nlive;
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

/* What runs, and what that leads to. */
static void find_live(struct head *h)
{
	uint32_t *todo = fdo_alloc(h->nnodes, sizeof(*todo));
	bool *seen = fdo_alloc(h->nnodes, sizeof(*seen));
	size_t left = 0;

	for (uint32_t b = 0; b < h->g->nblocks; b++) {
		const struct walk_block *block = &h->g->blocks[b];

		if (!(block->count > 0))
			continue;
		for (uint32_t s = 0; s < block->nsteps; s++)
			todo[left++] = block->first_step + s;
		todo[left++] = end_of(h, b);
	}
	for (size_t i = 0; i < left; i++)
		seen[todo[i]] = true;
	while (left) {
		uint32_t node = todo[--left];

		for (uint32_t l = h->first[node]; l < h->first[node + 1]; l++) {
			uint32_t to = h->links[l].to;

			if (!seen[to])
				todo[left++] = to;
			seen[to] = true;
		}
	}
	h->live = fdo_alloc(h->nnodes, sizeof(*h->live));
	for (uint32_t n = 0; n < h->nnodes; n++)
		if (seen[n])
			h->live[h->nlive++] = n;
	free(seen);
	free(todo);
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
	find_live(h);
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
	free(h->live);
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

	for (size_t i = 0; i < h->nlive; i++)
		all += h->mass[h->live[i]];
	for (int sweep = 0; left > settled * all && sweep < SWEEPS; sweep++) {
		left = 0;
		for (size_t i = 0; i < h->nlive; i++) {
			uint32_t n = h->live[i];
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
		     block->count > 0 && s < block->first_step + block->nsteps;
		     s++)
			send(h, s, block->count);
	}
}

/* A cycle passes. */
static void step_forward(struct head *h)
{
	memcpy(h->mass, h->enters, h->nnodes * sizeof(*h->mass));
	for (size_t i = 0; i < h->nlive && h->live[i] < h->g->nsteps; i++) {
		uint32_t n = h->live[i];
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

/* Of all nodes: of arriving there, and of steps: of being the head. */
struct back {
	struct worth *arrives, *once, *longer;
};

static struct worth mean_behind(const struct head *h, const struct back *back,
				uint32_t node)
{
	struct worth sum = { 0, 0 };

	for (uint32_t l = h->first[node]; l < h->first[node + 1]; l++) {
		const struct worth *there = &back->arrives[h->links[l].to];

		sum.value += h->links[l].share * there->value;
		sum.known += h->links[l].share * there->known;
	}
	return sum;
}

static struct worth between(const struct worth *a, const struct worth *b,
			    double part)
{
	return (struct worth){ part * a->value + (1 - part) * b->value,
			       part * a->known + (1 - part) * b->known };
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* What arriving is worth: near what it was a cycle ago. */
static void settle_back(const struct head *h, const struct back *back)
{
	double worst = INFINITY, most = 0;

	for (size_t i = 0; i < h->nlive && h->live[i] < h->g->nsteps; i++)
		most = larger(most, back->once[h->live[i]].value);
	for (int sweep = 0; worst > settled * most && sweep < SWEEPS; sweep++) {
		worst = 0;
		for (size_t i = h->nlive; i-- > 0;) {
			uint32_t n = h->live[i];
			struct worth *arrives = &back->arrives[n], here;
			double heads = h->stays[n].heads;

			if (heads < 1) {
				here = mean_behind(h, back, n);
				here = between(&back->once[n], &here, heads);
			} else {
				here = back->once[n];
			}
			worst = larger(worst,
				       fabs(here.value - arrives->value));
			*arrives = here;
		}
	}
}

static void step_back(const struct head *h, const struct back *back)
{
	for (size_t i = 0; i < h->nlive && h->live[i] < h->g->nsteps; i++) {
		uint32_t n = h->live[i];
		const struct stay *stay = &h->stays[n];
		struct worth leaves, longer = back->longer[n];

		if (!(stay->heads > 0))
			continue;
		leaves = mean_behind(h, back, n);
		back->once[n] = between(&longer, &leaves, stay->again);
		back->longer[n] = between(&longer, &leaves, stay->more);
	}
	settle_back(h, back);
}

void head_backward(struct head *h, unsigned skid, const double *value,
		   double *ret, double *known_ret)
{
	struct back back = {
		.arrives = fdo_alloc(h->nnodes, sizeof(struct worth)),
		.once = fdo_alloc(h->nnodes, sizeof(struct worth)),
		.longer = fdo_alloc(h->nnodes, sizeof(struct worth)),
	};

	for (size_t s = 0; s < h->g->nsteps; s++)
		back.once[s] = back.longer[s] = (struct worth){ value[s], 1 };
	settle_back(h, &back);
	while (skid--)
		step_back(h, &back);
	for (size_t s = 0; s < h->g->nsteps; s++) {
		struct worth behind = mean_behind(h, &back, s);

		ret[s] = behind.value;
		known_ret[s] = behind.known;
	}
	free(back.arrives);
	free(back.once);
	free(back.longer);
}
