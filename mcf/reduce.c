/*
 * reduce.c - what can be solved without a search.
 *
 * Control flow is mostly nested: blocks in a row, arms side by side, loops.
 * Where a node has two arcs, whatever passes one passes the other: they
 * become one arc whose cost is the sum.  Where two arcs join the same nodes,
 * the cheaper one is used first: they become one arc whose segments are
 * those of both, by price.  An arc that runs the other way is one that
 * carries less than nothing.  A node with one arc has no flow, and an arc
 * that returns to its own node flows as it likes.  A program without break
 * or return within a loop shrinks to nothing, and others to a tenth; the
 * simplex solves what is left, and going back through the steps gives each
 * arc its part.  All of this is exact.
 *
 * A bundle keeps the number of its first arc.  Nodes are taken from a stack,
 * each with at most three arcs when its turn comes; where more come
 * together, arcs side by side are found by marks.
 *
 * Time       A sum takes as long as its parts, so costs that grow along a
 *            deep nest would be quadratic.  Sums of similar size can grow
 *            as they like, since each takes part in few of them; of others,
 *            all that are small are made, and larger ones as long as what
 *            was written so far is no more than a few times the input.
 *            Small ones come first, and if they leave little, that is all.
 * Overflow   A price of a bundle is the sum over a path of the network, or
 *            one out of several such, so mcf.c's limit for paths holds for
 *            the core as it is.  Each bundle by itself is cheapest at a flow
 *            between those of its parts, or at their sum; all of them
 *            together at no more than the sum over the arcs, and where that
 *            might exceed the simplex's limit nothing is reduced.
 */
#include "mcf/reduce.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "mcf/bundle.h"
#include "mcf/simplex.h"

enum {
	SMALL = 60,  /* a sum of at most so many segments is always made */
	ENOUGH = 64, /* nodes left: the simplex is quicker than long sums */
	POOL = 8,    /* long ones while the pool is so many times the input */
	SIMILAR = 4, /* or if neither has so many times the other's */
	ROUNDS = 16, /* searches for what has become possible elsewhere */
};

enum step_kind {
	FOLLOWS, /* what passes the first bundle passes the second */
	SPLITS,	 /* the first was another before, and the second */
	LOOPS,	 /* the first has no second, and leads back */
	ENDS,	 /* the first has no second, and leads nowhere */
};

struct step {
	uint32_t first, second, before;
	uint8_t kind; /* enum step_kind */
	bool turned;  /* the second runs against the first */
};

/*
 * Where a bundle is in the lists of its tail and head.  An end is twice the
 * bundle's number, and one more at its head.
 */
struct link {
	uint32_t node[2]; /* tail and head; [0] is NONE: in no list */
	uint32_t next[2], previous[2];
};

struct reduction {
	struct link *links;
	struct bundle *bundles;
	struct bundle *before; /* such as were put side by side */
	struct step *steps;
	struct bundle_pool pool;
	uint32_t *at;	  /* the first end at each node */
	uint32_t *degree; /* ends there */
	uint32_t *stack;
	uint32_t *mark;
	bool *waits; /* is on the stack */
	size_t node_room, arc_room, before_room;
	uint32_t nodes, narcs, nstack, nsteps, nbefore;
	size_t limit;	 /* of the pool */
	bool takes_long; /* sums */
	bool refused;	 /* one, for its size */
	struct mcf_network core;
};

void reduction_free(struct reduction *r)
{
	if (!r)
		return;
	free(r->core.arcs);
	free(r->core.segments);
	free(r->waits);
	free(r->mark);
	free(r->stack);
	free(r->degree);
	free(r->at);
	free(r->steps);
	free(r->before);
	free(r->bundles);
	free(r->links);
	free(r);
}

static void reserve(struct reduction *r, size_t nodes, size_t narcs)
{
	if (nodes > r->node_room) {
		r->node_room = nodes + nodes / 2;
		free(r->waits);
		free(r->mark);
		free(r->stack);
		free(r->degree);
		free(r->at);
		r->at = fdo_alloc(r->node_room, sizeof(*r->at));
		r->degree = fdo_alloc(r->node_room, sizeof(*r->degree));
		r->stack = fdo_alloc(r->node_room, sizeof(*r->stack));
		r->mark = fdo_alloc(r->node_room, sizeof(*r->mark));
		r->waits = fdo_alloc(r->node_room, sizeof(*r->waits));
	}
	if (narcs > r->arc_room) {
		r->arc_room = narcs + narcs / 2;
		free(r->steps);
		free(r->bundles);
		free(r->links);
		r->links = fdo_alloc(r->arc_room, sizeof(*r->links));
		r->bundles = fdo_alloc(r->arc_room, sizeof(*r->bundles));
		r->steps = fdo_alloc(r->arc_room, sizeof(*r->steps));
	}
}

