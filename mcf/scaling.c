/*
 * scaling.c - cost scaling over arcs with breakpoints.
 *
 * Where most of what was measured contradicts, the simplex needs some pivots
 * for each node, and each of them goes around a cycle of hundreds of arcs.
 * There it is better to let what a node has over go to its neighbours, by
 * potentials that say which way is cheap: push and relabel (Goldberg and
 * Tarjan, "Finding minimum-cost circulations by successive approximation",
 * Mathematics of Operations Research 15(3), 1990).  An error of epsilon is
 * tolerated in each price, and epsilon falls in steps; now and then all
 * potentials are put to the distance from where flow lacks (Goldberg, "An
 * efficient implementation of a scaling minimum-cost flow algorithm", Journal
 * of Algorithms 22(1), 1997).
 *
 * The last steps are the dearest, and change little.  So this stops where the
 * arcs that are within a segment form a tree but for a few, which are pushed
 * to an end (scaling_forest.c), and the simplex goes on with the tree; it also
 * proves the end.  Therefore prices need not be
 * right to the last bit: 32 bits do, which is half the memory to go through.
 * And a few arcs that are far dearer than others, as those of repairs are, are
 * taken for less: epsilon would begin where all others look alike, the flow
 * that is cheap by the dear ones alone has next to nothing within a segment,
 * and what is missing between that and a tree would say nothing.
 *
 * An arc that is wrong by less than epsilon stays as it is, unlike in the
 * papers; and an arc with breakpoints is one arc, pushed a segment at a time.
 * What a node has over goes along some arcs at once, if they lead on: who
 * cannot pass it on changes its potential before it gets anything (Kiraly and
 * Kovacs, "Efficient implementations of minimum-cost flow algorithms", Acta
 * Universitatis Sapientiae, Informatica 4(1), 2012, section 3.3).
 * Pushes spread what is over to ever more nodes, until few are left that lack
 * something, far away from most of the many.  Then what the few lack is led to
 * the many instead, by the same steps with all signs turned: potentials rise
 * (Bertsekas and Eckstein, "Dual coordinate step methods for linear network
 * flow problems", Mathematical Programming 42, 1988, which has both kinds).
 *
 * A node with thousands of arcs, such as what all blocks of a function may go
 * to, looks at all of them each time that something passes it.  There is no
 * answer if that takes too long; where so many ways lead over one node, cycles
 * are short, and the simplex is fast by itself.
 *
 * Overflow   Potentials fall, and where signs are turned the highest is 0
 *            again.  As long as they are not, potentials fall in each step by
 *            at most the number of nodes times the sum of the old epsilon and
 *            the new one, and prices are shifted so that this stays above
 *            -2^30; where a node falls below all the same, or an excess leaves
 *            its range, there is no answer.
 */
#include "mcf/scaling.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mcf/network.h"
#include "mcf/room.h"
#include "mcf/scaling_work.h"

#define EXCESS_MAX ((int64_t)1 << 61)
#define PRICES_MAX (1 << 29)	     /* times nodes */
#define SHUT	   (-(int64_t)NEVER) /* what a node without a way out sees */

/* But so many looks at arcs in all take no time. */
#define LOOKS_FEW ((uint64_t)1 << 26)

enum {
	STEP = 4,   /* from one epsilon to the next, as a power of 2 */
	TREE = 8,   /* a tree but for one in so many nodes */
	REACH = 5,  /* arcs that flow is pushed along at a time */
	UPDATE = 5, /* changes, of two nodes, until all are put right */
	RARE = 16,  /* one arc in so many may be dearer than usual */
	DEAR = 2,   /* and is as dear as this power of 2 at most, to us */
	ENOUGH = 6, /* bits of a price, or nothing is left of it */
	MANY = 100, /* changes of a node's potential are too many */
	MUCH = 500, /* looks at each arc, from either end, are too often */
	/* So many nodes are worth longer steps: fewer pivots, which are long. */
	LARGE = 12000,
	LARGE_STEP = 5,
};

static void add_excess(struct scaling_work *w, uint32_t u, int64_t amount)
{
	w->excess[u] += amount;
	if (llabs(w->excess[u]) > EXCESS_MAX)
		w->failed = true;
}

