/*
 * simplex.c - primal network simplex over arcs with breakpoints.
 *
 * A spanning tree of the nodes carries the flow; each arc outside it rests
 * at a breakpoint of its cost: at its lower bound, at its upper bound, or
 * where one segment ends and the next begins.  Tree arcs fix a potential
 * for each node (head = tail + price).  An arc at rest whose next segment up
 * is cheaper than the potentials it joins, or whose last segment down is
 * dearer, closes a cycle that is worth pushing along: it enters the tree,
 * and the first tree arc on the cycle to reach the end of its segment
 * leaves.  Prices rise along an arc, so the two segments next to its
 * breakpoint say all that its other segments could.  Where the push still
 * pays at the price of the next segment it goes on (simplex_walk.c).
 *
 * Start      See simplex_start.c.  Artificial arcs join parts of the tree
 *            to a root; into it at no price, out of it at a price above any
 *            path.  Flow that stays there proves that the lower bounds
 *            cannot be met.
 * Cycling    Trees are strongly feasible: from each node a positive amount
 *            could be sent to the root.  Of several arcs that block, the
 *            last along the cycle from its apex leaves, which keeps it so;
 *            then no sequence of empty pushes can return to its beginning.
 * Overflow   A potential, less that of the root, is the price of a tree
 *            path: at most one artificial arc and "nodes" others.  mcf.c
 *            keeps (nodes + 2) * (price + 1) below 2^58, so potentials
 *            differ from the root's by 2^59 and among each other by 2^60 at
 *            most, which is below NEVER, 2^61, and the sum of both fits.
 *            The root's own stays within 2^58 (see limit_drift()).  Flow
 *            stays within segments, which are at most 2^58 wide (bundle.c),
 *            and on artificial arcs within the sum of what all arcs carry at
 *            the start, which is kept below 2^61: lower bounds of more than
 *            half of that are refused, and when measured flow reaches it the
 *            rest of the arcs start lower.
 * Order      Arcs are looked at in turn, a block at a time, and the best of
 *            a block enters; ties go to the first.  Where a pivot changes
 *            many potentials, to look for a better arc costs less than the
 *            pivots that it saves: blocks are larger by as many arcs, and the
 *            next best of one enter as well, as long as they save half as
 *            much as the best did, or an eighth where pivots change most.
 *            Nothing else decides.
 * Tangles    Where the first pivots, as many as go around all nodes once, have
 *            left many nodes with an excess and many arcs that are worth
 *            something, no end of them is in sight, and they will be long.
 *            Then the search begins again, from a flow that cost scaling has
 *            brought near the cheapest one (simplex_near.c).  Control flow that
 *            is nested has few such nodes by then, and a ladder few such arcs.
 *            Where everything contradicts, that shows much sooner.
 * Again      A large network whose prices have changed since is begun from its
 *            flow and its potentials (scaling_again.c).
 * Time       Of some pivots a node, each takes as long as its cycle, the arcs
 *            that are looked at, and the potentials that change.  Where these
 *            are many the tree is kept otherwise (simplex_tour.c).
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "mcf/reduce.h"
#include "mcf/simplex.h"

enum {
	SORT = 32,	 /* times all potentials change till nodes are sorted */
	SORT_TOUR = 4,	 /* or a pivot for so many nodes, in a tour */
	MOVES = 800,	 /* potentials a pivot, and the tree becomes a tour */
	TOUR_BLOCKS = 8, /* what a pivot is worth then, in blocks of arcs */
	SHARE = 1,	 /* the half of the best saving is worth a pivot, too */
	TOUR_SHARE = 3,	 /* in a tour, so many times the half of that */
	TOUR_MAX = 1 << 30, /* nodes */
	MANY = 1000, /* nodes, from which on another tree may be better */
	/* When pivots have gone around one of so many ... */
	SOON = 16,
	LOST = 10, /* and one of so many has its excess yet ... */
	WILD = 7,  /* and for twenty of them so many arcs are to enter; */
	/* or later, if for twenty of them so many are to enter ... */
	TANGLED = 6,
	STRAYS = 16, /* and one of so many has its excess at first ... */
	LONG = 28,   /* or a cycle has so many arcs */
};

void simplex_release(struct simplex *s)
{
	simplex_tour_free(s->tour);
	free(s->top);
	free(s->start);
	free(s->around);
	free(s->stops);
	free(s->parts);
	free(s->steps);
	*s = (struct simplex){
		.net = s->net,
		.room = s->room,
		.narcs = s->narcs,
		.root = s->root,
		.given_up = s->given_up,
		.last = s->last,
	};
}