static void wait_for(struct reduction *r, uint32_t u)
{
	if (r->waits[u] || r->degree[u] > 3)
		return;
	r->waits[u] = true;
	r->stack[r->nstack++] = u;
}

static void attach_end(struct reduction *r, uint32_t end)
{
	struct link *link = &r->links[end / 2];
	uint32_t u = link->node[end % 2], next = r->at[u];

	link->next[end % 2] = next;
	link->previous[end % 2] = NONE;
	if (next != NONE)
		r->links[next / 2].previous[next % 2] = end;
	r->at[u] = end;
	r->degree[u]++;
}

static void detach_end(struct reduction *r, uint32_t end)
{
	const struct link *link = &r->links[end / 2];
	uint32_t u = link->node[end % 2], next = link->next[end % 2];
	uint32_t previous = link->previous[end % 2];

	if (previous == NONE)
		r->at[u] = next;
	else
		r->links[previous / 2].next[previous % 2] = next;
	if (next != NONE)
		r->links[next / 2].previous[next % 2] = previous;
	r->degree[u]--;
}

/* Put an end where another one is in its list. */
static void replace_end(struct reduction *r, uint32_t end, uint32_t old)
{
	struct link *link = &r->links[end / 2];
	const struct link *was = &r->links[old / 2];
	uint32_t u = was->node[old % 2], next = was->next[old % 2];
	uint32_t previous = was->previous[old % 2];

	link->node[end % 2] = u;
	link->next[end % 2] = next;
	link->previous[end % 2] = previous;
	if (previous == NONE)
		r->at[u] = end;
	else
		r->links[previous / 2].next[previous % 2] = end;
	if (next != NONE)
		r->links[next / 2].previous[next % 2] = end;
}

static void note(struct reduction *r, enum step_kind kind, uint32_t first,
		 uint32_t second, bool turned)
{
	r->steps[r->nsteps++] = (struct step){
		.kind = kind,
		.first = first,
		.second = second,
		.turned = turned,
		.before = kind == SPLITS ? r->nbefore++ : NONE,
	};
	r->links[second == NONE ? first : second].node[0] = NONE;
}

static bool is_worth(struct reduction *r, const struct bundle *a,
		     const struct bundle *b)
{
	size_t n = (size_t)a->n + b->n, less = a->n < b->n ? a->n : b->n;

	if (less <= 1 || n <= SMALL ||
	    (r->takes_long &&
	     ((SIMILAR + 1) * less >= n || r->pool.n + n <= r->limit)))
		return true;
	r->refused = true;
	return false;
}

/* Keep what a bundle is, before another is put beside it. */
static void keep(struct reduction *r, const struct bundle *b)
{
	r->before = fdo_grow(r->before, r->nbefore, &r->before_room,
			     sizeof(*r->before));
	r->before[r->nbefore] = *b;
}

/* Two bundles between the same nodes become one. */
static bool join_parallel(struct reduction *r, uint32_t a, uint32_t b)
{
	const struct link *link = &r->links[a];
	bool turned = link->node[0] != r->links[b].node[0];

	keep(r, &r->bundles[a]);
	if (!is_worth(r, &r->bundles[a], &r->bundles[b]) ||
	    !bundle_parallel(&r->pool, &r->bundles[a], &r->bundles[b], turned))
		return false;
	detach_end(r, 2 * b);
	detach_end(r, 2 * b + 1);
	note(r, SPLITS, a, b, turned);
	wait_for(r, link->node[0]);
	wait_for(r, link->node[1]);
	return true;
}

/* A node with two ends, of two bundles: they become one around it. */
static void join_series(struct reduction *r, uint32_t u)
{
	uint32_t ea = r->at[u], a = ea / 2;
	uint32_t eb = r->links[a].next[ea % 2], b = eb / 2;
	uint32_t x = r->links[a].node[1 - ea % 2];
	uint32_t y = r->links[b].node[1 - eb % 2];
	bool turned = ea % 2 == eb % 2;

	if ((x != y && !is_worth(r, &r->bundles[a], &r->bundles[b])) ||
	    !bundle_series(&r->pool, &r->bundles[a], &r->bundles[b], turned))
		return;
	r->degree[u] = 0;
	if (x != y) {
		replace_end(r, ea, eb ^ 1);
		note(r, FOLLOWS, a, b, turned);
		wait_for(r, y);
	} else {
		detach_end(r, ea ^ 1);
		detach_end(r, eb ^ 1);
		note(r, FOLLOWS, a, b, turned);
		note(r, LOOPS, a, NONE, false);
	}
	wait_for(r, x);
}