static void wait_in_turn(struct scaling_work *w, uint32_t u)
{
	uint32_t place = w->first + w->nqueue;

	if (w->waits[u])
		return;
	w->waits[u] = true;
	w->queue[place < w->net->nodes ? place : place - w->net->nodes] = u;
	w->nqueue++;
}

static void take_turn(struct scaling_work *w, uint32_t *u)
{
	*u = w->queue[w->first];
	w->waits[*u] = false;
	w->nqueue--;
	if (++w->first == w->net->nodes)
		w->first = 0;
}

/* Nothing can leave a node: change its potential so that nothing gets there. */
static void shut(struct scaling *f, uint32_t u)
{
	struct scaling_work *w = f->work;
	int64_t least = INT64_MAX;

	for (uint32_t i = f->nodes[u].start; i < f->nodes[u + 1].start; i++) {
		int64_t here = (int64_t)f->nodes[w->halves[i].other].potential +
			       w->in[i];

		least = here < least ? here : least;
	}
	least -= f->epsilon;
	w->failed |= w->excess[u] > 0 || least < LOWEST;
	if (!w->failed && least < f->nodes[u].potential)
		f->nodes[u].potential = (int32_t)least;
	w->changes++;
}

/*
 * The arc over which something leaves a node at the best price.  If there is
 * none, change its potential to where there is one, and return that if it is
 * the first of a way, or else NONE.
 */
static uint32_t look_around(struct scaling *f, uint32_t u, bool first)
{
	struct scaling_work *w = f->work;
	struct scaling_node *nodes = f->nodes;
	const struct half *halves = w->halves;
	int64_t best = INT64_MIN, own = nodes[u].potential;
	uint32_t arg = NONE, end = nodes[u + 1].start;

	w->looks += end - nodes[u].start;
	for (uint32_t i = nodes[u].start; i < end; i++) {
		const struct scaling_node *other = &nodes[halves[i].other];
		int64_t there = (int64_t)other->potential - halves[i].out;

		/* One of them is where the search goes on. */
		__builtin_prefetch(&halves[other->start]);
		arg = there > best ? i : arg;
		best = there > best ? there : best;
	}
	if (best > own)
		return arg;
	if (best <= SHUT) {
		shut(f, u);
		return NONE;
	}
	if (best < LOWEST + f->epsilon) {
		w->failed = true;
		return NONE;
	}
	nodes[u].potential = (int32_t)best - f->epsilon;
	w->changes++;
	return first ? arg : NONE;
}

/* The arcs of a way, as what leaves a node sees them. */
struct way {
	uint32_t node[REACH], half[REACH];
	uint32_t n;
};

/*
 * A way from a node to where flow lacks, or as far as one goes.  Back where
 * it does not go on, so that nothing is sent where it cannot stay.
 */
static void find_way(struct scaling *f, uint32_t u, struct way *way)
{
	struct scaling_work *w = f->work;

	way->n = 0;
	way->node[0] = u;
	while (way->n < REACH && (way->n == 0 || w->excess[u] >= 0)) {
		uint32_t half = look_around(f, u, way->n == 0);

		if (w->failed) {
			way->n = 0;
			return;
		}
		if (half != NONE) {
			way->node[way->n] = u;
			way->half[way->n++] = half;
			__builtin_prefetch(&f->spots[w->end_of[half] / 2]);
			u = w->halves[half].other;
		} else if (way->n) {
			u = way->node[--way->n];
		}
	}
}

/*
 * Push what the nodes of a way have over along it, as far as it goes: it may
 * lead over an arc twice, which is full by then.
 */
static void push_along(struct scaling *f, const struct way *way)
{
	struct scaling_work *w = f->work;
	uint32_t u = way->node[0];

	for (uint32_t k = 0; k < way->n; k++) {
		const struct half *half = &w->halves[way->half[k]];
		uint32_t end = w->end_of[way->half[k]] ^ w->mirrored;
		int64_t amount;

		if (half->out == NEVER || w->excess[u] <= 0)
			break;
		amount = scaling_room(f, end);
		if (amount > w->excess[u])
			amount = w->excess[u];
		scaling_push(f, end, half->out, amount);
		w->excess[u] -= amount;
		add_excess(w, half->other, amount);
		if (k && w->excess[u] > 0)
			wait_in_turn(w, u);
		u = half->other;
	}
	if (u != way->node[0] && w->excess[u] > 0)
		wait_in_turn(w, u);
}