void mcf_simplex_free(struct simplex *s)
{
	if (!s)
		return;
	simplex_release(s);
	room_free(&s->room);
	free(s->last);
	free(s);
}

/* Keep an arc that is not the best, in place of the worst of such. */
static void keep(struct simplex *s, uint32_t arc, int64_t saving)
{
	uint32_t room = s->lift ? TOUR_SPARES : SPARES;
	struct spare *worst = s->spares;

	if (s->nspares < room) {
		s->spares[s->nspares++] = (struct spare){ saving, arc };
		return;
	}
	for (uint32_t i = 1; i < room; i++)
		if (s->spares[i].saving < worst->saving)
			worst = &s->spares[i];
	if (worst->saving < saving)
		*worst = (struct spare){ saving, arc };
}

/* The best of those that were kept, if it is still worth much; or NONE. */
static uint32_t find_spare(struct simplex *s)
{
	struct spare *best = NULL;
	int64_t most = s->enough;
	uint32_t arc;

	for (uint32_t i = 0; i < s->nspares; i++) {
		struct spare *spare = &s->spares[i];
		int64_t saving = simplex_saving(s, &s->offers[spare->arc]);

		if (saving > most) {
			most = saving;
			best = spare;
		}
	}
	if (!best)
		return NONE;
	arc = best->arc;
	*best = s->spares[--s->nspares];
	return arc;
}

/* A search for an arc to enter the tree. */
struct look {
	uint32_t arc; /* the best so far, or NONE */
	int64_t saving;
	int64_t worth; /* being kept */
};

/* How often the best saving is halved for what is worth a pivot, too. */
static int share(const struct simplex *s)
{
	return s->lift ? TOUR_SHARE : SHARE;
}

static void take(struct simplex *s, struct look *look, uint32_t arc,
		 int64_t saving, bool is_hard)
{
	if (saving <= look->saving) {
		keep(s, arc, saving);
		return;
	}
	if (look->arc != NONE && is_hard)
		keep(s, look->arc, look->saving);
	look->arc = arc;
	look->saving = saving;
	look->worth = is_hard ? saving >> share(s) : saving;
}

/* Look at some arcs in turn. */
static inline void look_at(struct simplex *s, struct look *look, uint32_t from,
			   uint32_t to, bool is_hard)
{
	for (uint32_t a = from; a < to; a++) {
		int64_t saving = simplex_saving(s, &s->offers[a]);

		if (saving > look->worth)
			take(s, look, a, saving, is_hard);
	}
}

/* The best arc of the next block that has one, or NONE. */
static uint32_t find_entering(struct simplex *s)
{
	uint32_t block = s->block + s->effort, arc = find_spare(s);
	struct look look = { .arc = NONE };
	uint32_t seen = 0;

	if (arc != NONE)
		return arc;
	s->nspares = 0;
	while (seen < s->narcs && look.arc == NONE) {
		uint32_t left = block;

		while (left > 0 && seen < s->narcs) {
			uint32_t n = left;

			if (n > s->narcs - s->next)
				n = s->narcs - s->next;
			if (n > s->narcs - seen)
				n = s->narcs - seen;
			look_at(s, &look, s->next, s->next + n,
				s->effort > s->block);
			seen += n;
			left -= n;
			s->next += n;
			if (s->next == s->narcs)
				s->next = 0;
		}
	}
	s->enough = look.saving >> share(s);
	return look.arc;
}

/* Read the flow back; false if some stayed on an artificial arc. */
static bool finish(const struct simplex *s, struct mcf_network *net)
{
	const struct node *node;

	for (uint32_t u = 0; u < s->root; u++) {
		node = &s->tree[u];
		if (node->arc < s->narcs)
			s->rests[node->arc] = node->place.segment;
		else if (node->place.below > 0)
			return false;
	}
	for (uint32_t a = 0; a < s->narcs; a++) {
		struct mcf_arc *arc = &net->arcs[a];

		arc->flow = arc->lower;
		for (uint32_t i = arc->first; i < s->rests[a]; i++)
			arc->flow += net->segments[i].width;
	}
	for (uint32_t u = 0; u < s->root; u++) {
		node = &s->tree[u];
		if (node->arc < s->narcs)
			net->arcs[node->arc].flow += node->place.below;
	}
	return true;
}