/* Nothing can flow where there is no way back. */
static void settle(struct reduction *r, uint32_t u)
{
	uint32_t end = r->at[u], other = r->links[end / 2].node[1 - end % 2];
	const struct bundle *b = &r->bundles[end / 2];

	if (b->low > 0 || b->high < 0)
		return;
	detach_end(r, end);
	detach_end(r, end ^ 1);
	note(r, ENDS, end / 2, NONE, false);
	wait_for(r, other);
}

/* Of three ends, two may lead to the same node. */
static void join_any(struct reduction *r, uint32_t u)
{
	uint32_t end[3], other[3];

	end[0] = r->at[u];
	for (int i = 0; i < 3; i++) {
		const struct link *link = &r->links[end[i] / 2];

		other[i] = link->node[1 - end[i] % 2];
		if (i < 2)
			end[i + 1] = link->next[end[i] % 2];
	}
	for (int i = 0; i < 3; i++)
		if (other[i] == other[(i + 1) % 3] &&
		    join_parallel(r, end[i] / 2, end[(i + 1) % 3] / 2))
			return;
}

static void empty_stack(struct reduction *r)
{
	while (r->nstack) {
		uint32_t u = r->stack[--r->nstack];

		r->waits[u] = false;
		if (r->degree[u] == 1)
			settle(r, u);
		else if (r->degree[u] == 2)
			join_series(r, u);
		else if (r->degree[u] == 3)
			join_any(r, u);
	}
}

/* Two ways from this node to another, wherever they are in its list. */
static void join_marked(struct reduction *r, uint32_t u)
{
	uint32_t end, next;

	for (end = r->at[u]; end != NONE; end = next) {
		const struct link *link = &r->links[end / 2];
		uint32_t other = link->node[1 - end % 2];

		next = link->next[end % 2];
		if (r->mark[other] == NONE ||
		    !join_parallel(r, r->mark[other], end / 2))
			r->mark[other] = end / 2;
	}
	for (end = r->at[u]; end != NONE; end = r->links[end / 2].next[end % 2])
		r->mark[r->links[end / 2].node[1 - end % 2]] = NONE;
}

/* Whether sums that were refused are worth another look at all nodes. */
static bool look_again(struct reduction *r)
{
	uint32_t left = 0;

	for (uint32_t u = 0; u < r->nodes; u++)
		left += r->degree[u] > 0;
	if (left <= ENOUGH)
		return false;
	for (uint32_t u = 0; u < r->nodes; u++)
		if (r->degree[u] > 1)
			wait_for(r, u);
	return true;
}

static void join_all(struct reduction *r)
{
	uint32_t before;
	int rounds = 0;
	bool again;

	r->takes_long = false;
	do {
		before = r->nsteps;
		r->refused = false;
		empty_stack(r);
		for (uint32_t u = 0; u < r->nodes; u++)
			if (r->degree[u] > 3)
				join_marked(r, u);
		again = r->nstack > 0;
		if (r->refused && (r->nsteps > before || !r->takes_long))
			again |= look_again(r);
		r->takes_long = true;
	} while (again && ++rounds < ROUNDS);
}

static void make_bundles(struct reduction *r, const struct mcf_network *net)
{
	r->nbefore = 0;
	for (uint32_t a = 0; a < r->narcs; a++) {
		const struct mcf_arc *arc = &net->arcs[a];

		r->bundles[a] = (struct bundle){
			.low = arc->lower,
			.high = arc->upper,
			.first = arc->first,
			.n = arc->n,
		};
	}
}

static bool repeat_step(struct reduction *r, const struct step *step)
{
	struct bundle *first = &r->bundles[step->first];

	switch ((enum step_kind)step->kind) {
	case FOLLOWS:
		return bundle_series(&r->pool, first, &r->bundles[step->second],
				     step->turned);
	case SPLITS:
		r->before[r->nbefore++] = *first;
		return bundle_parallel(&r->pool, first,
				       &r->bundles[step->second], step->turned);
	case ENDS:
		return first->low <= 0 && first->high >= 0;
	case LOOPS:
		return true;
	}
	return false;
}

/* The same steps with other costs. */
static bool repeat(struct reduction *r, const struct mcf_network *net)
{
	make_bundles(r, net);
	for (uint32_t i = 0; i < r->nsteps; i++)
		if (!repeat_step(r, &r->steps[i]))
			return false;
	return true;
}