/* Changes of potentials, or looks at arcs to find out whether one is due. */
static bool takes_too_long(const struct scaling_work *w)
{
	uint64_t often = 2 * MUCH * (uint64_t)w->net->narcs;

	return w->changes / MANY > w->net->nodes ||
	       w->looks > LOOKS_FEW + often;
}

/* Push what a node has over until all is gone. */
static void discharge(struct scaling *f, uint32_t u)
{
	struct scaling_work *w = f->work;
	struct way way;

	while (w->excess[u] > 0 && !w->failed) {
		find_way(f, u, &way);
		push_along(f, &way);
		w->failed |= takes_too_long(w);
	}
}

/* Take an arc that is wrong by more than epsilon to where it is right. */
static void correct(struct scaling *f, uint32_t a)
{
	struct scaling_work *w = f->work;
	const struct mcf_arc *arc = &w->net->arcs[a];
	int32_t step =
		f->nodes[arc->head].potential - f->nodes[arc->tail].potential;

	for (uint32_t side = 0; side < 2; side++) {
		const struct half *half = &w->halves[w->half_of[2 * a + side]];

		while (half->out < (side ? -step : step) - f->epsilon) {
			int64_t amount = scaling_room(f, 2 * a + side);

			scaling_push(f, 2 * a + side, half->out, amount);
			add_excess(w, side ? arc->tail : arc->head, amount);
			add_excess(w, side ? arc->head : arc->tail, -amount);
		}
	}
}

/* All that have something over wait. */
static void fill_queue(struct scaling_work *w)
{
	w->nqueue = 0;
	for (uint32_t u = 0; u < w->net->nodes; u++) {
		w->waits[u] = false;
		if (w->excess[u] > 0)
			wait_in_turn(w, u);
	}
}

/* Whether more nodes have something over than lack something. */
static bool is_uneven(const struct scaling_work *w)
{
	uint32_t have = 0, lack = 0;

	for (uint32_t u = 0; u < w->net->nodes; u++) {
		have += w->excess[u] > 0;
		lack += w->excess[u] < 0;
	}
	return have > lack;
}

static void refine(struct scaling *f)
{
	struct scaling_work *w = f->work;
	uint32_t nodes = w->net->nodes, u;
	uint64_t end;

	/* While all potentials are 0 no arc is wrong where it rests. */
	for (uint32_t a = 0; w->changes && a < w->net->narcs; a++)
		if (w->half_of[2 * a] != NONE)
			correct(f, a);
	fill_queue(w);
	while (w->nqueue && !w->failed) {
		if (is_uneven(w)) {
			scaling_mirror(f);
			fill_queue(w);
		}
		scaling_update(f);
		end = w->changes + UPDATE * (uint64_t)nodes / 2;
		while (w->nqueue && !w->failed && w->changes < end) {
			take_turn(w, &u);
			discharge(f, u);
		}
	}
	if (w->mirrored)
		scaling_mirror(f);
}

/* Whether the arcs that are within a segment form a tree but for a few. */
static bool is_near(struct scaling *f)
{
	return scaling_forest(f) <= f->work->net->nodes / TREE;
}

/* Each arc rests where it is cheapest by itself. */
static void rest(struct scaling *f)
{
	struct scaling_work *w = f->work;

	for (uint32_t a = 0; a < w->net->narcs; a++) {
		const struct mcf_arc *arc = &w->net->arcs[a];
		uint32_t i = arc->first, end = i + arc->n;
		int64_t flow = arc->lower;

		for (; i < end && w->net->segments[i].price < 0; i++)
			flow += w->net->segments[i].width;
		f->spots[a] = (struct scaling_spot){
			i < end ? w->net->segments[i].width : 0,
			i > arc->first ? w->net->segments[i - 1].width : 0,
			i,
		};
		add_excess(w, arc->head, flow);
		add_excess(w, arc->tail, -flow);
	}
}

/* All arrays, with anything in them; or NULL, but what they need is counted. */
static struct scaling *lay_out(const struct mcf_network *net, struct room *room)
{
	size_t nodes = net->nodes, narcs = net->narcs, lasting, most;
	struct scaling_spot *spots = room_keep(room, narcs, sizeof(*spots));
	struct scaling_work *w = room_take(room, 1, sizeof(*w));
	struct scaling *f = room_keep(room, 1, sizeof(*f));
	struct scaling found = { .spots = spots, .work = w };
	struct scaling_work work = { .net = net };