/* Sort the nodes when it is time, and see how the tree is best kept. */
static void tidy(struct simplex *s, bool tours)
{
	if (s->lift) {
		if (++s->moved < s->root / SORT_TOUR)
			return;
		simplex_tour_end(s);
		tours = true;
	} else {
		tours |= s->effort > MOVES;
		tours &= s->root < TOUR_MAX;
		if (!tours && s->moved / SORT <= s->root)
			return;
	}
	simplex_sort(s);
	s->moved = 0;
	if (tours) {
		simplex_tour_begin(s);
		s->effort = TOUR_BLOCKS * s->block;
	}
}

static void begin(struct simplex *s)
{
	s->lift = NULL;
	s->next = s->effort = s->nspares = s->moved = s->climbed = 0;
	s->block = 10;
	while ((uint64_t)s->block * s->block < s->narcs)
		s->block++;
}

/* Nodes that have more than they can pass on, or less than they need. */
static uint32_t count_strays(const struct simplex *s)
{
	uint32_t n = 0;

	for (uint32_t u = 0; u < s->root; u++)
		n += s->tree[u].arc >= s->narcs && s->tree[u].place.below > 0;
	return n;
}

/*
 * Whether the first pivots leave so many excesses, or cycles are so long, and
 * so many arcs are worth something yet, that it is better to begin with
 * another tree.
 */
static bool is_tangled(const struct simplex *s, uint64_t pivots, uint64_t limit)
{
	bool soon = limit < s->root, is_long = s->climbed >= LONG * pivots;
	uint32_t strays = limit <= s->root ? count_strays(s) : 0, n = 0;

	if (soon ? strays <= s->root / LOST
		 : strays <= s->root / STRAYS && !is_long)
		return false;
	for (uint32_t a = 0; a < s->narcs; a++)
		n += simplex_saving(s, &s->offers[a]) > 0;
	return (uint64_t)n * 20 >= (uint64_t)s->root * (soon ? WILD : TANGLED);
}

/* Until no arc is worth anything, or, if that may be, it takes too long. */
static bool pivot_all(struct simplex *s, bool tours, bool may_stop)
{
	uint64_t pivots = 0, limit = s->root / SOON;
	uint32_t entering;

	while ((entering = find_entering(s)) != NONE) {
		simplex_pivot(s, entering);
		tidy(s, tours);
		pivots++;
		if (s->climbed < limit || !may_stop)
			continue;
		if (is_tangled(s, pivots, limit))
			return false;
		limit = limit < s->root ? s->root : 2 * limit;
	}
	return true;
}

/* Whether to begin anew would take longer than to look at all arcs again. */
static bool is_worth_keeping(const struct simplex *s)
{
	return s->root >= MANY &&
	       (s->last || s->climbed + s->given_up >= s->root);
}

/* A tree from the last solution, and pivots until no arc is worth anything. */
static bool search_again(struct simplex *s)
{
	if (!s->net->has_flow)
		simplex_forget(s);
	if (!s->last || !simplex_again(s))
		return false;
	begin(s);
	return pivot_all(s, s->net->tours, false);
}

static bool search(struct simplex **simplex, struct mcf_network *net,
		   struct fdo_error *err)
{
	struct simplex *s = *simplex;
	bool solved = false;

	if (!s)
		s = *simplex = fdo_alloc(1, sizeof(*s));
	s->net = net;
	s->narcs = net->narcs;
	s->root = net->nodes;
	s->given_up = 0;
	solved = search_again(s);
	if (!solved && !net->scales) {
		if (!simplex_start(s, err))
			return false;
		begin(s);
		solved = pivot_all(s, net->tours,
				   s->root >= MANY && !net->has_lower);
		if (!solved)
			s->given_up = s->climbed;
	}
	if (!solved) {
		if (!simplex_near(s) && !simplex_start(s, err))
			return false;
		begin(s);
		pivot_all(s, net->tours, false);
	}
	if (is_worth_keeping(s))
		simplex_remember(s);
	if (!finish(s, net))
		return fdo_fail(err, "the lower bounds cannot all be met");
	net->solved = true;
	return true;
}

bool mcf_simplex(struct mcf_network *net, struct fdo_error *err)
{
	struct mcf_network *core = reduce(&net->reduction, net);

	if (!core)
		return search(&net->simplex, net, err);
	core->tours = net->tours;
	core->scales = net->scales;
	core->has_lower = net->has_lower;
	if (core->narcs && !search(&net->simplex, core, err))
		return false;
	expand(net->reduction, net);
	return true;
}