static void begin(struct reduction *r, const struct mcf_network *net)
{
	r->nodes = net->nodes;
	r->narcs = net->narcs;
	r->nsteps = r->nstack = 0;
	r->limit = (POOL + 1) * net->nsegments;
	make_bundles(r, net);
	for (uint32_t u = 0; u < r->nodes; u++) {
		r->at[u] = r->mark[u] = NONE;
		r->degree[u] = 0;
		r->waits[u] = false;
	}
	for (uint32_t a = r->narcs; a-- > 0;) {
		const struct mcf_arc *arc = &net->arcs[a];

		r->links[a].node[0] = arc->tail;
		r->links[a].node[1] = arc->head;
		if (arc->tail == arc->head) {
			note(r, LOOPS, a, NONE, false);
			continue;
		}
		attach_end(r, 2 * a);
		attach_end(r, 2 * a + 1);
	}
	for (uint32_t u = r->nodes; u-- > 0;)
		wait_for(r, u);
}

static void add_to_core(struct mcf_network *core, const struct link *link,
			const struct bundle *b, const uint32_t *number)
{
	core->arcs = fdo_grow(core->arcs, core->narcs, &core->arc_room,
			      sizeof(*core->arcs));
	core->arcs[core->narcs++] = (struct mcf_arc){
		.tail = number[link->node[0]],
		.head = number[link->node[1]],
		.first = core->nsegments,
		.n = b->n,
		.lower = b->low,
		.upper = b->high,
	};
	core->nsegments += b->n;
}

/* What is left, with the nodes numbered anew in their order. */
static void make_core(struct reduction *r, const struct mcf_network *net)
{
	struct mcf_network *core = &r->core;
	struct mcf_segment *to;

	core->nodes = core->narcs = core->nsegments = 0;
	core->path_price = net->path_price;
	for (uint32_t u = 0; u < r->nodes; u++)
		if (r->degree[u])
			r->mark[u] = core->nodes++;
	if (core->nodes == 0)
		return;
	for (uint32_t a = 0; a < r->narcs; a++)
		if (r->links[a].node[0] != NONE)
			add_to_core(core, &r->links[a], &r->bundles[a],
				    r->mark);
	if (core->nsegments > core->segment_room) {
		core->segment_room = core->nsegments * 3 / 2;
		free(core->segments);
		core->segments =
			fdo_alloc(core->segment_room, sizeof(*core->segments));
	}
	to = core->segments;
	for (uint32_t a = 0; a < r->narcs; a++)
		if (r->links[a].node[0] != NONE) {
			bundle_copy(&r->pool, &r->bundles[a], to);
			to += r->bundles[a].n;
		}
}

struct mcf_network *reduce(struct reduction **reduction,
			   struct mcf_network *net)
{
	struct reduction *r = *reduction;

	if (net->rest_flow > FLOW_SUM_MAX / 2)
		return NULL;
	if (!r)
		r = *reduction = fdo_alloc(1, sizeof(*r));
	r->pool = (struct bundle_pool){
		net->segments,
		net->nsegments,
		net->segment_room,
	};
	if (!net->reduced || !repeat(r, net)) {
		r->pool.n = net->nsegments;
		reserve(r, net->nodes, net->narcs);
		begin(r, net);
		join_all(r);
	}
	net->reduced = true;
	net->segments = r->pool.segments;
	net->segment_room = r->pool.room;
	make_core(r, net);
	return &r->core;
}

/* Undo a step: tell the flow of what was joined. */
static void undo(const struct reduction *r, struct mcf_network *net,
		 const struct step *step)
{
	struct mcf_arc *first = &net->arcs[step->first];
	int64_t flow = first->flow;

	switch ((enum step_kind)step->kind) {
	case LOOPS:
		first->flow =
			bundle_cheapest(&r->pool, &r->bundles[step->first]);
		return;
	case ENDS:
		first->flow = 0;
		return;
	case SPLITS:
		first->flow = bundle_split(&r->pool, &r->before[step->before],
					   &r->bundles[step->second],
					   step->turned, flow);
		flow -= first->flow;
		break;
	case FOLLOWS:
		break;
	}
	net->arcs[step->second].flow = step->turned ? -flow : flow;
}

void expand(struct reduction *r, struct mcf_network *net)
{
	size_t narcs = 0;

	for (uint32_t a = 0; r->core.narcs && a < r->narcs; a++)
		if (r->links[a].node[0] != NONE)
			net->arcs[a].flow = r->core.arcs[narcs++].flow;
	for (uint32_t i = r->nsteps; i-- > 0;)
		undo(r, net, &r->steps[i]);
}