	found.nodes = room_keep(room, nodes + 1, sizeof(*f->nodes));
	found.order = room_keep(room, nodes, sizeof(*f->order));
	found.above = room_keep(room, nodes, sizeof(*f->above));
	work.halves = room_take(room, narcs, 2 * sizeof(*w->halves));
	work.end_of = room_take(room, narcs, 2 * sizeof(*w->end_of));
	lasting = room->front;
	work.branches = room_take(room, nodes, sizeof(*w->branches));
	work.stems = room_take(room, nodes, sizeof(*w->stems));
	most = room->front;
	room->front = lasting;
	work.in = room_take(room, narcs, 2 * sizeof(*w->in));
	work.half_of = room_take(room, narcs, 2 * sizeof(*w->half_of));
	work.excess = room_take(room, nodes, sizeof(*w->excess));
	work.queue = room_take(room, nodes, sizeof(*w->queue));
	work.waits = room_take(room, nodes, sizeof(*w->waits));
	work.distance = room_take(room, nodes, sizeof(*w->distance));
	work.bucket = room_take(room, nodes, sizeof(*w->bucket));
	work.next = room_take(room, nodes, sizeof(*w->next));
	work.previous = room_take(room, nodes, sizeof(*w->previous));
	if (room->front < most)
		room->front = most;
	if (!room->memory)
		return NULL;
	*f = found;
	*w = work;
	return f;
}

struct scaling *scaling_begin(const struct mcf_network *net, struct room *room,
			      size_t later)
{
	struct room plan = { 0 };
	struct scaling *f;

	lay_out(net, &plan);
	room_open(room, (plan.front > later ? plan.front : later) + plan.back);
	f = lay_out(net, room);
	memset(f->nodes, 0, (net->nodes + 1) * sizeof(*f->nodes));
	memset(f->work->excess, 0, net->nodes * sizeof(*f->work->excess));
	return f;
}

/* How many bits the highest price of an arc has, either way. */
static unsigned bits_of(const struct mcf_network *net,
			const struct mcf_arc *arc)
{
	const struct mcf_segment *s = net->segments + arc->first;
	uint64_t first, last;

	if (arc->n == 0)
		return 0;
	first = llabs(s[0].price);
	last = llabs(s[arc->n - 1].price);
	if (first < last)
		first = last;
	return first ? 64 - __builtin_clzll(first) : 0;
}

/* What bits all arcs have but for a few; *most that any has. */
static unsigned usual_bits(const struct mcf_network *net, unsigned *most)
{
	uint32_t have[65] = { 0 }, above = 0;
	unsigned bits = 64;

	for (uint32_t a = 0; a < net->narcs; a++)
		have[bits_of(net, &net->arcs[a])]++;
	while (bits > 1 && have[bits] == 0)
		bits--;
	*most = bits;
	while (bits > 1 && above + have[bits] <= net->narcs / RARE)
		above += have[bits--];
	return bits;
}

/*
 * The unit in which potentials fit, the price that dearer ones are taken for,
 * and the epsilon before the first.
 */
static void find_unit(struct scaling *f, const struct mcf_network *net)
{
	int64_t limit = PRICES_MAX / (net->nodes + 1);
	unsigned most, usual = usual_bits(net, &most);

	if (most > usual + DEAR)
		most = usual + DEAR;
	f->most = (int64_t)1 << most;
	while (f->most >> f->shift > limit)
		f->shift++;
	f->work->failed = f->shift && usual < f->shift + ENOUGH;
	f->work->log_epsilon = usual > f->shift ? usual - f->shift - 1 : 0;
}

struct scaling *scaling_flow(const struct mcf_network *net, struct room *room,
			     size_t later)
{
	struct scaling *f = scaling_begin(net, room, later);
	struct scaling_work *w = f->work;

	find_unit(f, net);
	rest(f);
	scaling_find_halves(f);
	do {
		w->log_epsilon -= net->nodes < LARGE ? STEP : LARGE_STEP;
		if (w->log_epsilon < 0)
			w->log_epsilon = 0;
		f->epsilon = 1 << w->log_epsilon;
		if (!w->failed)
			refine(f);
	} while (!w->failed && !is_near(f) && f->epsilon > 1);
	if (w->failed)
		return NULL;
	scaling_settle(f);
	return f;
}
